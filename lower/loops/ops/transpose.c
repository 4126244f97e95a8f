/* Transposes. Consecutive elements of the source are `rows.from` = 1 apart in a dimension, the
 * rows, and consecutive elements of the result in another one, the columns. Tiles of both
 * dimensions are loaded and stored as vectors, and shuffled between:
 *
 *   SQUARES  n vectors of n elements, 16 bytes each at most, in log2(n) stages
 *   JOINS    2 to 4 columns, which are stored side by side as one vector (channels become last)
 *   CUTS     2 to 4 rows, which are loaded as one vector (channels become first)
 *
 * The last tile of a dimension ends at its last element, so that some elements are moved twice, by
 * the same work item. Other transposes are copied element by element (movement.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/ops/movement.h"

#include "lower/loops/fusion/fusion.h"
#include "lower/loops/memory/buffers.h"
#include "lower/loops/nest.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"
#include "lower/target.h"

enum { SIDE_BYTES = 16, MOST_SIDE = 16, MOST_FEW = 4 };
enum { ARG_FROM, ARG_TO, ARG_COUNT };

typedef enum tile_kind { SQUARES, JOINS, CUTS } tile_kind;

typedef struct plan {
  tile_kind kind;
  qn_copy_dim rows, columns;
  int64_t height, width; /* rows and columns of a tile */
  const qn_copy_dim *outer;
  uint32_t outer_count;
} plan;

/* First elements of a tile, as indices of source and result. */
typedef struct place {
  qn_value *from, *to;
} place;

static int64_t power_of_two_below(int64_t limit, int64_t most) {
  while (most > limit) most /= 2;
  return most;
}

/* Finds rows and columns among merged dimensions; the others, in order, are written to `outer`. */
static bool find_dims(const qn_copy_dim *dims, uint32_t rank, qn_copy_dim *outer, plan *out) {
  if (rank < 2 || dims[rank - 1].to != 1) return false;
  uint32_t at = 0;
  while (at < rank && dims[at].from != 1) at++;
  if (at + 1 >= rank) return false;
  out->rows = dims[at];
  out->columns = dims[rank - 1];
  for (uint32_t i = 0; i + 2 < rank; i++) outer[i] = dims[i < at ? i : i + 1];
  out->outer = outer;
  out->outer_count = rank - 2;
  return true;
}

static bool choose_tiles(const qn_target *target, int64_t bytes, plan *p) {
  const int64_t lanes = target->vector_bytes / bytes;
  const int64_t rows = p->rows.extent, columns = p->columns.extent;
  if (columns <= MOST_FEW && p->rows.to == columns && rows >= lanes) {
    p->kind = JOINS, p->height = lanes, p->width = columns;
    return true;
  }
  if (rows <= MOST_FEW && p->columns.from == rows && columns >= lanes) {
    p->kind = CUTS, p->height = rows, p->width = lanes;
    return true;
  }
  const int64_t least = rows < columns ? rows : columns;
  p->kind = SQUARES;
  p->height = p->width = power_of_two_below(least, SIDE_BYTES / bytes);
  return p->height >= 2 && p->height * bytes >= SIDE_BYTES / 4;
}

/* ---- tiles ---- */

static qn_value *load(qn_kernel *k, const place *at, int64_t offset, int64_t count) {
  return qn_vec_load(&k->b, k->args[ARG_FROM], at->from, offset, count);
}

static void store(qn_kernel *k, const place *at, int64_t offset, qn_value *vector) {
  qn_vec_store(&k->b, vector, k->args[ARG_TO], at->to, offset);
}

/* Interleaving vector i and i + n / 2 log2(n) times transposes n vectors of n elements. */
static void move_square(qn_kernel *k, const plan *p, const place *at) {
  const int64_t n = p->height;
  qn_value *vectors[MOST_SIDE], *next[MOST_SIDE];
  for (int64_t i = 0; i < n; i++) vectors[i] = load(k, at, i * p->columns.from, n);
  for (int64_t stage = 1; stage < n; stage *= 2) {
    for (int64_t i = 0; i < n; i++)
      next[i] = qn_vec_interleave_half(&k->b, vectors[i / 2], vectors[i / 2 + n / 2], n, i % 2);
    memcpy(vectors, next, sizeof vectors);
  }
  for (int64_t i = 0; i < n; i++) store(k, at, i * p->rows.to, vectors[i]);
}

static void move_joined(qn_kernel *k, const plan *p, const place *at) {
  int64_t mask[QN_VEC_MAX_BYTES];
  qn_value *columns[MOST_FEW] = {NULL};
  for (int64_t i = 0; i < p->width; i++) columns[i] = load(k, at, i * p->columns.from, p->height);
  qn_value *first = columns[0], *second = columns[p->width - 1];
  if (p->width > 2) first = qn_vec_join(&k->b, columns[0], columns[1]);
  if (p->width > 3) second = qn_vec_join(&k->b, columns[2], columns[3]);
  const int64_t count = p->height * p->width;
  for (int64_t i = 0; i < count; i++) mask[i] = i % p->width * p->height + i / p->width;
  store(k, at, 0, qn_vec_shuffle(&k->b, first, second, mask, count));
}

static void move_cut(qn_kernel *k, const plan *p, const place *at) {
  int64_t mask[QN_VEC_MAX_BYTES];
  qn_value *all = load(k, at, 0, p->height * p->width);
  for (int64_t row = 0; row < p->height; row++) {
    for (int64_t i = 0; i < p->width; i++) mask[i] = i * p->height + row;
    store(k, at, row * p->rows.to, qn_vec_shuffle(&k->b, all, all, mask, p->width));
  }
}

static void (*const movers[])(qn_kernel *, const plan *, const place *) = {
    [SQUARES] = move_square, [JOINS] = move_joined, [CUTS] = move_cut};

