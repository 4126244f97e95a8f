/* What stands for a tensor in the IR.
 *
 * ONNX writes a quantized operator as a unit: DequantizeLinear, an operator on floats,
 * QuantizeLinear. By the profiles its real result is rounded once, by the QuantizeLinear. So an
 * operator all of whose operands are quantized, or constants, is not built where it is: it
 * leaves a recipe, from which its readers build it with the elements that they want. Operators that
 * only move or clamp elements pass the wish on, as rounding and clamping commute.
 *
 * Images are NCHW in the file, and NHWC where operators of the IR want them: a tensor has a value
 * per layout, made when it is asked for. Shapes of tensors are those of the file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_VALUE_H
#define QN_IMPORT_ONNX_VALUE_H

#include "import/onnx/onnx.h"

typedef enum qn_onnx_layout {
  QN_ONNX_PLAIN, /* as in the file */
  QN_ONNX_NHWC   /* of rank 4: channels last */
} qn_onnx_layout;

/* Numbers that an operator reads as reals: a tensor, or integers by a quantized type. */
typedef struct qn_onnx_source {
  qn_graph_tensor *tensor;
  const qn_type *element; /* quantized; NULL: the tensor's own elements */
} qn_onnx_source;

enum { QN_ONNX_MOST_OPERANDS = 5 };

/* How an operator becomes an op with elements of any type. */
typedef struct qn_onnx_recipe qn_onnx_recipe;
struct qn_onnx_recipe {
  /* NULL: an op of `kind` on the operands. Else builds it, with elements of a type. */
  qn_value *(*build)(qn_graph_op *op, const qn_onnx_recipe *recipe, const qn_type *element);
  qn_op_kind kind;
  bool is_exact;    /* who reads it rounds it */
  bool takes_steps; /* of floats: set where the result is left or made */
  bool is_layer;    /* sums of products; operand 2 is a bias */
  bool is_lut16;    /* a function of elements or rows, which 16 bits have in f64 */
  bool in_doubles;  /* exact, in f64: the IR has no op of quantized operands */
  qn_onnx_layout layout, through_layout; /* of the result; of the operands `through` */
  qn_graph_shape shape;                  /* in the result's layout */
  qn_value *operands[QN_ONNX_MOST_OPERANDS];
  uint32_t count;
  qn_graph_tensor *const *through; /* operands that have the elements of the result; NULL: none */
  uint32_t through_count;
  qn_graph_attrs attrs;
  float low, high;                       /* of a clamp */
  const qn_graph_tensor *activations[2]; /* integers that a unit reads; NULL: fewer */
  const qn_onnx_node *node;              /* set where the result is left; NULL: no unit */
  const qn_loc *loc;
  uint32_t depth; /* of operators that pass a wish on to each other */
};

/* A value that has been made. */
typedef struct qn_onnx_built {
  const qn_type *element;
  qn_onnx_layout layout;
  qn_value *value;
  struct qn_onnx_built *next;
} qn_onnx_built;

typedef struct qn_onnx_form {
  qn_onnx_built *built; /* the first one made is the last */
  const qn_onnx_recipe *recipe;
  qn_onnx_source dequantized; /* written by a DequantizeLinear of it; tensor NULL: it is not */
  const qn_type *own;         /* elements where nobody asks for others; NULL: by the type */
} qn_onnx_form;

/* ---- operands ---- */

/* Operand i as reals. Where a DequantizeLinear writes it, what that reads. */
qn_onnx_source qn_onnx_source_of(qn_graph_op *op, uint32_t i);
/* Whether it is quantized, or a constant: no rounding is between the file's numbers and its reals.
 */
bool qn_onnx_is_exact(qn_graph_op *op, qn_onnx_source source);
/* Its value in a layout. */
qn_value *qn_onnx_source_value(qn_graph_op *op, qn_onnx_source source, qn_onnx_layout layout);
/* The layout that it has anyway. */
qn_onnx_layout qn_onnx_layout_of(qn_graph_op *op, const qn_graph_tensor *tensor);

/* The tensor's own elements, in the file's layout. */
qn_value *qn_onnx_value(qn_graph_op *op, qn_graph_tensor *tensor);
qn_value *qn_onnx_value_in(qn_graph_op *op, qn_graph_tensor *tensor, qn_onnx_layout layout);
/* With elements of a type: floats are quantized, rounded once if it is the result of a recipe. */
qn_value *qn_onnx_value_as(qn_graph_op *op, qn_graph_tensor *tensor, const qn_type *element,
                           qn_onnx_layout layout);
/* The elements of a tensor where nobody asks for others. */
const qn_type *qn_onnx_own(qn_graph_op *op, qn_graph_tensor *tensor);
/* A constant as `element` with dimension i that was perm[i]; others are reported. */
qn_value *qn_onnx_transposed(qn_graph_op *op, qn_graph_tensor *tensor, const qn_type *element,
                             const int64_t *perm);
