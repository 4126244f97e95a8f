/* Micro-kernel of quads whose tiles overlap: the results of an M tile are computed between the
 * products of the next one, by units of the CPU that do not multiply. Registers hold the
 * accumulators of both tiles, so MR is less than half of what it would be otherwise.
 *
 * The loop carries the accumulators of the tile before. Those of the first iteration are 0, and
 * their results are stored where those of the first tile follow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/bytes_step.h"
#include "lower/loops/matrix/gemm_bytes.h"
#include "lower/loops/matrix/gemm_runs.h"
#include "lower/loops/nest.h"

typedef qn_gemm_emitter emitter;
typedef qn_gemm_accumulators accumulators;
typedef qn_gemm_bound bound;

enum { MOST_PIXELS = 8, MOST_STEPS = 40 /* that are emitted one by one */ };

/* If most quads are also quads of a later pixel of the tile: the distance in pixels of the farthest
 * one; else 0. */
static int64_t reach(const qn_gemm *g) {
  int64_t stride = g->strides[QN_GEMM_DIMS - 1], bytes, farthest = 0;
  qn_quad_taps quads[MOST_STEPS * QN_QUAD];
  QN_ASSERT(g->tap_count <= (int64_t)QN_COUNT(quads));
  uint32_t count = qn_quads_cover(g->taps, g->tap_count, g->extent, quads, &bytes), repeated = 0;
  for (uint32_t q = 0; q < count; q++) {
    int64_t pixels = 0;
    for (uint32_t p = 0; p < count; p++) {
      int64_t distance = quads[q].offset - quads[p].offset;
      bool again =
          stride > 0 && distance > 0 && distance % stride == 0 && distance / stride < MOST_PIXELS;
      if (again && distance / stride > pixels) pixels = distance / stride;
    }
    repeated += pixels > 0;
    if (pixels > farthest) farthest = pixels;
  }
  return 2 * repeated > count ? farthest : 0;
}

int64_t qn_bytes_overlapped_rows(const qn_gemm *g, const qn_target *target,
                                 const qn_gemm_tile *tile) {
  static const int64_t rows[] = {0, MOST_PIXELS, 4, 4, 3};
  bool can = target->overlaps && g->can_repeat && !g->packs && !g->merged && !qn_bytes_flip(g);
  bool few = g->tap_count <= MOST_STEPS * QN_QUAD && qn_bytes_quad_count(g) <= MOST_STEPS;
  if (!can || !few) return 0;
  /* Wide tiles load weights more often, and shared quads are loaded for each pixel; results of BITS
   * take too few instructions for that. */
  bool pays = (tile->vectors <= 2 && reach(g) == 0) || tile->kind != QN_EPILOGUE_BITS;
  return pays ? rows[tile->vectors] : 0;
}

/* The tile whose results are computed, and the number of pixels for which that is done. */
typedef struct finished {
  accumulators sums;
  qn_gemm_cursor at;
  int64_t done;
} finished;

/* Computes the results of the first `pixels` pixels, and stores those that fill a vector. */
static void finish(emitter *e, finished *f, int64_t pixels) {
  int64_t together = qn_bytes_pixels_together(e), vectors = f->sums.vectors;
  for (; f->done < pixels; f->done++) {
    int64_t m = f->done, first = m / together * together;
    qn_bytes_requantize_rows(e, &f->sums.at[m * vectors], 1);
    if (m + 1 == f->sums.rows || m + 1 == first + together)
      qn_bytes_store_pixels(e, &f->sums.at[first * vectors], f->at, first, m + 1 - first, NULL);
  }
}

/* Offsets of 0 that code generation does not know to be equal, for the pixels that share quads.
 * LLVM would load a shared quad once, and keep it in a register that accumulators need. */
typedef struct bases {
  int64_t count;
  qn_value *zeros[MOST_PIXELS];
} bases;

static bases make_bases(emitter *e) {
  bases b = {.count = 1 + reach(e->plan->gemm)};
  for (int64_t i = 1; i < b.count; i++) b.zeros[i] = qn_index_opaque(e->b, qn_build_index(e->b, 0));
  return b;
}

