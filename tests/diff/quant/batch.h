/* Several cases as one function, which is lowered once and run by both engines.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_DIFF_QUANT_BATCH_H
#define QN_TESTS_DIFF_QUANT_BATCH_H

#include <quern/quern.h>

#include "case.h"
#include "eval/eval.h"

/* Elements that an engine computed, and how many of them differ from the definition. */
typedef struct quant_tally {
  uint64_t elements, differences;
  double seconds;
} quant_tally;

/* Elements of the definition, and how many of them differ from exact rational arithmetic without
 * rounding of the quotient or product. */
typedef struct quant_ideal {
  uint64_t qcasts, dcasts, qcasts_off, dcasts_off;
} quant_ideal;

/* Inputs and expected results. */
typedef struct quant_elements {
  double x[QUANT_MAX_COUNT];
  int64_t s[QUANT_MAX_COUNT];
  int64_t quantized[QUANT_MAX_COUNT];
  double dequantized[QUANT_MAX_COUNT], round_trip[QUANT_MAX_COUNT];
} quant_elements;

typedef struct quant_batch {
  const quant_case *cases;
  unsigned count;
  quant_elements *elements; /* for each case */
  qn_context *context;
  qn_model *model;
  qn_rt_value *args;
  qn_arena arena;
} quant_batch;

/* Makes a module of the cases, which must have one rounding and seed and must outlive the batch.
 * For the interpreter, casts are not lowered if the module's profile has the rounding (even; away
 * with a profile). Returns false, with messages, if the text does not parse. Must be closed in any
 * case. */
bool quant_batch_open(quant_batch *batch, quant_case *cases, unsigned count, quant_ideal *ideal);
bool quant_batch_means_rounding(const quant_batch *batch);
/* Runs lower-quant-ops. Returns false, with messages, if it fails. */
bool quant_batch_lower(quant_batch *batch);
void quant_batch_close(quant_batch *batch);

/* Runs all cases in the interpreter (level NULL) or, after lowering, as machine code of the level,
 * and compares bits. The first differences are printed. Returns false if it does not run. */
bool quant_batch_check(quant_batch *batch, const char *level, quant_tally *tally);

#endif
