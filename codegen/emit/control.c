/* Structured control flow becomes blocks and phis in the shape that suits the back end: loops are
 * rotated (tested at the bottom, guarded once at the top), and a loop that runs exactly once is
 * replaced by its body.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "codegen/emit/tiles.h"
#include "ir/walk.h"

static LLVMBasicBlockRef here(const qn_cg *cg) { return LLVMGetInsertBlock(cg->b); }

void qn_cg_emit_block(qn_cg *cg, const qn_block *block) {
  for (const qn_op *op = block->first; op; op = op->next) {
    QN_ASSERT(qn_emitters[op->kind]); /* check.c has rejected ops without code */
    qn_emitters[op->kind](cg, op);
  }
}

static const qn_op *terminator(const qn_block *block) { return block->last; }

/* Whether bounds and step are constants such that the body runs exactly once. */
static bool runs_once(const qn_cg *cg, const qn_op *op) {
  LLVMValueRef bounds[3];
  for (uint32_t i = 0; i < 3; i++) {
    bounds[i] = e_operand(cg, op, i);
    if (!LLVMIsAConstantInt(bounds[i])) return false;
  }
  long long lower = LLVMConstIntGetSExtValue(bounds[0]),
            upper = LLVMConstIntGetSExtValue(bounds[1]);
  long long step = LLVMConstIntGetSExtValue(bounds[2]), next;
  return lower < upper && step > 0 && (__builtin_add_overflow(lower, step, &next) || next >= upper);
}

/* Whether loop-carried value i is an AMX tile in a register, which needs no phi. */
static bool is_tile(const qn_cg *cg, const qn_op *op, uint32_t i) {
  return qn_cg_tile_of(cg, &op->results[i]) >= 0;
}

static void carry_tiles(qn_cg *cg, const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    if (is_tile(cg, op, i)) qn_cg_carry_tile(cg, &op->results[i], qn_op_operand(op, i + 3));
}

static void run_once(qn_cg *cg, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  cg->values[body->args[0]->id] = e_operand(cg, op, 0);
  for (uint32_t i = 0; i < op->result_count; i++)
    cg->values[body->args[i + 1]->id] = e_operand(cg, op, i + 3);
  qn_cg_emit_block(cg, body);
  for (uint32_t i = 0; i < op->result_count; i++)
    cg->values[qn_op_result(op, i)->id] = e_operand(cg, terminator(body), i);
}

static LLVMValueRef phi(qn_cg *cg, const qn_value *value, LLVMValueRef incoming,
                        LLVMBasicBlockRef from) {
  LLVMValueRef node = LLVMBuildPhi(cg->b, qn_cg_type(cg, value->type), "");
  LLVMAddIncoming(node, &incoming, &from, 1);
  cg->values[value->id] = node;
  return node;
}

static bool has_loops(const qn_op *op) {
  QN_FOR_EACH_NESTED_OP(nested, op)
  if (nested != op && nested->kind == QN_OP_SCF_FOR) return true;
  return false;
}

/* Returns `value` in a form whose relation to the loop counter LLVM cannot see. Loop strength
 * reduction takes 20 % of the back end's time, half of it for addresses in outer loops, where they
 * cost next to nothing. Without a known counter it ignores these loops. */
static LLVMValueRef opaque(qn_cg *cg, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef args[] = {value, LLVMConstNull(type)};
  return e_generic(cg, "llvm.expect", type, args, QN_COUNT(args));
}

/* ---- limits of the loops in @main; loops of kernels have known bounds ---- */

static LLVMValueRef add_counter(qn_cg *cg, const char *name) {
  LLVMValueRef counter = LLVMBuildAlloca(cg->b, cg->i64, name);
  e_store(cg, e_i64(cg, 0), counter, sizeof(int64_t));
  return counter;
}

/* Creates the counters of @main. The iterations of all scf.while ops together are limited.
 * Iterations of any loop trigger the time check, in addition to launches. */
