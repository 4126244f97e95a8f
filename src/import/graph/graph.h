/* The records of an import, whatever the format of the file: the graph that is being read, its
 * tensors, and the operator at hand. A format fills them from its file (qn_graph_format);
 * everything else in this folder reads and builds by them alone.
 *
 * A format goes like this, see tflite/tflite.c and tflite/graph.c:
 *   1. qn_graph_import (batch.h) with a function that reads the file once for one batch. That
 * checks the bytes, begins a graph (main.h) and fills tensors, inputs and outputs.
 *   2. qn_graph_begin_main, then per operator qn_graph_record_writes in a first pass and, in a
 * second one in which every operator comes after its operands, qn_graph_take; then
 * qn_graph_end_main.
 *   3. The import function of an operator reads operands (value.h), checks them, and builds
 * (build.h).
 *
 * Problems are reported where they are found and never end the import: a failed operator leaves
 * placeholders of the stored shapes behind, so that later operators are checked as well.
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

/* A state of the model that is no tensor of the main graph: a named variable, or a variable tensor
 * of a subgraph that is called. */
typedef struct qn_graph_variable {
  qn_str container, name;
  size_t at;              /* of the tensor (qn_graph_tensor); 0: a named one */
  uint32_t depth;         /* of the subgraph that the tensor is in, among those that are read */
  const qn_type *type;    /* NULL: nothing has used it */
  const qn_attr *initial; /* NULL: its zero point */
  qn_value *value;        /* as things stand; NULL before it is open */
  qn_value *argument;     /* what it was before: of @main */
} qn_graph_variable;

/* How stored elements stand for reals, of a tensor that says so itself. */
typedef struct qn_graph_quantization {
  qn_graph_list scales;      /* floats; none: the tensor is not quantized */
  qn_graph_list zero_points; /* none: 0; one: of all scales */
  int64_t axis;              /* of the dimension with a scale per index */
  bool is_custom;            /* by a rule of the format that is not this one */
} qn_graph_quantization;

/* A tensor: what operators read and write. The format sets the first group when a graph is opened,
 * and the second one in `load`, which runs when a tensor is used first. */
typedef struct qn_graph_tensor {
  qn_str name;    /* as in the file: any bytes; empty: none */
  uint32_t index; /* the format's own number, which quern.index and quern.tensors tell */
  size_t at;      /* where it is in the file: no two tensors of all subgraphs have one place */
  uint8_t stored_dtype; /* as in the file */
  qn_graph_quantization quantization;

  uint8_t dtype;                /* of `data`, which may have been unpacked to a wider type */
  bool is_state;                /* kept from one invocation to the next */
  bool is_optional_shape;       /* no shape is stored: what the writer computes is taken */
  uint32_t dynamic;             /* bit i: dimension i is unknown in the file */
  qn_graph_shape shape;         /* stored, unknown dimensions bound; once written: computed */
  const qn_graph_shape *stored; /* with rebatch alone: as in the file, -1: unknown */
  const qn_str *dim_names;      /* of dimensions, where the format has some; NULL: none */
  qn_bytes data;                /* of a constant: borrowed from the file or decoded; size 0: none */

  bool loaded;   /* the fields above are valid */
  bool bad;      /* a problem of the tensor was reported: whoever uses it fails silently */
  bool is_input; /* of the model, given at run time */
  const qn_constant_input *given; /* of the model, given when it is imported; NULL: none is */
  int64_t writer;                 /* operator that writes it, -1: none */
  qn_value *value;                /* NULL until defined */
  qn_graph_variable *variable;    /* of a resource, instead of a value */
} qn_graph_tensor;

/* A state of the model: a variable tensor of the main graph, or a variable. */
typedef struct qn_graph_state {
  qn_graph_tensor *tensor; /* or NULL */
  qn_graph_variable *variable;
} qn_graph_state;

/* A subgraph that is being read: the main graph, or what an operator calls or has as a region. */
typedef struct qn_graph_frame {
  uint32_t subgraph;                  /* the format's number of it, for messages */
  bool again;                         /* it has been read before, for another call */
  const struct qn_graph_frame *outer; /* whose operator calls it; NULL: the main graph */
} qn_graph_frame;

/* What a caller gives to a subgraph and gets from it. */
typedef struct qn_graph_given {
  qn_value *value;
  qn_graph_variable *variable; /* instead of a value */
} qn_graph_given;

