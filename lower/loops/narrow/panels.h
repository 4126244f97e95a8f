/* Packed narrow weights. A word of 32 bits holds consecutive k of one channel, four of 8 bits or
 * eight of 4 bits; a lane of a vector is a channel:
 *
 *   words[tile][word][vector][lane]
 *
 * A word ends at the end of its block of scales and of its run of x. Fields are q - base, which is
 * not negative.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_NARROW_PANELS_H
#define QN_LOWER_LOOPS_NARROW_PANELS_H

#include "base/array.h"
#include "lower/loops/narrow/narrow.h"
#include "lower/loops/narrow/tiles.h"

enum { QN_NARROW_WORD_BITS = 32 };

typedef struct qn_narrow_panels {
  const qn_narrow_weights *w;
  const qn_narrow_tiling *tiling;
  int64_t base, bits;         /* subtracted from all stored integers; bits of a field */
  bool one_zero_point;        /* all weights have the same zero point */
  int64_t block, blocks;      /* k per block (a run, or k with one scale; the last may be shorter);
                                 number of blocks */
  int64_t block_words, words; /* words of a block; words of a channel */
  int64_t grids;              /* blocks with separate scales; 1: all share theirs */
  int64_t numbers;            /* f32 values per channel: bias, scales, zero points if they differ */
} qn_narrow_panels;

qn_narrow_panels qn_narrow_panels_of(const qn_narrow_weights *w, const qn_narrow_tiling *tiling);

static inline int64_t qn_narrow_per_word(const qn_narrow_panels *p) {
  return QN_NARROW_WORD_BITS / p->bits;
}
/* k of a block. */
static inline int64_t qn_narrow_block_depth(const qn_narrow_panels *p, int64_t block) {
  int64_t left = p->w->depth - block * p->block;
  return left < p->block ? left : p->block;
}
/* Elements of the panels of a tile of `vectors` vectors: words, and f32 values. */
static inline int64_t qn_narrow_tile_words(const qn_narrow_panels *p, int64_t vectors) {
  return p->words * vectors * p->tiling->lanes;
}
static inline int64_t qn_narrow_tile_numbers(const qn_narrow_panels *p, int64_t vectors) {
  return p->numbers * vectors * p->tiling->lanes;
}

/* All words and f32 values; `bias` may be NULL. Allocated in `scratch`. */
typedef struct qn_narrow_packed {
  qn_bytes words, numbers;
} qn_narrow_packed;
qn_narrow_packed qn_narrow_pack(qn_arena *scratch, const qn_narrow_panels *p, const qn_attr *bias);

#endif