void e_count_rounds(qn_cg *cg, const qn_op *op) {
  bool whiles = false, loops = false;
  QN_FOR_EACH_NESTED_OP(nested, op) {
    whiles = whiles || nested->kind == QN_OP_SCF_WHILE;
    loops = loops || qn_op_has(nested, QN_CONTROL);
  }
  if (whiles) cg->rounds = add_counter(cg, "rounds");
  if (loops && cg->source->counts_iterations) cg->iterations = add_counter(cg, "iterations");
}

static LLVMValueRef add_one(qn_cg *cg, LLVMValueRef counter, LLVMValueRef count) {
  LLVMValueRef next = LLVMBuildAdd(cg->b, count, e_i64(cg, 1), "");
  e_store(cg, next, counter, sizeof(int64_t));
  return next;
}

/* Emitted at the end of a loop body: calls `step` once per fixed number of iterations. */
static void count_turn(qn_cg *cg) {
  enum { MANY = 1 << 12 };
  if (!cg->iterations) return;
  LLVMBasicBlockRef told = e_block(cg, "told"), on = e_block(cg, "on");
  LLVMValueRef iterations = e_load(cg, cg->i64, cg->iterations, sizeof(int64_t));
  iterations =
      LLVMBuildAnd(cg->b, add_one(cg, cg->iterations, iterations), e_i64(cg, MANY - 1), "");
  LLVMBuildCondBr(cg->b, LLVMBuildIsNull(cg->b, iterations, ""), told, on);
  LLVMPositionBuilderAtEnd(cg->b, told);
  e_tell(cg, -1);
  LLVMBuildBr(cg->b, on);
  LLVMPositionBuilderAtEnd(cg->b, on);
}

/* ---- loops ---- */

void qn_emit_scf_for(qn_cg *cg, const qn_op *op) {
  carry_tiles(cg, op);
  if (runs_once(cg, op)) {
    run_once(cg, op);
    return;
  }
  const qn_block *body = qn_op_body(op);
  LLVMValueRef lower = e_operand(cg, op, 0), upper = e_operand(cg, op, 1),
               step = e_operand(cg, op, 2);
  LLVMBasicBlockRef before = here(cg), loop = e_block(cg, "loop"), after = e_block(cg, "after");
  LLVMBuildCondBr(cg->b, LLVMBuildICmp(cg->b, LLVMIntSLT, lower, upper, ""), loop, after);

  LLVMPositionBuilderAtEnd(cg->b, loop);
  LLVMValueRef induction = phi(cg, body->args[0], lower, before);
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!is_tile(cg, op, i)) phi(cg, body->args[i + 1], e_operand(cg, op, i + 3), before);
  qn_cg_emit_block(cg, body);
  count_turn(cg);
  LLVMBasicBlockRef latch = here(cg);
  LLVMValueRef next = LLVMBuildNSWAdd(cg->b, induction, step, "");
  if (has_loops(op)) next = opaque(cg, next);
  LLVMBuildCondBr(cg->b, LLVMBuildICmp(cg->b, LLVMIntSLT, next, upper, ""), loop, after);
  LLVMAddIncoming(induction, &next, &latch, 1);

  LLVMPositionBuilderAtEnd(cg->b, after);
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (is_tile(cg, op, i)) continue;
    LLVMValueRef yielded = e_operand(cg, terminator(body), i);
    LLVMAddIncoming(e_value(cg, body->args[i + 1]), &yielded, &latch, 1);
    LLVMValueRef result = phi(cg, qn_op_result(op, i), e_operand(cg, op, i + 3), before);
    LLVMAddIncoming(result, &yielded, &latch, 1);
  }
}

/* Returns from the entry point with the number of a loop that exceeds the limit (invoke.c). */
static void give_up(const qn_cg *cg, int64_t loop) {
  LLVMBuildRet(cg->b, e_i32(cg, (int32_t)loop));
}

/* Emits scf.while, which occurs in @main only: the first block, whose condition leads to the second
 * block or to the end. */
