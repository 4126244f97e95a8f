/* Recognizes ops that widen constants: ml.dequantize_float, and the linalg.generic to which casts
 * of the quant dialect are lowered (src/ir/cast_form).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/attrs/affine.h"
#include "ir/generic.h"
#include "ir/op_attrs.h"
#include "ir/ops/linalg.h"
#include "lower/loops/narrow/narrow.h"

enum { CHANNEL, K, MAX_DIMS = 4, MAX_ZERO_POINT = 1 << 15 };

/* ---- numbers of a position ---- */

static int64_t index_of(const qn_narrow_grid *grid, int64_t channel, int64_t k) {
  const int64_t at[MAX_DIMS] = {channel,
                                k}; /* for convolutions, grids depend on the channel alone */
  int64_t index = 0;
  for (uint32_t d = 0; d < grid->map->result_count; d++)
    index = index * grid->type->shaped.dims[d] + qn_affine_eval(grid->map->results[d], at, NULL);
  return index;
}

double qn_narrow_scale(const qn_narrow_weights *w, int64_t channel, int64_t k) {
  const qn_narrow_grid *grid = &w->scales;
  return grid->values ? qn_dense_float(grid->values, index_of(grid, channel, k)) : grid->all;
}

int64_t qn_narrow_zero_point(const qn_narrow_weights *w, int64_t channel, int64_t k) {
  const qn_narrow_grid *grid = &w->zero_points;
  return grid->values ? qn_dense_int(grid->values, index_of(grid, channel, k)) : (int64_t)grid->all;
}

int64_t qn_narrow_stored(const qn_narrow_weights *w, int64_t channel, int64_t k) {
  QN_ASSERT(channel >= 0 && channel < w->channels && k >= 0 && k < w->depth);
  int64_t q = qn_dense_int(w->stored, channel * w->depth + k);
  return w->is_unsigned ? (uint8_t)q : q;
}

/* ---- blocks ---- */

/* Number of consecutive k with the same value of the expression; 0: all of them; -1: unknown. For
 * convolutions k is several dimensions, so it is unknown. */
static int64_t run_of(const qn_affine_expr *e) {
  if (e->kind == QN_AFFINE_CONST) return 0;
  if (e->kind == QN_AFFINE_DIM) return e->value == CHANNEL ? 0 : 1;
  bool divides = e->kind == QN_AFFINE_FLOORDIV && e->rhs->kind == QN_AFFINE_CONST;
  if (!divides || e->lhs->kind != QN_AFFINE_DIM || e->rhs->value < 1) return -1;
  return e->lhs->value == CHANNEL ? 0 : e->rhs->value;
}

/* Narrows `block` to positions that share an element of the grid. */
static bool join_block(const qn_narrow_weights *w, const qn_narrow_grid *grid, int64_t *block) {
  for (uint32_t d = 0; grid->values && d < grid->map->result_count; d++) {
    int64_t run = run_of(grid->map->results[d]);
    if (run < 0 || (run > 0 && w->is_window)) return false;
    if (run == 0 || run >= *block) continue;
    if (*block % run != 0) return false;
    *block = run;
  }
  return true;
}

/* ---- constants ---- */

static bool is_identity(const qn_affine_map *map, uint32_t loops) {
  if (map->result_count != loops) return false;
  for (uint32_t d = 0; d < loops; d++)
    if (map->results[d]->kind != QN_AFFINE_DIM || map->results[d]->value != d) return false;
  return true;
}

/* Reads constant integer weights of one byte each; false if `value` is not that. */
static bool read_stored(const qn_value *value, qn_narrow_weights *w) {
  const qn_type *type = value->type;
  w->stored = qn_value_constant(value);
  if (!w->stored || !qn_attr_is_elements(w->stored)) return false;
  if (type->shaped.rank != 2 && type->shaped.rank != MAX_DIMS) return false;
  const qn_type *element = qn_type_element(type);
  if (element->kind != QN_TYPE_INTEGER || element->integer.width != 8) return false;
  w->channels = type->shaped.dims[CHANNEL];
  if (qn_type_elements(type) < 1) return false;
  w->depth = qn_type_elements(type) / w->channels;
  w->block = w->depth;
  w->is_window = type->shaped.rank == MAX_DIMS;
  return true;
}

/* ---- the body of a linalg.generic ---- */

static bool is_kind(const qn_value *value, qn_op_kind kind) {
  return value->op && value->op->kind == kind;
}

/* Reads a scale or zero point of the body: an element of an input, or a constant. */
static bool read_number(const qn_op *generic, const qn_value *value, qn_narrow_grid *out) {
  const qn_block *body = qn_op_body(generic);
  *out = (qn_narrow_grid){0};
  if (value->block == body && !value->op) {
    if (value->index == 0 || value->index >= qn_generic_inputs(generic)) return false;
    const qn_value *input = qn_op_operand(generic, value->index);
    out->values = qn_value_constant(input);
    out->map = qn_generic_map(generic, value->index);
    out->type = input->type;
    return out->values && qn_attr_is_elements(out->values);
  }
  const qn_attr *constant = qn_value_constant(value);
  if (!constant) return false;
  bool real = constant->kind == QN_ATTR_FLOAT;
  if (!real && constant->kind != QN_ATTR_INTEGER) return false;
  out->all = real ? constant->number : (double)constant->integer;
  return true;
}

