/* The kernel of ml.quantize_rows: the ends of a row by vectors, its numbers, then its steps, while
 * the row is still near. The rules are expressions that the linalg form shares
 * (src/ir/float_form/hybrid.h). The greatest and the lowest element have no order, so that lanes
 * may be joined in any.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "ir/float_form/hybrid.h"
#include "lower/loops/narrow/narrow.h"
#include "lower/loops/nest.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"

enum { CHAINS = 4, OFFSET = 128, BLOCK = 8 /* elements that are converted together */ };

typedef struct emitter {
  qn_builder *b;
  qn_form form; /* of the builder alone */
  qn_row_scheme scheme;
  int64_t lanes, depth;
  const qn_type *f32;
  qn_value *x, *steps; /* buffers */
  qn_value *at;        /* where the row begins */
  qn_value *inverse, *zero;
  double half;
} emitter;

/* ---- ends ---- */

typedef struct ends {
  qn_value *low, *high; /* symmetric: high is of magnitudes, low is not there */
} ends;

static qn_value *joined(emitter *e, bool greatest, qn_value *a, qn_value *b) {
  return qn_build_binary(e->b, greatest ? QN_OP_ARITH_MAXIMUMF : QN_OP_ARITH_MINIMUMF, a, b);
}

static void take(emitter *e, ends *of, qn_value *x) {
  bool symmetric = e->scheme == QN_ROWS_SYMMETRIC;
  if (symmetric) x = qn_build_unary(e->b, QN_OP_MATH_ABSF, x, x->type);
  of->high = joined(e, true, of->high, x);
  if (!symmetric) of->low = joined(e, false, of->low, x);
}

/* Halves are joined until one lane is left. */
static qn_value *across(emitter *e, bool greatest, qn_value *v) {
  if (!v) return NULL;
  for (int64_t lanes = e->lanes; lanes > 1; lanes /= 2) {
    qn_value *low = qn_vec_slice(e->b, v, 0, lanes / 2);
    v = joined(e, greatest, low, qn_vec_slice(e->b, v, lanes / 2, lanes / 2));
  }
  return qn_vec_extract(e->b, v, 0);
}

/* Chains of vectors from 0 on, over as many elements as are whole steps. */
static void ends_of_vectors(emitter *e, ends *of, int64_t count, int64_t chains) {
  const qn_type *type = qn_type_vec(e->b->cx, e->f32, e->lanes);
  bool symmetric = e->scheme == QN_ROWS_SYMMETRIC;
  qn_value *carried[2 * CHAINS];
  uint32_t each = symmetric ? 1 : 2, all = each * (uint32_t)chains;
  for (uint32_t i = 0; i < all; i++) carried[i] = qn_build_float(e->b, 0, type);
  qn_op *loop = qn_nest_carry(e->b, 0, count, chains * e->lanes, carried, all);
  qn_value *const *args = qn_op_body(loop)->args;
  qn_value *at = qn_nest_add(e->b, e->at, args[0]);
  for (uint32_t c = 0; c < (uint32_t)chains; c++) {
    ends one = {.high = args[1 + each * c], .low = symmetric ? NULL : args[2 + each * c]};
    take(e, &one, qn_vec_load(e->b, e->x, at, c * e->lanes, e->lanes));
    carried[each * c] = one.high;
    if (!symmetric) carried[each * c + 1] = one.low;
  }
  qn_build_yield(e->b, carried, all);
  for (uint32_t i = 0; i < all; i++) carried[i] = qn_op_result(loop, i);
  for (uint32_t c = 1; c < (uint32_t)chains; c++) {
    carried[0] = joined(e, true, carried[0], carried[each * c]);
    if (!symmetric) carried[1] = joined(e, false, carried[1], carried[each * c + 1]);
  }
  *of = (ends){.high = carried[0], .low = symmetric ? NULL : carried[1]};
}

