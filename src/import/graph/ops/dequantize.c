/* DEQUANTIZE. Vector kernels of eight elements round the products of the stored value and of the
 * zero point separately; remaining elements use one product. If both give equal floats for every
 * stored value, or the profile's kernels have only one form, it is quant.dcast; else the tensor is
 * split there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/by_place.h"
#include "import/graph/ops/ops.h"

static float zero_product(const qn_graph_q8 *q8) {
  return (float)(-q8->scale * (double)q8->zero_point);
}

/* Whether some stored value gives different floats in the two forms. */
static bool differs(const qn_graph_q8 *q8) {
  const float scale = (float)q8->scale, offset = zero_product(q8);
  int64_t lo, hi;
  qn_storage_range(q8->width, !q8->is_unsigned, &lo, &hi);
  for (int64_t q = lo; q <= hi; q++) {
    float product = (float)q * scale, y = product + offset;
    if (y != qn_dequantize_f32(q, scale, q8->zero_point)) return true;
  }
  return false;
}

/* The vector form: dequantizes without zero point, then adds the product of the zero point. */
static qn_value *in_vectors(qn_graph_op *op, const void *user, qn_value *x, int64_t count) {
  const qn_graph_q8 *q8 = user;
  qn_ir_context *cx = op->graph->cx;
  const qn_type *f32 = qn_type_float(cx, QN_F32);
  const qn_graph_shape shape = {1, {count}};
  const int64_t zero = 0;
  qn_quant_uniform plain = *qn_type_quant(x->type);
  plain.zero_points = &zero;
  x = qn_graph_part(op, QN_OP_QUANT_SCAST, plain.storage, &shape, &x, 1, NULL);
  x = qn_graph_part(op, QN_OP_QUANT_SCAST, qn_type_uniform(cx, &plain), &shape, &x, 1, NULL);
  x = qn_graph_part(op, QN_OP_QUANT_DCAST, f32, &shape, &x, 1, NULL);
  qn_value *added = qn_graph_one_float(op, f32, (double)zero_product(q8));
  return qn_graph_part(op, QN_OP_ML_ADD, f32, &shape, (qn_value *[]){x, added}, 2, NULL);
}
static qn_value *one_by_one(qn_graph_op *op, const void *user, qn_value *x, int64_t count) {
  (void)user;
  const qn_graph_shape shape = {1, {count}};
  return qn_graph_part(op, QN_OP_QUANT_DCAST, qn_type_float(op->graph->cx, QN_F32), &shape, &x, 1,
                       NULL);
}

void qn_graph_import_dequantize(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  qn_graph_q8 q8;
  if (op->failed) return;
  qn_graph_shape shape = x->shape;
  if (x->dtype == QN_GRAPH_FLOAT32 && y->dtype == QN_GRAPH_FLOAT32 && x->data.size) {
    if (qn_graph_spend(op, (int64_t)x->data.size))
      qn_graph_become_constant(op, y, x->data, &shape); /* the data was float16 */
    return;
  }
  bool narrow = x->dtype == QN_GRAPH_INT4;
  if (!(narrow ? qn_graph_stored(op, x, &q8) : qn_graph_8bit(op, x))) return;
  if (y->dtype != QN_GRAPH_FLOAT32) {
    qn_graph_error(op, y, QN_UNSUPPORTED, "it is %s where float32 is expected",
                   qn_graph_dtype_name(y->dtype));
    return;
  }
  qn_value *value = qn_graph_value(op, x);
  qn_graph_attrs attrs = {0};
  if (!value) return;
  const qn_quant_uniform *q = qn_type_quant(value->type);
  bool by_place = op->graph->profile->dequantize == QN_DEQUANTIZE_BY_PLACE && q &&
                  q->scheme == QN_PER_LAYER && q->storage->integer.width <= 8 &&
                  qn_graph_elements(&shape) >= QN_GRAPH_AT_ONCE &&
                  (narrow || qn_graph_activation(op, x, &q8)) && differs(&q8);
  if (by_place)
    qn_graph_build_by_place(op, y, qn_type_float(op->graph->cx, QN_F32), value, &shape, in_vectors,
                            one_by_one, &q8);
  else
    qn_graph_build(op, QN_OP_QUANT_DCAST, &value, 1, &attrs, &shape);
}
