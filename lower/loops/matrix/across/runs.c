/* How the runs of a plan follow each other: equally spaced, as sequences that are alike, or listed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/across/across.h"

uint32_t qn_across_spaced_from(const qn_across_plan *own, uint32_t first, uint32_t end,
                               int64_t *out_spacing) {
  uint32_t count = 1;
  *out_spacing = QN_ACROSS_BYTES;
  if (first + 1 < end)
    *out_spacing = own->groups[first + 1].offsets[0] - own->groups[first].offsets[0];
  while (first + count < end && own->groups[first + count].offsets[0] ==
                                    own->groups[first].offsets[0] + count * *out_spacing)
    count++;
  return count;
}

/* How many sequences there are before one loop takes all runs from a list. */
enum { SEQUENCES = 5 };

static bool has_few_sequences(const qn_across_plan *own) {
  uint32_t sequences = 0;
  int64_t spacing;
  for (uint32_t i = 0; i < own->bytes.runs; sequences++)
    i += qn_across_spaced_from(own, i, own->bytes.runs, &spacing);
  return sequences <= SEQUENCES;
}

qn_across_repeat qn_across_repeat_of(const qn_across_plan *own) {
  qn_across_repeat all = {0};
  uint32_t runs = own->bytes.runs;
  if (runs == 0) return all;
  all.count = qn_across_spaced_from(own, 0, runs, &all.spacing);
  if (runs % all.count != 0) return (qn_across_repeat){0};
  if (all.count < runs)
    all.distance = own->groups[all.count].offsets[0] - own->groups[0].offsets[0];
  for (uint32_t i = 0; i < runs; i++)
    if (own->groups[i].offsets[0] !=
        own->groups[0].offsets[0] + i / all.count * all.distance + i % all.count * all.spacing)
      return (qn_across_repeat){0};
  all.sequences = runs / all.count;
  return all;
}

bool qn_across_is_straight(const qn_across_plan *own) {
  return qn_across_repeat_of(own).sequences <= 1 && has_few_sequences(own);
}

uint32_t qn_across_whole_groups(const qn_across_plan *own) {
  uint32_t count = own->count - own->bytes.runs;
  return count > 0 && own->groups[own->count - 1].quads < QN_ACROSS_QUADS ? count - 1 : count;
}

void qn_across_list_offsets(qn_gemm_plan *plan) {
  const qn_across_plan *own = plan->own;
  uint32_t runs = own->bytes.runs, whole = qn_across_whole_groups(own);
  bool listed = !qn_across_is_straight(own) && qn_across_repeat_of(own).sequences <= 1;
  plan->unlisted = !listed && whole <= QN_ACROSS_JOINED;
  for (uint32_t i = 0; i < runs; i++)
    qn_array_push(&plan->offsets, (int32_t)own->groups[i].offsets[0]);
  for (uint32_t i = runs; i < runs + whole; i++)
    for (int64_t q = 0; q < QN_ACROSS_QUADS; q++)
      qn_array_push(&plan->offsets, (int32_t)own->groups[i].offsets[q]);
}
