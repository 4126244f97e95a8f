/* Pools and means as exact units: sums of (x - zero point), times a product of doubles that
 * includes 1 / number of elements (docs/arithmetic.md 19.3, 20.4).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/units/units.h"

enum { MOST_TAPS = 1 << 20 };

typedef struct summed {
  const qn_op *op;
  qn_unit_tensor x, y;
  bool real;    /* the result is f32 */
  int64_t most; /* maximum number of elements of one sum */
  bool is_sum;  /* the sum is not divided by the number of elements */
} summed;

static qn_status read_ends(qn_planner *p, const qn_op *op, int64_t most, summed *out) {
  *out = (summed){.op = op, .most = most};
  out->real = qn_type_is_float(qn_type_element(op->results[0].type), QN_F32);
  if (most > INT32_MAX) return qn_plan_refuse(p, op, "it sums %lld elements", (long long)most);
  QN_TRY(qn_unit_operand(p, op, 0, &out->x));
  return out->real ? QN_OK : qn_unit_result(p, op, &out->y);
}

/* The factor and offset for sums of `count` elements. For an f32 result the offset is the divisor.
 */
static qn_status numbers_of(qn_planner *p, const summed *s, int64_t count, qn_even_form *out) {
  const int64_t divisor = s->is_sum ? 1 : count;
  const qn_exact exact = {.factors = {s->x.scale, 1}, .step = s->y.scale, .count = divisor};
  int64_t reach = count << s->x.width;
  *out = (qn_even_form){.factor = s->x.scale, .offset = (double)divisor, .divisor = 1};
  return s->real ? QN_OK : qn_unit_even(p, s->op, &exact, -reach, reach, &s->y, out);
}

static qn_unit_numbers form_of(const summed *s, qn_unit_core core) {
  return (qn_unit_numbers){.core = core,
                           .finish = s->real ? QN_UNIT_REAL : QN_UNIT_EVEN,
                           .divides = s->real,
                           .zero_point = s->y.zero_point,
                           .min = s->y.min,
                           .max = s->y.max};
}

static qn_status one_count(qn_planner *p, const summed *s, qn_unit_core core, qn_plan *out) {
  qn_unit_numbers n = form_of(s, core);
  qn_even_form form;
  QN_TRY(numbers_of(p, s, s->most, &form));
  qn_unit_take(p, &form, &n);
  return qn_unit_form(p, &n, out);
}

/* Plans a mean over all rows and columns as computed by the kernel of onnxruntime. */
static qn_status fused_mean(qn_planner *p, const summed *s, qn_unit_core core, qn_plan *out) {
  qn_unit_numbers n = form_of(s, core);
  float below = (float)s->y.scale * (float)s->most;
  if (s->most > INT32_MAX >> 8)
    return qn_plan_refuse(p, s->op, "its sums may be beyond the 32 bits of the kernels of %s",
                          p->profile->name);
  n.finish = QN_UNIT_SINGLE;
  n.factors = qn_unit_number(p, (double)((float)s->x.scale / below));
  return qn_unit_form(p, &n, out);
}

static bool is_fused(const qn_planner *p, const summed *s) {
  return !s->real && qn_unit_is_fused(p, s->op) && s->x.width == 8 && s->y.width == 8 &&
         s->x.is_signed == s->y.is_signed;
}

/* ---- means ---- */

qn_status qn_unit_mean(qn_planner *p, const qn_op *op, qn_plan *out) {
  summed s;
  int64_t in = qn_type_elements(op->operands[0].value->type);
  int64_t results = qn_type_elements(op->results[0].type);
  if (results <= 0 || in <= 0)
    return qn_plan_refuse_numbers(p, "the mean of no elements is not defined");
  QN_TRY(read_ends(p, op, in / results, &s));
  if (is_fused(p, &s)) return fused_mean(p, &s, QN_UNIT_REDUCED, out);
  return one_count(p, &s, QN_UNIT_REDUCED, out);
}

qn_status qn_unit_reduce_sum(qn_planner *p, const qn_op *op, qn_plan *out) {
  summed s;
  int64_t in = qn_type_elements(op->operands[0].value->type);
  int64_t results = qn_type_elements(op->results[0].type);
  QN_TRY(read_ends(p, op, results > 0 ? in / results : 0, &s));
  s.is_sum = true;
  return one_count(p, &s, QN_UNIT_REDUCED, out);
}

/* ---- average pools ---- */

/* Number of taps inside the input, in one dimension. */
static int64_t taps_inside(const qn_op *op, uint32_t spatial, int64_t out) {
  int64_t begin = out * qn_op_strides(op).data[spatial] - qn_op_pad(op).data[2 * spatial];
  int64_t end = begin + qn_op_kernel_sizes(op).data[spatial];
  int64_t size = op->operands[0].value->type->shaped.dims[1 + spatial];
  return (end < size ? end : size) - (begin > 0 ? begin : 0);
}

