/* MatMulNBits: weights of 2, 4 or 8 bits with a scale per block of a row. The attribute
 * accuracy_level says whether a runtime may quantize the activations (docs/arithmetic.md 15):
 *
 *   4      row8: ml.quantize_rows and ml.block_linear, in both profiles
 *   else   a float product: in `ort` an f32 chain of multiply-adds over k, on weights rounded
 *          to f32; in `onnx` the exact sum, as of any other product of floats
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/parts.h"
#include "ir/op_attrs.h"

#include <float.h>

enum { INT8_LEVEL = 4, MOST_LEVEL = 4, BYTE_BITS = 8, LONGEST_BLOCK = 1 << 16 };

typedef struct blocks {
  int64_t k, n, bits, block, count;         /* count: number of blocks per row */
  int64_t row, zero_row;                    /* bytes of a row of weights and of zero points */
  qn_graph_tensor *w, *scale, *zero, *bias; /* zero, bias: NULL if none */
} blocks;

static int64_t bits_at(const uint8_t *row, int64_t i, int64_t bits) {
  const int64_t per_byte = BYTE_BITS / bits;
  return row[i / per_byte] >> (i % per_byte * bits) & ((1 << bits) - 1);
}
static int64_t weight_at(const blocks *b, int64_t n, int64_t k) {
  return bits_at(b->w->data.data + n * b->row, k, b->bits);
}
static int64_t zero_at(const blocks *b, int64_t n, int64_t block) {
  return b->zero ? bits_at(b->zero->data.data + n * b->zero_row, block, b->bits)
                 : 1 << (b->bits - 1);
}
static float scale_at(const blocks *b, int64_t n, int64_t block) {
  const qn_graph_list scales = {b->scale->data.data, (uint32_t)(b->n * b->count), QN_GRAPH_FLOAT32};
  return (float)qn_graph_real_at(scales, (uint32_t)(n * b->count + block));
}

static bool read_sizes(qn_graph_op *op, blocks *b) {
  *b = (blocks){.k = qn_onnx_int(op, "K", 0),
                .n = qn_onnx_int(op, "N", 0),
                .bits = qn_onnx_int(op, "bits", 4),
                .block = qn_onnx_int(op, "block_size", 0)};
  if (op->failed) return false;
  if (b->bits != 2 && b->bits != 4 && b->bits != 8)
    return qn_graph_error(op, NULL, QN_UNSUPPORTED, "weights of %lld bits are not supported",
                          (long long)b->bits);
  bool sane = b->k > 0 && b->n > 0 && b->k <= INT32_MAX && b->n <= INT32_MAX && b->block >= 16 &&
              b->block <= INT32_MAX && b->block * b->bits % BYTE_BITS == 0;
  if (!sane) return qn_graph_error(op, NULL, QN_INVALID, "K, N or block_size is out of range");
  b->count = (b->k + b->block - 1) / b->block;
  b->row = b->count * b->block * b->bits / BYTE_BITS;
  b->zero_row = (b->count * b->bits + BYTE_BITS - 1) / BYTE_BITS;
  return true;
}

static bool is_constant(qn_graph_op *op, const qn_graph_tensor *x, uint8_t dtype, int64_t bytes) {
  return qn_onnx_is_constant(op, x) && x->dtype == dtype && (int64_t)x->data.size == bytes;
}

/* Reads the constants, and checks that they have the sizes that the attributes say. */
static bool read_constants(qn_graph_op *op, blocks *b) {
  b->w = qn_graph_input(op, 1), b->scale = qn_graph_input(op, 2);
  if (qn_graph_has_input(op, 3)) b->zero = qn_graph_input(op, 3);
  if (qn_graph_has_input(op, 5)) b->bias = qn_graph_input(op, 5);
  if (op->failed) return false;
  bool fits = is_constant(op, b->w, QN_GRAPH_UINT8, b->n * b->row) &&
              is_constant(op, b->scale, QN_GRAPH_FLOAT32, 4 * b->n * b->count) &&
              (!b->zero || is_constant(op, b->zero, QN_GRAPH_UINT8, b->n * b->zero_row));
  if (!fits)
    return qn_graph_error(op, b->w, QN_UNSUPPORTED,
                          "weights, scales and zero points must be constants of uint8, float32 and "
                          "uint8 of the sizes that K, N and block_size say");
  if (b->bias && !is_constant(op, b->bias, QN_GRAPH_FLOAT32, 4 * b->n))
    return qn_graph_error(op, b->bias, QN_UNSUPPORTED,
                          "a bias must be a constant of float32 with N elements");
  const qn_graph_shape shape = {2, {b->n, b->k}};
  qn_graph_tensor sized = {.dtype = QN_GRAPH_FLOAT32};
  return qn_graph_check_size(op, &sized, &shape) && qn_graph_spend(op, b->n * b->k);
}

static qn_value *bias_of(qn_graph_op *op, const blocks *b) {
  const qn_graph_shape shape = {1, {b->n}};
  return qn_graph_const(op, qn_onnx_f32(op->graph), &shape, b->bias->data.data);
}

