/* Importers: a model file in, a module at the model stage out.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_IMPORT_H
#define QN_IMPORT_IMPORT_H

#include "ir/module.h"

typedef struct qn_import_options {
  qn_str path;           /* for messages */
  qn_str numerics;       /* profile; empty: the importer's default ("litert-ref" for .tflite) */
  int64_t batch;         /* value of dynamic dimensions; 0: 1 */
  qn_str signature;      /* the one whose subgraph is @main; empty: the first subgraph */
  bool rebatch;          /* dimension 0 of the inputs is dynamic, whatever the file says */
  bool any_size;         /* the batch is the largest; each call says how many entries there are */
  bool keep_unsupported; /* operators that are not supported are no errors but unregistered ops,
                            "tflite.NAME", with quern.reason, which the context must allow */
} qn_import_options;

/* The file is retained by the module; constants borrow from it. Reports every problem, each naming
 * operator index, operator and tensor; QN_INVALID for a malformed file, QN_UNSUPPORTED when all
 * that is wrong is operators or types outside of what we implement, QN_LIMIT for absurd sizes,
 * QN_NOT_FOUND for an unknown signature.
 * With any_size, QN_UNSUPPORTED also where an operator does not work entry by entry.
 *
 * The module: quern.numerics, quern.source attributes; @main with one argument per input and one
 * result per output; arg_attrs and res_attrs are dictionaries with quern.name, quern.index (tensor
 * number) and, quantized, quern.scale and quern.zero_point; each op that writes tensors carries
 * quern.tensors = array<i64: tensor numbers of its results> and a name location. */
QN_NODISCARD qn_status qn_import_tflite(qn_ir_context *cx, qn_file *file,
                                        const qn_import_options *options, qn_module **out_module);
/* The TensorFlow Lite operators that are implemented, for catalogues. */
typedef struct qn_tflite_operator {
  const char *name; /* "CONV_2D" */
  qn_op_kind op;    /* what it becomes */
  int newest_version;
} qn_tflite_operator;
const qn_tflite_operator *qn_import_tflite_operators(uint32_t *out_count);
/* Those that are not, with the number of the reason. */
typedef struct qn_tflite_refusal {
  const char *name;
  uint32_t reason;
} qn_tflite_refusal;
const qn_tflite_refusal *qn_import_tflite_refusals(uint32_t *out_count);
const char *const *qn_import_tflite_reasons(uint32_t *out_count);
/* Whether the bytes look like a .tflite file (identifier TFL3 at offset 4). */
bool qn_import_is_tflite(qn_bytes bytes);

#endif
