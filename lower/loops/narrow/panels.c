/* Packs narrow weights. Padding channels of the last vector have weights 0 and scale 0.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/narrow/panels.h"

/* Selects 4 bits if the range of all stored integers fits, else 8. */
static void choose_base(qn_narrow_panels *p) {
  enum { HALF_BYTE = 4, BYTE = 8 };
  const qn_narrow_weights *w = p->w;
  int64_t least = INT64_MAX, most = INT64_MIN;
  for (int64_t c = 0; c < w->channels; c++)
    for (int64_t k = 0; k < w->depth; k++) {
      int64_t q = qn_narrow_stored(w, c, k);
      if (q < least) least = q;
      if (q > most) most = q;
    }
  p->base = least;
  p->bits = most - least < 1 << HALF_BYTE ? HALF_BYTE : BYTE;
}

static bool has_one_zero_point(const qn_narrow_weights *w) {
  int64_t first = qn_narrow_zero_point(w, 0, 0);
  for (int64_t c = 0; w->zero_points.values && c < w->channels; c++)
    for (int64_t k = 0; k < w->depth; k += w->block)
      if (qn_narrow_zero_point(w, c, k) != first) return false;
  return true;
}

qn_narrow_panels qn_narrow_panels_of(const qn_narrow_weights *w, const qn_narrow_tiling *tiling) {
  qn_narrow_panels p = {.w = w, .tiling = tiling};
  choose_base(&p);
  int64_t per_word = qn_narrow_per_word(&p);
  p.one_zero_point = has_one_zero_point(w);
  bool in_runs = tiling->rows.runs > 1; /* all weights of a channel have one scale */
  p.block = in_runs ? tiling->rows.run : w->block;
  QN_ASSERT(p.block > 0 && per_word > 0);
  p.blocks = (w->depth + p.block - 1) / p.block;
  p.block_words = (p.block + per_word - 1) / per_word;
  p.grids = in_runs ? 1 : p.blocks;
  int64_t last = qn_narrow_block_depth(&p, p.blocks - 1);
  p.words = (p.blocks - 1) * p.block_words + (last + per_word - 1) / per_word;
  p.numbers = 1 + p.grids * (p.one_zero_point ? 1 : 2);
  return p;
}

/* One vector of a tile. */
typedef struct column {
  const qn_narrow_panels *p;
  int64_t first, vector, vectors; /* first channel; index in the tile; vectors of the tile */
} column;

static int64_t place(const column *c, int64_t row, int64_t lane) {
  return (row * c->vectors + c->vector) * c->p->tiling->lanes + lane;
}

static void pack_words(const column *c, int64_t lane, uint32_t *out) {
  const qn_narrow_panels *p = c->p;
  int64_t channel = c->first + lane, per_word = qn_narrow_per_word(p);
  for (int64_t k = 0; k < p->w->depth; k++) {
    int64_t block = k / p->block, in_block = k % p->block;
    int64_t word = block * p->block_words + in_block / per_word;
    uint32_t field = (uint32_t)(qn_narrow_stored(p->w, channel, k) - p->base);
    out[place(c, word, lane)] |= field << (in_block % per_word * p->bits);
  }
}

static void pack_numbers(const column *c, int64_t lane, const qn_attr *bias, float *out) {
  const qn_narrow_panels *p = c->p;
  int64_t channel = c->first + lane;
  out[place(c, 0, lane)] = bias ? (float)qn_dense_float(bias, channel) : 0;
  for (int64_t b = 0; b < p->grids; b++) {
    int64_t k = b * p->block;
    out[place(c, 1 + b, lane)] = (float)qn_narrow_scale(p->w, channel, k);
    if (p->one_zero_point) continue;
    int64_t zero = qn_narrow_zero_point(p->w, channel, k) - p->base;
    out[place(c, 1 + p->grids + b, lane)] = (float)zero;
  }
}

qn_narrow_packed qn_narrow_pack(qn_arena *scratch, const qn_narrow_panels *p, const qn_attr *bias) {
  const qn_narrow_tiling *t = p->tiling;
  int64_t vectors = qn_narrow_vectors(t), left = t->channels;
  size_t word_count = (size_t)qn_narrow_tile_words(p, vectors);
  size_t number_count = (size_t)qn_narrow_tile_numbers(p, vectors);
  uint32_t *words = QN_NEW_ARRAY(scratch, word_count, uint32_t);
  float *numbers = QN_NEW_ARRAY(scratch, number_count, float);
  for (int64_t v = 0; v < vectors; v++, left -= t->lanes) {
    int64_t before = v / t->vectors * t->vectors; /* vectors of the previous tiles */
    const column c = {p, v * t->lanes, v - before, qn_narrow_vectors_from(t, before)};
    for (int64_t lane = 0; lane < t->lanes && lane < left; lane++) {
      pack_words(&c, lane, words + qn_narrow_tile_words(p, before));
      pack_numbers(&c, lane, bias, numbers + qn_narrow_tile_numbers(p, before));
    }
  }
  return (qn_narrow_packed){{(const uint8_t *)words, word_count * sizeof *words},
                            {(const uint8_t *)numbers, number_count * sizeof *numbers}};
}
