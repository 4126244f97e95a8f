/* SPDX-License-Identifier: Apache-2.0 */
#include "api/bands/candidates.h"

#include <stdlib.h>

#include "base/map.h"
#include "ir/types/type.h"
#include "ir/walk.h"

/* Ops before and after the one where the arena is full; longer chains do more work again. */
enum { REACH = 12 };
/* What a launch costs besides its work: the call, constants loaded into registers, borders. */
enum { MACS_PER_LAUNCH = 500 };

/* A value that has memory, from the op that makes it to the last one that reads it. Ops are
 * numbered without constants; -1: an argument. */
typedef struct lifetime {
  int64_t made, end, bytes;
} lifetime;
typedef QN_ARRAY(lifetime) lifetimes;

typedef struct finder {
  const qn_op *func;
  qn_map numbers; /* op -> its number + 1 */
  int64_t op_count;
  lifetimes lives;
  bool io_in_arena;
} finder;

static void number_ops(finder *f) {
  QN_FOR_EACH_OP(op, qn_op_body(f->func)) {
    if (qn_op_has(op, QN_CONSTANT)) continue;
    qn_map_set(&f->numbers, op, (void *)(uintptr_t)++f->op_count);
  }
}

/* The number of an op; of one in a nested region, that of the function's last op. */
static int64_t number_of(const finder *f, const qn_op *op) {
  uintptr_t number = (uintptr_t)qn_map_get(&f->numbers, op);
  return number ? (int64_t)number - 1 : f->op_count;
}

static void add_life(finder *f, const qn_value *value) {
  bool has_bytes = qn_type_is_shaped(value->type) && qn_type_is_static(value->type);
  bool io = !value->op;
  lifetime life = {.made = value->op ? number_of(f, value->op) : -1};
  life.end = life.made;
  for (const qn_use *use = value->first_use; use; use = use->next) {
    int64_t at = number_of(f, use->owner);
    io |= use->owner == qn_op_body(f->func)->last;
    if (at > life.end) life.end = at;
  }
  if (!has_bytes || (io && !f->io_in_arena)) return;
  life.bytes = qn_type_size(value->type);
  qn_array_push(&f->lives, life);
}

static void find_lives(finder *f) {
  const qn_block *body = qn_op_body(f->func);
  number_ops(f);
  for (uint32_t i = 0; i < body->arg_count; i++) add_life(f, body->args[i]);
  QN_FOR_EACH_OP(op, body) {
    if (qn_op_has(op, QN_CONSTANT)) continue;
    for (uint32_t i = 0; i < op->result_count; i++) add_life(f, &op->results[i]);
  }
}

/* Bytes of the values that exist as a whole while a chain runs: those from before it that it or a
 * later op reads, and its result. */
static int64_t held_bytes(const finder *f, uint32_t first, uint32_t last) {
  int64_t bytes = 0;
  for (size_t i = 0; i < f->lives.count; i++) {
    const lifetime *l = &f->lives.data[i];
    if (l->made < first ? l->end >= first : l->made == last) bytes += l->bytes;
  }
  return bytes;
}

/* ---- order ---- */

static int compare(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int by_work(const void *a, const void *b) {
  const qn_band_choice *x = a, *y = b;
  int order = compare(x->more_macs, y->more_macs);
  if (order == 0) order = compare(x->bands, y->bands);
  if (order == 0) order = compare(x->last - x->first, y->last - y->first);
  return order != 0 ? order : compare(x->first, y->first);
}

static int by_bytes(const void *a, const void *b) {
  int order = compare(((const qn_band_choice *)a)->bytes, ((const qn_band_choice *)b)->bytes);
  return order != 0 ? order : by_work(a, b);
}

static void add_chain(const finder *f, uint32_t first, uint32_t last, int64_t below,
                      qn_band_choices *out) {
  qn_chain chain;
  if (!qn_chain_find(f->func, first, last, &chain)) return;
  int64_t bytes = held_bytes(f, first, last);
  if (bytes >= below) return;
  for (int64_t bands = 2; bands <= QN_CHAIN_BANDS; bands++) {
    qn_chain_cost cost;
    int64_t height = qn_chain_height(&chain, bands);
    if (height == 0 || !qn_chain_estimate(&chain, height, &cost)) continue;
    if (bytes + cost.bytes >= below) continue;
    int64_t launches = (bands - 1) * (last - first + 1);
    qn_band_choice choice = {first, last, bands,
                             cost.macs - cost.whole_macs + launches * MACS_PER_LAUNCH,
                             bytes + cost.bytes};
    qn_array_push(out, choice);
  }
}

static void keep(const qn_band_choices *from, int64_t least, int64_t most, qn_band_choices *out) {
  for (size_t i = 0; i < from->count; i++)
    if (from->data[i].bytes >= least && from->data[i].bytes <= most)
      qn_array_push(out, from->data[i]);
}

void qn_band_candidates(const qn_op *func, uint32_t at, int64_t bytes, int64_t limit,
                        bool io_in_arena, qn_band_choices *out) {
  finder f = {.func = func, .io_in_arena = io_in_arena};
  qn_band_choices all = {0};
  find_lives(&f);
  for (uint32_t first = at > REACH ? at - REACH : 0; first <= at; first++)
    for (uint32_t last = at; last <= at + REACH; last++) add_chain(&f, first, last, bytes, &all);
  QN_ASSERT(out->count == 0);
  keep(&all, 0, limit, out);
  size_t fitting = out->count;
  if (fitting > 0) qsort(out->data, fitting, sizeof *out->data, by_work);
  keep(&all, limit + 1, INT64_MAX, out);
  size_t others = out->count - fitting;
  if (others > 0) qsort(out->data + fitting, others, sizeof *out->data, by_bytes);
  qn_array_free(&all);
  qn_array_free(&f.lives);
  qn_map_deinit(&f.numbers);
}
