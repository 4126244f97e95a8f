/* ml.integer_svdf. The state is copied one element to the left. Then the newest element of each
 * filter is computed, and finally each unit's sum over its filters and time steps. There is one
 * work item, because all batch elements are one run of the state. The new state may overwrite the
 * old one: each vector is loaded before it is stored, and the next one begins after it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/compact.h"
#include "lower/loops/fixed_point.h"
#include "lower/loops/int16/dot16.h"
#include "lower/loops/nest.h"
#include "lower/loops/ops/stored.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"

/* Kernel arguments: the operands, then constants and results. */
enum { X, STATE, FEATURES, TIMES, BIAS, Y, NEW_STATE, ARG_COUNT };

typedef struct svdf {
  const qn_op *op;
  int64_t batch, filters, memory, units;
  qn_dot16 features;
  uint32_t width; /* bits of a state element */
  /* in the kernel */
  qn_value *n, *base, *zero; /* the batch; its first element of x; index 0 */
} svdf;

static qn_value *add_constant(qn_builder *b, qn_value *x, int64_t constant) {
  if (constant == 0) return x;
  return qn_build_binary_int(b, QN_OP_ARITH_ADDI, x, constant);
}

/* ---- the state ---- */

static void move_elements(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  (void)user;
  qn_value *next = qn_vec_load(&k->b, k->args[STATE], index, 1, lanes);
  qn_vec_store(&k->b, next, k->args[NEW_STATE], index, 0);
}

/* Index in the state of a filter's element for a time step. */
static qn_value *state_index(qn_builder *b, const svdf *s, qn_value *filter, int64_t time) {
  qn_value *row = qn_nest_add(b, qn_index_affine(b, s->n, s->filters, 0), filter);
  return qn_index_affine(b, row, s->memory, time);
}

static void make_elements(qn_kernel *k, void *user, qn_value *filter, int64_t lanes) {
  const svdf *s = user;
  qn_builder *b = &k->b;
  qn_value *start = qn_vec_load(b, k->args[BIAS], filter, s->units, lanes);
  const qn_dot16_operands operands = {k->args[X], s->base, k->args[FEATURES], s->zero};
  qn_value *acc = qn_dot16_build(b, &s->features, &operands, filter, start);
  qn_multiplier m = {(int32_t)qn_op_state_multiplier(s->op), (int32_t)qn_op_state_shift(s->op)};
  int64_t lo, hi;
  qn_storage_range(s->width, true, &lo, &hi);
  qn_value *y =
      qn_fixed_clamp(b, qn_fixed_requant32_by(b, acc, m, qn_op_requant_rounding(s->op)), lo, hi);
  y = add_constant(b, y, qn_op_state_zero_point(s->op));
  y = qn_vec_cast(b, QN_OP_ARITH_TRUNCI, y, qn_type_i(b->cx, s->width));
  for (int64_t i = 0; i < lanes; i++) {
    qn_value *element = qn_vec_extract(b, y, i);
    qn_value *at = state_index(b, s, qn_index_add(b, filter, i), s->memory - 1);
    qn_build_0(b, QN_OP_MEMREF_STORE, QN_VALUES(element, k->args[NEW_STATE], at), NULL);
  }
}

/* ---- units ---- */

typedef struct time_sum {
  const svdf *svdf;
  qn_value *state, *times; /* first elements of the filter in the state and in the time weights */
  qn_value *acc;           /* i32 */
} time_sum;

static void add_times(qn_kernel *k, void *user, qn_value *time, int64_t lanes) {
  time_sum *sum = user;
  qn_builder *b = &k->b;
  qn_value *x =
      qn_stored_load(b, k->args[NEW_STATE], qn_nest_add(b, sum->state, time), 0, lanes, false);
  qn_value *w =
      qn_stored_load(b, k->args[TIMES], qn_nest_add(b, sum->times, time), 0, lanes, false);
  x = add_constant(b, x, -qn_op_state_zero_point(sum->svdf->op));
  qn_value *product = qn_build_binary(b, QN_OP_ARITH_MULI, x, w);
  sum->acc = qn_build_binary(b, QN_OP_ARITH_ADDI, sum->acc, qn_vec_reduce(b, "add", product));
}

/* Adds all time steps of a filter: whole vectors in a loop that carries the sum, then the remaining
 * ones. */
static qn_value *filter_sum(qn_kernel *k, const svdf *s, qn_value *filter, qn_value *acc) {
  qn_builder *b = &k->b;
  int64_t lanes = k->lo->target->vector_bytes / 4, whole = s->memory / lanes * lanes;
  time_sum sum = {s, state_index(b, s, filter, 0), qn_index_affine(b, filter, s->memory, 0), acc};
  if (whole > 0) {
    qn_carry loop = qn_carry_begin(b, 0, whole, lanes, &sum.acc, 1);
    add_times(k, &sum, loop.index, lanes);
    qn_carry_end(b, &loop);
  }
  for (int64_t piece = lanes / 2, at = whole; piece > 0; piece /= 2) {
    if (!((s->memory - whole) & piece)) continue;
    add_times(k, &sum, qn_build_index(b, at), piece);
    at += piece;
  }
  return sum.acc;
}

