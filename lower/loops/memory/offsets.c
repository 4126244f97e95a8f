/* Greedy best fit, in the best of several orders. Optimal packing is NP-hard. By decreasing size,
 * the arena of a neural network is usually the lower bound, which is the largest sum of sizes that
 * are live at one program point. Where it is not, buffers are also placed in order of time, forward
 * and backward, which suits chains: a buffer goes to the end of the arena where its neighbour is
 * not. While the arena exceeds the bound, the buffer at its end is placed before all others, from
 * the order by size on, so that smaller buffers make room for it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/memory/offsets.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "lower/loops/memory/occupied.h"

/* Placements after those by size and time: few for long models, so that work stays linear. */
enum { MAX_PROMOTIONS = 16, MAX_PROMOTED = 4096 };

typedef struct order_key {
  int64_t size, first, last;
  uint32_t index;
} order_key;

typedef struct planner {
  const qn_interval_buffer *buffers;
  const uint32_t *first_partner, *partners; /* of buffer i: partners[first_partner[i] ...[i + 1]) */
  int64_t *offsets;
  qn_occupied *occupied;
  bool *is_placed;
  int64_t align;  /* minimum alignment of all buffers */
  int64_t period; /* offsets of a pair differ modulo this; 0: no restriction */
  int64_t arena;  /* end of the highest buffer so far */
} planner;

static int by_size(const void *left, const void *right) {
  const order_key *a = left, *b = right;
  if (a->size != b->size) return a->size > b->size ? -1 : 1;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

static int by_time(const void *left, const void *right) {
  const order_key *a = left, *b = right;
  return a->first != b->first ? (a->first < b->first ? -1 : 1) : by_size(left, right);
}

static int by_time_backward(const void *left, const void *right) {
  const order_key *a = left, *b = right;
  return a->last != b->last ? (a->last > b->last ? -1 : 1) : by_size(left, right);
}

static int64_t align_up(int64_t x, int64_t align) { return (x + align - 1) & ~(align - 1); }

/* Whether buffer `index` at `offset` would have the offset of a placed partner modulo the period.
 * Kernels that stream both would stall on false store-to-load dependencies. */
static bool aliases_partner(const planner *p, uint32_t index, int64_t offset) {
  if (p->period == 0) return false;
  for (uint32_t i = p->first_partner[index]; i < p->first_partner[index + 1]; i++) {
    uint32_t other = p->partners[i];
    if (p->is_placed[other] && (p->offsets[other] - offset) % p->period == 0) return true;
  }
  return false;
}

/* The first offset in [start, end - size] whose page offset differs from all partners'; `start` if
 * there is none. */
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
  uint32_t count;
  const qn_span *taken =
      qn_occupied_find(p->occupied, (uint32_t)b->first, (uint32_t)b->last, &count);
  for (uint32_t i = 0; i < count; i++) {
    int64_t start = align_up(end_of_lower, b->align), end = taken[i].start;
    if (start + b->size <= end && (best_start < 0 || end - start < best_end - best_start)) {
      best_start = start;
      best_end = end;
    }
    end_of_lower = taken[i].end;
  }
  if (best_start < 0) {
    best_start = align_up(end_of_lower, b->align);
    best_end = p->arena;
  }
  return choose_in_hole(p, index, best_start, best_end);
}

/* Rounds the occupied range up to the alignment, because no buffer can start there and neighbours
 * then touch. */
static void place(planner *p, uint32_t index) {
  const qn_interval_buffer *b = &p->buffers[index];
  int64_t offset = find_offset(p, index), end = offset + b->size;
  p->offsets[index] = offset;
  p->is_placed[index] = true;
  qn_occupied_add(p->occupied, (uint32_t)b->first, (uint32_t)b->last,
                  (qn_span){offset, align_up(end, p->align)});
  if (end > p->arena) p->arena = end;
}

/* Lists the partners of each buffer, both directions of all pairs. */
static void index_partners(planner *p, const qn_buffer_pair *pairs, uint32_t pair_count,
                           uint32_t count, qn_arena *scratch) {
  uint32_t *first = QN_NEW_ARRAY(scratch, (size_t)count + 2, uint32_t);
  uint32_t *partners = QN_NEW_ARRAY(scratch, 2 * (size_t)pair_count, uint32_t);
  for (uint32_t i = 0; i < pair_count; i++) {
    first[pairs[i].a + 2]++;
    first[pairs[i].b + 2]++;
  }
  for (uint32_t i = 1; i < count + 2; i++) first[i] += first[i - 1];
  for (uint32_t i = 0; i < pair_count; i++) {
    partners[first[pairs[i].a + 1]++] = pairs[i].b;
    partners[first[pairs[i].b + 1]++] = pairs[i].a;
  }
  p->first_partner = first;
  p->partners = partners;
}

