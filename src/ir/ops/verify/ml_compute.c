/* Verifiers of ml ops with arithmetic, and of their integer forms, which have the same shapes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/ml.h"
#include "quant/multiplier.h"

static bool check_rank(qn_ir_context *cx, const qn_op *op, const char *what, const qn_type *type,
                       uint32_t rank) {
  if (type->shaped.rank == rank) return true;
  return qn_op_complain(cx, op, "%s must have rank %u, but got %s", what, rank,
                        qn_type_quoted(cx, type));
}

static bool check_dim(qn_ir_context *cx, const qn_op *op, const char *what, int64_t is,
                      int64_t expected) {
  if (is == expected) return true;
  return qn_op_complain(cx, op, "%s is %lld, but %lld is expected", what, (long long)is,
                        (long long)expected);
}

/* ---- windows ---- */

/* One spatial dimension. All values are below 2^31, so nothing overflows. */
typedef struct window {
  int64_t in, out, kernel, stride, dilation, before, after;
} window;

static window window_of(const qn_op *op, int spatial, int64_t kernel) {
  qn_i64s strides = qn_op_strides(op), pad = qn_op_pad(op);
  qn_i64s dilations = qn_op_dilations(op);
  return (window){.in = qn_ml_in(op, 0)->shaped.dims[1 + spatial],
                  .out = qn_ml_out(op)->shaped.dims[1 + spatial],
                  .kernel = kernel,
                  .stride = strides.data[spatial],
                  .dilation = dilations.count ? dilations.data[spatial] : 1,
                  .before = pad.data[2 * spatial],
                  .after = pad.data[2 * spatial + 1]};
}

static bool check_window(qn_ir_context *cx, const qn_op *op, const window *w) {
  int64_t padded = w->in + w->before + w->after;
  int64_t extent = (w->kernel - 1) * w->dilation + 1;
  if (extent > padded) {
    return qn_op_complain(cx, op, "the kernel covers %lld, but the padded input has only %lld",
                          (long long)extent, (long long)padded);
  }
  return check_dim(cx, op, "a spatial dimension of the result", w->out,
                   (padded - extent) / w->stride + 1);
}

static bool check_window_attrs(qn_ir_context *cx, const qn_op *op, qn_attr_id third) {
  return qn_ml_i64s(cx, op, QN_A_STRIDES, 2) && qn_ml_i64s(cx, op, QN_A_PAD, 4) &&
         qn_ml_i64s(cx, op, third, 2);
}

/* ---- channels ---- */

static bool is_integer_form(const qn_op *op) { return !qn_op_has(op, QN_MODEL_STAGE); }

/* A constant operand's values in [-31, 31]: what fixed.h takes as shift. */
static bool check_shifts(qn_ir_context *cx, const qn_op *op, const qn_value *shift) {
  const qn_attr *payload = qn_value_constant(shift);
  if (!payload || !qn_attr_is_elements(payload)) return true;
  int64_t count = payload->dense.splat ? 1 : qn_type_elements(payload->type);
  for (int64_t i = 0; i < count; i++) {
    int64_t value = qn_dense_int(payload, i);
    if (value < -31 || value > 31) {
      return qn_op_complain(cx, op, "shift %lld of channel %lld is out of [-31, 31]",
                            (long long)value, (long long)i);
    }
  }
  return true;
}

static bool check_vector(qn_ir_context *cx, const qn_op *op, const char *what, const qn_type *type,
                         int64_t channels, bool element_ok) {
  if (element_ok && type->shaped.rank == 1 && type->shaped.dims[0] == channels) return true;
  return qn_op_complain(cx, op, "%s must have one value per output channel (%lld), but got %s",
                        what, (long long)channels, qn_type_quoted(cx, type));
}

static bool is_width(const qn_type *type, uint32_t width) {
  const qn_quant_uniform *q = qn_type_quant(type);
  return qn_type_is_int(q ? q->storage : qn_type_element(type), width);
}

