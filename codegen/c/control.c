/* Structured control flow. A loop-carried value is a variable, whose name is also that of the
 * loop's result.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/c/c.h"

void qn_c_emit_block(qn_c *c, const qn_block *block) {
  for (const qn_op *op = block->first; op; op = op->next) {
    QN_ASSERT(qn_c_emitters[op->kind]); /* check.c has rejected ops without code */
    if (qn_c_emit_in_registers(c, op)) continue;
    qn_c_emitters[op->kind](c, op);
    qn_c_join_results(c, op);
  }
}

void qn_c_emit_nothing(qn_c *c, const qn_op *op) {
  (void)c;
  (void)op;
}

/* Parts of a value that a variable holds each. */
static uint32_t part_count(const qn_c *c, const qn_value *value) {
  uint32_t registers = qn_c_registers_of(c, value->type);
  return registers > 0 ? registers : qn_c_lanes_of(value->type);
}

static const char *part(qn_c *c, const qn_value *value, uint32_t i) {
  if (qn_c_registers_of(c, value->type) > 0) return qn_c_registers(c, value)[i];
  return qn_c_value_of(c, value)->lanes[i].text;
}

static const char *part_type(const qn_c *c, const qn_value *value) {
  if (value->type->kind == QN_TYPE_MEMREF) return "unsigned char *";
  if (qn_c_registers_of(c, value->type) > 0) return qn_c_register_type(qn_c_lane_bits(value->type));
  return qn_c_type_of(c, value->type)->name;
}

/* Variables for the registers or lanes of a value. `from` is NULL if they have no value yet. */
static void declare_parts(qn_c *c, const qn_value *value, const qn_value *from) {
  uint32_t count = part_count(c, value);
  qn_c_value *v = &c->values[value->id];
  if (qn_c_registers_of(c, value->type) > 0) {
    const char *const *texts = from ? qn_c_registers(c, from) : NULL;
    unsigned bits = qn_c_lane_bits(value->type);
    *v = (qn_c_value){.count = qn_c_lanes_of(value->type),
                      .registers = qn_c_name_registers(c, bits, texts, count)};
    return;
  }
  qn_c_lane *lanes = qn_c_new_lanes(c, count);
  for (uint32_t i = 0; i < count; i++)
    lanes[i] = qn_c_declare(c, 'v', part_type(c, value), from ? part(c, from, i) : NULL);
  *v = (qn_c_value){.count = count, .lanes = lanes};
}

/* Assigns the yielded values to the variables, as if all at once: a value that is another variable
 * of the loop is copied first. */
typedef struct assignment {
  const char *to, *from;
} assignment;

/* Whether the value of an assignment reads the target of another one. */
static bool reads_target(const assignment *all, uint32_t count, uint32_t self) {
  for (uint32_t i = 0; i < count; i++)
    if (i != self && qn_c_find_name(all[self].from, all[i].to)) return true;
  return false;
}

static void assign_all(qn_c *c, assignment *all, uint32_t count, const char *const *types) {
  for (uint32_t i = 0; i < count; i++)
    if (reads_target(all, count, i)) all[i].from = qn_c_declare(c, 'v', types[i], all[i].from).text;
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(all[i].to, all[i].from) != 0) qn_c_line_put(c, "%s = %s;", all[i].to, all[i].from);
}

/* `targets`: values whose parts are variables. `from`: operand of `op` that belongs to the first.
 */
static void assign(qn_c *c, const qn_value *const *targets, uint32_t count, const qn_op *op,
                   uint32_t from) {
  uint32_t parts = 0, k = 0;
  for (uint32_t i = 0; i < count; i++) parts += part_count(c, targets[i]);
  assignment *all = QN_NEW_ARRAY(&c->arena, parts + 1, assignment);
  const char **types = QN_NEW_ARRAY(&c->arena, parts + 1, const char *);
  for (uint32_t i = 0; i < count; i++) {
    const qn_value *value = qn_op_operand(op, from + i);
    for (uint32_t p = 0; p < part_count(c, targets[i]); p++) {
      types[k] = part_type(c, targets[i]);
      all[k++] = (assignment){part(c, targets[i], p), part(c, value, p)};
    }
  }
  assign_all(c, all, parts, types);
}

