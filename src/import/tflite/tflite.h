/* Shared state of the .tflite importer. The work goes in this order: qn_fb_verify checks the bytes,
 * tflite.c reads the model and its operator codes, graph.c the main function and the order of the
 * operators, then one import function per family (op_*.c, chosen by ops.def) checks an operator and
 * builds its op. tensor.c knows shapes and data, constant.c values, quant.c quantization, report.c
 * how to say it.
 *
 * Problems are reported where they are found and never end the import: a failed operator leaves
 * placeholders of the stored shapes behind, so that later operators are checked as well.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_TFLITE_TFLITE_H
#define QN_IMPORT_TFLITE_TFLITE_H

#include "import/import.h"
#include "import/tflite/flatbuffer.h"
#include "ir/builder.h"
#include "ir/entry/port.h"
#include "ir/ops/ml.h"
#include "quant/profile.h"

enum {
  QN_TFLITE_MAX_RANK = QN_ML_MAX_RANK,
  QN_TFLITE_MAX_TENSORS = 1 << 20,
  QN_TFLITE_MAX_OPERATORS = 1 << 20,
  QN_TFLITE_MAX_TENSOR_BYTES = 1 << 30,
  QN_TFLITE_MAX_VARIABLES = 1 << 12,
};

/* Types of tensors as the file numbers them: the ones that we can do something with. */
enum {
  QN_TFLITE_FLOAT32 = 0,
  QN_TFLITE_FLOAT16 = 1,
  QN_TFLITE_INT32 = 2,
  QN_TFLITE_UINT8 = 3,
  QN_TFLITE_INT64 = 4,
  QN_TFLITE_BOOL = 6,
  QN_TFLITE_INT16 = 7,
  QN_TFLITE_INT8 = 9,
  QN_TFLITE_UINT64 = 12,
  QN_TFLITE_RESOURCE = 13,
  QN_TFLITE_UINT32 = 15,
  QN_TFLITE_UINT16 = 16,
  QN_TFLITE_INT4 = 17,
  QN_TFLITE_INT2 = 19
};

typedef struct qn_tflite_shape {
  uint32_t rank;
  int64_t dims[QN_TFLITE_MAX_RANK];
} qn_tflite_shape;

/* What VAR_HANDLE names, or a variable tensor of a subgraph that is called: a state of the model.
 */
typedef struct qn_tflite_variable {
  qn_str container, name;
  size_t at;              /* of the tensor in the file; 0: VAR_HANDLE's */
  uint32_t depth;         /* of the subgraph that the tensor is in, among those that are read */
  const qn_type *type;    /* NULL: nothing has used it */
  const qn_attr *initial; /* NULL: its zero point */
  qn_value *value;        /* as things stand; NULL before it is open */
  qn_value *argument;     /* what it was before: of @main */
} qn_tflite_variable;

typedef struct qn_tflite_tensor {
  qn_fb_table table;
  uint32_t index;
  uint8_t dtype;          /* as the file numbers types */
  bool loaded;            /* the fields below are valid */
  bool bad;               /* a problem of the tensor was reported: whoever uses it fails silently */
  bool is_input;          /* of the model, given at run time */
  bool is_state;          /* kept from one invocation to the next */
  bool is_optional_shape; /* no shape is stored: what the writer computes is taken */
  uint32_t dynamic;       /* bit i: dimension i is unknown in the file */
  int64_t writer;         /* operator that writes it, -1: none */
  qn_tflite_shape shape;  /* stored, unknown dimensions bound; once written: computed */
  qn_bytes data;          /* of a constant; size 0: none */
  qn_value *value;        /* NULL until defined */
  qn_tflite_variable *variable; /* of a resource, instead of a value */
} qn_tflite_tensor;

/* A state of the model: a variable tensor of the main graph, or a variable. */
typedef struct qn_tflite_state {
  qn_tflite_tensor *tensor; /* or NULL */
  qn_tflite_variable *variable;
} qn_tflite_state;

