/* Quantization: from the file's scales and zero points to !quant.uniform types.
 *
 * Scales are float32 in the file and stay exactly that as doubles. What runtimes ignore (zero
 * points of int8 convolution weights, the stored scale of a bias) is not used either, with a
 * message when it would have mattered.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/tflite/tflite.h"

/* A stored bias scale may be off by this much in units of the output (docs/arithmetic.md 4.3).
 */
static const double BIAS_TOLERANCE = 0.02;

typedef struct parameters {
  qn_fb_vector scales, zero_points;
  int64_t axis;
  bool is_weights, may_be_narrow; /* int4 is taken */
} parameters;

static parameters parameters_of(const qn_tflite_tensor *tensor) {
  qn_fb_table table = qn_fb_child(tensor->table, QN_FB_TENSOR_QUANTIZATION);
  return (parameters){qn_fb_vector_of(table, QN_FB_QUANTIZATION_SCALE),
                      qn_fb_vector_of(table, QN_FB_QUANTIZATION_ZERO_POINT),
                      qn_fb_int(table, QN_FB_QUANTIZATION_QUANTIZED_DIMENSION), false, false};
}

/* Bits of a type that quantized tensors have; 0 for others. */
static uint32_t width_of(uint8_t dtype) {
  static const uint8_t widths[] = {[QN_TFLITE_INT8] = 8,
                                   [QN_TFLITE_UINT8] = 8,
                                   [QN_TFLITE_INT16] = 16,
                                   [QN_TFLITE_INT32] = 32,
                                   [QN_TFLITE_INT4] = 4};
  return dtype < QN_COUNT(widths) ? widths[dtype] : 0;
}

/* As the file has it: constants of int4 are unpacked to int8. */
static uint8_t dtype_in_file(const qn_tflite_tensor *tensor) {
  return qn_tflite_is_narrow(tensor) ? QN_TFLITE_INT4 : tensor->dtype;
}

bool qn_tflite_is_narrow(const qn_tflite_tensor *tensor) {
  return qn_fb_int(tensor->table, QN_FB_TENSOR_TYPE) == QN_TFLITE_INT4;
}

/* A zero point vector of length 1 stands for all scales; none is zero. */
static int64_t zero_point_at(const parameters *p, uint32_t i) {
  return p->zero_points.count ? qn_fb_i64_at(p->zero_points, p->zero_points.count == 1 ? 0 : i) : 0;
}

/* Zero points that stored values may have. Weights whose bytes are read as the other 8-bit type
 * keep that of their own. */
static void zero_point_range(const qn_tflite_tensor *tensor, bool is_weights, int64_t *out_lo,
                             int64_t *out_hi) {
  int64_t lo, hi;
  qn_storage_range(width_of(tensor->dtype), tensor->dtype != QN_TFLITE_UINT8, out_lo, out_hi);
  if (!is_weights || width_of(tensor->dtype) != 8) return;
  qn_storage_range(8, tensor->dtype == QN_TFLITE_UINT8, &lo, &hi);
  if (lo < *out_lo) *out_lo = lo;
  if (hi > *out_hi) *out_hi = hi;
}

/* Scale and zero point i are usable. */
static bool check_pair(qn_tflite_op *op, const qn_tflite_tensor *tensor, const parameters *p,
                       uint32_t i) {
  float scale = qn_fb_f32_at(p->scales, i);
  if (!(scale > 0) || !isfinite(scale))
    return qn_tflite_error(op, tensor, QN_INVALID, "scale %u is %g; it must be positive and finite",
                           i, (double)scale);
  int64_t lo, hi, zero_point = zero_point_at(p, i);
  zero_point_range(tensor, p->is_weights, &lo, &hi);
  if (zero_point < lo || zero_point > hi)
    return qn_tflite_error(op, tensor, QN_INVALID, "zero point %u is %lld, outside of %s", i,
                           (long long)zero_point, qn_tflite_dtype_name(tensor->dtype));
  return true;
}

