/* Greedy best fit by size. Optimal packing is NP-hard; on the chains and short branches that
 * networks are, this order is within a few percent of the lower bound (the largest sum of sizes
 * that live at one step), and it is simple enough to test by property.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/offsets.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/check.h"

/* Kernels that stream two buffers with equal page offsets stall on false store-to-load hits. */
enum { ALIAS_PERIOD = 4096 };

typedef struct order_key {
  int64_t size, first;
  uint32_t index;
} order_key;

typedef struct planner {
  const qn_interval_buffer *buffers;
  const qn_buffer_pair *pairs;
  uint32_t pair_count;
  int64_t *offsets;
  uint32_t *placed; /* indices of placed buffers by ascending offset */
  uint32_t placed_count;
  bool *is_placed;
  int64_t arena; /* end of the highest buffer so far */
} planner;

static int compare_keys(const void *left, const void *right) {
  const order_key *a = left, *b = right;
  if (a->size != b->size) return a->size > b->size ? -1 : 1;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

static int64_t align_up(int64_t x, int64_t align) { return (x + align - 1) & ~(align - 1); }

/* Whether `offset` puts buffer `index` at the page offset of a placed partner. */
static bool aliases_partner(const planner *p, uint32_t index, int64_t offset) {
  for (uint32_t i = 0; i < p->pair_count; i++) {
    uint32_t other = p->pairs[i].a == index ? p->pairs[i].b : p->pairs[i].a;
    if (p->pairs[i].a != index && p->pairs[i].b != index) continue;
    if (other == index || !p->is_placed[other]) continue;
    if ((p->offsets[other] - offset) % ALIAS_PERIOD == 0) return true;
  }
  return false;
}

/* The first offset in [start, end - size] away from all partners, or `start`. */
static int64_t choose_in_hole(const planner *p, uint32_t index, int64_t start, int64_t end) {
  int64_t size = p->buffers[index].size, step = p->buffers[index].align;
  for (int64_t offset = start, tries = 0; offset + size <= end && tries < 8;
       offset += step, tries++)
    if (!aliases_partner(p, index, offset)) return offset;
  return start;
}

static int64_t find_offset(const planner *p, uint32_t index) {
  const qn_interval_buffer *b = &p->buffers[index];
  int64_t best_start = -1, best_end = 0, end_of_lower = 0;
  for (uint32_t i = 0; i < p->placed_count; i++) {
    const qn_interval_buffer *other = &p->buffers[p->placed[i]];
    if (other->last < b->first || b->last < other->first) continue;
    int64_t other_start = p->offsets[p->placed[i]], start = align_up(end_of_lower, b->align);
    bool fits = start + b->size <= other_start;
    if (fits && (best_start < 0 || other_start - start < best_end - best_start)) {
      best_start = start;
      best_end = other_start;
    }
    if (other_start + other->size > end_of_lower) end_of_lower = other_start + other->size;
  }
  if (best_start < 0) {
    best_start = align_up(end_of_lower, b->align);
    best_end = p->arena;
  }
  return choose_in_hole(p, index, best_start, best_end);
}

static void place(planner *p, uint32_t index) {
  int64_t offset = find_offset(p, index);
  uint32_t at = p->placed_count++;
  for (; at > 0 && p->offsets[p->placed[at - 1]] > offset; at--) p->placed[at] = p->placed[at - 1];
  p->placed[at] = index;
  p->offsets[index] = offset;
  p->is_placed[index] = true;
  int64_t end = offset + p->buffers[index].size;
  if (end > p->arena) p->arena = end;
}

int64_t qn_offsets_plan(const qn_interval_buffer *buffers, uint32_t count,
                        const qn_buffer_pair *pairs, uint32_t pair_count, qn_arena *scratch,
                        int64_t *out_offsets) {
  planner p = {
      .buffers = buffers, .pairs = pairs, .pair_count = pair_count, .offsets = out_offsets};
  p.placed = QN_NEW_ARRAY(scratch, count, uint32_t);
  p.is_placed = QN_NEW_ARRAY(scratch, count, bool);
  order_key *keys = QN_NEW_ARRAY(scratch, count, order_key);
  for (uint32_t i = 0; i < count; i++) {
    QN_ASSERT(buffers[i].size >= 0 && buffers[i].align > 0 && buffers[i].first <= buffers[i].last);
    keys[i] = (order_key){buffers[i].size, buffers[i].first, i};
  }
  if (count > 0) qsort(keys, count, sizeof *keys, compare_keys);
  for (uint32_t i = 0; i < count; i++) {
    out_offsets[keys[i].index] = 0;
    if (keys[i].size > 0) place(&p, keys[i].index);
  }
  return p.arena;
}
