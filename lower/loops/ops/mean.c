/* Mean over any axes: 32-bit sums, requantized like accumulators.
 *
 * Neighbouring dimensions that are both kept or both reduced are merged. If the innermost one is
 * kept (global pooling over NHWC), blocks of channels are summed in vectors. If it is reduced, runs
 * are summed in vectors and then across lanes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fixed_point.h"
#include "lower/loops/matrix/epilogue/requant.h"
#include "lower/loops/nest.h"
#include "lower/loops/schedule.h"

/* Arguments of the kernel. */
enum { ARG_X, ARG_Y, ARG_PARAMS, ARG_COUNT };

typedef struct mean_dim {
  int64_t extent, stride;
  bool reduced;
} mean_dim;

typedef struct mean {
  mean_dim *dims; /* [dim_count] merged dimensions, outermost first; at least one */
  int64_t rank;
  int64_t taps, outer, inner; /* reduced elements; work items; kept innermost elements, else 1 */
  int64_t lanes, stored;      /* stored: lanes that have parameters in memory, all or one */
  bool is_unsigned;
  const qn_op
      *words; /* 16-bit tensors: the op, whose sums are requantized in integers; else NULL */
  qn_epilogue epilogue;
  qn_epilogue_kind kind;
  /* in the kernel */
  qn_value *base, *unit, *start;
  qn_epilogue_params params;
} mean;

static const mean_dim *last_dim(const mean *m) { return &m->dims[m->rank - 1]; }

static bool is_reduced(const qn_op *op, uint32_t dim) {
  qn_i64s axes = qn_op_axes(op);
  for (uint32_t i = 0; i < axes.count; i++)
    if (axes.data[i] == (int64_t)dim) return true;
  return false;
}

/* Merges dimensions. The outermost one is not merged if its size is dynamic; then it has another
 * one inside. */
static void merge_dims(qn_loops *lo, const qn_op *op, mean *m) {
  const qn_type *type = qn_op_operand(op, 0)->type;
  m->dims = QN_NEW_ARRAY(lo->scratch, (size_t)type->shaped.rank + 1, mean_dim);
  m->taps = m->outer = m->inner = 1;
  int64_t alone = qn_loops_size(lo, &op->results[0]) != QN_SIZE_FIXED ? 1 : 0;
  for (uint32_t i = 0; i < type->shaped.rank; i++) {
    int64_t extent = type->shaped.dims[i];
    bool reduced = is_reduced(op, i);
    if (extent == 1) continue;
    if (m->rank > alone && last_dim(m)->reduced == reduced)
      m->dims[m->rank - 1].extent *= extent;
    else
      m->dims[m->rank++] = (mean_dim){extent, 1, reduced};
  }
  if (m->rank == alone) m->dims[m->rank++] = (mean_dim){1, 1, false};
  for (int64_t i = m->rank - 1, stride = 1; i >= 0; i--) {
    m->dims[i].stride = stride;
    stride *= m->dims[i].extent;
    if (m->dims[i].reduced)
      m->taps *= m->dims[i].extent;
    else if (i == m->rank - 1)
      m->inner = m->dims[i].extent;
    else
      m->outer *= m->dims[i].extent;
  }
}

/* ---- in the kernel ---- */

static qn_value *load_bytes(qn_kernel *k, const mean *m, qn_value *index, int64_t lanes) {
  qn_value *bytes = qn_vec_load(&k->b, k->args[ARG_X], index, 0, lanes);
  return qn_vec_cast(&k->b, m->is_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI, bytes,
                     qn_type_i(k->b.cx, 32));
}

/* First input element of a work item, from its index split over the kept dimensions except the
 * innermost. */
static qn_value *unit_base(qn_builder *b, const mean *m, qn_value *unit) {
  qn_value *base = qn_build_index(b, 0);
  for (int64_t i = m->rank - 1; i >= 0; i--) {
    const mean_dim *d = &m->dims[i];
    if (d->reduced || i == m->rank - 1) continue;
    qn_value *extent = qn_build_index(b, d->extent);
    qn_value *at = qn_build_binary(b, QN_OP_ARITH_REMUI, unit, extent);
    unit = qn_build_binary(b, QN_OP_ARITH_DIVUI, unit, extent);
    base = qn_nest_add(b, base, qn_index_affine(b, at, d->stride, 0));
  }
  return base;
}

/* Sums `leaf` over the reduced dimensions from `dim` to `end` (exclusive). Dimensions of one
 * element are dropped, so the depth is at most the number of bits of the element count. */
