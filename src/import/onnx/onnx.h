/* Shared state of the .onnx importer. Order of work: protobuf.c parses the messages of the file;
 * model.c reads versions and functions; graph.c resolves names, creates nodes and orders them
 * (graph.h); then one import function per family of operators (ops/, selected by ops.def) checks a
 * node and sets its results. tensor.c reads types, shapes and data, attribute.c attributes; value.c
 * creates the IR values of tensors.
 *
 * A unit is DequantizeLinear, an operator, QuantizeLinear. Its operator node has a real result that
 * the readers round, so the readers build it (value.h).
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

/* Element types, as numbered in the file. */
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
  uint8_t domains; /* bit set of qn_onnx_domain */
  /* if the operands are float: the operator has several steps, and its profile rounds only the
   * last */
  bool takes_steps;
} qn_onnx_row;
typedef enum qn_onnx_domain { QN_ONNX_STANDARD = 1, QN_ONNX_MICROSOFT = 2 } qn_onnx_domain;

/* A scope of names: the main graph, a function that a node calls, which is read once per call, or
 * a body: a graph in an attribute, which is read once per iteration. */
typedef struct qn_onnx_scope {
  qn_str_map names;                        /* tensor name -> tensor index + 1 */
  const qn_pb_message *message, *function; /* function: NULL for the main graph */
  const struct qn_onnx_scope *outer;       /* scope of the calling node; NULL for the main graph */
  const struct qn_onnx_scope *around;      /* of a body: the scope whose names it sees, too */
  const qn_pb_message *call; /* calling node, whose attributes are those of the function */
  uint32_t depth;
  int64_t cost;               /* of a body: work of reading it once */
  struct qn_onnx_scope *next; /* list of all scopes */
} qn_onnx_scope;

typedef struct qn_onnx_node {
  const qn_pb_message *message;
  const qn_onnx_scope *scope;
  const qn_onnx_row *row; /* NULL if the operator is unknown */
  int64_t opset;          /* opset version of its domain; 0 if not imported */
  int32_t *inputs, *outputs;
  /* operands, then tensors that its bodies read; all inputs */
  uint32_t operand_count, input_count, output_count;
  uint32_t index; /* index in file order */
  bool live;      /* an output of the model depends on it */
  bool removed;   /* onnxruntime removes it (simplify.h) */
  bool moved;     /* a Transpose of integers that onnxruntime dequantizes before it (merge.c) */
  uint8_t state;  /* state in the topological sort */
} qn_onnx_node;

struct qn_onnx_form;   /* value.h */
struct qn_onnx_opened; /* external.c */

/* Data of a tensor in addition to qn_graph_tensor. */
typedef struct qn_onnx_tensor {
  const qn_pb_message *initializer; /* TENSOR message; NULL if none */
  const qn_pb_message *type;        /* TYPE message of a model input or output; NULL if none */
  uint8_t bits;                     /* bits per element if fewer than 8 in the file; else 0 */
  uint32_t readers;                 /* number of readers among all nodes */
  const qn_onnx_node *reader;       /* one of them */
  bool is_quantized;                /* one reader is a QuantizeLinear */
  bool is_result;                   /* it is an output of the model */
  const qn_onnx_node *quantizer;    /* QuantizeLinear by whose result, dequantized, onnxruntime
                                       replaces the output (simplify.h); NULL if none */
  bool is_dequantized;              /* constant blocks that a DequantizeLinear writes */
  bool has_value;                   /* an op carries its tensor index */
  struct qn_onnx_form *form;        /* NULL until written or used */
} qn_onnx_tensor;

typedef struct qn_onnx {
  qn_graph graph; /* first */
  const qn_pb_message *model;
  qn_str_map rows;      /* operator name -> row of ops.def */
  qn_str_map functions; /* by "domain:name:overload" */
  qn_onnx_scope *scopes;
  qn_onnx_node *nodes;
  uint32_t node_count, node_capacity;
  qn_onnx_tensor *extras; /* [tensor index] in addition to graph.tensors */
  uint32_t tensor_capacity;
  bool has_bodies;               /* some node has a graph as an attribute */
  bool is_fixed;                 /* tensors no longer move */
  void *reserved[2];             /* memory of tensors and extras if is_fixed; freed by the caller */
  struct qn_onnx_opened *opened; /* files of external data */
  const qn_onnx_node **order;    /* [order_count] imported nodes in topological order */
  uint32_t order_count;
  int64_t copied; /* bytes of constants that had to be transposed */
  uint32_t apart; /* nesting depth of operators between a unit and its QuantizeLinear that prevent
                     fusion (fuse.c) */
} qn_onnx;

/* State of a node being imported; begins with its qn_graph_op. */
typedef struct qn_onnx_op {
  qn_graph_op op;
  const qn_onnx_node *node;
} qn_onnx_op;