/* Sets factor, offset and divisor for every row and column of the result. */
static qn_status counts_by_place(qn_planner *p, const summed *s, qn_plan *out) {
  const int64_t *dims = s->op->results[0].type->shaped.dims;
  const int64_t count = dims[1] * dims[2];
  qn_unit_numbers n = form_of(s, QN_UNIT_WINDOW);
  double *factors = QN_NEW_ARRAY(p->arena, (size_t)count + 1, double);
  double *offsets = QN_NEW_ARRAY(p->arena, (size_t)count + 1, double);
  double *divisors = QN_NEW_ARRAY(p->arena, (size_t)count + 1, double);
  qn_even_form *known = QN_NEW_ARRAY(p->arena, (size_t)s->most + 1, qn_even_form);
  for (int64_t row = 0, at = 0; row < dims[1]; row++)
    for (int64_t column = 0; column < dims[2]; column++, at++) {
      int64_t taps = taps_inside(s->op, 0, row) * taps_inside(s->op, 1, column);
      if (taps < 1) return qn_plan_refuse(p, s->op, "a window lies outside of the input");
      if (known[taps].factor == 0) QN_TRY(numbers_of(p, s, taps, &known[taps]));
      factors[at] = known[taps].factor;
      offsets[at] = known[taps].offset;
      divisors[at] = known[taps].divisor;
    }
  n.factors = factors;
  n.offsets = offsets;
  n.divisors = divisors;
  n.count = count;
  return qn_unit_form(p, &n, out);
}

static bool covers_all(const qn_op *op) {
  const int64_t *dims = op->operands[0].value->type->shaped.dims;
  qn_i64s kernel = qn_op_kernel_sizes(op), pad = qn_op_pad(op);
  for (uint32_t i = 0; i < 4; i++)
    if (pad.data[i] != 0) return false;
  return kernel.data[0] == dims[1] && kernel.data[1] == dims[2];
}

/* Plans average pooling as computed by the kernel of onnxruntime: floats are summed row by row, and
 * the zero point is added before rounding. */
static qn_status fused_windows(qn_planner *p, const summed *s, qn_plan *out) {
  QN_TRY(counts_by_place(p, s, out));
  qn_unit_numbers *n = QN_NEW(p->arena, qn_unit_numbers);
  const int64_t *dims = s->op->results[0].type->shaped.dims;
  double *counts = QN_NEW_ARRAY(p->arena, (size_t)(dims[1] * dims[2]) + 1, double);
  for (int64_t i = 0; i < dims[1] * dims[2]; i++)
    counts[i] = (double)(taps_inside(s->op, 0, i / dims[2]) * taps_inside(s->op, 1, i % dims[2]));
  *n = *out->unit;
  n->core = QN_UNIT_FLOAT_WINDOW;
  n->divisors = NULL;
  n->offsets = counts;
  n->step = s->y.scale;
  n->shift = qn_unit_shift(s->op);
  out->unit = n;
  return QN_OK;
}

qn_status qn_unit_avg_pool(qn_planner *p, const qn_op *op, qn_plan *out) {
  summed s;
  qn_i64s kernel = qn_op_kernel_sizes(op);
  if (op->results[0].type->shaped.rank != 4 || kernel.count != 2 ||
      kernel.data[0] > MOST_TAPS / kernel.data[1])
    return qn_plan_refuse(p, op, "its windows are not of two dimensions, or too large");
  QN_TRY(read_ends(p, op, kernel.data[0] * kernel.data[1], &s));
  if (!is_fused(p, &s)) return counts_by_place(p, &s, out);
  return covers_all(op) ? fused_mean(p, &s, QN_UNIT_WINDOW, out) : fused_windows(p, &s, out);
}

/* Plans max pooling on stored values; operand and result have equal quantization. */
qn_status qn_unit_max_pool(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_unit_tensor x, y;
  QN_TRY(qn_unit_pair(p, op, &x, &y));
  if (x.scale != y.scale || x.zero_point != y.zero_point || x.width != y.width ||
      x.is_signed != y.is_signed)
    return qn_plan_refuse(p, op, "input and result have different quantization");
  if (x.width != 8 && !(x.width == 16 && x.is_signed))
    return qn_plan_refuse(p, op, "windows of %u bits have no kernel", x.width);
  out->kind = QN_PLAN_POOL;
  out->pool = (qn_plan_pool){.min = (int32_t)y.min, .max = (int32_t)y.max};
  return QN_OK;
}
