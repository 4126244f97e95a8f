/* Operands and results of an operator: loading and checking of tensors, their IR values,
 * compile-time integers, and quantized types.
 *
 * Functions that return false or NULL have reported the error at the operator, which is then
 * failed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_VALUE_H
#define QN_IMPORT_GRAPH_VALUE_H

#include "import/graph/report.h"

/* ---- tensor.c: tensors and sizes ---- */

/* Loads the tensor on first use; errors are reported at the operator, or at the model if NULL.
 * Returns false if the tensor is bad. */
bool qn_graph_load(qn_graph *graph, qn_graph_op *op_or_null, qn_graph_tensor *tensor);
/* Operand i, loaded; NULL if absent, or if bad (op->failed is then set). Its value may still be
 * undefined. */
qn_graph_tensor *qn_graph_input(qn_graph_op *op, uint32_t i);
qn_graph_tensor *qn_graph_output(qn_graph_op *op, uint32_t i);
/* Whether there is an operand i. */
bool qn_graph_has_input(const qn_graph_op *op, uint32_t i);

/* Keeps a further file, with data of the model, as long as the module; the work budget grows with
 * its size. */
void qn_graph_add_file(qn_graph *graph, qn_file *file);
/* Charges units to the work budget, which the size of the model's files determines. Returns false,
 * reported, if it is exhausted: a hostile file may let many operators use one large constant. */
bool qn_graph_spend(qn_graph_op *op, int64_t units);
/* Charges units to the budget of subgraph readings. A subgraph is read once per call: its
 * operators, and everything that costs again when it is read again. */
bool qn_graph_spend_on_calls(qn_graph_op *op, int64_t units);

/* Checks that a tensor of this shape and element size is not too large. Reports at the model if the
 * operator is NULL. */
bool qn_graph_check_size_at(qn_graph *graph, qn_graph_op *op_or_null, const qn_graph_tensor *tensor,
                            const qn_graph_shape *shape);
bool qn_graph_check_size(qn_graph_op *op, const qn_graph_tensor *tensor,
                         const qn_graph_shape *shape);
/* Checks that the tensor has elements. */
bool qn_graph_has_elements(qn_graph_op *op, const qn_graph_tensor *tensor);
/* Whether operand x has the shape of `first`; else reports it with `status`. */
bool qn_graph_has_shape_of(qn_graph_op *op, const qn_graph_tensor *x, const qn_graph_tensor *first,
                           qn_status status);
/* Checks the tensor's element type. */
bool qn_graph_check_dtype(qn_graph_op *op, const qn_graph_tensor *tensor, uint8_t dtype);
/* The IR tensor type of an element type and shape. */
const qn_type *qn_graph_shaped(qn_graph *graph, const qn_type *element,
                               const qn_graph_shape *shape);
/* Normalizes an axis: axis + rank if negative; reported if outside of [0, rank). */
bool qn_graph_axis(qn_graph_op *op, int64_t axis, uint32_t rank, uint32_t *out_axis);
/* The broadcast shape of a and b, by numpy's rule. */
bool qn_graph_broadcast(qn_graph_op *op, const qn_graph_tensor *a, const qn_graph_tensor *b,
                        qn_graph_shape *out_shape);

/* ---- unpack.c ---- */

/* Unpacks a constant whose type is represented by a wider one: int4, int2, float16, and booleans
 * with any byte value. The first element is in the lowest bits of a byte. Returns NULL on success,
 * else the error. */
const char *qn_graph_unpack(qn_graph *graph, qn_graph_tensor *tensor);

/* ---- constant.c: values and numbers ---- */

/* The value of an operand with one scale or none: already defined, or a constant created now. NULL,
 * reported, if nothing defines it. */
qn_value *qn_graph_value(qn_graph_op *op, qn_graph_tensor *tensor);
/* A constant with the operand's data as `type`, whose storage has the same bytes per element. NULL,
 * reported, if it has no data or data of the wrong size. Dense data borrows from the file. */
qn_value *qn_graph_constant(qn_graph_op *op, qn_graph_tensor *tensor, const qn_type *type);
/* Makes output y a constant of these bytes. The caller has already charged their cost to the
 * budget.
 */
void qn_graph_become_constant(qn_graph_op *op, qn_graph_tensor *y, qn_bytes data,
                              const qn_graph_shape *shape);
/* The values of an int32 or int64 operand with at most `most` elements, which are in the file or
 * follow from constants. */
bool qn_graph_ints(qn_graph_op *op, qn_graph_tensor *tensor, uint32_t most, int64_t *out_values,
                   uint32_t *out_count);
/* The only element of a constant, if it is an integer. Reports nothing. */
bool qn_graph_whole(const qn_graph_tensor *tensor, int64_t *out_value);
/* As qn_graph_whole, also for values computed from constants; reports an error if not. */
bool qn_graph_scalar(qn_graph_op *op, qn_graph_tensor *tensor, int64_t *out_value);
/* The sizes of a result, given by an operand. If they are not known, because the operand is an
 * input or computed, the stored shape of the result is used, with a warning. */
bool qn_graph_stated_sizes(qn_graph_op *op, qn_graph_tensor *operand, const qn_graph_tensor *result,
                           int64_t *out_values, uint32_t *out_count);

