/* A segment tree over the program points. A node has two sets of address ranges: `covers` is in use
 * at all of its points, by buffers that were added to this node; `any` is in use at some of its
 * points. A query range of points consists of few nodes; the ranges in use there are their `any`
 * and the `covers` of their ancestors. Adjacent ranges are merged, so that sets stay small however
 * many buffers there are.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/memory/occupied.h"

#include <stdbool.h>
#include <string.h>

/* Ascending ranges that neither overlap nor touch. */
typedef struct span_set {
  qn_span *spans;
  uint32_t count, capacity;
} span_set;

typedef struct node {
  span_set covers, any;
} node;

struct qn_occupied {
  qn_arena *arena;
  node *nodes; /* node 1 is the root; 2i and 2i + 1 are the halves of i */
  uint32_t leaves;
  span_set found, other;
  uint64_t work;
};

qn_occupied *qn_occupied_create(qn_arena *arena, uint32_t steps) {
  qn_occupied *o = QN_NEW(arena, qn_occupied);
  o->arena = arena;
  o->leaves = 1;
  while (o->leaves < steps) o->leaves *= 2;
  o->nodes = QN_NEW_ARRAY(arena, 2 * (size_t)o->leaves, node);
  return o;
}

uint64_t qn_occupied_work(const qn_occupied *occupied) { return occupied->work; }

static void reserve(qn_occupied *o, span_set *set, uint32_t count) {
  if (count <= set->capacity) return;
  uint32_t capacity = set->capacity < 2 ? 4 : 2 * set->capacity;
  if (capacity < count) capacity = count;
  qn_span *spans = QN_NEW_ARRAY(o->arena, capacity, qn_span);
  if (set->count > 0) memcpy(spans, set->spans, set->count * sizeof *spans);
  set->spans = spans;
  set->capacity = capacity;
}

/* Index of the first span whose end is at least `start`. */
static uint32_t lower_bound(const span_set *set, int64_t start) {
  uint32_t lo = 0, hi = set->count;
  while (lo < hi) {
    uint32_t middle = lo + (hi - lo) / 2;
    if (set->spans[middle].end < start)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

static void insert(qn_occupied *o, span_set *set, qn_span span) {
  uint32_t from = lower_bound(set, span.start), to = from;
  for (; to < set->count && set->spans[to].start <= span.end; to++) {
    if (set->spans[to].start < span.start) span.start = set->spans[to].start;
    if (set->spans[to].end > span.end) span.end = set->spans[to].end;
  }
  uint32_t behind = set->count - to;
  reserve(o, set, from + 1 + behind);
  memmove(set->spans + from + 1, set->spans + to, behind * sizeof span);
  set->spans[from] = span;
  o->work += 1 + (to - from) + behind;
  set->count = from + 1 + behind;
}

static bool contains(const span_set *set, qn_span span) {
  uint32_t at = lower_bound(set, span.start);
  return at < set->count && set->spans[at].start <= span.start && span.end <= set->spans[at].end;
}

/* ---- adding ---- */

static void add(qn_occupied *o, uint32_t at, uint32_t lo, uint32_t hi, uint32_t first,
                uint32_t last, qn_span span) {
  if (last < lo || hi < first) return;
  o->work++;
  if (!contains(&o->nodes[at].any, span)) insert(o, &o->nodes[at].any, span);
  if (first <= lo && hi <= last) {
    insert(o, &o->nodes[at].covers, span);
    return;
  }
  uint32_t middle = lo + (hi - lo) / 2;
  add(o, 2 * at, lo, middle, first, last, span);
  add(o, 2 * at + 1, middle + 1, hi, first, last, span);
}

void qn_occupied_add(qn_occupied *occupied, uint32_t first, uint32_t last, qn_span span) {
  QN_ASSERT(first <= last && last < occupied->leaves && span.start < span.end);
  add(occupied, 1, 0, occupied->leaves - 1, first, last, span);
}

/* ---- finding ---- */

static void append(span_set *set, qn_span span) {
  qn_span *last = set->count > 0 ? &set->spans[set->count - 1] : NULL;
  if (last && span.start <= last->end) {
    if (span.end > last->end) last->end = span.end;
    return;
  }
  set->spans[set->count++] = span;
}

/* o->found becomes its union with `set`. */
static void unite(qn_occupied *o, const span_set *set) {
  if (set->count == 0) return;
  span_set *from = &o->found, *to = &o->other;
  reserve(o, to, from->count + set->count);
  to->count = 0;
  o->work += from->count + set->count;
  for (uint32_t i = 0, k = 0; i < from->count || k < set->count;) {
    bool take = k == set->count || (i < from->count && from->spans[i].start < set->spans[k].start);
    append(to, take ? from->spans[i++] : set->spans[k++]);
  }
  span_set swapped = o->found;
  o->found = o->other;
  o->other = swapped;
}

static void find(qn_occupied *o, uint32_t at, uint32_t lo, uint32_t hi, uint32_t first,
                 uint32_t last) {
  if (last < lo || hi < first || o->nodes[at].any.count == 0) return;
  o->work++;
  if (first <= lo && hi <= last) {
    unite(o, &o->nodes[at].any);
    return;
  }
  unite(o, &o->nodes[at].covers);
  uint32_t middle = lo + (hi - lo) / 2;
  find(o, 2 * at, lo, middle, first, last);
  find(o, 2 * at + 1, middle + 1, hi, first, last);
}

const qn_span *qn_occupied_find(qn_occupied *occupied, uint32_t first, uint32_t last,
                                uint32_t *out_count) {
  QN_ASSERT(first <= last && last < occupied->leaves);
  occupied->found.count = 0;
  find(occupied, 1, 0, occupied->leaves - 1, first, last);
  *out_count = occupied->found.count;
  return occupied->found.spans;
}
