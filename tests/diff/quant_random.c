/* quant.qcast and quant.dcast of random quantized types, executed as they are by the interpreter,
 * and lowered by lower-quant-ops with every rounding by the interpreter and as machine code,
 * against their definition computed with integers only (quant/exact.h).
 *
 * With E the expressed float type, s the scale rounded to E, zp the zero point, [min, max] the
 * storage range and C = f32, or f64 when E is f64 or |min|, |max| or |zp| exceeds 2^24:
 *
 *   sequence   qcast(x) = clamp(round(rn_C(x / s)) + zp, min, max)      NaN: clamp(zp)
 *              dcast(q) = rn_E(rn_f64((q - zp) * s))
 *   ideal      qcast(x) = clamp(round(x / s) + zp, min, max)
 *              dcast(q) = rn_E((q - zp) * s)
 *
 * rn is rounding to nearest, ties to even; `round` is the option of the pass, or what the module
 * means: even, away with a profile; everything else is exact. Stochastic rounding of y is floor(y)
 * + (rn_C(y - floor(y)) > u) with the documented sequence of u; ideal is then either neighbour of
 * the rational. Every element must equal the sequence, bit by bit, which is what the pass
 * documents: one float division or product, named roundings, nothing else. Elements that differ
 * from the ideal are counted: only rn_C of a quotient that is within half a unit in its last place
 * of a boundary can do that, and rn_f64 of a product.
 *
 *   diff_quant_random [cases [first seed]]    random cases; each batch at one of the levels that
 *                                             this machine runs, in turn
 *   diff_quant_random listed [step]           every step-th combination of rounding, shape kind,
 *                                             granularity, expressed and storage type, at each
 * level
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quant/batch.h"
#include "lower/target.h"

enum { BATCH = 32, MAX_LEVELS = 16 };

typedef struct run_state {
  const char *levels[MAX_LEVELS]; /* that this machine runs */
  unsigned level_count;
  quant_tally direct, interpreter, compiled[MAX_LEVELS]; /* direct: not lowered */
  quant_ideal ideal;
  uint64_t cases, broken; /* broken: batches that don't run */
} run_state;

static void find_levels(run_state *s) {
  uint32_t count;
  const qn_target *targets = qn_targets(&count);
  for (uint32_t i = 0; i < count && s->level_count < MAX_LEVELS; i++)
    if (qn_host_runs(targets[i].name)) s->levels[s->level_count++] = targets[i].name;
}

/* In the interpreter before and after lowering, and at levels first, first + 1, ... */
static void check_batch(run_state *s, quant_case *cases, unsigned count, unsigned first_level,
                        unsigned level_count) {
  quant_batch batch;
  bool runs = quant_batch_open(&batch, cases, count, &s->ideal);
  if (runs && quant_batch_means_rounding(&batch))
    runs = quant_batch_check(&batch, NULL, &s->direct);
  runs = runs && quant_batch_lower(&batch) && quant_batch_check(&batch, NULL, &s->interpreter);
  for (unsigned i = first_level; runs && i < first_level + level_count; i++)
    runs = quant_batch_check(&batch, s->levels[i], &s->compiled[i]);
  s->broken += !runs;
  s->cases += count;
  quant_batch_close(&batch);
}

static void check_random(run_state *s, uint64_t cases, uint64_t first) {
  static quant_case batch[BATCH];
  for (uint64_t done = 0, number = 0; done < cases; number++) {
    unsigned count = cases - done < BATCH ? (unsigned)(cases - done) : BATCH;
    int rounding = (int)(number % QUANT_ROUNDINGS);
    int64_t seed = (int64_t)(quant_mix(first + number) % 2001) - 1000;
    for (unsigned i = 0; i < count; i++)
      batch[i] = quant_case_random(first + done + i, rounding, seed);
    unsigned levels = s->level_count;
    uint64_t turn = number / QUANT_ROUNDINGS + 2 * number; /* meets every rounding */
    check_batch(s, batch, count, levels ? (unsigned)(turn % levels) : 0, levels ? 1 : 0);
    done += count;
  }
}

static void check_listed(run_state *s, uint64_t step) {
  static quant_case batch[BATCH];
  unsigned count = 0;
  for (uint64_t number = 0; number < quant_case_listed_count(); number += step) {
    quant_case c = quant_case_listed(number);
    if (count == BATCH || (count > 0 && c.rounding != batch[0].rounding)) {
      check_batch(s, batch, count, 0, s->level_count);
      count = 0;
    }
    batch[count++] = c;
  }
  if (count > 0) check_batch(s, batch, count, 0, s->level_count);
}

static uint64_t report(const char *name, const quant_tally *tally) {
  printf("%-12s %10llu elements, %llu differences, %.1f s\n", name,
         (unsigned long long)tally->elements, (unsigned long long)tally->differences,
         tally->seconds);
  return tally->differences;
}

int main(int argc, char **argv) {
  static run_state s;
  bool listed = argc > 1 && strcmp(argv[1], "listed") == 0;
  uint64_t number = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  find_levels(&s);
  if (listed)
    check_listed(&s, number > 0 ? number : 1);
  else
    check_random(&s, argc > 1 ? strtoull(argv[1], NULL, 10) : 320, number);
  printf("%llu cases, %llu batches that do not run\n", (unsigned long long)s.cases,
         (unsigned long long)s.broken);
  uint64_t differences = report("not lowered", &s.direct);
  differences += report("interpreter", &s.interpreter);
  for (unsigned i = 0; i < s.level_count; i++) differences += report(s.levels[i], &s.compiled[i]);
  printf("of %llu qcasts %llu differ from the rational quotient's rounding, of %llu dcasts %llu "
         "from the rational product's\n",
         (unsigned long long)s.ideal.qcasts, (unsigned long long)s.ideal.qcasts_off,
         (unsigned long long)s.ideal.dcasts, (unsigned long long)s.ideal.dcasts_off);
  return differences != 0 || s.broken != 0 || s.cases == 0;
}
