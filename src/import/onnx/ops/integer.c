/* ConvInteger and MatMulInteger, built from float32 ops. Integers minus their zero points are exact
 * in float32, and so are sums of their products below 2^24. If a sum may be larger, weights are
 * split into two nibbles (4 bits each), whose sums are converted to int32 and combined there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/integer.h"
#include "ir/ops/forms.h"

enum { EXACT = 1 << 24, FARTHEST = 255, NIBBLE = 16 };

static qn_value *as_float(qn_graph_op *op, qn_value *x) {
  const qn_graph_shape shape = qn_graph_shape_of(x);
  return qn_graph_part(op, QN_OP_ML_CAST, qn_onnx_f32(op->graph), &shape, &x, 1, NULL);
}

static bool is_byte(qn_graph_op *op, const qn_graph_tensor *x) {
  return x->dtype == QN_GRAPH_UINT8 || qn_graph_check_dtype(op, x, QN_GRAPH_INT8);
}

/* The input x minus its zero point, which must be one scalar, as float32. */
static qn_value *centred(qn_graph_op *op, const qn_onnx_integer_product *p) {
  if (!is_byte(op, p->x)) return NULL;
  const qn_sign sign = p->x->dtype == QN_GRAPH_UINT8 ? QN_UNSIGNED : QN_SIGNLESS;
  const qn_type *byte = qn_type_integer(op->graph->cx, 8, sign);
  qn_value *x = qn_onnx_value_as(op, p->x, byte, p->layout);
  if (!x) return NULL;
  const qn_graph_shape shape = qn_graph_shape_of(x);
  x = as_float(op, x);
  if (!qn_graph_has_input(op, 2)) return x;
  qn_graph_tensor *zero = qn_graph_input(op, 2);
  if (!zero) return NULL;
  if (qn_graph_elements(&zero->shape) != 1) {
    qn_graph_error(op, zero, QN_UNSUPPORTED, "only one zero point of the input is supported");
    return NULL;
  }
  const qn_graph_shape none = {0};
  qn_value *z = qn_onnx_value(op, zero);
  if (!z) return NULL;
  z = as_float(op, qn_graph_view(op, z, &none));
  return qn_graph_part(op, QN_OP_ML_SUB, qn_onnx_f32(op->graph), &shape, (qn_value *[]){x, z}, 2,
                       NULL);
}

/* Selects the weights minus their zero points (WHOLE), or one nibble of them: WHOLE = 16 * HIGH +
 * LOW. */
typedef enum half { WHOLE, LOW, HIGH } half;

static int64_t half_of(int64_t w, half which) {
  int64_t low = ((w % NIBBLE) + NIBBLE) % NIBBLE;
  return which == WHOLE ? w : which == LOW ? low : (w - low) / NIBBLE;
}

