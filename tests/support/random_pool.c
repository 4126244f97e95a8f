/* Random operands: the pool of values, types, arguments and constants of random modules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/types/float_format.h"
#include "tests/support/recipes.h"

void qn_pool_add(qn_random_model *m, qn_value *value) {
  if (m->pool_count == QN_RANDOM_MAX_VALUES) { /* drop the oldest value */
    memmove(m->pool, m->pool + 1, (QN_RANDOM_MAX_VALUES - 1) * sizeof *m->pool);
    m->pool_count--;
  }
  m->pool[m->pool_count++] = value;
}

void qn_random_next_line(qn_random_model *m) {
  m->b.loc = qn_loc_file(&m->cx.diag, qn_str_of("random"), m->b.loc->line + 1, 1);
}

/* ---- types ---- */

const qn_type *qn_random_int_type(qn_random_model *m) {
  static const int64_t widths[] = {32, 8, 1, 64, 16, 4, 3, 5, 7, 12, 24, 31, 33, 48, 63, 2};
  uint64_t pick = qn_choose(&m->choices, QN_COUNT(widths) + 1);
  return pick < QN_COUNT(widths) ? qn_type_i(&m->cx, (uint32_t)widths[pick])
                                 : qn_type_index(&m->cx);
}

const qn_type *qn_random_float_type(qn_random_model *m) {
  static const qn_float_kind kinds[] = {QN_F32, QN_F16, QN_BF16, QN_F64};
  return qn_type_float(&m->cx, kinds[qn_choose(&m->choices, QN_COUNT(kinds))]);
}

const qn_type *qn_random_container(qn_random_model *m, const qn_type *element) {
  if (m->depth) return element;
  int64_t dims[8];
  memcpy(dims, m->dims, sizeof dims);
  switch (qn_choose(&m->choices, 6)) {
  case 0:
    return element;
  case 1: /* some of the sizes unknown */
    for (uint32_t i = 0; i < m->rank; i++)
      if (qn_random_between(m, 0, 1)) dims[i] = QN_DYNAMIC;
    break;
  case 2:
    if (element->kind == QN_TYPE_QUANT_UNIFORM) break; /* types with block scales need a rank */
    return qn_type_shaped(&m->cx, QN_TYPE_TENSOR, element, false, 0, NULL, NULL, NULL);
  default:
    break;
  }
  return qn_type_tensor(&m->cx, element, m->rank, dims);
}

static void fill_cells(qn_random_model *m, qn_quant_uniform *q, uint32_t count) {
  double *scales = QN_NEW_ARRAY(&m->cx.arena, count + 1, double);
  int64_t *zeros = QN_NEW_ARRAY(&m->cx.arena, count + 1, int64_t);
  for (uint32_t i = 0; i < count; i++) {
    scales[i] = qn_random_chance(m, 4) ? ldexp(1.0, (int)qn_random_between(m, -8, 4))
                                       : qn_random_real(m, 1e-4, 100.0);
    /* Scales of blocks are values of the expressed type. */
    scales[i] = qn_float_round(q->expressed->float_kind, scales[i]);
    zeros[i] = qn_random_chance(m, 2) ? 0 : qn_random_between(m, q->min, q->max);
    if (zeros[i] < q->min || zeros[i] > q->max) zeros[i] = q->min;
  }
  q->count = count, q->scales = scales, q->zero_points = zeros;
}

const qn_type *qn_random_uniform(qn_random_model *m, const qn_type *expressed,
                                 const qn_type *container) {
  static const int64_t widths[] = {8, 8, 16, 4, 32, 3, 12, 24};
  uint32_t width = (uint32_t)qn_random_pick(m, widths, QN_COUNT(widths));
  qn_quant_uniform q = {.is_signed = qn_random_between(m, 0, 1) == 0,
                        .storage = qn_type_i(&m->cx, width),
                        .expressed = expressed};
  qn_storage_range(width, q.is_signed, &q.min, &q.max);
  if (qn_random_chance(m, 4)) {
    q.min += qn_random_between(m, 0, 2);
    q.max -= qn_random_between(m, 0, 2);
  }
  uint32_t rank = container->kind == QN_TYPE_TENSOR && container->shaped.ranked ? m->rank : 0;
  bool empty = false;
  for (uint32_t i = 0; i < rank; i++) empty |= m->dims[i] == 0;
  uint64_t scheme = rank && !empty ? qn_choose(&m->choices, 3) : 0;
  q.scheme = scheme == 0 ? QN_PER_LAYER : scheme == 1 ? QN_PER_AXIS : QN_SUB_CHANNEL;
  if (q.scheme == QN_PER_LAYER) {
    fill_cells(m, &q, 1);
  } else if (q.scheme == QN_PER_AXIS) {
    q.axis = (int32_t)qn_random_between(m, 0, rank - 1);
    fill_cells(m, &q, (uint32_t)m->dims[q.axis]);
  } else { /* one blocked axis */
    int32_t axis = (int32_t)qn_random_between(m, 0, rank - 1);
    int64_t block = m->dims[axis] % 2 == 0 ? 2 : 1, grid[8];
    for (uint32_t i = 0; i < rank; i++) grid[i] = (int32_t)i == axis ? m->dims[i] / block : 1;
    q.grid_rank = rank, q.grid_dims = grid;
    q.block_count = 1, q.block_axes = &axis, q.block_sizes = &block;
    fill_cells(m, &q, (uint32_t)grid[axis]);
    return qn_type_uniform(&m->cx, &q);
  }
  return qn_type_uniform(&m->cx, &q);
}

/* ---- values ---- */

