/* Runs pipelines. Whatever is the same for all passes is done here, so that a pass is only its
 * transformation: choosing what runs, verification, dumps, measuring, scratch memory.
 *
 * A pass runs on all of its functions before the next pass does (mlir-opt finishes a function
 * first): function passes are independent, so the result is the same, and one verification of the
 * module per pass is enough, which keeps time linear. For the same reason nothing runs in parallel:
 * types and attributes are interned in tables of the context without locks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/manager.h"

#include "base/clock.h"
#include "base/guard.h"
#include "base/hash.h"
#include "ir/clone.h"
#include "ir/walk.h"
#include "pass/explain.h"
#include "pass/rewrite.h"

typedef struct run {
  qn_module *module;
  const qn_run_settings *settings;
  const qn_registry *registry;
  qn_arena scratch; /* of the running pass */
  qn_pass_stats *stats;
  const qn_selected *selected; /* by number of the pass */
  int64_t number;              /* runs so far */
  qn_map repeated;             /* passes that occur more than once in the pipeline */
  /* Changes are numbered from 1, as passes claim them: of an op, the last one by a pass on it, and
   * the last one by a pass on it or on an op inside. */
  uintptr_t changes;
  qn_map changed_at, changed_inside;
  qn_map clean; /* key of pass, options and op -> last_change + 1 when the pass left it as it was */
  QN_ARRAY(qn_op *) targets;
} run;

/* ---- what a pass runs on ---- */

/* Collects the ops that a pipeline runs on: the module, or the ops of its kind that are immediate
 * children of the parent pipeline's ops. */
static void collect(run *r, const qn_pipeline_node *node) {
  r->targets.count = 0;
  if (!node->parent) {
    qn_array_push(&r->targets, r->module->op);
    return;
  }
  collect(r, node->parent);
  size_t around = r->targets.count;
  for (size_t i = 0; i < around; i++) {
    qn_op *outer = r->targets.data[i];
    for (uint32_t g = 0; g < outer->region_count; g++) {
      QN_FOR_EACH_BLOCK(block, &outer->regions[g]) {
        QN_FOR_EACH_OP(op, block) {
          bool isolated = qn_op_has(op, QN_ISOLATED);
          if (op->kind == node->anchor || (node->anchor == QN_OP_UNREGISTERED && isolated))
            qn_array_push(&r->targets, op);
        }
      }
    }
  }
  r->targets.count -= around;
  if (r->targets.count)
    memmove(r->targets.data, r->targets.data + around, r->targets.count * sizeof(qn_op *));
}

/* Whether this run of a pass, which gets its number here, takes place: it is within the limit, and
 * neither the op nor an instrument skips the pass, unless another pass requires it. */
static bool may_run(run *r, const qn_pipeline_node *node, const qn_op *op) {
  const qn_run_settings *s = r->settings;
  qn_pass_event event = {node->pass, r->module, op, ++r->number, true};
  if (s->bisect_limit != QN_NO_BISECT) {
    event.runs = s->bisect_limit < 0 || event.number <= s->bisect_limit;
    if (s->on_event) s->on_event(s->user, &event);
    if (!event.runs) return false;
  }
  if (r->selected[node->index] == QN_NEEDED) return true;
  bool left_alone = op != r->module->op && qn_op_attr(op, qn_skip_attr) && !node->pass->sets_stage;
  return !left_alone && (!s->should_run || s->should_run(s->user, &event));
}

/* ---- skipping what is known to change nothing ---- */

static uintptr_t number_at(const qn_map *map, const qn_op *op) {
  return (uintptr_t)qn_map_get(map, op);
}

/* The number of the last change of the op, of an op nested in it, or of an op around it. */
static uintptr_t last_change(const run *r, const qn_op *op) {
  uintptr_t last = number_at(&r->changed_inside, op);
  for (; op; op = qn_op_parent(op)) {
    uintptr_t here = number_at(&r->changed_at, op);
    if (here > last) last = here;
  }
  return last;
}

static void note_change(run *r, const qn_op *op) {
  void *number = (void *)++r->changes;
  qn_map_set(&r->changed_at, op, number);
  for (; op; op = qn_op_parent(op)) qn_map_set(&r->changed_inside, op, number);
}

/* Drops the records of changes after the module was replaced, because they refer to ops that don't
 * exist any more. */
static void forget_changes(run *r) {
  qn_map *const maps[] = {&r->changed_at, &r->changed_inside, &r->clean};
  for (size_t i = 0; i < QN_COUNT(maps); i++) {
    qn_map_deinit(maps[i]);
    *maps[i] = (qn_map){0};
  }
}

static const void *clean_key(const qn_pipeline_node *node, const qn_op *op) {
  uint64_t key = qn_hash_mix((uint64_t)(uintptr_t)node->pass, (uint64_t)(uintptr_t)op);
  for (uint32_t i = 0; i < qn_pass_option_count(node->pass); i++)
    key = qn_hash_mix(key, qn_str_hash(qn_str_of(node->values[i])));
  return (const void *)(uintptr_t)(key | 1);
}

/* ---- one pass ---- */