/* An operator of a format, of which there is one for all nodes that have it. */
typedef struct qn_graph_row {
  const char *name;
  void (*import)(qn_graph_op *op); /* NULL: not supported */
  qn_op_kind kind;                 /* what it becomes, for import functions that serve many */
  int8_t least, most, results;     /* operands, results; -1: any number of them */
  const char *refused;             /* why it is not supported */
} qn_graph_row;

/* What a format answers. A name of an option is the format's own: import functions that ask for one
 * belong to it, or take it as an argument. */
typedef struct qn_graph_format {
  const char *name; /* "tflite": the dialect of operators that are kept though not supported */
  /* Shape and data of a tensor, its type and what is wrong with them, reported at the operator (or
   * NULL: the model). False: the tensor is bad. Called once for each tensor. */
  bool (*load)(qn_graph *graph, qn_graph_op *op_or_null, qn_graph_tensor *tensor);
  /* An input of the model that is none: its value is in the file, as shapes may. */
  bool (*is_fixed_input)(const qn_graph *graph, const qn_graph_tensor *tensor);
  /* Options of the operator; an absent one has its default. The name is one that it has. */
  int64_t (*option)(const qn_graph_op *op, const char *name);
  double (*real_option)(const qn_graph_op *op, const char *name);
  qn_graph_list (*list_option)(const qn_graph_op *op, const char *name);
  qn_str (*string_option)(const qn_graph_op *op, const char *name);
  /* Fills the tensors of a subgraph, by qn_graph_open of main.h. False, reported: it can't be. */
  bool (*open)(qn_graph *graph, uint32_t subgraph);
  /* Reads the operators of the subgraph at work, at the builder. */
  void (*read_ops)(qn_graph *graph);
  /* What one reading of a subgraph costs, in units of qn_graph_spend_on_calls. */
  int64_t (*cost)(const qn_graph *graph, uint32_t subgraph);
} qn_graph_format;

/* An import that is under way. A format's own record begins with this one. */
struct qn_graph {
  const qn_graph_format *format;
  qn_ir_context *cx;
  const qn_import_options *options;
  const qn_profile *profile;
  const qn_loc *loc; /* of the file */
  qn_arena arena;    /* for the time of the import; what the module keeps is in the arena of cx */
  qn_status status;  /* the gravest so far */
  qn_module *module;
  qn_builder builder; /* at the end of `block` */
  qn_block *entry;    /* of @main */
  qn_block *block;    /* that is filled: it, or one in a branch or loop */

  uint32_t subgraph_count;
  bool *reached; /* by subgraph: it has been read */

  /* The subgraph at work, and its tensors. */
  const qn_graph_frame *frame;
  qn_graph_tensor *tensors;
  uint32_t tensor_count, op_count;
  qn_graph_list inputs, outputs; /* numbers of tensors, int32 */

  /* States and variables. */
  uint32_t conditional, initializing; /* branches and loops, initializers around what is read */
  qn_graph_state *states;             /* in the order of their arguments, which follow the inputs */
  uint32_t state_count;
  qn_graph_variable *variables; /* QN_GRAPH_MAX_VARIABLES */
  uint32_t variable_count;

  /* The batch. */
  int64_t batch;        /* bound to unknown dimensions */
  int64_t stored_batch; /* with rebatch: dimension 0 of the first input as stored; 0 before */
  bool bound;           /* some dimension of an input was unknown */
  bool rebound;         /* some dimension got another value than the stored one */
  bool *named;          /* by dimension of the options: some input has it */

  int64_t work, calls;      /* units left, see qn_graph_spend */
  struct qn_folder *folder; /* NULL: nothing was computed */
};

/* An operator of the file. */
struct qn_graph_op {
  qn_graph *graph;
  const qn_graph_frame *frame;   /* of the subgraph that it is in; NULL: the main graph */
  const qn_graph_row *row;       /* NULL: unknown to us */
  qn_str name;                   /* of the operator: "CONV_2D", for messages */
  qn_str title;                  /* of the node, where the format has names of them; else empty */
  uint32_t index;                /* in its graph */
  size_t at;                     /* where it is in the file, for the format */
  qn_graph_list inputs, outputs; /* numbers of tensors, int32: every output is one, every input one
                                    or -1 where it is left out */
  bool is_interface;             /* no operator: an input or output of the model, for messages */
  bool failed;
  qn_str reason; /* with keep_unsupported: why it is not supported; empty: it is */
};

/* Number i of a list of tensors. */
static inline int32_t qn_graph_number(qn_graph_list list, uint32_t i) {
  return (int32_t)qn_graph_int_at(list, i);
}

#endif