/* Bias, multiplier and shift. */
static bool check_channel_operands(qn_ir_context *cx, const qn_op *op, int64_t channels) {
  if (op->operand_count > 2) {
    const qn_type *bias = qn_ml_in(op, 2);
    bool known = is_width(bias, 32) || (!is_integer_form(op) &&
                                        (is_width(bias, 64) || qn_is_float(qn_type_element(bias))));
    if (!check_vector(cx, op, "the bias", bias, channels, known)) return false;
  }
  if (!is_integer_form(op)) return true;
  bool real = qn_op_requant_rounding(op) == QN_REQUANT_REAL;
  const qn_type *multiplier = qn_ml_in(op, 3), *shift = qn_ml_in(op, 4);
  const qn_type *element = qn_type_element(multiplier);
  bool known = real ? qn_type_is_float(element, QN_F64) : qn_is_i(element, 32);
  return check_vector(cx, op, real ? "the f64 multiplier" : "the i32 multiplier", multiplier,
                      channels, known) &&
         check_vector(cx, op, "the i32 shift", shift, channels,
                      qn_is_i(qn_type_element(shift), 32)) &&
         check_shifts(cx, op, qn_op_operand(op, 4));
}

/* Integer forms take 8-bit activations, and weights of 8 bits or, widened, signed 16. */
static bool check_integer_elements(qn_ir_context *cx, const qn_op *op) {
  if (!is_integer_form(op)) return true;
  const qn_type *weights = qn_ml_in(op, 1);
  bool known = qn_ml_is_8bit(qn_ml_in(op, 0)) && qn_ml_is_8bit(qn_ml_out(op)) &&
               (qn_ml_is_8bit(weights) || qn_is_i(qn_type_element(weights), 16));
  return known || qn_op_complain(cx, op, "takes 8-bit tensors, and weights of 8 bits or i16");
}

static bool check_depthwise(qn_ir_context *cx, const qn_op *op, int64_t in, const int64_t *w) {
  if (!check_dim(cx, op, "the first dimension of depthwise weights", w[0], 1)) return false;
  if (w[3] % in == 0) return true;
  return qn_op_complain(cx, op, "%lld depthwise filters are no multiple of %lld input channels",
                        (long long)w[3], (long long)in);
}

static bool check_groups(qn_ir_context *cx, const qn_op *op, int64_t in, const int64_t *w) {
  int64_t groups = qn_op_groups(op);
  if (groups < 1 || in % groups != 0 || w[0] % groups != 0) {
    return qn_op_complain(cx, op, "%lld groups do not divide %lld input and %lld output channels",
                          (long long)groups, (long long)in, (long long)w[0]);
  }
  return check_dim(cx, op, "the last dimension of the weights", w[3], in / groups);
}

bool qn_verify_ml_conv(qn_ir_context *cx, const qn_op *op) {
  bool depthwise =
      op->kind == QN_OP_ML_DEPTHWISE_CONV || op->kind == QN_OP_ML_INTEGER_DEPTHWISE_CONV;
  if (!qn_ml_tensors(cx, op) || !check_window_attrs(cx, op, QN_A_DILATIONS) ||
      !check_rank(cx, op, "the input", qn_ml_in(op, 0), 4) ||
      !check_rank(cx, op, "the weights", qn_ml_in(op, 1), 4) ||
      !check_rank(cx, op, "the result", qn_ml_out(op), 4)) {
    return false;
  }
  const int64_t *x = qn_ml_in(op, 0)->shaped.dims, *w = qn_ml_in(op, 1)->shaped.dims;
  const int64_t *y = qn_ml_out(op)->shaped.dims;
  int64_t channels = depthwise ? w[3] : w[0];
  window vertical = window_of(op, 0, w[1]), horizontal = window_of(op, 1, w[2]);
  bool ok = depthwise ? check_depthwise(cx, op, x[3], w) : check_groups(cx, op, x[3], w);
  ok = ok && check_dim(cx, op, "the batch of the result", y[0], x[0]) &&
       check_dim(cx, op, "the channel count of the result", y[3], channels) &&
       check_window(cx, op, &vertical) && check_window(cx, op, &horizontal);
  return (int)qn_ml_scalars(cx, op) &
         (ok && check_channel_operands(cx, op, channels) && check_integer_elements(cx, op));
}

