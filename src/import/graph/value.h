/* Operands and results of an operator: tensors that are loaded and checked, the values that stand
 * for them in the IR, numbers that are known when a model is compiled, and types of quantized
 * elements.
 *
 * Functions that return false or NULL have reported why, at the operator, which has failed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_VALUE_H
#define QN_IMPORT_GRAPH_VALUE_H

#include "import/graph/report.h"

/* ---- tensor.c: tensors and sizes ---- */

/* Loads the tensor once; problems are reported at the operator (or NULL: the model). False when the
 * tensor is bad. */
bool qn_graph_load(qn_graph *graph, qn_graph_op *op_or_null, qn_graph_tensor *tensor);
/* Operand i, loaded; NULL when absent or (op->failed) bad. Its value may still be undefined. */
qn_graph_tensor *qn_graph_input(qn_graph_op *op, uint32_t i);
qn_graph_tensor *qn_graph_output(qn_graph_op *op, uint32_t i);
/* Whether there is an operand i. */
bool qn_graph_has_input(const qn_graph_op *op, uint32_t i);

/* Takes units of the work that the file's size allows. False, reported, when it is used up: a
 * hostile file lets many operators use one large constant. */
bool qn_graph_spend(qn_graph_op *op, int64_t units);
/* The same of what is allowed for subgraphs, which are read once for each call of them: their
 * operators, and all that costs when one is read again. */
bool qn_graph_spend_on_calls(qn_graph_op *op, int64_t units);

/* Whether a tensor of the shape and bytes per element has a size that we accept; else reported. At
 * the model where `op` is NULL. */
bool qn_graph_check_size_at(qn_graph *graph, qn_graph_op *op_or_null, const qn_graph_tensor *tensor,
                            const qn_graph_shape *shape);
bool qn_graph_check_size(qn_graph_op *op, const qn_graph_tensor *tensor,
                         const qn_graph_shape *shape);
/* The tensor has elements to compute with; reports one that has none. */
bool qn_graph_has_elements(qn_graph_op *op, const qn_graph_tensor *tensor);
/* Whether operand x has the shape of `first`; else reports it with `status`. */
bool qn_graph_has_shape_of(qn_graph_op *op, const qn_graph_tensor *x, const qn_graph_tensor *first,
                           qn_status status);
/* The tensor has this type, or it is reported. */
bool qn_graph_check_dtype(qn_graph_op *op, const qn_graph_tensor *tensor, uint8_t dtype);
/* The IR's tensor type of an element type and shape. */
const qn_type *qn_graph_shaped(qn_graph *graph, const qn_type *element,
                               const qn_graph_shape *shape);
/* axis + rank when negative; reported when outside of [0, rank). */
bool qn_graph_axis(qn_graph_op *op, int64_t axis, uint32_t rank, uint32_t *out_axis);
/* The shape of both by numpy's rule. */
bool qn_graph_broadcast(qn_graph_op *op, const qn_graph_tensor *a, const qn_graph_tensor *b,
                        qn_graph_shape *out_shape);

/* ---- unpack.c ---- */

/* A constant of a type that is read as a wider one becomes one of that: int4, int2, float16 and
 * booleans of any byte. The first element of a byte has its lowest bits. NULL, or what is wrong. */
const char *qn_graph_unpack(qn_graph *graph, qn_graph_tensor *tensor);

/* ---- constant.c: values and numbers ---- */

/* The value of an operand with one scale or none: defined before, or a constant made now.
 * NULL, reported, when nothing defines it. */
qn_value *qn_graph_value(qn_graph_op *op, qn_graph_tensor *tensor);
/* A constant of the operand's data as `type` (whose storage has the same bytes per element); NULL,
 * reported, when it has no data or of the wrong size. Dense data borrows from the file. */
qn_value *qn_graph_constant(qn_graph_op *op, qn_graph_tensor *tensor, const qn_type *type);
/* Makes output y a constant of these bytes. The caller has already charged their cost to the
 * budget.
 */
void qn_graph_become_constant(qn_graph_op *op, qn_graph_tensor *y, qn_bytes data,
                              const qn_graph_shape *shape);
/* The values of an int32 or int64 operand with at most `most` elements that is in the file or
 * is computed from what does. */
bool qn_graph_ints(qn_graph_op *op, qn_graph_tensor *tensor, uint32_t most, int64_t *out_values,
                   uint32_t *out_count);
/* The only element of a constant, as stored, where it is an integer: exactly that. Reports
 * nothing. */
bool qn_graph_whole(const qn_graph_tensor *tensor, int64_t *out_value);
/* The same, reported, also of what is computed from constants. */
bool qn_graph_scalar(qn_graph_op *op, qn_graph_tensor *tensor, int64_t *out_value);
/* The sizes that an operand says of a result. Where they are not in the file, as it is an input or
 * is computed, those that the file stores of the result stand for them, with a warning. */