/* The tensor has integers and parameters of a form that we know. */
static bool check_quantized(qn_tflite_op *op, const qn_tflite_tensor *tensor, const parameters *p) {
  if (!width_of(tensor->dtype) || (tensor->dtype == QN_TFLITE_INT4 && !p->may_be_narrow))
    return qn_tflite_error(op, tensor, QN_UNSUPPORTED,
                           "%s is not supported here, only quantized int8, uint8, int16 and int32",
                           qn_tflite_dtype_name(tensor->dtype));
  qn_fb_table table = qn_fb_child(tensor->table, QN_FB_TENSOR_QUANTIZATION);
  if (qn_fb_int(table, QN_FB_QUANTIZATION_DETAILS_TYPE))
    return qn_tflite_error(op, tensor, QN_UNSUPPORTED, "custom quantization is not supported");
  if (!p->scales.count)
    return qn_tflite_error(op, tensor, QN_UNSUPPORTED,
                           "%s without quantization parameters is not supported",
                           qn_tflite_dtype_name(tensor->dtype));
  if (tensor->dtype == QN_TFLITE_UINT8 && p->axis != 0 && !op->im->profile->any_dimension_u8)
    return qn_tflite_error(op, tensor, QN_UNSUPPORTED,
                           "quantized_dimension is %lld, and the profile %s has no rule for uint8 "
                           "tensors where it is not 0",
                           (long long)p->axis, op->im->profile->name);
  if (p->zero_points.count > 1 && p->zero_points.count != p->scales.count)
    return qn_tflite_error(op, tensor, QN_INVALID, "%u scales but %u zero points", p->scales.count,
                           p->zero_points.count);
  return true;
}

bool qn_tflite_8bit(qn_tflite_op *op, const qn_tflite_tensor *tensor) {
  parameters p = parameters_of(tensor);
  return check_quantized(op, tensor, &p);
}

static bool activation(qn_tflite_op *op, const qn_tflite_tensor *tensor, bool may_be_narrow,
                       qn_tflite_q8 *out_q8) {
  parameters p = parameters_of(tensor);
  p.may_be_narrow = may_be_narrow;
  if (!check_quantized(op, tensor, &p)) return false;
  if (p.scales.count > 1)
    return qn_tflite_error(op, tensor, QN_UNSUPPORTED,
                           "activations with more than one scale are not supported");
  if (!check_pair(op, tensor, &p, 0)) return false;
  out_q8->scale = (double)qn_fb_f32_at(p.scales, 0);
  out_q8->zero_point = (int32_t)zero_point_at(&p, 0);
  out_q8->width = width_of(tensor->dtype);
  out_q8->is_unsigned = tensor->dtype == QN_TFLITE_UINT8;
  return true;
}

bool qn_tflite_activation(qn_tflite_op *op, const qn_tflite_tensor *tensor, qn_tflite_q8 *out_q8) {
  return activation(op, tensor, false, out_q8);
}

bool qn_tflite_stored(qn_tflite_op *op, const qn_tflite_tensor *tensor, qn_tflite_q8 *out_q8) {
  return activation(op, tensor, true, out_q8);
}

bool qn_tflite_matching(qn_tflite_op *op, const qn_tflite_tensor *a, const qn_tflite_tensor *b,
                        bool same_parameters) {
  qn_tflite_q8 qa, qb;
  if (a->dtype == QN_TFLITE_FLOAT32 && b->dtype == QN_TFLITE_FLOAT32) return true;
  if (!qn_tflite_activation(op, a, &qa) || !qn_tflite_activation(op, b, &qb)) return false;
  if (a->dtype != b->dtype)
    return qn_tflite_error(op, b, QN_UNSUPPORTED, "%s with %s in one operator is not supported",
                           qn_tflite_dtype_name(a->dtype), qn_tflite_dtype_name(b->dtype));
  if (same_parameters && (qa.scale != qb.scale || qa.zero_point != qb.zero_point))
    return qn_tflite_error(
        op, b, QN_UNSUPPORTED,
        "input and output must have the same scale and zero point, not %.9g, %d and %.9g, %d",
        qa.scale, qa.zero_point, qb.scale, qb.zero_point);
  return true;
}

