/* Matrix products: convolutions over one row of pixels, where each pixel is a row of x.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/infer/matmul.h"
#include "lower/loops/int16/int16.h"
#include "lower/loops/matrix/bytes.h"
#include "lower/loops/matrix/epilogue/halves.h"
#include "lower/loops/matrix/floats.h"
#include "lower/loops/narrow/narrow.h"
#include "lower/loops/schedule.h"

/* Rows of x, `apart` elements apart, become pixels. With a dynamic batch, the rows of one batch
 * element are an image. */
static void set_rows(const qn_loops *lo, const qn_op *op, int64_t rows, int64_t apart, qn_gemm *g) {
  int32_t size = qn_loops_size(lo, &op->results[0]);
  int64_t images = size != QN_SIZE_FIXED ? qn_loops_bound(lo, size) : 1, per_image = rows / images;
  g->groups = 1;
  g->counts[0] = images, g->counts[1] = 1, g->counts[2] = per_image;
  g->strides[0] = per_image * apart, g->strides[2] = apart;
  g->y_strides[0] = per_image * g->channels, g->y_strides[2] = g->channels;
  g->by_image = size != QN_SIZE_FIXED;
}

static void set_geometry(qn_loops *lo, const qn_op *op, qn_gemm *g) {
  int64_t *taps = QN_NEW_ARRAY(lo->scratch, (size_t)g->tap_count + 1, int64_t);
  for (int64_t t = 0; t < g->tap_count; t++) taps[t] = t;
  g->taps = taps;
  g->extent = g->tap_count;
  set_rows(lo, op, qn_type_elements(qn_op_operand(op, 0)->type) / g->tap_count, g->tap_count, g);
}

static qn_status lower_int16(qn_loops *lo, qn_op *op) {
  qn_gemm gemm = qn_int16_gemm(lo, op, "linear16");
  set_geometry(lo, op, &gemm);
  return qn_gemm_lower(lo, &gemm);
}

static qn_gemm bytes_gemm(qn_loops *lo, const qn_op *op, qn_bytes_product *product) {
  product->has_rows = true;
  qn_gemm gemm = qn_bytes_gemm(op, product);
  qn_channel_layout layout = qn_channel_layout_of(op);
  qn_gemm_set_layout(&gemm, &layout, 1);
  gemm.source.bias = qn_op_operand(op, 2);
  set_geometry(lo, op, &gemm);
  return gemm;
}

static bool linear_geometry(qn_loops *lo, const qn_op *op, qn_bytes_product *product,
                            qn_weights *weights, qn_gemm *out_gemm) {
  if (qn_int16_applies(op) || !qn_weights_describe(lo, op, weights)) return false;
  *out_gemm = bytes_gemm(lo, op, product);
  return true;
}

static void *choose_linear(qn_loops *lo, const qn_op *op) {
  return qn_bytes_choose_micro(lo, linear_geometry, op);
}

static qn_status lower_linear(qn_loops *lo, qn_op *op) {
  if (qn_int16_applies(op)) return lower_int16(lo, op);
  qn_weights weights;
  QN_TRY(qn_weights_read(lo, op, &weights));
  qn_epilogue epilogue = qn_epilogue_of(lo, op, weights.plan, weights.sums, weights.constant);
  qn_halves_find(lo, &epilogue, &weights);
  qn_bytes_product product = {.weights = &weights, .epilogue = &epilogue};
  qn_gemm gemm = bytes_gemm(lo, op, &product);
  qn_bytes_gemm_finish(lo, &gemm, "linear", &product);
  return qn_gemm_lower(lo, &gemm);
}
const qn_schedule qn_schedule_ml_integer_linear = {.lower = lower_linear,
                                                   .choose = choose_linear,
                                                   .read = qn_plan_read_matrix,
                                                   .constants_from = 3,
                                                   .leads = true};

static qn_status lower_linear_floats(qn_loops *lo, qn_op *op) {
  if (qn_narrow_applies(lo, op)) return qn_narrow_lower(lo, op);
  QN_TRY(qn_floats_check(lo, op));
  const int64_t *dims = qn_op_operand(op, 1)->type->shaped.dims;
  qn_gemm gemm = qn_floats_gemm(op, "linear", dims[0], dims[1]);
  gemm.source.channel_step = dims[1];
  gemm.source.tap_step = 1;
  set_geometry(lo, op, &gemm);
  return qn_gemm_lower(lo, &gemm);
}
const qn_schedule qn_schedule_ml_linear = {
    .lower = lower_linear_floats, .gives_floats = qn_floats_gives, .widens = qn_narrow_takes};

/* ---- two computed operands: the second one is packed like weights, one panel per batch element
 * ---- */

/* If the second operand has no batch dimensions and the rows of x are contiguous, all rows of x
 * form one product. */
