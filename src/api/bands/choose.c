/* The search for chains: where most bytes are live, the chain with the least additional work that
 * brings them below the limit; then the next place. Each choice is compiled and its arena measured,
 * because estimates know nothing of borders, tensors in place and holes in the arena.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/bands/bands.h"
#include "api/bands/candidates.h"
#include "api/inspect/inspect.h"
#include "api/passes/pipelines.h"
#include "ir/clone.h"
#include "ir/walk.h"

/* CHAINS and TRIES bound the time of a search: each try is a compilation without code. */
enum { CHAINS = 16, TRIES = 48, TRIES_PER_PLACE = 12 };

/* What a choice leads to. */
typedef struct outcome {
  int64_t bytes;             /* of the arena; -1 if it did not compile */
  qn_launch_bytes *launches; /* in the arena of the search */
  size_t launch_count;
} outcome;

typedef struct search {
  const qn_run_settings *settings; /* of all tries */
  qn_lower_config config;
  qn_arena arena;
  qn_module *base; /* as compute-in-bands gets it */
  const qn_op *func;
  const qn_op **ops; /* of the function, without constants */
  uint32_t op_count;
  int64_t limit;
  int64_t goal;                     /* most live bytes at a place; at most the limit */
  qn_band_choice taken[CHAINS + 1]; /* in the order of the function, without overlap */
  uint32_t taken_count;
  outcome now;
  uint32_t tries;
} search;

/* ---- lists of choices ---- */

static void print(const qn_band_choice *choices, uint32_t count, qn_text *out) {
  for (uint32_t i = 0; i < count; i++)
    qn_text_format(out, "%s%u-%u:%lld", i > 0 ? "," : "", choices[i].first, choices[i].last,
                   (long long)choices[i].bands);
}

/* Inserts `choice` into a copy of the list, in place of those that it overlaps. Returns the number
 * of choices. */
static uint32_t insert(const search *s, const qn_band_choice *choice, qn_band_choice *out) {
  uint32_t count = 0, at = 0;
  for (; at < s->taken_count && s->taken[at].last < choice->first; at++)
    out[count++] = s->taken[at];
  out[count++] = *choice;
  for (; at < s->taken_count; at++)
    if (s->taken[at].first > choice->last) out[count++] = s->taken[at];
  return count;
}

/* ---- tries ---- */

static outcome try_choices(search *s, const qn_band_choice *choices, uint32_t count) {
  outcome o = {.bytes = -1};
  qn_text text = {0};
  print(choices, count, &text);
  s->config.bands = text.data;
  s->tries++;
  qn_module *module = qn_module_clone(s->base);
  qn_status status =
      qn_pipeline_text_run(module, s->settings, QN_PASSES_FROM_BANDS ",integer-to-loops");
  if (status == QN_OK) {
    o.bytes = qn_op_arena_bytes(module->op);
    o.launch_count = qn_arena_launches(module, &s->arena, &o.launches);
  }
  qn_module_destroy(module);
  qn_text_deinit(&text);
  s->config.bands = NULL;
  return o;
}

/* Most live bytes at a launch of the ops `first` to `last`. */
static int64_t most_live(const search *s, const outcome *o, uint32_t first, uint32_t last) {
  int64_t most = 0;
  for (size_t i = 0; i < o->launch_count; i++) {
    if (o->launches[i].live <= most) continue;
    for (uint32_t k = first; k <= last; k++)
      if (s->ops[k]->loc == o->launches[i].loc) most = o->launches[i].live;
  }
  return most;
}

/* Finds the launch with most live bytes whose op is in the function. */
static bool find_place(const search *s, uint32_t *out_op, int64_t *out_live) {
  *out_live = -1;
  const qn_launch_bytes *fullest = NULL;
  for (size_t i = 0; i < s->now.launch_count; i++)
    if (!fullest || s->now.launches[i].live > fullest->live) fullest = &s->now.launches[i];
  if (!fullest) return false;
  *out_live = fullest->live;
  for (*out_op = 0; *out_op < s->op_count; ++*out_op) {
    const qn_op *op = s->ops[*out_op];
    if (op->loc == fullest->loc && qn_rows_apply(op)) return true;
  }
  return false;
}

static void take(search *s, const qn_band_choice *choice, const outcome *o) {
  qn_band_choice list[CHAINS + 1];
  s->taken_count = insert(s, choice, list);
  memcpy(s->taken, list, s->taken_count * sizeof *list);
  s->now = *o;
}

