/* Elementwise ops: add, sub and mul with broadcasting, float to quantized and back.
 * If all operands have the result's shape, the elements are one flat range.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/constants.h"
#include "lower/loops/elements/elements.h"
#include "lower/loops/fixed_point.h"
#include "lower/loops/fusion.h"
#include "lower/loops/memory/buffers.h"
#include "lower/loops/nest.h"
#include "lower/loops/ops/binary.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"
#include "quant/quotient_form.h"

/* ---- broadcasting ---- */

/* Consecutive dimensions along which the same operands vary, merged. */
typedef struct broadcast_dim {
  int64_t extent;
  bool varies[2];
} broadcast_dim;

typedef struct broadcast {
  broadcast_dim *dims;
  uint32_t rank; /* at least 1 */
} broadcast;

/* Size of dimension i, counted in the result's rank. */
static int64_t aligned_dim(const qn_type *operand, const qn_type *result, uint32_t i) {
  uint32_t missing = result->shaped.rank - operand->shaped.rank;
  return i < missing ? 1 : operand->shaped.dims[i - missing];
}

static broadcast broadcast_of(qn_loops *lo, const qn_op *op) {
  const qn_type *out = op->results[0].type;
  broadcast bc = {.dims = QN_NEW_ARRAY(lo->scratch, out->shaped.rank + 1, broadcast_dim)};
  for (uint32_t i = 0; i < out->shaped.rank; i++) {
    int64_t extent = out->shaped.dims[i];
    bool a = aligned_dim(qn_op_operand(op, 0)->type, out, i) == extent;
    bool b = aligned_dim(qn_op_operand(op, 1)->type, out, i) == extent;
    broadcast_dim *last = bc.rank > 0 ? &bc.dims[bc.rank - 1] : NULL;
    if (extent == 1) continue;
    if (last && last->varies[0] == a && last->varies[1] == b)
      last->extent *= extent;
    else
      bc.dims[bc.rank++] = (broadcast_dim){extent, {a, b}};
  }
  if (bc.rank == 0) bc.dims[bc.rank++] = (broadcast_dim){1, {true, true}};
  return bc;
}

/* Stride, in elements, of dimension `dim` in operand `side`. */
static int64_t broadcast_step(const broadcast *bc, uint32_t dim, int side) {
  int64_t step = bc->dims[dim].varies[side] ? 1 : 0;
  for (uint32_t i = dim + 1; i < bc->rank; i++)
    if (bc->dims[i].varies[side]) step *= bc->dims[i].extent;
  return step;
}

/* ---- add, sub, mul ---- */

typedef struct binary_run {
  const qn_binary *binary;
  const broadcast_dim *inner;
  qn_value *bases[2]; /* first element of the run in each operand */
  qn_value *out_base;
  uint32_t post_ops; /* first argument of the post-ops, after the table if there is one */
} binary_run;

/* Kernel arguments: the operands, the result, the table of a sum if any, then the buffers of the
 * post-ops. */
enum { ARG_X, ARG_OTHER, ARG_Y, ARG_SUM_TABLE, ARG_POST_OPS = ARG_SUM_TABLE };
enum { MAX_ARGS = ARG_SUM_TABLE + 1 + QN_FUSION_BUFFERS };

static qn_value *load_operand(qn_kernel *k, const binary_run *run, int side, qn_value *index,
                              int64_t lanes) {
  qn_builder *b = &k->b;
  qn_value *buffer = k->args[ARG_X + side];
  if (run->inner->varies[side])
    return qn_vec_load(b, buffer, qn_nest_add(b, run->bases[side], index), 0, lanes);
  qn_value *scalar = qn_build_1(b, QN_OP_MEMREF_LOAD, qn_type_element(buffer->type),
                                QN_VALUES(buffer, run->bases[side]), NULL);
  return qn_vec_broadcast(b, scalar, lanes);
}

static void binary_vector(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const binary_run *run = user;
  qn_builder *b = &k->b;
  qn_value *x = load_operand(k, run, 0, index, lanes), *y = load_operand(k, run, 1, index, lanes);
  qn_value *at = qn_nest_add(b, run->out_base, index);
  qn_value *table = run->post_ops > ARG_SUM_TABLE ? k->args[ARG_SUM_TABLE] : NULL;
  qn_value *result = qn_binary_emit(b, run->binary, table, x, y);
  result = qn_fusion_emit(k, k->op, run->post_ops, result, at);
  qn_vec_store(b, result, k->args[ARG_Y], at, 0);
}

