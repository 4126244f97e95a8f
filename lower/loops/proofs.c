/* A map from the bytes of a query to its result.
 *
 * Channels are queried for one form after the other, each form only if the one before it fails. All
 * searches begin with the thresholds (steps) of a channel. The steps of the most recently queried
 * channels are cached by channel index.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/proofs.h"

#include <string.h>

#include "base/heap.h"
#include "base/map.h"
#include "base/workers.h"

struct qn_proofs {
  qn_arena *arena;
  qn_str_map known;
  uint32_t searched;
  qn_steps *steps; /* [channel] of the last query */
  int64_t step_count;
};

enum { ASKS_FMA, ASKS_BITS, ASKS_TRUNCATED, ASKS_LONG, ASKS_FMA2, ASKS_PAIRED, ASKS_CORRECTED };
enum { MAX_NUMBERS = 24 };

qn_proofs *qn_proofs_create(qn_arena *arena) {
  qn_proofs *proofs = QN_NEW(arena, qn_proofs);
  proofs->arena = arena;
  return proofs;
}

void qn_proofs_destroy(qn_proofs *proofs) {
  if (!proofs) return;
  qn_str_map_deinit(&proofs->known);
  qn_heap_free(proofs->steps);
}

uint32_t qn_proofs_searched(const qn_proofs *proofs) { return proofs->searched; }

/* The cached result, or memory for a new one; then *out_is_new is set. */
static void *answer(qn_proofs *proofs, qn_bytes question, size_t size, bool *out_is_new) {
  qn_str key = {(const char *)question.data, question.size};
  void *found = qn_str_map_get(&proofs->known, key);
  *out_is_new = !found;
  if (found) return found;
  found = qn_arena_alloc(proofs->arena, size);
  qn_str_map_set(&proofs->known, qn_arena_str(proofs->arena, key), found);
  proofs->searched++;
  return found;
}

/* Looks up the result for all parameters that determine it, without struct padding. */
static void *requant_answer(qn_proofs *proofs, int64_t what, const qn_requant *r, qn_interval range,
                            size_t size, bool *out_is_new) {
  QN_ASSERT(range.lo <= range.hi);
  int64_t words[] = {what,
                     r->rounding,
                     r->multiplier.mantissa,
                     r->multiplier.shift,
                     r->zero_point,
                     r->min,
                     r->max,
                     range.lo,
                     range.hi,
                     0,
                     0};
  memcpy(&words[QN_COUNT(words) - 2], &r->real, sizeof r->real);
  memcpy(&words[QN_COUNT(words) - 1], &r->offset, sizeof r->offset);
  return answer(proofs, (qn_bytes){(const uint8_t *)words, sizeof words}, size, out_is_new);
}

qn_fma_form qn_proofs_fma(qn_proofs *proofs, const qn_requant *requant, qn_interval range) {
  bool is_new;
  qn_fma_form *form = requant_answer(proofs, ASKS_FMA, requant, range, sizeof *form, &is_new);
  if (!is_new) return *form;
  qn_steps steps;
  qn_steps_find(requant, range, &steps);
  return *form = qn_fma_form_find(&steps);
}

/* ---- many searches at once ---- */

enum {
  SEARCHES_AT_ONCE = 16, /* searches per claim of a thread: one takes microseconds, and a claim
                            should take about ten */
  MOST_STEPS = 2048,     /* channels whose steps are cached, about 1 KiB each */
};

typedef struct question {
  const qn_requant *requant;
  qn_interval range;
  qn_steps *steps; /* steps of this query, of another one, or empty; NULL: not cached */
  void *answer;
} question;

static void search_fma(const qn_steps *steps, void *out_form) {
  *(qn_fma_form *)out_form = qn_fma_form_find(steps);
}
static void search_bits(const qn_steps *steps, void *out_form) {
  *(qn_fma_form *)out_form = qn_fma_form_find_bits(steps);
}
static void search_truncated(const qn_steps *steps, void *out_form) {
  *(qn_fma_form *)out_form = qn_fma_form_find_truncated(steps);
}
static void search_long(const qn_steps *steps, void *out_form) {
  *(qn_long_form *)out_form = qn_long_form_find(steps);
}

/* Search functions, indexed by the form that is queried. */
static const struct {
  void (*search)(const qn_steps *steps, void *out_form);
  size_t size;
} searches[] = {[ASKS_FMA] = {search_fma, sizeof(qn_fma_form)},
                [ASKS_BITS] = {search_bits, sizeof(qn_fma_form)},
                [ASKS_TRUNCATED] = {search_truncated, sizeof(qn_fma_form)},
                [ASKS_LONG] = {search_long, sizeof(qn_long_form)}};

typedef struct questions {
  int what;
  question *open;
} questions;

