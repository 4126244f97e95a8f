/* SVDF on integers, whose variable tensor is a state, and code shared with LSTM.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/cell.h"
#include "ir/ops/forms.h"
#include "import/tflite/tflite.h"

/* ---- SVDF ---- */

enum { SVDF_X, SVDF_FEATURES, SVDF_TIMES, SVDF_BIAS, SVDF_STATE };

static bool svdf_units(qn_graph_op *op, const qn_graph_tensor *features, int64_t *out_units) {
  int64_t rank = qn_graph_option(op, "RANK"), filters = features->shape.dims[0];
  if (rank < 1 || filters % rank != 0)
    return qn_graph_error(op, features, QN_INVALID,
                          "%lld filters are not a multiple of the rank %lld", (long long)filters,
                          (long long)rank);
  *out_units = filters / rank;
  return true;
}

void qn_tflite_import_svdf(qn_graph_op *op) {
  qn_graph_tensor *x = qn_cell_required(op, SVDF_X),
                  *features = qn_cell_required(op, SVDF_FEATURES),
                  *times = qn_cell_required(op, SVDF_TIMES), *bias = qn_graph_input(op, SVDF_BIAS),
                  *state = qn_cell_required(op, SVDF_STATE);
  if (x && x->dtype == QN_GRAPH_FLOAT32) {
    qn_tflite_float_svdf(op);
    return;
  }
  int64_t units = 0;
  if (op->failed || !qn_cell_check_rank(op, x, 2) || !qn_cell_check_rank(op, features, 2) ||
      !qn_cell_check_rank(op, times, 2) || !svdf_units(op, features, &units))
    return;
  int64_t batch = x->shape.dims[0], filters = features->shape.dims[0],
          memory = times->shape.dims[1];
  if (!qn_cell_check_shape(op, features, &(qn_graph_shape){2, {filters, x->shape.dims[1]}}) ||
      !qn_cell_check_shape(op, times, &(qn_graph_shape){2, {filters, memory}}) ||
      !qn_cell_check_shape(op, state, &(qn_graph_shape){2, {batch, filters * memory}}))
    return;
  qn_value *operands[5] = {qn_graph_value(op, x), qn_cell_state_value(op, state),
                           qn_graph_value(op, features), qn_graph_value(op, times)};
  uint32_t count = 4;
  if (bias) operands[count++] = qn_cell_bias(op, bias, units, 32);
  if (op->failed) return;
  qn_graph_attrs attrs = {0};
  qn_graph_shape shape = {2, {batch, units}};
  qn_graph_build_with_states(op, QN_OP_ML_SVDF, operands, count, &attrs, &shape, &state, 1);
}
