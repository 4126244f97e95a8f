/* Matrix products of i16 with 64-bit accumulators: the innermost loops (row, column, k) of a
 * linalg.generic that multiplies two computed matrices. Columns are vectorized, and a few rows
 * share the loads of the second matrix.
 *
 * A product of two full i16 values takes 32 bits, so the pair sum of quern.madd_s16 may overflow.
 * The second factor is split: w = 256 * high + low with low in [0, 255]. Pair sums with either half
 * fit many times in 32 bits and are then combined in 64. Integer addition is associative, so the
 * order does not matter.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/elements/generic.h"
#include "lower/loops/nest.h"
#include "lower/loops/vec.h"

enum {
  MAX_ROWS = 8,
  /* With x = -32768 and low = 255, 128 pairs sum to 2 * 128 * 32768 * 255 < 2^31; with high = -128
   * to half of that. */
  SAFE_PAIRS = 128,
};

/* ---- which bodies are supported ---- */

/* Index of the body argument that is extended; -1 if none. */
static int64_t extended(const qn_generic_nest *n, const qn_value *value) {
  const qn_op *op = value->op;
  if (!op || op->kind != QN_OP_ARITH_EXTSI) return -1;
  const qn_value *from = qn_op_operand(op, 0);
  const qn_block *body = qn_op_body(n->op);
  for (uint32_t i = 0; i < n->inputs; i++)
    if (from == body->args[i] && qn_type_is_int(from->type, 16)) return i;
  return -1;
}

/* Whether the body is acc + x * y with i16 x and y. */
static bool multiplies(const qn_generic_nest *n) {
  const qn_block *body = qn_op_body(n->op);
  if (n->inputs != 2 || n->operands != 3 || n->captured_count > 0) return false;
  const qn_value *acc = body->args[2], *sum = qn_op_operand(body->last, 0);
  if (!qn_type_is_int(acc->type, 64) || !sum->op || sum->op->kind != QN_OP_ARITH_ADDI) return false;
  const qn_value *left = qn_op_operand(sum->op, 0), *right = qn_op_operand(sum->op, 1);
  const qn_op *product = left == acc ? right->op : right == acc ? left->op : NULL;
  if (!product || product->kind != QN_OP_ARITH_MULI) return false;
  int64_t a = extended(n, qn_op_operand(product, 0)), b = extended(n, qn_op_operand(product, 1));
  return a >= 0 && b >= 0 && a != b;
}

/* Whether x is contiguous along k and constant along columns, and y is contiguous along columns and
 * constant along rows: the accesses of a matrix product. */
static bool goes(const qn_generic_nest *n, uint32_t x, uint32_t y) {
  const qn_generic_access *of_x = &n->access[x], *of_y = &n->access[y], *sums = &n->access[2];
  uint32_t k = n->loop_count - 1, column = k - 1, row = k - 2;
  bool linear = of_x->linear && of_y->linear && sums->linear && !of_x->splat && !of_y->splat;
  return linear && of_x->steps[k] == 1 && of_x->steps[column] == 0 && of_y->steps[column] == 1 &&
         of_y->steps[row] == 0 && sums->steps[column] == 1;
}

void qn_generic_find_products(qn_generic_nest *n) {
  uint32_t count = n->loop_count;
  if (n->in_lanes || !n->direct || count < 3 || n->first_carried != count - 1) return;
  if (!n->loops[count - 2].own || !n->loops[count - 3].own || !multiplies(n)) return;
  for (uint32_t x = 0; x < 2; x++)
    if (goes(n, x, 1 - x)) n->products = true, n->row_factor = x;
}

/* ---- a tile ---- */

typedef struct tile {
  qn_generic_nest *n;
  qn_builder *b;
  int64_t rows, lanes;
  qn_value *row, *x, *y; /* first row; first elements of its factors and of the columns' factors */
  const qn_type *i16, *i32, *i64;
} tile;

typedef struct digits {
  qn_value *low[MAX_ROWS], *high[MAX_ROWS];
} digits;

static const qn_generic_access *factors(const tile *t) { return &t->n->access[t->n->row_factor]; }
static const qn_generic_access *columns(const tile *t) {
  return &t->n->access[1 - t->n->row_factor];
}

/* Offset of an operand's element for a row and column. */
static qn_value *place(const tile *t, const qn_generic_access *a, qn_value *column) {
  uint32_t of_row = t->n->loop_count - 3;
  qn_value *at = qn_index_affine(t->b, t->row, a->steps[of_row], a->base);
  if (a->at) at = qn_nest_add(t->b, at, a->at);
  qn_value *along = qn_index_affine(t->b, column, a->steps[of_row + 1], 0);
  return qn_nest_add(t->b, at, along);
}

