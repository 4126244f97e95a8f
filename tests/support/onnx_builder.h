/* Builds .onnx files in memory, for tests: protobuf messages field by field, and models of a few
 * nodes, also wrong ones. Written from the file format alone, apart from the importer.
 *
 *   qn_onb *b = qn_onb_create();
 *   qn_onb_input(b, "x", QN_ONB_FLOAT, "1,3,H,W");
 *   qn_onb_node(b, "", "Relu", "x", "y");         attributes of a node follow it
 *   qn_onb_output(b, "y", QN_ONB_FLOAT, "1,3,H,W");
 *   qn_bytes file = qn_onb_finish(b, 8, 17);      lives until qn_onb_destroy(b)
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_ONNX_BUILDER_H
#define QN_TESTS_ONNX_BUILDER_H

#include <quern/base.h>

#include "base/str.h"

enum {
  QN_ONB_FLOAT = 1,
  QN_ONB_UINT8 = 2,
  QN_ONB_INT8 = 3,
  QN_ONB_UINT16 = 4,
  QN_ONB_INT16 = 5,
  QN_ONB_INT32 = 6,
  QN_ONB_INT64 = 7,
  QN_ONB_BOOL = 9,
  QN_ONB_UINT4 = 21,
  QN_ONB_INT4 = 22
};

/* ---- messages: a text of bytes ---- */

void qn_onb_put_varint(qn_text *to, uint64_t value);
void qn_onb_put_int(qn_text *to, uint32_t field, int64_t value);
void qn_onb_put_float(qn_text *to, uint32_t field, float value);
void qn_onb_put_bytes(qn_text *to, uint32_t field, const void *data, size_t size);
void qn_onb_put_string(qn_text *to, uint32_t field, const char *string);
/* Appends another message as a field and empties it. */
void qn_onb_put_message(qn_text *to, uint32_t field, qn_text *message);

/* ---- models ---- */

typedef struct qn_onb {
  qn_text graph, imports, functions, node, file;
} qn_onb;
qn_onb *qn_onb_create(void);
void qn_onb_destroy(qn_onb *b);

/* `dims` is a list "1,N,?" of numbers, names and unknown dimensions; "" is a scalar, NULL no shape.
 */
void qn_onb_input(qn_onb *b, const char *name, int64_t type, const char *dims);
void qn_onb_output(qn_onb *b, const char *name, int64_t type, const char *dims);
/* An initializer with raw data. */
void qn_onb_tensor(qn_onb *b, const char *name, int64_t type, const char *dims, const void *data,
                   size_t size);
/* `inputs` and `outputs` are lists "a,,b"; an empty name is an omitted operand. */
void qn_onb_node(qn_onb *b, const char *domain, const char *op, const char *inputs,
                 const char *outputs);
void qn_onb_attr_int(qn_onb *b, const char *name, int64_t value);
void qn_onb_attr_float(qn_onb *b, const char *name, float value);
void qn_onb_attr_ints(qn_onb *b, const char *name, const char *values);
void qn_onb_attr_string(qn_onb *b, const char *name, const char *value);
/* The graph of another builder, which is destroyed. */
void qn_onb_attr_graph(qn_onb *b, const char *name, qn_onb *body);
void qn_onb_import(qn_onb *b, const char *domain, int64_t version);
/* Returns the file. It imports the standard operator set with version `opset` if that is positive.
 */
qn_bytes qn_onb_finish(qn_onb *b, int64_t ir_version, int64_t opset);

#endif
