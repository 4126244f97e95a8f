/* Several cases as one function, lowered once and called by both engines.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_DIFF_QUANT_BATCH_H
#define QN_TESTS_DIFF_QUANT_BATCH_H

#include <quern/quern.h>

#include "case.h"
#include "eval/eval.h"

/* Elements that an engine computed, and how many of them the definition has otherwise. */
typedef struct quant_tally {
  uint64_t elements, differences;
  double seconds;
} quant_tally;

/* Elements by definition, and those for which exact rationals without the rounding of quotient or
 * product give something else. */
typedef struct quant_ideal {
  uint64_t qcasts, dcasts, qcasts_off, dcasts_off;
} quant_ideal;

/* Inputs and what the definition expects. */
typedef struct quant_elements {
  double x[QUANT_MAX_COUNT];
  int64_t s[QUANT_MAX_COUNT];
  int64_t quantized[QUANT_MAX_COUNT];
  double dequantized[QUANT_MAX_COUNT], round_trip[QUANT_MAX_COUNT];
} quant_elements;

typedef struct quant_batch {
  const quant_case *cases;
  unsigned count;
  quant_elements *elements; /* of each case */
  qn_context *context;
  qn_model *model;
  qn_rt_value *args;
  qn_arena arena;
} quant_batch;

/* The cases have one rounding and seed, and outlive the batch. The casts stand as they are, for the
 * interpreter, in a module that means the rounding if there is such a one (even, and away by a
 * profile). False, with messages: it does not parse. Close it in any case. */
bool quant_batch_open(quant_batch *batch, quant_case *cases, unsigned count, quant_ideal *ideal);
bool quant_batch_means_rounding(const quant_batch *batch);
/* Runs lower-quant-ops. False, with messages: it fails. */
bool quant_batch_lower(quant_batch *batch);
void quant_batch_close(quant_batch *batch);

/* Runs everything in the interpreter (level NULL) or, once lowered, as machine code of that level,
 * and compares bit by bit; the first differences are printed. False: it does not run. */
bool quant_batch_check(quant_batch *batch, const char *level, quant_tally *tally);

#endif