static void join_batches(const qn_op *op, qn_matmul *m) {
  bool alone = qn_type_elements(qn_op_operand(op, 1)->type) == m->columns * m->depth;
  bool all = qn_type_elements(qn_op_operand(op, 0)->type) == m->batch_count * m->rows * m->depth;
  bool rows = m->x_step == 1;
  if (!alone || !all || !rows) return;
  m->rows *= m->batch_count;
  m->x_row = m->depth;
  m->batch_count = 1;
}

/* One product per batch element: each is a group. */
static void set_batches(const qn_loops *lo, const qn_op *op, const qn_matmul *m, qn_gemm *g) {
  int32_t size = qn_loops_size(lo, &op->results[0]);
  if (size != QN_SIZE_FIXED) g->entries = qn_loops_bound(lo, size);
  g->groups = m->batch_count;
  g->counts[0] = g->counts[1] = 1, g->counts[2] = m->rows;
  g->strides[2] = m->x_row;
  g->y_strides[2] = m->columns;
}

static int64_t *batch_offsets(qn_loops *lo, const qn_op *op, const qn_matmul *m, uint32_t operand) {
  int64_t *offsets = QN_NEW_ARRAY(lo->scratch, (size_t)m->batch_count, int64_t);
  for (int64_t i = 0; i < m->batch_count; i++)
    offsets[i] = m->batch_count > 1 ? qn_matmul_batch_offset(op, m, operand, i) : 0;
  return offsets;
}

static void set_pair(qn_loops *lo, const qn_op *op, const qn_matmul *m, qn_gemm *g) {
  int64_t *taps = QN_NEW_ARRAY(lo->scratch, (size_t)m->depth + 1, int64_t);
  for (int64_t k = 0; k < m->depth; k++) taps[k] = k * m->x_step;
  g->taps = taps;
  g->extent = taps[m->depth - 1] + 1;
  g->source.channel_step = m->y_column;
  g->source.tap_step = m->y_step;
  g->x_of_group = batch_offsets(lo, op, m, 0);
  g->weights_of_group = batch_offsets(lo, op, m, 1);
  int64_t *y_of_group = QN_NEW_ARRAY(lo->scratch, (size_t)m->batch_count, int64_t);
  for (int64_t i = 0; i < m->batch_count; i++) y_of_group[i] = i * m->rows * m->columns;
  g->y_of_group = y_of_group;
  if (m->batch_count == 1)
    set_rows(lo, op, m->rows, m->x_row, g);
  else
    set_batches(lo, op, m, g);
}

static qn_matmul pair_of(const qn_op *op) {
  qn_matmul m;
  const char *problem = qn_matmul_of(op, &m);
  QN_ASSERT(!problem);
  join_batches(op, &m);
  return m;
}

static qn_status lower_matmul(qn_loops *lo, qn_op *op) {
  QN_TRY(qn_floats_check(lo, op));
  qn_matmul m = pair_of(op);
  qn_gemm gemm = qn_floats_gemm(op, "matmul", m.columns * m.batch_count, m.depth);
  set_pair(lo, op, &m, &gemm);
  return qn_gemm_lower(lo, &gemm);
}
const qn_schedule qn_schedule_ml_matmul = {.lower = lower_matmul, .gives_floats = qn_floats_gives};

static qn_gemm bytes_pair(qn_loops *lo, const qn_op *op, const qn_matmul *m,
                          qn_bytes_product *product) {
  product->has_rows = true;
  qn_gemm gemm = qn_bytes_gemm(op, product);
  set_pair(lo, op, m, &gemm);
  return gemm;
}

static bool pair_geometry(qn_loops *lo, const qn_op *op, qn_bytes_product *product,
                          qn_weights *weights, qn_gemm *out_gemm) {
  qn_matmul m = pair_of(op);
  if (!qn_weights_describe_pair(lo, op, &m, weights)) return false;
  *out_gemm = bytes_pair(lo, op, &m, product);
  return true;
}

static void *choose_pair(qn_loops *lo, const qn_op *op) {
  return qn_bytes_choose_micro(lo, pair_geometry, op);
}

static qn_status lower_integer_matmul(qn_loops *lo, qn_op *op) {
  qn_matmul m = pair_of(op);
  qn_weights weights;
  QN_TRY(qn_weights_read_pair(lo, op, &m, &weights));
  qn_epilogue epilogue = qn_epilogue_of(lo, op, weights.plan, weights.sums, weights.constant);
  qn_bytes_product product = {.weights = &weights, .epilogue = &epilogue};
  qn_gemm gemm = bytes_pair(lo, op, &m, &product);
  qn_bytes_gemm_finish(lo, &gemm, "matmul", &product);
  return qn_gemm_lower(lo, &gemm);
}
const qn_schedule qn_schedule_ml_integer_matmul = {.lower = lower_integer_matmul,
                                                   .choose = choose_pair,
                                                   .read = qn_plan_read_product,
                                                   .leads = true};
