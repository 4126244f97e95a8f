/* Quantization: converts the file's scales and zero points to !quant.uniform types.
 *
 * Scales are float32 in the file and stay exactly that as doubles. Parameters that runtimes ignore
 * (zero points of int8 convolution weights, the stored scale of a bias) are not used, with a
 * message if they would have mattered.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/graph/build.h"

typedef struct parameters {
  qn_graph_list scales, zero_points;
  int64_t axis;
  bool is_weights, may_be_narrow; /* may_be_narrow: int4 is supported */
} parameters;

static parameters parameters_of(const qn_graph_tensor *tensor) {
  const qn_graph_quantization *q = &tensor->quantization;
  return (parameters){.scales = q->scales, .zero_points = q->zero_points, .axis = q->axis};
}

/* Bits of a storage type of quantized tensors; 0 for other types. */
static uint32_t width_of(uint8_t dtype) {
  static const uint8_t widths[] = {[QN_GRAPH_INT8] = 8,
                                   [QN_GRAPH_UINT8] = 8,
                                   [QN_GRAPH_INT16] = 16,
                                   [QN_GRAPH_INT32] = 32,
                                   [QN_GRAPH_INT4] = 4};
  return dtype < QN_COUNT(widths) ? widths[dtype] : 0;
}

/* The element type in the file; int4 constants are unpacked to int8. */
static uint8_t dtype_in_file(const qn_graph_tensor *tensor) {
  return qn_graph_is_narrow(tensor) ? QN_GRAPH_INT4 : tensor->dtype;
}

bool qn_graph_is_narrow(const qn_graph_tensor *tensor) {
  return tensor->stored_dtype == QN_GRAPH_INT4;
}

/* Zero point i. One element applies to all scales; none means 0. */
static int64_t zero_point_at(const parameters *p, uint32_t i) {
  return p->zero_points.count ? qn_graph_int_at(p->zero_points, p->zero_points.count == 1 ? 0 : i)
                              : 0;
}

/* The valid range of zero points. Weights whose bytes are read as the other 8-bit type keep the
 * range of their own type. */
static void zero_point_range(const qn_graph_tensor *tensor, bool is_weights, int64_t *out_lo,
                             int64_t *out_hi) {
  int64_t lo, hi;
  qn_storage_range(width_of(tensor->dtype), tensor->dtype != QN_GRAPH_UINT8, out_lo, out_hi);
  if (!is_weights || width_of(tensor->dtype) != 8) return;
  qn_storage_range(8, tensor->dtype == QN_GRAPH_UINT8, &lo, &hi);
  if (lo < *out_lo) *out_lo = lo;
  if (hi > *out_hi) *out_hi = hi;
}

/* Checks scale and zero point i. */
static bool check_pair(qn_graph_op *op, const qn_graph_tensor *tensor, const parameters *p,
                       uint32_t i) {
  double scale = qn_graph_real_at(p->scales, i);
  if (!(scale > 0) || !isfinite(scale))
    return qn_graph_error(op, tensor, QN_INVALID, "scale %u is %g; it must be positive and finite",
                          i, scale);
  int64_t lo, hi, zero_point = zero_point_at(p, i);
  zero_point_range(tensor, p->is_weights, &lo, &hi);
  if (zero_point < lo || zero_point > hi)
    return qn_graph_error(op, tensor, QN_INVALID, "zero point %u is %lld, outside of %s", i,
                          (long long)zero_point, qn_graph_dtype_name(tensor->dtype));
  return true;
}

