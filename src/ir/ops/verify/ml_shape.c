/* Verifiers of ml constants and of ml ops that only move data.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/ml.h"

bool qn_verify_ml_const(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op)) return false;
  const qn_attr *value = qn_op_find(op, QN_A_VALUE);
  const qn_type *type = qn_ml_out(op);
  if (qn_attr_is_shaped(value)) {
    if (value->type == type) return true;
    /* Storage values of a quantized type: signless, or with its sign. */
    const qn_quant_uniform *q = qn_type_quant(type);
    const qn_type *element = qn_type_element(value->type);
    bool stored = q && qn_type_is_int(element, q->storage->integer.width);
    if (stored && value->type->kind == QN_TYPE_TENSOR && qn_same_shape(value->type, type)) {
      return true;
    }
  }
  return qn_op_complain(cx, op, "value must be dense elements of the result type or its storage");
}

static bool check_storage(qn_ir_context *cx, const qn_op *op, const qn_type *a, const qn_type *b) {
  if (qn_ml_same_storage(a, b)) return true;
  return qn_op_complain(cx, op, "moves elements of %s to %s", qn_type_quoted(cx, a),
                        qn_type_quoted(cx, b));
}

static bool check_shape(qn_ir_context *cx, const qn_op *op, const qn_type *type, uint32_t rank,
                        const int64_t *dims) {
  bool ok = type->shaped.rank == rank;
  for (uint32_t i = 0; ok && i < rank; i++) ok = type->shaped.dims[i] == dims[i];
  if (ok) return true;
  return qn_op_complain(cx, op, "result %s does not follow from operand and attributes",
                        qn_type_quoted(cx, type));
}

/* Tensors, and one storage for the first operand and the first result. */
static bool check_unary(qn_ir_context *cx, const qn_op *op) {
  return qn_ml_tensors(cx, op) && check_storage(cx, op, qn_ml_in(op, 0), qn_ml_out(op));
}

/* Whether `axes` names distinct dimensions of size 1 in `type` without which it has the shape of
 * `other`. */
static bool check_unit_axes(qn_ir_context *cx, const qn_op *op, const qn_type *type,
                            const qn_type *other) {
  qn_i64s axes = qn_op_axes(op);
  bool unit[QN_ML_MAX_RANK] = {false};
  for (uint32_t i = 0; i < axes.count; i++) {
    int64_t axis = axes.data[i];
    if (axis < 0 || axis >= type->shaped.rank || unit[axis] || type->shaped.dims[axis] != 1) {
      return qn_op_complain(cx, op, "axis %lld is no dimension of size 1 or is repeated",
                            (long long)axis);
    }
    unit[axis] = true;
  }
  int64_t dims[QN_ML_MAX_RANK];
  uint32_t rank = 0;
  for (uint32_t i = 0; i < type->shaped.rank; i++) {
    if (!unit[i]) dims[rank++] = type->shaped.dims[i];
  }
  return check_shape(cx, op, other, rank, dims);
}

