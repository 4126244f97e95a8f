/* QUANTIZE. A float input becomes quant.qcast if the profile's kernels divide by the scale, or if
 * division gives the same results. If they multiply by the reciprocal of the scale, float ops
 * compute the integers first (docs/arithmetic.md 11).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/graph/ops/by_place.h"
#include "ir/ops/forms.h"
#include "import/graph/ops/ops.h"

static qn_value *on_floats(qn_graph_op *op, qn_op_kind kind, qn_value *x, qn_value *y,
                           int64_t count) {
  const qn_graph_shape shape = {1, {count}};
  return qn_graph_part(op, kind, qn_type_element(x->type), &shape, (qn_value *[]){x, y}, y ? 2 : 1,
                       NULL);
}

/* Adds the zero point to integers and converts them to the result's storage. */
static qn_value *stored(qn_graph_op *op, const qn_type *element, qn_value *x, int64_t count) {
  qn_ir_context *cx = op->graph->cx;
  const qn_graph_shape shape = {1, {count}};
  const double one = 1.0;
  qn_quant_uniform steps = element->uniform;
  steps.scales = &one;
  x = qn_graph_part(op, QN_OP_QUANT_QCAST, qn_type_uniform(cx, &steps), &shape, &x, 1, NULL);
  x = qn_graph_part(op, QN_OP_QUANT_SCAST, steps.storage, &shape, &x, 1, NULL);
  return qn_graph_part(op, QN_OP_QUANT_SCAST, element, &shape, &x, 1, NULL);
}

static qn_value *times_reciprocal(qn_graph_op *op, const void *user, qn_value *x, int64_t count) {
  const qn_type *element = user;
  float factor = 1.0F / (float)qn_type_quant(element)->scales[0];
  qn_value *by = qn_graph_one_float(op, qn_type_element(x->type), (double)factor);
  x = on_floats(op, QN_OP_ML_MUL, x, by, count);
  return stored(op, element, on_floats(op, QN_OP_ML_ROUND, x, NULL, count), count);
}

/* Divides in f64 and rounds half away from zero: floor(|x| + 0.5) with the sign of x. */
static qn_value *divided_in_f64(qn_graph_op *op, const void *user, qn_value *x, int64_t count) {
  const qn_type *element = user, *f64 = qn_type_float(op->graph->cx, QN_F64);
  const qn_graph_shape shape = {1, {count}};
  x = qn_graph_part(op, QN_OP_ML_CAST, f64, &shape, &x, 1, NULL);
  qn_value *scale = qn_graph_one_float(op, f64, qn_type_quant(element)->scales[0]);
  qn_value *half = qn_graph_one_float(op, f64, 0.5);
  x = on_floats(op, QN_OP_ML_REAL_DIV, x, scale, count);
  qn_value *y = on_floats(op, QN_OP_ML_ABS, x, NULL, count);
  y = on_floats(op, QN_OP_ML_FLOOR, on_floats(op, QN_OP_ML_ADD, y, half, count), NULL, count);
  y = on_floats(op, QN_OP_ML_MUL, y, on_floats(op, QN_OP_ML_SIGN, x, NULL, count), count);
  y = qn_graph_part(op, QN_OP_ML_CAST, qn_type_float(op->graph->cx, QN_F32), &shape, &y, 1, NULL);
  return stored(op, element, y, count);
}

/* Whether the rule gives the results of division. For a scale that is a power of two, division and
 * multiplication differ at ties only. */
static bool is_division(const qn_profile *profile, qn_quantize_rule rule, double scale) {
  int exponent;
  bool exact = frexp(scale, &exponent) == 0.5 && exponent > -100 && exponent < 100;
  return rule == QN_QUANTIZE_DIVIDED ||
         (rule == QN_QUANTIZE_TIMES && exact && profile->quantize == QN_ROUND_EVEN);
}

static void from_floats(qn_graph_op *op, qn_graph_tensor *y, const qn_graph_q8 *q8, qn_value *x,
                        const qn_graph_shape *shape) {
  const qn_profile *profile = op->graph->profile;
  qn_quantize_rule rule = q8->width == 16 ? profile->quantize16 : profile->quantize8;
  const qn_type *element = qn_graph_element_type(op->graph, op, y);
  bool plain = !element || q8->width < 8 || qn_graph_elements(shape) == 0 ||
               is_division(profile, rule, q8->scale);
  qn_graph_attrs attrs = {0};
  if (plain)
    qn_graph_build(op, QN_OP_QUANT_QCAST, &x, 1, &attrs, shape);
  else
    qn_graph_build_by_place(op, y, element, x, shape, times_reciprocal,
                            rule == QN_QUANTIZE_TIMES ? times_reciprocal : divided_in_f64, element);
}

/* QUANTIZE; 8-bit to 8-bit is ml.requantize. */
void qn_graph_import_quantize(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  qn_graph_q8 q8;
  if (op->failed) return;
  bool from_float = x->dtype == QN_GRAPH_FLOAT32; /* the only source type for int4 */
  if (!(from_float ? qn_graph_stored : qn_graph_activation)(op, y, &q8) ||
      (!from_float && !qn_graph_activation(op, x, &q8)))
    return;
  qn_value *value = qn_graph_value(op, x);
  qn_graph_attrs attrs = {0};
  qn_graph_shape shape = x->shape;
  if (!value) return;
  if (from_float)
    from_floats(op, y, &q8, value, &shape);
  else
    qn_graph_build(op, QN_OP_ML_REQUANTIZE, &value, 1, &attrs, &shape);
}
