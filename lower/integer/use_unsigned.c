/* Makes signed 8-bit tensors between two ops unsigned, with values 128 larger. The byte products of
 * most CPUs require one unsigned operand; with signed tensors, kernels would add 128 to every byte
 * that they load.
 *
 *   before: %y = "ml.integer_conv"(%x, ...) {output_zero_point = -128, min = -128, max = 127}
 *             : (...) -> tensor<1x8x8x16xi8>
 *   after:  %y = "ml.integer_conv"(%x, ...) {output_zero_point = 0, min = 0, max = 255}
 *             : (...) -> tensor<1x8x8x16xui8>
 *
 * Inputs and outputs of the model keep their type. So do operands and results of an op without a
 * rule in unsigned.c, such as an average, which rounds by the sign of its sum. The operands and the
 * result of an op that only moves elements get the same type. A convolution that pads an input of
 * the model reads it through a table that flips the sign bit, which the kernel of the padding
 * applies once per byte; the convolution would do so once per product. The pass does nothing with
 * keep_tensors, which preserves the bytes of all tensors, and nothing for a target whose byte
 * products accept signed operands. It precedes materialize-padding, which reads the zero points.
 * Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/walk.h"
#include "lower/integer/unsigned.h"

/* Sets of values that must have equal types, indexed by value id. */
typedef struct sets {
  qn_pass_context *pc;
  uint32_t count; /* values that existed before the pass; new constants are in no set */
  uint32_t *parent;
  bool *keeps; /* [representative] whether the set keeps its type */
} sets;

static uint32_t find(sets *s, const qn_value *value) {
  uint32_t id = value->id;
  while (s->parent[id] != id) id = s->parent[id] = s->parent[s->parent[id]];
  return id;
}

static void tie(sets *s, const qn_value *a, const qn_value *b) {
  uint32_t to = find(s, a), from = find(s, b);
  s->parent[from] = to;
  s->keeps[to] |= s->keeps[from];
}

static void keep(sets *s, const qn_value *value) { s->keeps[find(s, value)] = true; }

static bool is_signed8(const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  return type->kind == QN_TYPE_TENSOR && qn_type_is_int(element, 8) &&
         !qn_type_is_unsigned(element);
}

static bool changes(sets *s, const qn_value *value) {
  return value->id < s->count && is_signed8(value->type) && !s->keeps[find(s, value)];
}

static qn_unsigned_mode mode_of(const qn_op *op) {
  const qn_unsigned_form *form = qn_unsigned_form_of(op);
  return form->can && !form->can(op) ? QN_UNSIGNED_KEEPS : form->mode;
}

/* Arguments keep their types, which values outside determine. */
static void keep_arguments(sets *s, const qn_op *op) {
  for (uint32_t r = 0; r < op->region_count; r++) QN_FOR_EACH_BLOCK(block, &op->regions[r]) {
      for (uint32_t i = 0; i < block->arg_count; i++) keep(s, block->args[i]);
    }
}

static void constrain(qn_op *op, void *user) {
  sets *s = user;
  if (qn_op_has(op, QN_CONTROL)) keep_arguments(s, op);
  uint32_t operands = qn_unsigned_form_of(op)->operands;
  qn_unsigned_mode mode = mode_of(op);
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (mode == QN_UNSIGNED_KEEPS || i >= operands) keep(s, qn_op_operand(op, i));
  for (uint32_t i = 0; i < op->result_count; i++)
    if (mode == QN_UNSIGNED_KEEPS) keep(s, qn_op_result(op, i));
  if (mode != QN_UNSIGNED_TIES) return;
  for (uint32_t i = 0; i < op->operand_count && i < operands; i++)
    tie(s, qn_op_result(op, 0), qn_op_operand(op, i));
  for (uint32_t i = 1; i < op->result_count; i++) tie(s, qn_op_result(op, 0), qn_op_result(op, i));
}

static void shift_attr(sets *s, qn_op *op, qn_attr_id id) {
  const qn_attr *value = qn_attr_i64(s->pc->cx, qn_op_read_i64(op, id) + QN_UNSIGNED_OFFSET);
  qn_op_set_attr(s->pc->module, op, qn_attr_decls[id].name, value);
}

