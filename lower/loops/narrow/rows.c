/* The kernel of ml.quantize_rows: minimum and maximum of a row in vectors, its scale and zero
 * point, then its stored values while the row is in L1d. The rules are expressions that the linalg
 * form shares (src/ir/float_form/hybrid.h). Minimum and maximum are associative, so lanes may be
 * combined in any order.
 *
 * Minimum and maximum are found in the bits of the floats, as integers: among floats of one sign
 * these grow with the magnitude, and NaN is the largest. So a vector takes one instruction for each
 * end; floats take six, because of NaN and the signs of zeros. A NaN at one end has the same effect
 * as at both, because all parameters depend on the difference.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "ir/float_form/hybrid.h"
#include "lower/loops/fixed_point.h"
#include "lower/loops/narrow/narrow.h"
#include "lower/loops/nest.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"

enum { CHAINS = 4, OFFSET = 128, BLOCK = 8 /* BLOCK: elements converted together */ };

typedef struct emitter {
  qn_builder *b;
  qn_form form; /* for the shared rules; only its builder is set */
  qn_row_scheme scheme;
  int64_t lanes, depth, block;          /* block: of row8 */
  const qn_type *f32, *bits;            /* bits: i32 */
  qn_value *x, *steps, *scales, *zeros; /* kernel arguments */
  qn_value *numbers; /* kernel-local scratch for scale and zero point of neighbouring rows; NULL if
                        rows are long */
  qn_value *at;      /* first element of the row */
  qn_value *inverse, *zero;
  qn_value *byte;   /* of 0, as an i32; of row8: all ones, or 0 if a byte is 0 in any case */
  bool is_moderate; /* whether the row has a moderate factor */
  double half;
} emitter;

/* ---- ends ---- */

typedef struct ends {
  qn_value *low, *high; /* bits in vectors, then floats; symmetric: `high` is the maximum magnitude
                           and `low` is NULL */
} ends;

/* Whether the maximum magnitude of a row is all that its quantization depends on. */
static bool has_magnitudes(const emitter *e) {
  return e->scheme == QN_ROWS_SYMMETRIC || e->scheme == QN_ROWS_ROW8;
}

/* The end of all elements >= 0, by bits as signed integers, or of all elements <= 0, by bits as
 * unsigned integers. */
static qn_value *joined(emitter *e, bool largest, qn_value *a, qn_value *b) {
  return qn_build_binary(e->b, largest ? QN_OP_ARITH_MAXSI : QN_OP_ARITH_MAXUI, a, b);
}

static void take(emitter *e, ends *of, qn_value *x) {
  bool symmetric = has_magnitudes(e);
  x = qn_vec_bitcast(e->b, x, e->bits);
  if (symmetric) x = qn_build_binary_int(e->b, QN_OP_ARITH_ANDI, x, INT32_MAX);
  of->high = joined(e, true, of->high, x);
  if (!symmetric) of->low = joined(e, false, of->low, x);
}

/* +0 and -0 */
static ends no_elements(emitter *e) {
  const qn_type *type = qn_type_vec(e->b->cx, e->bits, e->lanes);
  ends of = {.high = qn_build_int(e->b, 0, type)};
  if (!has_magnitudes(e)) of.low = qn_build_int(e->b, INT32_MIN, type);
  return of;
}

/* Minimum or maximum across lanes, by halving until one lane is left. */
static qn_value *across(emitter *e, bool largest, qn_value *v) {
  if (!v) return NULL;
  for (int64_t lanes = e->lanes; lanes > 1; lanes /= 2) {
    qn_value *low = qn_vec_slice(e->b, v, 0, lanes / 2);
    v = joined(e, largest, low, qn_vec_slice(e->b, v, lanes / 2, lanes / 2));
  }
  return qn_build_unary(e->b, QN_OP_ARITH_BITCAST, qn_vec_extract(e->b, v, 0), e->f32);
}