static void build_units(qn_kernel *k, const svdf *s) {
  qn_builder *b = &k->b;
  int64_t rank = s->filters / s->units;
  qn_value *unit = qn_nest_count(b, s->units, 1);
  qn_value *acc =
      qn_build_1(b, QN_OP_MEMREF_LOAD, qn_type_i(b->cx, 32), QN_VALUES(k->args[BIAS], unit), NULL);
  qn_carry loop = qn_carry_begin(b, 0, rank, 1, &acc, 1);
  qn_value *filter = qn_nest_add(b, qn_index_affine(b, unit, rank, 0), loop.index);
  acc = filter_sum(k, s, filter, acc);
  qn_carry_end(b, &loop);
  qn_multiplier m = {(int32_t)qn_op_multiplier(s->op), (int32_t)qn_op_shift(s->op)};
  qn_value *y =
      qn_fixed_requant32_by(b, qn_vec_broadcast(b, acc, 1), m, qn_op_requant_rounding(s->op));
  y = qn_fixed_add_zero_point(b, y, (int32_t)qn_op_output_zero_point(s->op),
                              (int32_t)qn_op_min(s->op), (int32_t)qn_op_max(s->op));
  qn_value *at = qn_nest_add(b, qn_index_affine(b, s->n, s->units, 0), unit);
  qn_stored_store(b, y, k->args[Y], at, 0);
  qn_nest_end(b);
}

/* ---- constants ---- */

static int64_t feature_weight(const void *user, int64_t column, int64_t k) {
  const svdf *s = user;
  return qn_stored_constant(s->op, FEATURES, column * s->features.depth + k);
}

static qn_value *pack_features(qn_loops *lo, const svdf *s) {
  size_t size = (size_t)qn_dot16_size(&s->features);
  int16_t *packed = QN_NEW_ARRAY(lo->scratch, size, int16_t);
  qn_dot16_pack(&s->features, feature_weight, s, packed);
  return qn_compact_constant(lo, packed, size);
}

/* Initial accumulators: the units' bias, then the zero-point compensation of each filter. */
static qn_value *start_values(qn_loops *lo, const svdf *s) {
  size_t count = (size_t)(s->units + s->filters);
  int32_t *values = QN_NEW_ARRAY(lo->scratch, count, int32_t);
  for (int64_t u = 0; u < s->units; u++) values[u] = (int32_t)qn_stored_constant(s->op, BIAS, u);
  for (int64_t f = 0; f < s->filters; f++) {
    uint32_t sum = 0;
    for (int64_t k = 0; k < s->features.depth; k++) sum += (uint32_t)feature_weight(s, f, k);
    values[s->units + f] = (int32_t)(0u - sum * (uint32_t)qn_op_input_zero_point(s->op));
  }
  return qn_loops_constant(lo, qn_type_i(lo->cx, 32),
                           (qn_bytes){(const uint8_t *)values, count * sizeof *values});
}

static qn_status lower_svdf(qn_loops *lo, qn_op *op) {
  const qn_type *features = qn_op_operand(op, FEATURES)->type;
  const qn_type *state = qn_op_operand(op, STATE)->type, *y = op->results[0].type;
  svdf s = {.op = op,
            .batch = y->shaped.dims[0],
            .units = y->shaped.dims[1],
            .filters = features->shaped.dims[0],
            .memory = qn_op_operand(op, TIMES)->type->shaped.dims[1],
            .features = {features->shaped.dims[1], features->shaped.dims[0]},
            .width = qn_type_element(state)->integer.width};
  qn_value *buffers[ARG_COUNT];
  buffers[X] = qn_loops_buffer(lo, qn_op_operand(op, X));
  buffers[STATE] = qn_loops_buffer(lo, qn_op_operand(op, STATE));
  buffers[FEATURES] = pack_features(lo, &s);
  buffers[TIMES] = qn_loops_buffer(lo, qn_op_operand(op, TIMES));
  buffers[BIAS] = start_values(lo, &s);
  buffers[Y] = qn_loops_buffer(lo, &op->results[0]);
  buffers[NEW_STATE] = qn_loops_buffer(lo, &op->results[1]);
  qn_kernel k = qn_kernel_begin(lo, "svdf", op, buffers, ARG_COUNT);
  qn_builder *b = &k.b;
  int64_t lanes = lo->target->vector_bytes / 4;
  qn_nest_begin(b, k.lower, k.upper, 1);
  /* In place, an element that is moved twice would be the wrong one. */
  bool moves_once = k.args[STATE] == k.args[NEW_STATE];
  qn_nest_run(&k, s.batch * s.filters * s.memory - 1, lo->target->vector_bytes, !moves_once,
              move_elements, NULL);
  s.zero = qn_build_index(b, 0);
  s.n = qn_nest_count(b, s.batch, 1);
  s.base = qn_index_affine(b, s.n, s.features.depth, 0);
  qn_nest_run(&k, s.filters, lanes, false, make_elements, &s);
  build_units(&k, &s);
  qn_nest_end(b);
  qn_nest_end(b);
  qn_kernel_end(&k, 1, qn_op_cost(op).macs);
  return QN_OK;
}
const qn_schedule qn_schedule_ml_integer_svdf = {
    .lower = lower_svdf, .constants_from = FEATURES, .updates = true};