static int64_t int_value(qn_random_model *m, uint32_t width) {
  switch (qn_choose(&m->choices, 4)) {
  case 0:
    return qn_random_between(m, -3, 8);
  case 1: /* the limits of the type and their neighbours */
    return (qn_random_between(m, 0, 1) ? INT64_MAX : INT64_MIN) >> (64 - width);
  case 2:
    return qn_random_between(m, -128, 127);
  default:
    return (int64_t)qn_choose(&m->choices, 0);
  }
}

static double float_value(qn_random_model *m) {
  static const double special[] = {0.0,   -0.0,  1.0,      -1.0,      0.5,        -0.5,
                                   1.5,   2.5,   1e30,     -1e30,     3e9,        -3e9,
                                   65504, 1e-40, INFINITY, -INFINITY, (double)NAN};
  uint64_t pick = qn_choose(&m->choices, 4 * QN_COUNT(special));
  if (pick < QN_COUNT(special)) return special[pick];
  return (double)qn_random_between(m, -32768, 32767) / 256.0;
}

void qn_random_element(qn_random_model *m, const qn_type *element, uint8_t *at) {
  if (element->kind == QN_TYPE_FLOAT) {
    qn_float_store(element->float_kind, float_value(m), at);
    return;
  }
  const qn_quant_uniform *q = qn_type_quant(element);
  uint32_t width = q                                ? q->storage->integer.width
                   : element->kind == QN_TYPE_INDEX ? 64
                                                    : element->integer.width;
  int64_t x = int_value(m, width);
  if (q) {
    x = qn_low_bits(x, width, q->is_signed);
    x = x < q->min ? q->min : x > q->max ? q->max : x;
  } else {
    x = width == 1 ? x & 1 : qn_low_bits(x, width, true);
  }
  memcpy(at, &x, qn_type_bytes(element));
}

static qn_value *constant(qn_random_model *m, const qn_type *type, const qn_attr *value) {
  return qn_build_1(&m->b, QN_OP_ARITH_CONSTANT, type, NULL, 0, QN_ATTRS({"value", value}));
}

qn_value *qn_random_constant(qn_random_model *m, const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  uint32_t bytes = qn_type_bytes(element);
  if (type->kind == QN_TYPE_TENSOR) {
    size_t count = (size_t)qn_type_elements(type);
    uint8_t *data = QN_NEW_ARRAY(&m->cx.arena, count * bytes + 1, uint8_t);
    bool splat = qn_random_chance(m, 3);
    qn_choices decisions = m->choices; /* payloads must not use up the bytes of a fuzzer */
    uint64_t noise = qn_choose(&decisions, 65536);
    m->choices = qn_choices_of_seed(noise);
    for (size_t i = 0; i < count; i++) {
      if (i && splat)
        memcpy(data + i * bytes, data, bytes);
      else
        qn_random_element(m, element, data + i * bytes);
    }
    m->choices = decisions;
    return constant(m, type, qn_attr_dense(&m->cx, type, (qn_bytes){data, count * bytes}, false));
  }
  uint8_t data[16] = {0};
  qn_random_element(m, element, data);
  if (element->kind == QN_TYPE_FLOAT)
    return constant(m, type,
                    qn_attr_float(&m->cx, qn_float_load(element->float_kind, data), element));
  int64_t x = 0;
  memcpy(&x, data, bytes);
  if (bytes < 8) x = qn_low_bits(x, 8 * bytes, true);
  return constant(m, type, qn_attr_int(&m->cx, x, type));
}

qn_value *qn_random_index(qn_random_model *m, int64_t value) {
  return constant(m, qn_type_index(&m->cx), qn_attr_int(&m->cx, value, qn_type_index(&m->cx)));
}

qn_value *qn_random_fresh(qn_random_model *m, const qn_type *type) {
  bool full = m->depth || qn_op_body(m->func)->arg_count >= QN_RANDOM_MAX_ARGS;
  qn_value *value;
  if (!full && (qn_type_quant(type) || qn_random_between(m, 0, 2))) {
    value = qn_random_input(m, type);
  } else if (qn_type_quant(type)) {
    const qn_type *storage = qn_type_quant(type)->storage;
    const qn_type *stored =
        qn_type_is_shaped(type) ? qn_type_with_element(&m->cx, type, storage) : storage;
    value = qn_build_1(&m->b, QN_OP_QUANT_SCAST, type, QN_VALUES(qn_random_fresh(m, stored)), NULL);
  } else if (!qn_type_is_shaped(type) || qn_type_is_static(type)) {
    value = qn_random_constant(m, type);
  } else {
    const qn_type *known = qn_type_tensor(&m->cx, qn_type_element(type), m->rank, m->dims);
    value =
        qn_build_1(&m->b, QN_OP_TENSOR_CAST, type, QN_VALUES(qn_random_constant(m, known)), NULL);
  }
  qn_pool_add(m, value);
  return value;
}

qn_value *qn_pool_pick(qn_random_model *m, qn_type_predicate *fits, const qn_type *fresh) {
  if (m->pool_count && qn_random_between(m, 0, 3)) {
    uint32_t start = (uint32_t)qn_choose(&m->choices, m->pool_count);
    for (uint32_t i = 0; i < m->pool_count; i++) {
      qn_value *v = m->pool[(start + i) % m->pool_count];
      if (fits(v->type)) return v;
    }
  }
  return qn_random_fresh(m, fresh);
}

qn_value *qn_pool_of_type(qn_random_model *m, const qn_type *type) {
  if (m->pool_count && qn_random_between(m, 0, 3)) {
    uint32_t start = (uint32_t)qn_choose(&m->choices, m->pool_count);
    for (uint32_t i = 0; i < m->pool_count; i++) {
      qn_value *v = m->pool[(start + i) % m->pool_count];
      if (v->type == type) return v;
    }
  }
  return qn_random_fresh(m, type);
}
