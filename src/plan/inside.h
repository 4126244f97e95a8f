/* Helpers that the families share: quantization of tensors, rejections, notes, attributes,
 * constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PLAN_INSIDE_H
#define QN_PLAN_INSIDE_H

#include "plan/constants.h"
#include "plan/plan.h"
#include "quant/unary/unary.h"

/* ---- rejections and notes (refusals.c) ---- */

/* Rejects the op: "'ml.add' has no integer form: <text>", QN_UNSUPPORTED. */
qn_status qn_plan_refuse(qn_planner *p, const qn_op *op, const char *format, ...) QN_PRINTF(3, 4);
/* Rejects the op because the profile defines no result for its parameters: reports `format` as the
 * whole message. Returns QN_UNSUPPORTED. */
qn_status qn_plan_refuse_numbers(qn_planner *p, const char *format, ...) QN_PRINTF(2, 3);
void qn_plan_note_on(qn_planner *p, qn_plan *plan, qn_severity severity, const char *format, ...)
    QN_PRINTF(4, 5);

/* ---- tensors with one scale (tensors.c) ---- */

typedef struct qn_plan_tensor {
  qn_affine8 affine;
  uint32_t width; /* bits of the storage */
  bool is_unsigned;
} qn_plan_tensor;

/* Reads the quantization of a tensor. Its width must be in `widths`, a bit set whose bits are the
 * widths: 8 | 16. `role` names the tensor in a rejection: "the input", "operand 1". */
qn_status qn_plan_tensor_of_width(qn_planner *p, const qn_op *op, const qn_value *value,
                                  const char *role, uint32_t widths, qn_plan_tensor *out_tensor);
/* Reads the quantization of an 8-bit tensor. */
qn_status qn_plan_tensor_of(qn_planner *p, const qn_op *op, const qn_value *value, const char *role,
                            qn_plan_tensor *out_tensor);
/* Whether a bound of an activation is less than 2^31 steps of the tensor. Kernels convert it to 32
 * bits. */
bool qn_plan_bound_fits(float bound, const qn_plan_tensor *tensor);
qn_status qn_plan_same_sign(qn_planner *p, const qn_op *op, const qn_plan_tensor *a,
                            const qn_plan_tensor *b);
/* Reads operand 0 and result 0 as 8-bit tensors of any signedness; the second function requires
 * equal signedness. */
qn_status qn_plan_pair(qn_planner *p, const qn_op *op, qn_plan_tensor *out_x,
                       qn_plan_tensor *out_y);
qn_status qn_plan_pair_of_one_sign(qn_planner *p, const qn_op *op, qn_plan_tensor *out_x,
                                   qn_plan_tensor *out_y);
/* Reads two tensors that are both 8 bits with equal signedness, or both 16 bits with zero point 0.
 */
qn_status qn_plan_pair_of_one_type(qn_planner *p, const qn_op *op, qn_plan_tensor *out_x,
                                   qn_plan_tensor *out_y);
/* Checks that a 16-bit tensor has zero point 0, as kernels require; and that two tensors have equal
 * width and signedness. */
qn_status qn_plan_symmetric16(qn_planner *p, const qn_op *op, const qn_plan_tensor *tensor);
qn_status qn_plan_same_type(qn_planner *p, const qn_op *op, const qn_plan_tensor *a,
                            const qn_plan_tensor *b);
/* Whether scale, zero point and signedness are equal. */
bool qn_plan_tensors_equal(const qn_plan_tensor *a, const qn_plan_tensor *b);
/* Checks that a real multiplier has a fixed-point representation. */
qn_status qn_plan_check_ratio(qn_planner *p, const qn_op *op, double real);
/* The output parameters for result y, with the clamp of the op's fused activation. */
qn_plan_output qn_plan_output_of(const qn_op *op, const qn_plan_tensor *y);

/* The integer form of a product of two computed operands, element by element or of matrices
 * (binary.c). */
qn_value *qn_plan_build_product(qn_planner *p, qn_builder *b, qn_op *op, qn_value *x, qn_value *y,
                                const qn_plan_binary *product);
/* Sets the rounding of an integer-stage op. */
void qn_plan_set_rounding(qn_builder *b, qn_op *op, qn_requant_rounding rounding);

/* Checks that results do not depend on whether kernels add the zero point before rounding
 * (zero_point_first.c). */
qn_status qn_plan_check_zero_point_first(qn_planner *p, const qn_op *op);

/* ---- exact units (units/units.c) ---- */

/* Plans an op on quantized tensors for profiles with exact units. */
qn_plan_fn qn_plan_unit;

/* ---- forms (form.c) ---- */

/* Sets a plan of kind QN_PLAN_FORM: the op's decomposition on stored values. */
qn_status qn_plan_form(qn_plan *out);
/* Whether the elements are plain signed integers of more than one bit. */
bool qn_plan_is_whole(const qn_value *value);
qn_value *qn_plan_write_form(qn_builder *b, const qn_op *op, const qn_plan *plan);