/* Checks that the tensor has integers and parameters in a supported form. */
static bool check_quantized(qn_graph_op *op, const qn_graph_tensor *tensor, const parameters *p) {
  if (!width_of(tensor->dtype) || (tensor->dtype == QN_GRAPH_INT4 && !p->may_be_narrow))
    return qn_graph_error(op, tensor, QN_UNSUPPORTED,
                          "%s is not supported here, only quantized int8, uint8, int16 and int32",
                          qn_graph_dtype_name(tensor->dtype));
  if (tensor->quantization.is_custom)
    return qn_graph_error(op, tensor, QN_UNSUPPORTED, "custom quantization is not supported");
  if (!p->scales.count)
    return qn_graph_error(op, tensor, QN_UNSUPPORTED,
                          "%s without quantization parameters is not supported",
                          qn_graph_dtype_name(tensor->dtype));
  if (tensor->dtype == QN_GRAPH_UINT8 && p->axis != 0 && !op->graph->profile->any_dimension_u8)
    return qn_graph_error(op, tensor, QN_UNSUPPORTED,
                          "quantized_dimension is %lld, and the profile %s has no rule for uint8 "
                          "tensors where it is not 0",
                          (long long)p->axis, op->graph->profile->name);
  if (p->zero_points.count > 1 && p->zero_points.count != p->scales.count)
    return qn_graph_error(op, tensor, QN_INVALID, "%u scales but %u zero points", p->scales.count,
                          p->zero_points.count);
  return true;
}

bool qn_graph_8bit(qn_graph_op *op, const qn_graph_tensor *tensor) {
  parameters p = parameters_of(tensor);
  return check_quantized(op, tensor, &p);
}

static bool activation(qn_graph_op *op, const qn_graph_tensor *tensor, bool may_be_narrow,
                       qn_graph_q8 *out_q8) {
  parameters p = parameters_of(tensor);
  p.may_be_narrow = may_be_narrow;
  if (!check_quantized(op, tensor, &p)) return false;
  if (p.scales.count > 1)
    return qn_graph_error(op, tensor, QN_UNSUPPORTED,
                          "activations with more than one scale are not supported");
  if (!check_pair(op, tensor, &p, 0)) return false;
  out_q8->scale = qn_graph_real_at(p.scales, 0);
  out_q8->zero_point = (int32_t)zero_point_at(&p, 0);
  out_q8->width = width_of(tensor->dtype);
  out_q8->is_unsigned = tensor->dtype == QN_GRAPH_UINT8;
  return true;
}

bool qn_graph_activation(qn_graph_op *op, const qn_graph_tensor *tensor, qn_graph_q8 *out_q8) {
  return activation(op, tensor, false, out_q8);
}

bool qn_graph_stored(qn_graph_op *op, const qn_graph_tensor *tensor, qn_graph_q8 *out_q8) {
  return activation(op, tensor, true, out_q8);
}

bool qn_graph_matching(qn_graph_op *op, const qn_graph_tensor *a, const qn_graph_tensor *b,
                       bool same_parameters) {
  qn_graph_q8 qa = {0}, qb = {0};
  if (a->dtype == QN_GRAPH_FLOAT32 && b->dtype == QN_GRAPH_FLOAT32) return true;
  if (!qn_graph_activation(op, a, &qa) || !qn_graph_activation(op, b, &qb)) return false;
  if (a->dtype != b->dtype)
    return qn_graph_error(op, b, QN_UNSUPPORTED, "%s with %s in one operator is not supported",
                          qn_graph_dtype_name(a->dtype), qn_graph_dtype_name(b->dtype));
  if (same_parameters && (qa.scale != qb.scale || qa.zero_point != qb.zero_point))
    return qn_graph_error(
        op, b, QN_UNSUPPORTED,
        "input and output must have the same scale and zero point, not %.9g, %d and %.9g, %d",
        qa.scale, qa.zero_point, qb.scale, qb.zero_point);
  return true;
}

bool qn_graph_is_quantized(const qn_graph_tensor *tensor) {
  return width_of(tensor->dtype) && parameters_of(tensor).scales.count;
}

bool qn_graph_is_wide_unsigned(const qn_graph_tensor *tensor) {
  return tensor->dtype == QN_GRAPH_UINT16 || tensor->dtype == QN_GRAPH_UINT32 ||
         tensor->dtype == QN_GRAPH_UINT64;
}

