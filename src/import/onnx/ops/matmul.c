/* MatMul, Gemm and their com.microsoft variants (matmul_nbits.c: MatMulNBits): ml.linear if the
 * second operand is a constant matrix, else ml.matmul.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/integer.h"
#include "import/onnx/ops/layer.h"
#include "import/onnx/ops/parts.h"
#include "ir/ops/forms.h"

#include <float.h>

static const int64_t turned[] = {1, 0}, straight[] = {0, 1};

static bool check_depth(qn_graph_op *op, const qn_graph_tensor *w, int64_t k, int64_t rows) {
  return k == rows ||
         qn_graph_error(op, w, QN_INVALID, "rows of %lld elements times columns of %lld",
                        (long long)k, (long long)rows);
}

/* The weights of a float product as floats: quantized weights are dequantized, also if they have
 * several scales. */
static qn_value *float_weights(qn_graph_op *op, const int64_t *perm) {
  qn_onnx_source w = qn_onnx_source_of(op, 1);
  qn_value *value = qn_onnx_weights(op, w, perm);
  if (!value || !w.element) return value;
  const qn_graph_shape shape = qn_graph_shape_of(value);
  return qn_graph_part(op, QN_OP_QUANT_DCAST, qn_onnx_f32(op->graph), &shape, &value, 1, NULL);
}

/* x times constant weights [K, N], or [N, K] if `transposed`. */
static void import_linear(qn_graph_op *op, qn_onnx_layer *layer, bool transposed, qn_value *x) {
  const qn_graph_shape *ws = &layer->w.tensor->shape;
  const int64_t units = ws->dims[transposed ? 0 : 1], *perm = transposed ? straight : turned;
  const bool exact = qn_onnx_layer_is_exact(op, layer);
  if (!x) return;
  qn_graph_shape shape = qn_graph_shape_of(x);
  if (shape.rank == 0 ||
      !check_depth(op, layer->w.tensor, shape.dims[shape.rank - 1], ws->dims[transposed ? 1 : 0]))
    return;
  shape.dims[shape.rank - 1] = units;
  qn_onnx_recipe r = {.kind = QN_OP_ML_LINEAR, .is_exact = exact, .is_layer = true, .shape = shape};
  r.operands[0] = x;
  r.activations[0] = layer->x.tensor;
  r.operands[1] = exact ? qn_onnx_weights(op, layer->w, perm) : float_weights(op, perm);
  if (!qn_onnx_layer_bias(op, layer, units, &r) || !r.operands[1]) return;
  r.count = r.operands[2] ? 3 : 2;
  qn_onnx_finish_layer(op, layer, &shape, &r);
}

/* The value of the first operand: quantized if both operands are, else float. */
static qn_value *first_operand(qn_graph_op *op, const qn_onnx_layer *layer) {
  return qn_onnx_layer_is_exact(op, layer) ? qn_onnx_source_value(op, layer->x, QN_ONNX_PLAIN)
                                           : qn_onnx_value(op, qn_graph_input(op, 0));
}

/* The shape of the result. The batch dimensions are broadcast by numpy's rule. False, reported, if
 * the shapes do not match. */
static bool product_shape(qn_graph_op *op, const qn_graph_tensor *a, const qn_graph_tensor *b,
                          qn_graph_shape *out) {
  qn_graph_tensor x = *a, y = *b;
  if (a->shape.rank < 2 || b->shape.rank < 2)
    return qn_graph_error(op, a->shape.rank < 2 ? a : b, QN_UNSUPPORTED,
                          "vectors are not supported here, only matrices");
  const int64_t *of_a = a->shape.dims + a->shape.rank - 2,
                *of_b = b->shape.dims + b->shape.rank - 2;
  x.shape.rank -= 2, y.shape.rank -= 2;
  if (!check_depth(op, b, of_a[1], of_b[0]) || !qn_graph_broadcast(op, &x, &y, out)) return false;
  out->dims[out->rank++] = of_a[0];
  out->dims[out->rank++] = of_b[1];
  return true;
}

