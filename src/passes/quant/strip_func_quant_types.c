/* strip-func-quant-types: replaces quantized types by their storage types in function signatures
 * and in all values that are passed between functions or blocks, with quant.scast where the
 * quantized value is used.
 *
 *   func.func @f(%x: !q) -> !q {            func.func @f(%x: i8) -> i8 {
 *                                             %0 = quant.scast %x : i8 to !q
 *     %y = "some.op"(%x) : (!q) -> !q   ->    %y = "some.op"(%0) : (!q) -> !q
 *                                             %1 = quant.scast %y : !q to i8
 *     return %y : !q                          return %1 : i8
 *   }                                       }
 *
 * Covered: func.func (also declarations and types in its attributes), func.return, func.call,
 * func.call_indirect, func.constant, function types in signatures, branches with the arguments of
 * their blocks, branches and loops. Storage types are signless: u8, si8 and ui8 become i8.
 * quant.calibrated has no storage type and stays (upstream crashes).
 *
 * Needs: nothing.  Keeps: the ops between casts.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"
#include "ir/builder.h"
#include "ir/types/quant_at.h"
#include "ir/walk.h"
#include "pass/pass.h"
#include "passes/quant/type_map.h"

static const qn_type *strip(qn_ir_context *cx, const qn_type *type) {
  qn_quant_storage storage;
  bool other = qn_type_is_shaped(type) && type->kind != QN_TYPE_TENSOR;
  if (other || !qn_quant_storage_of(type, &storage)) return type;
  const qn_type *stored = qn_type_i(cx, storage.width);
  return qn_type_is_shaped(type) ? qn_type_with_element(cx, type, stored) : stored;
}

typedef struct stripping {
  qn_pass_context *pc;
  QN_ARRAY(qn_value *) carriers; /* values whose type changes */
  qn_map is_carrier;             /* set of the carriers */
  qn_map stored;                 /* other value -> its storage cast to the storage type */
  qn_map casts;                  /* cast that this pass built -> the op that it follows */
  qn_status status;
} stripping;

static const qn_type *stripped(const stripping *s, const qn_value *value) {
  return qn_map_type(s->pc->cx, value->type, strip);
}

/* ---- which values and operands change ---- */

/* Whether results of the op are values that functions or regions pass out. */
static bool results_carry(const qn_op *op) {
  return op->kind == QN_OP_FUNC_CALL || op->kind == QN_OP_FUNC_CALL_INDIRECT ||
         op->kind == QN_OP_FUNC_CONSTANT || qn_op_has(op, QN_CONTROL);
}

static bool arguments_carry(const qn_block *block) {
  const qn_op *owner = block->region->owner;
  return block != block->region->first || owner->kind == QN_OP_FUNC || qn_op_has(owner, QN_CONTROL);
}

static bool ends_region(const qn_op *op) {
  const qn_op *parent = qn_op_parent(op);
  return qn_op_has(op, QN_TERMINATOR) && parent && qn_op_has(parent, QN_CONTROL);
}

/* Whether the op passes the operand to a function, a block or a region, so that it must have the
 * storage type. */
static bool operand_carries(const qn_op *op, uint32_t index) {
  uint32_t to_blocks = 0;
  for (uint32_t i = 0; i < op->successor_count; i++) to_blocks += op->successor_operand_counts[i];
  QN_ASSERT(to_blocks <= op->operand_count);
  return op->kind == QN_OP_FUNC_CALL || op->kind == QN_OP_FUNC_CALL_INDIRECT ||
         op->kind == QN_OP_FUNC_RETURN || qn_op_has(op, QN_CONTROL) || ends_region(op) ||
         index >= op->operand_count - to_blocks;
}

static void add_carrier(stripping *s, qn_value *value) {
  if (stripped(s, value) == value->type) return;
  qn_array_push(&s->carriers, value);
  qn_map_set(&s->is_carrier, value, value);
}

static bool find_carriers(qn_op *op, void *user) {
  stripping *s = user;
  for (uint32_t r = 0; r < op->region_count; r++) QN_FOR_EACH_BLOCK(block, &op->regions[r])
  for (uint32_t i = 0; arguments_carry(block) && i < block->arg_count; i++)
    add_carrier(s, block->args[i]);
  for (uint32_t i = 0; results_carry(op) && i < op->result_count; i++)
    add_carrier(s, &op->results[i]);
  return true;
}