static bool weights_of(qn_graph_op *op, const qn_onnx_integer_product *p, bool columns, half which,
                       qn_value **out) {
  qn_graph_tensor *zero = qn_graph_has_input(op, 3) ? qn_graph_input(op, 3) : NULL;
  if (op->failed) return false;
  const qn_graph_shape *s = &p->w->shape;
  int64_t zeros = zero ? qn_graph_elements(&zero->shape) : 1, count = qn_graph_elements(s);
  if (!qn_onnx_is_constant(op, p->w) || (zero && !qn_onnx_is_constant(op, zero)))
    return qn_graph_error(op, p->w, QN_UNSUPPORTED,
                          "weights and their zero points must be constants");
  if (!is_byte(op, p->w) || (zero && !is_byte(op, zero))) return false;
  if (zero && zero->dtype != p->w->dtype)
    return qn_graph_error(op, zero, QN_INVALID, "a zero point of type %s for weights of type %s",
                          qn_graph_dtype_name(zero->dtype), qn_graph_dtype_name(p->w->dtype));
  if (zeros != 1 && zeros != s->dims[columns ? s->rank - 1 : 0])
    return qn_graph_error(op, zero, QN_INVALID, "%lld zero points of weights", (long long)zeros);
  if (!qn_graph_spend(op, 5 * count)) return false;
  float *values = QN_NEW_ARRAY(&op->graph->cx->arena, (size_t)count, float);
  qn_graph_list list = {p->w->data.data, (uint32_t)count, p->w->dtype};
  qn_graph_list of_zero = {zero ? zero->data.data : NULL, (uint32_t)zeros, p->w->dtype};
  const int64_t per_row = count / (s->rank ? s->dims[0] : 1);
  for (int64_t i = 0; i < count; i++) {
    int64_t at = zeros == 1 ? 0 : columns ? i % zeros : i / per_row;
    int64_t z = zero ? qn_graph_int_at(of_zero, (uint32_t)at) : 0;
    values[i] = (float)half_of(qn_graph_int_at(list, (uint32_t)i) - z, which);
  }
  qn_graph_tensor as_floats = *p->w;
  as_floats.dtype = QN_GRAPH_FLOAT32;
  as_floats.data = (qn_bytes){(const uint8_t *)values, (size_t)count * sizeof *values};
  /* The weights are replaced by the float copy while the constant is built. */
  qn_graph_tensor kept = *p->w;
  *p->w = as_floats;
  *out = qn_onnx_transposed(op, p->w, qn_onnx_f32(op->graph), p->perm);
  *p->w = kept;
  return *out != NULL;
}

static qn_value *product_of(qn_graph_op *op, qn_onnx_recipe *r, qn_value *x, qn_value *w) {
  qn_graph *graph = op->graph;
  const qn_type *type = qn_graph_shaped(graph, qn_onnx_f32(graph), &r->shape);
  qn_value *operands[2] = {x, w};
  qn_op *built = qn_build(&graph->builder, (qn_op_state){.kind = r->kind,
                                                         .loc = qn_graph_loc(op, NULL),
                                                         .operands = operands,
                                                         .operand_count = 2,
                                                         .result_types = &type,
                                                         .result_count = 1,
                                                         .attrs = r->attrs.items,
                                                         .attr_count = r->attrs.count});
  qn_value *y = qn_op_result(built, 0);
  return qn_graph_part(op, QN_OP_ML_CAST, qn_type_i(graph->cx, 32), &r->shape, &y, 1, NULL);
}

void qn_onnx_build_integer_product(qn_graph_op *op, const qn_onnx_integer_product *p,
                                   qn_onnx_recipe *r, const qn_graph_shape *shape) {
  const qn_type *i32 = qn_type_i(op->graph->cx, 32);
  const bool columns = r->kind == QN_OP_ML_LINEAR;
  const bool whole = p->terms < EXACT / (FARTHEST * FARTHEST);
  qn_value *x = centred(op, p), *w[2] = {NULL, NULL};
  if (!x) return;
  if (p->terms >= EXACT / (FARTHEST * NIBBLE)) {
    qn_graph_error(op, p->w, QN_UNSUPPORTED, "sums of %lld products are not supported",
                   (long long)p->terms);
    return;
  }
  if (!weights_of(op, p, columns, whole ? WHOLE : LOW, &w[0])) return;
  if (!whole && !weights_of(op, p, columns, HIGH, &w[1])) return;
  qn_value *y = product_of(op, r, x, w[0]);
  if (!whole) {
    qn_value *high = product_of(op, r, x, w[1]);
    qn_value *sixteen = qn_graph_const_number(op, i32, NIBBLE);
    high = qn_graph_part(op, QN_OP_ML_MUL, i32, &r->shape, (qn_value *[]){high, sixteen}, 2, NULL);
    y = qn_graph_part(op, QN_OP_ML_ADD, i32, &r->shape, (qn_value *[]){y, high}, 2, NULL);
  }
  qn_onnx_define(op, qn_graph_output(op, 0), QN_GRAPH_INT32, shape, y, r->layout);
}
