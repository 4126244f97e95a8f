/* The lowerings as passes, the properties they establish, and the configuration they read.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOWER_H
#define QN_LOWER_LOWER_H

#include "lower/target.h"
#include "pass/property.h"

/* qn_pass_context.config of every pass in lower/. */
typedef struct qn_lower_config {
  const qn_target *target;
  bool
      keep_tensors; /* every tensor of the model gets its own buffer and an entry in quern.probes */
  bool io_in_arena; /* inputs and outputs have places in the arena, which a caller may use */
  const char *bands; /* what compute-in-bands computes in bands of rows, unless its option says; or
                        NULL */
} qn_lower_config;

/* The parts of model-to-integer before compute-in-bands, and from it on: src/api/bands runs the
 * first once, the others for each choice of bands. */
#define QN_PASSES_BEFORE_BANDS "turn-constants,expand-cells,graph-exact"
#define QN_PASSES_FROM_BANDS "compute-in-bands,lower-to-integer"

#define PASS(stem) extern const qn_pass qn_pass_##stem;
#include "lower/passes.def"
#undef PASS

/* In the order of passes.def, ended by NULL. */
extern const qn_pass *const qn_lower_passes[];

/* Properties that the passes of the integer stage establish; each is defined next to its pass. */
extern const qn_property qn_property_integers_only;      /* lower_to_integer.c */
extern const qn_property qn_property_padding_explicit;   /* materialize_padding.c */
extern const qn_property qn_property_zero_points_folded; /* fold_zero_points.c */

#endif