/* A subgraph that is being read. */
typedef struct qn_tflite_frame {
  uint32_t subgraph;
  bool again;                          /* it has been read before, for another call */
  const struct qn_tflite_frame *outer; /* whose operator calls it; NULL: the main graph */
} qn_tflite_frame;

/* What a caller gives to a subgraph and gets from it. */
typedef struct qn_tflite_given {
  qn_value *value;
  qn_tflite_variable *variable; /* instead of a value */
} qn_tflite_given;

typedef struct qn_tflite qn_tflite;
typedef struct qn_tflite_op qn_tflite_op;

/* A row of ops.def. */
typedef struct qn_tflite_builtin {
  const char *name;
  void (*import)(qn_tflite_op *op); /* NULL: not supported */
  qn_op_kind kind;
  qn_fb_row options;
  int8_t least, most, results;
  uint8_t version;
  const char *refused; /* why it is not supported */
} qn_tflite_builtin;

/* An operator code of the file. */
typedef struct qn_tflite_code {
  const qn_tflite_builtin *builtin; /* NULL: unknown to us */
  qn_str name;                      /* for messages */
  int64_t version;
} qn_tflite_code;

struct qn_tflite {
  qn_ir_context *cx;
  const qn_import_options *options;
  const qn_profile *profile;
  const qn_loc *loc; /* of the file */
  qn_bytes file;     /* all of it */
  size_t front;      /* bytes that the FlatBuffer takes of it */
  qn_arena arena;    /* for the time of the import */
  qn_status status;  /* the gravest so far */
  qn_module *module;
  qn_builder builder; /* at the end of `block` */
  qn_block *entry;    /* of @main */
  qn_block *block;    /* that is filled: it, or one in a branch or loop */
  const qn_tflite_frame *frame;
  uint32_t conditional, initializing; /* branches and loops, CALL_ONCE around what is read */
  qn_fb_vector subgraphs;
  bool *reached; /* by subgraph: it has been read */
  bool *chosen;  /* by operator of the main graph: it is in the part; NULL: all are */
  qn_fb_vector buffers;
  qn_tflite_code *codes;
  uint32_t code_count;
  qn_tflite_tensor *tensors;
  uint32_t tensor_count;
  qn_fb_vector operators, inputs, outputs;
  qn_tflite_state *states; /* in the order of their arguments, which follow the inputs */
  uint32_t state_count;
  qn_tflite_variable *variables; /* QN_TFLITE_MAX_VARIABLES */
  uint32_t variable_count;
  int64_t batch;            /* bound to unknown dimensions */
  int64_t stored_batch;     /* with rebatch: dimension 0 of the first input as stored; 0 before */
  bool bound;               /* some dimension of an input was unknown */
  bool rebound;             /* some dimension got another value than the stored one */
  int64_t work, calls;      /* units left, see qn_tflite_spend */
  struct qn_folder *folder; /* NULL: nothing was computed */
};

struct qn_tflite_op {
  qn_tflite *im;
  const qn_tflite_frame *frame; /* of the subgraph that it is in; NULL: the main graph */
  uint32_t index;
  const qn_tflite_code *code;
  qn_fb_table table;            /* of the operator */
  qn_fb_table options;          /* of the builtin's table, maybe absent */
  qn_fb_vector inputs, outputs; /* every output is a tensor, every input a tensor or -1 */
  bool is_interface;            /* no operator: an input or output of the model, for messages */
  bool failed;
  qn_str reason; /* with keep_unsupported: why it is not supported; empty: it is */
};

/* ---- batch.c ---- */

/* With rebatch: an operator that was imported, its ops behind `last`, keeps entries apart. */
void qn_tflite_check_batch(qn_tflite_op *op, const qn_op *last);
/* The same of a sequence before it is imported: of entries, not of times, behind one another. */
bool qn_tflite_check_sequence(qn_tflite_op *op, bool time_major);
/* Of a file that could not be read and why: the same status, or that of a file that can be read
 * with its own batch but not with another; says so. */
