/* Values of the IR for the tensors of an ONNX graph.
 *
 * ONNX writes a quantized operator as a unit: DequantizeLinear, a float operator, QuantizeLinear.
 * The profiles round the real result of a unit once, at the QuantizeLinear. Therefore an operator
 * whose operands are all quantized or constant is not built at once. Its output gets a recipe, and
 * each reader builds the operator with the element type that the reader requires. An operator that
 * only moves or clamps elements passes this element type to its own operands, because rounding
 * commutes with moving and clamping.
 *
 * Images are NCHW in the file, and NHWC for the image ops of the IR. A tensor has one value per
 * layout, built on the first request. The shapes of tensors are those of the file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_VALUE_H
#define QN_IMPORT_ONNX_VALUE_H

#include "import/graph/window.h"
#include "import/onnx/onnx.h"

typedef enum qn_onnx_layout {
  QN_ONNX_PLAIN, /* the file's layout */
  QN_ONNX_NHWC   /* rank 4, channels last */
} qn_onnx_layout;

/* An operand read as reals: a tensor's elements, or integers with a quantized type. */
typedef struct qn_onnx_source {
  qn_graph_tensor *tensor;
  const qn_type *element; /* quantized type; NULL: the tensor's own elements */
} qn_onnx_source;

enum { QN_ONNX_MOST_OPERANDS = 5 };

/* How to build an operator's op for a requested element type. */
typedef struct qn_onnx_recipe qn_onnx_recipe;
struct qn_onnx_recipe {
  /* Builds the op with elements of a type; NULL: an op of `kind` on the operands. */
  qn_value *(*build)(qn_graph_op *op, const qn_onnx_recipe *recipe, const qn_type *element);
  qn_op_kind kind;
  bool is_exact;       /* exact real result, which the readers round */
  bool takes_steps;    /* float op with several steps; set by qn_onnx_leave and qn_onnx_make */
  bool is_layer;       /* sum of products; operand 2 is a bias */
  bool has_float_bias; /* float in the file, although operand 2 is quantized */
  bool is_function;    /* a function of elements or rows; with 16-bit quantized operands it is
                          computed in f64 */
  bool in_doubles; /* exact, computed in f64, because the IR has no op with quantized operands */
  qn_onnx_layout layout, through_layout; /* layout of the result; of the operands in `through` */
  qn_graph_shape shape;                  /* shape in the result's layout */
  qn_value *operands[QN_ONNX_MOST_OPERANDS];
  uint32_t count;
  qn_graph_tensor *const
      *through; /* operands whose element type equals the result's; NULL if none */
  uint32_t through_count;
  qn_graph_attrs attrs;
  float low, high;   /* bounds of a clamp */
  bool is_exchanged; /* operand 0 has the dimension `axis` of a softmax last */
  uint32_t axis;
  const qn_graph_window *window;         /* of a pool that becomes several ops */
  const qn_graph_tensor *activations[2]; /* integer operands of a unit; NULL if fewer */
  const qn_onnx_node *node; /* node of the unit, set by qn_onnx_leave; NULL if not a unit */
  const qn_loc *loc;
  uint32_t depth; /* length of the chain of operators that forward the requested element type */
};

/* A value that has been built. */
typedef struct qn_onnx_built {
  const qn_type *element;
  qn_onnx_layout layout;
  qn_value *value;
  struct qn_onnx_built *next;
} qn_onnx_built;

typedef struct qn_onnx_form {
  qn_onnx_built *built; /* list of built values, the newest first */
  const qn_onnx_recipe *recipe;
  qn_onnx_source dequantized; /* operand of the DequantizeLinear that writes the tensor; its tensor
                                 is NULL if none does */
  const qn_type *own;         /* element type for readers that do not require one; NULL: dtype */
} qn_onnx_form;

/* ---- operands ---- */

/* Operand i as real numbers. If a DequantizeLinear writes it, the source is that operator's operand
 * with its quantized type. If it has moved elements of a DequantizeLinear (qn_onnx_moved_source),
 * the source is the operand itself with this quantized type. */
qn_onnx_source qn_onnx_source_of(qn_graph_op *op, uint32_t i);
/* Whether the source is quantized or constant, so that the file's numbers are not rounded. */
bool qn_onnx_is_exact(qn_graph_op *op, qn_onnx_source source);
/* The value of a source in a layout. */
qn_value *qn_onnx_source_value(qn_graph_op *op, qn_onnx_source source, qn_onnx_layout layout);
/* The layout in which the tensor already has a value. */
qn_onnx_layout qn_onnx_layout_of(qn_graph_op *op, const qn_graph_tensor *tensor);

