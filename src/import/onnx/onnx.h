/* Shared state of the .onnx importer. The work goes in this order: protobuf.c makes records of the
 * file's messages, model.c reads versions and functions, graph.c names and nodes and their order,
 * then one import function per family of operators (ops/, chosen by ops.def) checks a node and says
 * what its results are. tensor.c knows types, shapes and data, attribute.c attributes, value.c what
 * stands for a tensor in the IR.
 *
 * A node whose real result is rounded by whoever reads it (a unit: DequantizeLinear, an operator,
 * QuantizeLinear) is built by its readers, see value.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_ONNX_H
#define QN_IMPORT_ONNX_ONNX_H

#include "base/map.h"
#include "import/graph/build.h"
#include "import/onnx/protobuf.h"

enum {
  QN_ONNX_OLDEST_IR = 3,
  QN_ONNX_NEWEST_IR = 14,
  QN_ONNX_OLDEST_OPSET = 7,
  QN_ONNX_NEWEST_OPSET = 28,
};

/* Types of elements as the file numbers them. */
enum {
  QN_ONNX_FLOAT = 1,
  QN_ONNX_UINT8 = 2,
  QN_ONNX_INT8 = 3,
  QN_ONNX_UINT16 = 4,
  QN_ONNX_INT16 = 5,
  QN_ONNX_INT32 = 6,
  QN_ONNX_INT64 = 7,
  QN_ONNX_STRING = 8,
  QN_ONNX_BOOL = 9,
  QN_ONNX_FLOAT16 = 10,
  QN_ONNX_DOUBLE = 11,
  QN_ONNX_UINT32 = 12,
  QN_ONNX_UINT64 = 13,
  QN_ONNX_BFLOAT16 = 16,
  QN_ONNX_UINT4 = 21,
  QN_ONNX_INT4 = 22,
  QN_ONNX_UINT2 = 25,
  QN_ONNX_INT2 = 26,
};

/* A row of ops.def. */
typedef struct qn_onnx_row {
  qn_graph_row row;
  uint8_t domains;  /* bits by qn_onnx_domain */
  bool takes_steps; /* of floats: between which f32 would be rounded */
} qn_onnx_row;
typedef enum qn_onnx_domain { QN_ONNX_STANDARD = 1, QN_ONNX_MICROSOFT = 2 } qn_onnx_domain;

/* Where names mean something: the main graph, or a function that a node calls, which is read once
 * for each call. */
typedef struct qn_onnx_scope {
  qn_str_map names;                        /* of tensors: their number + 1 */
  const qn_pb_message *message, *function; /* function: NULL, the main graph */
  const struct qn_onnx_scope *outer;       /* whose node calls it */
  const qn_pb_message *call;               /* that node: its attributes are the function's */
  uint32_t depth;
  struct qn_onnx_scope *next; /* of all that there are */
} qn_onnx_scope;

typedef struct qn_onnx_node {
  const qn_pb_message *message;
  const qn_onnx_scope *scope;
  const qn_onnx_row *row; /* NULL: unknown */
  int64_t opset;          /* of its domain; 0: it is not imported */
  int32_t *inputs, *outputs;
  uint32_t input_count, output_count;
  uint32_t index; /* in the order of the file */
  bool live;      /* an output of the model depends on it */
  uint8_t state;  /* of the walk that orders nodes */
} qn_onnx_node;

struct qn_onnx_form;   /* value.h */
struct qn_onnx_opened; /* external.c */

/* What is known of a tensor beside qn_graph_tensor. */
typedef struct qn_onnx_tensor {
  const qn_pb_message *initializer; /* TENSOR; NULL: none */
  const qn_pb_message *type;        /* TYPE, of inputs and outputs of the model; NULL: none */
  uint8_t bits;                     /* of elements that have fewer than 8 in the file; else 0 */
  uint32_t readers;                 /* among nodes that are imported */
  const qn_onnx_node *reader;       /* one of them */
  bool is_quantized;                /* one is a QuantizeLinear */
  bool is_result;                   /* an output of the model */
  bool has_value;                   /* an op has its number */
  struct qn_onnx_form *form;        /* once written or used; NULL before */
} qn_onnx_tensor;