typedef qn_value *sum_leaf(qn_kernel *k, const mean *m, qn_value *index, qn_value *acc);
static qn_value *sum_nest(qn_kernel *k, const mean *m, int64_t dim, int64_t end, qn_value *index,
                          qn_value *acc, sum_leaf *leaf) {
  while (dim < end && !m->dims[dim].reduced) dim++;
  if (dim >= end) return leaf(k, m, index, acc);
  qn_builder *b = &k->b;
  qn_carry loop = qn_carry_begin(b, 0, m->dims[dim].extent, 1, &acc, 1);
  qn_value *at = qn_nest_add(b, index, qn_index_affine(b, loop.index, m->dims[dim].stride, 0));
  acc = sum_nest(k, m, dim + 1, end, at, acc, leaf);
  qn_carry_end(b, &loop);
  return acc;
}

/* Accumulators (one per lane, initial value included) to stored values. */
static qn_value *requantize(qn_kernel *k, const mean *m, qn_value *acc) {
  if (m->words) {
    const qn_multiplier q = {(int32_t)qn_op_multiplier(m->words), (int32_t)qn_op_shift(m->words)};
    acc = qn_fixed_requant32(&k->b, acc, q);
    acc = qn_fixed_add_zero_point(&k->b, acc, (int32_t)qn_op_output_zero_point(m->words),
                                  (int32_t)qn_op_min(m->words), (int32_t)qn_op_max(m->words));
    return qn_vec_cast(&k->b, QN_OP_ARITH_TRUNCI, acc, qn_type_i(k->b.cx, 16));
  }
  qn_value *y = qn_epilogue_apply(&k->b, &m->epilogue, m->kind, &m->params, acc);
  return qn_epilogue_truncate(&k->b, &m->epilogue, m->kind, y);
}

/* ---- innermost dimension kept ---- */

static qn_value *add_block(qn_kernel *k, const mean *m, qn_value *index, qn_value *acc) {
  return qn_build_binary(&k->b, QN_OP_ARITH_ADDI, acc, load_bytes(k, m, index, m->lanes));
}

static void build_block(qn_kernel *k, void *user, qn_value *channel, int64_t lanes) {
  const mean *m = user;
  qn_builder *b = &k->b;
  QN_ASSERT(lanes == m->lanes);
  qn_value *index = qn_nest_add(b, m->base, channel);
  qn_value *acc = sum_nest(k, m, 0, m->rank - 1, index, m->start, add_block);
  qn_value *at = qn_nest_add(b, qn_index_affine(b, m->unit, m->inner, 0), channel);
  qn_vec_store(b, requantize(k, m, acc), k->args[ARG_Y], at, 0);
}

/* ---- innermost dimension reduced ---- */

/* acc (i32) + the sum of one contiguous run: whole vectors, then vectors of smaller powers of two.
 */
static qn_value *add_run(qn_kernel *k, const mean *m, qn_value *index, qn_value *acc) {
  qn_builder *b = &k->b;
  int64_t count = last_dim(m)->extent, lanes = k->lo->target->vector_bytes;
  int64_t whole = count / lanes * lanes;
  if (whole > 0) {
    qn_value *sums = qn_vec_splat(b, 0, qn_type_i(b->cx, 32), lanes);
    qn_carry loop = qn_carry_begin(b, 0, whole, lanes, &sums, 1);
    qn_value *bytes = load_bytes(k, m, qn_nest_add(b, index, loop.index), lanes);
    sums = qn_build_binary(b, QN_OP_ARITH_ADDI, sums, bytes);
    qn_carry_end(b, &loop);
    acc = qn_build_binary(b, QN_OP_ARITH_ADDI, acc, qn_vec_reduce(b, "add", sums));
  }
  for (int64_t piece = lanes / 2, at = whole; piece > 0; piece /= 2) {
    if (!((count - whole) & piece)) continue;
    qn_value *bytes = load_bytes(k, m, qn_index_add(b, index, at), piece);
    acc = qn_build_binary(b, QN_OP_ARITH_ADDI, acc, qn_vec_reduce(b, "add", bytes));
    at += piece;
  }
  return acc;
}

static void build_element(qn_kernel *k, const mean *m) {
  qn_builder *b = &k->b;
  qn_value *start = qn_vec_extract(b, m->start, 0);
  qn_value *acc = sum_nest(k, m, 0, m->rank - 1, m->base, start, add_run);
  qn_value *bytes = requantize(k, m, qn_vec_broadcast(b, acc, m->lanes));
  qn_build_0(b, QN_OP_MEMREF_STORE, QN_VALUES(qn_vec_extract(b, bytes, 0), k->args[ARG_Y], m->unit),
             NULL);
}

/* ---- the kernel ---- */

