/* ml.reexpress: constants are rewritten at compile time, in any scheme and width; 8-bit tensors of
 * one scale each take a table of all 256 results. Weights with scales per block go the same way.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "lower/integer/integer.h"

static qn_status fail(qn_integer *in, const qn_op *op, const char *problem) {
  return qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED, "'%.*s' has no integer form: %s",
                  QN_STR_ARG(op->name), problem);
}

/* A constant of one repeated value can claim any size; the work is bounded by this. */
enum { MAX_ELEMENTS = 1 << 26 };

const char *qn_integer_reexpressed(qn_integer *in, qn_op *op, const qn_attr *value,
                                   qn_reexpression r, qn_value **out_constant,
                                   int64_t *out_element) {
  const qn_type *storage = qn_integer_storage_element(in->cx, qn_type_element(r.to));
  int64_t count = qn_type_elements(r.to);
  *out_element = MAX_ELEMENTS;
  if (count > MAX_ELEMENTS) return "has too many elements to be re-expressed at compile time";
  size_t size = qn_type_bytes(storage);
  uint8_t *bytes = QN_NEW_ARRAY(in->scratch, (size_t)count * size, uint8_t);
  bool is_unsigned = !qn_type_quant(r.from)->is_signed;
  uint32_t unused = 64 - qn_type_quant(r.from)->storage->integer.width;
  for (int64_t i = 0; i < count; i++) {
    uint64_t bits = (uint64_t)qn_dense_int(value, i) << unused; /* i8 payload of a u8 type */
    int64_t stored = is_unsigned ? (int64_t)(bits >> unused) : (int64_t)bits >> unused, result;
    const char *problem = qn_reexpression_next(&r, stored, &result);
    *out_element = i;
    if (problem) return problem;
    for (size_t k = 0; k < size; k++)
      bytes[(size_t)i * size + k] = (uint8_t)((uint64_t)result >> 8 * k);
  }
  const qn_type *payload = qn_type_with_element(in->cx, r.to, storage);
  qn_builder b = qn_builder_before(in->module, op);
  qn_bytes view = {bytes, (size_t)count * size};
  const qn_attr *dense = qn_attr_dense(in->cx, payload, view, false);
  *out_constant = qn_build_1(&b, QN_OP_ML_CONST, r.to, NULL, 0, QN_ATTRS({"value", dense}));
  return NULL;
}

static qn_status lower_constant(qn_integer *in, qn_op *op, const qn_attr *value) {
  qn_value *constant;
  int64_t element;
  const char *problem =
      qn_integer_reexpressed(in, op, value, qn_reexpression_of(op), &constant, &element);
  if (problem)
    return qn_error(&in->cx->diag, op->loc, QN_INVALID, "'%.*s' op %s: element %lld",
                    QN_STR_ARG(op->name), problem, (long long)element);
  qn_integer_replace(in, op, constant);
  return QN_OK;
}

/* ---- scales per block ---- */

/* Per output channel the smallest scale of its blocks, zero point 0. */
static const qn_type *per_axis_type(qn_integer *in, const qn_type *type, uint32_t axis) {
  int64_t channels = type->shaped.dims[axis], at[QN_REEXPRESS_MAX_RANK] = {0};
  double *scales = QN_NEW_ARRAY(in->scratch, (size_t)channels, double);
  int64_t *zeros = QN_NEW_ARRAY(in->scratch, (size_t)channels, int64_t);
  for (int64_t c = 0; c < channels; c++) scales[c] = INFINITY;
  do {
    qn_quant_cell cell;
    if (qn_quant_at(type, at, type->shaped.rank, &cell) != QN_OK) return NULL;
    if (cell.scale < scales[at[axis]]) scales[at[axis]] = cell.scale;
  } while (qn_next_coordinate(type, NULL, at));
  qn_quant_uniform u = *qn_type_quant(type);
  u = (qn_quant_uniform){.scheme = QN_PER_AXIS,
                         .is_signed = true,
                         .storage = qn_type_i(in->cx, 8),
                         .expressed = u.expressed,
                         .min = -128,
                         .max = 127,
                         .axis = (int32_t)axis,
                         .count = (uint32_t)channels,
                         .scales = scales,
                         .zero_points = zeros};
  return qn_type_with_element(in->cx, type, qn_type_uniform(in->cx, &u));
}

bool qn_integer_blocks_to_axis(qn_integer *in, qn_op *op, uint32_t axis) {
  qn_value *weights = qn_op_operand(op, 1), *constant;
  if (qn_type_elements(weights->type) > MAX_ELEMENTS) return false;
  const qn_type *to = per_axis_type(in, weights->type, axis);
  qn_reexpression r = {.from = weights->type, .to = to, .exact = true};
  int64_t unused;
  if (!to || qn_integer_reexpressed(in, op, qn_value_constant(weights), r, &constant, &unused))
    return false;
  qn_op_set_operand(op, 1, constant);
  return true;
}

/* ---- the op ---- */

qn_status qn_integer_ml_reexpress(qn_integer *in, qn_op *op) {
  const qn_attr *value = qn_value_constant(qn_op_operand(op, 0));
  if (value) return lower_constant(in, op, value);
  qn_quant8 x, y;
  if (!qn_integer_quant8(in, op, qn_op_operand(op, 0), "the input", &x) ||
      !qn_integer_quant8(in, op, qn_op_result(op, 0), "the result", &y))
    return QN_UNSUPPORTED;
  qn_reexpression r = qn_reexpression_of(op);
  uint8_t table[256] = {0};
  for (int byte = 0; byte < 256; byte++) {
    int64_t stored = x.is_unsigned ? byte : (int8_t)byte, result;
    const char *problem = qn_reexpression_next(&r, stored, &result);
    bool possible = stored >= x.affine.min && stored <= x.affine.max;
    if (problem && possible) return fail(in, op, "a table can't report what the result can't hold");
    table[byte] = (uint8_t)result;
  }
  qn_builder b = qn_builder_before(in->module, op);
  qn_integer_replace(in, op,
                     qn_integer_lut(&b, qn_op_operand(op, 0), table, qn_op_result(op, 0)->type));
  return QN_OK;
}