/* ---- casts ---- */

/* Builds a cast of `value` to `type` right after its definition. NULL for a function value, which
 * can't be cast. */
static qn_value *cast_after(stripping *s, qn_value *value, const qn_type *type) {
  if (type->kind == QN_TYPE_FUNCTION) return NULL;
  qn_module *module = s->pc->module;
  qn_builder b = value->op ? qn_builder_after(module, value->op)
                           : (qn_builder){module, s->pc->cx, value->block, value->block->first,
                                          value->loc ? value->loc : s->pc->root->loc};
  if (value->op) b.loc = value->op->loc;
  while (value->op && b.before && qn_map_get(&s->casts, b.before) == value->op)
    b.before = b.before->next; /* keeps the casts of an op's results in the order of the results */
  qn_value *cast = qn_build_unary(&b, QN_OP_QUANT_SCAST, value, type);
  qn_map_set(&s->casts, cast->op, value->op);
  return cast;
}

static void complain(stripping *s, const qn_op *op, uint32_t operand) {
  s->status = qn_error(&s->pc->cx->diag, op->loc, QN_UNSUPPORTED,
                       "'%.*s' op operand #%u is a function whose type has quantized types, which "
                       "only calls can take",
                       QN_STR_ARG(op->name), operand);
}

/* Casts operands that are passed on, and are not carriers themselves, to the storage type. */
static bool store_operands(qn_op *op, void *user) {
  stripping *s = user;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    qn_value *value = qn_op_operand(op, i);
    if (!operand_carries(op, i) || qn_map_get(&s->is_carrier, value)) continue;
    const qn_type *type = stripped(s, value);
    if (type == value->type) continue;
    qn_value *cast = qn_map_get(&s->stored, value);
    if (!cast) cast = cast_after(s, value, type);
    if (!cast) {
      complain(s, op, i);
      continue;
    }
    qn_map_set(&s->stored, value, cast);
    qn_op_set_operand(op, i, cast);
  }
  return true;
}

/* Changes the type of a carrier. All uses that need the quantized value share one cast. */
static void strip_carrier(stripping *s, qn_value *value) {
  const qn_type *quantized = value->type;
  qn_value *cast = NULL;
  qn_use *next;
  QN_ASSERT(stripped(s, value) != quantized); /* else it is no carrier */
  qn_value_set_type(value, stripped(s, value));
  for (qn_use *use = value->first_use; use; use = next) {
    uint32_t index = (uint32_t)(use - use->owner->operands);
    next = use->next;
    if (operand_carries(use->owner, index) || (cast && use->owner == cast->op)) continue;
    if (!cast) cast = cast_after(s, value, quantized);
    if (cast)
      qn_op_set_operand(use->owner, index, cast);
    else
      complain(s, use->owner, index);
  }
}

static bool strip_signature(qn_op *op, void *user) {
  stripping *s = user;
  for (uint32_t i = 0; op->kind == QN_OP_FUNC && i < op->attr_count; i++) {
    const qn_attr *mapped = qn_map_attr_types(s->pc->cx, op->attrs[i].value, strip);
    if (mapped == op->attrs[i].value) continue;
    qn_op_set_attr(s->pc->module, op, op->attrs[i].name.data, mapped);
    s->pc->changed = true;
  }
  return true;
}

static qn_status run(qn_pass_context *pc) {
  stripping s = {.pc = pc, .status = QN_OK};
  qn_walk_pre(pc->root, find_carriers, &s);
  qn_walk_pre(pc->root, store_operands, &s);
  for (size_t i = 0; i < s.carriers.count; i++) strip_carrier(&s, s.carriers.data[i]);
  qn_walk_pre(pc->root, strip_signature, &s);
  pc->changed |= s.carriers.count > 0 || s.stored.count > 0;
  qn_array_free(&s.carriers);
  qn_map_deinit(&s.is_carrier);
  qn_map_deinit(&s.stored);
  qn_map_deinit(&s.casts);
  return s.status;
}

const qn_pass qn_pass_strip_func_quant_types = {
    .name = "strip-func-quant-types",
    .summary = "pass stored integers between functions and blocks in place of quantized values",
    .anchor = QN_ON_MODULE,
    .numerics = QN_EXACT,
    .keeps = "the ops that work on quantized values",
    .run = run,
};