/* The value of a tensor with its own elements, in the file's layout. */
qn_value *qn_onnx_value(qn_graph_op *op, qn_graph_tensor *tensor);
qn_value *qn_onnx_value_in(qn_graph_op *op, qn_graph_tensor *tensor, qn_onnx_layout layout);
/* The value of an output of the model, in the file's layout. */
qn_value *qn_onnx_output_value(qn_graph_op *op, qn_graph_tensor *tensor);
/* The value of a tensor with a requested element type: floats are quantized; the result of a recipe
 * is rounded once. */
qn_value *qn_onnx_value_as(qn_graph_op *op, qn_graph_tensor *tensor, const qn_type *element,
                           qn_onnx_layout layout);
/* The element type of a tensor for readers that do not require one. */
const qn_type *qn_onnx_own(qn_graph_op *op, qn_graph_tensor *tensor);
/* A constant as `element`, transposed: result dimension i is dimension perm[i]. Tensors that are
 * not constant are reported. */
qn_value *qn_onnx_transposed(qn_graph_op *op, qn_graph_tensor *tensor, const qn_type *element,
                             const int64_t *perm);
/* Weights: a constant, plain or quantized, transposed like qn_onnx_transposed; scales per index of
 * a dimension follow it. */
qn_value *qn_onnx_weights(qn_graph_op *op, qn_onnx_source source, const int64_t *perm);
/* Whether the tensor is a constant in the file. */
bool qn_onnx_is_constant(qn_graph_op *op, const qn_graph_tensor *tensor);

/* ---- results ---- */

/* Leaves output `tensor` as a recipe, which is copied: its readers build the value. */
void qn_onnx_leave(qn_graph_op *op, qn_graph_tensor *tensor, uint8_t dtype,
                   const qn_graph_shape *shape, const qn_onnx_recipe *recipe);
/* Builds the recipe's op now, with elements of type `element`. */
qn_value *qn_onnx_build(qn_graph_op *op, const qn_onnx_recipe *recipe, const qn_type *element);
/* Defines output `tensor`: its element type, its shape in the file's layout, and its value in the
 * given layout. */
void qn_onnx_define(qn_graph_op *op, qn_graph_tensor *tensor, uint8_t dtype,
                    const qn_graph_shape *shape, qn_value *value, qn_onnx_layout layout);
/* Defines output `tensor` by building the recipe now, with elements of type `element`. */
void qn_onnx_make(qn_graph_op *op, qn_graph_tensor *tensor, uint8_t dtype,
                  const qn_graph_shape *shape, const qn_onnx_recipe *recipe,
                  const qn_type *element);
/* Defines output `tensor` by a recipe that forwards the requested element type. If the first
 * operand in `through` is float, readers may request rounding, so the output is left as a recipe.
 * Else it is built now, with that operand's element type. */
void qn_onnx_pass(qn_graph_op *op, qn_graph_tensor *tensor, const qn_graph_shape *shape,
                  const qn_onnx_recipe *recipe);
/* The same with x as the only operand in `through`. */
void qn_onnx_pass_one(qn_graph_op *op, qn_graph_tensor *x, qn_graph_tensor *tensor,
                      const qn_graph_shape *shape, const qn_onnx_recipe *recipe);
/* Builds operand i of r->through with the requested element type, which the recipe passes on. If
 * the recipe's operator prevents onnxruntime from fusing a unit with its QuantizeLinear, the units
 * built meanwhile count as not fused. */
qn_value *qn_onnx_through(qn_graph_op *op, const qn_onnx_recipe *recipe, uint32_t i,
                          const qn_type *element);
/* Sets output `tensor` to a constant without elements. */
void qn_onnx_define_empty(qn_graph_op *op, qn_graph_tensor *tensor, uint8_t dtype,
                          const qn_graph_shape *shape);
/* Sets output `tensor` to the value of another tensor: the same elements, possibly with another
 * shape. */
void qn_onnx_alias(qn_graph_op *op, qn_graph_tensor *tensor, qn_graph_tensor *of);

/* ---- interface.c: inputs and outputs of types that are others inside ---- */

/* Makes float16 inputs float32, and clamps inputs of fewer than 8 bits, which have bytes outside.
 */
