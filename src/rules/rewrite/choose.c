/* Decides whether a replacement is cheaper than what it replaces, and which operand of a SWEEP is
 * best: the staged ops are compared with the ops that would be removed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/clone.h"
#include "ir/walk.h"
#include "rules/cost/cost.h"
#include "rules/rewrite/run.h"

/* ---- time: of the staged ops and of the ops that would be removed ---- */

typedef struct exchange {
  qn_map made;  /* staged ops -> &needed if the replacement uses them, else &spare */
  qn_map going; /* ops that have no uses after the replacement */
  QN_ARRAY(qn_op *) open;
} exchange;

static char needed, spare; /* values of the map `made` */

static void mark_made(exchange *x, const qn_rule_staging *s, const qn_value *value) {
  for (size_t i = s->made.count; i-- > 0;) {
    qn_op *op = s->made.data[i];
    bool used = op == value->op;
    for (uint32_t k = 0; k < op->result_count; k++)
      for (const qn_use *use = op->results[k].first_use; use && !used; use = use->next)
        used = qn_map_get(&x->made, use->owner) == &needed;
    qn_map_set(&x->made, op, used ? &needed : &spare);
  }
}

/* Whether an op has no uses left after the replacement: all its uses are unneeded staged ops, ops
 * that go, or uses of `matched`, which are redirected to the replacement. */
static bool goes(const exchange *x, const qn_op *op, const qn_value *matched) {
  for (uint32_t k = 0; k < op->result_count; k++)
    for (const qn_use *use = op->results[k].first_use; use; use = use->next) {
      const void *made = qn_map_get(&x->made, use->owner);
      bool gone = made ? made == &spare
                       : &op->results[k] == matched || qn_map_get(&x->going, use->owner) != NULL;
      if (!gone) return false;
    }
  return true;
}

static double time_of_going(exchange *x, const qn_value *matched, const qn_value *value) {
  double sum = 0;
  qn_array_push(&x->open, matched->op);
  while (x->open.count > 0) {
    qn_op *op = x->open.data[--x->open.count];
    if (!op || op == value->op || qn_map_get(&x->going, op) || !goes(x, op, matched)) continue;
    qn_map_set(&x->going, op, op);
    sum += qn_rule_time_of(op);
    for (uint32_t i = 0; i < op->operand_count; i++)
      qn_array_push(&x->open, qn_op_operand(op, i)->op);
  }
  return sum;
}

static void compare_times(qn_rule_run *run, const qn_value *matched, const qn_value *value,
                          double *out_before, double *out_after) {
  const qn_rule_staging *s = &run->staging;
  exchange x = {0};
  mark_made(&x, s, value);
  *out_before = time_of_going(&x, matched, value);
  *out_after = 0;
  for (size_t i = 0; i < s->made.count; i++)
    if (qn_map_get(&x.made, s->made.data[i]) == &needed)
      *out_after += qn_rule_time_of(s->made.data[i]);
  qn_map_deinit(&x.made);
  qn_map_deinit(&x.going);
  qn_array_free(&x.open);
}

/* ---- memory: of the whole module ---- */

static void erase_dead(qn_module *module, qn_block *block) {
  for (qn_op *op = block->last, *before; op; op = before) {
    before = op->prev;
    if (qn_op_is_dead(op)) qn_op_erase(module, op);
  }
}

static bool clean_function(qn_op *op, void *user) {
  if (op->kind != QN_OP_FUNC || op->region_count == 0) return true;
  QN_FOR_EACH_BLOCK(block, &op->regions[0]) erase_dead(user, block);
  return true;
}

/* In a copy of the module: redirects all uses of `from` to `to`, except for uses by staged ops. */
static void redirect_copy(const qn_rule_staging *s, const qn_map *values, qn_value *from,
                          qn_value *to) {
  qn_map staged = {0};
  for (size_t i = 0; i < s->made.count; i++) {
    const qn_value *copy = qn_map_get(values, &s->made.data[i]->results[0]);
    qn_map_set(&staged, copy->op, copy->op);
  }
  const qn_use *next;
  for (qn_use *use = from->first_use; use; use = (qn_use *)(uintptr_t)next) {
    next = use->next;
    if (!qn_map_get(&staged, use->owner))
      qn_op_set_operand(use->owner, (uint32_t)(use - use->owner->operands), to);
  }
  qn_map_deinit(&staged);
}

/* Arena size in bytes of the module if `value` replaces `matched`. If both are the same, of the
 * module without a change. -1 if unknown. */
static int64_t arena_with(const qn_rule_run *run, const qn_value *matched, const qn_value *value) {
  qn_map values = {0};
  int64_t bytes;
  qn_module *copy = qn_module_create(run->module->cx, run->module->op->loc);
  copy->op = qn_op_clone(copy, run->module->op, &values);
  for (uint32_t i = 0; i < run->module->file_count; i++)
    qn_module_retain_file(copy, run->module->files[i]);
  if (value != matched)
    redirect_copy(&run->staging, &values, qn_map_get(&values, matched), qn_map_get(&values, value));
  (void)qn_walk_pre(copy->op, clean_function, copy);
  if (!qn_rule_arena_of(copy, run->options->registry, &bytes)) bytes = -1;
  qn_module_destroy(copy);
  qn_map_deinit(&values);
  return bytes;
}

