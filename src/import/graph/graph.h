/* Data structures of an import, for every file format: the graph being read, its tensors, and the
 * current operator. A format fills them from its file (qn_graph_format); all other code in this
 * folder uses only them.
 *
 * The steps of a format (see tflite/tflite.c and tflite/graph.c):
 *   1. Call qn_graph_import (batch.h) with a function that reads the file once for one batch size.
 *      That function checks the bytes, begins a graph (main.h), and fills tensors, inputs and
 * outputs.
 *   2. Call qn_graph_begin_main; in a first pass qn_graph_record_writes per operator; in a second
 *      pass, in which every operator follows its operands, qn_graph_take; then qn_graph_end_main.
 *   3. The import function of an operator reads operands (value.h), checks them, and builds
 * (build.h).
 *
 * Problems are reported where they are found and never end the import: a failed operator is
 * replaced by placeholders with the stored shapes, so that later operators are checked, too.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_GRAPH_H
#define QN_IMPORT_GRAPH_GRAPH_H

#include "import/graph/types.h"
#include "import/import.h"
#include "ir/builder.h"
#include "quant/profile.h"

enum {
  QN_GRAPH_MAX_TENSORS = 1 << 20,
  QN_GRAPH_MAX_OPERATORS = 1 << 20,
  QN_GRAPH_MAX_TENSOR_BYTES = 1 << 30,
  QN_GRAPH_MAX_VARIABLES = 1 << 12,
};

typedef struct qn_graph qn_graph;
typedef struct qn_graph_op qn_graph_op;

/* A state of the model that is not a tensor of the main graph: a named variable, or a variable
 * tensor of a called subgraph. */
typedef struct qn_graph_variable {
  qn_str container, name;
  size_t at;              /* qn_graph_tensor.at of the tensor; 0 for a named variable */
  uint32_t depth;         /* call depth of the tensor's subgraph */
  const qn_type *type;    /* type; NULL before the first use */
  const qn_attr *initial; /* initial value; NULL: the zero point */
  qn_value *value;        /* current value; NULL before it is opened */
  qn_value *argument;     /* argument of @main with the value before the invocation */
} qn_graph_variable;

/* Quantization of a tensor whose parameters are stored with the tensor. */
typedef struct qn_graph_quantization {
  qn_graph_list scales;      /* floats; empty: not quantized */
  qn_graph_list zero_points; /* empty: 0; one element: for all scales */
  int64_t axis;              /* dimension with one scale per index */
  bool is_custom;            /* uses another rule of the format */
} qn_graph_quantization;

/* A tensor, an operand or result of operators. The format sets the first group when a graph is
 * opened, and the second group in `load`, when a tensor is first used. */
typedef struct qn_graph_tensor {
  qn_str name;          /* name in the file, any bytes; empty if none */
  uint32_t index;       /* the format's index, stored in quern.index and quern.tensors */
  size_t at;            /* position in the file, unique over all subgraphs */
  uint8_t stored_dtype; /* element type in the file */
  qn_graph_quantization quantization;

  uint8_t dtype;          /* element type of `data`, which may be unpacked to a wider type */
  bool is_state;          /* persists from one invocation to the next */
  bool is_optional_shape; /* no shape is stored; the shape is the one its writer computes */
  uint32_t dynamic;       /* bit i: dimension i is unknown in the file */
  qn_graph_shape shape;   /* stored shape with unknown dimensions bound; after it is written: the
                             computed shape */
  const qn_graph_shape *stored; /* with rebatch only: shape in the file, -1: unknown */
  const qn_str *dim_names;      /* names of dimensions; NULL if the format has none */
  qn_bytes data; /* data of a constant, borrowed from the file or decoded; size 0 if not constant */

  bool loaded;   /* the fields above are valid */
  bool bad;      /* a problem of the tensor was reported: its readers fail without a message */
  bool is_input; /* input of the model, given at run time */
  const qn_constant_input
      *given;      /* value of a model input that the import options give; NULL if none */
  int64_t writer;  /* index of the operator that writes it; -1 if none */
  qn_value *value; /* NULL until defined */
  qn_graph_variable *variable; /* variable of a resource tensor, which has no value; else NULL */
} qn_graph_tensor;

/* A state of the model: a variable tensor of the main graph, or a variable. */
typedef struct qn_graph_state {
  qn_graph_tensor *tensor; /* NULL for a variable */
  qn_graph_variable *variable;
} qn_graph_state;

/* A subgraph that is being read: the main graph, or one that an operator calls or has as a region.
 */
typedef struct qn_graph_frame {
  uint32_t subgraph;                  /* the format's subgraph index, for messages */
  bool again;                         /* it has already been read for another call */
  const struct qn_graph_frame *outer; /* frame of the calling operator; NULL for the main graph */
} qn_graph_frame;

/* A value or variable that is passed to a subgraph or returned from it. */
typedef struct qn_graph_given {
  qn_value *value;
  qn_graph_variable *variable; /* variable; NULL if it is a value */
} qn_graph_given;

