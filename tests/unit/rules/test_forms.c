/* The vocabulary of rules compared with the table of ops of the model dialect.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>

#include "rules/graph/graph.h"

#include <cmocka.h>

static bool has_slot(const qn_rule_form *form, qn_attr_id id) {
  for (const qn_rule_slot *slot = form->slots; slot->kind != QN_RULE_SLOT_NONE; slot++)
    if (slot->attr == id) return true;
  return false;
}

/* Every required attribute of an op can be read and written by its form. */
static void required_attributes_have_slots(void **state) {
  (void)state;
  for (const qn_rule_form *form = qn_rule_forms; form->name; form++) {
    if (form->kind == QN_OP_UNREGISTERED) continue;
    for (const qn_attr_spec *spec = qn_op_infos[form->kind].attrs; spec->id != QN_A_NONE; spec++)
      if (spec->need == QN_REQUIRED) assert_true(has_slot(form, spec->id));
  }
}

static void slots_name_attributes_of_the_op(void **state) {
  (void)state;
  for (const qn_rule_form *form = qn_rule_forms; form->name; form++)
    for (const qn_rule_slot *slot = form->slots; slot->kind != QN_RULE_SLOT_NONE; slot++) {
      const qn_attr_spec *spec = qn_op_infos[form->kind].attrs;
      while (slot->attr && spec->id != slot->attr && spec->id != QN_A_NONE) spec++;
      assert_true(!slot->attr || spec->id == slot->attr);
    }
}

/* The slots of a form cover all operands of its op. Each slot of a value states, for four
 * dimensions, which part of the operand a part of the result needs. */
static void operands_are_all_there(void **state) {
  (void)state;
  for (const qn_rule_form *form = qn_rule_forms; form->name; form++) {
    uint32_t values = (form->needs & QN_RULE_SQUARED) != 0;
    bool rest = false;
    if (form->kind == QN_OP_UNREGISTERED) continue;
    for (const qn_rule_slot *slot = form->slots; slot->kind != QN_RULE_SLOT_NONE; slot++) {
      if (!qn_rule_slot_is_value(slot)) continue;
      if (slot->kind != QN_RULE_SLOT_BELOW || slot->operand == 0) values++;
      rest |= slot->kind == QN_RULE_SLOT_REST;
      assert_int_equal(strlen(slot->along), 4);
      assert_int_equal(strspn(slot->along, "0123wx."), 4);
    }
    const qn_op_info *info = &qn_op_infos[form->kind];
    int most = info->operands + info->optional_operands;
    assert_true(rest ? info->operands == QN_VARIADIC
                     : (int)values >= info->operands && (int)values <= most);
  }
}

static void rows_of_a_name_stand_together(void **state) {
  (void)state;
  for (const qn_rule_form *form = qn_rule_forms; form[0].name && form[1].name; form++) {
    bool same = strcmp(form[0].name, form[1].name) == 0;
    const qn_rule_form *first = qn_rule_form_find(qn_str_of(form[1].name));
    assert_true(same ? first <= form : first == form + 1);
  }
}

static void layouts_name_each_dimension_once(void **state) {
  (void)state;
  static const uint32_t ranks[QN_RULE_LAYOUTS] = {4, 4, 4, 2, 2, 1};
  for (uint32_t layout = 0; layout < QN_RULE_LAYOUTS; layout++) {
    qn_rule_dims dims;
    uint32_t seen = 0;
    assert_true(qn_rule_layout_dims((qn_rule_layout)layout, ranks[layout], &dims));
    for (uint32_t i = 0; i < dims.rank; i++)
      if (dims.of[i] >= 0) seen += 1u << 4 * dims.of[i];
    assert_int_equal(seen, 0x1111u & ((1u << 4 * ranks[layout]) - 1));
    assert_int_equal(qn_rule_layout_dims((qn_rule_layout)layout, 3, &dims),
                     layout == QN_RULE_NATURAL);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(required_attributes_have_slots),
      cmocka_unit_test(slots_name_attributes_of_the_op),
      cmocka_unit_test(operands_are_all_there),
      cmocka_unit_test(rows_of_a_name_stand_together),
      cmocka_unit_test(layouts_name_each_dimension_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
