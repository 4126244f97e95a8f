/* Products across a vector: the plan that packing and the kernel share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_ACROSS_H
#define QN_LOWER_LOOPS_ACROSS_H

#include "lower/loops/matrix/bytes.h"

enum {
  QN_ACROSS_BYTES = 16, /* of x and of weights in a product */
  QN_ACROSS_QUADS = QN_ACROSS_BYTES / QN_QUAD,
  QN_ACROSS_ROWS = 3, /* most pixels of a tile */
  QN_ACROSS_CHANNELS = 4,
  QN_ACROSS_AT_ONCE = 4, /* groups of quads whose products are emitted without a loop */
  QN_ACROSS_JOINED = 8   /* groups that are no loads, before a loop takes them from a list */
};

/* Up to four quads of x. */
typedef struct qn_across_group {
  int64_t offsets[QN_ACROSS_QUADS]; /* of quads in x */
  int64_t quads;
  int64_t weights; /* bytes of one channel before those of this group */
} qn_across_group;

typedef struct qn_across_plan {
  qn_bytes_plan bytes; /* runs: groups of consecutive quads, which precede the others */
  const qn_across_group *groups;
  uint32_t count;
  int64_t parts;         /* bytes that hold a weight: 1, or more for weights beyond 8 bits */
  int64_t channel_bytes; /* bytes of weights of a channel in one part */
} qn_across_plan;

/* Sequences of runs: equally many of equal spacing, whose first ones are equally spaced, too. */
typedef struct qn_across_repeat {
  uint32_t sequences, count; /* 0 sequences: not all are alike */
  int64_t spacing, distance;
} qn_across_repeat;

/* ---- runs (runs.c) ---- */

/* The number of groups from `first` to `end` that are equally spaced, and their spacing. */
uint32_t qn_across_spaced_from(const qn_across_plan *own, uint32_t first, uint32_t end,
                               int64_t *out_spacing);
qn_across_repeat qn_across_repeat_of(const qn_across_plan *own);
/* Whether runs are emitted sequence by sequence. */
bool qn_across_is_straight(const qn_across_plan *own);
/* Groups that are no runs and have four quads. */
uint32_t qn_across_whole_groups(const qn_across_plan *own);
/* Lists the offsets that a loop reads. */
void qn_across_list_offsets(qn_gemm_plan *plan);

/* ---- hooks of the micro-kernel (packing.c, kernel.c) ---- */

QN_NODISCARD qn_status qn_across_pack(qn_loops *lo, qn_gemm_plan *plan);
void qn_across_load(qn_gemm_emitter *e);
void qn_across_start(qn_gemm_emitter *e, qn_gemm_accumulators *acc);
void qn_across_multiply(qn_gemm_emitter *e, qn_gemm_accumulators *acc, qn_value *x);
void qn_across_finish(qn_gemm_emitter *e, qn_gemm_accumulators *acc, qn_gemm_cursor at);

#endif
