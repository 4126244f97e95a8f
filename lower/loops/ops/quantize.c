/* Kernels that quantize floats, and that compute the real values of quantized tensors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fixed_point.h"
#include "lower/loops/memory/buffers.h"
#include "lower/loops/nest.h"
#include "lower/loops/ops/dequantize.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"
#include "quant/quotient_form.h"

enum { ARG_FROM, ARG_TO, CONVERSION_ARGS };

/* arith.cmpf predicates, in MLIR's numbering */
enum { CMPF_OGE = 3, CMPF_OLE = 5, CMPF_ORD = 7 };

/* Lanes where x is related to `bound`; none where x is NaN. */
static qn_value *compare(qn_builder *b, int64_t predicate, qn_value *x, qn_value *bound) {
  const qn_type *mask = qn_type_with_element(b->cx, x->type, qn_type_i(b->cx, 1));
  return qn_build_1(b, QN_OP_ARITH_CMPF, mask, QN_VALUES(x, bound),
                    QN_ATTRS({"predicate", qn_attr_i64(b->cx, predicate)}));
}

/* x, or `bound` in lanes where x is not related to it. */
static qn_value *clamp(qn_builder *b, int64_t predicate, qn_value *x, double bound) {
  qn_value *limit = qn_build_float(b, bound, x->type);
  return qn_build_select(b, compare(b, predicate, x, limit), x, limit);
}

static qn_value *round_half_even(qn_builder *b, qn_value *x) {
  return qn_build_unary(b, QN_OP_QUERN_ROUND_TO_INT, x,
                        qn_type_with_element(b->cx, x->type, qn_type_i(b->cx, 32)));
}

typedef struct conversion {
  const qn_plan_cast *cast;
  qn_quotient_form form; /* of quantize, on targets with fused multiply-add */
} conversion;

static qn_value *clamp_float(qn_builder *b, qn_value *x, double lo, double hi) {
  return clamp(b, CMPF_OLE, clamp(b, CMPF_OGE, x, lo), hi);
}

/* Whether no quotient is below 0: the lower clamp is then at 0, which it also gives for NaN. */
static bool is_positive(const qn_plan_cast *cast) { return cast->min == cast->zero_point; }

/* 0 clamped to the range of results, without zero point. */
static int64_t nearest_to_zero(const qn_plan_cast *cast) {
  int64_t least = cast->min - cast->zero_point, most = cast->max - cast->zero_point;
  return least > 0 ? least : most < 0 ? most : 0;
}

/* x / scale, clamped to the range of results; of NaN the least one. */
static qn_value *quotient(qn_builder *b, const conversion *c, qn_value *x) {
  const qn_plan_cast *cast = c->cast;
  if (c->form.proved) {
    x = clamp_float(b, x, (double)c->form.least, (double)c->form.most);
    qn_value *high = qn_build_float(b, (double)c->form.high, x->type);
    if (c->form.low == 0) return qn_build_binary(b, QN_OP_ARITH_MULF, x, high);
    qn_value *low = qn_build_float(b, (double)c->form.low, x->type);
    low = qn_build_binary(b, QN_OP_ARITH_MULF, x, low);
    return qn_build_1(b, QN_OP_MATH_FMA, x->type, QN_VALUES(x, high, low), NULL);
  }
  x = qn_build_binary(b, QN_OP_ARITH_DIVF, x, qn_build_float(b, (double)cast->scale, x->type));
  return clamp_float(b, x, (double)(cast->min - cast->zero_point),
                     (double)(cast->max - cast->zero_point));
}

/* The low bytes of 64 lanes, by two shuffles of bytes from two vectors each. */
static qn_value *low_bytes(qn_builder *b, qn_value *q) {
  enum { LANES = 16, BYTES = sizeof(int32_t) };
  const qn_type *i8 = qn_type_i(b->cx, 8);
  int64_t mask[2 * LANES];
  qn_value *halves[2];
  for (int64_t i = 0; i < 2 * LANES; i++) mask[i] = BYTES * i;
  for (int64_t h = 0; h < 2; h++) {
    qn_value *first = qn_vec_bitcast(b, qn_vec_slice(b, q, 2 * h * LANES, LANES), i8);
    qn_value *second = qn_vec_bitcast(b, qn_vec_slice(b, q, (2 * h + 1) * LANES, LANES), i8);
    halves[h] = qn_vec_shuffle(b, first, second, mask, 2 * LANES);
  }
  return qn_vec_join(b, halves[0], halves[1]);
}