/* Emits `chains` dependency chains over vectors from element 0 on, over all whole steps. */
static void ends_of_vectors(emitter *e, ends *of, int64_t count, int64_t chains) {
  bool symmetric = has_magnitudes(e);
  qn_value *carried[2 * CHAINS];
  uint32_t each = symmetric ? 1 : 2, all = each * (uint32_t)chains;
  for (uint32_t i = 0; i < all; i++) carried[i] = i % 2 == 0 || symmetric ? of->high : of->low;
  qn_carry loop = qn_carry_begin(e->b, 0, count, chains * e->lanes, carried, all);
  qn_value *at = qn_nest_add(e->b, e->at, loop.index);
  for (uint32_t c = 0; c < (uint32_t)chains; c++) {
    ends one = {.high = carried[each * c], .low = symmetric ? NULL : carried[each * c + 1]};
    take(e, &one, qn_vec_load(e->b, e->x, at, c * e->lanes, e->lanes));
    carried[each * c] = one.high;
    if (!symmetric) carried[each * c + 1] = one.low;
  }
  qn_carry_end(e->b, &loop);
  for (uint32_t c = 1; c < (uint32_t)chains; c++) {
    carried[0] = joined(e, true, carried[0], carried[each * c]);
    if (!symmetric) carried[1] = joined(e, false, carried[1], carried[each * c + 1]);
  }
  *of = (ends){.high = carried[0], .low = symmetric ? NULL : carried[1]};
}

/* Combines the elements from `from` on, fewer than a vector: with a vector that ends at the end of
 * the row if the row is long enough, else one by one. */
static void ends_of_rest(emitter *e, ends *of, int64_t from) {
  if (from == e->depth) return;
  if (e->depth >= e->lanes) {
    take(e, of, qn_vec_load(e->b, e->x, e->at, e->depth - e->lanes, e->lanes));
    return;
  }
  for (int64_t k = from; k < e->depth; k++) {
    qn_value *x = qn_build_1(e->b, QN_OP_MEMREF_LOAD, e->f32,
                             QN_VALUES(e->x, qn_index_add(e->b, e->at, k)), NULL);
    take(e, of, qn_vec_broadcast(e->b, x, e->lanes));
  }
}

static ends ends_of(emitter *e) {
  int64_t vectors = e->depth / e->lanes, chains = vectors < CHAINS ? vectors : CHAINS;
  ends of = no_elements(e);
  int64_t step = chains * e->lanes, whole = chains > 0 ? e->depth / step * step : 0;
  if (whole > 0) ends_of_vectors(e, &of, whole, chains);
  int64_t left = (e->depth - whole) / e->lanes;
  for (int64_t v = 0; v < left; v++)
    take(e, &of, qn_vec_load(e->b, e->x, e->at, whole + v * e->lanes, e->lanes));
  ends_of_rest(e, &of, whole + left * e->lanes);
  qn_value *high = across(e, true, of.high), *low = across(e, false, of.low);
  return (ends){.high = high, .low = low ? low : high};
}

/* ---- steps ---- */

static qn_value *lanes_of(emitter *e, qn_value *scalar, int64_t lanes) {
  return scalar ? qn_vec_broadcast(e->b, scalar, lanes) : NULL;
}

static void build_steps(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  (void)k;
  emitter *e = user;
  qn_builder *b = e->b;
  qn_value *at = qn_nest_add(b, e->at, index);
  qn_value *x = qn_vec_load(b, e->x, at, 0, lanes), *zero = lanes_of(e, e->zero, lanes);
  qn_row_element element = {.x = x, .zero = zero, .has_rest = e->half < 0.5};
  element.inverse = lanes_of(e, e->inverse, lanes);
  element.half = qn_build_float(b, e->half, x->type);
  element.is_moderate = e->is_moderate;
  qn_value *q = qn_form_row_step(&e->form, e->scheme, &element);
  if (qn_type_element(e->steps->type) == e->f32) {
    qn_vec_store(b, q, e->steps, at, 0);
    return;
  }
  if (zero) q = qn_build_binary(b, QN_OP_ARITH_ADDF, q, zero);
  q = qn_build_binary(b, QN_OP_ARITH_ADDF, q, qn_build_float(b, OFFSET, q->type));
  q = qn_vec_cast(b, QN_OP_ARITH_FPTOSI, q, e->bits);
  q = qn_vec_cast(b, QN_OP_ARITH_TRUNCI, q, qn_type_i(b->cx, 8));
  qn_vec_store(b, q, e->steps, at, 0);
}