/* Broadcasts factors k and k + 1 of a row to all lanes; `single`: the second one is 0. */
static qn_value *pair_of(const tile *t, qn_value *k, int64_t row, bool single) {
  const qn_generic_access *a = factors(t);
  qn_value *at = qn_nest_add(t->b, t->x, k);
  int64_t from = row * a->steps[t->n->loop_count - 3];
  qn_value *pair = qn_vec_load(t->b, a->buffer, at, from, single ? 1 : 2);
  if (single) {
    qn_value *zero = qn_vec_splat(t->b, 0, t->i16, 1);
    pair = qn_vec_shuffle(t->b, pair, zero, (int64_t[]){0, 1}, 2);
  }
  qn_value *both = qn_vec_extract(t->b, qn_vec_bitcast(t->b, pair, t->i32), 0);
  return qn_vec_bitcast(t->b, qn_vec_broadcast(t->b, both, t->lanes), t->i16);
}

/* The factors of all columns for k and k + 1, interleaved. */
static qn_value *pairs_of_columns(const tile *t, qn_value *k, bool single) {
  const qn_generic_access *a = columns(t);
  int64_t step = a->steps[t->n->loop_count - 1];
  qn_value *at = qn_index_affine(t->b, k, step, 0);
  at = qn_nest_add(t->b, at, t->y);
  qn_value *first = qn_vec_load(t->b, a->buffer, at, 0, t->lanes);
  qn_value *second = single ? qn_vec_splat(t->b, 0, t->i16, t->lanes)
                            : qn_vec_load(t->b, a->buffer, at, step, t->lanes);
  return qn_vec_interleave(t->b, first, second);
}

static qn_value *add_pair(const tile *t, qn_value *sum, qn_value *pair, qn_value *digit) {
  qn_value *products =
      qn_build_1(t->b, QN_OP_QUERN_MADD_S16, sum->type, QN_VALUES(pair, digit), NULL);
  return qn_build_binary(t->b, QN_OP_ARITH_ADDI, sum, products);
}

static void step(const tile *t, digits *d, qn_value *k, bool single) {
  qn_value *w = pairs_of_columns(t, k, single);
  qn_value *mask = qn_vec_splat(t->b, 255, t->i16, 2 * t->lanes);
  qn_value *low = qn_build_binary(t->b, QN_OP_ARITH_ANDI, w, mask);
  qn_value *eight = qn_vec_splat(t->b, 8, t->i16, 2 * t->lanes);
  qn_value *high = qn_build_binary(t->b, QN_OP_ARITH_SHRSI, w, eight);
  for (int64_t r = 0; r < t->rows; r++) {
    qn_value *pair = pair_of(t, k, r, single);
    d->low[r] = add_pair(t, d->low[r], pair, low);
    d->high[r] = add_pair(t, d->high[r], pair, high);
  }
}

/* ---- sums ---- */

/* Emits a loop over `pairs` pairs from k on. */
static void add_pairs(const tile *t, digits *d, qn_value *k, int64_t pairs) {
  qn_value *carried[2 * MAX_ROWS];
  uint32_t count = 2 * (uint32_t)t->rows;
  for (int64_t r = 0; r < t->rows; r++) carried[2 * r] = d->low[r], carried[2 * r + 1] = d->high[r];
  qn_carry loop = qn_carry_begin(t->b, 0, 2 * pairs, 2, carried, count);
  for (int64_t r = 0; r < t->rows; r++) d->low[r] = carried[2 * r], d->high[r] = carried[2 * r + 1];
  step(t, d, qn_nest_add(t->b, k, loop.index), false);
  for (int64_t r = 0; r < t->rows; r++) carried[2 * r] = d->low[r], carried[2 * r + 1] = d->high[r];
  qn_carry_end(t->b, &loop);
  for (int64_t r = 0; r < t->rows; r++) d->low[r] = carried[2 * r], d->high[r] = carried[2 * r + 1];
}