static inline qn_onnx *qn_onnx_of(qn_graph *graph) { return (qn_onnx *)graph; }
static inline const qn_onnx_node *qn_onnx_node_of(const qn_graph_op *op) {
  return ((const qn_onnx_op *)op)->node;
}
/* Whether the node is an operator of this name that is known in its domain. */
static inline bool qn_onnx_is(const qn_onnx_node *node, const char *name) {
  return node->row && strcmp(node->row->row.name, name) == 0;
}
/* The tensor that is the first result; -1 if the node leaves it out. */
static inline int32_t qn_onnx_first_result(const qn_onnx_node *node) {
  return node->output_count > 0 ? node->outputs[0] : -1;
}
static inline qn_onnx_tensor *qn_onnx_extra(qn_graph *graph, const qn_graph_tensor *tensor) {
  return &qn_onnx_of(graph)->extras[tensor->index];
}

/* ---- graph.c ---- */

/* Resolves names, creates nodes and orders them. Returns false, reported, if nothing can be
 * imported. */
bool qn_onnx_open_graph(qn_onnx *im, const qn_pb_message *graph);

/* ---- nodes.c ---- */

/* The operator state of a node, for messages about the node. */
qn_onnx_op qn_onnx_open_op(qn_onnx *im, const qn_onnx_node *node);

/* ---- body.c ---- */

/* Opens a graph in an attribute: its initializers. NULL, reported, if bodies are nested too deep.
 */
qn_onnx_scope *qn_onnx_open_body(qn_graph_op *op, const qn_pb_message *graph);
/* Opens the nodes of a body once, with these tensors as inputs; stores the tensors of its outputs,
 * and the nodes to import, in order. False, reported, on errors. */
bool qn_onnx_read_body(qn_graph_op *op, const qn_onnx_scope *body, const int32_t *arguments,
                       uint32_t argument_count, int32_t *out_results, uint32_t result_count,
                       const qn_onnx_node ***out_order, uint32_t *out_count);
/* Adds a tensor that no node writes; -1, reported, if there are too many. */
int32_t qn_onnx_add_tensor(qn_graph_op *op, qn_str name);

/* ---- model.c ---- */

void qn_onnx_import_nodes(qn_onnx *im, const qn_onnx_node *const *order, uint32_t count);

/* ---- fuse.c ---- */

/* Counts readers among the nodes from `first` on, without those that onnxruntime removes. */
void qn_onnx_count_readers(qn_onnx *im, uint32_t first);
/* Whether exactly one node reads the tensor, and it is not an output of the model. */
bool qn_onnx_has_one_reader(const qn_onnx *im, int32_t number);
/* Whether onnxruntime moves a DequantizeLinear from before the operator to after it, and a
 * QuantizeLinear from after it to before it. */
bool qn_onnx_is_moved_over(const qn_onnx_node *node);

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
/* The attribute `name`, of attribute type `type` (QN_ONNX_ATTR_*); NULL if it is absent, or has
 * another type (which is reported: op->failed is then set). In the body of a function, a reference
 * to an attribute of the call is resolved. */
const qn_pb_message *qn_onnx_attribute(qn_graph_op *op, const char *name, int64_t type);
int64_t qn_onnx_int(qn_graph_op *op, const char *name, int64_t fallback);
float qn_onnx_float(qn_graph_op *op, const char *name, float fallback);
qn_str qn_onnx_string(qn_graph_op *op, const char *name, const char *fallback);
/* Reads at most `most` integers; false, reported, on errors. *out_count is 0 if the attribute is
 * absent. */
bool qn_onnx_ints(qn_graph_op *op, const char *name, uint32_t most, int64_t *out_values,
                  uint32_t *out_count);
bool qn_onnx_floats(qn_graph_op *op, const char *name, uint32_t most, float *out_values,
                    uint32_t *out_count);
/* The opset of the node's domain. */
static inline int64_t qn_onnx_opset(const qn_graph_op *op) { return qn_onnx_node_of(op)->opset; }

/* ---- tensor.c ---- */

/* Implements qn_graph_format.load. */
bool qn_onnx_load(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor);
/* Reads type, shape and data of `tensor` from a TENSOR message; false, reported, if it is
 * invalid. */
bool qn_onnx_read_tensor(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor,
                         const qn_pb_message *message);
/* The element type of all formats (qn_graph_dtype) for an ONNX element type; QN_GRAPH_UNKNOWN if it
 * is not supported. */
uint8_t qn_onnx_dtype(int64_t type);
const char *qn_onnx_type_name(int64_t type);
/* Bits of integers that have fewer than 8; else 0. */
uint32_t qn_onnx_narrow_bits(int64_t type);

/* ---- external.c ---- */

/* Reads the bytes of a tensor from an external data file below the model's folder. The module
 * retains the file. */
bool qn_onnx_external(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor,
                      const qn_pb_message *message, qn_bytes *out_bytes);

/* ---- in ops/ ---- */

#define SUPPORTED(domains, name, import, ...) void qn_onnx_##import(qn_graph_op *op);
#define NAMED(domains, name, why)
#include "import/onnx/ops.def"
#undef SUPPORTED
#undef NAMED

#endif