/* x * inverse, rounded to an i32. */
static qn_value *nearest(emitter *e, qn_value *x) {
  qn_builder *b = e->b;
  x = qn_build_binary(b, QN_OP_ARITH_MULF, x, lanes_of(e, e->inverse, qn_vec_count(x)));
  if (e->scheme == QN_ROWS_DYNAMIC) {
    x = qn_build_unary(b, QN_OP_MATH_ROUNDEVEN, x, x->type);
    return qn_vec_cast(b, QN_OP_ARITH_FPTOSI, x, e->bits);
  }
  return qn_fixed_round_away(b, x, e->half);
}

/* As build_steps, for bytes of a row with a moderate factor. */
static void build_bytes(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  (void)k;
  emitter *e = user;
  qn_builder *b = e->b;
  qn_value *at = qn_nest_add(b, e->at, index);
  qn_value *q = nearest(e, qn_vec_load(b, e->x, at, 0, lanes));
  q = qn_build_binary(b, QN_OP_ARITH_ADDI, q, qn_vec_broadcast(b, e->byte, lanes));
  int64_t least = e->zero ? 0 : 1; /* symmetric rows have no -128 */
  q = qn_build_binary_int(b, QN_OP_ARITH_MAXSI, q, least);
  q = qn_build_binary_int(b, QN_OP_ARITH_MINSI, q, UINT8_MAX);
  q = qn_vec_cast(b, QN_OP_ARITH_TRUNCI, q, qn_type_i(b->cx, 8));
  qn_vec_store(b, q, e->steps, at, 0);
}

static void build_elements(qn_kernel *k, emitter *e, qn_nest_body *body) {
  int64_t rest = e->scheme == QN_ROWS_DYNAMIC ? 0 : e->depth % BLOCK, whole = e->depth - rest;
  qn_value *first = e->at;
  e->half = 0.5;
  if (whole > 0) qn_nest_run(k, whole, e->lanes, true, body, e);
  if (rest > 0) {
    e->half = (double)(0.5F - FLT_EPSILON / 4);
    e->at = qn_index_add(e->b, first, whole);
    qn_nest_run(k, rest, BLOCK / 2, false, body, e);
  }
  e->at = first;
}

/* 1 if the factor of elements is in (0, 2^100], else 0. It is neither infinite nor NaN then, nor is
 * any element, products with it are at most 256, and those of denormals are rounded to 0. */
static qn_value *has_moderate_factor(emitter *e) {
  qn_builder *b = e->b;
  qn_value *is_positive =
      qn_form_compare_reals(&e->form, QN_CMP_OGT, e->inverse, qn_build_float(b, 0, e->f32));
  qn_value *most = qn_build_float(b, 0x1p100, e->f32);
  qn_value *is_small = qn_form_compare_reals(&e->form, QN_CMP_OLE, e->inverse, most);
  qn_value *is_moderate = qn_build_binary(b, QN_OP_ARITH_ANDI, is_positive, is_small);
  qn_value *one = qn_build_index(b, 1), *none = qn_build_index(b, 0);
  return qn_build_select(b, is_moderate, one, none);
}

/* Two loops, only one of which has an iteration: the row has a moderate factor, or not. */
static void build_row_steps(qn_kernel *k, emitter *e) {
  bool bytes = qn_type_element(e->steps->type) != e->f32;
  qn_value *times = has_moderate_factor(e), *none = qn_build_index(e->b, 0);
  qn_nest_begin(e->b, none, times, 1);
  e->is_moderate = true;
  build_elements(k, e, bytes ? build_bytes : build_steps);
  e->is_moderate = false;
  qn_nest_end(e->b);
  qn_nest_begin(e->b, times, qn_build_index(e->b, 1), 1);
  build_elements(k, e, build_steps);
  qn_nest_end(e->b);
}

/* ---- row8 ---- */

/* Stores the bytes of elements. Adding 1.5 * 2^23 rounds to an integer, ties to even, and leaves it
 * in the low bits. */