/* ---- float products ---- */

/* The weights as a float constant [N, K]. The product of integer and scale is rounded to float32
 * once per element. */
static qn_value *unpacked(qn_graph_op *op, const blocks *b) {
  const qn_graph_shape shape = {2, {b->n, b->k}};
  float *values = QN_NEW_ARRAY(&op->graph->arena, (size_t)(b->n * b->k), float);
  for (int64_t n = 0; n < b->n; n++)
    for (int64_t k = 0; k < b->k; k++) {
      const int64_t block = k / b->block;
      values[n * b->k + k] =
          (float)(weight_at(b, n, k) - zero_at(b, n, block)) * scale_at(b, n, block);
    }
  return qn_graph_const(op, qn_onnx_f32(op->graph), &shape, values);
}

/* The quantized type of weights whose rows consist of whole blocks. */
static const qn_type *type_of(qn_graph_op *op, const blocks *b) {
  const int64_t count = b->n * b->count, grid[] = {b->n, b->count}, sizes[] = {1, b->block};
  const int32_t axes[] = {0, 1};
  double *scales = QN_NEW_ARRAY(&op->graph->arena, (size_t)count, double);
  int64_t *zeros = QN_NEW_ARRAY(&op->graph->arena, (size_t)count, int64_t);
  for (int64_t i = 0; i < count; i++) {
    scales[i] = (double)scale_at(b, i / b->count, i % b->count);
    zeros[i] = zero_at(b, i / b->count, i % b->count);
    if (!(scales[i] > 0 && scales[i] <= (double)FLT_MAX)) return NULL;
  }
  const qn_quant_uniform type = {.scheme = QN_SUB_CHANNEL,
                                 .storage = qn_type_i(op->graph->cx, (uint32_t)b->bits),
                                 .expressed = qn_onnx_f32(op->graph),
                                 .max = (1 << b->bits) - 1,
                                 .grid_rank = 2,
                                 .grid_dims = grid,
                                 .block_count = 2,
                                 .block_axes = axes,
                                 .block_sizes = sizes,
                                 .count = (uint32_t)count,
                                 .scales = scales,
                                 .zero_points = zeros};
  return qn_type_uniform(op->graph->cx, &type);
}

/* The weights, one byte each. */
static uint8_t *bytes_of(qn_graph_op *op, const blocks *b) {
  uint8_t *bytes = QN_NEW_ARRAY(&op->graph->arena, (size_t)(b->n * b->k), uint8_t);
  for (int64_t n = 0; n < b->n; n++)
    for (int64_t k = 0; k < b->k; k++) bytes[n * b->k + k] = (uint8_t)weight_at(b, n, k);
  return bytes;
}

/* The weights as floats that kernels read in their stored form, if rows consist of whole blocks and
 * scales are positive; else as a float constant. */
static qn_value *float_weights(qn_graph_op *op, const blocks *b) {
  const qn_graph_shape shape = {2, {b->n, b->k}};
  const qn_type *type = b->k % b->block == 0 ? type_of(op, b) : NULL;
  if (!type) return unpacked(op, b);
  qn_value *w = qn_graph_const(op, type, &shape, bytes_of(op, b));
  return qn_graph_part(op, QN_OP_QUANT_DCAST, qn_onnx_f32(op->graph), &shape, &w, 1, NULL);
}

static void import_floats(qn_graph_op *op, const blocks *b, qn_value *x,
                          const qn_graph_shape *shape) {
  const qn_type *f32 = qn_onnx_f32(op->graph);
  const bool fused = op->graph->profile->units == QN_UNITS_FUSED;
  qn_onnx_recipe r = {.kind = QN_OP_ML_LINEAR, .is_layer = true, .shape = *shape, .count = 2};
  r.operands[0] = x;
  r.operands[1] = fused ? float_weights(op, b) : unpacked(op, b);
  if (b->bias) r.operands[r.count++] = bias_of(op, b);
  if (!r.operands[1]) return;
  if (!fused) {
    qn_onnx_leave(op, qn_graph_output(op, 0), QN_GRAPH_FLOAT32, shape, &r);
    return;
  }
  qn_value *y = qn_graph_part(op, r.kind, f32, shape, r.operands, r.count, NULL);
  qn_onnx_define(op, qn_graph_output(op, 0), QN_GRAPH_FLOAT32, shape, y, QN_ONNX_PLAIN);
}

/* ---- activations in 8 bits ---- */

