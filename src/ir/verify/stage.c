/* Legality of ops and types at a stage.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/verify/check.h"
#include "ir/verify/verify.h"
#include "ir/walk.h"

static const struct {
  const char *name;
  uint32_t trait;
  bool quant_types;
} stages[] = {
    [QN_STAGE_MODEL] = {"model", QN_MODEL_STAGE, true},
    [QN_STAGE_INTEGER] = {"integer", QN_INTEGER_STAGE, false},
    [QN_STAGE_LOOPS] = {"loops", QN_LOOPS_STAGE, false},
};

const char *qn_stage_name(qn_stage stage) { return stages[stage].name; }

bool qn_stage_of_name(qn_str name, qn_stage *out_stage) {
  for (size_t i = 0; i < QN_COUNT(stages); i++) {
    if (qn_str_is(name, stages[i].name)) {
      *out_stage = (qn_stage)i;
      return true;
    }
  }
  return false;
}

typedef struct check {
  qn_ir_context *cx;
  qn_stage stage;
  bool ok;
} check;

static void check_type(check *c, const qn_op *op, const char *what, const qn_type *type) {
  if (stages[c->stage].quant_types || !qn_type_is_quant(qn_type_element(type))) return;
  c->ok = qn_op_complain(c->cx, op, "%s has a quantized type at the %s stage", what,
                         stages[c->stage].name);
}

static bool check_op(qn_op *op, void *user) {
  check *c = user;
  qn_arena_mark mark = qn_arena_get_mark(&c->cx->diag.scratch);
  if (!qn_op_has(op, stages[c->stage].trait)) {
    c->ok = qn_op_complain(c->cx, op, "is not legal at the %s stage", stages[c->stage].name);
  }
  for (uint32_t i = 0; i < op->attr_count; i++) {
    if (op->attrs[i].value->kind == QN_ATTR_ELIDED && c->stage != QN_STAGE_MODEL) {
      c->ok = qn_op_complain(c->cx, op, "has an elided value, which can't be lowered");
    }
  }
  for (uint32_t i = 0; i < op->result_count; i++) {
    check_type(c, op, "a result", op->results[i].type);
  }
  for (uint32_t i = 0; i < op->region_count; i++) {
    QN_FOR_EACH_BLOCK(block, &op->regions[i]) {
      for (uint32_t j = 0; j < block->arg_count; j++) {
        check_type(c, op, "a block argument", block->args[j]->type);
      }
    }
  }
  qn_arena_rewind(&c->cx->diag.scratch, mark);
  return true;
}

static bool has_legal_type(const qn_value *value, qn_stage stage) {
  return stages[stage].quant_types || !qn_type_is_quant(qn_type_element(value->type));
}

bool qn_op_is_legal(const qn_op *op, qn_stage stage) {
  if (!qn_op_has(op, stages[stage].trait)) return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!has_legal_type(&op->results[i], stage)) return false;
  for (uint32_t i = 0; i < op->region_count; i++) QN_FOR_EACH_BLOCK(block, &op->regions[i]) {
      for (uint32_t j = 0; j < block->arg_count; j++)
        if (!has_legal_type(block->args[j], stage)) return false;
    }
  return true;
}

qn_status qn_verify_stage(qn_module *module, qn_stage stage) {
  check c = {module->cx, stage, true};
  qn_walk_pre(module->op, check_op, &c);
  return c.ok ? QN_OK : QN_INVALID;
}