/* The largest sum of sizes, rounded up to `align`, at one program point. */
static int64_t lower_bound(const qn_interval_buffer *buffers, uint32_t count, int64_t align,
                           int64_t steps, qn_arena *scratch) {
  int64_t *change = QN_NEW_ARRAY(scratch, (size_t)steps + 1, int64_t), live = 0, most = 0;
  for (uint32_t i = 0; i < count; i++) {
    change[buffers[i].first] += align_up(buffers[i].size, align);
    change[buffers[i].last + 1] -= align_up(buffers[i].size, align);
  }
  for (int64_t step = 0; step < steps; step++) {
    live += change[step];
    if (live > most) most = live;
  }
  return most;
}

/* Places all buffers in the order of `keys`; returns the bytes of the arena. */
static int64_t place_all(planner *p, const order_key *keys, uint32_t count, int64_t steps,
                         qn_arena *scratch, int64_t *offsets, uint64_t *io_work) {
  p->offsets = offsets;
  p->arena = 0;
  p->is_placed = QN_NEW_ARRAY(scratch, count, bool);
  p->occupied = qn_occupied_create(scratch, (uint32_t)steps);
  for (uint32_t i = 0; i < count; i++) {
    offsets[keys[i].index] = 0;
    if (keys[i].size > 0) place(p, keys[i].index);
  }
  *io_work += qn_occupied_work(p->occupied);
  return p->arena;
}

/* Moves the first buffer that ends at the end of the arena to the front of the order. Requires a
 * placement of all buffers. */
static void promote_highest(const planner *p, order_key *keys, uint32_t count) {
  uint32_t at = 0;
  while (at + 1 < count && p->offsets[keys[at].index] + p->buffers[keys[at].index].size != p->arena)
    at++;
  order_key highest = keys[at];
  memmove(keys + 1, keys, at * sizeof *keys);
  keys[0] = highest;
}

int64_t qn_offsets_plan(const qn_interval_buffer *buffers, uint32_t count,
                        const qn_buffer_pair *pairs, uint32_t pair_count, int64_t alias_bytes,
                        qn_arena *scratch, int64_t *out_offsets, uint64_t *out_work) {
  planner p = {.buffers = buffers, .align = INT64_MAX, .period = alias_bytes};
  index_partners(&p, pairs, pair_count, count, scratch);
  order_key *keys = QN_NEW_ARRAY(scratch, count, order_key);
  int64_t steps = 1;
  uint64_t work = 0;
  for (uint32_t i = 0; i < count; i++) {
    QN_ASSERT(buffers[i].size >= 0 && buffers[i].align > 0 && buffers[i].first <= buffers[i].last);
    QN_ASSERT(buffers[i].first >= 0 && buffers[i].last < INT32_MAX);
    keys[i] = (order_key){buffers[i].size, buffers[i].first, buffers[i].last, i};
    if (buffers[i].align < p.align) p.align = buffers[i].align;
    if (buffers[i].last >= steps) steps = buffers[i].last + 1;
  }
  static int (*const orders[])(const void *, const void *) = {by_size, by_time, by_time_backward,
                                                              by_size};
  int64_t *offsets = QN_NEW_ARRAY(scratch, count, int64_t), best = INT64_MAX;
  int64_t least = count > 0 ? lower_bound(buffers, count, p.align, steps, scratch) : 0;
  size_t promotions = count > 0 ? MAX_PROMOTED / count : 0;
  if (promotions > MAX_PROMOTIONS) promotions = MAX_PROMOTIONS;
  size_t most = QN_COUNT(orders) - (promotions == 0) + promotions;
  for (size_t i = 0; i < most && (i == 0 || align_up(best, p.align) > least); i++) {
    if (i >= QN_COUNT(orders))
      promote_highest(&p, keys, count);
    else if (count > 0)
      qsort(keys, count, sizeof *keys, orders[i]);
    int64_t arena = place_all(&p, keys, count, steps, scratch, offsets, &work);
    if (arena >= best) continue;
    best = arena;
    if (count > 0) memcpy(out_offsets, offsets, count * sizeof *offsets);
  }
  if (out_work) *out_work = work;
  return best;
}