void qn_emit_scf_while(qn_cg *cg, const qn_op *op) {
  const qn_block *before = op->regions[0].first, *after = op->regions[1].first;
  LLVMBasicBlockRef from = here(cg), head = e_block(cg, "head"), enter = e_block(cg, "enter");
  LLVMBasicBlockRef body = e_block(cg, "body"), done = e_block(cg, "done");
  LLVMBasicBlockRef endless = e_block(cg, "endless");
  int64_t loop = ++cg->loop;
  LLVMBuildBr(cg->b, head);
  LLVMPositionBuilderAtEnd(cg->b, head);
  for (uint32_t i = 0; i < before->arg_count; i++)
    phi(cg, before->args[i], e_operand(cg, op, i), from);
  qn_cg_emit_block(cg, before);
  LLVMBuildCondBr(cg->b, e_operand(cg, before->last, 0), enter, done);

  LLVMPositionBuilderAtEnd(cg->b, enter);
  LLVMValueRef limit = e_i64(cg, qn_op_max_iterations(cg->source->module->op));
  LLVMValueRef rounds = e_load(cg, cg->i64, cg->rounds, sizeof(int64_t));
  LLVMBuildCondBr(cg->b, LLVMBuildICmp(cg->b, LLVMIntEQ, rounds, limit, ""), endless, body);
  LLVMPositionBuilderAtEnd(cg->b, endless);
  give_up(cg, loop);

  LLVMPositionBuilderAtEnd(cg->b, body);
  add_one(cg, cg->rounds, rounds);
  for (uint32_t i = 0; i < after->arg_count; i++)
    cg->values[after->args[i]->id] = e_operand(cg, before->last, 1 + i);
  qn_cg_emit_block(cg, after);
  count_turn(cg);
  LLVMBasicBlockRef latch = here(cg);
  for (uint32_t i = 0; i < before->arg_count; i++) {
    LLVMValueRef yielded = e_operand(cg, after->last, i);
    LLVMAddIncoming(e_value(cg, before->args[i]), &yielded, &latch, 1);
  }
  LLVMBuildBr(cg->b, head);
  LLVMPositionBuilderAtEnd(cg->b, done);
  for (uint32_t i = 0; i < op->result_count; i++)
    cg->values[qn_op_result(op, i)->id] = e_operand(cg, before->last, 1 + i);
}

/* Emits a region of an scf.if, which may be absent. Returns the block in which it ends. */
static LLVMBasicBlockRef branch(qn_cg *cg, const qn_region *region, LLVMBasicBlockRef start,
                                LLVMBasicBlockRef after) {
  LLVMPositionBuilderAtEnd(cg->b, start);
  if (region->first) qn_cg_emit_block(cg, region->first);
  LLVMBuildBr(cg->b, after);
  return LLVMGetInsertBlock(cg->b);
}

void qn_emit_scf_if(qn_cg *cg, const qn_op *op) {
  LLVMBasicBlockRef then = e_block(cg, "then"), otherwise = e_block(cg, "else");
  LLVMBasicBlockRef after = e_block(cg, "after"), ends[2];
  LLVMBuildCondBr(cg->b, e_operand(cg, op, 0), then, otherwise);
  ends[0] = branch(cg, &op->regions[0], then, after);
  ends[1] = branch(cg, &op->regions[1], otherwise, after);
  LLVMPositionBuilderAtEnd(cg->b, after);
  for (uint32_t i = 0; i < op->result_count; i++) {
    LLVMValueRef first = e_operand(cg, terminator(op->regions[0].first), i);
    LLVMValueRef second = e_operand(cg, terminator(op->regions[1].first), i);
    LLVMValueRef result = phi(cg, qn_op_result(op, i), first, ends[0]);
    LLVMAddIncoming(result, &second, &ends[1], 1);
  }
}

/* Emits nothing: the enclosing op reads the operands. */
void qn_emit_scf_condition(qn_cg *cg, const qn_op *op) {
  (void)cg;
  (void)op;
}
void qn_emit_scf_yield(qn_cg *cg, const qn_op *op) {
  (void)cg;
  (void)op;
}
