/* Search for the permutation of order.h. Two large weights of a 16-bit lane need a mask: of one
 * byte if their signs are equal, of none or both if they are opposite. Channels that need different
 * masks should not share a lane. The search exchanges channels as long as that helps, from several
 * initial orders. Quads whose channels disagree in any order are ignored.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/steps/order.h"

#include <string.h>

enum {
  GROUPS = 4, /* i32 lanes per 128 bits */
  MOST_VECTORS = 4,
  MOST_QUADS = 96,
  HALVES = 2 * MOST_QUADS, /* 16-bit lanes */
  WORDS = HALVES / 64,
  STARTS = 6,
};

bool qn_steps_ask_for_order(uint32_t quads) { return quads <= MOST_QUADS; }

typedef struct bits {
  uint64_t words[WORDS];
} bits;

/* The channels in the same 128 bits of all vectors. */
typedef struct block {
  uint32_t vectors;
  bits equal[GROUPS * MOST_VECTORS],
      opposite[GROUPS *
               MOST_VECTORS]; /* [channel] lanes whose large weights have equal or opposite signs */
  bits lost;                  /* lanes in which the channels of another block disagree */
  uint32_t groups[GROUPS][MOST_VECTORS];
} block;

static void ask(block *b, const qn_step_source *source, uint32_t channel, uint32_t lane) {
  for (uint32_t h = 0; h < 2 * source->count && h < HALVES; h++) {
    const int16_t *w = source->quads[h / 2].weights + lane * QN_QUAD + h % 2 * 2;
    int32_t first = w[0] < 0 ? -w[0] : w[0], second = w[1] < 0 ? -w[1] : w[1];
    if (first + second <= QN_GREATEST_SUM) continue;
    bits *to = (w[0] < 0) == (w[1] < 0) ? &b->equal[channel] : &b->opposite[channel];
    to->words[h / 64] |= UINT64_C(1) << h % 64;
  }
}

/* The 16-bit lanes, not counting lost ones, in which the channels of a group disagree. */
static bits quarrels(const block *b, const uint32_t *group) {
  bits equal = {{0}}, opposite = {{0}};
  for (uint32_t v = 0; v < b->vectors; v++)
    for (int i = 0; i < WORDS; i++) {
      equal.words[i] |= b->equal[group[v]].words[i];
      opposite.words[i] |= b->opposite[group[v]].words[i];
    }
  for (int i = 0; i < WORDS; i++) equal.words[i] &= opposite.words[i] & ~b->lost.words[i];
  return equal;
}

static uint32_t count_bits(uint64_t word) {
  uint32_t count = 0;
  for (; word != 0; word &= word - 1) count++;
  return count;
}

static uint32_t count_quarrels(const block *b, const uint32_t *group) {
  bits all = quarrels(b, group);
  uint32_t count = 0;
  for (int i = 0; i < WORDS; i++) count += count_bits(all.words[i]);
  return count;
}

static void exchange(uint32_t *a, uint32_t *b) {
  uint32_t old = *a;
  *a = *b;
  *b = old;
}

/* Exchanges channels of two groups if that reduces disagreements; returns whether it did. */
static bool settle_two(block *b, uint32_t *one, uint32_t *other) {
  bool better = false;
  uint32_t least = count_quarrels(b, one) + count_quarrels(b, other);
  for (uint32_t i = 0; i < b->vectors; i++)
    for (uint32_t j = 0; j < b->vectors; j++) {
      exchange(&one[i], &other[j]);
      uint32_t now = count_quarrels(b, one) + count_quarrels(b, other);
      if (now < least)
        least = now, better = true;
      else
        exchange(&one[i], &other[j]);
    }
  return better;
}

static uint32_t settle(block *b) {
  uint32_t count = 0;
  for (bool better = true; better;) {
    better = false;
    for (int g = 0; g < GROUPS; g++)
      for (int h = g + 1; h < GROUPS; h++) better |= settle_two(b, b->groups[g], b->groups[h]);
  }
  for (int g = 0; g < GROUPS; g++) count += count_quarrels(b, b->groups[g]);
  return count;
}

/* Initial order number `start`; number 0 is the original order. */
static void begin_with(block *b, uint32_t start) {
  static const uint32_t coprime[STARTS] = {1, 3, 5, 7, 11, 13};
  uint32_t count = GROUPS * b->vectors;
  for (uint32_t i = 0; i < count; i++)
    b->groups[i % GROUPS][i / GROUPS] = (i * coprime[start] + start) % count;
}

static void order_block(block *b) {
  uint32_t best[GROUPS][MOST_VECTORS], least = UINT32_MAX;
  for (uint32_t start = 0; start < STARTS && least > 0; start++) {
    begin_with(b, start);
    uint32_t count = settle(b);
    if (count < least) memcpy(best, b->groups, sizeof best), least = count;
  }
  memcpy(b->groups, best, sizeof best);
}

/* Marks the quads whose channels disagree as lost, with both of their 16-bit lanes, for all blocks.
 */
static void lose(block *b) {
  const uint64_t even = UINT64_C(0x5555555555555555);
  for (int g = 0; g < GROUPS; g++) {
    bits more = quarrels(b, b->groups[g]);
    for (int i = 0; i < WORDS; i++) {
      uint64_t quads = (more.words[i] | more.words[i] >> 1) & even;
      b->lost.words[i] |= quads | quads << 1;
    }
  }
}

void qn_steps_order(qn_arena *scratch, const qn_step_source *source, uint32_t *out_lanes) {
  uint32_t lanes = (uint32_t)source->lanes;
  QN_ASSERT(lanes % GROUPS == 0);
  block *b = QN_NEW_ARRAY(scratch, 1, block);
  b->vectors = source->vectors;
  for (uint32_t first = 0; first < lanes; first += GROUPS) {
    memset(b->equal, 0, sizeof b->equal);
    memset(b->opposite, 0, sizeof b->opposite);
    for (uint32_t c = 0; c < GROUPS * b->vectors; c++)
      ask(b, source, c, c / GROUPS * lanes + first + c % GROUPS);
    order_block(b);
    lose(b);
    for (uint32_t c = 0; c < GROUPS * b->vectors; c++) {
      uint32_t from = b->groups[c % GROUPS][c / GROUPS];
      out_lanes[c / GROUPS * lanes + first + c % GROUPS] =
          from / GROUPS * lanes + first + from % GROUPS;
    }
  }
}
