/* Conversion of values between layouts, and folding of constants that are only moved.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "eval/fold.h"
#include "ir/types/float_format.h"
#include "rules/rewrite/build.h"

/* ---- constants ---- */

/* Address computation of a movement: index of element 0 of the result in the operand, and the step
 * in the operand per dimension of the result. */
typedef struct moving {
  int64_t base, steps[QN_RULE_MAX_RANK];
} moving;

static void row_major(const qn_type *type, int64_t *out_steps) {
  int64_t step = 1;
  for (uint32_t i = type->shaped.rank; i-- > 0; step *= type->shaped.dims[i]) out_steps[i] = step;
}

static bool moving_of(const qn_op *op, moving *m) {
  const qn_type *x = qn_op_operand(op, 0)->type;
  int64_t steps[QN_RULE_MAX_RANK] = {0};
  qn_i64s perm = qn_op_perm(op), begin = qn_op_begin(op), stride = qn_op_stride(op);
  *m = (moving){0};
  if (op->kind == QN_OP_ML_RESHAPE) {
    row_major(op->results[0].type, m->steps);
    return true;
  }
  row_major(x, steps);
  for (uint32_t i = 0; i < perm.count; i++) m->steps[i] = steps[perm.data[i]];
  for (uint32_t i = 0; i < begin.count; i++) {
    m->base += begin.data[i] * steps[i];
    m->steps[i] = stride.data[i] * steps[i];
  }
  return perm.count == x->shaped.rank || begin.count == x->shaped.rank;
}

static void copy_moved(const moving *m, const qn_type *to, const uint8_t *from, size_t size,
                       uint8_t *data) {
  int64_t index[QN_RULE_MAX_RANK] = {0}, at = m->base, count = qn_type_elements(to);
  for (int64_t k = 0; k < count; k++) {
    memcpy(data + (size_t)k * size, from + (size_t)at * size, size);
    for (uint32_t i = to->shaped.rank; i-- > 0;) {
      at += m->steps[i];
      if (++index[i] < to->shaped.dims[i]) break;
      at -= m->steps[i] * index[i];
      index[i] = 0;
    }
  }
}

/* Pads a constant with zeros, or with the zero point if it is quantized. */
static bool fold_padded(qn_arena *scratch, const qn_op *op, const qn_attr *value,
                        qn_bytes *out_bytes) {
  const qn_type *x = qn_op_operand(op, 0)->type, *y = op->results[0].type;
  const qn_quant_uniform *q = qn_type_quant(x);
  qn_i64s pads = qn_op_pad(op);
  size_t size = qn_type_bytes(qn_type_element(y)), count = (size_t)qn_type_elements(y);
  bool zeros = !q || q->count == 1 || q->zero_points[0] == 0;
  for (uint32_t i = 1; q && i < q->count; i++) zeros &= q->zero_points[i] == q->zero_points[0];
  if (qn_pad_names_border(op) || !zeros || pads.count != 2 * x->shaped.rank ||
      size > sizeof(int64_t))
    return false;
  uint8_t *data = qn_arena_array(scratch, count + 1, size);
  int64_t zero = q ? q->zero_points[0] : 0, steps[QN_RULE_MAX_RANK], index[QN_RULE_MAX_RANK] = {0};
  int64_t at = 0, have = qn_type_elements(x);
  for (size_t k = 0; k < count; k++) memcpy(data + k * size, &zero, size);
  row_major(y, steps);
  for (uint32_t i = 0; i < x->shaped.rank; i++) at += pads.data[2 * i] * steps[i];
  for (int64_t k = 0; k < have; k++) {
    const uint8_t *from = value->dense.bytes.data + (value->dense.splat ? 0 : (size_t)k * size);
    memcpy(data + (size_t)at * size, from, size);
    for (uint32_t i = x->shaped.rank; i-- > 0;) {
      at += steps[i];
      if (++index[i] < x->shaped.dims[i]) break;
      at -= steps[i] * index[i];
      index[i] = 0;
    }
  }
  *out_bytes = (qn_bytes){data, count * size};
  return true;
}