static void build_row8(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  (void)k;
  static const double ROUNDER = 0x1.8p23;
  emitter *e = user;
  qn_builder *b = e->b;
  qn_value *at = qn_nest_add(b, e->at, index), *x = qn_vec_load(b, e->x, at, 0, lanes);
  x = qn_build_binary(b, QN_OP_ARITH_MULF, x, lanes_of(e, e->inverse, lanes));
  x = qn_build_binary(b, QN_OP_ARITH_ADDF, x, qn_build_float(b, ROUNDER, x->type));
  qn_value *q = qn_vec_bitcast(b, x, e->bits);
  q = qn_build_binary(b, QN_OP_ARITH_ANDI, q, qn_vec_broadcast(b, e->byte, lanes));
  qn_vec_store(b, qn_vec_cast(b, QN_OP_ARITH_TRUNCI, q, qn_type_i(b->cx, 8)), e->steps, at, 0);
}

static qn_value *widened(emitter *e, qn_value *at, int64_t offset, int64_t lanes) {
  qn_value *q = qn_vec_load(e->b, e->steps, at, offset, lanes);
  return qn_vec_cast(e->b, QN_OP_ARITH_EXTSI, q, e->bits);
}

/* The sum of `count` bytes from `at` on: vectors, then fewer elements than a vector one by one. */
static qn_value *sum_of(emitter *e, qn_value *at, int64_t count) {
  qn_builder *b = e->b;
  int64_t whole = count / e->lanes * e->lanes;
  qn_value *sum = qn_build_int(b, 0, e->bits);
  if (whole > 0) {
    qn_value *lanes = qn_vec_splat(b, 0, e->bits, e->lanes);
    qn_carry loop = qn_carry_begin(b, 0, whole, e->lanes, &lanes, 1);
    qn_value *q = widened(e, qn_nest_add(b, at, loop.index), 0, e->lanes);
    lanes = qn_build_binary(b, QN_OP_ARITH_ADDI, lanes, q);
    qn_carry_end(b, &loop);
    sum = qn_vec_reduce(b, "add", lanes);
  }
  if (whole == count) return sum;
  qn_carry loop = qn_carry_begin(b, whole, count, 1, &sum, 1);
  qn_value *q = widened(e, qn_nest_add(b, at, loop.index), 0, 1);
  sum = qn_build_binary(b, QN_OP_ARITH_ADDI, sum, qn_vec_extract(b, q, 0));
  qn_carry_end(b, &loop);
  return sum;
}

static void store_sum(emitter *e, qn_value *block, qn_value *sum) {
  qn_build_0(e->b, QN_OP_MEMREF_STORE, QN_VALUES(sum, e->zeros, block), NULL);
}

/* Stores the sums of the blocks of a row, whose first sum is `first`. */
static void build_sums(emitter *e, qn_value *first) {
  int64_t whole = e->depth / e->block, rest = e->depth % e->block;
  if (whole > 0) {
    qn_value *block = qn_nest_count(e->b, whole, 1);
    qn_value *at = qn_nest_add(e->b, e->at, qn_index_affine(e->b, block, e->block, 0));
    qn_value *to = qn_nest_add(e->b, first, block);
    store_sum(e, to, sum_of(e, at, e->block));
    qn_nest_end(e->b);
  }
  if (rest > 0) {
    qn_value *to = qn_index_add(e->b, first, whole);
    store_sum(e, to, sum_of(e, qn_index_add(e->b, e->at, whole * e->block), rest));
  }
}

/* Builds a row by row8; elements that are not finite make all bytes 0. */
static void build_row_in_blocks(qn_kernel *k, emitter *e, qn_value *row) {
  qn_builder *b = e->b;
  e->at = qn_index_affine(b, row, e->depth, 0);
  const ends of = ends_of(e);
  qn_value *scale = qn_form_row_scale(&e->form, e->scheme, of.low, of.high);
  e->inverse = qn_form_row_inverse(&e->form, e->scheme, of.low, of.high);
  qn_build_0(b, QN_OP_MEMREF_STORE, QN_VALUES(scale, e->scales, row), NULL);
  qn_value *infinity = qn_build_float(b, INFINITY, e->f32);
  qn_value *is_finite = qn_form_compare_reals(&e->form, QN_CMP_OLT, of.high, infinity);
  qn_value *all = qn_build_int(b, -1, e->bits), *none = qn_build_int(b, 0, e->bits);
  e->byte = qn_build_select(b, is_finite, all, none);
  qn_nest_run(k, e->depth, e->lanes, true, build_row8, e);
  build_sums(e, qn_index_affine(b, row, (e->depth - 1) / e->block + 1, 0));
}