static void search_some(void *user, uint32_t begin, uint32_t end) {
  const questions *q = user;
  qn_steps own = {.found = false};
  for (uint32_t i = begin; i < end; i++) {
    const question *at = &q->open[i];
    qn_steps *steps = at->steps ? at->steps : &own;
    qn_steps_renew(at->requant, at->range, steps);
    searches[q->what].search(steps, at->answer);
  }
}

/* Allocates memory for the steps of `count` channels. */
static void reserve_steps(qn_proofs *proofs, int64_t count) {
  if (count > MOST_STEPS) count = MOST_STEPS;
  if (count <= proofs->step_count) return;
  qn_heap_free(proofs->steps);
  proofs->steps = qn_heap_new((size_t)count * sizeof *proofs->steps);
  proofs->step_count = count;
}

static void add_question(qn_proofs *proofs, int what, qn_proofs_channels of, int64_t c,
                         questions *q, uint32_t *io_open, void **out_answer) {
  bool is_new;
  const qn_requant *requant = &of.requants[c];
  *out_answer = requant_answer(proofs, what, requant, of.ranges[c], searches[what].size, &is_new);
  if (!is_new) return;
  qn_steps *steps = c < proofs->step_count ? &proofs->steps[c] : NULL;
  q->open[(*io_open)++] = (question){requant, of.ranges[c], steps, *out_answer};
}

/* Looks up all channels first, then runs the searches, so that equal queries are searched once. */
static void ask_all(qn_proofs *proofs, int what, qn_proofs_channels of, void *out_answers) {
  void **answers = qn_heap_new((size_t)(of.count + 1) * sizeof *answers);
  questions q = {what, qn_heap_new((size_t)(of.count + 1) * sizeof *q.open)};
  uint32_t open = 0;
  if (!of.channels) reserve_steps(proofs, of.count);
  for (int64_t i = 0; i < of.count; i++) {
    int64_t c = of.channels ? of.channels[i] : i;
    if (c >= 0) add_question(proofs, what, of, c, &q, &open, &answers[i]);
  }
  qn_workers_run(open, SEARCHES_AT_ONCE, search_some, &q);
  for (int64_t i = 0; i < of.count; i++) {
    size_t size = searches[what].size, c = (size_t)(of.channels ? of.channels[i] : i);
    if (answers[i]) memcpy((char *)out_answers + c * size, answers[i], size);
  }
  qn_heap_free(q.open);
  qn_heap_free(answers);
}

void qn_proofs_fma_all(qn_proofs *proofs, qn_proofs_channels of, qn_fma_form *out_forms) {
  ask_all(proofs, ASKS_FMA, of, out_forms);
}

void qn_proofs_bits(qn_proofs *proofs, qn_proofs_channels of, qn_fma_form *out_forms) {
  ask_all(proofs, ASKS_BITS, of, out_forms);
}

void qn_proofs_truncated(qn_proofs *proofs, qn_proofs_channels of, qn_fma_form *out_forms) {
  ask_all(proofs, ASKS_TRUNCATED, of, out_forms);
}

void qn_proofs_long(qn_proofs *proofs, qn_proofs_channels of, qn_long_form *out_forms) {
  ask_all(proofs, ASKS_LONG, of, out_forms);
}

/* ---- additions ---- */

/* Looks up the result of a search that depends on these numbers and nothing else. */
static void *numbers_answer(qn_proofs *proofs, int32_t what, const int32_t *numbers, uint32_t count,
                            size_t size, bool *out_is_new) {
  int32_t key[1 + MAX_NUMBERS] = {what};
  QN_ASSERT(count <= MAX_NUMBERS);
  memcpy(key + 1, numbers, count * sizeof *numbers);
  qn_bytes bytes = {(const uint8_t *)key, (1 + count) * sizeof *key};
  return answer(proofs, bytes, size, out_is_new);
}

qn_fma2_form qn_proofs_fma2(qn_proofs *proofs, const int32_t *numbers, uint32_t count,
                            qn_fma2_search *search, const void *user) {
  bool is_new;
  qn_fma2_form *form = numbers_answer(proofs, ASKS_FMA2, numbers, count, sizeof *form, &is_new);
  if (is_new) *form = search(user);
  return *form;
}

const qn_paired_form *qn_proofs_paired(qn_proofs *proofs, const int32_t *numbers, uint32_t count,
                                       qn_paired_search *search, const void *user) {
  bool is_new;
  qn_paired_form *form = numbers_answer(proofs, ASKS_PAIRED, numbers, count, sizeof *form, &is_new);
  if (is_new) *form = search(user);
  return form;
}

const qn_corrected_form *qn_proofs_corrected(qn_proofs *proofs, const int32_t *numbers,
                                             uint32_t count, qn_corrected_search *search,
                                             const void *user) {
  bool is_new;
  qn_corrected_form *form =
      numbers_answer(proofs, ASKS_CORRECTED, numbers, count, sizeof *form, &is_new);
  if (is_new) *form = search(user);
  return form;
}