static int64_t lanes_of(const qn_kernel *k) {
  return k->lo->target->vector_bytes / qn_type_bytes(qn_type_element(k->op->results[0].type));
}

/* Work item u is a row: an index of all dimensions except the innermost. */
static void binary_rows(qn_kernel *k, const qn_binary *binary, const broadcast *bc,
                        uint32_t post_ops) {
  qn_builder *b = &k->b;
  const broadcast_dim *inner = &bc->dims[bc->rank - 1];
  qn_value *unit = qn_nest_begin(b, k->lower, k->upper, 1), *rest = unit;
  qn_value *zero = qn_build_index(b, 0);
  binary_run run = {
      binary, inner, {zero, zero}, qn_index_affine(b, unit, inner->extent, 0), post_ops};
  for (uint32_t dim = bc->rank - 1; dim-- > 0;) {
    qn_value *extent = qn_build_index(b, bc->dims[dim].extent);
    qn_value *i = dim == 0 ? rest : qn_build_binary(b, QN_OP_ARITH_REMUI, rest, extent);
    if (dim > 0) rest = qn_build_binary(b, QN_OP_ARITH_DIVUI, rest, extent);
    for (int side = 0; side < 2; side++) {
      if (!bc->dims[dim].varies[side]) continue;
      qn_value *offset = qn_index_affine(b, i, broadcast_step(bc, dim, side), 0);
      run.bases[side] = qn_nest_add(b, run.bases[side], offset);
    }
  }
  bool in_place = k->args[ARG_Y] == k->args[ARG_X] || k->args[ARG_Y] == k->args[ARG_OTHER];
  bool once = in_place || qn_fusion_is_consumed(k->lo, k->op);
  qn_nest_run(k, inner->extent, lanes_of(k), !once, binary_vector, &run);
  qn_nest_end(b);
}

/* The operand that is the same for all rows, if there is only a dimension of rows. */
static uint32_t repeated_side(const broadcast *bc) { return bc->dims[0].varies[0] ? 1 : 0; }

/* Number of rows that are merged. More than one if a row is shorter than a vector and the operand
 * shared by all rows is constant, which is then repeated; preferably as many as fill whole vectors.
 */
static int64_t rows_at_once(const qn_loops *lo, const qn_op *op, const broadcast *bc) {
  enum { MOST_VECTORS = 16 };
  const qn_value *result = &op->results[0];
  int64_t lanes = lo->target->vector_bytes / qn_type_bytes(qn_type_element(result->type)), best = 1;
  if (bc->rank != 2 || !bc->dims[1].varies[0] || !bc->dims[1].varies[1]) return best;
  if (!qn_value_constant(qn_op_operand(op, repeated_side(bc)))) return best;
  int64_t rows = bc->dims[0].extent, row = bc->dims[1].extent;
  int32_t size = qn_loops_size(lo, result);
  if (size != QN_SIZE_FIXED)
    rows /= qn_loops_bound(lo, size); /* a merged row must not span two batch elements */
  for (int64_t n = 1; row < lanes && n * row <= MOST_VECTORS * lanes; n++) {
    if (rows % n != 0) continue;
    best = n;
    if (n * row % lanes == 0) break;
  }
  return best;
}

static qn_value *repeated(qn_loops *lo, const qn_value *operand, int64_t times) {
  const qn_type *element = qn_elements_memory_element(lo->cx, qn_type_element(operand->type));
  return qn_constants_repeated(lo, operand, element, 1, times);
}

/* Appends the buffers of the result and of the post-ops. */
static uint32_t add_results(qn_loops *lo, const qn_op *op, uint32_t post_ops,
                            qn_value *out_buffers[MAX_ARGS]) {
  out_buffers[ARG_Y] = qn_loops_buffer(lo, qn_fusion_result(lo, op));
  return post_ops + qn_fusion_buffers(lo, op, out_buffers + post_ops);
}

