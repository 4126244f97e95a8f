/* Elementwise operators that are formulas of several ops, computed in f64 and rounded once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/whole.h"
#include "ir/ops/forms.h"

#include <math.h>

typedef qn_value *formula(qn_graph_op *op, qn_value *x);

static qn_value *below(qn_graph_op *op, qn_value *x, double bound) {
  return x ? qn_onnx_compare(op, QN_OP_ML_LESS, x, qn_onnx_double(op, bound)) : NULL;
}
static qn_value *above(qn_graph_op *op, qn_value *x, double bound) {
  return x ? qn_onnx_compare(op, QN_OP_ML_GREATER, x, qn_onnx_double(op, bound)) : NULL;
}
static qn_value *nothing(qn_graph_op *op) { return qn_onnx_double(op, 0); }
static double attribute(qn_graph_op *op, const char *name, float fallback) {
  return (double)qn_onnx_float(op, name, fallback);
}

static qn_value *reciprocal(qn_graph_op *op, qn_value *x) {
  return x ? qn_onnx_binary(op, QN_OP_ML_REAL_DIV, qn_onnx_double(op, 1), x) : NULL;
}

/* gamma * (alpha * e^x - alpha) up to 0, else gamma * x. */
static qn_value *selu(qn_graph_op *op, qn_value *x) {
  const double alpha = attribute(op, "alpha", 1.67326319217681884765625F);
  qn_value *e = qn_onnx_unary(op, QN_OP_ML_EXP, x);
  e = qn_onnx_with(op, QN_OP_ML_MUL, e, alpha);
  e = qn_onnx_with(op, QN_OP_ML_SUB, e, alpha);
  qn_value *y = qn_onnx_choose(op, above(op, x, 0), x, e);
  return qn_onnx_with(op, QN_OP_ML_MUL, y, attribute(op, "gamma", 1.05070102214813232421875F));
}

static qn_value *swish(qn_graph_op *op, qn_value *x) {
  qn_value *scaled = qn_onnx_with(op, QN_OP_ML_MUL, x, attribute(op, "alpha", 1));
  qn_value *gate = qn_onnx_unary(op, QN_OP_ML_SIGMOID, scaled);
  return qn_onnx_binary(op, QN_OP_ML_MUL, x, gate);
}
static qn_value *mish(qn_graph_op *op, qn_value *x) {
  qn_value *gate = qn_onnx_unary(op, QN_OP_ML_SOFTPLUS, x);
  gate = qn_onnx_unary(op, QN_OP_ML_TANH, gate);
  return qn_onnx_binary(op, QN_OP_ML_MUL, x, gate);
}
static qn_value *thresholded(qn_graph_op *op, qn_value *x) {
  qn_value *is = above(op, x, attribute(op, "alpha", 1));
  return qn_onnx_choose(op, is, x, nothing(op));
}
static qn_value *shrink(qn_graph_op *op, qn_value *x) {
  const double bound = attribute(op, "lambd", 0.5F), bias = attribute(op, "bias", 0);
  qn_value *low = qn_onnx_with(op, QN_OP_ML_ADD, x, bias);
  qn_value *high = qn_onnx_with(op, QN_OP_ML_SUB, x, bias);
  qn_value *y = qn_onnx_choose(op, above(op, x, bound), high, nothing(op));
  return qn_onnx_choose(op, below(op, x, -bound), low, y);
}

/* log(|x| + sqrt(x^2 + c)) */
static qn_value *area(qn_graph_op *op, qn_value *x, double c) {
  qn_value *root = qn_onnx_with(op, QN_OP_ML_ADD, qn_onnx_binary(op, QN_OP_ML_MUL, x, x), c);
  root = qn_onnx_unary(op, QN_OP_ML_SQRT, root);
  return qn_onnx_unary(op, QN_OP_ML_LOG, qn_onnx_binary(op, QN_OP_ML_ADD, x, root));
}
static qn_value *acosh_of(qn_graph_op *op, qn_value *x) { return area(op, x, -1); }
static qn_value *asinh_of(qn_graph_op *op, qn_value *x) {
  qn_value *y = area(op, qn_onnx_unary(op, QN_OP_ML_ABS, x), 1);
  return qn_onnx_choose(op, below(op, x, 0), qn_onnx_unary(op, QN_OP_ML_NEG, y), y);
}

