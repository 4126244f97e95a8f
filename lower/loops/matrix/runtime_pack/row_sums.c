/* Row sums of x. Weight bytes minus their zero point zw exceed a byte, so they are multiplied
 * unmodified, and each row of x gets a compensation:
 *
 *   sum (w - zw) * (x - zx) = sum w * (x - zx) + zw * (count * zx - sum x)
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/runtime_pack/quads.h"

#include "lower/loops/nest.h"

enum { X, TERMS, BUFFERS }; /* kernel arguments */

typedef struct terms {
  const qn_gemm *gemm;
  qn_builder *b;
  qn_value *x, *to;
  const qn_type *i32;
  int64_t lanes;
} terms;

/* Loads `count` elements of x from index + offset on; elements after the row are 0. */
static qn_value *load(terms *t, qn_value *index, int64_t offset, int64_t count) {
  int64_t mask[QN_VEC_MAX_BYTES];
  qn_value *bytes = qn_vec_load(t->b, t->x, index, offset, count);
  if (count < t->lanes) {
    for (int64_t i = 0; i < t->lanes; i++) mask[i] = i < count ? i : count;
    bytes = qn_vec_shuffle(t->b, bytes, qn_build_int(t->b, 0, bytes->type), mask, t->lanes);
  }
  qn_op_kind extend =
      qn_bytes_of(t->gemm)->weights->x_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI;
  return qn_vec_cast(t->b, extend, bytes, t->i32);
}

static qn_value *sum_of_row(terms *t, qn_value *first) {
  int64_t depth = t->gemm->tap_count, full = depth / t->lanes, rest = depth % t->lanes;
  qn_value *sum = qn_vec_splat(t->b, 0, t->i32, t->lanes);
  if (full > 0) {
    qn_carry loop = qn_carry_begin(t->b, 0, full, 1, &sum, 1);
    qn_value *index = qn_index_affine(t->b, loop.index, t->lanes, 0);
    index = qn_build_binary(t->b, QN_OP_ARITH_ADDI, first, index);
    qn_value *next = load(t, index, 0, t->lanes);
    sum = qn_build_binary(t->b, QN_OP_ARITH_ADDI, sum, next);
    qn_carry_end(t->b, &loop);
  }
  if (rest > 0) {
    qn_value *next = load(t, first, full * t->lanes, rest);
    sum = qn_build_binary(t->b, QN_OP_ARITH_ADDI, sum, next);
  }
  return qn_vec_reduce(t->b, "add", sum);
}

static void fill_row(terms *t, qn_value *row) {
  const qn_plan_matrix *plan = qn_bytes_of(t->gemm)->weights->plan;
  qn_value *sum = sum_of_row(t, qn_index_affine(t->b, row, t->gemm->tap_count, 0));
  uint32_t zeros = (uint32_t)t->gemm->tap_count * (uint32_t)plan->input_zero_point;
  qn_value *of_zeros = qn_build_int(t->b, (int32_t)zeros, sum->type);
  qn_value *term = qn_build_binary(t->b, QN_OP_ARITH_SUBI, of_zeros, sum);
  qn_value *zero = qn_build_int(t->b, plan->weight_zero_point, term->type);
  term = qn_build_binary(t->b, QN_OP_ARITH_MULI, term, zero);
  qn_vec_store(t->b, qn_vec_broadcast(t->b, term, 1), t->to, row, 0);
}

qn_value *qn_bytes_row_sums(qn_loops *lo, const qn_gemm *g) {
  if (!qn_runtime_pack_sums_rows(g)) return NULL;
  const qn_value *x = qn_op_operand(g->op, 0);
  int64_t rows = qn_type_elements(x->type) / g->tap_count;
  terms t = {.gemm = g,
             .i32 = qn_type_i(lo->cx, 32),
             .lanes = lo->target->vector_bytes / (int64_t)sizeof(int32_t)};
  qn_value *buffers[BUFFERS];
  buffers[X] = qn_loops_buffer(lo, x);
  buffers[TERMS] = qn_loops_scratch(lo, g->op, t.i32, rows);
  qn_kernel k = qn_kernel_begin(lo, "row_sums", g->op, buffers, BUFFERS);
  k.size = qn_loops_size(lo, x);
  t.b = &k.b;
  t.x = k.args[X];
  t.to = k.args[TERMS];
  qn_value *row = qn_nest_begin(t.b, k.lower, k.upper, 1);
  fill_row(&t, row);
  qn_nest_end(t.b);
  qn_kernel_end(&k, rows, 0);
  return buffers[TERMS];
}

qn_value *qn_runtime_pack_row_sum(qn_gemm_emitter *e, qn_value *x, int64_t row) {
  qn_value *depth = qn_build_index(e->b, e->plan->gemm->tap_count);
  qn_value *first = qn_build_binary(e->b, QN_OP_ARITH_DIVUI, x, depth);
  qn_value *at = qn_index_add(e->b, first, row);
  qn_value *term = qn_build_1(e->b, QN_OP_MEMREF_LOAD, e->i32, QN_VALUES(e->row_sums, at), NULL);
  return qn_vec_broadcast(e->b, term, e->plan->lanes);
}