bool qn_rule_fold_moved(qn_arena *scratch, const qn_op *op, qn_bytes *out_bytes) {
  const qn_attr *value = op->operand_count == 1 ? qn_value_literal(qn_op_operand(op, 0)) : NULL;
  bool moves = op->kind == QN_OP_ML_RESHAPE || op->kind == QN_OP_ML_TRANSPOSE ||
               op->kind == QN_OP_ML_SLICE_BY_INDEX;
  moving m;
  if (op->kind == QN_OP_ML_PAD && value) return fold_padded(scratch, op, value, out_bytes);
  if (!moves || !value || !moving_of(op, &m)) return false;
  const qn_type *to = op->results[0].type;
  size_t size = qn_type_bytes(qn_type_element(to)), count = (size_t)qn_type_elements(to);
  *out_bytes = value->dense.bytes;
  if (value->dense.splat) return true;
  uint8_t *data = qn_arena_array(scratch, count, size);
  copy_moved(&m, to, value->dense.bytes.data, size, data);
  *out_bytes = (qn_bytes){data, count * size};
  return true;
}

qn_value *qn_rule_stage_constant(qn_rule_staging *s, const qn_type *type, qn_bytes bytes) {
  qn_ir_context *cx = s->builder.cx;
  const qn_quant_uniform *q = qn_type_quant(type);
  const qn_type *stored = q ? qn_type_with_element(cx, type, q->storage) : type;
  const qn_attr *value = qn_attr_dense(cx, stored, bytes, false);
  qn_value *made =
      qn_build_1(&s->builder, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
  qn_array_push(&s->made, made->op);
  return made;
}

/* ---- numbers ---- */

static qn_value *build_numbers(qn_rule_staging *s, const qn_rule_gnode *node) {
  qn_ir_context *cx = s->builder.cx;
  const qn_type *element = node->real ? qn_type_float(cx, QN_F32) : qn_type_i(cx, 32);
  const qn_type *type = qn_type_tensor(cx, element, 1, (const int64_t[]){node->count});
  uint8_t *data = qn_arena_array(&s->graph->arena, node->count, 4);
  for (uint32_t i = 0; i < node->count; i++) {
    int32_t integer = node->real ? 0 : (int32_t)node->numbers[i];
    memcpy(data + 4 * (size_t)i, &integer, 4);
    if (node->real) qn_float_store(QN_F32, node->numbers[i], data + 4 * (size_t)i);
  }
  return qn_rule_stage_constant(s, type, (qn_bytes){data, 4 * (size_t)node->count});
}

/* ---- layouts ---- */

const qn_type *qn_rule_element_in(qn_rule_staging *s, const qn_type *element, int32_t axis,
                                  qn_rule_layout layout, uint32_t rank) {
  const qn_quant_uniform *q = qn_type_quant(element);
  qn_rule_dims dims;
  if (!q || q->scheme == QN_PER_LAYER) return element;
  bool seen = q->scheme == QN_PER_AXIS && axis >= 0 && qn_rule_layout_dims(layout, rank, &dims) &&
              (uint32_t)axis < dims.rank && dims.of[axis] >= 0;
  if (!seen) {
    (void)qn_rule_stage_fail(s, "RR0902", "the channels that have encodings are gone");
    return NULL;
  }
  qn_quant_uniform moved = *q;
  moved.axis = dims.of[axis];
  return qn_type_uniform(s->builder.cx, &moved);
}

/* Conversion between layouts: a transposition of the value's dimensions by `perm`, then a reshape
 * to `dims`. */
typedef struct passage {
  int64_t perm[QN_RULE_MAX_RANK];
  int64_t moved[QN_RULE_MAX_RANK]; /* sizes after the transposition */
  uint32_t rank;                   /* rank of the result */
  int64_t dims[QN_RULE_MAX_RANK];
  bool moves; /* the transposition is not the identity on the elements */
} passage;

static void plan_passage(const qn_type *type, const qn_rule_dims *from, const qn_rule_dims *to,
                         passage *p) {
  bool taken[QN_RULE_MAX_RANK] = {false};
  uint32_t count = 0, rank = type->shaped.rank;
  int64_t last = -1;
  for (uint32_t j = 0; j < p->rank; j++) {
    p->dims[j] = 1;
    for (uint32_t k = 0; k < to->rank; k++) {
      if (to->of[k] != (int32_t)j || from->of[k] < 0) continue;
      int64_t source = from->of[k];
      p->dims[j] = type->shaped.dims[source];
      taken[source] = true;
      p->perm[count++] = source;
      if (p->dims[j] == 1) continue;
      if (source < last) p->moves = true;
      last = source;
    }
  }
  for (uint32_t i = 0; i < rank; i++)
    if (!taken[i]) p->perm[count++] = i;
  for (uint32_t i = 0; i < rank; i++) p->moved[i] = type->shaped.dims[p->perm[i]];
}

static qn_value *build_movement(qn_rule_staging *s, qn_op_kind kind, qn_value *value,
                                const qn_type *element, uint32_t rank, const int64_t *dims,
                                const qn_attr *perm) {
  const qn_type *type = qn_type_tensor(s->builder.cx, element, rank, dims);
  qn_value *made =
      qn_build_1(&s->builder, kind, type, QN_VALUES(value), perm ? QN_ATTRS({"perm", perm}) : NULL);
  return qn_rule_stage_made(s, made);
}

/* The element type after a transposition in which dimension i of the result is dimension
 * perm[i]. */
static const qn_type *permuted_element(qn_ir_context *cx, const qn_type *element,
                                       const int64_t *perm, uint32_t rank) {
  const qn_quant_uniform *q = qn_type_quant(element);
  if (!q || q->scheme != QN_PER_AXIS) return element;
  qn_quant_uniform moved = *q;
  for (uint32_t i = 0; i < rank; i++)
    if (perm[i] == q->axis) moved.axis = (int32_t)i;
  return qn_type_uniform(cx, &moved);
}

static qn_value *pass(qn_rule_staging *s, qn_value *value, qn_rule_layout layout,
                      const qn_type *element, const passage *p) {
  qn_ir_context *cx = s->builder.cx;
  uint32_t rank = value->type->shaped.rank;
  if (p->moves) {
    const qn_type *between = permuted_element(cx, qn_type_element(value->type), p->perm, rank);
    value = build_movement(s, QN_OP_ML_TRANSPOSE, value, between, rank, p->moved,
                           qn_attr_i64s(cx, p->perm, rank));
  }
  (void)layout;
  const qn_type *wanted = qn_type_tensor(cx, element, p->rank, p->dims);
  if (!value || value->type == wanted) return value;
  return build_movement(s, QN_OP_ML_RESHAPE, value, element, p->rank, p->dims, NULL);
}

static qn_value *change_layout(qn_rule_staging *s, qn_value *value, qn_rule_layout from,
                               qn_rule_layout to) {
  static const uint32_t ranks[QN_RULE_LAYOUTS] = {4, 4, 4, 2, 2, 1};
  qn_rule_dims here, there;
  qn_rule_definition d;
  passage p = {.rank = ranks[to]};
  const qn_type *type = value->type;
  bool seen = qn_rule_layout_dims(from, type->shaped.rank, &here) && here.rank == 4 &&
              qn_rule_layout_dims(to, p.rank, &there) &&
              qn_rule_define(&s->graph->arena, type, from, &d);
  if (!seen) return (void)qn_rule_stage_fail(s, "RR0901", "an operand has no rank of 4"), NULL;
  for (uint32_t k = 0; k < there.rank; k++)
    if (there.of[k] < 0 && d.sizes[k] != 1)
      return (void)qn_rule_stage_fail(s, "RR0901", "dimension %u of an operand is %lld, not 1", k,
                                      (long long)d.sizes[k]),
             NULL;
  plan_passage(type, &here, &there, &p);
  const qn_type *element = qn_rule_element_in(s, qn_type_element(type), d.axis, to, p.rank);
  return element ? pass(s, value, to, element, &p) : NULL;
}

qn_value *qn_rule_stage_value(qn_rule_staging *s, qn_rule_operand operand, qn_rule_layout layout) {
  const qn_rule_gnode *node = qn_rule_gnode_of(operand);
  if (node->of == QN_RULE_OF_NUMBERS && layout == QN_RULE_NATURAL) return build_numbers(s, node);
  qn_value *value = qn_rule_value_of(operand);
  if (!value)
    return (void)qn_rule_stage_fail(s, "RR0903", "a shape stands where data is needed"), NULL;
  return node->layout == layout ? value : change_layout(s, value, node->layout, layout);
}

qn_value *qn_rule_stage_made(qn_rule_staging *s, qn_value *value) {
  qn_arena_mark mark = qn_arena_get_mark(&s->graph->arena);
  qn_op *op = value->op;
  const qn_type *type = value->type;
  const qn_attr *cast = NULL;
  qn_bytes bytes;
  bool folded = s->folder && qn_rule_fold_moved(&s->graph->arena, op, &bytes);
  if (s->folder && !folded && qn_op_has(op, QN_CAST) && qn_fold(s->folder, op, &cast)) {
    bytes = cast->dense.bytes;
    folded = true;
  }
  if (folded) {
    qn_op_erase(s->builder.module, op);
    value = qn_rule_stage_constant(s, type, bytes);
  } else {
    qn_array_push(&s->made, op);
  }
  qn_arena_rewind(&s->graph->arena, mark);
  return value;
}
