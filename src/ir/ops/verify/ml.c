/* Helpers of the verifiers of the ml dialect: tensors and scalar attributes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/ml.h"

#include "ir/types/float_format.h"
#include "ir/weights.h"
#include "quant/multiplier.h"
#include "quant/range.h"

/* ---- tensors ---- */

static bool is_known_element(const qn_type *element) {
  if (element->kind == QN_TYPE_FLOAT) return qn_float_format_of(element->float_kind)->computes;
  if (element->kind == QN_TYPE_QUANT_UNIFORM) return true;
  uint32_t bits = qn_bit_width(element);
  return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static bool is_shape(const qn_type *type) {
  if (!type->shaped.ranked || type->shaped.rank > QN_ML_MAX_RANK) return false;
  for (uint32_t i = 0; i < type->shaped.rank; i++) {
    if (type->shaped.dims[i] < 0) return false;
  }
  return true;
}

bool qn_ml_is_shape(const qn_type *type) { return is_shape(type) && qn_type_elements(type) != 0; }

bool qn_ml_holds(const qn_type *type) {
  return type->kind == QN_TYPE_TENSOR && is_known_element(type->shaped.element) && is_shape(type);
}

/* Whether a zero point is valid for either 8-bit type. Weights whose bytes are read as the other
 * type keep their own zero point, which only enters a difference. */
static bool is_of_either_8bit_type(const qn_quant_uniform *q, int64_t zero_point) {
  return q->storage->integer.width == 8 && zero_point >= INT8_MIN && zero_point <= UINT8_MAX;
}

static bool check_quant(qn_ir_context *cx, const qn_op *op, const qn_type *type, bool weights) {
  const qn_quant_uniform *q = qn_type_quant(type);
  if (!q) return true;
  for (uint32_t i = 0; i < q->count; i++) {
    if (!(q->scales[i] > 0)) return qn_op_complain(cx, op, "has a scale that is not positive");
    int64_t min, max; /* of the storage type, not of a narrowed range */
    qn_storage_range(q->storage->integer.width, q->is_signed, &min, &max);
    bool inside = q->zero_points[i] >= min && q->zero_points[i] <= max;
    if (!inside && !(weights && is_of_either_8bit_type(q, q->zero_points[i]))) {
      return qn_op_complain(cx, op, "has the zero point %lld outside of its storage type",
                            (long long)q->zero_points[i]);
    }
  }
  return qn_verify_quant_shape(cx, op, type);
}

static bool check_tensor(qn_ir_context *cx, const qn_op *op, const char *what, uint32_t i,
                         const qn_type *type) {
  if (type->kind != QN_TYPE_TENSOR || !is_known_element(type->shaped.element)) {
    return qn_op_complain(cx, op, "%s #%u must be tensor of numbers, but got %s", what, i,
                          qn_type_quoted(cx, type));
  }
  bool is_constant =
      op->kind ==
      QN_OP_ML_CONST; /* a constant may have no elements, because nothing is computed with it */
  if (!(is_constant ? is_shape(type) : qn_ml_is_shape(type))) {
    return qn_op_complain(
        cx, op, "%s #%u must have at most %d static dimensions, none of them 0, but got %s", what,
        i, QN_ML_MAX_RANK, qn_type_quoted(cx, type));
  }
  bool weights = is_constant || (qn_op_has_weights(op) && i == 1);
  return check_quant(cx, op, type, weights);
}

bool qn_ml_tensors(qn_ir_context *cx, const qn_op *op) {
  bool ok = true;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    ok &= check_tensor(cx, op, "operand", i, qn_ml_in(op, i));
  }
  for (uint32_t i = 0; i < op->result_count; i++) {
    ok &= check_tensor(cx, op, "result", i, op->results[i].type);
  }
  return ok;
}

static const qn_type *storage_of(const qn_type *type) {
  const qn_quant_uniform *q = qn_type_quant(type);
  return q ? q->storage : qn_type_element(type);
}