QN_NODISCARD qn_status qn_tflite_blame_batch(qn_ir_context *cx, qn_file *file,
                                             const qn_import_options *options, qn_status status);
/* With any_size: of an input, which dimension it is that each call says. Reports what can't be. */
void qn_tflite_name_size(qn_tflite *im, const qn_tflite_tensor *tensor, qn_port *port);
/* With any_size, of a module that was read for the largest size: it is that of every other size,
 * with other numbers in the shapes of tensors and nowhere else. */
QN_NODISCARD qn_status qn_tflite_check_sizes(qn_ir_context *cx, qn_file *file,
                                             const qn_import_options *options, qn_module *module);

/* ---- tflite.c ---- */

/* The file for the options' batch alone. */
QN_NODISCARD qn_status qn_tflite_read(qn_ir_context *cx, qn_file *file,
                                      const qn_import_options *options, qn_module **out_module);

/* ---- computed.c: what follows from constants ---- */

/* The constant that a value is or is computed from constants to; NULL: it isn't, or is too large.
 */
const qn_attr *qn_tflite_computed(qn_tflite *im, const qn_value *value);
/* A tensor of integers that is computed from constants has data from now on; false: it isn't. */
bool qn_tflite_know(qn_tflite_op *op, qn_tflite_tensor *tensor);

/* ---- opaque.c: operators that are kept though they are not supported ---- */

void qn_tflite_build_opaque(qn_tflite_op *op);
/* Of a tensor of any type, by its stored shape. */
const qn_type *qn_tflite_opaque_type(qn_tflite_op *op, const qn_tflite_tensor *tensor);

/* ---- report.c: problems ---- */

/* Reports and makes `status` part of the result. `tensor` may be NULL. */
void qn_tflite_model_error(qn_tflite *im, const qn_tflite_tensor *tensor, qn_status status,
                           const char *format, ...) QN_PRINTF(4, 5);
/* The same at an operator, which fails by it. Returns false. */
bool qn_tflite_error(qn_tflite_op *op, const qn_tflite_tensor *tensor, qn_status status,
                     const char *format, ...) QN_PRINTF(4, 5);
void qn_tflite_warn(qn_tflite_op *op, const qn_tflite_tensor *tensor, const char *format, ...)
    QN_PRINTF(3, 4);
void qn_tflite_remark(qn_tflite_op *op, const qn_tflite_tensor *tensor, const char *format, ...)
    QN_PRINTF(3, 4);
/* "operator 5 (CONV_2D), tensor 'x'". */
const qn_loc *qn_tflite_loc(const qn_tflite_op *op, const qn_tflite_tensor *tensor);
/* The name with control characters and what is no UTF-8 as \xNN, cut to `limit` bytes. */
qn_str qn_tflite_printable(qn_arena *arena, qn_str name, size_t limit);
const char *qn_tflite_dtype_name(uint8_t dtype);
/* "[1, 2, 3]" */
qn_str qn_tflite_shape_text(qn_tflite *im, const qn_tflite_shape *shape);

/* ---- outside.c: bytes behind the FlatBuffer ---- */

/* The bytes; or why they are none, and where they would be. */
typedef struct qn_outside {
  qn_bytes bytes;
  const char *problem; /* NULL: there is none */
  uint64_t at, count;
} qn_outside;
/* A tensor's data as its buffer has it; size 0: none. */
qn_outside qn_tflite_buffer(const qn_tflite *im, const qn_tflite_tensor *tensor);
/* Reported when they lie outside of the file. */
bool qn_tflite_custom_options(qn_tflite_op *op, qn_bytes *out_bytes);

/* ---- size.c: of types and shapes ---- */

