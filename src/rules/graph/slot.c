/* Reads the slots of a form: turns an operand or attribute of an op into an operand of the rule
 * language.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "ir/types/quant_at.h"
#include "rules/graph/graph.h"

const qn_rule_range qn_rule_activations[QN_ACT_COUNT] = {
    [QN_ACT_NONE] = {-(double)INFINITY, (double)INFINITY},
    [QN_ACT_RELU] = {0, (double)INFINITY},
    [QN_ACT_RELU6] = {0, 6},
    [QN_ACT_RELU_N1_TO_1] = {-1, 1},
    [QN_ACT_FINITE] = {-(double)FLT_MAX, (double)FLT_MAX},
};

enum { MOST = 2 * QN_RULE_MAX_RANK };

typedef struct reading {
  qn_rule_graph *graph;
  const qn_op *op;
  const qn_rule_slot *slot;
  uint32_t rest;     /* index within the operands of a REST slot */
  qn_i64s list;      /* value of an attribute that is a list */
  qn_rule_dims dims; /* map from the dimensions that rules see to those of operand 0 */
} reading;

static bool shape(const reading *r, const double *sizes, uint32_t count,
                  qn_rule_operand *out_operand) {
  *out_operand = qn_rule_shape_node(r->graph, sizes, count);
  return true;
}

static bool numbers(const reading *r, const double *values, uint32_t count, bool real,
                    qn_rule_operand *out_operand) {
  *out_operand = qn_rule_numbers_node(r->graph, values, count, real);
  return true;
}

/* ---- operands ---- */

static bool read_value(const reading *r, qn_rule_operand *out_operand) {
  uint32_t at = r->slot->operand + r->rest;
  if (at >= r->op->operand_count) return false;
  qn_value *value = qn_op_operand(r->op, at);
  qn_rule_dims dims;
  if (value->type->kind != QN_TYPE_TENSOR || !value->type->shaped.ranked ||
      !qn_rule_layout_dims(r->slot->layout, value->type->shaped.rank, &dims))
    return false;
  *out_operand = qn_rule_operand_of(r->graph, value, r->slot->layout);
  return true;
}

static bool read_through(const reading *r, qn_rule_operand *out_operand) {
  const qn_op *below = qn_op_operand(r->op, r->slot->operand)->op;
  if (!below || below->kind != r->op->kind) return false;
  *out_operand = qn_rule_operand_of(r->graph, qn_op_operand(below, 0), QN_RULE_NATURAL);
  return true;
}

static bool read_below(const reading *r, qn_rule_operand *out_operand) {
  const qn_op *below = qn_op_operand(r->op, 0)->op;
  if (!below || r->slot->operand >= below->operand_count) return false;
  *out_operand =
      qn_rule_operand_of(r->graph, qn_op_operand(below, r->slot->operand), QN_RULE_NATURAL);
  return true;
}

/* ---- shapes ---- */

static bool read_pair(const reading *r, qn_rule_operand *out_operand) {
  if (r->list.count != 2) return false;
  return shape(r, (const double[]){1, (double)r->list.data[0], (double)r->list.data[1], 1}, 4,
               out_operand);
}

static bool read_list(const reading *r, qn_rule_operand *out_operand) {
  double sizes[MOST];
  if (r->list.count > QN_RULE_MAX_RANK) return false;
  for (uint32_t i = 0; i < r->list.count; i++) sizes[i] = (double)r->list.data[i];
  return shape(r, sizes, r->list.count, out_operand);
}

static bool read_begin(const reading *r, qn_rule_operand *out_operand) {
  double sizes[MOST];
  for (uint32_t i = 0; i < r->dims.rank; i++)
    sizes[i] = r->dims.of[i] < 0 ? 0 : (double)r->list.data[r->dims.of[i]];
  return shape(r, sizes, r->dims.rank, out_operand);
}

static bool read_shape_of(const reading *r, qn_rule_operand *out_operand) {
  qn_rule_definition d;
  double sizes[MOST];
  if (!qn_rule_define(&r->graph->arena, r->op->results[0].type, QN_RULE_NATURAL, &d)) return false;
  for (uint32_t i = 0; i < d.rank; i++) sizes[i] = (double)d.sizes[i];
  return shape(r, sizes, d.rank, out_operand);
}

/* ---- constants ---- */

/* Number of dimensions of size 1 that rules see before those of operand 0. */
static uint32_t ones_of(const reading *r) {
  return r->dims.rank - qn_op_operand(r->op, 0)->type->shaped.rank;
}

static bool read_axis(const reading *r, qn_rule_operand *out_operand) {
  double axis = (double)(qn_op_read_i64(r->op, r->slot->attr) + ones_of(r));
  return numbers(r, &axis, 1, false, out_operand);
}

static bool read_permutation(const reading *r, qn_rule_operand *out_operand) {
  double perm[MOST];
  uint32_t ones = ones_of(r);
  for (uint32_t i = 0; i < r->dims.rank; i++)
    perm[i] = i < ones ? i : (double)(r->list.data[i - ones] + ones);
  return numbers(r, perm, r->dims.rank, false, out_operand);
}

static bool read_pads(const reading *r, qn_rule_operand *out_operand) {
  double pads[MOST] = {0};
  uint32_t ones = ones_of(r);
  for (uint32_t i = 0; i < r->list.count && 2 * ones + i < MOST; i++)
    pads[2 * ones + i] = (double)r->list.data[i];
  return numbers(r, pads, 2 * r->dims.rank, false, out_operand);
}

