/* The driver: runs the groups of rules in order over the work list of each block, within a limit of
 * applications.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/rewrite/run.h"

#include "eval/fold.h"
#include "ir/ops/forms.h"
#include "ir/walk.h"
#include "rules/print/print.h"
#include "rules/rewrite/external.h"
#include "rules/rewrite/group.h"

enum { FUEL_PER_OP = 8, LEAST_FUEL = 64, GROWTH = 4, LEAST_OPS = 1024 };

/* ---- rules ---- */

static const char *missing_in(const qn_rule_node *node, bool replacement, qn_arena *arena) {
  bool names_op =
      node->kind == QN_RULE_CALL && node->function &&
      (qn_rule_is(node, QN_RULE_FN_Op) || qn_rule_is(node, QN_RULE_FN_OpVarIn) ||
       qn_rule_is(node, QN_RULE_FN_WrapOp) || qn_rule_is(node, QN_RULE_FN_WrapOpAlways));
  qn_str name = names_op ? qn_rule_op_name(node) : (qn_str){NULL, 0};
  if (names_op && !qn_rule_has_op(name)) return qn_arena_str(arena, name).data;
  /* for SELECT, one branch without missing ops is enough */
  if (replacement && node->function && qn_rule_is(node, QN_RULE_FN_SELECT)) return NULL;
  for (uint32_t i = 0; i < node->arg_count; i++) {
    const char *missing = missing_in(node->args[i], replacement, arena);
    if (missing) return missing;
  }
  return NULL;
}

const char *qn_rule_missing_op(const qn_rule *rule, qn_arena *arena) {
  const char *missing = missing_in(rule->match, false, arena);
  return missing ? missing : missing_in(rule->replacement, true, arena);
}

static bool is_wanted(const qn_rule *rule, const qn_rule_run_options *o) {
  if (o->only_bits && rule->exact != QN_RULE_BIT) return false;
  return o->only.size == 0 || qn_str_lists(o->only, rule->name);
}

static void add_rule(qn_rule_run *run, const qn_rule *rule) {
  const qn_rule *expanded = qn_rule_expand(&run->arena, rule);
  if (!expanded || !is_wanted(rule, run->options)) return;
  qn_rule_state state = {.rule = rule, .expanded = expanded, .ending = qn_rule_ending_of(expanded)};
  state.missing = qn_rule_missing_op(expanded, &run->arena);
  qn_array_push(&run->states, state);
  /* insertion sort by pass: it keeps the order of the files within a pass */
  for (size_t i = run->states.count - 1; i > 0; i--) {
    if (run->states.data[i - 1].rule->pass <= run->states.data[i].rule->pass) break;
    qn_rule_state other = run->states.data[i];
    run->states.data[i] = run->states.data[i - 1];
    run->states.data[i - 1] = other;
  }
}

void qn_rule_run_init(qn_rule_run *run, qn_module *module, const qn_rule_set *set,
                      const qn_rule_run_options *options) {
  enum { MOST_MADE = 1 << 14 };
  *run = (qn_rule_run){.module = module, .set = set, .options = options};
  qn_arena_init(&run->arena);
  qn_rule_graph_init(&run->graph, module);
  run->view = qn_rule_graph_view(&run->graph);
  run->staging = (qn_rule_staging){.graph = &run->graph,
                                   .names = set->options.names,
                                   .most = MOST_MADE,
                                   .folder = qn_folder_create(module)};
  run->staging.evaluation = (qn_rule_evaluation){.view = &run->view,
                                                 .settings = options->settings,
                                                 .external = qn_rule_external_holds,
                                                 .user = &run->staging};
  for (size_t i = 0; i < set->rules.count; i++) add_rule(run, set->rules.data[i]);
}

void qn_rule_run_deinit(qn_rule_run *run) {
  qn_array_free(&run->states);
  qn_array_free(&run->list);
  qn_array_free(&run->found);
  qn_array_free(&run->staging.made);
  qn_text_deinit(&run->staging.failure);
  qn_text_deinit(&run->captured);
  qn_text_deinit(&run->prices);
  qn_folder_destroy(run->staging.folder);
  qn_array_free(&run->places);
  qn_array_free(&run->blocks);
  qn_array_free(&run->ops_in);
  qn_map_deinit(&run->makers);
  qn_rule_graph_deinit(&run->graph);
  qn_arena_deinit(&run->arena);
}

/* ---- one pass ---- */

