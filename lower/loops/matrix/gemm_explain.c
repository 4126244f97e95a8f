/* The --explain report of a matrix product: the chosen tile shape, and the estimated cycles of the
 * others. The cost model makes the choice, so its figures explain it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/choices.h"
#include "lower/loops/matrix/gemm_emit.h"
#include "pass/explain.h"

typedef qn_gemm_shape shape;

static void put_shape(qn_text *out, const shape *s) {
  qn_text_format(out, "%lld pixels by %lld channels", (long long)s->rows, (long long)s->channels);
}

/* Reports all shapes except `taken`. */
static void put_others(qn_text *out, const shape *shapes, uint32_t count, const shape *taken) {
  for (uint32_t i = 0; i < count; i++) {
    if (&shapes[i] == taken) continue;
    qn_text_format(out, ", %lld by %lld %.0f", (long long)shapes[i].rows,
                   (long long)shapes[i].channels, shapes[i].cycles);
  }
}

static const shape *least_of(const shape *shapes, uint32_t count) {
  const shape *least = shapes;
  for (uint32_t i = 1; i < count; i++)
    if (shapes[i].cycles <= least->cycles) least = &shapes[i];
  return least;
}

/* Reports the cycles of a candidate that was not chosen, or why it does not support the product. */
static void put_candidate(qn_loops *lo, qn_text *out, const qn_gemm *g,
                          const qn_gemm_choice *choice, uint32_t i) {
  const qn_gemm_micro *micro = g->candidates[i];
  if (choice->problems[i]) {
    qn_text_format(out, "; no %s: %s", micro->name, choice->problems[i]);
    return;
  }
  qn_gemm with = qn_gemm_with(g, micro, lo->target);
  if (micro->estimate) with.estimate = micro->estimate(lo->scratch, lo->target, &with);
  shape shapes[QN_EPILOGUE_MAX_VECTORS];
  const shape *best = least_of(shapes, qn_gemm_shapes(&with, lo->target, shapes));
  qn_text_format(out, "; in %s, ", micro->name);
  put_shape(out, best);
  qn_text_format(out, ", %.0f", best->cycles);
}

void qn_gemm_explain(qn_loops *lo, const qn_gemm_plan *plan) {
  const qn_gemm *g = plan->gemm;
  if (!lo->pass || !qn_explains(lo->pass, g->op)) return;
  shape shapes[QN_EPILOGUE_MAX_VECTORS];
  uint32_t count = qn_gemm_shapes(g, lo->target, shapes);
  const shape *taken = &shapes[plan->tiles[0].vectors - 1];
  qn_text text = {0};
  qn_text_format(&text,
                 "'%.*s' of %lld pixels, %lld channels and %lld weights each is made in %s, ",
                 QN_STR_ARG(g->op->name), (long long)(g->counts[0] * g->counts[1] * g->counts[2]),
                 (long long)g->channels, (long long)g->tap_count, g->micro->name);
  put_shape(&text, &(shape){.rows = plan->segments[0].rows, .channels = taken->channels});
  if (plan->row_pitch != 0) qn_text_format(&text, " across rows");
  if (plan->segments[0].overlaps) qn_text_format(&text, ", results during the next products");
  qn_text_format(&text, ": about %.0f cycles on %s", taken->cycles, lo->target->name);
  put_others(&text, shapes, count, taken);
  const qn_gemm_choice *choice = qn_choice_of(lo, g->op);
  for (uint32_t i = 0; choice && g->candidates[i]; i++)
    if (g->candidates[i] != g->micro) put_candidate(lo, &text, g, choice, i);
  qn_explain(lo->pass, g->op->loc, "%s", text.data);
  qn_text_deinit(&text);
}
