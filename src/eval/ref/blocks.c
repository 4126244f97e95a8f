/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/blocks.h"

#include <math.h>
#include <string.h>

#include "ir/numerics.h"

/* ---- rows ---- */

/* The maximum of |x| by bits, in which a NaN is larger than any number. */
static float largest_magnitude(const float *x, int64_t count) {
  uint32_t most = 0;
  float largest;
  for (int64_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, x + i, sizeof bits);
    bits &= INT32_MAX;
    if (bits > most) most = bits;
  }
  memcpy(&largest, &most, sizeof largest);
  return largest;
}

/* A row with an element that is not finite is 0 with the scale NaN, so that its results are NaN.
 * Below `LEAST` the factor of elements would overflow. */
static float quantize_row(const float *x, int64_t count, int8_t *out_row) {
  static const float LEAST = 0x1p-119F;
  float largest = largest_magnitude(x, count);
  memset(out_row, 0, (size_t)count);
  if (largest == 0) return 0;
  if (!isfinite(largest)) return NAN;
  if (largest < LEAST) largest = LEAST;
  const float factor = INT8_MAX / largest;
  for (int64_t i = 0; i < count; i++) {
    const float product = x[i] * factor;
    out_row[i] = (int8_t)rintf(product);
  }
  return largest / INT8_MAX;
}

static int64_t blocks_of(int64_t depth, int64_t block) { return (depth - 1) / block + 1; }

qn_status qn_ref_quantize_row8(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *q = qn_eval_result(ev, op, 0), *scales = qn_eval_result(ev, op, 1),
              *sums = qn_eval_result(ev, op, 2);
  int64_t rows = qn_rt_count(scales), count = qn_rt_count(x), depth = rows > 0 ? count / rows : 0;
  int64_t block = qn_op_block(op);
  if (rows < 1 || depth < 1 || depth * rows != count || qn_rt_count(q) != count ||
      qn_rt_count(sums) != rows * blocks_of(depth, block))
    return qn_eval_fail(ev, op, "has results that are not the rows of its input");
  const float *values = (const float *)(const void *)x->data;
  int8_t *bytes = (int8_t *)q->data;
  for (int64_t i = 0, next = 0; i < rows; i++) {
    const float scale = quantize_row(values + i * depth, depth, bytes + i * depth);
    qn_rt_set_float(scales, i, (double)scale);
    for (int64_t first = 0; first < depth; first += block) {
      int64_t sum = 0;
      for (int64_t k = first; k < depth && k - first < block; k++) sum += bytes[i * depth + k];
      qn_rt_set_int(sums, next++, sum);
    }
    qn_guard_work(depth);
  }
  return QN_OK;
}

/* ---- products ---- */

enum { X, SCALES, SUMS, WEIGHTS, WEIGHT_SCALES, WEIGHT_ZEROS, BIAS };

typedef struct product {
  const int8_t *x;
  const uint8_t *w;
  const qn_rt_value *scales, *sums, *w_scales, *w_zeros, *bias; /* bias: NULL if none */
  int64_t depth, channels, block, blocks;
  float low, high; /* bounds of the activation */
} product;

/* The sum of a block of x * (w - zero point). It wraps, which no sum of verified rows does. */
static int32_t sum_of(const product *p, int64_t row, int64_t channel, int64_t block) {
  int64_t first = block * p->block, left = p->depth - first;
  const int8_t *x = p->x + row * p->depth + first;
  const uint8_t *w = p->w + channel * p->depth + first;
  uint32_t sum = 0;
  for (int64_t k = 0; k < left && k < p->block; k++) sum += (uint32_t)((int32_t)x[k] * w[k]);
  uint32_t zero = (uint8_t)qn_rt_int(p->w_zeros, channel * p->blocks + block);
  return (int32_t)(sum - zero * (uint32_t)qn_rt_int(p->sums, row * p->blocks + block));
}

static double result_of(const product *p, int64_t row, int64_t channel) {
  float y = 0, scale = (float)qn_rt_float(p->scales, row);
  for (int64_t b = 0; b < p->blocks; b++)
    y = fmaf((float)sum_of(p, row, channel, b),
             (float)qn_rt_float(p->w_scales, channel * p->blocks + b), y);
  y = p->bias ? fmaf(y, scale, (float)qn_rt_float(p->bias, channel)) : y * scale;
  if (y < p->low) y = p->low;
  return (double)(p->high < y ? p->high : y);
}

static bool fits(qn_eval *ev, const qn_op *op, const product *p, int64_t rows) {
  return p->depth > 0 && p->channels > 0 && rows > 0 &&
         qn_rt_count(qn_eval_operand(ev, op, X)) == rows * p->depth &&
         qn_rt_count(p->scales) == rows && qn_rt_count(p->sums) == rows * p->blocks &&
         qn_rt_count(p->w_scales) == p->channels * p->blocks &&
         qn_rt_count(p->w_zeros) == p->channels * p->blocks &&
         (!p->bias || qn_rt_count(p->bias) == p->channels) &&
         qn_rt_count(qn_eval_result(ev, op, 0)) == rows * p->channels;
}

static qn_status multiply(qn_eval *ev, const qn_op *op) {
  const qn_type *w = qn_ref_operand_type(op, WEIGHTS);
  if (w->shaped.rank != 2) return qn_eval_fail(ev, op, "needs weights of rank 2");
  product p = {.x = (const int8_t *)qn_eval_operand(ev, op, X)->data,
               .w = qn_eval_operand(ev, op, WEIGHTS)->data,
               .scales = qn_eval_operand(ev, op, SCALES),
               .sums = qn_eval_operand(ev, op, SUMS),
               .w_scales = qn_eval_operand(ev, op, WEIGHT_SCALES),
               .w_zeros = qn_eval_operand(ev, op, WEIGHT_ZEROS),
               .bias = op->operand_count > BIAS ? qn_eval_operand(ev, op, BIAS) : NULL,
               .block = qn_op_block(op),
               .channels = w->shaped.dims[0],
               .depth = w->shaped.dims[1]};
  p.blocks = p.depth > 0 ? blocks_of(p.depth, p.block) : 0;
  qn_op_real_limits(ev->module, op, &p.low, &p.high);
  int64_t rows = qn_rt_count(p.scales);
  if (!fits(ev, op, &p, rows)) return qn_eval_fail(ev, op, "has operands that don't go together");
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  for (int64_t r = 0, next = 0; r < rows; r++) {
    for (int64_t c = 0; c < p.channels; c++) qn_rt_set_float(y, next++, result_of(&p, r, c));
    qn_guard_work(p.channels * p.depth);
  }
  return QN_OK;
}

qn_status qn_eval_ml_block_linear(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, multiply);
}