bool qn_graph_movable(qn_graph_op *op, const qn_graph_tensor *a, const qn_graph_tensor *b) {
  qn_graph_q8 q8;
  if (qn_graph_is_wide_unsigned(a) || qn_graph_is_wide_unsigned(b))
    return qn_graph_error(op, qn_graph_is_wide_unsigned(a) ? a : b, QN_UNSUPPORTED,
                          "%s is not supported here",
                          qn_graph_dtype_name(qn_graph_is_wide_unsigned(a) ? a->dtype : b->dtype));
  uint8_t of_a = dtype_in_file(a), of_b = dtype_in_file(b);
  if (of_a == of_b && qn_graph_is_quantized(a) == qn_graph_is_quantized(b))
    return !qn_graph_is_quantized(a) ||
           (qn_graph_stored(op, a, &q8) && qn_graph_stored(op, b, &q8));
  return qn_graph_error(op, b, QN_UNSUPPORTED, "%s is not supported here beside %s%s",
                        qn_graph_dtype_name(of_b), qn_graph_dtype_name(of_a),
                        of_a == of_b ? " of which only one is quantized" : "");
}

/* `axis` < 0: one scale. int4 is stored in 8 bits. */
const qn_type *qn_graph_uniform_type(qn_graph *graph, uint8_t dtype, int32_t axis, uint32_t count,
                                     const double *scales, const int64_t *zero_points) {
  uint32_t width = width_of(dtype);
  qn_quant_uniform u = {0};
  u.scheme = axis < 0 ? QN_PER_LAYER : QN_PER_AXIS;
  u.is_signed = dtype != QN_GRAPH_UINT8;
  u.storage = qn_type_i(graph->cx, width < 8 ? 8 : width);
  u.expressed = qn_type_float(graph->cx, QN_F32);
  qn_storage_range(width, u.is_signed, &u.min, &u.max);
  u.axis = axis < 0 ? 0 : axis;
  u.count = count;
  u.scales = scales;
  u.zero_points = zero_points;
  return qn_type_uniform(graph->cx, &u);
}

/* A type with all scales, per index of `axis` if there are several; zero points are 0 unless `use`.
 */
static const qn_type *scales_type(qn_graph_op *op, const qn_graph_tensor *tensor,
                                  const parameters *p, uint32_t axis, bool use, bool *out_ignored) {
  qn_graph *graph = op->graph;
  uint32_t count = p->scales.count;
  *out_ignored = false;
  if (!qn_graph_spend(op, count)) return NULL;
  double *scales = QN_NEW_ARRAY(&graph->arena, count, double);
  int64_t *zero_points = QN_NEW_ARRAY(&graph->arena, count, int64_t);
  for (uint32_t i = 0; i < count; i++) {
    if (!check_pair(op, tensor, p, i)) return NULL;
    scales[i] = qn_graph_real_at(p->scales, i);
    zero_points[i] = use ? zero_point_at(p, i) : 0;
    *out_ignored |= !use && zero_point_at(p, i) != 0;
  }
  uint8_t dtype = p->may_be_narrow ? dtype_in_file(tensor) : tensor->dtype;
  return qn_graph_uniform_type(graph, dtype, count > 1 ? (int32_t)axis : -1, count, scales,
                               zero_points);
}

