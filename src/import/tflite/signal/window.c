/* SignalWindow, SignalFftAutoScale and SignalEnergy: samples of int16 before and after the
 * transform.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/signal/signal.h"
#include "ir/ops/forms.h"

/* Products with a window along the last dimension, shifted right and saturated. */
void qn_tflite_import_signal_window(qn_graph_op *op) {
  qn_graph_tensor *x = qn_signal_input(op, 0, QN_GRAPH_INT16, true);
  int64_t count, shift;
  const int64_t *window = x ? qn_signal_numbers(op, 1, &count) : NULL;
  if (!window || !qn_signal_option(op, "shift", 0, 31, &shift)) return;
  int64_t elements = qn_graph_elements(&x->shape);
  if (elements % count != 0) {
    qn_graph_error(op, x, QN_INVALID, "%lld samples are not a multiple of the window's %lld",
                   (long long)elements, (long long)count);
    return;
  }
  const qn_graph_shape row = {1, {count}};
  qn_value *y = qn_signal_view(op, qn_signal_wide(op, x), elements / count, count);
  if (!y) return;
  y = qn_signal_two(op, QN_OP_ML_MUL, y, qn_signal_constants(op, window, &row));
  if (shift > 0) y = qn_signal_with(op, QN_OP_ML_SHIFT, y, -shift);
  y = qn_signal_clamp(op, y, INT16_MIN, INT16_MAX);
  qn_signal_define(op, 0, QN_GRAPH_INT16, &x->shape, y);
}

/* The maximum magnitude of a vector as the 16-bit kernel computes it, where |-32768| wraps: after
 * -32768 the search restarts with the minimum, uses negative elements unchanged while they
 * increase, and magnitudes afterwards. So an element counts if, after or at the last -32768, an
 * element follows that is not greater than the one before it and negative. Without -32768 all
 * elements count. */
static qn_value *largest(qn_graph_op *op, qn_value *x, int64_t count) {
  qn_ir_context *cx = op->graph->cx;
  const qn_graph_shape shape = {1, {count}};
  const int64_t first = INT64_MIN;
  const qn_graph_shape one = {1, {1}};
  qn_value *least = qn_signal_constant(op, INT16_MIN), *none = qn_signal_constant(op, -1);
  qn_value *before[2] = {qn_signal_constants(op, &first, &one), NULL};
  if (count > 1) before[1] = qn_signal_cut(op, x, 0, 0, count - 1);
  qn_value *previous = qn_signal_join(op, before, count > 1 ? 2 : 1, 0);
  qn_value *grows = qn_signal_is(op, QN_OP_ML_GREATER, x, previous);
  qn_value *negative = qn_signal_is(op, QN_OP_ML_LESS, x, qn_signal_constant(op, 0));
  qn_value *ends = qn_signal_two(op, QN_OP_ML_MUL, grows, negative);
  ends = qn_signal_two(op, QN_OP_ML_SUB, qn_signal_constant(op, 1), ends);
  qn_value *is_least = qn_signal_is(op, QN_OP_ML_EQUAL, x, least);
  ends = qn_signal_two(op, QN_OP_ML_MAXIMUM, ends, is_least);
  ends = qn_graph_part(op, QN_OP_ML_CUMSUM, qn_type_i(cx, 64), &shape, &ends, 1,
                       QN_ATTRS({"axis", qn_attr_i64(cx, 0)}));
  qn_value *last = qn_signal_pick(op, QN_OP_ML_EQUAL, x, least, ends, none);
  last = qn_signal_reduce(op, QN_OP_ML_REDUCE_MAX, qn_signal_view(op, last, 1, count));
  qn_value *size = qn_signal_two(op, QN_OP_ML_SUB, qn_signal_constant(op, 0), x);
  size = qn_signal_two(op, QN_OP_ML_MAXIMUM, x, size);
  size = qn_signal_pick(op, QN_OP_ML_GREATER, ends, last, size, qn_signal_constant(op, 0));
  return qn_signal_reduce(op, QN_OP_ML_REDUCE_MAX, qn_signal_view(op, size, 1, count));
}

/* Shifts left as far as the maximum magnitude allows; the second result is the shift. */
void qn_tflite_import_signal_auto_scale(qn_graph_op *op) {
  const qn_graph_shape scalar = {0};
  qn_graph_tensor *x = qn_signal_input(op, 0, QN_GRAPH_INT16, false);
  qn_graph_tensor *bits = qn_graph_output(op, 1);
  qn_value *value = x && bits ? qn_signal_wide(op, x) : NULL;
  if (!value) return;
  qn_value *most = largest(op, value, qn_graph_elements(&x->shape));
  qn_value *zero = qn_signal_constant(op, 0);
  qn_value *left = qn_signal_bits(op, most, 15);
  left = qn_signal_two(op, QN_OP_ML_SUB, qn_signal_constant(op, 15), left);
  left = qn_signal_pick(op, QN_OP_ML_EQUAL, most, zero, zero, left);
  value = qn_signal_two(op, QN_OP_ML_SHIFT, value, left);
  qn_signal_define(op, 0, QN_GRAPH_INT16, &x->shape, value);
  qn_signal_define(op, 1, QN_GRAPH_INT32, bits->shape.rank ? &bits->shape : &scalar, left);
}

/* Squared magnitudes of complex elements [start, end). The kernel does not write the others, which
 * are 0 here. */
void qn_tflite_import_signal_energy(qn_graph_op *op) {
  qn_graph_tensor *x = qn_signal_input(op, 0, QN_GRAPH_INT16, false);
  qn_graph_tensor *y = x ? qn_graph_output(op, 0) : NULL;
  int64_t start, end, count = x ? qn_graph_elements(&x->shape) / 2 : 0;
  if (!y || !qn_signal_option(op, "start_index", 0, count, &start) ||
      !qn_signal_option(op, "end_index", start, count, &end))
    return;
  if (2 * count != qn_graph_elements(&x->shape) || start == end) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "%lld numbers from %lld to %lld are no complex ones",
                   (long long)(2 * count), (long long)start, (long long)end);
    return;
  }
  qn_value *pairs = qn_signal_view(op, qn_signal_wide(op, x), count, 2);
  if (!pairs) return;
  pairs = qn_signal_cut(op, pairs, 0, start, end);
  qn_value *energy = qn_signal_two(op, QN_OP_ML_MUL, pairs, pairs);
  energy = qn_signal_view(op, qn_signal_reduce(op, QN_OP_ML_REDUCE_SUM, energy), 1, end - start);
  const int64_t pad[] = {0, 0, start, count - end};
  const qn_graph_shape padded = {2, {1, count}}, whole = {1, {count}};
  if (end - start < count)
    energy = qn_graph_part(op, QN_OP_ML_PAD, qn_type_i(op->graph->cx, 64), &padded, &energy, 1,
                           QN_ATTRS({"pad", qn_attr_i64s(op->graph->cx, pad, 4)}));
  qn_signal_define(op, 0, QN_GRAPH_UINT32, &whole, energy);
}
