/* Elementwise operators of one operand.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "import/onnx/ops/layer.h"
#include "import/onnx/ops/whole.h"
#include "ir/ops/forms.h"

/* ---- functions of elements ---- */

static const qn_attr *number(qn_graph_op *op, double value) {
  return qn_attr_float(op->graph->cx, value, qn_type_float(op->graph->cx, QN_F64));
}

/* Sets the attributes of the op from the attributes of the node. */
static bool set_attrs(qn_graph_op *op, qn_onnx_recipe *r) {
  switch (r->kind) {
  case QN_OP_ML_LEAKY_RELU:
    qn_graph_attr(&r->attrs, "alpha", number(op, (double)qn_onnx_float(op, "alpha", 0.01F)));
    break;
  case QN_OP_ML_ELU:
  case QN_OP_ML_CELU:
    qn_graph_attr(&r->attrs, "alpha", number(op, (double)qn_onnx_float(op, "alpha", 1)));
    break;
  case QN_OP_ML_GELU: {
    qn_str mode = qn_onnx_string(op, "approximate", "none");
    bool tangent = qn_str_is(mode, "tanh");
    qn_graph_attr(
        &r->attrs, "mode",
        qn_attr_word(op->graph->cx, QN_A_GELU_MODE, tangent ? QN_GELU_TANH : QN_GELU_EXACT));
    break;
  }
  default:
    break;
  }
  return !op->failed;
}

static bool open_function(qn_graph_op *op, qn_onnx_source x, qn_onnx_recipe *r) {
  qn_onnx_layout layout = qn_onnx_layout_of(op, x.tensor);
  *r = (qn_onnx_recipe){.kind = op->row->kind,
                        .is_exact = x.element != NULL,
                        .is_function = true,
                        .layout = layout,
                        .shape = qn_onnx_shape_in(&x.tensor->shape, layout),
                        .count = 1};
  r->activations[0] = x.tensor;
  r->operands[0] = qn_onnx_source_value(op, x, layout);
  return r->operands[0] && set_attrs(op, r);
}

/* Whether the IR's function of f64 has its precision, not that of f32. */
static bool is_precise(qn_op_kind kind) {
  static const qn_op_kind kinds[] = {QN_OP_ML_SIGMOID, QN_OP_ML_TANH,  QN_OP_ML_EXP, QN_OP_ML_LOG,
                                     QN_OP_ML_SQRT,    QN_OP_ML_ABS,   QN_OP_ML_NEG, QN_OP_ML_FLOOR,
                                     QN_OP_ML_CEIL,    QN_OP_ML_ROUND, QN_OP_ML_SIGN};
  for (size_t i = 0; i < QN_COUNT(kinds); i++)
    if (kind == kinds[i]) return true;
  return false;
}

/* Not float32: float64, and signs of integers. */
static void import_plain(qn_graph_op *op, qn_graph_tensor *x) {
  const qn_op_kind kind = op->row->kind;
  const bool has_signs = kind == QN_OP_ML_ABS || kind == QN_OP_ML_NEG || kind == QN_OP_ML_SIGN;
  const bool fits = x->dtype == QN_GRAPH_FLOAT64
                        ? is_precise(kind)
                        : has_signs && qn_onnx_is_whole(x->dtype) && !qn_onnx_is_unsigned(x->dtype);
  if (fits)
    qn_onnx_give(op, 0, x->dtype, qn_onnx_unary(op, kind, qn_onnx_value(op, x)));
  else
    qn_graph_error(op, x, QN_UNSUPPORTED, "%s is not supported here",
                   qn_graph_dtype_name(x->dtype));
}

void qn_onnx_import_unary(qn_graph_op *op) {
  qn_onnx_source x = qn_onnx_source_of(op, 0);
  qn_onnx_recipe r;
  if (op->failed) return;
  qn_graph_tensor *in = qn_graph_input(op, 0);
  if (in->dtype != QN_GRAPH_FLOAT32) {
    import_plain(op, in);
    return;
  }
  if (!qn_graph_check_dtype(op, in, QN_GRAPH_FLOAT32) || !open_function(op, x, &r)) return;
  qn_onnx_leave(op, qn_graph_output(op, 0), QN_GRAPH_FLOAT32, &x.tensor->shape, &r);
}

void qn_onnx_import_qlinear_unary(qn_graph_op *op) {
  qn_onnx_source x;
  qn_onnx_recipe r;
  uint8_t dtype;
  if (!qn_onnx_quantized_operand(op, 0, 0, &x)) return;
  const qn_type *result = qn_onnx_quantized_result(op, 3, x.tensor->dtype, &dtype);
  if (!result || !open_function(op, x, &r)) return;
  qn_onnx_make(op, qn_graph_output(op, 0), dtype, &x.tensor->shape, &r, result);
}

/* ---- clamps: rounding before or after a clamp is equivalent, because both are monotone ---- */

static qn_value *part(qn_graph_op *op, qn_op_kind kind, qn_value *a, qn_value *b) {
  const qn_graph_shape shape = qn_graph_shape_of(a);
  return qn_graph_part(op, kind, qn_type_element(a->type), &shape, (qn_value *[]){a, b}, b ? 2 : 1,
                       NULL);
}

/* The stored value of a bound: rounded to nearest, ties to even, plus the zero point, clamped to
 * the storage range. */
static int64_t stored_bound(const qn_quant_uniform *q, double bound) {
  if (isinf(bound)) return bound < 0 ? q->min : q->max;
  double y = nearbyint(bound / q->scales[0]) + (double)q->zero_points[0];
  return y <= (double)q->min ? q->min : y >= (double)q->max ? q->max : (int64_t)y;
}

