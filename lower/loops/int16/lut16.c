/* ml.integer_sigmoid, ml.integer_tanh and ml.integer_softmax16: 16-bit functions by interpolated
 * tables, which are stored as entries and the differences between them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fixed_point.h"
#include "lower/loops/int16/functions16.h"
#include "lower/loops/nest.h"
#include "lower/loops/ops/stored.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"
#include "quant/table16.h"

/* ---- logistic and tanh ---- */

enum { LUT16_X, LUT16_Y, LUT16_TABLE };

static void lut16_vector(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const qn_op *op = user;
  qn_builder *b = &k->b;
  qn_value *x = qn_stored_load(b, k->args[LUT16_X], index, 0, lanes, false);
  qn_value *y =
      qn_lanes_table16(b, op->kind == QN_OP_ML_INTEGER_TANH, k->args[LUT16_TABLE], x,
                       (int32_t)qn_op_lut16_multiplier(op), (int32_t)qn_op_lut16_shift(op));
  qn_stored_store(b, y, k->args[LUT16_Y], index, 0);
}

static qn_status lower_lut16(qn_loops *lo, qn_op *op) {
  int64_t count = qn_type_elements(op->results[0].type);
  qn_value *buffers[] = {[LUT16_X] = qn_loops_buffer(lo, qn_op_operand(op, 0)),
                         [LUT16_Y] = NULL,
                         [LUT16_TABLE] = NULL};
  buffers[LUT16_Y] = qn_loops_buffer(lo, &op->results[0]);
  buffers[LUT16_TABLE] = qn_lanes_sigmoid_table(lo);
  qn_kernel k = qn_kernel_begin(lo, "curve16", op, buffers, QN_COUNT(buffers));
  qn_nest_flat(&k, count, lo->target->vector_bytes / 4, lut16_vector, op);
  qn_kernel_end(&k, qn_nest_units(&k, count), 0);
  return QN_OK;
}
const qn_schedule qn_schedule_ml_integer_sigmoid = {.lower = lower_lut16};
const qn_schedule qn_schedule_ml_integer_tanh = {.lower = lower_lut16};

/* ---- softmax ---- */

enum { X, Y, EXPONENTIALS, RECIPROCALS, ARG_COUNT };

typedef struct softmax16 {
  const qn_op *op;
  int64_t row, lanes;
  /* in the kernel */
  qn_value *base, *most;           /* first element and largest value of the row */
  qn_value *factor, *half, *shift; /* i32, scaling of the results */
} softmax16;

/* qn_table16_lookup of 16-bit lanes. */
static qn_value *look_up(qn_builder *b, qn_value *table, qn_value *x) {
  qn_value *number = qn_build_binary_int(b, QN_OP_ARITH_SHRSI, x, 7);
  number = qn_build_binary_int(b, QN_OP_ARITH_ADDI, number, 256);
  qn_value *offset = qn_build_binary_int(b, QN_OP_ARITH_ANDI, x, 127);
  qn_value *entry = qn_build_1(b, QN_OP_QUERN_GATHER, x->type, QN_VALUES(table, number), NULL);
  number = qn_build_binary_int(b, QN_OP_ARITH_ADDI, number, QN_TABLE16_SIZE);
  qn_value *step = qn_build_1(b, QN_OP_QUERN_GATHER, x->type, QN_VALUES(table, number), NULL);
  step = qn_build_binary(b, QN_OP_ARITH_MULI, step, offset);
  step = qn_build_binary_int(b, QN_OP_ARITH_SHRSI,
                             qn_build_binary_int(b, QN_OP_ARITH_ADDI, step, 64), 7);
  qn_value *y = qn_build_binary(b, QN_OP_ARITH_ADDI, entry, step);
  return qn_build_binary_int(b, QN_OP_ARITH_SHRSI, qn_build_binary_int(b, QN_OP_ARITH_SHLI, y, 16),
                             16); /* wraps */
}

/* Folds a value over the row: whole vectors in a loop, then smaller vectors. */
typedef qn_value *fold_body(qn_kernel *k, const softmax16 *s, qn_value *at, int64_t lanes,
                            qn_value *carried);
static qn_value *fold_row(qn_kernel *k, const softmax16 *s, fold_body *body, qn_value *carried) {
  qn_builder *b = &k->b;
  int64_t whole = s->row / s->lanes * s->lanes;
  if (whole > 0) {
    qn_carry loop = qn_carry_begin(b, 0, whole, s->lanes, &carried, 1);
    carried = body(k, s, qn_nest_add(b, s->base, loop.index), s->lanes, carried);
    qn_carry_end(b, &loop);
  }
  for (int64_t piece = s->lanes / 2, at = whole; piece > 0; piece /= 2) {
    if (!((s->row - whole) & piece)) continue;
    carried = body(k, s, qn_index_add(b, s->base, at), piece, carried);
    at += piece;
  }
  return carried;
}

static qn_value *add_most(qn_kernel *k, const softmax16 *s, qn_value *at, int64_t lanes,
                          qn_value *carried) {
  (void)s;
  qn_value *x = qn_stored_load(&k->b, k->args[X], at, 0, lanes, false);
  return qn_build_binary(&k->b, QN_OP_ARITH_MAXSI, carried, qn_vec_reduce(&k->b, "maxsi", x));
}