/* The rows of x [.., K], quantized once for all products with blocks of this size. */
static const qn_op *quantized_rows(qn_graph_op *op, qn_value *x, int64_t block) {
  qn_ir_context *cx = op->graph->cx;
  const qn_type *f32 = qn_onnx_f32(op->graph), *i32 = qn_type_i(cx, 32);
  const uint32_t rows = x->type->shaped.rank - 1;
  qn_graph_shape shape = qn_graph_shape_of(x);
  const qn_type *types[3] = {qn_type_with_element(cx, x->type, qn_type_i(cx, 8))};
  for (const qn_use *use = x->first_use; use; use = use->next)
    if (use->owner->kind == QN_OP_ML_QUANTIZE_ROWS &&
        use->owner->block == op->graph->builder.block &&
        qn_op_row_scheme(use->owner) == QN_ROWS_ROW8 && qn_op_block(use->owner) == block)
      return use->owner;
  shape.dims[rows] = (shape.dims[rows] - 1) / block + 1;
  types[2] = qn_graph_shaped(op->graph, i32, &shape);
  shape.rank = rows;
  types[1] = qn_graph_shaped(op->graph, f32, &shape);
  qn_op *made = qn_build(&op->graph->builder, (qn_op_state){.kind = QN_OP_ML_QUANTIZE_ROWS,
                                                            .loc = qn_graph_loc(op, NULL),
                                                            .operands = &x,
                                                            .operand_count = 1,
                                                            .result_types = types,
                                                            .result_count = QN_COUNT(types)});
  qn_module *module = op->graph->module;
  qn_op_set_attr(module, made, qn_attr_decls[QN_A_ROWS].name, qn_attr_i64(cx, rows));
  qn_op_set_attr(module, made, qn_attr_decls[QN_A_ROW_SCHEME].name,
                 qn_attr_word(cx, QN_A_ROW_SCHEME, QN_ROWS_ROW8));
  qn_op_set_attr(module, made, qn_attr_decls[QN_A_BLOCK].name, qn_attr_i64(cx, block));
  return made;
}

static void import_bytes(qn_graph_op *op, const blocks *b, qn_value *x,
                         const qn_graph_shape *shape) {
  enum { ROWS, SCALES, SUMS, WEIGHTS, WEIGHT_SCALES, WEIGHT_ZEROS, BIAS, COUNT };
  qn_ir_context *cx = op->graph->cx;
  const qn_type *f32 = qn_onnx_f32(op->graph), *byte = qn_type_integer(cx, 8, QN_UNSIGNED);
  const qn_graph_shape weights = {2, {b->n, b->k}}, grid = {2, {b->n, b->count}};
  qn_graph_shape x_shape = *shape, y_shape = *shape;
  if (shape->rank == 1) x_shape = y_shape = (qn_graph_shape){2, {1, b->n}};
  x_shape.dims[x_shape.rank - 1] = b->k;
  x = qn_graph_view(op, x, &x_shape);
  if (!x) return;
  uint8_t *zeros = QN_NEW_ARRAY(&op->graph->arena, (size_t)(b->n * b->count), uint8_t);
  for (int64_t i = 0; i < b->n * b->count; i++)
    zeros[i] = (uint8_t)zero_at(b, i / b->count, i % b->count);
  const qn_op *rows = quantized_rows(op, x, b->block);
  qn_value *operands[COUNT] = {[WEIGHTS] = qn_graph_const(op, byte, &weights, bytes_of(op, b)),
                               [WEIGHT_SCALES] =
                                   qn_graph_const(op, f32, &grid, b->scale->data.data),
                               [WEIGHT_ZEROS] = qn_graph_const(op, byte, &grid, zeros),
                               [BIAS] = b->bias ? bias_of(op, b) : NULL};
  for (uint32_t i = ROWS; i <= SUMS; i++) operands[i] = qn_op_result(rows, i);
  qn_value *y =
      qn_graph_part(op, QN_OP_ML_BLOCK_LINEAR, f32, &y_shape, operands, b->bias ? COUNT : BIAS,
                    QN_ATTRS({"block", qn_attr_i64(cx, b->block)}));
  y = qn_graph_view(op, y, shape);
  qn_onnx_define(op, qn_graph_output(op, 0), QN_GRAPH_FLOAT32, shape, y, QN_ONNX_PLAIN);
}

void qn_onnx_import_matmul_nbits(qn_graph_op *op) {
  blocks b;
  qn_graph_tensor *x = qn_graph_input(op, 0);
  if (op->failed || !qn_graph_check_dtype(op, x, QN_GRAPH_FLOAT32) || !read_sizes(op, &b)) return;
  const int64_t level = qn_onnx_int(op, "accuracy_level", 0);
  if (op->failed) return;
  if (qn_graph_has_input(op, 4)) {
    qn_graph_error(op, NULL, QN_UNSUPPORTED, "groups of rows are not supported");
    return;
  }
  if (level < 0 || level > MOST_LEVEL) {
    qn_graph_error(op, NULL, QN_INVALID, "there is no accuracy_level %lld", (long long)level);
    return;
  }
  qn_graph_shape shape = x->shape;
  if (shape.rank == 0 || shape.dims[shape.rank - 1] != b.k) {
    qn_graph_error(op, x, QN_INVALID, "its rows do not have K = %lld elements", (long long)b.k);
    return;
  }
  if (!read_constants(op, &b)) return;
  shape.dims[shape.rank - 1] = b.n;
  qn_value *value = qn_onnx_value(op, x);
  if (!value) return;
  if (level == INT8_LEVEL && b.block <= LONGEST_BLOCK)
    import_bytes(op, &b, value, &shape);
  else
    import_floats(op, &b, value, &shape);
}