/* Bits of an element in memory; 0: of a type that is not read as it is. */
uint32_t qn_tflite_dtype_bits(int64_t dtype);
/* The same in bytes; of other types 1, so that sizes can still be judged. */
int64_t qn_tflite_dtype_bytes(uint8_t dtype);
/* Elements; the shape has been checked. */
int64_t qn_tflite_elements(const qn_tflite_shape *shape);
/* The tensor has elements to compute with; reports one that has none. */
bool qn_tflite_has_elements(qn_tflite_op *op, const qn_tflite_tensor *tensor);
bool qn_tflite_same_shape(const qn_tflite_shape *a, const qn_tflite_shape *b);
/* Of an operand; reports it with this status where it has another shape. */
bool qn_tflite_has_shape_of(qn_tflite_op *op, const qn_tflite_tensor *x,
                            const qn_tflite_tensor *first, qn_status status);
/* The IR's tensor type of an element type and shape. */
const qn_type *qn_tflite_shaped(qn_tflite *im, const qn_type *element,
                                const qn_tflite_shape *shape);

/* ---- tensor.c: shapes and data ---- */

/* Reads the tensor's table once; problems are reported at the operator (or NULL: the model). False
 * when the tensor is bad. */
bool qn_tflite_load(qn_tflite *im, qn_tflite_op *op_or_null, qn_tflite_tensor *tensor);
/* A constant of a type that is read as a wider one becomes one of that (unpack.c). NULL, or what is
 * wrong. */
const char *qn_tflite_unpack(qn_tflite *im, qn_tflite_tensor *tensor);
/* Whether an input of the model has its value in the file, as shapes and amounts of padding may: it
 * is a constant, and nobody gives it at run time. */
bool qn_tflite_is_fixed_input(const qn_tflite *im, const qn_tflite_tensor *tensor);
/* Takes units of the work that the file's size allows. False, reported, when it is used up: a
 * hostile file lets many operators use one large constant. */
bool qn_tflite_spend(qn_tflite_op *op, int64_t units);
/* The same of what is allowed for subgraphs, which are read once for each call of them: their
 * operators, and all that costs when one is read again. */
bool qn_tflite_spend_on_calls(qn_tflite_op *op, int64_t units);
/* Whether a tensor of the shape and bytes per element has a size that we accept; else reported. */
bool qn_tflite_check_size(qn_tflite_op *op, const qn_tflite_tensor *tensor,
                          const qn_tflite_shape *shape);

/* Operand i, loaded; NULL when absent or (op->failed) bad. Its value may still be undefined. */
qn_tflite_tensor *qn_tflite_input(qn_tflite_op *op, uint32_t i);
qn_tflite_tensor *qn_tflite_output(qn_tflite_op *op, uint32_t i);

/* ---- constant.c: values and numbers ---- */

/* The value of an operand with one scale or none: defined before, or a constant made now.
 * NULL, reported, when nothing defines it. */
qn_value *qn_tflite_value(qn_tflite_op *op, qn_tflite_tensor *tensor);
/* A constant of the operand's data as `type` (whose storage has the same bytes per element); NULL,
 * reported, when it has no data or of the wrong size. */
qn_value *qn_tflite_constant(qn_tflite_op *op, qn_tflite_tensor *tensor, const qn_type *type);
/* The output is a constant of these bytes, whoever reads it. The operator has spent what they cost.
 */
void qn_tflite_become_constant(qn_tflite_op *op, qn_tflite_tensor *y, qn_bytes data,
                               const qn_tflite_shape *shape);
/* The values of a constant int32 or int64 operand with at most `most` elements. */
bool qn_tflite_ints(qn_tflite_op *op, qn_tflite_tensor *tensor, uint32_t most, int64_t *out_values,
                    uint32_t *out_count);
/* The only element of a constant, as stored, where it is a whole number: exactly that. Reports
 * nothing. */
bool qn_tflite_whole(const qn_tflite_tensor *tensor, int64_t *out_value);
/* The same, reported. */
bool qn_tflite_scalar(qn_tflite_op *op, qn_tflite_tensor *tensor, int64_t *out_value);
/* The sizes that an operand says of a result. Where they are not in the file, as it is an input or
 * is computed, those that the file stores of the result stand for them, with a warning. */
bool qn_tflite_stated_sizes(qn_tflite_op *op, qn_tflite_tensor *operand,
                            const qn_tflite_tensor *result, int64_t *out_values,
                            uint32_t *out_count);