static qn_status lower_binary(qn_loops *lo, const qn_op *op, const char *stem) {
  qn_binary binary = qn_binary_of(lo, op);
  broadcast bc = broadcast_of(lo, op);
  qn_value *buffers[MAX_ARGS];
  int64_t rows = rows_at_once(lo, op, &bc);
  for (uint32_t side = 0; side < 2; side++) {
    const qn_value *operand = qn_op_operand(op, side);
    bool repeats = rows > 1 && side == repeated_side(&bc);
    buffers[ARG_X + side] = repeats ? repeated(lo, operand, rows) : qn_loops_buffer(lo, operand);
  }
  qn_value *table = qn_binary_table(lo, &binary);
  uint32_t post_ops = table ? ARG_SUM_TABLE + 1 : ARG_SUM_TABLE;
  if (table) buffers[ARG_SUM_TABLE] = table;
  uint32_t count = add_results(lo, op, post_ops, buffers);
  if (rows > 1) bc.dims[0].extent /= rows, bc.dims[1].extent *= rows;
  qn_kernel k = qn_kernel_begin(lo, stem, op, buffers, count);
  int64_t units = qn_type_elements(op->results[0].type) / bc.dims[bc.rank - 1].extent;
  if (bc.rank == 1) {
    qn_value *zero = qn_build_index(&k.b, 0);
    binary_run run = {&binary, &bc.dims[0], {zero, zero}, zero, post_ops};
    qn_nest_flat(&k, bc.dims[0].extent, lanes_of(&k), binary_vector, &run);
    units = qn_nest_units(&k, bc.dims[0].extent);
  } else {
    binary_rows(&k, &binary, &bc, post_ops);
  }
  qn_kernel_end(&k, units, 0);
  return QN_OK;
}

static qn_status lower_add(qn_loops *lo, qn_op *op) { return lower_binary(lo, op, "add"); }
const qn_schedule qn_schedule_ml_integer_add = {.lower = lower_add,
                                                .read = qn_plan_read_sum,
                                                .sharing = QN_SHARES_LAST_USE,
                                                .post_op = QN_POST_OP_BINARY,
                                                .leads = true};

static qn_status lower_sub(qn_loops *lo, qn_op *op) { return lower_binary(lo, op, "sub"); }
const qn_schedule qn_schedule_ml_integer_sub = {.lower = lower_sub,
                                                .read = qn_plan_read_sum,
                                                .sharing = QN_SHARES_LAST_USE,
                                                .post_op = QN_POST_OP_BINARY,
                                                .leads = true};

static qn_status lower_mul(qn_loops *lo, qn_op *op) { return lower_binary(lo, op, "mul"); }
const qn_schedule qn_schedule_ml_integer_mul = {
    .lower = lower_mul, .read = qn_plan_read_product, .sharing = QN_SHARES_LAST_USE, .leads = true};

/* ---- float to quantized and back ---- */

enum { ARG_FROM, ARG_TO, CONVERSION_ARGS };

/* arith.cmpf predicates, in MLIR's numbering */
enum { CMPF_OGE = 3, CMPF_OLE = 5, CMPF_ORD = 7 };

/* Selects `yes` in lanes where the comparison with `bound` holds, else `no`; NULL means the bound.
 */
static qn_value *float_select(qn_builder *b, int64_t predicate, qn_value *x, double bound,
                              qn_value *yes, qn_value *no) {
  qn_value *limit = qn_build_float(b, bound, x->type);
  const qn_type *mask = qn_type_with_element(b->cx, x->type, qn_type_i(b->cx, 1));
  qn_value *holds = qn_build_1(b, QN_OP_ARITH_CMPF, mask, QN_VALUES(x, limit),
                               QN_ATTRS({"predicate", qn_attr_i64(b->cx, predicate)}));
  return qn_build_select(b, holds, yes ? yes : limit, no ? no : limit);
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
  x = float_select(b, CMPF_OGE, x, lo, x, NULL);
  return float_select(b, CMPF_OLE, x, hi, x, NULL);
}

/* Whether no quotient is below 0: the lower clamp is then at 0, which it also gives for NaN. */
static bool is_positive(const qn_plan_cast *cast) { return cast->min == cast->zero_point; }