/* Stores the exponentials in the buffer of the results, and adds them up. */
static qn_value *add_exponentials(qn_kernel *k, const softmax16 *s, qn_value *at, int64_t lanes,
                                  qn_value *carried) {
  qn_builder *b = &k->b;
  qn_value *x = qn_stored_load(b, k->args[X], at, 0, lanes, false);
  x = qn_build_binary(b, QN_OP_ARITH_SUBI, x, qn_vec_broadcast(b, s->most, lanes));
  const qn_multiplier m = {(int32_t)qn_op_multiplier(s->op), (int32_t)qn_op_shift(s->op)};
  x = qn_fixed_requant32_by(b, x, m, qn_op_requant_rounding(s->op));
  x = qn_fixed_add_zero_point(b, x, INT16_MAX, INT16_MIN, INT16_MAX);
  qn_value *e = look_up(b, k->args[EXPONENTIALS], x);
  qn_stored_store(b, e, k->args[Y], at, 0);
  return qn_build_binary(b, QN_OP_ARITH_ADDI, carried, qn_vec_reduce(b, "add", e));
}

/* 1 / sum as a factor and a shift, in one-lane vectors until more lanes are needed. */
static void build_reciprocal(qn_kernel *k, softmax16 *s, qn_value *sum) {
  qn_builder *b = &k->b;
  qn_value *zeros = qn_build_unary(b, QN_OP_MATH_CTLZ, sum, sum->type);
  s->shift = qn_build_binary(b, QN_OP_ARITH_SUBI, qn_build_int(b, 31, sum->type), zeros);
  qn_value *up = qn_build_binary_int(b, QN_OP_ARITH_SUBI, zeros, 1);
  qn_value *t = qn_build_binary(b, QN_OP_ARITH_SHLI, sum, up);
  t = qn_build_binary_int(b, QN_OP_ARITH_SHRUI,
                          qn_build_binary_int(b, QN_OP_ARITH_ADDI, t, 1 << 13), 14);
  t = qn_build_binary_int(b, QN_OP_ARITH_SUBI, t, 98304);
  t = qn_fixed_clamp(b, qn_vec_broadcast(b, t, 1), INT16_MIN, INT16_MAX);
  s->factor = qn_vec_extract(b, look_up(b, k->args[RECIPROCALS], t), 0);
  qn_value *below = qn_build_binary_int(b, QN_OP_ARITH_SUBI, s->shift, 1);
  s->half = qn_build_binary(b, QN_OP_ARITH_SHLI, qn_build_int(b, 1, below->type), below);
}

static qn_value *scale(qn_kernel *k, const softmax16 *s, qn_value *at, int64_t lanes,
                       qn_value *carried) {
  qn_builder *b = &k->b;
  qn_value *e = qn_stored_load(b, k->args[Y], at, 0, lanes, false);
  qn_value *y = qn_build_binary(b, QN_OP_ARITH_MULI, e, qn_vec_broadcast(b, s->factor, lanes));
  y = qn_build_binary(b, QN_OP_ARITH_ADDI, y, qn_vec_broadcast(b, s->half, lanes));
  y = qn_build_binary(b, QN_OP_ARITH_SHRSI, y, qn_vec_broadcast(b, s->shift, lanes));
  qn_stored_store(b, qn_fixed_clamp(b, y, 0, INT16_MAX), k->args[Y], at, 0);
  return carried;
}

static void build_row(qn_kernel *k, softmax16 *s) {
  const qn_type *i32 = qn_type_i(k->b.cx, 32);
  qn_value *lowest = qn_build_int(&k->b, INT16_MIN, i32);
  s->most = fold_row(k, s, add_most, lowest);
  qn_value *sum = fold_row(k, s, add_exponentials, qn_build_int(&k->b, 0, i32));
  build_reciprocal(k, s, sum);
  fold_row(k, s, scale, sum);
}

/* The table buffer: entries, then the wrapped differences to the next entries. */
static qn_value *table_of(qn_loops *lo, const qn_op *op, uint32_t operand) {
  int32_t *table = QN_NEW_ARRAY(lo->scratch, 2 * QN_TABLE16_SIZE, int32_t);
  for (int i = 0; i < QN_TABLE16_SIZE; i++) {
    table[i] = (int32_t)qn_stored_constant(op, operand, i);
    if (i > 0) table[QN_TABLE16_SIZE + i - 1] = (int16_t)(table[i] - table[i - 1]);
  }
  return qn_loops_constant(lo, qn_type_i(lo->cx, 32),
                           (qn_bytes){(const uint8_t *)table, 2 * QN_TABLE16_SIZE * sizeof *table});
}

static qn_status lower_softmax16(qn_loops *lo, qn_op *op) {
  const qn_type *type = qn_op_operand(op, 0)->type;
  softmax16 s = {.op = op, .lanes = lo->target->vector_bytes / 4};
  s.row = type->shaped.rank > 0 ? type->shaped.dims[type->shaped.rank - 1] : 1;
  qn_value *buffers[ARG_COUNT];
  buffers[X] = qn_loops_buffer(lo, qn_op_operand(op, 0));
  buffers[Y] = qn_loops_buffer(lo, &op->results[0]);
  buffers[EXPONENTIALS] = table_of(lo, op, 1);
  buffers[RECIPROCALS] = table_of(lo, op, 2);
  qn_kernel k = qn_kernel_begin(lo, "softmax16", op, buffers, ARG_COUNT);
  qn_value *unit = qn_nest_begin(&k.b, k.lower, k.upper, 1);
  s.base = qn_index_affine(&k.b, unit, s.row, 0);
  build_row(&k, &s);
  qn_nest_end(&k.b);
  qn_kernel_end(&k, qn_type_elements(type) / s.row, 0);
  return QN_OK;
}
const qn_schedule qn_schedule_ml_integer_softmax16 = {.lower = lower_softmax16,
                                                      .constants_from = 1};