void qn_onnx_import_formula(qn_graph_op *op) {
  static const struct {
    const char *name;
    formula *of;
  } formulas[] = {
      {"Reciprocal", reciprocal}, {"Selu", selu},
      {"Swish", swish},           {"Mish", mish},
      {"Shrink", shrink},         {"ThresholdedRelu", thresholded},
      {"Acosh", acosh_of},        {"Asinh", asinh_of},
  };
  qn_value *x = qn_onnx_real(op, 0);
  for (size_t i = 0; x && i < QN_COUNT(formulas); i++)
    if (qn_str_is(op->name, formulas[i].name)) {
      qn_onnx_give_real(op, 0, formulas[i].of(op, x));
      return;
    }
}

/* ---- operators with any number of operands ---- */

/* Max, Min, Sum and Mean: floats are computed as f64, integers in their own type. */
void qn_onnx_import_variadic(qn_graph_op *op) {
  const uint32_t count = op->inputs.count;
  const bool is_mean = qn_str_is(op->name, "Mean");
  qn_graph_tensor *first = qn_graph_input(op, 0);
  qn_value *y = NULL;
  if (op->failed || !qn_onnx_is_ordered(op, first)) return;
  const uint8_t dtype = first->dtype;
  for (uint32_t i = 0; i < count; i++) {
    qn_graph_tensor *x = qn_graph_input(op, i);
    if (!x || !qn_graph_check_dtype(op, x, dtype)) return;
    const bool is_whole = qn_onnx_is_whole(dtype);
    qn_value *v = is_whole ? qn_onnx_value(op, x) : qn_onnx_real(op, i);
    y = i == 0     ? v
        : is_whole ? qn_onnx_whole_binary(op, op->row->kind, y, v, dtype)
                   : qn_onnx_binary(op, op->row->kind, y, v);
    if (!y) return;
  }
  if (is_mean && qn_onnx_is_whole(dtype)) {
    qn_graph_error(op, first, QN_INVALID, "a mean of %s", qn_graph_dtype_name(dtype));
    return;
  }
  if (is_mean) y = qn_onnx_with(op, QN_OP_ML_REAL_DIV, y, count);
  qn_onnx_give(op, 0, dtype, y);
}

/* ---- IsNaN and IsInf ---- */

void qn_onnx_import_is_nan(qn_graph_op *op) {
  qn_value *x = qn_onnx_real(op, 0);
  qn_onnx_give(op, 0, QN_GRAPH_BOOL, qn_onnx_compare(op, QN_OP_ML_NOT_EQUAL, x, x));
}

void qn_onnx_import_is_inf(qn_graph_op *op) {
  const bool low = qn_onnx_int(op, "detect_negative", 1) != 0,
             high = qn_onnx_int(op, "detect_positive", 1) != 0;
  qn_value *x = qn_onnx_real(op, 0);
  if (!x || op->failed) return;
  if (!low && !high) { /* the result is false everywhere: no number is less than minus infinity */
    qn_value *none = qn_onnx_double(op, (double)-INFINITY);
    qn_onnx_give(op, 0, QN_GRAPH_BOOL, qn_onnx_compare(op, QN_OP_ML_LESS, x, none));
    return;
  }
  qn_value *lowest = qn_onnx_double(op, low ? (double)-INFINITY : (double)INFINITY);
  qn_value *highest = qn_onnx_double(op, high ? (double)INFINITY : (double)-INFINITY);
  qn_value *y = qn_onnx_compare(op, QN_OP_ML_EQUAL, x, lowest);
  qn_value *other = qn_onnx_compare(op, QN_OP_ML_EQUAL, x, highest);
  y = qn_onnx_binary(op, QN_OP_ML_LOGICAL_OR, y, other);
  qn_onnx_give(op, 0, QN_GRAPH_BOOL, y);
}

/* ---- remainders and bitwise operators ---- */

/* fmod of floats: the remainder of a division that rounds toward zero, with the sign of x. It is
 * computed from |x| and |y|, where it equals the remainder of ml.floor_mod, which is exact. */