static qn_value *drop_nan(qn_builder *b, const qn_plan_cast *cast, qn_value *x) {
  return is_positive(cast) ? x : float_select(b, CMPF_ORD, x, 0, x, NULL);
}

/* x / scale, clamped to the range of results; NaN counts as 0. */
static qn_value *quotient(qn_builder *b, const conversion *c, qn_value *x) {
  const qn_plan_cast *cast = c->cast;
  if (c->form.proved) {
    x = drop_nan(b, cast, x);
    x = clamp_float(b, x, (double)c->form.least, (double)c->form.most);
    qn_value *high = qn_build_float(b, (double)c->form.high, x->type);
    if (c->form.low == 0) return qn_build_binary(b, QN_OP_ARITH_MULF, x, high);
    qn_value *low = qn_build_float(b, (double)c->form.low, x->type);
    low = qn_build_binary(b, QN_OP_ARITH_MULF, x, low);
    return qn_build_1(b, QN_OP_MATH_FMA, x->type, QN_VALUES(x, high, low), NULL);
  }
  x = qn_build_binary(b, QN_OP_ARITH_DIVF, x, qn_build_float(b, (double)cast->scale, x->type));
  x = drop_nan(b, cast, x);
  return clamp_float(b, x, (double)(cast->min - cast->zero_point),
                     (double)(cast->max - cast->zero_point));
}

/* Stored values in the type of the result. To bytes, an instruction truncates the lanes of 64
 * bytes; those of 32 are narrowed faster by packs than by the shuffles of a truncation, and those
 * of 16 as fast. */
static qn_value *narrow(qn_kernel *k, const qn_plan_cast *cast, qn_value *q) {
  enum { PACKED = 32 };
  const qn_type *element = qn_type_element(k->args[ARG_TO]->type);
  if (k->lo->target->vector_bytes != PACKED || !qn_type_is_int(element, 8))
    return qn_vec_cast(&k->b, QN_OP_ARITH_TRUNCI, q, element);
  bool is_unsigned = qn_type_is_unsigned(qn_type_element(k->op->results[0].type));
  return qn_fixed_narrow(&k->b, q, cast->min, cast->max, is_unsigned);
}

/* Quantizes floats. Values outside the range, infinities included, are clamped to its ends; NaN
 * counts as 0. */
static void quantize_vector(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const conversion *c = user;
  qn_builder *b = &k->b;
  qn_value *x = quotient(b, c, qn_vec_load(b, k->args[ARG_FROM], index, 0, lanes));
  qn_value *q = c->cast->rounding == QN_ROUND_EVEN ? round_half_even(b, x)
                : is_positive(c->cast) ? qn_fixed_round_positive(b, x, QN_FIXED_HALF_F32)
                                       : qn_fixed_round_away(b, x, QN_FIXED_HALF_F32);
  q = qn_build_binary_int(b, QN_OP_ARITH_ADDI, q, c->cast->zero_point);
  q = narrow(k, c->cast, q);
  qn_vec_store(b, q, k->args[ARG_TO], index, 0);
}

static void dequantize_vector(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const qn_plan_cast *cast = ((const conversion *)user)->cast;
  qn_builder *b = &k->b;
  bool is_unsigned = qn_type_is_unsigned(qn_type_element(qn_op_operand(k->op, 0)->type));
  qn_value *q = qn_vec_load(b, k->args[ARG_FROM], index, 0, lanes);
  q = qn_vec_cast(b, is_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI, q, qn_type_i(b->cx, 32));
  q = qn_build_binary_int(b, QN_OP_ARITH_SUBI, q, cast->zero_point);
  qn_value *x = qn_vec_cast(b, QN_OP_ARITH_SITOFP, q, qn_type_float(b->cx, QN_F32));
  x = qn_build_binary(b, QN_OP_ARITH_MULF, x, qn_build_float(b, (double)cast->scale, x->type));
  qn_vec_store(b, x, k->args[ARG_TO], index, 0);
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
  const qn_plan plan = qn_loops_plan(lo, op);
  conversion c = {.cast = &plan.cast};
  return lower_conversion(lo, op, "dequantize", dequantize_vector, &c);
}
const qn_schedule qn_schedule_ml_dequantize_float = {.lower = lower_dequantize,
                                                     .read = qn_plan_read_dequantize};