/* Takes the first candidate that keeps the limit at its ops, else the one with the least arena.
 * Returns false if none makes the arena smaller. */
static bool improve(search *s, const qn_band_choices *candidates) {
  const qn_band_choice *best = NULL;
  outcome best_outcome = {.bytes = s->now.bytes};
  int64_t failed = INT64_MAX; /* estimate of the last one that did not keep the limit */
  uint32_t tries = 0;
  for (size_t i = 0; i < candidates->count; i++) {
    const qn_band_choice *c = &candidates->data[i];
    qn_band_choice list[CHAINS + 1];
    if (c->bytes <= s->goal && c->bytes >= failed) continue;
    if (tries == TRIES_PER_PLACE || s->tries >= TRIES) break;
    tries++;
    outcome o = try_choices(s, list, insert(s, c, list));
    if (o.bytes < 0) continue;
    bool fits = o.bytes <= s->limit ||
                (o.bytes <= s->now.bytes && most_live(s, &o, c->first, c->last) <= s->goal);
    if (fits) {
      take(s, c, &o);
      return true;
    }
    failed = c->bytes;
    if (o.bytes < best_outcome.bytes) best = c, best_outcome = o;
  }
  if (best) take(s, best, &best_outcome);
  return best != NULL;
}

/* Chooses place by place from no chains, whose outcome is `whole`. */
static void search_all(search *s, const outcome *whole) {
  s->now = *whole;
  s->taken_count = 0;
  s->tries = 0;
  while (s->now.bytes > s->limit && s->taken_count < CHAINS && s->tries < TRIES) {
    uint32_t at;
    int64_t live;
    qn_band_choices candidates = {0};
    bool smaller = find_place(s, &at, &live);
    if (smaller) {
      qn_band_candidates(s->func, at, live, s->goal, s->config.io_in_arena, &candidates);
      smaller = improve(s, &candidates);
    }
    qn_array_free(&candidates);
    if (!smaller) break;
  }
}

static void list_ops(search *s) {
  uint32_t count = 0;
  QN_FOR_EACH_OP(op, qn_op_body(s->func)) count++;
  s->ops = QN_NEW_ARRAY(&s->arena, count + 1, const qn_op *);
  QN_FOR_EACH_OP(op, qn_op_body(s->func))
  if (!qn_op_has(op, QN_CONSTANT)) s->ops[s->op_count++] = op;
}

/* A chain that just keeps the limit may exclude a better one at the next place. So a
 * search that fails is repeated with less memory for each place. Leaves the choices of the first
 * search that succeeds, else those of the smallest arena. */
static void run(search *s) {
  enum { PARTS = 8, LEAST_PART = 3 };
  list_ops(s);
  const outcome whole = try_choices(s, NULL, 0);
  if (whole.bytes <= s->limit) return;
  qn_band_choice best[CHAINS + 1];
  uint32_t best_count = 0;
  int64_t best_bytes = whole.bytes;
  for (int64_t part = PARTS; part >= LEAST_PART && best_bytes > s->limit; part--) {
    s->goal = s->limit / PARTS * part;
    search_all(s, &whole);
    if (s->now.bytes >= best_bytes) continue;
    best_bytes = s->now.bytes;
    best_count = s->taken_count;
    memcpy(best, s->taken, best_count * sizeof *best);
  }
  s->taken_count = best_count;
  memcpy(s->taken, best, best_count * sizeof *best);
}

void qn_bands_choose(const qn_module *module, const qn_run_settings *settings, size_t limit,
                     qn_text *out_chains) {
  qn_run_settings tries = *settings;
  search s = {.settings = &tries, .limit = limit < INT64_MAX ? (int64_t)limit : INT64_MAX};
  s.config = *(const qn_lower_config *)settings->config;
  tries.config = &s.config;
  tries.explain = NULL;
  qn_diag_state quiet = qn_diag_silence(&module->cx->diag);
  qn_arena_init(&s.arena);
  s.base = qn_module_clone(module);
  qn_status status = qn_pipeline_text_run(s.base, &tries, QN_PASSES_BEFORE_BANDS);
  s.func = status == QN_OK ? qn_module_main(s.base) : NULL;
  if (s.func) run(&s);
  print(s.taken, s.taken_count, out_chains);
  qn_module_destroy(s.base);
  qn_arena_deinit(&s.arena);
  qn_diag_restore(&module->cx->diag, &quiet);
}