bool qn_ml_same_storage(const qn_type *a, const qn_type *b) {
  const qn_type *x = qn_type_element(a), *y = qn_type_element(b);
  if (x == y) return true;
  return (qn_type_quant(a) != NULL) == (qn_type_quant(b) != NULL) &&
         storage_of(a)->kind == storage_of(b)->kind &&
         qn_bit_width(storage_of(a)) == qn_bit_width(storage_of(b)) &&
         qn_type_is_unsigned(x) == qn_type_is_unsigned(y) && x->kind != QN_TYPE_FLOAT;
}

bool qn_ml_is_8bit(const qn_type *type) { return qn_type_is_int(storage_of(type), 8); }

bool qn_ml_is_stored(const qn_type *type) {
  return qn_ml_is_8bit(type) || qn_is_i(storage_of(type), 16) || qn_is_i(storage_of(type), 32);
}

/* ---- attributes ---- */

bool qn_ml_i64s(qn_ir_context *cx, const qn_op *op, qn_attr_id id, uint32_t count) {
  qn_i64s values = qn_op_read_i64s(op, id);
  if (values.count == count) return true;
  return qn_op_complain(cx, op, "attribute '%s' has %u values, but %u are expected",
                        qn_attr_decls[id].name, values.count, count);
}

/* Whether the op's table row lists the attribute; other attributes of the name are the user's. */
static bool has_spec(const qn_op *op, qn_attr_id id) {
  for (const qn_attr_spec *spec = qn_op_info_of(op)->attrs; spec->id; spec++)
    if (spec->id == id) return true;
  return false;
}

static bool check_clamp(qn_ir_context *cx, const qn_op *op) {
  if (!has_spec(op, QN_A_MIN)) return true;
  const qn_type *out = qn_type_element(qn_ml_out(op));
  if (!qn_ml_is_stored(out)) return true;
  int64_t lo, hi, min = qn_op_min(op), max = qn_op_max(op);
  qn_storage_range(qn_bit_width(out), !qn_type_is_unsigned(out), &lo, &hi);
  if (min >= lo && min <= max && max <= hi) return true;
  return qn_op_complain(cx, op, "clamps to [%lld, %lld], which is not within [%lld, %lld]",
                        (long long)min, (long long)max, (long long)lo, (long long)hi);
}

/* Checks a zero point: for 8 bits, a stored value of either signedness. */
static bool check_zero_point(qn_ir_context *cx, const qn_op *op, qn_attr_id id,
                             const qn_type *type) {
  enum { LOW = -128, HIGH = 255 };
  int64_t value = qn_op_read_i64(op, id);
  if (!has_spec(op, id) || !qn_ml_is_8bit(type) || (value >= LOW && value <= HIGH)) return true;
  return qn_op_complain(cx, op, "attribute '%s' is %lld, out of [%d, %d]", qn_attr_decls[id].name,
                        (long long)value, LOW, HIGH);
}

bool qn_ml_scalars(qn_ir_context *cx, const qn_op *op) {
  double scale = qn_op_scale(op);
  bool ok = check_zero_point(cx, op, QN_A_OUTPUT_ZERO_POINT, qn_ml_out(op));
  if (op->operand_count) ok &= check_zero_point(cx, op, QN_A_INPUT_ZERO_POINT, qn_ml_in(op, 0));
  ok &= !has_spec(op, QN_A_SCALE) || (scale > 0 && scale <= 3.4028234663852886e38) ||
        qn_op_complain(cx, op, "attribute 'scale' must be positive and finite in f32");
  return (int)check_clamp(cx, op) & (int)ok;
}

bool qn_ml_double_or_once(qn_ir_context *cx, const qn_op *op) {
  const qn_requant_rounding rounding = qn_op_requant_rounding(op);
  return rounding == QN_REQUANT_DOUBLE || rounding == QN_REQUANT_ONCE ||
         qn_op_complain(cx, op, "does not round in this way");
}
