/* Attributes of an op that a rule builds, from the rule's operands: shapes, constants, and values
 * that the form fixes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "rules/rewrite/making.h"

typedef qn_rule_making making;
enum { MOST_LIST = 2 * QN_RULE_MAX_RANK };

bool qn_rule_making_fail(making *m, const char *format, ...) {
  va_list arguments;
  qn_text text = {0};
  va_start(arguments, format);
  qn_text_vformat(&text, format, arguments);
  va_end(arguments);
  (void)qn_rule_stage_fail(m->s, "RR0903", "\"%s\": %s", m->form->name, text.data);
  qn_text_deinit(&text);
  return false;
}

static bool add_attr(making *m, qn_attr_id id, const qn_attr *value) {
  m->attrs[m->attr_count++] = (qn_attr_arg){qn_attr_decls[id].name, value};
  return true;
}

static bool add_list(making *m, qn_attr_id id, const int64_t *values, uint32_t count) {
  return add_attr(m, id, qn_attr_i64s(m->s->builder.cx, values, count));
}

/* ---- data of operands ---- */

/* Reads a shape of `count` sizes, or of any number of sizes if `count` is 0. */
static bool take_shape(making *m, qn_rule_operand operand, uint32_t count, qn_rule_wanted *sizes) {
  const qn_rule_gnode *node = qn_rule_gnode_of(operand);
  if (node->of == QN_RULE_OF_NUMBERS || !qn_rule_sizes_of(m->s, operand, sizes))
    return qn_rule_making_fail(m, "an operand must be a shape");
  return count == 0 || sizes->rank == count
             ? true
             : qn_rule_making_fail(m, "a shape must have %u sizes", count);
}

/* Reads the `count` elements of a constant. */
static bool take_numbers(making *m, qn_rule_operand operand, uint32_t count, double *numbers) {
  const qn_rule_view *v = m->s->evaluation.view;
  if (v->constant_size(v->graph, operand) != (int64_t)count)
    return qn_rule_making_fail(m, "an operand must be a constant of %u", count);
  for (uint32_t i = 0; i < count; i++) numbers[i] = v->constant_at(v->graph, operand, i);
  return true;
}

static bool take_integers(making *m, qn_rule_operand operand, uint32_t count, int64_t *out) {
  double numbers[MOST_LIST] = {0};
  if (!take_numbers(m, operand, count, numbers)) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (!(fabs(numbers[i]) <= INT32_MAX) || floor(numbers[i]) != numbers[i])
      return qn_rule_making_fail(m, "a constant must be an integer, %g is none", numbers[i]);
    out[i] = (int64_t)numbers[i];
  }
  return true;
}

/* Converts values per dimension that rules see to values per dimension of operand 0. Where operand
 * 0 lacks a dimension, the value must be `one`; otherwise the construction fails. */
bool qn_rule_making_own_dims(making *m, const int64_t *seen, int64_t one, int64_t *out_dims) {
  QN_ASSERT(m->dims.rank <= QN_RULE_MAX_RANK);
  for (uint32_t i = 0; i < m->dims.rank; i++) {
    if (m->dims.of[i] >= 0)
      out_dims[m->dims.of[i]] = seen[i];
    else if (seen[i] != one)
      return qn_rule_making_fail(m, "dimension %u is %lld, where its operand has none", i,
                                 (long long)seen[i]);
  }
  return true;
}

/* ---- attributes ---- */

static bool write_pair(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  qn_rule_wanted sizes;
  if (!take_shape(m, operand, 4, &sizes)) return false;
  if (sizes.sizes[0] != 1 || sizes.sizes[3] != 1)
    return qn_rule_making_fail(m, "a step or window must be 1, rows, columns, 1");
  return add_list(m, slot->attr, &sizes.sizes[1], 2);
}

static bool write_list(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  qn_rule_wanted sizes;
  return take_shape(m, operand, 4, &sizes) && add_list(m, slot->attr, sizes.sizes, sizes.rank);
}

static bool write_begin(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  qn_rule_wanted sizes;
  m->slices = true;
  return take_shape(m, operand, m->dims.rank, &sizes) &&
         qn_rule_making_own_dims(m, sizes.sizes, 0, m->begin) &&
         add_list(m, slot->attr, m->begin, m->rank);
}