bool qn_verify_ml_linear(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !check_rank(cx, op, "the weights", qn_ml_in(op, 1), 2)) {
    return false;
  }
  const qn_type *x = qn_ml_in(op, 0), *y = qn_ml_out(op);
  const int64_t *w = qn_ml_in(op, 1)->shaped.dims;
  uint32_t rank = x->shaped.rank;
  if (rank == 0) return qn_op_complain(cx, op, "the input must have a dimension");
  if (!check_rank(cx, op, "the result", y, rank)) return false;
  bool ok =
      check_dim(cx, op, "the last dimension of the weights", w[1], x->shaped.dims[rank - 1]) &&
      check_dim(cx, op, "the last dimension of the result", y->shaped.dims[rank - 1], w[0]);
  for (uint32_t i = 0; ok && i + 1 < rank; i++) {
    ok = check_dim(cx, op, "a leading dimension of the result", y->shaped.dims[i],
                   x->shaped.dims[i]);
  }
  return (int)qn_ml_scalars(cx, op) &
         (ok && check_channel_operands(cx, op, w[0]) && check_integer_elements(cx, op));
}

/* ---- pooling and reduction ---- */

/* Every window has a tap inside of the input: the average divides by their number. */
static bool check_pool_window(qn_ir_context *cx, const qn_op *op, const window *w) {
  if (w->before >= w->kernel || w->after >= w->kernel) {
    return qn_op_complain(cx, op, "padding of a pool must be less than its kernel size");
  }
  return check_window(cx, op, w);
}

static bool check_8bit_form(qn_ir_context *cx, const qn_op *op) {
  if (!is_integer_form(op)) return true;
  bool ok = qn_ml_is_8bit(qn_ml_out(op));
  for (uint32_t i = 0; i < op->operand_count; i++) ok &= qn_ml_is_8bit(qn_ml_in(op, i));
  return ok || qn_op_complain(cx, op, "takes 8-bit tensors to an 8-bit tensor");
}

bool qn_verify_ml_pool(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !check_window_attrs(cx, op, QN_A_KERNEL_SIZES) ||
      !check_rank(cx, op, "the input", qn_ml_in(op, 0), 4) ||
      !check_rank(cx, op, "the result", qn_ml_out(op), 4)) {
    return false;
  }
  const int64_t *x = qn_ml_in(op, 0)->shaped.dims, *y = qn_ml_out(op)->shaped.dims;
  const int64_t *kernel = qn_op_kernel_sizes(op).data;
  window vertical = window_of(op, 0, kernel[0]), horizontal = window_of(op, 1, kernel[1]);
  bool ok = check_dim(cx, op, "the batch of the result", y[0], x[0]) &&
            check_dim(cx, op, "the channel count of the result", y[3], x[3]) &&
            check_pool_window(cx, op, &vertical) && check_pool_window(cx, op, &horizontal);
  return (int)qn_ml_scalars(cx, op) & (ok && check_8bit_form(cx, op));
}

bool qn_verify_ml_reduce(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, 0), *y = qn_ml_out(op);
  qn_i64s axes = qn_op_axes(op);
  bool keep = qn_op_keep_dims(op), reduced[QN_ML_MAX_RANK] = {false};
  for (uint32_t i = 0; i < axes.count; i++) {
    if (axes.data[i] < 0 || axes.data[i] >= x->shaped.rank || reduced[axes.data[i]]) {
      return qn_op_complain(cx, op, "axis %lld is out of range or repeated",
                            (long long)axes.data[i]);
    }
    reduced[axes.data[i]] = true;
  }
  uint32_t at = 0;
  bool ok = y->shaped.rank == (keep ? x->shaped.rank : x->shaped.rank - axes.count);
  for (uint32_t i = 0; ok && i < x->shaped.rank; i++) {
    if (reduced[i] && !keep) continue;
    ok = y->shaped.dims[at++] == (reduced[i] ? 1 : x->shaped.dims[i]);
  }
  if (!ok) {
    return qn_op_complain(cx, op, "result %s is not the input %s without its reduced dimensions",
                          qn_type_quoted(cx, y), qn_type_quoted(cx, x));
  }
  return (int)qn_ml_scalars(cx, op) & (int)check_8bit_form(cx, op);
}