/* ---- computed.c: values computed from constants ---- */

/* Bytes of a value that is computed from constants. */
enum { QN_GRAPH_MOST_COMPUTED = 4096 };
/* The constant that a value is, or that is computed for it from constants; NULL if none, or if it
 * is too large. */
const qn_attr *qn_graph_computed(qn_graph *graph, const qn_value *value);
/* Sets the data of an integer tensor that is computed from constants; false if it is not. */
bool qn_graph_know(qn_graph_op *op, qn_graph_tensor *tensor);

/* ---- quant.c: quantization ---- */

/* Quantization of an activation: 8, 16 or 32 bits, one scale and zero point. */
typedef struct qn_graph_q8 {
  double scale; /* exactly the stored float32 */
  int32_t zero_point;
  uint32_t width; /* bits of the storage */
  bool is_unsigned;
} qn_graph_q8;
/* Checks that the tensor is int8 or uint8 with parameters in a supported form. */
bool qn_graph_8bit(qn_graph_op *op, const qn_graph_tensor *tensor);
/* As qn_graph_8bit, and that it has one scale. */
bool qn_graph_activation(qn_graph_op *op, const qn_graph_tensor *tensor, qn_graph_q8 *out_q8);
/* As qn_graph_activation, also for int4, whose elements have a byte each in the IR. */
bool qn_graph_stored(qn_graph_op *op, const qn_graph_tensor *tensor, qn_graph_q8 *out_q8);
/* Whether the file stores the tensor as int4, constants included. */
bool qn_graph_is_narrow(const qn_graph_tensor *tensor);
/* Checks that both have one type, float32 or 8-bit quantized; with `same_parameters` quantized
 * tensors must have equal scale and zero point. */
bool qn_graph_matching(qn_graph_op *op, const qn_graph_tensor *a, const qn_graph_tensor *b,
                       bool same_parameters);
/* Whether the tensor has 8 bits and a scale. */
bool qn_graph_is_quantized(const qn_graph_tensor *tensor);
/* Whether the tensor has unsigned integers of 16, 32 or 64 bits, which are signless in the IR. */
bool qn_graph_is_wide_unsigned(const qn_graph_tensor *tensor);
/* Checks, for data movement, that both have one type of any kind, quantized or not. */
bool qn_graph_movable(qn_graph_op *op, const qn_graph_tensor *a, const qn_graph_tensor *b);
/* The IR element type of a tensor, from its dtype and quantization: plain, or quantized with one
 * scale or one per index of a dimension. Reports unsupported types. */
const qn_type *qn_graph_element_type(qn_graph *graph, qn_graph_op *op,
                                     const qn_graph_tensor *tensor);
/* A !quant.uniform type with storage `dtype`, expressed in f32, with one scale (`axis` < 0) or
 * `count` scales along a dimension. int4 is stored in 8 bits with a 4-bit range. For formats whose
 * operators, not tensors, have the parameters. */
const qn_type *qn_graph_uniform_type(qn_graph *graph, uint8_t dtype, int32_t axis, uint32_t count,
                                     const double *scales, const int64_t *zero_points);
/* The type of 8-bit weights with output channels along `axis`: one scale, or one per channel.
 * `kind` is the op that reads them, whose kernels may not support zero points. */
const qn_type *qn_graph_weights_type(qn_graph_op *op, const qn_graph_tensor *weights,
                                     uint32_t axis);
/* ---- bias.c ---- */

/* Reads the bias operand as a vector [channels]: a constant or an input of the model, of i32, of
 * f32 if `input` has width 0 (float), and with a 16-bit input also of i64. *out_value is NULL if
 * the operand is absent. Warns if the bias scale in the file is not the product of input scale and
 * weight scale: the operators use this product and ignore the scale in the file. Returns false,
 * reported, on errors. */
bool qn_graph_bias(qn_graph_op *op, uint32_t operand, int64_t channels, const qn_graph_q8 *input,
                   const qn_type *weights, double output_scale, qn_value **out_value);

/* ---- state.c: states ---- */

/* Opens a variable tensor: its value becomes an argument of @main, with the value that the last
 * invocation left. An op that changes the tensor defines a new value. */
qn_value *qn_graph_open_state(qn_graph_op *op, qn_graph_tensor *tensor);
/* The current value of a variable whose type is known. The first call makes it an argument of
 * @main.
 */
qn_value *qn_graph_open_variable(qn_graph_op *op, qn_graph_variable *variable);
/* Adds a variable; NULL, reported at the tensor, if there are too many. */
qn_graph_variable *qn_graph_add_variable(qn_graph_op *op, const qn_graph_tensor *tensor,
                                         qn_graph_variable variable);
/* Checks that the tensor has the type of the variable, which is determined by the first use. */
bool qn_graph_fits_variable(qn_graph_op *op, qn_graph_tensor *tensor, qn_graph_variable *variable,
                            const qn_type *type);
/* Called after a subgraph has been read: stores the current values of its variable tensors. */
void qn_graph_keep_inner(qn_graph *graph);
/* Called after a branch or loop: if the profile says so, variable tensors inside it are
 * re-initialized at the next execution. */
void qn_graph_forget_inner(qn_graph *graph);

#endif
