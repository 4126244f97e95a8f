/* Float decompositions: an op of the model dialect as casts, float ops and linalg.generic.
 *
 *   %y = "ml.relu"(%x) : (tensor<4x!q>) -> tensor<4x!p>
 *     ->
 *   %0 = quant.dcast %x : tensor<4x!q> to tensor<4xf32>
 *   %2 = linalg.generic ins(%0) outs(%1) { maximumf with 0 }
 *   %y = quant.qcast %2 : tensor<4xf32> to tensor<4x!p>
 *
 * The decomposition defines the op on reals. The integer stage uses it as the fallback, and the
 * interpreter executes it for ops that no profile covers. It supports every quantization scheme and
 * width, and float tensors. f32 convolutions and matrix products are not decomposed:
 * eval/ref/floats.c defines them, and lower/loops/matrix lowers them.
 *
 * Arithmetic is f32, or f64 if an operand or the result is expressed in f64. f16 and bf16 are
 * widened, and rounded at the end. A sum of products starts with the bias, or 0, and adds the
 * products in row-major order of the reduced indices: in f32 by fused multiply-add, in f64 with one
 * rounding for the product and one for the sum. Sums over windows add terms in the same order, with
 * one rounding each. Padding elements are zeros and are multiplied like other elements. Rows are
 * summed in lanes (ir/reduction.h). A mean divides the sum once. Activations precede the
 * quantization. Elementary functions are those of quant/elementary.inc, with the same bits on every
 * machine.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_FLOAT_FORM_H
#define QN_IR_FLOAT_FORM_H

#include "ir/builder.h"
#include "quant/multiplier.h"

/* Whether ops of the kind can have a float decomposition. */
bool qn_has_float_form(qn_op_kind kind);
/* Why this verified op has none, for a message: "there is no float op for it"; NULL if it has one.
 */
const char *qn_float_form_problem(const qn_op *op);
/* Whether the op is its own float decomposition: all tensors are f32, or all f64, and every stage
 * computes the op itself. */
bool qn_is_float_form(const qn_op *op);
/* Builds the float decomposition of `op` on `operands`, which have the types of the op's operands.
 * Returns the value that replaces the op's only result. Requires qn_float_form_problem(op) == NULL.
 */
qn_value *qn_build_float_form(qn_builder *b, const qn_op *op, qn_value *const *operands);

/* Decompositions on stored values, exact in every profile: plans of kind QN_PLAN_FORM. Whether ops
 * of the kind can have one. */
bool qn_has_stored_form(qn_op_kind kind);
/* Why this op has none, in addition to the plan's conditions; NULL if it has one. */
const char *qn_stored_form_problem(const qn_op *op);
qn_value *qn_build_stored_form(qn_builder *b, const qn_op *op, qn_value *const *operands);

/* Hybrid ops (float inputs, 8-bit weights): how the sum, the row's scale and the channel's scale
 * give a real result. */
typedef enum qn_hybrid_order {
  QN_HYBRID_SCALES,   /* sum * (row * channel) + bias */
  QN_HYBRID_CHANNELS, /* (sum * channel) * row + bias */
  QN_HYBRID_FOURS, /* CHANNELS order in whole blocks of 4 channels; (sum * row) * channel + bias in
                      the remaining ones */
  QN_HYBRID_FUSED  /* fma(sum * row, channel, bias) */
} qn_hybrid_order;
typedef struct qn_hybrid_numbers {
  qn_hybrid_order order;
  bool asymmetric; /* rows have a zero point */
  bool dynamic;    /* everything in float32, denormals as 0 */
  bool pixels;     /* convolution: each pixel is quantized with its own range */
  bool skips;      /* an all-zero input adds nothing, not even +0 */
  bool halves;     /* the weights are split in two halves */
} qn_hybrid_numbers;
/* Fixed-point decompositions with parameters of the profile: zero points and multipliers of
 * operands and result, and the result's clamp. Only for kinds that have one, and if the plan
 * selects it. */
typedef struct qn_form_numbers {
  int32_t a_zero_point, b_zero_point, left_shift;
  qn_multiplier a, b, y;
  int32_t zero_point, min, max;
  int32_t least;      /* minimum contributing difference to the maximum of the row */
  bool bytes;         /* stored bytes are read as unsigned */
  const float *terms; /* [256] by difference to the maximum of the row */
  qn_hybrid_numbers hybrid;
} qn_form_numbers;
qn_value *qn_build_fixed_form(qn_builder *b, const qn_op *op, const qn_form_numbers *numbers);

/* Exact units (docs/arithmetic.md 19): differences of stored values from their zero points are
 * summed or multiplied as integers, and parameters of the plan turn each integer into a result. */
typedef enum qn_unit_core {
  QN_UNIT_MATRIX, /* sums of products of a convolution or matrix product, as integer-valued f64 */
  QN_UNIT_WINDOW, /* sums over the windows of a pool */
  QN_UNIT_FLOAT_WINDOW, /* average of windows in f32, term by term; the offsets are tap counts */
  QN_UNIT_REDUCED,      /* sums over axes */
  QN_UNIT_PRODUCT,      /* product of two elements */
  QN_UNIT_ELEMENT,      /* an element of one operand */
  QN_UNIT_TERMS,        /* a * terms[0] + b * terms[1], divided by the divisor */
  QN_UNIT_TABLE,        /* f32 of a stored byte */
  QN_UNIT_SOFTMAX       /* softmax with exponentials from a table, along rows */
} qn_unit_core;
typedef enum qn_unit_finish {
  QN_UNIT_EVEN,       /* nearest((n * factor + offset) / divisor) in f64 */
  QN_UNIT_SINGLE,     /* nearest(f32(n) * factor) in f32 */
  QN_UNIT_REAL,       /* f32(n * factor + offset), the exact sum rounded once */
  QN_UNIT_SINGLE_REAL /* f32(n) * factor in f32, plus a float bias */
} qn_unit_finish;
typedef struct qn_unit_numbers {
  qn_unit_core core;
  qn_unit_finish finish;
  const double *factors, *offsets; /* [1], [channel], or for windows [row][column] */
  const double *divisors;          /* EVEN: as factors; NULL if none */
  int64_t count;                   /* number of factors */
  bool divides;                    /* REAL: n * factor / offset */
  int64_t zero_point, min, max;    /* of the result, in stored values */
  int64_t shift;                   /* FLOAT_WINDOW: added to the zero point while rounding */
  int64_t terms[2], divisor;       /* TERMS: all below 2^62 in magnitude */
  const float *reals;              /* TABLE: [256] by the unsigned stored byte */
  const double *exponentials;      /* SOFTMAX: [256] by difference to the maximum of the row */
  double step;                     /* SOFTMAX, FLOAT_WINDOW: the result's scale */
} qn_unit_numbers;
qn_value *qn_build_unit_form(qn_builder *b, const qn_op *op, const qn_unit_numbers *numbers);

/* The decomposition of a function of two 8-bit values: a lookup in table[256 * a + b], with a and b
 * as unsigned bytes. */
qn_value *qn_build_pairs_form(qn_builder *b, const qn_op *op, const uint8_t *table);
/* x with its last two dimensions exchanged. */
qn_value *qn_build_matrix_transposed(qn_builder *b, qn_value *x);

/* The decomposition of a function of one 16-bit value: a lookup in table[x + 32768]. */
qn_value *qn_build_words_form(qn_builder *b, const qn_op *op, const int16_t *table);

#endif