/* ---- prices ---- */

typedef struct price {
  double time;
  int64_t arena; /* bytes; -1: unknown, or not needed */
} price;

static void put_price(qn_rule_run *run, const char *what, price p) {
  if (!run->options->tell) return;
  qn_text_format(&run->prices, "%s: %.3f us", what, p.time / 1000);
  if (p.arena >= 0) qn_text_format(&run->prices, ", an arena of %lld bytes", (long long)p.arena);
  qn_text_putc(&run->prices, '\n');
}

/* The price of the staged ops. *out_before gets the time of the ops that would be removed, which
 * depends on which operands the staged ops still use. */
static price price_of(qn_rule_run *run, const qn_rule *rule, const qn_value *matched,
                      const qn_value *value, double *out_before) {
  price p = {.arena = -1};
  compare_times(run, matched, value, out_before, &p.time);
  if (rule->when == QN_RULE_IF_SMALLER) p.arena = arena_with(run, matched, value);
  return p;
}

/* An arena of unknown size counts as not smaller. */
static bool is_cheaper(qn_rule_when when, price a, price b) {
  if (when != QN_RULE_IF_SMALLER) return a.time < b.time;
  return a.arena >= 0 && a.arena < b.arena;
}

/* Between candidates that need the same memory, the faster one is better. */
static bool is_better(qn_rule_when when, price a, price b) {
  return is_cheaper(when, a, b) || (a.arena == b.arena && a.time < b.time);
}

/* ---- the candidates ---- */

static uint32_t candidates_in(const qn_rule_node *node) {
  uint32_t most = node->function && qn_rule_is(node, QN_RULE_FN_SWEEP) ? node->arg_count : 1;
  for (uint32_t i = 0; i < node->arg_count; i++) {
    uint32_t inner = candidates_in(node->args[i]);
    if (inner > most) most = inner;
  }
  return most;
}

static qn_value *stage(qn_rule_run *run, const qn_rule *rule, qn_op *op, uint32_t result,
                       uint32_t candidate) {
  const qn_rule_binding *binding = run->staging.evaluation.binding;
  qn_rule_begin_stage(run, op, binding);
  run->staging.evaluation.candidate = candidate;
  return qn_rule_stage_whole(run, rule, op, result);
}

/* Stages each candidate, compares prices, and erases it again. Returns the index of the best;
 * UINT32_MAX if none can be built, with the failure of the last one. */
static uint32_t best_of(qn_rule_run *run, const qn_rule *rule, qn_op *op, uint32_t result,
                        uint32_t count) {
  uint32_t best = UINT32_MAX;
  price least = {0};
  for (uint32_t k = 0; k < count; k++) {
    double before;
    const qn_value *value = stage(run, rule, op, result, k);
    if (value) {
      price p = price_of(run, rule, &op->results[result], value, &before);
      char what[32];
      snprintf(what, sizeof what, "chunks of %lld", (long long)run->staging.chunk);
      put_price(run, what, p);
      if (best == UINT32_MAX || is_better(rule->when, p, least)) {
        best = k;
        least = p;
      }
    }
    qn_rule_stage_drop(&run->staging);
  }
  return best;
}

/* Whether the staged replacement is cheaper than what it replaces. */
static bool pays(qn_rule_run *run, const qn_rule *rule, const qn_value *matched,
                 const qn_value *value) {
  price before = {.arena = -1};
  price after = price_of(run, rule, matched, value, &before.time);
  if (rule->when == QN_RULE_IF_SMALLER) {
    if (!run->arena_known) run->arena_bytes = arena_with(run, matched, matched);
    run->arena_known = true;
    before.arena = run->arena_bytes;
  }
  put_price(run, "before", before);
  put_price(run, "after", after);
  return is_cheaper(rule->when, after, before);
}

qn_value *qn_rule_choose(qn_rule_run *run, const qn_rule *rule, qn_op *op, uint32_t result,
                         bool *out_pays) {
  uint32_t count = candidates_in(rule->replacement), best = 0;
  bool priced = !run->options->unpriced;
  QN_ASSERT(count > 0 && result < op->result_count);
  qn_text_clear(&run->prices);
  *out_pays = true;
  if (!priced)
    best = run->options->candidate % count;
  else if (count > 1)
    best = best_of(run, rule, op, result, count);
  if (best == UINT32_MAX) return NULL;
  qn_value *value = stage(run, rule, op, result, best);
  if (value && priced && rule->when != QN_RULE_ALWAYS)
    *out_pays = pays(run, rule, &op->results[result], value);
  return value;
}
