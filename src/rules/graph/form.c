/* The table of forms, expanded from vocabulary.def, and lookups in it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/graph/form.h"

#include "ir/ops/forms.h"

#include <math.h>

enum {
  PLAIN = QN_RULE_PLAIN,
  CLAMPED = QN_RULE_CLAMPED,
  REALS = QN_RULE_REALS,
  CODES = QN_RULE_CODES,
  SQUARED = QN_RULE_SQUARED,
  SHIFTED = QN_RULE_SHIFTED,
  RELABELLED = QN_RULE_RELABELLED,
  UNCHANGED = QN_RULE_UNCHANGED,
  EVEN = QN_RULE_EVEN,
  OUTPUT = QN_RULE_OUTPUT,
  SCALED = QN_RULE_SCALED,
  COMPOSED = QN_RULE_COMPOSED,
};

#define IN_LAYOUT(k, where, pieces)                                                                \
  { .kind = QN_RULE_SLOT_VALUE, .operand = (k), .layout = QN_RULE_##where, .along = (pieces) }
#define IN(k, pieces) IN_LAYOUT(k, NATURAL, pieces)
#define FILTER(k, pieces) IN_LAYOUT(k, FILTER, pieces)
#define DEPTHWISE(k, pieces) IN_LAYOUT(k, DEPTHWISE, pieces)
#define COLUMNS(k, pieces) IN_LAYOUT(k, COLUMNS, pieces)
#define ROWS(k, pieces) IN_LAYOUT(k, ROWS, pieces)
#define VECTOR(k, pieces) IN_LAYOUT(k, VECTOR, pieces)
#define THROUGH(k, pieces)                                                                         \
  { .kind = QN_RULE_SLOT_THROUGH, .operand = (k), .along = (pieces) }
#define BELOW(k, pieces)                                                                           \
  { .kind = QN_RULE_SLOT_BELOW, .operand = (k), .along = (pieces) }
#define REST(k, pieces)                                                                            \
  { .kind = QN_RULE_SLOT_REST, .operand = (k), .along = (pieces) }
#define ATTRIBUTE(what, id)                                                                        \
  { .kind = QN_RULE_SLOT_##what, .attr = QN_A_##id }
#define PAIR(id) ATTRIBUTE(PAIR, id)
#define LIST(id) ATTRIBUTE(LIST, id)
#define BEGIN(id) ATTRIBUTE(BEGIN, id)
#define SIZE(id) ATTRIBUTE(SIZE, id)
#define AXIS_OF(id) ATTRIBUTE(AXIS, id)
#define PERMUTATION(id) ATTRIBUTE(PERMUTATION, id)
#define PADS(id) ATTRIBUTE(PADS, id)
#define BORDER(id) ATTRIBUTE(BORDER, id)
#define NUMBER(id) ATTRIBUTE(NUMBER, id)
#define PLANE(id) ATTRIBUTE(PLANE, id)
#define LAST(id) ATTRIBUTE(LAST, id)
#define ANY(id) ATTRIBUTE(ANY, id)
#define FILL(id) ATTRIBUTE(FILL, id)
#define LOW ATTRIBUTE(LOW, ACTIVATION)
#define HIGH ATTRIBUTE(HIGH, ACTIVATION)
#define ALL(id, value, many)                                                                       \
  { .kind = QN_RULE_SLOT_ALL, .attr = QN_A_##id, .number = (value), .operand = (many) }
#define REAL(value)                                                                                \
  { .kind = QN_RULE_SLOT_REAL, .number = (double)(value) }
#define NEW_SHAPE                                                                                  \
  { .kind = QN_RULE_SLOT_NEW_SHAPE }
#define NONE                                                                                       \
  { .kind = QN_RULE_SLOT_NONE }

const qn_rule_form qn_rule_forms[] = {
#define OP(name, summary, kind, needs, ...) {name, summary, QN_OP_##kind, (needs), {__VA_ARGS__}},
#include "rules/vocabulary.def"
#undef OP
    {NULL, NULL, QN_OP_UNREGISTERED, 0, {NONE}},
};

const qn_rule_form *qn_rule_form_find(qn_str name) {
  for (const qn_rule_form *form = qn_rule_forms; form->name; form++)
    if (qn_str_is(name, form->name)) return form;
  return NULL;
}

bool qn_rule_has_op(qn_str name) {
  const qn_rule_form *form = qn_rule_form_find(name);
  return form &&
         (form->kind != QN_OP_UNREGISTERED || (form->needs & (QN_RULE_OUTPUT | QN_RULE_COMPOSED)));
}

uint32_t qn_rule_form_inputs(const qn_rule_form *form) {
  uint32_t count = 0;
  for (const qn_rule_slot *slot = form->slots; slot->kind != QN_RULE_SLOT_NONE; slot++)
    count += slot->kind < QN_RULE_SLOT_INPUTS;
  return count;
}

const qn_rule_slot *qn_rule_form_input(const qn_rule_form *form, uint32_t i) {
  for (const qn_rule_slot *slot = form->slots;; slot++) {
    if (slot->kind == QN_RULE_SLOT_NONE) return slot;
    if (slot->kind >= QN_RULE_SLOT_INPUTS) continue;
    if (i == 0 || slot->kind == QN_RULE_SLOT_REST) return slot;
    i--;
  }
}

bool qn_rule_form_keeps_layout(const qn_rule_form *form) {
  for (const qn_rule_slot *slot = form->slots; slot->kind != QN_RULE_SLOT_NONE; slot++)
    if (slot->kind == QN_RULE_SLOT_BEGIN || slot->kind == QN_RULE_SLOT_PADS ||
        slot->kind == QN_RULE_SLOT_FILL)
      return true;
  return (qn_op_infos[form->kind].traits & QN_ELEMENTWISE) != 0;
}