bool qn_tflite_is_quantized(const qn_tflite_tensor *tensor) {
  return width_of(tensor->dtype) && parameters_of(tensor).scales.count;
}

bool qn_tflite_is_wide_unsigned(const qn_tflite_tensor *tensor) {
  return tensor->dtype == QN_TFLITE_UINT16 || tensor->dtype == QN_TFLITE_UINT32 ||
         tensor->dtype == QN_TFLITE_UINT64;
}

bool qn_tflite_movable(qn_tflite_op *op, const qn_tflite_tensor *a, const qn_tflite_tensor *b) {
  qn_tflite_q8 q8;
  if (qn_tflite_is_wide_unsigned(a) || qn_tflite_is_wide_unsigned(b))
    return qn_tflite_error(
        op, qn_tflite_is_wide_unsigned(a) ? a : b, QN_UNSUPPORTED, "%s is not supported here",
        qn_tflite_dtype_name(qn_tflite_is_wide_unsigned(a) ? a->dtype : b->dtype));
  uint8_t of_a = dtype_in_file(a), of_b = dtype_in_file(b);
  if (of_a == of_b && qn_tflite_is_quantized(a) == qn_tflite_is_quantized(b))
    return !qn_tflite_is_quantized(a) ||
           (qn_tflite_stored(op, a, &q8) && qn_tflite_stored(op, b, &q8));
  return qn_tflite_error(op, b, QN_UNSUPPORTED, "%s is not supported here beside %s%s",
                         qn_tflite_dtype_name(of_b), qn_tflite_dtype_name(of_a),
                         of_a == of_b ? " of which only one is quantized" : "");
}

/* `axis` < 0: one scale. Four bits are stored in eight. */
static const qn_type *uniform_type(qn_tflite *im, uint8_t dtype, int32_t axis, uint32_t count,
                                   const double *scales, const int64_t *zero_points) {
  uint32_t width = width_of(dtype);
  qn_quant_uniform u = {0};
  u.scheme = axis < 0 ? QN_PER_LAYER : QN_PER_AXIS;
  u.is_signed = dtype != QN_TFLITE_UINT8;
  u.storage = qn_type_i(im->cx, width < 8 ? 8 : width);
  u.expressed = qn_type_float(im->cx, QN_F32);
  qn_storage_range(width, u.is_signed, &u.min, &u.max);
  u.axis = axis < 0 ? 0 : axis;
  u.count = count;
  u.scales = scales;
  u.zero_points = zero_points;
  return qn_type_uniform(im->cx, &u);
}

/* All scales, with their zero points or (`use` false) with 0 for them; per index of `axis` when
 * there is more than one. */
static const qn_type *scales_type(qn_tflite_op *op, const qn_tflite_tensor *tensor,
                                  const parameters *p, uint32_t axis, bool use, bool *out_ignored) {
  qn_tflite *im = op->im;
  uint32_t count = p->scales.count;
  *out_ignored = false;
  if (!qn_tflite_spend(op, count)) return NULL;
  double *scales = QN_NEW_ARRAY(&im->arena, count, double);
  int64_t *zero_points = QN_NEW_ARRAY(&im->arena, count, int64_t);
  for (uint32_t i = 0; i < count; i++) {
    if (!check_pair(op, tensor, p, i)) return NULL;
    scales[i] = (double)qn_fb_f32_at(p->scales, i);
    zero_points[i] = use ? zero_point_at(p, i) : 0;
    *out_ignored |= !use && zero_point_at(p, i) != 0;
  }
  uint8_t dtype = p->may_be_narrow ? dtype_in_file(tensor) : tensor->dtype;
  return uniform_type(im, dtype, count > 1 ? (int32_t)axis : -1, count, scales, zero_points);
}