/* ---- scale and zero point of rows ---- */

/* Computes scale and zero point of one row, or of neighbouring rows in lanes, and stores them at
 * `row`. Keeps the values that the conversion of elements needs. */
static void build_numbers(emitter *e, const ends *of, qn_value *row) {
  bool lanes = of->high->type != e->f32;
  const qn_type *i32 = qn_type_i(e->b->cx, 32);
  const qn_type *type = lanes ? qn_type_vec(e->b->cx, i32, e->lanes) : i32;
  qn_value *scale = qn_form_row_scale(&e->form, e->scheme, of->low, of->high);
  e->inverse = qn_form_row_inverse(&e->form, e->scheme, of->low, of->high);
  e->zero = qn_form_row_zero(&e->form, e->scheme, of->low, of->high);
  qn_value *byte = qn_build_int(e->b, OFFSET, type);
  if (e->zero) {
    qn_value *stored = qn_build_unary(e->b, QN_OP_ARITH_FPTOSI, e->zero, type);
    byte = qn_build_binary(e->b, QN_OP_ARITH_ADDI, stored, byte);
  }
  qn_op_kind kind = lanes ? QN_OP_VECTOR_STORE : QN_OP_MEMREF_STORE;
  qn_build_0(e->b, kind, QN_VALUES(scale, e->scales, row), NULL);
  qn_build_0(e->b, kind, QN_VALUES(byte, e->zeros, row), NULL);
  e->byte = byte;
}

static void build_row(qn_kernel *k, emitter *e, qn_value *row) {
  e->at = qn_index_affine(e->b, row, e->depth, 0);
  const ends of = ends_of(e);
  build_numbers(e, &of, row);
  build_row_steps(k, e);
}

/* ---- neighbouring rows: one lane per row for scale and zero point, which dominate the time of
 * short rows ---- */

enum { LOW, HIGH, INVERSE, ZERO, NUMBERS };

static void put(emitter *e, int number, qn_value *row, qn_value *value) {
  qn_value *at = qn_index_add(e->b, row, number * e->lanes);
  qn_build_0(e->b, QN_OP_MEMREF_STORE, QN_VALUES(value, e->numbers, at), NULL);
}
static qn_value *get(emitter *e, int number, qn_value *row) {
  qn_value *at = qn_index_add(e->b, row, number * e->lanes);
  return qn_build_1(e->b, QN_OP_MEMREF_LOAD, e->f32, QN_VALUES(e->numbers, at), NULL);
}
static qn_value *get_all(emitter *e, int number) {
  qn_value *none = qn_build_index(e->b, 0);
  return qn_vec_load(e->b, e->numbers, none, number * e->lanes, e->lanes);
}
static void put_all(emitter *e, int number, qn_value *value) {
  qn_value *none = qn_build_index(e->b, 0);
  if (value) qn_vec_store(e->b, value, e->numbers, none, number * e->lanes);
}

/* Builds as many rows as a vector has lanes. */
static void build_neighbours(qn_kernel *k, emitter *e, qn_value *first) {
  qn_value *row = qn_nest_count(e->b, e->lanes, 1);
  e->at = qn_nest_add(e->b, first, row);
  e->at = qn_index_affine(e->b, e->at, e->depth, 0);
  ends of = ends_of(e);
  put(e, LOW, row, of.low);
  put(e, HIGH, row, of.high);
  qn_nest_end(e->b);
  of.low = get_all(e, LOW);
  of.high = get_all(e, HIGH);
  build_numbers(e, &of, first);
  put_all(e, INVERSE, e->inverse);
  put_all(e, ZERO, e->zero);
  row = qn_nest_count(e->b, e->lanes, 1);
  e->at = qn_nest_add(e->b, first, row);
  e->at = qn_index_affine(e->b, e->at, e->depth, 0);
  e->inverse = get(e, INVERSE, row);
  if (e->zero) e->zero = get(e, ZERO, row);
  e->byte = qn_build_1(e->b, QN_OP_MEMREF_LOAD, e->bits,
                       QN_VALUES(e->zeros, qn_nest_add(e->b, first, row)), NULL);
  build_row_steps(k, e);
  qn_nest_end(e->b);
}