/* axis + rank when negative; reported when outside of [0, rank). */
bool qn_tflite_axis(qn_tflite_op *op, int64_t axis, uint32_t rank, uint32_t *out_axis);

/* ---- quant.c: quantization ---- */

/* A model's activations have 8, 16 or 32 bits with one scale and zero point. */
typedef struct qn_tflite_q8 {
  double scale; /* of the float32 */
  int32_t zero_point;
  uint32_t width; /* in bits */
  bool is_unsigned;
} qn_tflite_q8;
/* Checks that it is int8 or uint8 with parameters of a form that we know; reports when not. */
bool qn_tflite_8bit(qn_tflite_op *op, const qn_tflite_tensor *tensor);
/* The same and one scale. */
bool qn_tflite_activation(qn_tflite_op *op, const qn_tflite_tensor *tensor, qn_tflite_q8 *out_q8);
/* The same, also of int4, whose elements have a byte each in the IR. */
bool qn_tflite_stored(qn_tflite_op *op, const qn_tflite_tensor *tensor, qn_tflite_q8 *out_q8);
/* Whether the file has it in int4, a constant too. */
bool qn_tflite_is_narrow(const qn_tflite_tensor *tensor);
/* Checks that both have one type, float32 or quantized in 8 bits; with `same_parameters` the latter
 * also the same scale and zero point. */
bool qn_tflite_matching(qn_tflite_op *op, const qn_tflite_tensor *a, const qn_tflite_tensor *b,
                        bool same_parameters);
/* 8 bits with a scale. */
bool qn_tflite_is_quantized(const qn_tflite_tensor *tensor);
/* Unsigned of 16, 32 or 64 bits; the IR has them without a sign. */
bool qn_tflite_is_wide_unsigned(const qn_tflite_tensor *tensor);
/* For operators that only move elements: both have one type, quantized or not, of any kind. */
bool qn_tflite_movable(qn_tflite_op *op, const qn_tflite_tensor *a, const qn_tflite_tensor *b);
/* The tensor has this type, or it is reported. */
bool qn_tflite_check_dtype(qn_tflite_op *op, const qn_tflite_tensor *tensor, uint8_t dtype);
/* Element type of a tensor as its table says: a number, or quantized with one scale or one per
 * index of a dimension. Reports what has none. */
const qn_type *qn_tflite_element_type(qn_tflite *im, qn_tflite_op *op,
                                      const qn_tflite_tensor *tensor);
/* 8-bit weights of `channels` output channels along `axis`: one scale, or one per channel. */
const qn_type *qn_tflite_weights_type(qn_tflite_op *op, const qn_tflite_tensor *weights,
                                      uint32_t axis);
/* The bias operand (absent: *out_value NULL): a constant of `channels` i32, beside int16 also i64;
 * floats beside an input that is not quantized, of width 0.
 * Warns when its stored scale is not the product of input and weight scale. */
bool qn_tflite_bias(qn_tflite_op *op, uint32_t operand, int64_t channels, const qn_tflite_q8 *input,
                    const qn_type *weights, double output_scale, qn_value **out_value);

/* Type and initial value of a variable tensor, whose value becomes an argument of @main: what the
 * last invocation has left. The op that changes it makes another value of it. */
qn_value *qn_tflite_open_state(qn_tflite_op *op, qn_tflite_tensor *tensor);
/* The value of a variable whose type is known, as it stands; the first time it is such an argument.
 */
qn_value *qn_tflite_open_variable(qn_tflite_op *op, qn_tflite_variable *variable);

/* ---- ops/variable.c: states that are no variable tensors of the main graph ---- */

/* The value of a variable tensor of a subgraph that is called, which it keeps from one call to the
 * next. */
qn_value *qn_tflite_open_inner(qn_tflite_op *op, qn_tflite_tensor *tensor, const qn_type *type);
/* The subgraph has been read: its variable tensors keep what they are now. */
void qn_tflite_keep_inner(qn_tflite *im);
/* A branch or loop is over: by the profile, what is in it begins anew the next time. */
void qn_tflite_forget_inner(qn_tflite *im);