static void shift(qn_op *op, void *user) {
  sets *s = user;
  if (mode_of(op) == QN_UNSIGNED_KEEPS) return;
  const qn_unsigned_form *form = qn_unsigned_form_of(op);
  bool y_changes = changes(s, qn_op_result(op, 0));
  bool x_changes = op->operand_count > 0 && form->operands > 0 && changes(s, qn_op_operand(op, 0));
  if (form->shift && (x_changes || y_changes)) form->shift(s->pc, op, x_changes, y_changes);
  for (uint32_t i = 0; i < QN_COUNT(form->of_operand) && i < op->operand_count; i++)
    if (form->of_operand[i] && changes(s, qn_op_operand(op, i)))
      shift_attr(s, op, form->of_operand[i]);
  for (uint32_t i = 0; y_changes && i < QN_UNSIGNED_ATTRS && form->of_result[i]; i++)
    shift_attr(s, op, form->of_result[i]);
}

static void retype(qn_op *op, void *user) {
  sets *s = user;
  const qn_type *element = qn_type_integer(s->pc->cx, 8, QN_UNSIGNED);
  for (uint32_t i = 0; i < op->result_count; i++) {
    qn_value *value = qn_op_result(op, i);
    if (!changes(s, value)) continue;
    qn_value_set_type(value, qn_type_with_element(s->pc->cx, value->type, element));
    s->pc->changed = true;
  }
}

/* ---- padded inputs ---- */

static void flip_input(qn_op *op, void *user) {
  sets *s = user;
  if (mode_of(op) != QN_UNSIGNED_SHIFTS || qn_property_padding_explicit.holds(op)) return;
  qn_value *x = qn_op_operand(op, 0);
  if (x->op || !is_signed8(x->type)) return;
  uint8_t table[QN_UNSIGNED_OFFSET * 2];
  for (int i = 0; i < 2 * QN_UNSIGNED_OFFSET; i++) table[i] = (uint8_t)i ^ QN_UNSIGNED_OFFSET;
  qn_builder b = qn_builder_before(s->pc->module, op);
  const qn_type *element = qn_type_integer(s->pc->cx, 8, QN_UNSIGNED);
  const qn_type *type = qn_type_with_element(s->pc->cx, x->type, element);
  qn_op_set_operand(op, 0, qn_plan_lut(&b, x, table, type));
  shift_attr(s, op, qn_unsigned_form_of(op)->of_operand[0]);
  s->pc->changed = true;
}

/* Whether byte products of the target support signed x. */
static bool takes_signs(const qn_target *target) {
  if (!target) return false;
  return target->single_groups || (target->dot->bytes == 1 && qn_dot_takes(target->dot, false));
}

static qn_status run(qn_pass_context *pc) {
  const qn_lower_config *config = pc->config;
  if (config && (config->keep_tensors || takes_signs(config->target))) return QN_OK;
  uint32_t count = pc->module->value_count;
  sets s = {.pc = pc,
            .count = count,
            .parent = QN_NEW_ARRAY(pc->scratch, (size_t)count + 1, uint32_t),
            .keeps = QN_NEW_ARRAY(pc->scratch, (size_t)count + 1, bool)};
  for (uint32_t i = 0; i < count; i++) s.parent[i] = i;
  QN_FOR_EACH_OP(func, qn_op_body(pc->module->op))
  if (func->kind == QN_OP_FUNC) keep_arguments(&s, func);
  qn_integer_for_each(pc->module, constrain, &s);
  qn_integer_for_each(pc->module, shift, &s);
  qn_integer_for_each(pc->module, retype, &s);
  qn_integer_for_each(pc->module, flip_input, &s);
  return QN_OK;
}

const qn_pass qn_pass_use_unsigned = {
    .name = "use-unsigned",
    .summary = "store intermediate signed 8-bit tensors as unsigned",
    .numerics = QN_EXACT,
    .needed = (const qn_property *const[]){&qn_property_integers_only, NULL},
    .lost = (const qn_property *const[]){&qn_property_zero_points_folded, NULL},
    .run = run,
};