static bool write_size(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  qn_rule_wanted sizes;
  int64_t end[QN_RULE_MAX_RANK];
  const int64_t *have = m->values.data[0]->type->shaped.dims;
  if (!take_shape(m, operand, m->dims.rank, &sizes) ||
      !qn_rule_making_own_dims(m, sizes.sizes, 1, end))
    return false;
  if (m->wanted->any_size) memcpy(m->wanted->sizes, sizes.sizes, sizeof sizes.sizes);
  for (uint32_t i = 0; i < m->rank; i++) {
    if (m->begin[i] < 0 || end[i] < 1 || end[i] > have[i] || m->begin[i] > have[i] - end[i])
      return qn_rule_stage_fail(
          m->s, "RR0908",
          "a slice of %lld from %lld on is out of range: dimension %u of its operand has %lld",
          (long long)end[i], (long long)m->begin[i], i, (long long)have[i]);
    end[i] += m->begin[i];
  }
  return add_list(m, slot->attr, end, m->rank);
}

static bool write_new_shape(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  qn_rule_wanted sizes;
  (void)slot;
  if (!take_shape(m, operand, 0, &sizes)) return false;
  if (m->wanted->any_size) {
    m->wanted->rank = sizes.rank;
    memcpy(m->wanted->sizes, sizes.sizes, sizeof sizes.sizes);
  }
  bool same = sizes.rank == m->wanted->rank;
  for (uint32_t i = 0; same && i < sizes.rank; i++) same = sizes.sizes[i] == m->wanted->sizes[i];
  return same ? true : qn_rule_making_fail(m, "the new shape is not the size of the result");
}

static bool write_axis(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  int64_t axis = 0;
  if (!take_integers(m, operand, 1, &axis)) return false;
  int64_t own = axis - (m->dims.rank - m->rank);
  if (own < 0 || own >= m->rank)
    return qn_rule_making_fail(m, "there is no dimension %lld", (long long)axis);
  m->axis = own;
  return add_attr(m, slot->attr, qn_attr_i64(m->s->builder.cx, own));
}

static bool write_permutation(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  int64_t perm[MOST_LIST];
  int64_t ones = m->dims.rank - m->rank;
  if (!take_integers(m, operand, m->dims.rank, perm)) return false;
  for (int64_t i = 0; i < m->dims.rank; i++)
    if (i < ones ? perm[i] != i : (perm[i] -= ones) < 0)
      return qn_rule_making_fail(m, "the permutation moves a dimension that its operand has not");
  return add_list(m, slot->attr, perm + ones, m->rank);
}

static bool write_pads(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  int64_t seen[MOST_LIST], pads[MOST_LIST] = {0};
  if (!take_integers(m, operand, 2 * m->dims.rank, seen)) return false;
  for (uint32_t i = 0; i < 2 * m->dims.rank; i++) {
    int32_t own = m->dims.of[i / 2];
    if (own < 0 && seen[i] != 0)
      return qn_rule_making_fail(m, "a dimension that its operand has not is padded");
    if (own >= 0) pads[2 * (uint32_t)own + i % 2] = seen[i];
  }
  return add_list(m, slot->attr, pads, 2 * m->rank);
}

static bool write_border(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  const qn_quant_uniform *q = qn_type_quant(qn_type_element(m->values.data[0]->type));
  double real = 0;
  if (!take_numbers(m, operand, 1, &real)) return false;
  if (real == 0) return true; /* without a value, ml.pad pads with the zero point */
  if (q && q->count != 1) return qn_rule_making_fail(m, "the border has a code per channel");
  double code = q ? nearbyint(real / q->scales[0]) + (double)q->zero_points[0] : real;
  if (!(fabs(code) <= INT32_MAX) || code != floor(code))
    return qn_rule_making_fail(m, "the border can't be %g", real);
  return add_attr(m, slot->attr, qn_attr_i64(m->s->builder.cx, (int64_t)code));
}

static bool write_number(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  double number = 0;
  qn_ir_context *cx = m->s->builder.cx;
  return take_numbers(m, operand, 1, &number) &&
         add_attr(m, slot->attr, qn_attr_float(cx, number, qn_type_float(cx, QN_F32)));
}

static bool write_real(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  double number = 0;
  if (!take_numbers(m, operand, 1, &number)) return false;
  return number == slot->number ? true
                                : qn_rule_making_fail(m, "there is no such op with %g", number);
}