/* Weights: a constant, plain or quantized, likewise; scales per index of a dimension move along. */
qn_value *qn_onnx_weights(qn_graph_op *op, qn_onnx_source source, const int64_t *perm);
/* A constant of the file. */
bool qn_onnx_is_constant(qn_graph_op *op, const qn_graph_tensor *tensor);

/* ---- results ---- */

/* Output `tensor` by a recipe, which is copied; its readers build it. */
void qn_onnx_leave(qn_graph_op *op, qn_graph_tensor *tensor, uint8_t dtype,
                   const qn_graph_shape *shape, const qn_onnx_recipe *recipe);
/* The recipe's op, now. */
qn_value *qn_onnx_build(qn_graph_op *op, const qn_onnx_recipe *recipe, const qn_type *element);
/* Output `tensor` is this value. */
void qn_onnx_define(qn_graph_op *op, qn_graph_tensor *tensor, uint8_t dtype,
                    const qn_graph_shape *shape, qn_value *value, qn_onnx_layout layout);
/* Output `tensor` is the recipe's result with these elements. */
void qn_onnx_make(qn_graph_op *op, qn_graph_tensor *tensor, uint8_t dtype,
                  const qn_graph_shape *shape, const qn_onnx_recipe *recipe,
                  const qn_type *element);
/* The recipe's result where the first of its `through` is floats, which readers may want rounded;
 * else it is made at once, with the elements that this one has. */
void qn_onnx_pass(qn_graph_op *op, qn_graph_tensor *tensor, const qn_graph_shape *shape,
                  const qn_onnx_recipe *recipe);
/* Output `tensor` is the value of another one: the same elements in another shape, or the same. */
void qn_onnx_alias(qn_graph_op *op, qn_graph_tensor *tensor, qn_graph_tensor *of);

/* ---- doubles.c: results that are rounded once though they take several steps ---- */

/* Whether an op with this result is computed in f64 and rounded once: one of floats that takes more
 * than one step, or of 16 bits where the IR has no exact op. */
bool qn_onnx_wants_doubles(const qn_onnx_recipe *recipe, const qn_type *element);
/* The recipe's op on f64, rounded to these elements. */
qn_value *qn_onnx_in_doubles(qn_graph_op *op, const qn_onnx_recipe *recipe, const qn_type *element);
/* The reals that a value stands for, as f64. */
qn_value *qn_onnx_to_doubles(qn_graph_op *op, qn_value *x);
/* f64 rounded to f32, or quantized, ties to even. */
qn_value *qn_onnx_from_doubles(qn_graph_op *op, qn_value *x, const qn_type *element);
qn_value *qn_onnx_double(qn_graph_op *op, double value);

/* ---- fuse.c: units under the profile of onnxruntime ---- */

/* An op that was built by a recipe for a reader: whether onnxruntime has a kernel for the unit. */
void qn_onnx_note_fusion(qn_graph_op *reader, const qn_onnx_recipe *recipe, qn_op *built);
/* It has none. */
void qn_onnx_note_unfused(qn_graph *graph, qn_op *built);
/* Operand i of those `through` which a recipe passes a wish on, with these elements. Where the
 * operator keeps a unit from being fused with its QuantizeLinear, the unit says so. */
qn_value *qn_onnx_through(qn_graph_op *op, const qn_onnx_recipe *recipe, uint32_t i,
                          const qn_type *element);
/* Whether elements of a type are within the bounds of a clamp anyway, as onnxruntime decides it. */
bool qn_onnx_is_implied(const qn_onnx_recipe *clamp, const qn_type *element);

/* ---- layouts ---- */

qn_graph_shape qn_onnx_shape_in(const qn_graph_shape *shape, qn_onnx_layout layout);
qn_value *qn_onnx_transpose(qn_graph_op *op, qn_value *value, const int64_t *perm);

/* ---- types ---- */

const qn_type *qn_onnx_f32(const qn_graph *graph);
/* Of one scale and zero point, or (axis >= 0) one per index of a dimension. */
const qn_type *qn_onnx_uniform(qn_graph *graph, uint8_t dtype, uint8_t bits, int32_t axis,
                               uint32_t count, const double *scales, const int64_t *zero_points);
/* Integers of a type that quantized elements have; others are reported at the tensor. */
bool qn_onnx_is_stored(qn_graph_op *op, const qn_graph_tensor *tensor, uint8_t dtype);
/* By the operands of a DequantizeLinear or QuantizeLinear: a scale, maybe a zero point, of integers
 * of a type. Several are per index of `axis` of `shape`. NULL: reported. */
const qn_type *qn_onnx_parameters(qn_graph_op *op, uint8_t dtype, uint8_t bits,
                                  qn_graph_tensor *scale, qn_graph_tensor *zero_point, int64_t axis,
                                  const qn_graph_shape *shape);

#endif