/* A pass that leaves a broken module is a defect of the pass and not of the input: the verifier's
 * diagnostics describe the error, and the last diagnostic names the pass. */
static qn_status check_after(run *r, const qn_pass *pass) {
  qn_status status = QN_OK;
  if (r->settings->verify_each || pass->sets_stage) status = qn_verify(r->module);
  if (status == QN_OK && pass->sets_stage) status = qn_verify_stage(r->module, pass->stage);
  if (status == QN_OK) return QN_OK;
  return qn_error(&r->module->cx->diag, r->module->op->loc, QN_INTERNAL,
                  "the module is not valid after pass '%s'", pass->name);
}

static bool note_asked(qn_op *op, void *user) {
  const qn_pass_context *pc = user;
  return !qn_explains_why_not(pc, op);
}

/* Explains a pass that was queried about an op but has no rules, or about an op that does not
 * exist. */
static void explain_rest(qn_pass_context *pc, bool there) {
  const char *explain = pc->settings->explain;
  if (!explain || pc->explained) return;
  if (!explain[0]) {
    if (pc->changed) qn_explain(pc, pc->root->loc, "'%.*s' is changed", QN_STR_ARG(pc->root->name));
  } else if (qn_str_is(qn_explained_pass(explain), pc->pass->name)) {
    qn_str node = qn_explained_node(explain);
    qn_explain(pc, pc->root->loc,
               there ? "the pass has no rules that could be asked about '%.*s'"
                     : "no op here is called '%.*s'",
               QN_STR_ARG(node));
  }
}

static qn_status apply_pass(qn_pass_context *pc) {
  const qn_pass *pass = pc->pass;
  if (pass->run) return pass->run(pc);
  return qn_rewrite_greedily(pc, pc->root, pass->patterns, pass->pattern_count,
                             &(qn_greedy_options){0});
}

/* Runs a pass on an op. The pass may replace the op, so *io_op may change. */
static qn_status call(run *r, const qn_pipeline_node *node, qn_op **io_op, bool *out_changed) {
  const qn_op *top = r->module->op;
  qn_pass_stats *stats = &r->stats[node->index];
  qn_arena_mark mark = qn_arena_get_mark(&r->scratch);
  qn_pass_context pc = {
      .pass = node->pass,
      .module = r->module,
      .root = *io_op,
      .cx = r->module->cx,
      .scratch = &r->scratch,
      .settings = r->settings,
      .registry = r->registry,
      .config = r->settings->config,
      .explain = r->settings->explain,
      .keep_tensors = r->settings->keep_tensors,
      .options = node->values,
  };
  qn_guard_check_time();
  bool there = r->settings->explain && !qn_walk_pre(*io_op, note_asked, &pc);
  double start = qn_clock_now();
  qn_status status = apply_pass(&pc);
  if (status == QN_OK) explain_rest(&pc, there);
  stats->seconds += qn_clock_now() - start;
  stats->runs++;
  qn_arena_rewind(&r->scratch, mark);
  *out_changed = pc.changed;
  *io_op = *io_op == top ? r->module->op : pc.root;
  if (r->module->op != top) forget_changes(r);
  if (pc.changed) note_change(r, *io_op);
  return status;
}

/* Reports a pass that changed the IR without reporting a change. That is a defect of the pass,
 * because later work is skipped then. */
static qn_status check_claim(run *r, const qn_pass *pass, bool claimed, bool changed) {
  if (claimed || !changed) return QN_OK;
  return qn_error(&r->module->cx->diag, r->module->op->loc, QN_INTERNAL,
                  "pass '%s' changes something and does not say so", pass->name);
}

static bool prints_after(const qn_run_settings *s, const qn_pipeline_node *node, bool changed) {
  bool named = qn_node_is_listed(s->print_after, node);
  return s->print_after_change ? changed && (named || !s->print_after) : named;
}

static qn_status run_on(run *r, const qn_pipeline_node *node, qn_op *op) {
  const qn_run_settings *s = r->settings;
  const qn_pass *pass = node->pass;
  qn_pass_stats *stats = &r->stats[node->index];
  bool repeated = !pass->observes && qn_map_get(&r->repeated, pass) != NULL;
  const void *key = repeated ? clean_key(node, op) : NULL;
  if (key && (uintptr_t)qn_map_get(&r->clean, key) == last_change(r, op) + 1) {
    stats->skipped++;
    return QN_OK;
  }
  bool hashes = s->print_after_change || s->stats || s->after;
  uint64_t before = hashes ? qn_op_hash(op) : 0;
  if (qn_node_is_listed(s->print_before, node)) qn_dump(s, r->module, op, pass, QN_DUMP_BEFORE);
  qn_pass_event event = {pass, r->module, op, r->number, true};
  if (s->before) s->before(s->user, &event);
  bool changed;
  qn_status status = call(r, node, &op, &changed);
  event.op = op;
  bool claimed = changed; /* may be more than the IR: counters of the pass */
  if (hashes) changed = qn_op_hash(op) != before;
  if (status == QN_OK) status = check_claim(r, pass, claimed, changed);
  if (s->after) s->after(s->user, &event, status, changed);
  if (status != QN_OK) {
    if (s->print_after_failure) qn_dump(s, r->module, op, pass, QN_DUMP_AFTER_FAILURE);
    return status;
  }
  if (key && !claimed) qn_map_set(&r->clean, key, (void *)(last_change(r, op) + 1));
  stats->changed += changed;
  if (prints_after(s, node, changed)) qn_dump(s, r->module, op, pass, QN_DUMP_AFTER);
  return QN_OK;
}

