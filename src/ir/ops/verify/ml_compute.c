/* Verifiers of ml ops with arithmetic, and of their integer forms, which have the same shapes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/infer/infer.h"
#include "quant/multiplier.h"

/* ---- channels ---- */

static bool is_integer_form(const qn_op *op) { return !qn_op_has(op, QN_MODEL_STAGE); }

/* Checks a constant shift operand: values in [-31, 32], the range of fixed.h. */
static bool check_shifts(qn_ir_context *cx, const qn_op *op, const qn_value *shift) {
  const qn_attr *payload = qn_value_constant(shift);
  if (!payload || !qn_attr_is_elements(payload)) return true;
  int64_t count = payload->dense.splat ? 1 : qn_type_elements(payload->type);
  for (int64_t i = 0; i < count; i++) {
    int64_t value = qn_dense_int(payload, i);
    if (value < -31 || value > 32) {
      return qn_op_complain(cx, op, "shift %lld of channel %lld is out of [-31, 32]",
                            (long long)value, (long long)i);
    }
  }
  return true;
}

static bool check_vector(qn_ir_context *cx, const qn_op *op, const char *what, const qn_type *type,
                         int64_t channels, bool element_ok) {
  if (element_ok && type->shaped.rank == 1 && type->shaped.dims[0] == channels) return true;
  return qn_op_complain(cx, op, "%s must have one value per output channel (%lld), but got %s",
                        what, (long long)channels, qn_type_quoted(cx, type));
}

static bool is_width(const qn_type *type, uint32_t width) {
  const qn_quant_uniform *q = qn_type_quant(type);
  return qn_type_is_int(q ? q->storage : qn_type_element(type), width);
}

/* Checks the shift operand, or with rounding "even" the offset that replaces it. */
static bool check_shift_operand(qn_ir_context *cx, const qn_op *op, bool even, int64_t channels) {
  const qn_type *type = qn_ml_in(op, 4), *element = qn_type_element(type);
  if (even)
    return check_vector(cx, op, "the f64 offset", type, channels,
                        qn_type_is_float(element, QN_F64));
  return check_vector(cx, op, "the i32 shift", type, channels, qn_is_i(element, 32)) &&
         check_shifts(cx, op, qn_op_operand(op, 4));
}

/* Bias, multiplier and shift. */
static bool check_channel_operands(qn_ir_context *cx, const qn_op *op, int64_t channels) {
  if (op->operand_count > 2) {
    const qn_type *bias = qn_ml_in(op, 2);
    bool words = qn_is_i(qn_type_element(qn_ml_in(op, 0)), 16);
    bool known =
        is_width(bias, 32) || (words && is_width(bias, 64)) ||
        (!is_integer_form(op) && (is_width(bias, 64) || qn_is_float(qn_type_element(bias))));
    if (!check_vector(cx, op, "the bias", bias, channels, known)) return false;
  }
  if (!is_integer_form(op)) return true;
  const qn_requant_rounding rounding = qn_op_requant_rounding(op);
  bool even = rounding == QN_REQUANT_EVEN, real = even || rounding == QN_REQUANT_REAL;
  const qn_type *multiplier = qn_ml_in(op, 3);
  const qn_type *element = qn_type_element(multiplier);
  bool known = real ? qn_type_is_float(element, QN_F64) : qn_is_i(element, 32);
  return check_vector(cx, op, real ? "the f64 multiplier" : "the i32 multiplier", multiplier,
                      channels, known) &&
         check_shift_operand(cx, op, even, channels);
}

static bool is_int16(const qn_type *type) { return qn_is_i(qn_type_element(type), 16); }

/* Checks the rounding of int64 and int32 accumulators to i16. */
static bool check_words_rounding(qn_ir_context *cx, const qn_op *op) {
  qn_requant_rounding rounding = qn_op_requant_rounding(op);
  bool wide = is_width(qn_ml_in(op, 2), 64);
  if (rounding == QN_REQUANT_REDUCED && !wide)
    return qn_op_complain(cx, op, "rounds \"reduced\" accumulators of 64 bits only");
  const bool once = rounding == QN_REQUANT_ONCE;
  if ((once || rounding == QN_REQUANT_DOUBLE) && wide)
    return qn_op_complain(cx, op, "rounds \"%s\" accumulators of 32 bits only",
                          once ? "once" : "double");
  bool known = once || rounding == QN_REQUANT_DOUBLE || rounding == QN_REQUANT_REAL ||
               rounding == QN_REQUANT_REDUCED;
  return known ||
         qn_op_complain(cx, op, "rounds to i16 \"double\", \"real\", \"reduced\" or \"once\"");
}