static bool write_low(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  (void)slot;
  return take_numbers(m, operand, 1, &m->low);
}

/* Finds the fused activation for the range. Slot LOW precedes HIGH, so both bounds are known. */
static bool write_high(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  if (!take_numbers(m, operand, 1, &m->high)) return false;
  for (uint32_t i = 1; i < QN_ACT_COUNT; i++)
    if (qn_rule_activations[i].low == m->low && qn_rule_activations[i].high == m->high)
      return add_attr(m, slot->attr, qn_attr_word(m->s->builder.cx, slot->attr, i));
  return qn_rule_making_fail(m, "no fused activation has the range %g to %g", m->low, m->high);
}

static bool (*const writers[QN_RULE_SLOT_INPUTS])(making *m, const qn_rule_slot *slot,
                                                  qn_rule_operand operand) = {
    [QN_RULE_SLOT_PAIR] = write_pair,
    [QN_RULE_SLOT_LIST] = write_list,
    [QN_RULE_SLOT_BEGIN] = write_begin,
    [QN_RULE_SLOT_SIZE] = write_size,
    [QN_RULE_SLOT_NEW_SHAPE] = write_new_shape,
    [QN_RULE_SLOT_AXIS] = write_axis,
    [QN_RULE_SLOT_PERMUTATION] = write_permutation,
    [QN_RULE_SLOT_PADS] = write_pads,
    [QN_RULE_SLOT_BORDER] = write_border,
    [QN_RULE_SLOT_NUMBER] = write_number,
    [QN_RULE_SLOT_REAL] = write_real,
    [QN_RULE_SLOT_LOW] = write_low,
    [QN_RULE_SLOT_HIGH] = write_high,
};

/* Pads after the elements of the last dimension that rules see, up to the required size. */
static bool write_fill(making *m, const qn_rule_slot *slot) {
  int64_t pads[MOST_LIST] = {0};
  const qn_type *x = m->values.data[0]->type;
  uint32_t last = m->dims.rank - 1;
  int32_t own = m->dims.of[last];
  if (own < 0) return qn_rule_making_fail(m, "its operand has no channels");
  if (m->wanted->any_size || m->wanted->rank != m->dims.rank)
    pads[2 * own + 1] = 1;
  else
    pads[2 * own + 1] = m->wanted->sizes[last] - x->shaped.dims[own];
  m->fills = pads[2 * own + 1];
  return m->fills >= 0 ? add_list(m, slot->attr, pads, 2 * m->rank)
                       : qn_rule_making_fail(m, "the result is smaller than its operand");
}

static bool write_fixed(making *m, const qn_rule_slot *slot) {
  int64_t values[MOST_LIST];
  const qn_type *x = m->values.data[0]->type;
  if (slot->kind == QN_RULE_SLOT_FILL) return write_fill(m, slot);
  if (slot->kind == QN_RULE_SLOT_LAST)
    return add_attr(m, slot->attr, qn_attr_i64(m->s->builder.cx, m->rank - 1));
  if (slot->kind == QN_RULE_SLOT_ANY)
    return add_attr(m, slot->attr, qn_attr_bool(m->s->builder.cx, true));
  if (slot->kind == QN_RULE_SLOT_PLANE)
    return m->rank == 4 ? add_list(m, slot->attr, &x->shaped.dims[1], 2)
                        : qn_rule_making_fail(m, "it needs a plane");
  if (qn_attr_decls[slot->attr].kind != QN_SPEC_I64S)
    return add_attr(m, slot->attr, qn_attr_i64(m->s->builder.cx, (int64_t)slot->number));
  uint32_t count = slot->operand ? slot->operand : m->rank;
  for (uint32_t i = 0; i < count; i++) values[i] = (int64_t)slot->number;
  return add_list(m, slot->attr, values, count);
}

bool qn_rule_making_attrs(making *m) {
  uint32_t i = 0;
  for (const qn_rule_slot *slot = m->form->slots; slot->kind != QN_RULE_SLOT_NONE; slot++) {
    bool input = slot->kind < QN_RULE_SLOT_INPUTS, value = qn_rule_slot_is_value(slot);
    QN_ASSERT(!input || value || (i < m->input_count && writers[slot->kind]));
    if (input && !value && !writers[slot->kind](m, slot, m->inputs[i])) return false;
    if (!input && !write_fixed(m, slot)) return false;
    i += input;
  }
  return true;
}