const qn_type *qn_tflite_element_type(qn_tflite *im, qn_tflite_op *op,
                                      const qn_tflite_tensor *tensor) {
  static const struct {
    uint8_t dtype, width;
    qn_sign sign;
  } plain[] = {{QN_TFLITE_INT32, 32, QN_SIGNLESS},
               {QN_TFLITE_INT64, 64, QN_SIGNLESS},
               /* the same bits: no kernel but those of signals and of bits asks for the sign */
               {QN_TFLITE_UINT16, 16, QN_SIGNLESS},
               {QN_TFLITE_UINT32, 32, QN_SIGNLESS},
               {QN_TFLITE_UINT64, 64, QN_SIGNLESS},
               {QN_TFLITE_BOOL, 1, QN_SIGNLESS},
               {QN_TFLITE_INT16, 16, QN_SIGNLESS},
               {QN_TFLITE_INT8, 8, QN_SIGNLESS},
               {QN_TFLITE_INT4, 8, QN_SIGNLESS},
               {QN_TFLITE_UINT8, 8, QN_UNSIGNED}};
  if (tensor->dtype == QN_TFLITE_FLOAT32) return qn_type_float(im->cx, QN_F32);
  bool quantized = qn_tflite_is_quantized(tensor), ignored;
  for (size_t i = 0; !quantized && i < QN_COUNT(plain); i++)
    if (plain[i].dtype == tensor->dtype)
      return qn_type_integer(im->cx, plain[i].width, plain[i].sign);
  parameters p = parameters_of(tensor);
  p.may_be_narrow = true;
  if (!check_quantized(op, tensor, &p)) return NULL;
  bool fits =
      p.axis >= 0 && p.axis < tensor->shape.rank && p.scales.count == tensor->shape.dims[p.axis];
  if (p.scales.count > 1 && !fits) {
    qn_tflite_error(op, tensor, QN_INVALID,
                    "%u scales, which are not one per index of dimension %lld", p.scales.count,
                    (long long)p.axis);
    return NULL;
  }
  return scales_type(op, tensor, &p, (uint32_t)p.axis, true, &ignored);
}

/* What no kernel subtracts does not get into the model; what a profile refuses is said by the plan.
 */
static bool zero_points_are_used(const qn_tflite_op *op, const qn_tflite_tensor *weights,
                                 uint32_t scales) {
  qn_op_kind kind = op->code->builtin->kind;
  bool is_signed = weights->dtype != QN_TFLITE_UINT8;
  return qn_weights_have_zero_points(is_signed, kind == QN_OP_ML_LINEAR, scales == 1) ||
         (kind == QN_OP_ML_CONV && !op->im->profile->conv_zero_points);
}

const qn_type *qn_tflite_weights_type(qn_tflite_op *op, const qn_tflite_tensor *weights,
                                      uint32_t axis) {
  parameters p = parameters_of(weights);
  p.is_weights = true;
  if (!check_quantized(op, weights, &p)) return NULL;
  if (width_of(weights->dtype) != 8) {
    qn_tflite_error(op, weights, QN_UNSUPPORTED, "weights of type %s are not supported",
                    qn_tflite_dtype_name(weights->dtype));
    return NULL;
  }
  uint32_t count = p.scales.count;
  if (count > 1 && weights->dtype == QN_TFLITE_UINT8) {
    qn_tflite_error(op, weights, QN_UNSUPPORTED,
                    "uint8 weights with a scale per channel are not supported");
    return NULL;
  }
  if (count > 1 && count != weights->shape.dims[axis]) {
    qn_tflite_error(op, weights, QN_INVALID, "%u scales for %lld output channels", count,
                    (long long)weights->shape.dims[axis]);
    return NULL;
  }
  if (count > 1 && p.axis != axis)
    qn_tflite_remark(
        op, weights,
        "quantized_dimension is %lld, taken as %u: the dimension of the output channels",
        (long long)p.axis, axis);
  const qn_quant_uniform *known = weights->value ? qn_type_quant(weights->value->type) : NULL;
  if (count > 1 && known && known->count == count && known->axis == (int32_t)axis)
    return qn_type_element(weights->value->type); /* shared weights: checked before */
  bool ignored;
  const qn_type *type =
      scales_type(op, weights, &p, axis, zero_points_are_used(op, weights, count), &ignored);
  if (ignored)
    qn_tflite_warn(op, weights,
                   "zero points of int8 weights other than 0 are ignored, as the runtimes do");
  return type;
}