static void report_fuel(qn_rule_run *run, const qn_rule_group *g, const qn_loc *loc,
                        uint64_t applied) {
  const qn_rule_state *a = run->recent[0], *b = run->recent[1];
  long long pass = (long long)run->states.data[g->first].rule->pass;
  qn_diag_engine *diag = &run->module->cx->diag;
  if (b)
    qn_warning(
        diag, loc, "rules %.*s and %.*s undo each other: pass %lld stopped after %llu applications",
        QN_STR_ARG(b->rule->name), QN_STR_ARG(a->rule->name), pass, (unsigned long long)applied);
  else
    qn_warning(diag, loc, "rule %.*s does not end: pass %lld stopped after %llu applications",
               QN_STR_ARG(a->rule->name), pass, (unsigned long long)applied);
}

/* Lists the ops of all blocks. Called once per pass: ops that the pass adds to a block are pushed
 * to that block's work list. */
static void walk_blocks(qn_rule_run *run) {
  run->ops_in.count = 0;
  for (size_t i = 0; i < run->blocks.count; i++) {
    qn_rule_run_block *b = &run->blocks.data[i];
    b->first = run->ops_in.count;
    QN_FOR_EACH_OP(op, b->block) qn_array_push(&run->ops_in, ((qn_rule_run_op){op, op->kind}));
    b->end = run->ops_in.count;
  }
  run->walked = true;
}

static void run_group(qn_rule_run *run, qn_rule_group *g, size_t block) {
  const qn_rule_run_block *b = &run->blocks.data[block];
  uint64_t all = b->end - b->first, applied = 0;
  run->list.count = run->next = 0;
  for (size_t i = b->first; i < b->end; i++)
    if (g->by_kind[run->ops_in.data[i].kind].count > 0)
      qn_rule_run_push(run, run->ops_in.data[i].op);
  uint64_t fuel = FUEL_PER_OP * all + LEAST_FUEL;
  run->ops = all;
  run->recent[0] = run->recent[1] = NULL;
  for (qn_op *op = qn_rule_run_pop(run); op; op = qn_rule_run_pop(run)) {
    const qn_loc *loc = op->loc;
    if (!qn_rule_visit(run, g, op)) continue;
    applied++;
    bool grown = run->ops > GROWTH * all + LEAST_OPS;
    if (applied < fuel && !grown) continue;
    if (grown)
      qn_warning(&run->module->cx->diag, loc,
                 "rule %.*s makes the graph grow without end: pass stopped at %llu ops",
                 QN_STR_ARG(run->recent[0]->rule->name), (unsigned long long)run->ops);
    else
      report_fuel(run, g, loc, applied);
    break;
  }
  while (qn_rule_run_pop(run)) continue;
}

static bool has_roots(const qn_rule_run *run, const qn_rule_group *g) {
  for (qn_op_kind kind = 0; kind < QN_OP_COUNT; kind++)
    if (g->by_kind[kind].count > 0 && (run->kinds[kind / 64] >> kind % 64 & 1)) return true;
  return false;
}

static bool collect_blocks(qn_op *op, void *user) {
  qn_rule_run *run = user;
  qn_rule_run_note_kind(run, op->kind);
  if (op->kind == QN_OP_FUNC && op->region_count > 0) QN_FOR_EACH_BLOCK(block, &op->regions[0])
  qn_array_push(&run->blocks, ((qn_rule_run_block){.block = block}));
  return true;
}

qn_status qn_rule_run_all(qn_rule_run *run) {
  qn_rule_group *g = QN_NEW(&run->arena, qn_rule_group);
  run->blocks.count = 0;
  run->walked = false;
  (void)qn_walk_pre(run->module->op, collect_blocks, run);
  for (size_t first = 0; first < run->states.count; first = g->end) {
    *g = (qn_rule_group){.first = first, .end = first};
    while (g->end < run->states.count &&
           run->states.data[g->end].rule->pass == run->states.data[first].rule->pass)
      g->end++;
    QN_ASSERT(g->end == run->states.count || /* states are sorted by pass */
              run->states.data[g->end].rule->pass > run->states.data[first].rule->pass);
    qn_rule_group_fill(run, g);
    if (!run->walked && has_roots(run, g)) walk_blocks(run);
    for (size_t i = 0; i < run->blocks.count && has_roots(run, g) && !run->failed; i++)
      run_group(run, g, i);
    qn_rule_group_empty(g);
  }
  return run->failed ? QN_INTERNAL : QN_OK;
}