/* ---- build.c: options and results ---- */

/* A scalar of the operator's options by its name in schema.def. */
int64_t qn_tflite_option(const qn_tflite_op *op, const char *name);
/* The "activation" attribute of the fused activation: NULL for none. */
bool qn_tflite_fused(qn_tflite_op *op, const qn_attr **out_attr);
/* Attribute list of at most eight entries. NULL values are left out. */
typedef struct qn_tflite_attrs {
  qn_named_attr items[8];
  uint32_t count;
} qn_tflite_attrs;
void qn_tflite_attr(qn_tflite_attrs *attrs, const char *name, const qn_attr *value);
/* Builds the op that writes the outputs, output i with shapes[i], after comparing that with the
 * stored shape. `kind` is usually the builtin's. */
void qn_tflite_build(qn_tflite_op *op, qn_op_kind kind, qn_value *const *operands,
                     uint32_t operand_count, qn_tflite_attrs *attrs, const qn_tflite_shape *shapes);
/* Results of the stored shapes, which have no elements, without the operator. */
void qn_tflite_build_empty(qn_tflite_op *op);
/* Says that they can't be computed, as an operand has none. */
void qn_tflite_refuse_empty(qn_tflite_op *op);
/* The same of an operator that changes states: its results behind the outputs are their new values.
 */
void qn_tflite_build_with_states(qn_tflite_op *op, qn_op_kind kind, qn_value *const *operands,
                                 uint32_t operand_count, qn_tflite_attrs *attrs,
                                 const qn_tflite_shape *shape, qn_tflite_tensor *const *states,
                                 uint32_t state_count);
/* The value of an output that other ops than one of the operator's own kind make. */
void qn_tflite_define(qn_tflite_op *op, qn_tflite_tensor *tensor, const qn_tflite_shape *shape,
                      qn_value *value);
/* A reshape in front of an operator: no tensor of the model. */
qn_value *qn_tflite_view(qn_tflite_op *op, qn_value *value, const qn_tflite_shape *shape);

/* An op between those of the model: no tensor of it. */
qn_value *qn_tflite_part(qn_tflite_op *op, qn_op_kind kind, const qn_type *element,
                         const qn_tflite_shape *shape, qn_value *const *operands, uint32_t count,
                         const qn_attr_arg *attrs);

/* A constant of these stored elements, which are copied. */
qn_value *qn_tflite_const(qn_tflite_op *op, const qn_type *element, const qn_tflite_shape *shape,
                          const void *data);
/* A constant scalar: its bits are the low ones of `value`. */
qn_value *qn_tflite_number(qn_tflite_op *op, const qn_type *element, int64_t value);
/* first, first + 1 ... along a dimension of `shape`, whose other dimensions are 1; NULL, reported,
 * when the file's size does not allow so many. */
qn_value *qn_tflite_counted(qn_tflite_op *op, const qn_type *element, const qn_tflite_shape *shape,
                            int64_t first);
qn_tflite_shape qn_tflite_shape_of(const qn_value *value);

/* The shape of both by numpy's rule. */
bool qn_tflite_broadcast(qn_tflite_op *op, const qn_tflite_tensor *a, const qn_tflite_tensor *b,
                         qn_tflite_shape *out_shape);

/* ---- ops/arrange.c: operators that move elements ---- */

/* The input, of the type of output 0. */
bool qn_tflite_open_move(qn_tflite_op *op, uint32_t input, qn_tflite_tensor **out_x);
/* Builds ml.tile: sizes of 1 in a value of shape `from` are repeated up to those of `to`, after
 * missing dimensions have been put in front. What can't be is reported at `operand`. */
void qn_tflite_build_repeated(qn_tflite_op *op, const qn_tflite_tensor *operand, qn_value *value,
                              const qn_tflite_shape *from, const qn_tflite_shape *to);