/* ---- stress: what is printed is what is meant ---- */

static qn_status round_trip(run *r, const qn_pass *pass) {
  qn_ir_context *cx = r->module->cx;
  qn_text text = {0};
  qn_print_options print = {.locations = true};
  qn_module *again = NULL;
  qn_text_print(r->module, &print, &text);
  qn_status status = qn_text_parse(cx, qn_text_view(&text), qn_str_of("<printed>"), &again);
  bool equal = status == QN_OK && qn_op_equal(r->module->op, again->op);
  qn_text_deinit(&text);
  if (equal) {
    qn_module old = *r->module;
    *r->module = *again;
    *again = old;
    forget_changes(r);
  }
  qn_module_destroy(again);
  if (equal) return QN_OK;
  if (status == QN_LIMIT) return status; /* another form of it is too deep or too large */
  return qn_error(&cx->diag, r->module->op->loc, QN_INTERNAL,
                  "the module after pass '%s' does not read back as it was printed", pass->name);
}

static qn_status run_pass(run *r, const qn_pipeline_node *node) {
  const qn_pass *pass = node->pass;
  if (r->selected[node->index] == QN_NOT_SELECTED) return QN_OK;
  if (node->gives && !qn_property_violation(node->gives, r->module)) return QN_OK;
  QN_TRY(qn_properties_check(r->module, pass));
  collect(r, node->parent);
  uint32_t runs = r->stats[node->index].runs;
  for (size_t i = 0; i < r->targets.count; i++) {
    if (!may_run(r, node, r->targets.data[i])) continue;
    QN_TRY(run_on(r, node, r->targets.data[i]));
  }
  if (r->stats[node->index].runs == runs) return QN_OK;
  qn_status status = check_after(r, pass);
  if (status == QN_OK && r->settings->stress_roundtrip) status = round_trip(r, pass);
  if (status != QN_OK && r->settings->print_after_failure)
    qn_dump(r->settings, r->module, r->module->op, pass, QN_DUMP_AFTER_FAILURE);
  return status;
}

static qn_status run_pipeline(run *r, const qn_pipeline_node *pipeline) {
  for (const qn_pipeline_node *node = pipeline->first; node; node = node->next)
    QN_TRY(node->pass ? run_pass(r, node) : run_pipeline(r, node));
  return QN_OK;
}

/* ---- all ---- */

static void find_repeated(run *r, const qn_pipeline_node *pipeline, qn_map *seen) {
  for (const qn_pipeline_node *node = pipeline->first; node; node = node->next) {
    if (!node->pass)
      find_repeated(r, node, seen);
    else
      qn_map_set(qn_map_get(seen, node->pass) ? &r->repeated : seen, node->pass, r);
  }
}

qn_status qn_pipeline_execute(qn_module *module, const qn_pipeline *pipeline,
                              const qn_run_settings *settings) {
  run r = {.module = module, .settings = settings, .registry = pipeline->registry};
  qn_map seen = {0};
  double start = qn_clock_now();
  qn_arena_init(&r.scratch);
  r.stats = QN_NEW_ARRAY(&r.scratch, pipeline->pass_count + 1, qn_pass_stats);
  find_repeated(&r, pipeline->root, &seen);
  qn_status status = qn_select_passes(module->cx, pipeline, settings, &r.scratch, &r.selected);
  if (status == QN_OK) status = run_pipeline(&r, pipeline->root);
  double end = qn_clock_now();
  qn_phases phases = {.parser = settings->parser_seconds, .passes = end - start};
  if (status == QN_OK && settings->output) {
    settings->output(settings->user);
    phases.output = qn_clock_now() - end;
  }
  qn_run_report(settings, pipeline, r.stats, phases);
  qn_map_deinit(&seen);
  qn_map_deinit(&r.repeated);
  forget_changes(&r);
  qn_array_free(&r.targets);
  qn_arena_deinit(&r.scratch);
  return status;
}

qn_status qn_pipeline_run(qn_module *module, const qn_pass *const *passes, uint32_t count,
                          const qn_pipeline_options *options) {
  qn_run_settings settings = QN_RUN_SETTINGS_INIT;
  settings.config = options ? options->config : NULL;
  settings.verify_each = options && options->verify_each;
  qn_pipeline *pipeline = qn_pipeline_create(module->op->loc);
  for (uint32_t i = 0; i < count; i++)
    (void)qn_pipeline_append_pass(pipeline, pipeline->root, passes[i], module->op->loc);
  qn_pipeline_number(pipeline);
  qn_status status = qn_pipeline_execute(module, pipeline, &settings);
  qn_pipeline_destroy(pipeline);
  return status;
}
