/* One map from the bytes of a question to its answer.
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
};

enum { ASKS_FMA, ASKS_TRUNCATED, ASKS_SPLIT, ASKS_FMA2 };
enum { MAX_NUMBERS = 24 };

qn_proofs *qn_proofs_create(qn_arena *arena) {
  qn_proofs *proofs = QN_NEW(arena, qn_proofs);
  proofs->arena = arena;
  return proofs;
}

void qn_proofs_destroy(qn_proofs *proofs) {
  if (proofs) qn_str_map_deinit(&proofs->known);
}

uint32_t qn_proofs_searched(const qn_proofs *proofs) { return proofs->searched; }

/* The answer, or the place for it; then *out_is_new. */
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

/* All that decides the answer, without the padding of a struct. */
static void *requant_answer(qn_proofs *proofs, int64_t what, const qn_requant *r, qn_interval range,
                            size_t size, bool *out_is_new) {
  int64_t words[] = {what,
                     r->rounding,
                     r->multiplier.mantissa,
                     r->multiplier.shift,
                     r->zero_point,
                     r->min,
                     r->max,
                     range.lo,
                     range.hi,
                     0};
  memcpy(&words[QN_COUNT(words) - 1], &r->real, sizeof r->real);
  return answer(proofs, (qn_bytes){(const uint8_t *)words, sizeof words}, size, out_is_new);
}

qn_fma_form qn_proofs_fma(qn_proofs *proofs, const qn_requant *requant, qn_interval range) {
  bool is_new;
  qn_fma_form *form = requant_answer(proofs, ASKS_FMA, requant, range, sizeof *form, &is_new);
  if (is_new) *form = qn_fma_form_find(requant, range);
  return *form;
}

/* One search takes tens of microseconds. */
enum { SEARCHES_AT_ONCE = 16 };

typedef struct fma_question {
  const qn_requant *requant;
  qn_interval range;
  qn_fma_form *form;
} fma_question;

static void search_some(void *user, uint32_t begin, uint32_t end) {
  for (const fma_question *q = (fma_question *)user + begin; q < (fma_question *)user + end; q++)
    *q->form = qn_fma_form_find(q->requant, q->range);
}

/* First all places for answers, then the searches: of equal questions the first has a place. */
void qn_proofs_fma_all(qn_proofs *proofs, const qn_requant *requants, const qn_interval *ranges,
                       size_t count, qn_fma_form *out_forms) {
  qn_fma_form **forms = qn_heap_new((count + 1) * sizeof *forms);
  fma_question *open = qn_heap_new((count + 1) * sizeof *open);
  uint32_t questions = 0;
  for (size_t i = 0; i < count; i++) {
    bool is_new;
    forms[i] = requant_answer(proofs, ASKS_FMA, &requants[i], ranges[i], sizeof **forms, &is_new);
    if (is_new) open[questions++] = (fma_question){&requants[i], ranges[i], forms[i]};
  }
  qn_workers_run(questions, SEARCHES_AT_ONCE, search_some, open);
  for (size_t i = 0; i < count; i++) out_forms[i] = *forms[i];
  qn_heap_free(open);
  qn_heap_free(forms);
}

qn_fma_form qn_proofs_truncated(qn_proofs *proofs, const qn_requant *requant, qn_interval range) {
  bool is_new;
  qn_fma_form *form = requant_answer(proofs, ASKS_TRUNCATED, requant, range, sizeof *form, &is_new);
  if (is_new) *form = qn_fma_form_find_truncated(requant, range);
  return *form;
}

qn_split_form qn_proofs_split(qn_proofs *proofs, const qn_requant *requant, qn_interval range) {
  bool is_new;
  qn_split_form *form = requant_answer(proofs, ASKS_SPLIT, requant, range, sizeof *form, &is_new);
  if (is_new) *form = qn_split_form_find(requant, range);
  return *form;
}

qn_fma2_form qn_proofs_fma2(qn_proofs *proofs, const int32_t *numbers, uint32_t count,
                            qn_fma2_search *search, const void *user) {
  int32_t question[1 + MAX_NUMBERS] = {ASKS_FMA2};
  QN_ASSERT(count <= MAX_NUMBERS);
  memcpy(question + 1, numbers, count * sizeof *numbers);
  qn_bytes bytes = {(const uint8_t *)question, (1 + count) * sizeof *question};
  bool is_new;
  qn_fma2_form *form = answer(proofs, bytes, sizeof *form, &is_new);
  if (is_new) *form = search(user);
  return *form;
}