bool qn_graph_stated_sizes(qn_graph_op *op, qn_graph_tensor *operand, const qn_graph_tensor *result,
                           int64_t *out_values, uint32_t *out_count);

/* ---- computed.c: what follows from constants ---- */

/* The constant that a value is or is computed from constants to; NULL: it isn't, or is too large.
 */
const qn_attr *qn_graph_computed(qn_graph *graph, const qn_value *value);
/* A tensor of integers that is computed from constants has data from now on; false: it isn't. */
bool qn_graph_know(qn_graph_op *op, qn_graph_tensor *tensor);

/* ---- quant.c: quantization ---- */

/* A model's activations have 8, 16 or 32 bits with one scale and zero point. */
typedef struct qn_graph_q8 {
  double scale; /* as stored: of a float32 exactly that */
  int32_t zero_point;
  uint32_t width; /* in bits */
  bool is_unsigned;
} qn_graph_q8;
/* Checks that it is int8 or uint8 with parameters of a form that we know; reports when not. */
bool qn_graph_8bit(qn_graph_op *op, const qn_graph_tensor *tensor);
/* The same and one scale. */
bool qn_graph_activation(qn_graph_op *op, const qn_graph_tensor *tensor, qn_graph_q8 *out_q8);
/* The same, also of int4, whose elements have a byte each in the IR. */
bool qn_graph_stored(qn_graph_op *op, const qn_graph_tensor *tensor, qn_graph_q8 *out_q8);
/* Whether the file has it in int4, a constant too. */
bool qn_graph_is_narrow(const qn_graph_tensor *tensor);
/* Checks that both have one type, float32 or quantized in 8 bits; with `same_parameters` the latter
 * also the same scale and zero point. */
bool qn_graph_matching(qn_graph_op *op, const qn_graph_tensor *a, const qn_graph_tensor *b,
                       bool same_parameters);
/* 8 bits with a scale. */
bool qn_graph_is_quantized(const qn_graph_tensor *tensor);
/* Unsigned of 16, 32 or 64 bits; the IR has them without a sign. */
bool qn_graph_is_wide_unsigned(const qn_graph_tensor *tensor);
/* For operators that only move elements: both have one type, quantized or not, of any kind. */
bool qn_graph_movable(qn_graph_op *op, const qn_graph_tensor *a, const qn_graph_tensor *b);
/* Element type of a tensor by its dtype and quantization: a number, or quantized with one scale or
 * one per index of a dimension. Reports what has none. */
const qn_type *qn_graph_element_type(qn_graph *graph, qn_graph_op *op,
                                     const qn_graph_tensor *tensor);
/* !quant.uniform of elements of a dtype, expressed in f32: with one scale (`axis` < 0) or `count`
 * of them along a dimension. int4 is stored in 8 bits with a range of 4. For formats whose
 * operators, not tensors, have the parameters. */
const qn_type *qn_graph_uniform_type(qn_graph *graph, uint8_t dtype, int32_t axis, uint32_t count,
                                     const double *scales, const int64_t *zero_points);
/* 8-bit weights of output channels along `axis`: one scale, or one per channel. `kind` is the op
 * that reads them, whose kernels may know no zero points. */
const qn_type *qn_graph_weights_type(qn_graph_op *op, const qn_graph_tensor *weights,
                                     uint32_t axis);
/* The bias operand (absent: *out_value NULL): a constant of `channels` i32, beside int16 also i64;
 * floats beside an input that is not quantized, of width 0.
 * Warns when its stored scale is not the product of input and weight scale. */
bool qn_graph_bias(qn_graph_op *op, uint32_t operand, int64_t channels, const qn_graph_q8 *input,
                   const qn_type *weights, double output_scale, qn_value **out_value);

/* ---- state.c: states ---- */

/* Type and initial value of a variable tensor, whose value becomes an argument of @main: what the
 * last invocation has left. The op that changes it makes another value of it. */
qn_value *qn_graph_open_state(qn_graph_op *op, qn_graph_tensor *tensor);
/* The current value of a variable whose type is known. The first call makes it an argument of
 * @main.
 */
qn_value *qn_graph_open_variable(qn_graph_op *op, qn_graph_variable *variable);
/* Another variable; NULL, reported at the tensor: there are too many. */
qn_graph_variable *qn_graph_add_variable(qn_graph_op *op, const qn_graph_tensor *tensor,
                                         qn_graph_variable variable);
/* Whether the type is that of the variable, which is that of its first use. */
bool qn_graph_fits_variable(qn_graph_op *op, qn_graph_tensor *tensor, qn_graph_variable *variable,
                            const qn_type *type);
/* A subgraph has been read: its variable tensors keep what they are now. */
void qn_graph_keep_inner(qn_graph *graph);
/* A branch or loop is over: by the profile, what is in it begins again the next time. */
void qn_graph_forget_inner(qn_graph *graph);

#endif