void qn_onnx_open_inputs(qn_onnx *im);
/* Whether the tensor is float16 in the file, and float32 inside. */
bool qn_onnx_is_half(const qn_graph_tensor *x);
/* Notes that float results of an operator on float16 are float16. */
void qn_onnx_note_halves(qn_graph_op *op);
/* The value of an output as the type that the file states. NULL stays NULL. */
qn_value *qn_onnx_for_interface(qn_graph_op *op, const qn_graph_tensor *tensor, qn_value *value);
/* The element type that the file states for an input or output; 0 if none. */
int64_t qn_onnx_stated_type(qn_graph *graph, const qn_graph_tensor *tensor);

/* ---- fold.c ---- */

/* Makes the results of an imported operator constants if all its operands are, and they are small.
 */
void qn_onnx_fold(qn_graph_op *op);

/* ---- doubles.c: results of several steps that are rounded once ---- */

/* Whether the recipe's op with this result type is computed in f64 and rounded once: a float op
 * with several steps, an exact op with a float constant as an operand, a function with 16-bit
 * operand or result, or any op whose recipe has in_doubles. */
bool qn_onnx_wants_doubles(const qn_onnx_recipe *recipe, const qn_type *element);
/* The recipe's op on f64, rounded to `element`. */
qn_value *qn_onnx_in_doubles(qn_graph_op *op, const qn_onnx_recipe *recipe, const qn_type *element);
/* The real values of x, as f64. */
qn_value *qn_onnx_to_doubles(qn_graph_op *op, qn_value *x);
/* Rounds f64 values to `element`: f32, or a quantized type with ties to even. */
qn_value *qn_onnx_from_doubles(qn_graph_op *op, qn_value *x, const qn_type *element);
qn_value *qn_onnx_double(qn_graph_op *op, double value);

/* ---- fuse.c: units under the profile of onnxruntime ---- */

/* The operand of the DequantizeLinear whose elements a tensor has, moved by operators after which
 * onnxruntime dequantizes them; NULL if there is none, and under other profiles. */
const qn_onnx_source *qn_onnx_moved_source(const qn_onnx *im, const qn_graph_tensor *tensor);
/* Notes on `built`, an op that was built from a recipe for `reader`, whether onnxruntime has a
 * fused kernel for the unit. */
void qn_onnx_note_fusion(qn_graph_op *reader, const qn_onnx_recipe *recipe, qn_op *built);
/* Notes on `built` that onnxruntime has no fused kernel for the unit. */
void qn_onnx_note_unfused(qn_graph *graph, qn_op *built);
/* Whether the result of the node is quantized by its only reader, or after operators that
 * onnxruntime leaves between an operator with constant float weights and its QuantizeLinear. */
bool qn_onnx_is_quantized_next(const qn_graph_op *op);
/* Whether a unit is still fused if its result passes through the recipe's operator. */
bool qn_onnx_keeps_fusion(const qn_onnx *im, const qn_onnx_recipe *recipe, const qn_type *element);
/* Whether a clamp does not change elements of this quantized type, because its bounds include their
 * whole range. Decided with the tolerance that onnxruntime uses. */
bool qn_onnx_is_implied(const qn_onnx_recipe *clamp, const qn_type *element);

/* ---- layouts ---- */

qn_graph_shape qn_onnx_shape_in(const qn_graph_shape *shape, qn_onnx_layout layout);
qn_value *qn_onnx_transpose(qn_graph_op *op, qn_value *value, const int64_t *perm);

/* ---- types ---- */

const qn_type *qn_onnx_f32(const qn_graph *graph);
/* A quantized type with one scale and zero point (axis < 0), or with `count` of them along `axis`.
 */
const qn_type *qn_onnx_uniform(qn_graph *graph, uint8_t dtype, uint8_t bits, int32_t axis,
                               uint32_t count, const double *scales, const int64_t *zero_points);
/* Checks that the tensor has an integer type that quantized elements can have; reports others. */
bool qn_onnx_is_stored(qn_graph_op *op, const qn_graph_tensor *tensor, uint8_t dtype);
/* The quantized type from the operands of a DequantizeLinear or QuantizeLinear: a scale, optionally
 * a zero point, and the storage type. Several scales are per index of `axis` of `shape`. NULL if
 * reported. */
const qn_type *qn_onnx_parameters(qn_graph_op *op, uint8_t dtype, uint8_t bits,
                                  qn_graph_tensor *scale, qn_graph_tensor *zero_point, int64_t axis,
                                  const qn_graph_shape *shape);

#endif
