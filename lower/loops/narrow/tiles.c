/* Loops over tiles. Remainders are loops of their own with static sizes: no masks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/narrow/tiles.h"

#include "lower/loops/nest.h"
#include "lower/loops/vec.h"

void qn_narrow_fit(qn_narrow_tiling *t) {
  int64_t vectors = qn_narrow_vectors(t);
  if (t->vectors > vectors) t->vectors = vectors;
  if (t->height > t->rows) t->height = t->rows;
  QN_ASSERT(t->vectors <= QN_NARROW_MAX_VECTORS && t->vectors * t->height <= QN_NARROW_MAX_SUMS);
}

typedef struct builder {
  qn_builder *b;
  const qn_narrow_tiling *t;
  qn_narrow_tile_fn *body;
  void *user;
  qn_narrow_tile tile;
} builder;

static void build_rows(builder *w, qn_value *row, int64_t rows) {
  w->tile.row = row;
  w->tile.rows = rows;
  w->body(w->user, &w->tile);
}

/* A tile of channels with `count` rows from `first` on. */
static void build_channels(builder *w, qn_value *number, qn_value *first, int64_t count) {
  const qn_narrow_tiling *t = w->t;
  int64_t whole = count / t->height * t->height;
  w->tile.number = number;
  w->tile.channel = qn_index_affine(w->b, number, t->vectors * t->lanes, 0);
  if (whole == t->height) build_rows(w, first, t->height);
  if (whole > t->height) {
    qn_value *row = qn_nest_count(w->b, whole, t->height);
    build_rows(w, qn_nest_add(w->b, first, row), t->height);
    qn_nest_end(w->b);
  }
  if (whole < count) build_rows(w, qn_index_add(w->b, first, whole), count - whole);
}

/* Tiles [lower, upper) of channels. */
static void build_tiles(builder *w, qn_value *lower, qn_value *upper, qn_value *first,
                        int64_t count) {
  const qn_narrow_tiling *t = w->t;
  int64_t wide = t->vectors * t->lanes, whole = t->channels / wide, rest = t->channels % wide;
  w->tile.vectors = t->vectors, w->tile.valid = t->lanes;
  if (whole > 0) {
    qn_value *end = qn_nest_min(w->b, upper, whole);
    build_channels(w, qn_nest_begin(w->b, lower, end, 1), first, count);
    qn_nest_end(w->b);
  }
  if (rest == 0) return;
  w->tile.vectors = (rest + t->lanes - 1) / t->lanes;
  w->tile.valid = rest - (w->tile.vectors - 1) * t->lanes;
  qn_nest_begin(w->b, qn_nest_max(w->b, lower, whole), upper, 1);
  build_channels(w, qn_build_index(w->b, whole), first, count);
  qn_nest_end(w->b);
}

void qn_narrow_build(qn_kernel *k, const qn_narrow_tiling *t, int64_t macs, qn_narrow_tile_fn *body,
                     void *user) {
  builder w = {.b = &k->b, .t = t, .body = body, .user = user};
  int64_t tiles = qn_narrow_tiles(t);
  if (k->size == QN_SIZE_FIXED) {
    build_tiles(&w, k->lower, k->upper, qn_build_index(w.b, 0), t->rows);
    qn_kernel_end(k, tiles, macs);
    return;
  }
  int64_t entries = qn_loops_bound(k->lo, k->size), each = t->rows / entries;
  qn_value *entry = qn_nest_begin(w.b, k->lower, k->upper, 1);
  qn_value *none = qn_build_index(w.b, 0), *all = qn_build_index(w.b, tiles);
  build_tiles(&w, none, all, qn_index_affine(w.b, entry, each, 0), each);
  qn_nest_end(w.b);
  qn_kernel_end(k, entries, macs);
}