/* Adds as many products as 32 bits can hold of each half, then combines the halves in 64 bits. */
static void add_part(const tile *t, qn_value **sums, qn_value *k, int64_t pairs, bool single) {
  digits d;
  qn_value *zero = qn_vec_splat(t->b, 0, t->i32, t->lanes);
  for (int64_t r = 0; r < t->rows; r++) d.low[r] = d.high[r] = zero;
  if (pairs > 0) add_pairs(t, &d, k, pairs);
  if (single) step(t, &d, qn_index_add(t->b, k, 2 * pairs), true);
  qn_value *eight = qn_vec_splat(t->b, 8, t->i64, t->lanes);
  for (int64_t r = 0; r < t->rows; r++) {
    qn_value *low = qn_vec_cast(t->b, QN_OP_ARITH_EXTSI, d.low[r], t->i64);
    qn_value *high = qn_vec_cast(t->b, QN_OP_ARITH_EXTSI, d.high[r], t->i64);
    high = qn_build_binary(t->b, QN_OP_ARITH_SHLI, high, eight);
    sums[r] = qn_build_binary(t->b, QN_OP_ARITH_ADDI, sums[r], low);
    sums[r] = qn_build_binary(t->b, QN_OP_ARITH_ADDI, sums[r], high);
  }
}

static void add_all(const tile *t, qn_value **sums) {
  int64_t depth = t->n->loops[t->n->loop_count - 1].range, pairs = depth / 2;
  int64_t whole = pairs / SAFE_PAIRS * SAFE_PAIRS;
  if (whole > 0) {
    qn_carry loop = qn_carry_begin(t->b, 0, 2 * whole, 2 * SAFE_PAIRS, sums, (uint32_t)t->rows);
    add_part(t, sums, loop.index, SAFE_PAIRS, false);
    qn_carry_end(t->b, &loop);
  }
  if (2 * whole == depth) return;
  add_part(t, sums, qn_build_index(t->b, 2 * whole), pairs - whole, depth % 2 != 0);
}

/* Loads the initial sums of one row: a vector also for one lane. */
static qn_value *initial_sums(const tile *t, qn_value *at, int64_t offset) {
  const qn_generic_access *sums = &t->n->access[2];
  if (sums->buffer) return qn_vec_load(t->b, sums->buffer, at, offset, t->lanes);
  return qn_vec_splat(t->b, qn_dense_int(sums->splat, 0), t->i64, t->lanes);
}

/* Emits columns [column, column + lanes) of all rows. */
static void build_columns(qn_kernel *k, void *user, qn_value *column, int64_t lanes) {
  tile *t = user;
  const qn_generic_access *of_sums = &t->n->access[2];
  (void)k;
  t->lanes = lanes;
  t->x = place(t, factors(t), column);
  t->y = place(t, columns(t), column);
  qn_value *at = place(t, of_sums, column), *sums[MAX_ROWS];
  int64_t row = of_sums->steps[t->n->loop_count - 3];
  for (int64_t r = 0; r < t->rows; r++) sums[r] = initial_sums(t, at, r * row);
  add_all(t, sums);
  for (int64_t r = 0; r < t->rows; r++) qn_vec_store(t->b, sums[r], t->n->results[0], at, r * row);
}

static void build_tile(tile *t, qn_value *row, int64_t rows) {
  t->row = row, t->rows = rows;
  int64_t lanes = t->n->t->lo->target->vector_bytes / (int64_t)sizeof(int32_t);
  qn_nest_run(t->n->k, t->n->loops[t->n->loop_count - 2].range, lanes, false, build_columns, t);
}

void qn_generic_products(qn_generic_nest *n, qn_value *lower, qn_value *upper) {
  qn_builder *b = &n->k->b;
  tile t = {.n = n, .b = b};
  t.i16 = qn_type_i(b->cx, 16), t.i32 = qn_type_i(b->cx, 32), t.i64 = qn_type_i(b->cx, 64);
  int64_t rows = n->t->lo->target->vector_registers == 32 ? MAX_ROWS : MAX_ROWS / 2;
  int64_t range = n->loops[n->loop_count - 3].range;
  while (rows > range) rows /= 2;
  qn_value *count = qn_build_binary(b, QN_OP_ARITH_SUBI, upper, lower);
  qn_value *rest = qn_build_binary(b, QN_OP_ARITH_REMUI, count, qn_build_index(b, rows));
  qn_value *whole = qn_build_binary(b, QN_OP_ARITH_SUBI, upper, rest);
  build_tile(&t, qn_nest_begin(b, lower, whole, rows), rows);
  qn_nest_end(b);
  if (rows == 1) return;
  build_tile(&t, qn_nest_begin(b, whole, upper, 1), 1);
  qn_nest_end(b);
}