/* Elements from `from` on, fewer than a vector: a vector that ends with the row where there is one,
 * else one by one. */
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
  const qn_type *type = qn_type_vec(e->b->cx, e->f32, e->lanes);
  bool symmetric = e->scheme == QN_ROWS_SYMMETRIC;
  ends of = {NULL, NULL};
  int64_t step = chains * e->lanes, whole = chains > 0 ? e->depth / step * step : 0;
  if (whole > 0) {
    ends_of_vectors(e, &of, whole, chains);
  } else {
    of.high = qn_build_float(e->b, 0, type);
    if (!symmetric) of.low = of.high;
  }
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
  const qn_row_element element = {.x = x,
                                  .inverse = lanes_of(e, e->inverse, lanes),
                                  .zero = zero,
                                  .half = qn_build_float(b, e->half, x->type),
                                  .has_rest = e->half < 0.5};
  qn_value *q = qn_form_row_step(&e->form, e->scheme, &element);
  if (qn_type_element(e->steps->type) == e->f32) {
    qn_vec_store(b, q, e->steps, at, 0);
    return;
  }
  if (zero) q = qn_build_binary(b, QN_OP_ARITH_ADDF, q, zero);
  q = qn_build_binary(b, QN_OP_ARITH_ADDF, q, qn_build_float(b, OFFSET, q->type));
  q = qn_vec_cast(b, QN_OP_ARITH_FPTOSI, q, qn_type_i(b->cx, 32));
  q = qn_vec_cast(b, QN_OP_ARITH_TRUNCI, q, qn_type_i(b->cx, 8));
  qn_vec_store(b, q, e->steps, at, 0);
}

static void build_row_steps(qn_kernel *k, emitter *e) {
  int64_t rest = e->scheme == QN_ROWS_DYNAMIC ? 0 : e->depth % BLOCK, whole = e->depth - rest;
  e->half = 0.5;
  if (whole > 0) qn_nest_run(k, whole, e->lanes, true, build_steps, e);
  if (rest == 0) return;
  e->half = (double)(0.5F - FLT_EPSILON / 4);
  e->at = qn_index_add(e->b, e->at, whole);
  qn_nest_run(k, rest, BLOCK / 2, false, build_steps, e);
}

/* ---- the kernel ---- */

static qn_status lower_rows(qn_loops *lo, qn_op *op) {
  enum { X, STEPS, SCALES, ZEROS, COUNT };
  qn_value *buffers[COUNT];
  buffers[X] = qn_loops_buffer(lo, qn_op_operand(op, 0));
  for (uint32_t i = 0; i < op->result_count; i++)
    buffers[STEPS + i] = qn_loops_buffer(lo, &op->results[i]);
  int64_t rows = qn_type_elements(op->results[1].type);
  qn_kernel k = qn_kernel_begin(lo, "quantize_rows", op, buffers, COUNT);
  qn_builder *b = &k.b;
  emitter e = {.b = b,
               .form = {.b = b, .cx = lo->cx},
               .scheme = qn_op_row_scheme(op),
               .lanes = lo->target->vector_bytes / (int64_t)sizeof(float),
               .depth = qn_type_elements(op->results[0].type) / rows,
               .f32 = qn_type_float(lo->cx, QN_F32),
               .x = k.args[X],
               .steps = k.args[STEPS]};
  int64_t units = k.size == QN_SIZE_FIXED ? rows : qn_loops_bound(lo, k.size), each = rows / units;
  qn_value *unit = qn_nest_begin(b, k.lower, k.upper, 1), *row = unit;
  if (each > 1) {
    qn_value *in_unit = qn_nest_count(b, each, 1);
    row = qn_nest_add(b, qn_index_affine(b, unit, each, 0), in_unit);
  }
  e.at = qn_index_affine(b, row, e.depth, 0);
  const ends of = ends_of(&e);
  qn_value *scale = qn_form_row_scale(&e.form, e.scheme, of.low, of.high);
  e.inverse = qn_form_row_inverse(&e.form, e.scheme, of.low, of.high);
  e.zero = qn_form_row_zero(&e.form, e.scheme, of.low, of.high);
  qn_build_0(b, QN_OP_MEMREF_STORE, QN_VALUES(scale, k.args[SCALES], row), NULL);
  const qn_type *i32 = qn_type_i(lo->cx, 32);
  qn_value *zero = qn_build_int(b, OFFSET, i32);
  if (e.zero) {
    qn_value *stored = qn_build_unary(b, QN_OP_ARITH_FPTOSI, e.zero, i32);
    zero = qn_build_binary(b, QN_OP_ARITH_ADDI, stored, zero);
  }
  qn_build_0(b, QN_OP_MEMREF_STORE, QN_VALUES(zero, k.args[ZEROS], row), NULL);
  build_row_steps(&k, &e);
  if (each > 1) qn_nest_end(b);
  qn_nest_end(b);
  qn_kernel_end(&k, units, 0);
  return QN_OK;
}

const qn_schedule qn_schedule_ml_quantize_rows = {.lower = lower_rows};
