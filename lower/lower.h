/* The two lowerings as passes, and the configuration they read.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOWER_H
#define QN_LOWER_LOWER_H

#include "lower/target.h"
#include "pass/pass.h"

/* qn_pass_context.config of every pass in lower/. */
typedef struct qn_lower_config {
  const qn_target *target;
  bool keep_tensors; /* every tensor of the model gets a buffer of its own and an entry in
                        quern.probes */
} qn_lower_config;

/* model -> integer: quantized types become explicit integers. Reports every op without integer
 * form. */
extern const qn_pass qn_pass_lower_to_integer;
/* integer -> integer: i8 tensors between two ops become ui8, 128 larger, as byte products want
 * them; not with keep_tensors. Before materialize-padding. */
extern const qn_pass qn_pass_use_unsigned;
/* integer -> integer: pad of a convolution becomes an ml.pad with the input zero point, so that the
 * zero-point correction is the same for all outputs. */
extern const qn_pass qn_pass_materialize_padding;
/* integer -> integer: input and weight zero points of unpadded convolutions and matrix products go
 * into bias and (i8 or i16) weights; both attributes become 0. */
extern const qn_pass qn_pass_fold_zero_points;
/* integer -> integer: dead constants go, tables of tables become one, identity tables go; tensors
 * that keep_tensors wants stay. */
extern const qn_pass qn_pass_simplify_integer;
/* integer -> loops: schedules, packed constants, memory plan. */
extern const qn_pass qn_pass_lower_to_loops;

#endif