/* Maximum left shift of 64-bit accumulators. */
enum { QN_REDUCED_MAX_SHIFT = 7 };
/* The rounding "single" is defined for multipliers below 2 to this power. */
enum { QN_SINGLE_MAX_SHIFT = 8 };
/* Maximum shift of the rounding "once". */
enum { QN_ONCE_MAX_SHIFT = 30 };
/* Rejects a multiplier for which `rounding` is "once" and not defined. */
qn_status qn_plan_check_once(qn_planner *p, const qn_op *op, qn_requant_rounding rounding,
                             double real);
/* What is wrong with a multiplier of the rounding "once" or "double" that an op has as attributes;
 * NULL if nothing is. */
const char *qn_plan_once_problem(qn_requant_rounding rounding, qn_multiplier multiplier);

/* ---- float activations with 8-bit weights (hybrid.c) ---- */

bool qn_plan_is_hybrid(const qn_planner *p, const qn_op *op);
qn_status qn_plan_hybrid(qn_planner *p, const qn_op *op, qn_plan *out);

/* ---- rescaling (rescale.c) ---- */

/* Plans x * real in the quantization of y, as ml.integer_rescale. */
qn_status qn_plan_rescale_of(qn_planner *p, const qn_op *op, const qn_plan_tensor *x,
                             const qn_plan_tensor *y, double real, qn_plan *out);
qn_plan_write_fn qn_plan_write_rescale;

/* ---- functions of 16 bits (lut16.c) ---- */

/* Plans 16-bit ml.sigmoid and ml.tanh; the second function plans 16-bit ml.softmax. */
qn_status qn_plan_lut16_of(qn_planner *p, const qn_op *op, const qn_plan_tensor *x,
                           const qn_plan_tensor *y, qn_plan *out);
qn_status qn_plan_softmax16_of(qn_planner *p, const qn_op *op, const qn_plan_tensor *x,
                               const qn_plan_tensor *y, qn_plan *out);
qn_plan_write_fn qn_plan_write_lut16, qn_plan_write_softmax16;

/* ---- ops with states (recurrent.c) ---- */

/* Reads a symmetric 8-bit constant, or one of the given widths. */
qn_status qn_plan_symmetric_weights(qn_planner *p, const qn_op *op, uint32_t operand,
                                    uint32_t widths, qn_plan_tensor *out);
qn_status qn_plan_signed8(qn_planner *p, const qn_op *op, const qn_value *value, const char *role,
                          qn_plan_tensor *out);
/* Checks that the operand and the result of a state have equal quantization, because they share
 * memory. */
qn_status qn_plan_same_state(qn_planner *p, const qn_op *op, uint32_t operand, uint32_t result);
qn_status qn_plan_i32_bias(qn_planner *p, const qn_op *op, uint32_t operand);
qn_status qn_plan_multiplier_of(qn_planner *p, const qn_op *op, double real, qn_multiplier *out);
/* Builds the op's integer form with all its results. */
qn_value *qn_plan_build_states(qn_planner *p, qn_builder *b, const qn_op *op,
                               qn_value *const *operands, uint32_t operand_count,
                               const qn_named_attr *attrs, uint32_t attr_count);
#define QN_PLAN_NAMED(name, value)                                                                 \
  { qn_str_of(name), value }
#define QN_PLAN_OUTPUT(cx, multiplier, output)                                                     \
  QN_PLAN_NAMED("multiplier", qn_attr_i64(cx, (multiplier).mantissa)),                             \
      QN_PLAN_NAMED("shift", qn_attr_i64(cx, (multiplier).shift)),                                 \
      QN_PLAN_NAMED("output_zero_point", qn_attr_i64(cx, (output).zero_point)),                    \
      QN_PLAN_NAMED("min", qn_attr_i64(cx, (output).min)),                                         \
      QN_PLAN_NAMED("max", qn_attr_i64(cx, (output).max))

/* ---- attributes of the integer stage (attributes.c) ---- */

/* Returns NULL on success, else the error. */
const char *qn_plan_read_i32(qn_planner *p, const qn_op *op, qn_attr_id id, int64_t lo, int64_t hi,
                             int32_t *out_value);
/* Reads a zero point; its range keeps differences of 8-bit values far below 32 bits. */
const char *qn_plan_read_zero_point(qn_planner *p, const qn_op *op, qn_attr_id id,
                                    int32_t *out_value);
const char *qn_plan_read_multiplier(qn_planner *p, const qn_op *op, qn_attr_id mantissa,
                                    qn_attr_id shift, qn_multiplier *out_multiplier);
/* Reads the attributes "output_zero_point", "min", "max". */
const char *qn_plan_read_output(qn_planner *p, const qn_op *op, qn_plan_output *out);
const char *qn_plan_bad(qn_planner *p, const char *format, ...) QN_PRINTF(2, 3);
/* In a function that reads a plan: returns the error of `call`, if there is one. */
#define QN_PLAN_READ(call)                                                                         \
  do {                                                                                             \
    const char *problem_ = (call);                                                                 \
    if (problem_) return problem_;                                                                 \
  } while (0)

/* Builds the op that the planner's table entry names, with these operands and attributes. */
static inline qn_value *qn_plan_build(const qn_planner *p, qn_builder *b, const qn_op *op,
                                      qn_value *const *operands, uint32_t operand_count,
                                      const qn_attr_arg *attrs) {
  return qn_build_1(b, p->record->integer, op->results[0].type, operands, operand_count, attrs);
}

#endif