static qn_value *stored_scalar(qn_graph_op *op, const qn_type *element, int64_t value) {
  const qn_graph_shape none = {0};
  return qn_graph_const(op, element, &none, &value); /* little-endian */
}

static qn_value *clamp_stored(qn_graph_op *op, const qn_onnx_recipe *r, const qn_type *element,
                              qn_value *x) {
  const qn_quant_uniform *q = &element->uniform;
  int64_t low = stored_bound(q, (double)r->low), high = stored_bound(q, (double)r->high);
  if (low == q->min && high == q->max) return x;
  if (op->graph->profile->units == QN_UNITS_FUSED && qn_onnx_is_implied(r, element)) return x;
  if (low == q->zero_points[0] && high == q->max) return part(op, QN_OP_ML_RELU, x, NULL);
  if (r->low == 0 && r->high == 6) return part(op, QN_OP_ML_RELU6, x, NULL);
  if (low > q->min) x = part(op, QN_OP_ML_MAXIMUM, x, stored_scalar(op, element, low));
  if (high < q->max) x = part(op, QN_OP_ML_MINIMUM, x, stored_scalar(op, element, high));
  return x;
}

static qn_value *float_scalar(qn_graph_op *op, float value) {
  const qn_graph_shape none = {0};
  return qn_graph_const(op, qn_onnx_f32(op->graph), &none, &value);
}

static qn_value *build_clamp(qn_graph_op *op, const qn_onnx_recipe *r, const qn_type *element) {
  qn_value *x = qn_onnx_through(op, r, 0, element);
  if (!x) return NULL;
  if (element->kind == QN_TYPE_QUANT_UNIFORM) return clamp_stored(op, r, element, x);
  if (r->low == 0 && isinf(r->high)) return part(op, QN_OP_ML_RELU, x, NULL);
  if (r->low == 0 && r->high == 6) return part(op, QN_OP_ML_RELU6, x, NULL);
  if (!isinf(r->low)) x = part(op, QN_OP_ML_MAXIMUM, x, float_scalar(op, r->low));
  if (!isinf(r->high)) x = part(op, QN_OP_ML_MINIMUM, x, float_scalar(op, r->high));
  return x;
}

/* Reads a bound of Clip: attribute `name` before opset version 11, from then on the constant
 * operand i. *out keeps its value if the bound is absent. */
static bool bound_of(qn_graph_op *op, uint32_t i, const char *name, float *out) {
  if (qn_onnx_opset(op) < 11) {
    *out = qn_onnx_float(op, name, *out);
    return !op->failed;
  }
  if (!qn_graph_has_input(op, i)) return true;
  qn_graph_tensor *bound = qn_graph_input(op, i);
  if (!bound) return false;
  if (!qn_onnx_is_constant(op, bound) || bound->dtype != QN_GRAPH_FLOAT32 ||
      bound->data.size != sizeof *out)
    return qn_graph_error(op, bound, QN_UNSUPPORTED, "a bound must be a constant, one float32");
  memcpy(out, bound->data.data, sizeof *out);
  return true;
}

void qn_onnx_import_clamp(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  if (op->failed || !qn_graph_check_dtype(op, x, QN_GRAPH_FLOAT32)) return;
  qn_onnx_layout layout = qn_onnx_layout_of(op, x);
  const bool relu = op->row->kind == QN_OP_ML_RELU;
  qn_onnx_recipe r = {.build = build_clamp,
                      .layout = layout,
                      .through_layout = layout,
                      .shape = qn_onnx_shape_in(&x->shape, layout),
                      .low = relu ? 0 : -INFINITY,
                      .high = INFINITY};
  if (!relu && (!bound_of(op, 1, "min", &r.low) || !bound_of(op, 2, "max", &r.high))) return;
  if (isnan(r.low) || isnan(r.high)) {
    qn_graph_error(op, NULL, QN_UNSUPPORTED, "a bound is not a number");
    return;
  }
  if (r.low <= -FLT_MAX) r.low = -INFINITY;
  if (r.high >= FLT_MAX) r.high = INFINITY;
  if (r.low > r.high) r.low = r.high;
  qn_onnx_pass_one(op, x, qn_graph_output(op, 0), &x->shape, &r);
}

/* ---- max(0, min(1, alpha * x + beta)) ---- */

static qn_value *build_hard_sigmoid(qn_graph_op *op, const qn_onnx_recipe *r,
                                    const qn_type *element) {
  qn_value *x = qn_onnx_to_doubles(op, r->operands[0]);
  x = part(op, QN_OP_ML_MUL, x, qn_onnx_double(op, (double)r->low));
  x = part(op, QN_OP_ML_ADD, x, qn_onnx_double(op, (double)r->high));
  x = part(op, QN_OP_ML_MAXIMUM, x, qn_onnx_double(op, 0));
  x = part(op, QN_OP_ML_MINIMUM, x, qn_onnx_double(op, 1));
  return qn_onnx_from_doubles(op, x, element);
}

void qn_onnx_import_hard_sigmoid(qn_graph_op *op) {
  qn_onnx_source x = qn_onnx_source_of(op, 0);
  qn_onnx_recipe r;
  if (op->failed || !qn_graph_check_dtype(op, qn_graph_input(op, 0), QN_GRAPH_FLOAT32) ||
      !open_function(op, x, &r))
    return;
  r.build = build_hard_sigmoid;
  r.low = qn_onnx_float(op, "alpha", 0.2F); /* the fields of the bounds hold factor and offset */
  r.high = qn_onnx_float(op, "beta", 0.5F);
  if (!op->failed)
    qn_onnx_leave(op, qn_graph_output(op, 0), QN_GRAPH_FLOAT32, &x.tensor->shape, &r);
}