static bool read_border(const reading *r, qn_rule_operand *out_operand) {
  const qn_type *element = qn_type_element(r->op->results[0].type);
  const qn_quant_uniform *q = qn_type_quant(element);
  double real = 0;
  if (qn_op_find(r->op, r->slot->attr)) {
    if (q && q->count != 1) return false;
    real = (double)qn_op_read_i64(r->op, r->slot->attr);
    if (q) real = (real - (double)q->zero_points[0]) * q->scales[0];
  }
  return numbers(r, &real, 1, true, out_operand);
}

static bool read_number(const reading *r, qn_rule_operand *out_operand) {
  double number = qn_op_read_float(r->op, r->slot->attr);
  return numbers(r, &number, 1, true, out_operand);
}

static bool read_real(const reading *r, qn_rule_operand *out_operand) {
  return numbers(r, &r->slot->number, 1, true, out_operand);
}

static bool read_low(const reading *r, qn_rule_operand *out_operand) {
  return numbers(r, &qn_rule_activations[qn_op_activation(r->op)].low, 1, true, out_operand);
}

static bool read_high(const reading *r, qn_rule_operand *out_operand) {
  return numbers(r, &qn_rule_activations[qn_op_activation(r->op)].high, 1, true, out_operand);
}

/* ---- the table ---- */

static bool (*const readers[QN_RULE_SLOT_INPUTS])(const reading *r,
                                                  qn_rule_operand *out_operand) = {
    [QN_RULE_SLOT_VALUE] = read_value,
    [QN_RULE_SLOT_THROUGH] = read_through,
    [QN_RULE_SLOT_BELOW] = read_below,
    [QN_RULE_SLOT_REST] = read_value,
    [QN_RULE_SLOT_PAIR] = read_pair,
    [QN_RULE_SLOT_LIST] = read_list,
    [QN_RULE_SLOT_BEGIN] = read_begin,
    [QN_RULE_SLOT_SIZE] = read_shape_of,
    [QN_RULE_SLOT_NEW_SHAPE] = read_shape_of,
    [QN_RULE_SLOT_AXIS] = read_axis,
    [QN_RULE_SLOT_PERMUTATION] = read_permutation,
    [QN_RULE_SLOT_PADS] = read_pads,
    [QN_RULE_SLOT_BORDER] = read_border,
    [QN_RULE_SLOT_NUMBER] = read_number,
    [QN_RULE_SLOT_REAL] = read_real,
    [QN_RULE_SLOT_LOW] = read_low,
    [QN_RULE_SLOT_HIGH] = read_high,
};

bool qn_rule_slot_read(qn_rule_graph *graph, const qn_op *op, const qn_rule_slot *slot,
                       uint32_t rest, qn_rule_operand *out_operand) {
  reading r = {.graph = graph, .op = op, .slot = slot, .rest = rest};
  QN_ASSERT(slot->kind < QN_RULE_SLOT_INPUTS && readers[slot->kind]);
  if (op->operand_count == 0) return false;
  const qn_type *x = qn_op_operand(op, 0)->type;
  if (x->kind != QN_TYPE_TENSOR || !x->shaped.ranked ||
      !qn_rule_layout_dims(QN_RULE_NATURAL, x->shaped.rank, &r.dims))
    return false;
  if (slot->attr && qn_attr_decls[slot->attr].kind == QN_SPEC_I64S)
    r.list = qn_op_read_i64s(op, slot->attr);
  return readers[slot->kind](&r, out_operand);
}

static bool is_plane(const qn_op *op, qn_i64s list) {
  const qn_type *x = qn_op_operand(op, 0)->type;
  return x->shaped.rank == 4 && list.count == 2 && list.data[0] == x->shaped.dims[1] &&
         list.data[1] == x->shaped.dims[2];
}

/* Whether `pads` adds elements only after the last dimension, with the default padding value. */
static bool is_fill(const qn_op *op, qn_i64s pads) {
  uint32_t rank = qn_op_operand(op, 0)->type->shaped.rank;
  if (qn_pad_names_border(op) || pads.count != 2 * rank) return false;
  for (uint32_t i = 0; i + 1 < pads.count; i++)
    if (pads.data[i] != 0) return false;
  return true;
}

bool qn_rule_slot_holds(const qn_op *op, const qn_rule_slot *slot) {
  if (slot->kind <= QN_RULE_SLOT_INPUTS || slot->kind == QN_RULE_SLOT_ANY) return true;
  if (slot->kind == QN_RULE_SLOT_LAST)
    return qn_op_read_i64(op, slot->attr) + 1 == qn_op_operand(op, 0)->type->shaped.rank;
  if (qn_attr_decls[slot->attr].kind != QN_SPEC_I64S)
    return (double)qn_op_read_i64(op, slot->attr) == slot->number;
  qn_i64s list = qn_op_read_i64s(op, slot->attr);
  if (slot->kind == QN_RULE_SLOT_PLANE) return is_plane(op, list);
  if (slot->kind == QN_RULE_SLOT_FILL) return is_fill(op, list);
  for (uint32_t i = 0; i < list.count; i++)
    if ((double)list.data[i] != slot->number) return false;
  return true;
}
