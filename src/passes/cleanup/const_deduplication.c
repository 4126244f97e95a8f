/* const-deduplication: merges constants of one block that have the same bits and type; the first
 * stays.
 *
 *   %0 = "ml.const"() {value = dense_resource<a> : tensor<64x3x3x3xf32>}
 *   %1 = "ml.const"() {value = dense_resource<b> : tensor<64x3x3x3xf32>}   ->   %1 becomes %0
 *
 * Also merges a quant.dcast, or an ml.cast to a wider float, whose operands are or have become the
 * same constant: these are compressed constants.
 *
 * Payloads are compared byte by byte: a NaN equals the same NaN, 0.0 is not -0.0. Constants with
 * fewer than const_threshold elements, and constants that are not tensors, stay. Only constants of
 * the same block are compared, so that constants of a branch stay in it.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "base/map.h"
#include "ir/walk.h"
#include "pass/explain.h"
#include "passes/support/casts.h"

typedef struct entry {
  qn_op *op;
  struct entry *next; /* next entry with the same hash */
} entry;

typedef struct deduplication {
  qn_pass_context *pc;
  int64_t threshold;
} deduplication;

static bool is_compressed(const qn_op *op) {
  return qn_decompresses(op) && qn_op_operand(op, 0)->op &&
         qn_op_has(qn_op_operand(op, 0)->op, QN_CONSTANT);
}

static bool is_candidate(const deduplication *d, const qn_op *op) {
  bool constant = qn_op_has(op, QN_CONSTANT);
  if (op->result_count != 1 || (!constant && (!is_compressed(op) || qn_pass_keeps(d->pc, op))))
    return false;
  const qn_attr *value = qn_op_find(op, QN_A_VALUE);
  bool known = !constant || (value && qn_attr_is_elements(value));
  return known && qn_type_is_shaped(op->results[0].type) &&
         qn_type_is_static(op->results[0].type) &&
         qn_type_elements(op->results[0].type) >= d->threshold;
}

/* The key by which constants are compared: the value of a constant op, or the constant operand of a
 * cast. */
static const void *key_of(const qn_op *op) {
  bool constant = qn_op_has(op, QN_CONSTANT);
  uint64_t hash = constant ? qn_attr_hash(qn_op_find(op, QN_A_VALUE))
                           : qn_hash_mix((uint64_t)op->kind, qn_op_operand(op, 0)->id);
  return (const void *)(uintptr_t)(hash | 1);
}

static bool same(const qn_op *a, const qn_op *b) {
  if (a->kind != b->kind || a->results[0].type != b->results[0].type) return false;
  if (!qn_op_has(a, QN_CONSTANT)) return qn_op_operand(a, 0) == qn_op_operand(b, 0);
  return a->attr_count == b->attr_count &&
         qn_attr_equal(qn_op_find(a, QN_A_VALUE), qn_op_find(b, QN_A_VALUE));
}

static void enter(deduplication *d, qn_map *by_hash, qn_op *op) {
  const void *key = key_of(op);
  entry *first = qn_map_get(by_hash, key);
  for (entry *e = first; e; e = e->next) {
    if (!same(e->op, op)) continue;
    if (qn_explains(d->pc, op))
      qn_explain(d->pc, op->loc, "'%.*s' gives way to one of the same bits", QN_STR_ARG(op->name));
    qn_value_replace_all_uses(&op->results[0], &e->op->results[0]);
    qn_op_erase(d->pc->module, op);
    d->pc->changed = true;
    return;
  }
  entry *e = QN_NEW(d->pc->scratch, entry);
  *e = (entry){op, first};
  qn_map_set(by_hash, key, e);
}

static bool visit(qn_op *owner, void *user) {
  deduplication *d = user;
  for (uint32_t r = 0; r < owner->region_count; r++) QN_FOR_EACH_BLOCK(block, &owner->regions[r]) {
      qn_map by_hash = {0};
      QN_FOR_EACH_OP_SAFE(op, block)
      if (is_candidate(d, op)) enter(d, &by_hash, op);
      qn_map_deinit(&by_hash);
    }
  return true;
}

static qn_status run(qn_pass_context *pc) {
  deduplication d = {pc, qn_pass_i64(pc, "const_threshold")};
  qn_walk_pre(pc->root, visit, &d);
  return QN_OK;
}

static const qn_option_spec options[] = {
    {"const_threshold", QN_OPTION_I64, "100", "constants of fewer elements stay"},
    {NULL, 0, NULL, NULL},
};

const qn_pass qn_pass_const_deduplication = {
    .name = "const-deduplication",
    .summary = "one constant in the place of several with the same bits",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .options = options,
    .run = run,
};