/* Stored values in the type of the result. To bytes, 64 lanes are narrowed by shuffles where these
 * move bytes between two vectors, or by an instruction that truncates. In vectors of 32 bytes packs
 * are faster than the shuffles of a truncation, and in those of 16 as fast. */
static qn_value *narrow(qn_kernel *k, const qn_plan_cast *cast, qn_value *q) {
  enum { PACKED = 32, SHUFFLED = 64 };
  const qn_target *target = k->lo->target;
  const qn_type *element = qn_type_element(k->args[ARG_TO]->type);
  bool bytes = qn_type_is_int(element, 8);
  if (bytes && target->permutes && qn_vec_count(q) == SHUFFLED) return low_bytes(&k->b, q);
  if (!bytes || target->vector_bytes != PACKED)
    return qn_vec_cast(&k->b, QN_OP_ARITH_TRUNCI, q, element);
  bool is_unsigned = qn_type_is_unsigned(qn_type_element(k->op->results[0].type));
  return qn_fixed_narrow(&k->b, q, cast->min, cast->max, is_unsigned);
}

/* Quantizes floats. Values outside the range, infinities included, are clamped to its ends; NaN
 * counts as 0. */
static void quantize_vector(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const conversion *c = user;
  qn_builder *b = &k->b;
  qn_value *x = qn_vec_load(b, k->args[ARG_FROM], index, 0, lanes);
  qn_value *y = quotient(b, c, x);
  qn_value *q = c->cast->rounding == QN_ROUND_EVEN ? round_half_even(b, y)
                : is_positive(c->cast) ? qn_fixed_round_positive(b, y, QN_FIXED_HALF_F32)
                                       : qn_fixed_round_away(b, y, QN_FIXED_HALF_F32);
  if (!is_positive(c->cast))
    q = qn_build_select(b, compare(b, CMPF_ORD, x, x), q,
                        qn_build_int(b, nearest_to_zero(c->cast), q->type));
  q = qn_build_binary_int(b, QN_OP_ARITH_ADDI, q, c->cast->zero_point);
  qn_vec_store(b, narrow(k, c->cast, q), k->args[ARG_TO], index, 0);
}

static void dequantize_vector(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  (void)user;
  qn_value *q = qn_vec_load(&k->b, k->args[ARG_FROM], index, 0, lanes);
  qn_vec_store(&k->b, qn_dequantize_emit(k->lo, &k->b, k->op, q), k->args[ARG_TO], index, 0);
}

static qn_status lower_conversion(qn_loops *lo, qn_op *op, const char *stem, qn_nest_body *body,
                                  conversion *c) {
  int64_t count = qn_type_elements(op->results[0].type);
  qn_value *buffers[] = {[ARG_FROM] = qn_loops_buffer(lo, qn_op_operand(op, 0)),
                         [ARG_TO] = qn_loops_buffer(lo, &op->results[0])};
  qn_kernel k = qn_kernel_begin(lo, stem, op, buffers, CONVERSION_ARGS);
  qn_nest_flat(&k, count, lo->target->vector_bytes, body, c);
  qn_kernel_end(&k, qn_nest_units(&k, count), 0);
  return QN_OK;
}

static qn_status lower_quantize(qn_loops *lo, qn_op *op) {
  const qn_plan plan = qn_loops_plan(lo, op);
  const qn_plan_cast *cast = &plan.cast;
  conversion c = {.cast = cast};
  if (lo->target->fma)
    c.form = qn_quotient_form_find(cast->scale, cast->min - cast->zero_point,
                                   cast->max - cast->zero_point, cast->rounding);
  return lower_conversion(lo, op, "quantize", quantize_vector, &c);
}
const qn_schedule qn_schedule_ml_quantize_float = {.lower = lower_quantize,
                                                   .read = qn_plan_read_quantize};

static qn_status lower_dequantize(qn_loops *lo, qn_op *op) {
  return lower_conversion(lo, op, "dequantize", dequantize_vector, NULL);
}
const qn_schedule qn_schedule_ml_dequantize_float = {
    .lower = lower_dequantize, .post_op = QN_POST_OP_DEQUANTIZE, .read = qn_plan_read_dequantize};