bool qn_verify_same_elements(qn_ir_context *cx, const qn_op *op) {
  if (!check_unary(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, 0), *y = qn_ml_out(op);
  if (op->kind == QN_OP_ML_SQUEEZE) return check_unit_axes(cx, op, x, y);
  if (op->kind == QN_OP_ML_EXPAND_DIMS) return check_unit_axes(cx, op, y, x);
  if (qn_type_elements(x) == qn_type_elements(y)) return true;
  return qn_op_complain(cx, op, "has %lld elements as operand, but %lld as result",
                        (long long)qn_type_elements(x), (long long)qn_type_elements(y));
}

bool qn_verify_ml_pad(qn_ir_context *cx, const qn_op *op) {
  if (!check_unary(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, 0);
  if (!qn_ml_i64s(cx, op, QN_A_PAD, 2 * x->shaped.rank)) return false;
  qn_i64s pad = qn_op_pad(op);
  int64_t dims[QN_ML_MAX_RANK];
  for (uint32_t i = 0; i < x->shaped.rank; i++) {
    dims[i] = x->shaped.dims[i] + pad.data[2 * i] + pad.data[2 * i + 1];
  }
  int64_t value = qn_op_pad_value(op);
  if (value < INT32_MIN || value > INT32_MAX) {
    return qn_op_complain(cx, op, "pads with %lld, which is not stored in 32 bits",
                          (long long)value);
  }
  return check_shape(cx, op, qn_ml_out(op), x->shaped.rank, dims);
}

bool qn_verify_ml_transpose(qn_ir_context *cx, const qn_op *op) {
  if (!check_unary(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, 0);
  if (!qn_ml_i64s(cx, op, QN_A_PERM, x->shaped.rank)) return false;
  qn_i64s perm = qn_op_perm(op);
  bool seen[QN_ML_MAX_RANK] = {false};
  int64_t dims[QN_ML_MAX_RANK];
  for (uint32_t i = 0; i < perm.count; i++) {
    if (perm.data[i] >= perm.count || seen[perm.data[i]]) {
      return qn_op_complain(cx, op, "attribute 'perm' is no permutation");
    }
    seen[perm.data[i]] = true;
    dims[i] = x->shaped.dims[perm.data[i]];
  }
  return check_shape(cx, op, qn_ml_out(op), perm.count, dims);
}

/* ---- joining and cutting along an axis ---- */

/* The axis of the op, which `type` has; -1 after a complaint. */
static int64_t axis_of(qn_ir_context *cx, const qn_op *op, const qn_type *type) {
  int64_t axis = qn_op_axis(op);
  if (axis >= 0 && axis < type->shaped.rank) return axis;
  qn_op_complain(cx, op, "axis %lld is out of range", (long long)axis);
  return -1;
}

/* Storage and dimensions but the axis agree; its size is added to *sum. */
static bool check_part(qn_ir_context *cx, const qn_op *op, const qn_type *whole,
                       const qn_type *part, int64_t axis, int64_t *sum) {
  if (!check_storage(cx, op, part, whole)) return false;
  bool ok = part->shaped.rank == whole->shaped.rank;
  for (uint32_t i = 0; ok && i < part->shaped.rank; i++) {
    ok = (int64_t)i == axis || part->shaped.dims[i] == whole->shaped.dims[i];
  }
  if (!ok) {
    return qn_op_complain(cx, op, "%s and %s differ in more than the axis",
                          qn_type_quoted(cx, part), qn_type_quoted(cx, whole));
  }
  *sum += part->shaped.dims[axis];
  return true;
}

static bool check_sum(qn_ir_context *cx, const qn_op *op, int64_t sum, int64_t whole) {
  if (sum == whole) return true;
  return qn_op_complain(cx, op, "has parts of %lld along the axis, but the whole is %lld",
                        (long long)sum, (long long)whole);
}

bool qn_verify_ml_concat(qn_ir_context *cx, const qn_op *op) {
  if (op->operand_count == 0) return qn_op_complain(cx, op, "requires an operand");
  if (!qn_ml_tensors(cx, op)) return false;
  const qn_type *whole = qn_ml_out(op);
  int64_t sum = 0, axis = axis_of(cx, op, whole);
  if (axis < 0) return false;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    if (!check_part(cx, op, whole, qn_ml_in(op, i), axis, &sum)) return false;
  }
  return check_sum(cx, op, sum, whole->shaped.dims[axis]);
}

bool qn_verify_ml_split(qn_ir_context *cx, const qn_op *op) {
  if (op->result_count == 0) return qn_op_complain(cx, op, "requires a result");
  if (!qn_ml_tensors(cx, op)) return false;
  const qn_type *whole = qn_ml_in(op, 0);
  int64_t sum = 0, axis = axis_of(cx, op, whole);
  if (axis < 0) return false;
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (!check_part(cx, op, whole, op->results[i].type, axis, &sum)) return false;
  }
  return check_sum(cx, op, sum, whole->shaped.dims[axis]);
}

/* Elements from begin toward end, excluded, in steps; -1 for none and when a bound lies outside. */
static int64_t steps_of(int64_t begin, int64_t end, int64_t stride, int64_t dim) {
  bool inside = begin >= 0 && begin < dim && end >= -1 && end <= dim;
  if (!inside || stride == 0) return -1;
  int64_t distance = stride > 0 ? end - begin : begin - end;
  int64_t step = stride > 0 ? stride : -stride;
  return distance > 0 ? (distance + step - 1) / step : -1;
}

bool qn_verify_ml_slice(qn_ir_context *cx, const qn_op *op) {
  if (!check_unary(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, 0);
  uint32_t rank = x->shaped.rank;
  if (!qn_ml_i64s(cx, op, QN_A_BEGIN, rank) || !qn_ml_i64s(cx, op, QN_A_END, rank) ||
      !qn_ml_i64s(cx, op, QN_A_STRIDE, rank)) {
    return false;
  }
  qn_i64s begin = qn_op_begin(op), end = qn_op_end(op);
  qn_i64s stride = qn_op_stride(op);
  int64_t dims[QN_ML_MAX_RANK];
  for (uint32_t i = 0; i < rank; i++) {
    dims[i] = steps_of(begin.data[i], end.data[i], stride.data[i], x->shaped.dims[i]);
    if (dims[i] < 0) {
      return qn_op_complain(cx, op, "slices nothing, or outside of its input, in dimension %u", i);
    }
  }
  return check_shape(cx, op, qn_ml_out(op), rank, dims);
}
