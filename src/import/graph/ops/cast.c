/* CAST converts stored values. Quantized tensors are therefore rejected, except int4 to or from
 * floats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/ops.h"
#include "ir/ops/forms.h"

/* Casts between stored int4 and floats, which saturate. */
static void cast_narrow(qn_graph_op *op, qn_graph_tensor *x, qn_graph_tensor *y) {
  enum { LOW = -8, HIGH = 7 };
  const qn_type *i8 = qn_type_i(op->graph->cx, 8), *f32 = qn_type_float(op->graph->cx, QN_F32);
  bool to = qn_graph_is_narrow(y);
  const qn_graph_shape shape = x->shape;
  const qn_graph_tensor *real = to ? x : y;
  if (real->dtype != QN_GRAPH_FLOAT32) {
    qn_graph_error(op, real, QN_UNSUPPORTED, "it is %s where float32 is expected",
                   qn_graph_dtype_name(real->dtype));
    return;
  }
  qn_value *value = qn_graph_value(op, x);
  const qn_type *element = qn_graph_element_type(op->graph, op, y);
  if (!value || !element) return;
  if (!to && qn_type_quant(value->type))
    value = qn_graph_part(op, QN_OP_QUANT_SCAST, i8, &shape, &value, 1, NULL);
  value = qn_graph_part(op, QN_OP_ML_CAST, to ? i8 : f32, &shape, &value, 1, NULL);
  for (uint32_t i = 0; to && i < 2; i++) {
    qn_value *both[] = {value, qn_graph_const_number(op, i8, i ? HIGH : LOW)};
    value = qn_graph_part(op, i ? QN_OP_ML_MINIMUM : QN_OP_ML_MAXIMUM, i8, &shape, both, 2, NULL);
  }
  if (qn_type_element(value->type) != element)
    value = qn_graph_part(op, QN_OP_QUANT_SCAST, element, &shape, &value, 1, NULL);
  qn_graph_define(op, y, &shape, value);
}

void qn_graph_import_cast(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  if (op->failed) return;
  if (qn_graph_is_narrow(x) || qn_graph_is_narrow(y)) {
    cast_narrow(op, x, y);
    return;
  }
  if (qn_graph_is_quantized(x) || qn_graph_is_quantized(y)) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "a cast of quantized tensors is not supported");
    return;
  }
  bool from = qn_graph_is_wide_unsigned(x), to = qn_graph_is_wide_unsigned(y);
  bool bits = (from && y->dtype == QN_GRAPH_INT32) || (to && x->dtype == QN_GRAPH_INT32);
  if ((from || to) && x->dtype != y->dtype && !bits) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "a cast from %s to %s is not supported",
                   qn_graph_dtype_name(x->dtype), qn_graph_dtype_name(y->dtype));
    return;
  }
  qn_value *value = qn_graph_value(op, x);
  qn_graph_attrs attrs = {0};
  qn_graph_shape shape = x->shape;
  if (value) qn_graph_build(op, QN_OP_ML_CAST, &value, 1, &attrs, &shape);
}
