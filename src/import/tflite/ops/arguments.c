/* Operators that formats share, with the options of the file as arguments.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/ops.h"
#include "import/tflite/tflite.h"

static bool is(const qn_graph_op *op, const char *option) {
  return qn_graph_option(op, option) != 0;
}

/* Reports a fused activation that the runtime's kernels reject. */
static bool check_unfused(qn_graph_op *op, const qn_graph_tensor *tensor) {
  return !is(op, "ACTIVATION") ||
         qn_graph_error(op, tensor, QN_UNSUPPORTED, "a fused activation is not supported here");
}

static int64_t axis_of(const qn_graph_op *op) { return qn_graph_option(op, "AXIS"); }

/* ---- functions of numbers ---- */

void qn_tflite_import_binary(qn_graph_op *op) {
  const qn_attr *activation;
  if (qn_graph_output(op, 0) && qn_tflite_fused(op, &activation)) qn_graph_binary(op, activation);
}

void qn_tflite_import_leaky_relu(qn_graph_op *op) {
  qn_graph_leaky_relu(op, qn_graph_real_option(op, "ALPHA"));
}

void qn_tflite_import_gelu(qn_graph_op *op) { qn_graph_gelu(op, is(op, "APPROXIMATE")); }

void qn_tflite_import_softmax(qn_graph_op *op) {
  qn_graph_softmax(op, qn_graph_real_option(op, "BETA"));
}

void qn_tflite_import_l2_norm(qn_graph_op *op) {
  if (check_unfused(op, NULL)) qn_graph_import_elementwise(op);
}

void qn_tflite_import_local_response(qn_graph_op *op) {
  qn_graph_local_response(op, qn_graph_option(op, "RADIUS"), qn_graph_real_option(op, "BIAS"),
                          qn_graph_real_option(op, "ALPHA"), qn_graph_real_option(op, "BETA"));
}

void qn_tflite_import_mean(qn_graph_op *op) { qn_graph_reduce(op, is(op, "KEEP_DIMS")); }

void qn_tflite_import_cumsum(qn_graph_op *op) {
  qn_graph_cumsum(op, is(op, "EXCLUSIVE"), is(op, "REVERSE"));
}

void qn_tflite_import_bucketize(qn_graph_op *op) {
  qn_graph_bucketize(op, qn_graph_list_option(op, "BOUNDARIES"));
}

/* ---- movement ---- */

void qn_tflite_import_concat(qn_graph_op *op) {
  if (check_unfused(op, qn_graph_output(op, 0))) qn_graph_concat(op, axis_of(op));
}

void qn_tflite_import_split(qn_graph_op *op) {
  qn_graph_split(op, qn_graph_option(op, "NUM_SPLITS"));
}

void qn_tflite_import_strided_slice(qn_graph_op *op) {
  const qn_graph_slice_masks masks = {.begin = qn_graph_option(op, "BEGIN_MASK"),
                                      .end = qn_graph_option(op, "END_MASK"),
                                      .ellipsis = qn_graph_option(op, "ELLIPSIS_MASK"),
                                      .new_axis = qn_graph_option(op, "NEW_AXIS_MASK"),
                                      .shrink = qn_graph_option(op, "SHRINK_AXIS_MASK"),
                                      .offset = is(op, "OFFSET")};
  qn_graph_strided_slice(op, &masks);
}

void qn_tflite_import_pack(qn_graph_op *op) { qn_graph_stack(op, axis_of(op)); }
void qn_tflite_import_unpack(qn_graph_op *op) { qn_graph_unstack(op, axis_of(op)); }
void qn_tflite_import_one_hot(qn_graph_op *op) { qn_graph_one_hot(op, axis_of(op)); }

void qn_tflite_import_gather(qn_graph_op *op) {
  qn_graph_gather(op, axis_of(op), qn_graph_option(op, "BATCH_DIMS"));
}

void qn_tflite_import_mirror_pad(qn_graph_op *op) {
  enum { SYMMETRIC = 1 };
  qn_graph_mirror_pad(op, qn_graph_option(op, "MODE") == SYMMETRIC);
}

void qn_tflite_import_reverse_sequence(qn_graph_op *op) {
  qn_graph_reverse_sequence(op, qn_graph_option(op, "SEQUENCE"), qn_graph_option(op, "BATCH"));
}

void qn_tflite_import_blocks(qn_graph_op *op) {
  qn_graph_blocks(op, qn_graph_option(op, "BLOCK_SIZE"));
}

void qn_tflite_import_reshape(qn_graph_op *op) {
  qn_graph_reshape(op, qn_graph_list_option(op, "NEW_SHAPE"));
}

void qn_tflite_import_squeeze(qn_graph_op *op) {
  qn_graph_squeeze(op, qn_graph_list_option(op, "SQUEEZE_DIMS"));
}

void qn_tflite_import_resize(qn_graph_op *op) {
  qn_graph_resize(op, is(op, "ALIGN_CORNERS"), is(op, "HALF_PIXEL_CENTERS"));
}