const qn_type *qn_graph_element_type(qn_graph *graph, qn_graph_op *op,
                                     const qn_graph_tensor *tensor) {
  static const struct {
    uint8_t dtype, width;
    qn_sign sign;
  } plain[] = {{QN_GRAPH_INT32, 32, QN_SIGNLESS},
               {QN_GRAPH_INT64, 64, QN_SIGNLESS},
               /* signless: only kernels of signal and bitwise operators depend on the sign */
               {QN_GRAPH_UINT16, 16, QN_SIGNLESS},
               {QN_GRAPH_UINT32, 32, QN_SIGNLESS},
               {QN_GRAPH_UINT64, 64, QN_SIGNLESS},
               {QN_GRAPH_BOOL, 1, QN_SIGNLESS},
               {QN_GRAPH_INT16, 16, QN_SIGNLESS},
               {QN_GRAPH_INT8, 8, QN_SIGNLESS},
               {QN_GRAPH_INT4, 8, QN_SIGNLESS},
               {QN_GRAPH_UINT8, 8, QN_UNSIGNED}};
  if (tensor->dtype == QN_GRAPH_FLOAT32) return qn_type_float(graph->cx, QN_F32);
  if (graph->format->has_all_types && tensor->dtype == QN_GRAPH_FLOAT16)
    return qn_type_float(graph->cx, QN_F16);
  if (graph->format->has_all_types && tensor->dtype == QN_GRAPH_FLOAT64)
    return qn_type_float(graph->cx, QN_F64);
  bool quantized = qn_graph_is_quantized(tensor), ignored;
  for (size_t i = 0; !quantized && i < QN_COUNT(plain); i++)
    if (plain[i].dtype == tensor->dtype)
      return qn_type_integer(graph->cx, plain[i].width, plain[i].sign);
  parameters p = parameters_of(tensor);
  p.may_be_narrow = true;
  if (!check_quantized(op, tensor, &p)) return NULL;
  bool fits =
      p.axis >= 0 && p.axis < tensor->shape.rank && p.scales.count == tensor->shape.dims[p.axis];
  if (p.scales.count > 1 && !fits) {
    qn_graph_error(op, tensor, QN_INVALID,
                   "%u scales, which are not one per index of dimension %lld", p.scales.count,
                   (long long)p.axis);
    return NULL;
  }
  return scales_type(op, tensor, &p, (uint32_t)p.axis, true, &ignored);
}

/* Whether kernels subtract the zero points of these weights; if not, the model does not contain
 * them. The plan decides what a profile rejects. */
static bool zero_points_are_used(const qn_graph_op *op, const qn_graph_tensor *weights,
                                 uint32_t scales) {
  qn_op_kind kind = op->row->kind;
  bool is_signed = weights->dtype != QN_GRAPH_UINT8;
  return qn_weights_have_zero_points(is_signed, kind == QN_OP_ML_LINEAR, scales == 1) ||
         (kind == QN_OP_ML_CONV && !op->graph->profile->conv_zero_points);
}

const qn_type *qn_graph_weights_type(qn_graph_op *op, const qn_graph_tensor *weights,
                                     uint32_t axis) {
  parameters p = parameters_of(weights);
  p.is_weights = true;
  if (!check_quantized(op, weights, &p)) return NULL;
  if (width_of(weights->dtype) != 8) {
    qn_graph_error(op, weights, QN_UNSUPPORTED, "weights of type %s are not supported",
                   qn_graph_dtype_name(weights->dtype));
    return NULL;
  }
  uint32_t count = p.scales.count;
  if (count > 1 && weights->dtype == QN_GRAPH_UINT8) {
    qn_graph_error(op, weights, QN_UNSUPPORTED,
                   "uint8 weights with a scale per channel are not supported");
    return NULL;
  }
  if (count > 1 && count != weights->shape.dims[axis]) {
    qn_graph_error(op, weights, QN_INVALID, "%u scales for %lld output channels", count,
                   (long long)weights->shape.dims[axis]);
    return NULL;
  }
  if (count > 1 && p.axis != axis)
    qn_graph_remark(
        op, weights,
        "quantized_dimension is %lld, taken as %u: the dimension of the output channels",
        (long long)p.axis, axis);
  const qn_quant_uniform *known = weights->value ? qn_type_quant(weights->value->type) : NULL;
  if (count > 1 && known && known->count == count && known->axis == (int32_t)axis)
    return qn_type_element(weights->value->type); /* shared weights have already been checked */
  bool ignored;
  const qn_type *type =
      scales_type(op, weights, &p, axis, zero_points_are_used(op, weights, count), &ignored);
  if (ignored)
    qn_graph_warn(op, weights,
                  "zero points of int8 weights other than 0 are ignored, as the runtimes do");
  return type;
}