/* ---- elementwise ---- */

/* Size of a dimension counted from the last; 1 beyond the first. */
static int64_t dim_from_end(const qn_type *type, uint32_t i) {
  return i < type->shaped.rank ? type->shaped.dims[type->shaped.rank - 1 - i] : 1;
}

bool qn_verify_ml_broadcast(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op)) return false;
  const qn_type *a = qn_ml_in(op, 0), *b = qn_ml_in(op, 1), *y = qn_ml_out(op);
  uint32_t rank = a->shaped.rank > b->shaped.rank ? a->shaped.rank : b->shaped.rank;
  bool ok = y->shaped.rank == rank;
  for (uint32_t i = 0; ok && i < rank; i++) {
    int64_t m = dim_from_end(a, i), n = dim_from_end(b, i);
    ok = (m == n || m == 1 || n == 1) && dim_from_end(y, i) == (m == 1 ? n : m);
  }
  if (!ok) {
    return qn_op_complain(cx, op, "%s and %s do not broadcast to %s", qn_type_quoted(cx, a),
                          qn_type_quoted(cx, b), qn_type_quoted(cx, y));
  }
  return (int)qn_ml_scalars(cx, op) & (int)check_8bit_form(cx, op);
}

static bool check_softmax(qn_ir_context *cx, const qn_op *op) {
  if (op->kind != QN_OP_ML_INTEGER_SOFTMAX) return true;
  if (!check_8bit_form(cx, op)) return false;
  return qn_op_shift(op) >= 0 || qn_op_complain(cx, op, "needs a shift of 0 or more");
}

/* Quantized to and from f32 at the integer stage. */
static bool check_float_side(qn_ir_context *cx, const qn_op *op) {
  bool quantize = op->kind == QN_OP_ML_QUANTIZE_FLOAT;
  if (!quantize && op->kind != QN_OP_ML_DEQUANTIZE_FLOAT) return true;
  const qn_type *real = quantize ? qn_ml_in(op, 0) : qn_ml_out(op);
  const qn_type *stored = quantize ? qn_ml_out(op) : qn_ml_in(op, 0);
  if (qn_type_is_float(qn_type_element(real), QN_F32) && qn_ml_is_8bit(stored)) return true;
  return qn_op_complain(cx, op, "converts between f32 and 8-bit tensors");
}

bool qn_ml_one_shape(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op)) return false;
  if (qn_same_shape(qn_ml_in(op, 0), qn_ml_out(op))) return true;
  return qn_op_complain(cx, op, "requires the same shape for operand %s and result %s",
                        qn_type_quoted(cx, qn_ml_in(op, 0)), qn_type_quoted(cx, qn_ml_out(op)));
}

bool qn_verify_same_shape(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_one_shape(cx, op)) return false;
  return (int)qn_ml_scalars(cx, op) & (check_softmax(cx, op) && check_float_side(cx, op));
}

bool qn_verify_ml_lut(qn_ir_context *cx, const qn_op *op) {
  enum { ENTRIES = 256 };
  if (!qn_ml_tensors(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, 0), *table = qn_ml_in(op, 1), *y = qn_ml_out(op);
  bool is_table = table->shaped.rank == 1 && table->shaped.dims[0] == ENTRIES;
  if (is_table && qn_ml_is_8bit(x) && qn_ml_is_8bit(table) && qn_ml_is_8bit(y) &&
      qn_same_shape(x, y)) {
    return true;
  }
  return qn_op_complain(cx, op, "takes an 8-bit tensor and a table of %d bytes to the same shape",
                        ENTRIES);
}