/* Table row of an operator of a format. */
typedef struct qn_graph_row {
  const char *name;
  void (*import)(qn_graph_op *op); /* NULL: not supported */
  qn_op_kind kind; /* op kind that it becomes, for import functions that serve several rows */
  int8_t least, most, results; /* minimum and maximum operands; results; -1: any number */
  const char *unsupported;     /* reason if not supported, else NULL */
} qn_graph_row;

/* Functions of a format. Option names are the format's: shared import functions take options as
 * arguments. */
typedef struct qn_graph_format {
  const char *name;   /* "tflite": dialect prefix of unsupported operators that are kept */
  bool has_all_types; /* inputs and outputs may be float16, float64 and unsigned integers */
  /* Reads type, shape and data of a tensor. Reports errors at the operator, or at the model if
   * NULL, and returns false. Called once per tensor. */
  bool (*load)(qn_graph *graph, qn_graph_op *op_or_null, qn_graph_tensor *tensor);
  /* Whether an input of the model is a constant because its value is in the file, such as a shape.
   */
  bool (*is_fixed_input)(const qn_graph *graph, const qn_graph_tensor *tensor);
  /* Options of the operator, which must have one of that name; an absent one has its default. */
  int64_t (*option)(const qn_graph_op *op, const char *name);
  double (*real_option)(const qn_graph_op *op, const char *name);
  qn_graph_list (*list_option)(const qn_graph_op *op, const char *name);
  qn_str (*string_option)(const qn_graph_op *op, const char *name);
  /* Fills the tensors of a subgraph with qn_graph_open (main.h). Returns false, reported, if not
   * possible. */
  bool (*open)(qn_graph *graph, uint32_t subgraph);
  /* Reads the operators of the current subgraph, at the builder. */
  void (*read_ops)(qn_graph *graph);
  /* Cost of reading a subgraph once, in units of qn_graph_spend_on_calls. */
  int64_t (*cost)(const qn_graph *graph, uint32_t subgraph);
} qn_graph_format;

/* State of an import. A format's own state begins with it. */
struct qn_graph {
  const qn_graph_format *format;
  qn_ir_context *cx;
  const qn_import_options *options;
  const qn_profile *profile;
  const qn_loc *loc; /* location of the file */
  qn_arena arena;    /* memory of the import; data of the module is in the arena of cx */
  qn_status status;  /* the most severe status so far */
  qn_module *module;
  qn_builder builder; /* at the end of `block` */
  qn_block *entry;    /* entry block of @main */
  qn_block *block;    /* block being filled: `entry`, or one in a branch or loop */

  uint32_t subgraph_count;
  bool *reached; /* [subgraph] whether it has been read */

  /* The current subgraph and its tensors. */
  const qn_graph_frame *frame;
  qn_graph_tensor *tensors;
  uint32_t tensor_count, op_count;
  qn_graph_list inputs, outputs; /* tensor indices, int32 */

  /* States and variables. */
  uint32_t conditional, initializing; /* nesting depth of branches and loops; of initializers */
  /* states in the order of their arguments of @main, which follow the inputs */
  qn_graph_state *states;
  uint32_t state_count;
  qn_graph_variable *variables; /* QN_GRAPH_MAX_VARIABLES; NULL until the first one */
  uint32_t variable_count;

  /* The batch. */
  int64_t batch; /* size of unknown dimensions */
  int64_t
      stored_batch; /* with rebatch: stored dimension 0 of the first input; 0 before it is read */
  bool bound;       /* whether some dimension of an input was unknown */
  bool rebound;     /* whether some dimension got another value than the one in the file */
  bool *named;      /* [dimension in the options] whether some input has it */

  /* units left of the two budgets, see qn_graph_spend and qn_graph_spend_on_calls */
  int64_t work, calls;
  /* folder that computes constants; NULL until the first constant is computed */
  struct qn_folder *folder;
};

/* An operator of the file. */
struct qn_graph_op {
  qn_graph *graph;
  /* frame of the subgraph that contains the operator; NULL: the main graph */
  const qn_graph_frame *frame;
  /* row of the format's operator table; NULL: the operator is unknown */
  const qn_graph_row *row;
  qn_str name; /* name of the operator, such as "CONV_2D", for messages */
  /* name of the node in the file; empty if the format has no node names */
  qn_str title;
  uint32_t index; /* index of the operator in its graph */
  /* position of the operator in the file, as the format defines it */
  size_t at;
  /* tensor indices, int32; an omitted input is -1, an output never is */
  qn_graph_list inputs, outputs;
  bool is_interface; /* represents an input or output of the model, not an operator; for messages */
  bool failed;
  qn_str reason; /* with keep_unsupported: why the operator is not supported; empty if it is */
};

/* Element i of a list of tensor indices. */
static inline int32_t qn_graph_number(qn_graph_list list, uint32_t i) {
  return (int32_t)qn_graph_int_at(list, i);
}

#endif