void qn_tflite_build_move(qn_tflite_op *op, qn_tflite_tensor *x, qn_tflite_attrs *attrs,
                          const qn_tflite_shape *shape);
void qn_tflite_attr_i64s(qn_tflite_op *op, qn_tflite_attrs *attrs, const char *name,
                         const int64_t *values, uint32_t count);
/* The constant operand with exactly `count` values within [low, high]. */
bool qn_tflite_amounts(qn_tflite_op *op, uint32_t input, uint32_t count, int64_t low, int64_t high,
                       int64_t *out_values);

/* ---- ops/bits.c ---- */

/* BITWISE_XOR and RIGHT_SHIFT of unsigned elements of 16 and 32 bits. */
void qn_tflite_unsigned_bits(qn_tflite_op *op);

/* ---- ops/cells.c: recurrent cells on floats ---- */

/* UNIDIRECTIONAL_SEQUENCE_LSTM of floats. */
void qn_tflite_float_lstm(qn_tflite_op *op);
/* SVDF of floats. */
void qn_tflite_float_svdf(qn_tflite_op *op);

/* ---- window.c: convolution and pooling windows ---- */

/* Height and width; of volumes the depth before. The caller fills kernel and dilation. */
enum { QN_TFLITE_MOST_WAYS = 3 };
typedef struct qn_tflite_window {
  int64_t kernel[QN_TFLITE_MOST_WAYS], dilation[QN_TFLITE_MOST_WAYS], stride[QN_TFLITE_MOST_WAYS],
      out[QN_TFLITE_MOST_WAYS];
  int64_t pad[2 * QN_TFLITE_MOST_WAYS]; /* before and after: top, bottom, left, right */
} qn_tflite_window;
/* Reads strides and padding of the options and resolves SAME and VALID for an NHWC or NDHWC input.
 */
bool qn_tflite_place_window(qn_tflite_op *op, const qn_tflite_tensor *input,
                            qn_tflite_window *window);
/* The same from the result of a transposed convolution, whose shape operand 0 states, with so many
 * channels, to its input; and whether its sizes follow from the rest. */
bool qn_tflite_place_transposed(qn_tflite_op *op, const qn_tflite_tensor *input, int64_t channels,
                                qn_tflite_window *window, qn_tflite_shape *out_result,
                                bool *out_is_stated);

/* ---- graph.c ---- */

/* Reads the main graph into @main. */
void qn_tflite_graph(qn_tflite *im);
/* The tensors of a subgraph, and its lists. False, reported: there are too many. */
bool qn_tflite_open_graph(qn_tflite *im, qn_fb_table subgraph);

/* ---- part.c ---- */

/* Makes the graph that part of itself that the options want; false after a message. */
bool qn_tflite_take_part(qn_tflite *im);
bool qn_tflite_is_chosen(const qn_tflite *im, uint32_t index);
/* Its operators, at the builder. */
void qn_tflite_operators(qn_tflite *im);

/* ---- subgraph.c ---- */

/* The subgraph that an option of the operator names; it may be read. */
bool qn_tflite_subgraph_of(qn_tflite_op *op, const char *option, uint32_t *out_number);
/* Operand i of an operator that hands it to a subgraph. */
qn_tflite_given qn_tflite_give(qn_tflite_op *op, uint32_t i);
/* Reads a subgraph to the end of a block, on what is given; `out` is what it gives. */
bool qn_tflite_call(qn_tflite_op *op, uint32_t number, qn_block *block,
                    const qn_tflite_given *given, uint32_t given_count, qn_tflite_given *out,
                    uint32_t out_count);

/* ---- in ops/ ---- */

#define SUPPORTED(name, import, ...) void qn_tflite_##import(qn_tflite_op *op);
#define NAMED(name, why)
#include "import/tflite/ops.def"
#undef SUPPORTED
#undef NAMED
#define CUSTOM(name, import, ...) void qn_tflite_##import(qn_tflite_op *op);
#include "import/tflite/customs.def"
#undef CUSTOM

#endif