static qn_value *rest_of_floats(qn_graph_op *op, qn_value *x, qn_value *y) {
  const qn_type *element = qn_type_element(x->type);
  const qn_graph_shape none = {0};
  const float number = 0;
  qn_value *zero = qn_graph_const(op, element, &none, &number);
  qn_value *a = qn_onnx_unary(op, QN_OP_ML_ABS, x), *b = qn_onnx_unary(op, QN_OP_ML_ABS, y);
  qn_value *rest = qn_onnx_binary(op, QN_OP_ML_FLOOR_MOD, a, b);
  qn_value *is_below = qn_onnx_compare(op, QN_OP_ML_LESS, x, zero);
  return qn_onnx_choose(op, is_below, qn_onnx_unary(op, QN_OP_ML_NEG, rest), rest);
}
static qn_value *rest_toward_zero(qn_graph_op *op, qn_value *x, qn_value *y, uint8_t dtype) {
  qn_value *quotient = qn_onnx_whole_binary(op, QN_OP_ML_REAL_DIV, x, y, dtype);
  quotient = qn_onnx_binary(op, QN_OP_ML_MUL, quotient, y);
  return qn_onnx_binary(op, QN_OP_ML_SUB, x, quotient);
}

static bool open_pair(qn_graph_op *op, qn_value *out[2], uint8_t *out_dtype) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_input(op, 1);
  if (op->failed || !qn_graph_check_dtype(op, y, x->dtype) || !qn_onnx_is_ordered(op, x))
    return false;
  *out_dtype = x->dtype;
  out[0] = qn_onnx_value(op, x), out[1] = qn_onnx_value(op, y);
  return out[0] && out[1];
}

void qn_onnx_import_mod(qn_graph_op *op) {
  qn_value *x[2];
  uint8_t dtype;
  const bool is_fmod = qn_onnx_int(op, "fmod", 0) != 0;
  if (op->failed || !open_pair(op, x, &dtype)) return;
  if (dtype == QN_GRAPH_FLOAT64) {
    qn_graph_error(op, NULL, QN_UNSUPPORTED, "rests of float64 are not supported");
    return;
  }
  qn_value *y = dtype == QN_GRAPH_FLOAT32 && !is_fmod
                    ? qn_onnx_binary(op, QN_OP_ML_FLOOR_MOD, x[0], x[1])
                : dtype == QN_GRAPH_FLOAT32 ? rest_of_floats(op, x[0], x[1])
                : is_fmod && !qn_onnx_is_unsigned(dtype)
                    ? rest_toward_zero(op, x[0], x[1], dtype)
                    : qn_onnx_whole_binary(op, QN_OP_ML_FLOOR_MOD, x[0], x[1], dtype);
  qn_onnx_give(op, 0, dtype, y);
}

static bool check_whole(qn_graph_op *op, uint8_t dtype) {
  return qn_onnx_is_whole(dtype) ||
         qn_graph_error(op, NULL, QN_INVALID, "floats where integers are expected");
}

/* Bitwise operators. The IR has no op for x | y, so it is computed as (x ^ y) ^ (x & y). */
void qn_onnx_import_bitwise(qn_graph_op *op) {
  qn_value *x[2];
  uint8_t dtype;
  if (!open_pair(op, x, &dtype) || !check_whole(op, dtype)) return;
  qn_value *y = qn_onnx_whole_binary(op, op->row->kind, x[0], x[1], dtype);
  if (qn_str_is(op->name, "BitwiseOr")) {
    qn_value *both = qn_onnx_whole_binary(op, QN_OP_ML_BITWISE_AND, x[0], x[1], dtype);
    y = qn_onnx_whole_binary(op, QN_OP_ML_BITWISE_XOR, y, both, dtype);
  }
  qn_onnx_give(op, 0, dtype, y);
}

void qn_onnx_import_bitwise_not(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  if (op->failed || !qn_onnx_is_ordered(op, x) || !check_whole(op, x->dtype)) return;
  qn_value *v = qn_onnx_value(op, x);
  if (!v) return;
  qn_value *ones = qn_onnx_whole(op, qn_type_element(v->type), -1);
  qn_onnx_give(op, 0, x->dtype, qn_onnx_binary(op, QN_OP_ML_BITWISE_XOR, v, ones));
}