/* Rows [first, first + count). */
static void build_rows(qn_kernel *k, emitter *e, qn_value *first, int64_t count) {
  int64_t whole = e->numbers ? count / e->lanes * e->lanes : 0;
  if (whole > 0) {
    qn_value *row = qn_nest_count(e->b, whole, e->lanes);
    build_neighbours(k, e, qn_nest_add(e->b, first, row));
    qn_nest_end(e->b);
  }
  if (whole == count) return;
  qn_value *from = qn_build_index(e->b, whole), *to = qn_build_index(e->b, count);
  qn_value *row = qn_nest_begin(e->b, from, to, 1);
  row = qn_nest_add(e->b, first, row);
  if (e->scheme == QN_ROWS_ROW8)
    build_row_in_blocks(k, e, row);
  else
    build_row(k, e, row);
  qn_nest_end(e->b);
}

/* ---- the kernel ---- */

/* Rows per work item; the last item may have fewer. */
static int64_t rows_of_unit(const qn_kernel *k, const emitter *e, int64_t rows) {
  if (k->size != QN_SIZE_FIXED) return rows / qn_loops_bound(k->lo, k->size);
  return e->numbers ? e->lanes : 1;
}

static int64_t build_units(qn_kernel *k, emitter *e, int64_t rows) {
  int64_t each = rows_of_unit(k, e, rows), whole = rows / each;
  qn_value *end = qn_nest_min(e->b, k->upper, whole);
  qn_value *unit = qn_nest_begin(e->b, k->lower, end, 1);
  build_rows(k, e, qn_index_affine(e->b, unit, each, 0), each);
  qn_nest_end(e->b);
  if (whole * each == rows) return whole;
  qn_nest_begin(e->b, qn_nest_max(e->b, k->lower, whole), k->upper, 1);
  build_rows(k, e, qn_build_index(e->b, whole * each), rows - whole * each);
  qn_nest_end(e->b);
  return whole + 1;
}

static qn_status lower_rows(qn_loops *lo, qn_op *op) {
  enum { X, STEPS, SCALES, ZEROS, COUNT, SHORT = 1024 };
  qn_value *buffers[COUNT];
  buffers[X] = qn_loops_buffer(lo, qn_op_operand(op, 0));
  for (uint32_t i = 0; i < op->result_count; i++)
    buffers[STEPS + i] = qn_loops_buffer(lo, &op->results[i]);
  int64_t rows = qn_type_elements(op->results[1].type);
  qn_kernel k = qn_kernel_begin(lo, "quantize_rows", op, buffers, COUNT);
  emitter e = {.b = &k.b,
               .form = {.b = &k.b, .cx = lo->cx},
               .scheme = qn_op_row_scheme(op),
               .lanes = lo->target->vector_bytes / (int64_t)sizeof(float),
               .depth = qn_type_elements(op->results[0].type) / rows,
               .block = qn_op_block(op),
               .f32 = qn_type_float(lo->cx, QN_F32),
               .bits = qn_type_i(lo->cx, 32),
               .x = k.args[X],
               .steps = k.args[STEPS],
               .scales = k.args[SCALES],
               .zeros = k.args[ZEROS]};
  if (e.scheme != QN_ROWS_ROW8 && e.depth <= SHORT && rows >= e.lanes) {
    const qn_type *memory = qn_type_buf(lo->cx, e.f32, NUMBERS * e.lanes);
    e.numbers = qn_build_1(e.b, QN_OP_QUERN_SCRATCH, memory, NULL, 0, NULL);
  }
  qn_kernel_end(&k, build_units(&k, &e, rows), 0);
  return QN_OK;
}

const qn_schedule qn_schedule_ml_quantize_rows = {.lower = lower_rows};