static void import_product(qn_graph_op *op, qn_onnx_layer *layer) {
  qn_graph_shape shape;
  if (!product_shape(op, layer->x.tensor, layer->w.tensor, &shape)) return;
  const bool exact = qn_onnx_layer_is_exact(op, layer);
  if (exact && layer->w.element->uniform.scheme != QN_PER_LAYER) {
    qn_graph_error(op, layer->w.tensor, QN_UNSUPPORTED,
                   "scales per column are supported of constant matrices alone");
    return;
  }
  qn_onnx_recipe r = {
      .kind = QN_OP_ML_MATMUL, .is_exact = exact, .is_layer = true, .shape = shape, .count = 2};
  r.operands[0] = first_operand(op, layer);
  r.activations[0] = layer->x.tensor;
  r.activations[1] = layer->w.tensor;
  r.operands[1] = exact ? qn_onnx_source_value(op, layer->w, QN_ONNX_PLAIN)
                        : qn_onnx_value(op, qn_graph_input(op, 1));
  if (r.operands[0] && r.operands[1]) qn_onnx_finish_layer(op, layer, &shape, &r);
}

static bool is_matrix(qn_graph_op *op, const qn_graph_tensor *w) {
  return w->shape.rank == 2 && qn_onnx_is_constant(op, w);
}

static void import_layer(qn_graph_op *op, qn_onnx_layer *layer) {
  if (is_matrix(op, layer->w.tensor))
    import_linear(op, layer, false, first_operand(op, layer));
  else
    import_product(op, layer);
}

/* A product with vectors, as one of a matrix and a column. */
static void import_vectors(qn_graph_op *op, const qn_graph_tensor *a, const qn_graph_tensor *b) {
  const bool is_row = a->shape.rank == 1 && b->shape.rank > 1;
  qn_value *x = qn_onnx_real(op, is_row), *y = qn_onnx_real(op, !is_row);
  if (!x || !y) return;
  if (qn_onnx_rank(x) == 0 || qn_onnx_rank(y) == 0) {
    qn_graph_error(op, a, QN_INVALID, "a scalar");
    return;
  }
  const uint32_t last = qn_onnx_rank(x) - 1;
  if (is_row) x = qn_onnx_moved(op, x, last - 1, last);
  qn_graph_shape shape = qn_graph_shape_of(x);
  const int64_t k = shape.dims[last];
  if (!check_depth(op, b, k, qn_onnx_dim(y, 0))) return;
  shape.rank--;
  x = qn_onnx_viewed(op, x, 2, (int64_t[]){qn_graph_elements(&shape), k});
  y = qn_onnx_viewed(op, y, 2, (int64_t[]){k, 1});
  y = qn_onnx_product(op, x, y);
  qn_onnx_give_real(op, 0, qn_onnx_viewed(op, y, shape.rank, shape.dims));
}

void qn_onnx_import_matmul(qn_graph_op *op) {
  qn_onnx_layer layer;
  if (!qn_onnx_open_layer(op, &layer)) return;
  if (layer.x.tensor->shape.rank == 1 || layer.w.tensor->shape.rank == 1)
    import_vectors(op, layer.x.tensor, layer.w.tensor);
  else
    import_layer(op, &layer);
}

void qn_onnx_import_qlinear_matmul(qn_graph_op *op) {
  qn_onnx_layer layer = {0};
  if (!qn_onnx_quantized_operand(op, 0, -2, &layer.x) ||
      !qn_onnx_quantized_operand(op, 3, -1, &layer.w))
    return;
  layer.result = qn_onnx_quantized_result(op, 6, layer.x.tensor->dtype, &layer.result_dtype);
  if (!op->failed) import_layer(op, &layer);
}

/* ---- Gemm ---- */

/* The integers of x with its scale times a factor, rounded to f32 as in the kernel of onnxruntime.
 * That kernel adds the bias as an integer, so its scale is the scale of the product. */
