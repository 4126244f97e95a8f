/* Requantization of constants, and of weights with block scales that can be expressed with one
 * scale per channel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/types/reexpress.h"

/* Upper bound of work, because a splat constant can claim any size. */
enum { MAX_ELEMENTS = 1 << 26 };

static const qn_type *stored_type(qn_ir_context *cx, const qn_type *tensor) {
  const qn_quant_uniform *q = qn_type_quant(tensor);
  qn_sign sign = q->is_signed ? QN_SIGNLESS : QN_UNSIGNED;
  const qn_type *element = qn_type_integer(cx, q->storage->integer.width, sign);
  return qn_type_with_element(cx, tensor, element);
}

const char *qn_reexpress_constant(qn_ir_context *cx, qn_arena *scratch, const qn_attr *value,
                                  qn_reexpression r, const qn_attr **out_value,
                                  int64_t *out_element) {
  const qn_type *payload = stored_type(cx, r.to);
  int64_t count = qn_type_elements(r.to);
  *out_element = MAX_ELEMENTS;
  if (count > MAX_ELEMENTS) return "has too many elements to be re-expressed at compile time";
  size_t size = qn_type_bytes(qn_type_element(payload));
  uint8_t *bytes = QN_NEW_ARRAY(scratch, (size_t)count * size, uint8_t);
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
  *out_value = qn_attr_dense(cx, payload, (qn_bytes){bytes, (size_t)count * size}, false);
  return NULL;
}

static qn_quant_uniform int8_like(qn_ir_context *cx, const qn_quant_uniform *q) {
  qn_quant_uniform u = *q;
  u.is_signed = true;
  u.storage = qn_type_i(cx, 8);
  u.min = -128;
  u.max = 127;
  return u;
}

static const qn_type *widened_type(qn_ir_context *cx, qn_arena *scratch, const qn_type *type) {
  qn_quant_uniform u = int8_like(cx, qn_type_quant(type));
  u.zero_points = QN_NEW_ARRAY(scratch, u.count, int64_t);
  return qn_type_with_element(cx, type, qn_type_uniform(cx, &u));
}

/* A type with the smallest block scale per output channel, and zero point 0. */
static const qn_type *per_axis_type(qn_ir_context *cx, qn_arena *scratch, const qn_type *type,
                                    uint32_t axis) {
  int64_t channels = type->shaped.dims[axis], at[QN_REEXPRESS_MAX_RANK] = {0};
  double *scales = QN_NEW_ARRAY(scratch, (size_t)channels, double);
  int64_t *zeros = QN_NEW_ARRAY(scratch, (size_t)channels, int64_t);
  for (int64_t c = 0; c < channels; c++) scales[c] = INFINITY;
  do {
    qn_quant_cell cell;
    if (qn_quant_at(type, at, type->shaped.rank, &cell) != QN_OK) return NULL;
    if (cell.scale < scales[at[axis]]) scales[at[axis]] = cell.scale;
  } while (qn_next_coordinate(type, NULL, at));
  qn_quant_uniform u =
      int8_like(cx, &(qn_quant_uniform){.scheme = QN_PER_AXIS,
                                        .expressed = qn_type_quant(type)->expressed,
                                        .axis = (int32_t)axis,
                                        .count = (uint32_t)channels,
                                        .scales = scales,
                                        .zero_points = zeros});
  return qn_type_with_element(cx, type, qn_type_uniform(cx, &u));
}

const qn_attr *qn_weights_as_int8(qn_ir_context *cx, qn_arena *scratch, const qn_attr *value,
                                  const qn_type *type, uint32_t axis, bool biased,
                                  const qn_type **out_type) {
  const qn_quant_uniform *q = qn_type_quant(type);
  bool blocks = q->scheme == QN_SUB_CHANNEL && !biased;
  bool narrow = q->scheme != QN_SUB_CHANNEL && q->is_signed && q->storage->integer.width < 8;
  if ((!blocks && !narrow) || type->shaped.rank > QN_REEXPRESS_MAX_RANK ||
      qn_type_elements(type) > MAX_ELEMENTS)
    return NULL;
  *out_type = blocks ? per_axis_type(cx, scratch, type, axis) : widened_type(cx, scratch, type);
  qn_reexpression r = {.from = type, .to = *out_type, .exact = true};
  const qn_attr *result;
  int64_t unused;
  if (!*out_type || qn_reexpress_constant(cx, scratch, value, r, &result, &unused)) return NULL;
  return result;
}