/* Addresses the pixels of a tile that begins at `x`. */
static void address(emitter *e, const bases *b, int64_t rows, qn_value *x) {
  for (int64_t m = 0; m < rows; m++) {
    qn_value *zero = b->zeros[m % b->count];
    qn_value *base = zero ? qn_gemm_add(e, x, zero) : x;
    e->pixel_x[m] = zero ? qn_index_add(e->b, base, m * e->plan->pixel_stride) : NULL;
  }
}

/* Emits the products of tile `block`, and between them the results of the tile before. */
static void tile(emitter *e, const bases *b, accumulators *sums, qn_value *block,
                 finished *before) {
  qn_gemm_cursor at = qn_gemm_block_at(e, block);
  const int32_t *offsets = e->plan->offsets.data + e->shape->fields[QN_TILE_OFFSETS];
  int64_t count = e->shape->fields[qn_tile_steps(QN_STEP_PLAIN)];
  int64_t stride = qn_bytes_step_stride(e, QN_STEP_PLAIN);
  e->at = at;
  address(e, b, sums->rows, at.x);
  qn_gemm_prefetch_bytes_setup(e, block, count * stride, count, QN_BYTES_LEAST_PREFETCH);
  qn_bytes_start(e, sums);
  for (int64_t q = 0; q < count; q++) {
    qn_quad_place quad = {.first = qn_index_add(e->b, at.x, offsets[q]), .more = offsets[q]};
    qn_value *w = qn_index_add(e->b, e->fields[QN_TILE_WEIGHTS], q * stride);
    qn_gemm_prefetch_bytes(e, qn_build_index(e->b, q));
    qn_bytes_step(e, sums, QN_STEP_PLAIN, &quad, w);
    finish(e, before, ((q + 1) * sums->rows + count - 1) / count);
  }
}

/* The block before `block`, or the first one. */
static qn_gemm_cursor before(emitter *e, qn_value *block, qn_value *first) {
  block = qn_index_add(e->b, block, -1);
  return qn_gemm_block_at(e, qn_build_binary(e->b, QN_OP_ARITH_MAXSI, block, first));
}

bool qn_bytes_run(emitter *e, bound lower, bound upper) {
  bool known = qn_gemm_field_is_constant(e, QN_TILE_OFFSETS) &&
               qn_gemm_field_is_constant(e, qn_tile_steps(QN_STEP_PLAIN));
  if (!e->segment->overlaps || !known) return false;
  QN_ASSERT(!e->shape->reordered); /* only tiles of saturating products are */
  accumulators sums = {.rows = e->segment->rows, .vectors = e->shape->vectors};
  finished last = {.sums = sums};
  uint32_t n = (uint32_t)sums.rows * sums.vectors;
  const bases b = make_bases(e);
  qn_value *first = qn_gemm_bound_value(e, lower), *end = qn_gemm_bound_value(e, upper);
  for (uint32_t a = 0; a < n; a++) last.sums.at[a] = qn_vec_splat(e->b, 0, e->i32, e->plan->lanes);
  qn_op *nest = qn_build_for(e->b, first, end, qn_build_index(e->b, 1), last.sums.at, n);
  qn_block *body = qn_op_body(nest);
  for (uint32_t a = 0; a < n; a++) last.sums.at[a] = body->args[1 + a];
  last.at = before(e, body->args[0], first);
  tile(e, &b, &sums, body->args[0], &last);
  memset(e->pixel_x, 0, sizeof e->pixel_x);
  qn_build_yield(e->b, sums.at, n);
  /* The results of the last tile, if there is one. */
  qn_value *final = qn_index_add(e->b, end, -1);
  final = qn_build_binary(e->b, QN_OP_ARITH_MAXSI, final, first);
  qn_value *block = qn_nest_begin(e->b, final, end, 1);
  for (uint32_t a = 0; a < n; a++) last.sums.at[a] = qn_op_result(nest, a);
  last.at = qn_gemm_block_at(e, block);
  last.done = 0;
  finish(e, &last, sums.rows);
  qn_nest_end(e->b);
  return true;
}
