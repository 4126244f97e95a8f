/* Upstream's lowering of quant casts, op by op: it truncates, wraps, and has zero points as floats.
 * It exists for comparison and for pipelines that match these ops; otherwise use
 * qn_build_cast_form.
 *
 *   qcast: x / scale + zero point, converted to integer, clamped if the type has bounds
 *   dcast: (stored - zero point) * scale, all in the expressed type
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/quant/lower.h"

/* The shape of `like` with another element type. */
static const qn_type *with(const qn_emit *e, const qn_value *like, const qn_type *element) {
  if (!qn_type_is_shaped(like->type)) return element;
  return qn_type_with_element(e->cx, like->type, element);
}

static qn_value *to_float(qn_emit *e, qn_value *stored) {
  qn_op_kind kind = e->q->is_signed ? QN_OP_ARITH_SITOFP : QN_OP_ARITH_UITOFP;
  return qn_build_unary(&e->b, kind, stored, with(e, stored, e->q->expressed));
}

static qn_value *to_stored(qn_emit *e, qn_value *value) {
  qn_op_kind kind = e->q->is_signed ? QN_OP_ARITH_FPTOSI : QN_OP_ARITH_FPTOUI;
  return qn_build_unary(&e->b, kind, value, with(e, value, e->stored));
}

/* Broadcasts scalars to the shape of `like` if it is a tensor. */
typedef struct spread {
  qn_value *like;
  qn_value *sizes[QN_EMIT_MAX_RANK];
  uint32_t size_count;
} spread;

static qn_value *spread_over(qn_emit *e, const spread *s, qn_value *scalar) {
  if (!qn_type_is_shaped(s->like->type)) return scalar;
  qn_value *operands[1 + QN_EMIT_MAX_RANK] = {scalar};
  for (uint32_t i = 0; i < s->size_count; i++) operands[1 + i] = s->sizes[i];
  return qn_build_1(&e->b, QN_OP_TENSOR_SPLAT, with(e, s->like, scalar->type), operands,
                    1 + s->size_count, NULL);
}

static qn_value *clamp(qn_emit *e, const spread *s, qn_value *stored) {
  int64_t low, high;
  qn_storage_range(e->stored->integer.width, e->q->is_signed, &low, &high);
  if (e->q->min == low && e->q->max == high) return stored;
  qn_value *min = qn_emit_int(e, e->q->min, e->stored), *max = qn_emit_int(e, e->q->max, e->stored);
  min = spread_over(e, s, min);
  max = spread_over(e, s, max);
  bool is_signed = e->q->is_signed;
  stored = qn_build_binary(&e->b, is_signed ? QN_OP_ARITH_MAXSI : QN_OP_ARITH_MAXUI, stored, min);
  return qn_build_binary(&e->b, is_signed ? QN_OP_ARITH_MINSI : QN_OP_ARITH_MINUI, stored, max);
}

/* Emits a cast with one scale and zero point, of a scalar or a ranked tensor. */
static qn_value *per_layer(qn_emit *e, qn_value *x) {
  spread s = {.like = x};
  qn_value *scale = qn_emit_float(e, qn_emit_scale(e, 0), e->q->expressed);
  qn_value *zero_point = qn_emit_int(e, e->q->zero_points[0], e->stored);
  bool has_zero_point = e->q->zero_points[0] != 0;
  if (qn_type_is_shaped(x->type)) s.size_count = qn_emit_dynamic_sizes(e, x, s.sizes);
  scale = spread_over(e, &s, scale);
  qn_value *value =
      e->quantizes ? qn_build_binary(&e->b, QN_OP_ARITH_DIVF, x, scale) : to_float(e, x);
  if (has_zero_point) {
    zero_point = to_float(e, spread_over(e, &s, zero_point));
    qn_op_kind kind = e->quantizes ? QN_OP_ARITH_ADDF : QN_OP_ARITH_SUBF;
    value = qn_build_binary(&e->b, kind, value, zero_point);
  }
  if (!e->quantizes) return qn_build_binary(&e->b, QN_OP_ARITH_MULF, value, scale);
  return clamp(e, &s, to_stored(e, value));
}

/* Emits a cast with several scales and zero points, of a ranked tensor. */
static qn_value *per_grid(qn_emit *e, qn_value *x, uint32_t axis) {
  qn_value *scales = qn_emit_scales(e, e->q->expressed);
  qn_value *zero_points = qn_emit_zero_points(e, e->stored);
  qn_value *const grids[] = {scales, zero_points};
  const qn_attr *map = qn_emit_grid_map(e, x->type->shaped.rank, axis);
  const qn_type *element = e->quantizes ? e->stored : e->q->expressed;
  qn_op *generic = qn_emit_open(e, x, grids, 2, map, element);
  qn_value **args = qn_op_body(generic)->args, *value;
  if (e->quantizes) {
    value = qn_build_binary(&e->b, QN_OP_ARITH_DIVF, args[0], args[1]);
    value = qn_build_binary(&e->b, QN_OP_ARITH_ADDF, value, to_float(e, args[2]));
    value = clamp(e, &(spread){.like = args[0]}, to_stored(e, value));
  } else {
    value = to_float(e, args[0]);
    value = qn_build_binary(&e->b, QN_OP_ARITH_SUBF, value, to_float(e, args[2]));
    value = qn_build_binary(&e->b, QN_OP_ARITH_MULF, value, args[1]);
  }
  return qn_emit_close(e, generic, value);
}

qn_value *qn_lower_cast_as_upstream(qn_emit *e, qn_value *x) {
  bool per_axis = e->q->scheme == QN_PER_AXIS;
  if (qn_type_is_shaped(x->type) && !x->type->shaped.ranked) {
    qn_value *shape = qn_emit_shape(e, x);
    x = per_axis ? per_grid(e, qn_emit_collapse(e, x, shape), 1)
                 : per_layer(e, qn_emit_flatten(e, x, shape));
    return qn_emit_expand(e, x, shape);
  }
  if (e->q->scheme == QN_PER_LAYER) return per_layer(e, x);
  return per_grid(e, x, per_axis ? (uint32_t)e->q->axis : 0);
}