static qn_value *with_factor(qn_graph_op *op, qn_value *x, float factor) {
  if (!x || factor == 1) return x;
  qn_quant_uniform u = qn_type_element(x->type)->uniform;
  const double scale = (double)(float)(u.scales[0] * (double)factor);
  const qn_graph_shape shape = qn_graph_shape_of(x);
  u.scales = &scale;
  const qn_type *element = qn_type_uniform(op->graph->cx, &u);
  x = qn_graph_part(op, QN_OP_QUANT_SCAST, u.storage, &shape, &x, 1, NULL);
  return qn_graph_part(op, QN_OP_QUANT_SCAST, element, &shape, &x, 1, NULL);
}

/* Whether `alpha` may be part of the scale of the first operand: for the kernel of onnxruntime with
 * a quantized result, and a scale that stays a normal f32. */
static bool takes_factor(qn_graph_op *op, const qn_onnx_layer *layer, float alpha) {
  if (!layer->result || op->graph->profile->units != QN_UNITS_FUSED) return false;
  const double scale = layer->x.element->uniform.scales[0] * (double)alpha;
  return layer->x.element->uniform.scheme == QN_PER_LAYER && scale >= (double)FLT_MIN &&
         scale <= (double)FLT_MAX;
}

/* Whether the bias, if there is one, has an element per column. */
static bool has_plain_bias(const qn_onnx_layer *layer, bool of_w) {
  const int64_t columns = layer->w.tensor->shape.dims[of_w ? 0 : 1];
  const qn_graph_tensor *bias = layer->bias;
  if (!bias || layer->result) return true; /* else reported */
  const uint32_t rank = bias->shape.rank;
  return qn_graph_elements(&bias->shape) == columns && rank > 0 &&
         bias->shape.dims[rank - 1] == columns;
}

static qn_value *gemm_operand(qn_graph_op *op, uint32_t i, const char *transposes) {
  qn_value *x = qn_onnx_real(op, i);
  return qn_onnx_int(op, transposes, 0) ? qn_onnx_permuted(op, x, turned) : x;
}

/* Quantized parameters as doubles, rounded to f32 as by the DequantizeLinear of onnxruntime. */
static qn_value *dequantized(qn_graph_op *op, qn_value *x) {
  if (!x) return NULL;
  const qn_graph_shape shape = qn_graph_shape_of(x);
  x = qn_graph_part(op, QN_OP_QUANT_DCAST, qn_onnx_f32(op->graph), &shape, &x, 1, NULL);
  return x ? qn_onnx_to_doubles(op, x) : NULL;
}

/* The weights [K, N] and the bias of a formula; those that onnxruntime quantizes are not the
 * file's. */
static qn_value *formula_weights(qn_graph_op *op, const qn_onnx_layer *layer) {
  if (!layer->rounded_weights) return gemm_operand(op, 1, "transB");
  const int64_t *perm = qn_onnx_int(op, "transB", 0) ? turned : straight;
  return dequantized(op, qn_onnx_weights(op, layer->w, perm));
}
static qn_value *formula_bias(qn_graph_op *op, const qn_onnx_layer *layer) {
  return layer->rounded_bias ? dequantized(op, layer->rounded_bias) : qn_onnx_real(op, 2);
}