/* A parameter, which is equal in all lanes. */
static qn_value *spread(qn_builder *b, const mean *m, qn_value *stored) {
  if (m->stored == m->lanes) return stored;
  return qn_vec_broadcast(b, qn_vec_extract(b, stored, 0), m->lanes);
}

static void build_units(qn_kernel *k, mean *m) {
  qn_builder *b = &k->b;
  qn_value *first = qn_build_index(b, 0);
  m->start = spread(b, m, qn_vec_load(b, k->args[ARG_PARAMS], first, 0, m->stored));
  if (!m->words)
    m->params = qn_epilogue_load(b, &m->epilogue, m->kind, k->args[ARG_PARAMS], first, 0, m->stored,
                                 m->stored);
  for (size_t w = 0; w < QN_COUNT(m->params.words); w++)
    if (m->params.words[w]) m->params.words[w] = spread(b, m, m->params.words[w]);
  m->unit = qn_nest_begin(b, k->lower, k->upper, 1);
  m->base = unit_base(b, m, m->unit);
  if (last_dim(m)->reduced)
    build_element(k, m);
  else
    qn_nest_run(k, m->inner, m->lanes, true, build_block, m);
  qn_nest_end(b);
}

/* The largest power of two of lanes that a run of `count` fills, up to a full vector of bytes. */
static int64_t lanes_for(const qn_loops *lo, int64_t count) {
  int64_t lanes = lo->target->vector_bytes;
  while (lanes > count) lanes /= 2;
  return lanes;
}

/* The initial accumulator and the requantization parameters, of the stored lanes. */
static qn_value *parameters(qn_loops *lo, const qn_op *op, const qn_plan_mean *plan, mean *m) {
  int64_t low, high, zero = plan->input_zero_point;
  const qn_plan_matrix one = {.channels = 1,
                              .rounding = plan->rounding,
                              .multipliers = &plan->multiplier,
                              .offset = plan->offset,
                              .output = plan->output};
  int32_t begin = (int32_t)(0u - (uint32_t)m->taps * (uint32_t)zero);
  int32_t *start = QN_NEW_ARRAY(lo->scratch, (size_t)m->stored, int32_t);
  for (int64_t i = 0; i < m->stored; i++) start[i] = begin;
  qn_bytes starts = {(const uint8_t *)start, (size_t)m->stored * sizeof *start};
  if (m->words) return qn_loops_constant(lo, qn_type_i(lo->cx, 32), starts);
  qn_storage_range(8, !m->is_unsigned, &low, &high);
  qn_interval *sums = QN_NEW(lo->scratch, qn_interval);
  *sums = (qn_interval){m->taps * (low - zero), m->taps * (high - zero)};
  m->epilogue = qn_epilogue_of(lo, op, &one, sums, false);
  int64_t *channels = QN_NEW_ARRAY(lo->scratch, (size_t)m->stored, int64_t);
  m->kind = qn_epilogue_kind_of(&m->epilogue, channels, m->stored, m->stored);
  size_t words = (size_t)qn_epilogue_words(m->kind) * (size_t)m->stored;
  int32_t *values = QN_NEW_ARRAY(lo->scratch, words, int32_t);
  qn_epilogue_fill(&m->epilogue, m->kind, channels, start, m->stored, values);
  qn_bytes bytes = {(const uint8_t *)values, words * sizeof *values};
  return qn_loops_constant(lo, qn_type_i(lo->cx, 32), bytes);
}

static qn_status lower_mean(qn_loops *lo, qn_op *op) {
  mean m = {0};
  qn_plan plan = qn_loops_plan(lo, op);
  merge_dims(lo, op, &m);
  m.is_unsigned = qn_type_is_unsigned(qn_type_element(qn_op_operand(op, 0)->type));
  m.words = qn_type_is_int(qn_type_element(op->results[0].type), 16) ? op : NULL;
  m.lanes = last_dim(&m)->reduced ? 4 : lanes_for(lo, m.inner);
  m.stored = lo->target->narrow16 ? 1 : m.lanes;
  qn_value *buffers[ARG_COUNT] = {[ARG_X] = qn_loops_buffer(lo, qn_op_operand(op, 0))};
  buffers[ARG_Y] = qn_loops_buffer(lo, qn_op_result(op, 0));
  buffers[ARG_PARAMS] = parameters(lo, op, &plan.mean, &m);
  qn_kernel k = qn_kernel_begin(lo, "mean", op, buffers, ARG_COUNT);
  build_units(&k, &m);
  qn_kernel_end(&k, m.outer, 0);
  return QN_OK;
}
const qn_schedule qn_schedule_ml_integer_mean = {.lower = lower_mean, .read = qn_plan_read_mean};