/* Checks element types of integer forms: activations of 8 bits, or i16 with zero point 0; weights
 * of 8 bits or, widened, i16. Only int64 accumulators use reduced multipliers. */
static bool check_integer_elements(qn_ir_context *cx, const qn_op *op) {
  if (!is_integer_form(op)) return true;
  const qn_type *x = qn_ml_in(op, 0), *weights = qn_ml_in(op, 1), *y = qn_ml_out(op);
  bool bytes = qn_ml_is_8bit(x) && qn_ml_is_8bit(y), words = is_int16(x) && is_int16(y);
  if (!(bytes || words) || !(qn_ml_is_8bit(weights) || is_int16(weights)))
    return qn_op_complain(cx, op, "takes 8-bit tensors, and weights of 8 bits or i16");
  if (words && (qn_op_input_zero_point(op) != 0 || qn_op_output_zero_point(op) != 0))
    return qn_op_complain(cx, op, "takes i16 with zero point 0 only");
  bool reduced = qn_op_requant_rounding(op) == QN_REQUANT_REDUCED;
  if (words) return check_words_rounding(cx, op);
  return !reduced || qn_op_complain(cx, op, "rounds \"reduced\" accumulators of 64 bits only");
}

/* Checks channel operands. Output channels are the last dimension of the inferred result, whatever
 * the layout of the weights. */
static bool verify_matrix(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op)) return false;
  const qn_type *y = qn_ml_out(op);
  bool ok = qn_check_inferred(cx, op);
  return (int)qn_ml_scalars(cx, op) &
         (ok && check_channel_operands(cx, op, y->shaped.dims[y->shaped.rank - 1]) &&
          check_integer_elements(cx, op));
}

bool qn_verify_ml_conv(qn_ir_context *cx, const qn_op *op) { return verify_matrix(cx, op); }

bool qn_verify_ml_linear(qn_ir_context *cx, const qn_op *op) { return verify_matrix(cx, op); }

static bool is_real(const qn_type *type) {
  return qn_type_quant(type) || qn_type_element(type)->kind == QN_TYPE_FLOAT;
}

bool qn_verify_ml_matmul(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  bool real = is_real(qn_ml_in(op, 0)) && is_real(qn_ml_in(op, 1)) && is_real(qn_ml_out(op));
  bool whole = qn_is_i(qn_type_element(qn_ml_in(op, 0)), 8) &&
               qn_is_i(qn_type_element(qn_ml_in(op, 1)), 8) &&
               qn_is_i(qn_type_element(qn_ml_out(op)), 32);
  return real || whole || qn_op_complain(cx, op, "takes quantized tensors or floats, or i8 to i32");
}

bool qn_verify_ml_integer_matmul(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  bool bytes = qn_ml_is_8bit(qn_ml_in(op, 0)) && qn_ml_is_8bit(qn_ml_in(op, 1)) &&
               qn_ml_is_8bit(qn_ml_out(op));
  qn_requant_rounding rounding = qn_op_requant_rounding(op);
  bool known = rounding == QN_REQUANT_DOUBLE || rounding == QN_REQUANT_SINGLE ||
               rounding == QN_REQUANT_EVEN || rounding == QN_REQUANT_ONCE;
  if (!known) return qn_op_complain(cx, op, "does not round in this way");
  return (int)qn_ml_scalars(cx, op) &
         (bytes || qn_op_complain(cx, op, "takes 8-bit tensors to an 8-bit tensor"));
}

/* ---- pooling, reduction, elementwise ---- */

static bool check_8bit_form(qn_ir_context *cx, const qn_op *op) {
  if (!is_integer_form(op)) return true;
  bool words = is_int16(qn_ml_out(op)), ok = words || qn_ml_is_8bit(qn_ml_out(op));
  for (uint32_t i = 0; i < op->operand_count; i++)
    ok &= words ? is_int16(qn_ml_in(op, i)) : qn_ml_is_8bit(qn_ml_in(op, i));
  return ok || qn_op_complain(cx, op, "takes 8-bit tensors to an 8-bit tensor");
}