/* A Gemm that is no layer: alpha * a * b + beta * c. */
static void import_formula(qn_graph_op *op, const qn_onnx_layer *layer, float alpha, float beta) {
  if (layer->result || op->row->results != 1 || strcmp(op->row->name, "Gemm") != 0) {
    qn_graph_error(op, layer->w.tensor, QN_UNSUPPORTED,
                   "weights that are no constant, and factors other than 1, are not supported");
    return;
  }
  qn_value *x = gemm_operand(op, 0, "transA"), *w = formula_weights(op, layer);
  if (!x || !w || !check_depth(op, layer->w.tensor, qn_onnx_dim(x, 1), qn_onnx_dim(w, 0))) return;
  qn_value *y = qn_onnx_product(op, x, w);
  if (alpha != 1) y = qn_onnx_with(op, QN_OP_ML_MUL, y, (double)alpha);
  if (layer->bias) {
    qn_graph_shape sum;
    qn_value *c = formula_bias(op, layer);
    if (!c || !y) return;
    qn_graph_tensor product = {.shape = qn_graph_shape_of(y)};
    product.index = layer->bias->index;
    if (!qn_graph_broadcast(op, &product, layer->bias, &sum)) return;
    if (!qn_graph_same_shape(&sum, &product.shape)) {
      qn_graph_error(op, layer->bias, QN_INVALID, "it is larger than the product");
      return;
    }
    if (beta != 1) c = qn_onnx_with(op, QN_OP_ML_MUL, c, (double)beta);
    y = qn_onnx_binary(op, QN_OP_ML_ADD, y, c);
  }
  qn_onnx_give_real(op, 0, y);
}

static void import_gemm_layer(qn_graph_op *op, qn_onnx_layer *layer) {
  const bool of_x = qn_onnx_int(op, "transA", 0) != 0, of_w = qn_onnx_int(op, "transB", 0) != 0;
  float alpha = qn_onnx_float(op, "alpha", 1), factor = 1;
  const float beta = qn_onnx_float(op, "beta", 1);
  const qn_graph_tensor *w = layer->w.tensor;
  if (op->failed) return;
  if (takes_factor(op, layer, alpha)) factor = alpha, alpha = 1;
  if (layer->x.tensor->shape.rank != 2 || w->shape.rank != 2) {
    qn_graph_error(op, w, QN_INVALID, "an operand is not a matrix");
    return;
  }
  const bool is_plain = alpha == 1 && (!layer->bias || beta == 1) && has_plain_bias(layer, of_w);
  if (!is_plain || !qn_onnx_is_constant(op, w)) {
    import_formula(op, layer, alpha, beta);
    return;
  }
  qn_value *x = with_factor(op, first_operand(op, layer), factor);
  if (x && of_x) x = qn_onnx_transpose(op, x, turned);
  import_linear(op, layer, of_w, x);
}

void qn_onnx_import_gemm(qn_graph_op *op) {
  qn_onnx_layer layer;
  if (qn_onnx_open_layer(op, &layer) && qn_onnx_round_parameters(op, &layer))
    import_gemm_layer(op, &layer);
}

void qn_onnx_import_qgemm(qn_graph_op *op) {
  qn_onnx_layer layer = {0};
  const bool transposed = qn_onnx_int(op, "transB", 0) != 0;
  if (!qn_onnx_quantized_operand(op, 0, 0, &layer.x) ||
      !qn_onnx_quantized_operand(op, 3, transposed ? 0 : 1, &layer.w))
    return;
  layer.bias = qn_graph_has_input(op, 6) ? qn_graph_input(op, 6) : NULL;
  if (qn_graph_has_input(op, 7))
    layer.result = qn_onnx_quantized_result(op, 7, layer.x.tensor->dtype, &layer.result_dtype);
  if (!op->failed) import_gemm_layer(op, &layer);
}

/* ---- MatMulInteger ---- */

void qn_onnx_import_matmul_integer(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *w = qn_graph_input(op, 1);
  if (op->failed) return;
  if (w->shape.rank != 2 || x->shape.rank == 0) {
    qn_graph_error(op, w, QN_UNSUPPORTED, "weights of rank %u are not supported", w->shape.rank);
    return;
  }
  qn_graph_shape shape = x->shape;
  if (!check_depth(op, w, shape.dims[shape.rank - 1], w->shape.dims[0])) return;
  shape.dims[shape.rank - 1] = w->shape.dims[1];
  qn_onnx_recipe r = {.kind = QN_OP_ML_LINEAR, .shape = shape};
  qn_onnx_integer_product product = {.x = x, .w = w, .terms = w->shape.dims[0], .perm = turned};
  qn_onnx_build_integer_product(op, &product, &r, &shape);
}
