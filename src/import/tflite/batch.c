/* Another batch than the file fixes: dimension 0 of every input is bound anew, shapes are computed
 * from there on, and each operator must carry the entries through side by side.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

/* Whether the tensor has the new batch where the file has its own. */
static bool carries(const qn_tflite *im, const qn_tflite_tensor *tensor) {
  qn_fb_vector stored = qn_fb_vector_of(tensor->table, QN_FB_TENSOR_SHAPE);
  const qn_tflite_shape *shape = &tensor->shape;
  if (stored.count == 0 || stored.count != shape->rank || shape->dims[0] != im->batch) return false;
  int64_t entries = qn_fb_i32_at(stored, 0);
  if (entries != im->stored_batch && entries != -1) return false;
  for (uint32_t i = 1; i < shape->rank; i++) {
    int64_t size = qn_fb_i32_at(stored, i);
    if (size != shape->dims[i] && size != -1) return false;
  }
  return true;
}

static bool reads_batch(qn_tflite_op *op) {
  for (uint32_t i = 0; i < op->inputs.count; i++) {
    int32_t index = qn_fb_i32_at(op->inputs, i);
    const qn_tflite_tensor *tensor = index >= 0 ? &op->im->tensors[index] : NULL;
    bool computed = tensor && (tensor->is_input || tensor->writer >= 0);
    if (computed && carries(op->im, tensor)) return true;
  }
  return false;
}

/* Whether an op joins, reverses or otherwise mixes the entries. */
static bool mixes(const qn_op *op) {
  const qn_attr *axis = qn_op_find(op, QN_A_AXIS);
  if (axis && axis->kind == QN_ATTR_INTEGER && axis->integer == 0) return true;
  qn_i64s axes = qn_op_axes(op);
  for (uint32_t i = 0; i < axes.count; i++)
    if (axes.data[i] == 0) return true;
  return false;
}

void qn_tflite_check_batch(qn_tflite_op *op, const qn_op *last) {
  qn_tflite *im = op->im;
  if (!im->options->rebatch || im->batch == im->stored_batch || op->failed || !reads_batch(op))
    return;
  for (const qn_op *built = im->block->last; built && built != last; built = built->prev)
    if (mixes(built)) {
      qn_tflite_error(op, NULL, QN_UNSUPPORTED,
                      "it works across the entries of a batch, which is %lld in the file",
                      (long long)im->stored_batch);
      return;
    }
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    const qn_tflite_tensor *y = &im->tensors[qn_fb_i32_at(op->outputs, i)];
    bool constant = y->value && y->value->op && qn_op_has(y->value->op, QN_CONSTANT);
    if (constant || carries(im, y)) continue;
    qn_tflite_error(op, y, QN_UNSUPPORTED,
                    "it does not keep the entries of a batch apart, which is %lld in the file",
                    (long long)im->stored_batch);
    return;
  }
}