/* Checks the rounding of products and means. */
static bool check_rounding(qn_ir_context *cx, const qn_op *op) {
  bool mean = op->kind == QN_OP_ML_INTEGER_MEAN;
  if (!mean && op->kind != QN_OP_ML_INTEGER_MUL) return true;
  qn_requant_rounding rounding = qn_op_requant_rounding(op);
  return rounding == QN_REQUANT_DOUBLE || rounding == QN_REQUANT_SINGLE ||
         (!mean && rounding == QN_REQUANT_ONCE) ||
         (mean && rounding == QN_REQUANT_UP && !is_int16(qn_ml_out(op))) ||
         qn_op_complain(cx, op, "does not round in this way");
}

bool qn_verify_ml_8bit_form(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  return (int)qn_ml_scalars(cx, op) & (check_8bit_form(cx, op) && check_rounding(cx, op));
}

static bool check_softmax(qn_ir_context *cx, const qn_op *op) {
  if (op->kind != QN_OP_ML_INTEGER_SOFTMAX) return true;
  bool wide =
      qn_is_i(qn_type_element(qn_ml_in(op, 0)), 8) && qn_is_i(qn_type_element(qn_ml_out(op)), 16);
  if (!wide && is_int16(qn_ml_out(op)))
    return qn_op_complain(cx, op, "takes 8-bit tensors to an 8-bit tensor, or i8 to i16");
  if (!wide && !check_8bit_form(cx, op)) return false;
  return qn_op_shift(op) >= 0 || qn_op_complain(cx, op, "needs a shift of 0 or more");
}

/* Checks quantize and dequantize at the integer stage, whose other side is f32. */
static bool check_float_side(qn_ir_context *cx, const qn_op *op) {
  bool quantize = op->kind == QN_OP_ML_QUANTIZE_FLOAT;
  if (!quantize && op->kind != QN_OP_ML_DEQUANTIZE_FLOAT) return true;
  const qn_type *real = quantize ? qn_ml_in(op, 0) : qn_ml_out(op);
  const qn_type *stored = quantize ? qn_ml_out(op) : qn_ml_in(op, 0);
  bool known = qn_ml_is_8bit(stored) || is_int16(stored);
  if (qn_type_is_float(qn_type_element(real), QN_F32) && known) return true;
  return qn_op_complain(cx, op, "converts between f32 and 8-bit or i16 tensors");
}

bool qn_verify_same_shape(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  return (int)qn_ml_scalars(cx, op) & (check_softmax(cx, op) && check_float_side(cx, op));
}

bool qn_verify_ml_rescale(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op) || !qn_ml_scalars(cx, op)) return false;
  if (qn_ml_is_stored(qn_ml_in(op, 0)) && qn_ml_is_stored(qn_ml_out(op))) return true;
  return qn_op_complain(cx, op, "takes tensors of 8, 16 or 32 bits");
}

bool qn_verify_ml_lut16(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  if (is_int16(qn_ml_in(op, 0)) && is_int16(qn_ml_out(op))) return true;
  return qn_op_complain(cx, op, "takes tensors of i16");
}

bool qn_verify_ml_softmax16(qn_ir_context *cx, const qn_op *op) {
  enum { ENTRIES = 513 };
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  bool ok = is_int16(qn_ml_in(op, 0)) && is_int16(qn_ml_out(op));
  for (uint32_t i = 1; i < 3; i++) {
    const qn_type *table = qn_ml_in(op, i);
    ok &= is_int16(table) && table->shaped.rank == 1 && table->shaped.dims[0] == ENTRIES;
  }
  return (ok || qn_op_complain(cx, op, "takes tensors of i16 and two tables of %d", ENTRIES)) &&
         qn_ml_double_or_once(cx, op);
}

bool qn_verify_ml_lut(qn_ir_context *cx, const qn_op *op) {
  enum { ENTRIES = 256 };
  if (!qn_ml_tensors(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, 0), *table = qn_ml_in(op, 1), *y = qn_ml_out(op);
  bool is_table = table->shaped.rank == 1 && table->shaped.dims[0] == ENTRIES;
  if (is_table && qn_ml_is_8bit(x) && qn_ml_is_8bit(table) && qn_ml_is_8bit(y) &&
      qn_same_shape(x, y)) {
    return true;
  }
  return qn_op_complain(cx, op, "takes an 8-bit tensor and a table of %d bytes to the same shape",
                        ENTRIES);
}
