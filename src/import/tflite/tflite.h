/* The .tflite importer: its state in addition to the graph. Order of work: qn_fb_verify verifies
 * the bytes; tflite.c reads the model and its operator codes; graph.c reads subgraphs and their
 * operators in order; one import function per operator (ops.def) checks it and builds its op.
 * tensor.c reads tensors, options.c options, outside.c data after the FlatBuffer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_TFLITE_TFLITE_H
#define QN_IMPORT_TFLITE_TFLITE_H

#include "import/graph/ops/ops.h"
#include "import/graph/window.h"
#include "import/tflite/flatbuffer.h"

/* A row of ops.def. */
typedef struct qn_tflite_builtin {
  qn_graph_row row;
  qn_fb_row options;
  uint8_t version; /* newest supported version */
} qn_tflite_builtin;

/* An operator code of the file. */
typedef struct qn_tflite_code {
  const qn_tflite_builtin *builtin; /* NULL if unknown */
  qn_str name;                      /* for messages */
  int64_t version;
} qn_tflite_code;

typedef struct qn_tflite {
  qn_graph graph; /* `at` of tensors and operators: position of their tables */
  qn_bytes file;  /* the whole file */
  size_t front;   /* bytes of the FlatBuffer */
  qn_fb_vector subgraphs, buffers;
  qn_tflite_code *codes;
  uint32_t code_count;
  bool *chosen; /* [operator of the main graph] whether it is in the part; NULL: all are */
} qn_tflite;

static inline const qn_tflite *qn_tflite_of(const qn_graph *graph) {
  return (const qn_tflite *)graph; /* its first field */
}
/* The builtin entry of `op`; op->row must not be NULL. */
static inline const qn_tflite_builtin *qn_tflite_builtin_of(const qn_graph_op *op) {
  return (const qn_tflite_builtin *)op->row;
}

/* ---- graph.c: see qn_graph_format ---- */

bool qn_tflite_open(qn_graph *graph, uint32_t number);
void qn_tflite_read_ops(qn_graph *graph);
int64_t qn_tflite_cost(const qn_graph *graph, uint32_t number);

/* ---- part.c ---- */

/* Restricts the graph to the part that the options select; false if reported. */
bool qn_tflite_take_part(qn_graph *graph);
bool qn_tflite_is_chosen(const qn_graph *graph, uint32_t index);

/* ---- tensor.c: see qn_graph_format; reading the table of a tensor ---- */

void qn_tflite_describe(qn_graph_tensor *tensor, qn_fb_table table);
bool qn_tflite_load(qn_graph *graph, qn_graph_op *op_or_null, qn_graph_tensor *tensor);
bool qn_tflite_is_fixed_input(const qn_graph *graph, const qn_graph_tensor *tensor);

/* ---- options.c: see qn_graph_format; options by the names of fields in schema.def ---- */

int64_t qn_tflite_option(const qn_graph_op *op, const char *name);
double qn_tflite_real_option(const qn_graph_op *op, const char *name);
qn_graph_list qn_tflite_list_option(const qn_graph_op *op, const char *name);
qn_str qn_tflite_string_option(const qn_graph_op *op, const char *name);
/* The table of an operator. */
qn_fb_table qn_tflite_table(const qn_graph_op *op);
/* A vector of numbers. */
qn_graph_list qn_tflite_list(qn_fb_table table, qn_fb_row field);
/* The "activation" attribute of the fused activation; NULL for none, "finite" if the kernels of the
 * profile clamp to finite values even then. */
bool qn_tflite_fused(qn_graph_op *op, const qn_attr **out_attr);

/* ---- outside.c: bytes after the FlatBuffer ---- */

/* Data in the file; or the reason why it is invalid, and its position. */
typedef struct qn_outside {
  qn_bytes bytes;
  const char *problem; /* NULL if valid */
  uint64_t at, count;
} qn_outside;
/* The data in a tensor's buffer; size 0 if none. */
qn_outside qn_tflite_buffer(const qn_graph *graph, qn_fb_table tensor);
/* Reads the options of a custom operator; false, reported, if they are outside of the file. */
bool qn_tflite_custom_options(qn_graph_op *op, qn_bytes *out_bytes);

/* ---- window.c: strides and padding by the options ---- */

/* Resolves SAME and VALID for an NHWC or NDHWC input; the caller sets kernel and dilation. */
bool qn_tflite_place_window(qn_graph_op *op, const qn_graph_tensor *input, qn_graph_window *window);
/* As qn_tflite_place_window, for a transposed convolution, whose operand 0 is the shape of its
 * result. */
bool qn_tflite_place_transposed(qn_graph_op *op, const qn_graph_tensor *input, int64_t channels,
                                qn_graph_window *window, qn_graph_shape *out_result,
                                bool *out_is_stated);

/* ---- in ops/ and signal/ ---- */

/* UNIDIRECTIONAL_SEQUENCE_LSTM of floats. */
void qn_tflite_float_lstm(qn_graph_op *op);
/* SVDF of floats. */
void qn_tflite_float_svdf(qn_graph_op *op);

#define SUPPORTED(name, import, ...) void qn_##import(qn_graph_op *op);
#define NAMED(name, why)
#include "import/tflite/ops.def"
#undef SUPPORTED
#undef NAMED
#define CUSTOM(name, import, ...) void qn_##import(qn_graph_op *op);
#include "import/tflite/customs.def"
#undef CUSTOM

#endif