static const qn_value **arguments_of(qn_c *c, const qn_block *block, uint32_t first) {
  const qn_value **values = QN_NEW_ARRAY(&c->arena, block->arg_count + 1, const qn_value *);
  for (uint32_t i = first; i < block->arg_count; i++) values[i - first] = block->args[i];
  return values;
}

static const qn_value **results_of(qn_c *c, const qn_op *op) {
  const qn_value **values = QN_NEW_ARRAY(&c->arena, op->result_count + 1, const qn_value *);
  for (uint32_t i = 0; i < op->result_count; i++) values[i] = qn_op_result(op, i);
  return values;
}

/* A bound is a number or a name, because every iteration compares with it. */
static const char *signed_bound(qn_c *c, const qn_c_lane *bound, const char *of_signed) {
  if (bound->constant) return qn_c_format(c, "%lld", (long long)bound->number);
  return qn_c_format(c, "(%s)%s", of_signed, qn_c_in(c, bound));
}

void qn_c_emit_for(qn_c *c, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  const qn_c_lane *lower = qn_c_operand(c, op, 0)->lanes, *upper = qn_c_operand(c, op, 1)->lanes,
                  *step = qn_c_operand(c, op, 2)->lanes;
  const qn_c_type *type = qn_c_type_of(c, body->args[0]->type);
  for (uint32_t i = 0; i < op->result_count; i++) {
    declare_parts(c, body->args[i + 1], qn_op_operand(op, i + 3));
    c->values[qn_op_result(op, i)->id] = c->values[body->args[i + 1]->id];
  }
  qn_c_lane counter = qn_c_atom(qn_c_format(c, "i%u", c->variables++));
  qn_c_bind(c, body->args[0], &counter, 1);
  const char *increment = step->constant && step->number == 1
                              ? qn_c_format(c, "%s++", counter.text)
                              : qn_c_format(c, "%s += %s", counter.text, step->text);
  qn_c_begin(c, "for (%s %s = %s; (%s)%s < %s; %s) {", type->name, counter.text, lower->text,
             type->of_signed, counter.text, signed_bound(c, upper, type->of_signed), increment);
  qn_c_emit_block(c, body);
  assign(c, arguments_of(c, body, 1), op->result_count, body->last, 0);
  qn_c_end(c, "}");
}

void qn_c_emit_if(qn_c *c, const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++) declare_parts(c, qn_op_result(op, i), NULL);
  const qn_value **results = results_of(c, op);
  qn_c_begin(c, "if (%s) {", qn_c_operand(c, op, 0)->lanes[0].text);
  for (uint32_t r = 0; r < 2; r++) {
    const qn_block *block = op->regions[r].first;
    if (!block) break;
    if (r == 1) {
      c->indent--;
      qn_c_begin(c, "} else {");
    }
    qn_c_emit_block(c, block);
    if (op->result_count > 0) assign(c, results, op->result_count, block->last, 0);
  }
  qn_c_end(c, "}");
}

/* In SYMBOL_invoke only: all such loops together count their iterations in `iterations`. */
void qn_c_emit_while(qn_c *c, const qn_op *op) {
  const qn_block *before = op->regions[0].first, *after = op->regions[1].first;
  const qn_op *condition = before->last;
  int64_t loop = ++c->loop;
  for (uint32_t i = 0; i < before->arg_count; i++)
    declare_parts(c, before->args[i], qn_op_operand(op, i));
  for (uint32_t i = 0; i < op->result_count; i++) declare_parts(c, qn_op_result(op, i), NULL);
  const qn_value **results = results_of(c, op);
  qn_c_begin(c, "for (;;) {");
  qn_c_emit_block(c, before);
  qn_c_begin(c, "if (!%s) {", qn_c_in(c, qn_c_operand(c, condition, 0)->lanes));
  assign(c, results, op->result_count, condition, 1);
  qn_c_line_put(c, "break;");
  qn_c_end(c, "}");
  qn_c_line_put(c, "if (iterations == %lld) return %lld;",
                (long long)qn_op_max_iterations(c->source->module->op), (long long)loop);
  qn_c_line_put(c, "iterations++;");
  for (uint32_t i = 0; i < after->arg_count; i++)
    c->values[after->args[i]->id] = *qn_c_operand(c, condition, 1 + i);
  qn_c_emit_block(c, after);
  assign(c, arguments_of(c, before, 0), before->arg_count, after->last, 0);
  qn_c_end(c, "}");
}