/* ---- loops ---- */

static place moved(qn_kernel *k, place at, qn_value *index, const qn_copy_dim *dim) {
  qn_builder *b = &k->b;
  qn_value *from = qn_index_affine(b, index, dim->from, 0);
  at.from = qn_nest_add(b, at.from, from);
  qn_value *to = qn_index_affine(b, index, dim->to, 0);
  at.to = qn_nest_add(b, at.to, to);
  return at;
}

/* Opens a loop over the tiles of a dimension; returns the index of the tile's first element. */
static qn_value *open_tiles(qn_kernel *k, int64_t extent, int64_t tile) {
  qn_value *i = qn_nest_count(&k->b, (extent + tile - 1) / tile, 1);
  i = qn_index_affine(&k->b, i, tile, 0);
  return extent % tile == 0 ? i : qn_nest_min(&k->b, i, extent - tile);
}

/* Opens a loop over the tiles of work item `unit`: one, and for the last one also the tile at the
 * end. */
static qn_value *open_unit(qn_kernel *k, qn_value *unit, int64_t extent, int64_t tile) {
  qn_builder *b = &k->b;
  const int64_t rest = extent % tile, whole = extent / tile;
  qn_value *first = qn_index_affine(b, unit, tile, 0);
  if (rest == 0) return first;
  qn_value *beyond = qn_nest_max(b, qn_index_add(b, unit, 2 - whole), 0);
  qn_value *count = qn_index_add(b, beyond, 1);
  qn_value *i = qn_nest_begin(b, qn_build_index(b, 0), count, 1);
  qn_value *step = qn_index_affine(b, i, rest, 0);
  return qn_nest_add(b, first, step);
}

/* Work items are tiles of the longer one of rows and columns, or indices of the outermost other
 * dimension. */
static int64_t build_loops(qn_kernel *k, const plan *p) {
  qn_builder *b = &k->b;
  const bool by_rows = p->rows.extent / p->height >= p->columns.extent / p->width;
  const qn_copy_dim *first = by_rows ? &p->rows : &p->columns;
  const qn_copy_dim *second = by_rows ? &p->columns : &p->rows;
  const int64_t tile = by_rows ? p->height : p->width, other = by_rows ? p->width : p->height;
  uint32_t depth = 1; /* of open loops */
  place at = {qn_build_index(b, 0), qn_build_index(b, 0)};
  qn_value *unit = qn_nest_begin(b, k->lower, k->upper, 1);
  qn_value *index;
  if (p->outer_count == 0) {
    index = open_unit(k, unit, first->extent, tile);
    depth += first->extent % tile != 0;
  } else {
    at = moved(k, at, unit, &p->outer[0]);
    for (uint32_t i = 1; i < p->outer_count; i++, depth++)
      at = moved(k, at, qn_nest_count(b, p->outer[i].extent, 1), &p->outer[i]);
    index = open_tiles(k, first->extent, tile);
    depth++;
  }
  at = moved(k, at, index, first);
  if (second->extent > other) {
    at = moved(k, at, open_tiles(k, second->extent, other), second);
    depth++;
  }
  movers[p->kind](k, p, &at);
  while (depth-- > 0) qn_nest_end(b);
  return p->outer_count > 0 ? p->outer[0].extent : first->extent / tile;
}

/* Whether the CPU has instructions that shuffle bytes of vectors. */
static bool shuffles(const qn_target *target) {
  return !target->dot->splits && target->index_bits == 64;
}

static qn_status lower_transpose(qn_loops *lo, qn_op *op) {
  if (qn_fusion_is_placed(lo, op, 0)) return QN_OK;
  const qn_value *result = &op->results[0];
  const qn_type *in = qn_op_operand(op, 0)->type, *out = result->type;
  qn_i64s perm = qn_op_perm(op);
  uint32_t rank = in->shaped.rank;
  qn_copy_dim *dims = QN_NEW_ARRAY(lo->scratch, rank + 1, qn_copy_dim);
  for (uint32_t i = 0; i < rank; i++)
    dims[i] =
        (qn_copy_dim){out->shaped.dims[i], qn_tensor_extent(in, (uint32_t)perm.data[i] + 1, rank),
                      qn_tensor_extent(out, i + 1, rank)};
  qn_value *buffers[ARG_COUNT] = {[ARG_FROM] = qn_loops_buffer(lo, qn_op_operand(op, 0)),
                                  [ARG_TO] = qn_loops_buffer(lo, result)};
  rank = qn_movement_merge(dims, rank);
  plan p = {0};
  qn_copy_dim *outer = QN_NEW_ARRAY(lo->scratch, rank + 1, qn_copy_dim);
  const bool has_batch = qn_loops_size(lo, result) != QN_SIZE_FIXED; /* the first dimension */
  const int64_t bytes = qn_type_bytes(qn_type_element(buffers[ARG_TO]->type));
  if (!shuffles(lo->target) || (has_batch && dims[0].from == 1) ||
      !find_dims(dims, rank, outer, &p) || !choose_tiles(lo->target, bytes, &p)) {
    qn_movement_strided(lo, op, "transpose", dims, rank);
    return QN_OK;
  }
  qn_kernel k = qn_kernel_begin(lo, "transpose", op, buffers, ARG_COUNT);
  const int64_t units = build_loops(&k, &p);
  qn_kernel_end(&k, units, 0);
  return QN_OK;
}

static bool place_transposed(const qn_op *op, uint32_t operand, qn_placement *at) {
  QN_ASSERT(operand == 0);
  return qn_placement_take_transposed(at, op->results[0].type, qn_op_perm(op).data);
}
const qn_schedule qn_schedule_ml_transpose = {.lower = lower_transpose, .place = place_transposed};