typedef struct qn_onnx {
  qn_graph graph; /* first */
  const qn_pb_message *model;
  qn_str_map rows;      /* of ops.def, by name */
  qn_str_map functions; /* by "domain:name:overload" */
  qn_onnx_scope *scopes;
  qn_onnx_node *nodes;
  uint32_t node_count, node_capacity;
  qn_onnx_tensor *extras; /* beside graph.tensors */
  uint32_t tensor_capacity;
  struct qn_onnx_opened *opened; /* files of external data */
  const qn_onnx_node **order;    /* nodes that are imported */
  uint32_t order_count;
  uint32_t apart; /* operators that keep what is built from its QuantizeLinear: fuse.c */
} qn_onnx;

/* A node that is imported: qn_graph_op of it, first. */
typedef struct qn_onnx_op {
  qn_graph_op op;
  const qn_onnx_node *node;
} qn_onnx_op;

static inline qn_onnx *qn_onnx_of(qn_graph *graph) { return (qn_onnx *)graph; }
static inline const qn_onnx_node *qn_onnx_node_of(const qn_graph_op *op) {
  return ((const qn_onnx_op *)op)->node;
}
static inline qn_onnx_tensor *qn_onnx_extra(qn_graph *graph, const qn_graph_tensor *tensor) {
  return &qn_onnx_of(graph)->extras[tensor - graph->tensors];
}

/* ---- graph.c ---- */

/* Names, nodes, and the order in which they are imported. False: reported, so that nothing can be
 * imported. */
bool qn_onnx_open_graph(qn_onnx *im, const qn_pb_message *graph);
/* For messages about a node. */
qn_onnx_op qn_onnx_open_op(qn_onnx *im, const qn_onnx_node *node);

/* ---- fuse.c ---- */

void qn_onnx_count_readers(qn_onnx *im);

/* ---- attribute.c ---- */

enum {
  QN_ONNX_ATTR_FLOAT = 1,
  QN_ONNX_ATTR_INT = 2,
  QN_ONNX_ATTR_STRING = 3,
  QN_ONNX_ATTR_TENSOR = 4,
  QN_ONNX_ATTR_GRAPH = 5,
  QN_ONNX_ATTR_FLOATS = 6,
  QN_ONNX_ATTR_INTS = 7,
  QN_ONNX_ATTR_STRINGS = 8
};
/* The attribute, of that type; NULL: there is none, or (op->failed) it is of another type. What a
 * function's body says of the attributes of its call is looked up there. */
const qn_pb_message *qn_onnx_attribute(qn_graph_op *op, const char *name, int64_t type);
int64_t qn_onnx_int(qn_graph_op *op, const char *name, int64_t fallback);
float qn_onnx_float(qn_graph_op *op, const char *name, float fallback);
qn_str qn_onnx_string(qn_graph_op *op, const char *name, const char *fallback);
/* At most `most` numbers; false: reported. Without the attribute, *out_count is 0. */
bool qn_onnx_ints(qn_graph_op *op, const char *name, uint32_t most, int64_t *out_values,
                  uint32_t *out_count);
/* The opset of the node's domain. */
static inline int64_t qn_onnx_opset(const qn_graph_op *op) { return qn_onnx_node_of(op)->opset; }

/* ---- tensor.c ---- */

/* `load` of the format. */
bool qn_onnx_load(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor);
/* Type, shape and data of a TENSOR message, for a tensor; false: reported. */
bool qn_onnx_read_tensor(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor,
                         const qn_pb_message *message);
/* The common name of a type; QN_GRAPH_UNKNOWN: it is not supported. */
uint8_t qn_onnx_dtype(int64_t type);
const char *qn_onnx_type_name(int64_t type);

/* ---- external.c ---- */

/* Bytes of a tensor that are in a file below the model's folder, which the module retains. */
bool qn_onnx_external(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor,
                      const qn_pb_message *message, qn_bytes *out_bytes);

/* ---- in ops/ ---- */

#define SUPPORTED(domains, name, import, ...) void qn_onnx_##import(qn_graph_op *op);
#define NAMED(domains, name, why)
#include "import/onnx/ops.def"
#undef SUPPORTED
#undef NAMED

#endif