/* Whether the stored bias scales are products of input and weight scales, as far as it matters. */
static bool bias_scales_fit(const parameters *bias, double input_scale,
                            const qn_quant_uniform *weights, double output_scale) {
  for (uint32_t i = 0; i < bias->scales.count; i++) {
    double product = input_scale * weights->scales[weights->count == 1 ? 0 : i];
    double stored = (double)qn_fb_f32_at(bias->scales, bias->scales.count == 1 ? 0 : i);
    if (!(fabs(product - stored) / output_scale <= BIAS_TOLERANCE)) return false;
  }
  return true;
}

static bool compare_bias_scales(qn_tflite_op *op, const qn_tflite_tensor *bias, int64_t channels,
                                double input_scale, const qn_quant_uniform *weights,
                                double output_scale) {
  parameters p = parameters_of(bias);
  bool comparable =
      p.scales.count <= 1 || (p.scales.count == channels && weights->count == channels);
  if (!qn_tflite_spend(op, p.scales.count)) return false;
  if (!comparable || !bias_scales_fit(&p, input_scale, weights, output_scale))
    qn_tflite_warn(op, bias,
                   "its stored scale is not input scale times weight scale; it is ignored");
  return true;
}

/* int64 beside int16 activations. */
static bool check_bias_type(qn_tflite_op *op, const qn_tflite_tensor *bias, bool is_float,
                            uint32_t width) {
  bool wide = !is_float && width == 16;
  uint8_t expected = is_float ? QN_TFLITE_FLOAT32 : QN_TFLITE_INT32;
  if (bias->dtype == expected || (wide && bias->dtype == QN_TFLITE_INT64)) return true;
  return qn_tflite_error(op, bias, QN_UNSUPPORTED, "a bias of type %s is not supported, only %s%s",
                         qn_tflite_dtype_name(bias->dtype), is_float ? "float32" : "int32",
                         wide ? " and int64" : "");
}

bool qn_tflite_bias(qn_tflite_op *op, uint32_t operand, int64_t channels, const qn_tflite_q8 *input,
                    const qn_type *weights, double output_scale, qn_value **out_value) {
  *out_value = NULL;
  qn_tflite_tensor *bias = qn_tflite_input(op, operand);
  if (!bias) return !op->failed;
  bool is_float = input->width == 0;
  if (!check_bias_type(op, bias, is_float, input->width)) return false;
  if (qn_tflite_elements(&bias->shape) != channels)
    return qn_tflite_error(op, bias, QN_INVALID,
                           "a bias with %lld elements for %lld output channels",
                           (long long)qn_tflite_elements(&bias->shape), (long long)channels);
  if (!is_float &&
      !compare_bias_scales(op, bias, channels, input->scale, qn_type_quant(weights), output_scale))
    return false;
  qn_tflite_shape vector = {1, {channels}};
  const qn_type *element = is_float
                               ? qn_type_float(op->im->cx, QN_F32)
                               : qn_type_i(op->im->cx, bias->dtype == QN_TFLITE_INT64 ? 64 : 32);
  const qn_type *type = qn_tflite_shaped(op->im, element, &vector);
  if (bias->is_input && bias->value)
    *out_value = qn_tflite_view(op, bias->value, &vector);
  else
    *out_value = qn_tflite_constant(op, bias, type);
  return *out_value != NULL;
}