/* Whether `value` is the stored element, possibly extended; *out_unsigned: zero-extended. */
static bool read_element(const qn_op *generic, const qn_value *value, bool *out_unsigned) {
  bool zero_extended = is_kind(value, QN_OP_ARITH_EXTUI);
  if (zero_extended || is_kind(value, QN_OP_ARITH_EXTSI)) {
    value = qn_op_operand(value->op, 0);
    *out_unsigned = zero_extended;
  }
  return value->block == qn_op_body(generic) && !value->op && value->index == 0;
}

/* Reads the stored element minus its zero point, if there is one, as a wider integer. */
static bool read_difference(const qn_op *generic, const qn_value *value, qn_narrow_weights *w) {
  w->zero_points = (qn_narrow_grid){0};
  if (!is_kind(value, QN_OP_ARITH_SUBI)) return read_element(generic, value, &w->is_unsigned);
  return qn_type_element(value->type)->integer.width >= 16 &&
         read_number(generic, qn_op_operand(value->op, 1), &w->zero_points) &&
         read_element(generic, qn_op_operand(value->op, 0), &w->is_unsigned);
}

/* Whether the body yields f32(q - zero point) * scale. */
static bool read_body(const qn_op *generic, qn_narrow_weights *w) {
  const qn_value *y = qn_op_operand(qn_op_body(generic)->last, 0);
  if (!is_kind(y, QN_OP_ARITH_MULF) || !qn_type_is_float(y->type, QN_F32)) return false;
  for (uint32_t i = 0; i < 2; i++) {
    const qn_value *integer = qn_op_operand(y->op, i);
    bool is_unsigned = is_kind(integer, QN_OP_ARITH_UITOFP);
    if (!is_unsigned && !is_kind(integer, QN_OP_ARITH_SITOFP)) continue;
    const qn_value *difference = qn_op_operand(integer->op, 0);
    w->is_unsigned = is_unsigned;
    return !(is_unsigned && is_kind(difference, QN_OP_ARITH_SUBI)) &&
           read_difference(generic, difference, w) &&
           read_number(generic, qn_op_operand(y->op, 1 - i), &w->scales);
  }
  return false;
}

static bool all_parallel(const qn_op *generic) {
  const qn_attr *types = qn_op_find(generic, QN_A_ITERATOR_TYPES);
  for (uint32_t i = 0; i < types->array.count; i++)
    if (!qn_str_is(qn_iterator_kind(types->array.items[i]), "parallel")) return false;
  return true;
}

static bool read_generic(const qn_op *op, qn_narrow_weights *w) {
  uint32_t inputs = qn_generic_inputs(op);
  if (op->result_count != 1 || inputs < 1 || op->operand_count != inputs + 1) return false;
  uint32_t loops = qn_generic_loops(op);
  if (loops > MAX_DIMS || !all_parallel(op)) return false;
  if (!is_identity(qn_generic_map(op, 0), loops)) return false;
  if (!is_identity(qn_generic_map(op, inputs), loops)) return false;
  return read_stored(qn_op_operand(op, 0), w) && read_body(op, w);
}

static bool read_dequantize(const qn_op *op, qn_narrow_weights *w) {
  const qn_value *x = qn_op_operand(op, 0);
  if (!read_stored(x, w)) return false;
  w->is_unsigned = qn_type_is_unsigned(qn_type_element(x->type));
  w->scales = (qn_narrow_grid){.all = (float)qn_op_scale(op)};
  w->zero_points = (qn_narrow_grid){.all = (double)qn_op_zero_point(op)};
  return true;
}

/* Whether all differences from zero points are exact in f32. */
static bool zero_points_fit(const qn_narrow_weights *w) {
  for (int64_t c = 0; c < w->channels; c++)
    for (int64_t k = 0; k < w->depth; k += w->block) {
      int64_t zero = qn_narrow_zero_point(w, c, k);
      if (zero < -MAX_ZERO_POINT || zero > MAX_ZERO_POINT) return false;
      if (!w->zero_points.values) return true;
    }
  return true;
}

bool qn_narrow_read(const qn_value *weights, qn_narrow_weights *out) {
  *out = (qn_narrow_weights){0};
  const qn_op *op = weights->op;
  if (!op || !qn_type_is_float(qn_type_element(weights->type), QN_F32)) return false;
  bool read = op->kind == QN_OP_LINALG_GENERIC        ? read_generic(op, out)
              : op->kind == QN_OP_ML_DEQUANTIZE_FLOAT ? read_dequantize(op, out)
                                                      : false;
  return read && join_block(out, &out->scales, &out->block) &&
         join_block(out, &out->zero_points, &out->block) && zero_points_fit(out);
}
