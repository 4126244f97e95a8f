/* Tensors: reading their tables, shapes and data. Sizes are checked here once: rank, every
 * dimension, the product; that data has exactly these bytes, where it becomes a constant.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "import/tflite/tflite.h"

/* Reports at the operator that uses the tensor, or at the model. */
#define PROBLEM(im, op, tensor, status, ...)                                                       \
  ((op) ? (void)qn_tflite_error((op), (tensor), (status), __VA_ARGS__)                             \
        : qn_tflite_model_error((im), (tensor), (status), __VA_ARGS__))

static bool check_size(qn_tflite *im, qn_tflite_op *op, const qn_tflite_tensor *tensor,
                       const qn_tflite_shape *shape) {
  int64_t bytes = qn_tflite_dtype_bytes(tensor->dtype);
  bool fits = true;
  for (uint32_t i = 0; i < shape->rank; i++) {
    if (shape->dims[i] < 0) {
      PROBLEM(im, op, tensor, QN_INVALID, "dimension %u is %lld", i, (long long)shape->dims[i]);
      return false;
    }
    fits = fits && qn_checked_mul(bytes, shape->dims[i], &bytes) &&
           bytes <= QN_TFLITE_MAX_TENSOR_BYTES;
  }
  if (fits) return true;
  qn_str text = qn_tflite_shape_text(im, shape);
  PROBLEM(im, op, tensor, QN_LIMIT, "a tensor of shape %.*s is larger than the limit of %d MiB",
          QN_STR_ARG(text), QN_TFLITE_MAX_TENSOR_BYTES >> 20);
  return false;
}

bool qn_tflite_check_size(qn_tflite_op *op, const qn_tflite_tensor *tensor,
                          const qn_tflite_shape *shape) {
  return check_size(op->im, op, tensor, shape);
}

/* Whether dimension 0 has the new batch: of inputs, and of states of the main graph, of which each
 * entry has its own. */
static bool has_batch(const qn_tflite *im, const qn_tflite_tensor *tensor, int64_t stored) {
  bool keeps = tensor->is_state && !im->frame->outer && stored == im->stored_batch;
  return im->options->rebatch && (tensor->is_input || keeps);
}

/* Reads shape and signature; an unknown dimension of a model input is bound to the batch. */
static bool load_shape(qn_tflite *im, qn_tflite_op *op, qn_tflite_tensor *tensor) {
  qn_fb_vector shape = qn_fb_vector_of(tensor->table, QN_FB_TENSOR_SHAPE);
  qn_fb_vector signature = qn_fb_vector_of(tensor->table, QN_FB_TENSOR_SHAPE_SIGNATURE);
  if (shape.count > QN_TFLITE_MAX_RANK) {
    PROBLEM(im, op, tensor, QN_LIMIT, "rank %u is above the limit of %d", shape.count,
            QN_TFLITE_MAX_RANK);
    return false;
  }
  bool has_signature = signature.count == shape.count;
  tensor->shape.rank = shape.count;
  tensor->is_optional_shape = shape.count == 0;
  for (uint32_t i = 0; i < shape.count; i++) {
    int64_t stored = qn_fb_i32_at(shape, i);
    bool unknown = stored == -1 || (has_signature && qn_fb_i32_at(signature, i) == -1);
    bool entries = i == 0 && has_batch(im, tensor, stored);
    if (entries && im->stored_batch == 0) im->stored_batch = stored < 1 ? 1 : stored;
    unknown = unknown || entries;
    if (unknown) tensor->dynamic |= 1u << i;
    bool bind = entries || (unknown && (tensor->is_input || stored == -1));
    if (bind && tensor->is_input) im->bound = true;
    if (bind && stored != im->batch) im->rebound = true;
    tensor->shape.dims[i] = bind ? im->batch : stored;
  }
  return check_size(im, op, tensor, &tensor->shape);
}

bool qn_tflite_is_fixed_input(const qn_tflite *im, const qn_tflite_tensor *tensor) {
  int64_t dtype = qn_fb_int(tensor->table, QN_FB_TENSOR_TYPE);
  return (dtype == QN_TFLITE_INT32 || dtype == QN_TFLITE_INT64) &&
         qn_tflite_buffer(im, tensor).bytes.size > 0;
}

static bool load_data(qn_tflite *im, qn_tflite_op *op, qn_tflite_tensor *tensor) {
  if (tensor->is_input) return true; /* none that counts */
  qn_outside buffer = qn_tflite_buffer(im, tensor);
  if (buffer.problem) {
    PROBLEM(im, op, tensor, QN_INVALID, "its data, %llu bytes from byte %llu on, %s",
            (unsigned long long)buffer.count, (unsigned long long)buffer.at, buffer.problem);
    return false;
  }
  tensor->data = buffer.bytes;
  bool is_spent = im->work < 0;
  const char *problem = tensor->writer < 0 ? qn_tflite_unpack(im, tensor) : NULL;
  if (problem)
    PROBLEM(im, op, tensor, im->work < 0 && !is_spent ? QN_LIMIT : QN_INVALID, "%s", problem);
  return !problem;
}

bool qn_tflite_load(qn_tflite *im, qn_tflite_op *op, qn_tflite_tensor *tensor) {
  if (tensor->loaded) return !tensor->bad;
  tensor->loaded = true;
  tensor->dtype = (uint8_t)qn_fb_int(tensor->table, QN_FB_TENSOR_TYPE);
  tensor->is_state = qn_fb_int(tensor->table, QN_FB_TENSOR_IS_VARIABLE) != 0;
  bool good = load_shape(im, op, tensor) && load_data(im, op, tensor);
  if (tensor->is_state && (tensor->is_input || tensor->data.size)) {
    PROBLEM(im, op, tensor, QN_INVALID, "a variable tensor is neither an input nor a constant");
    good = false;
  }
  if (qn_fb_has(tensor->table, QN_FB_TENSOR_SPARSITY)) {
    PROBLEM(im, op, tensor, QN_UNSUPPORTED, "sparse tensors are not supported");
    good = false;
  }
  if (tensor->dtype == QN_TFLITE_INT4 && !im->profile->all_weights) {
    PROBLEM(im, op, tensor, QN_UNSUPPORTED,
            "the profile has no rule for elements of less than 8 bits");
    good = false;
  }
  tensor->bad = !good;
  return good;
}

static bool spend(qn_tflite_op *op, int64_t *left, int64_t units, const char *problem) {
  if (*left < 0) {
    op->failed = true; /* reported before */
    return false;
  }
  *left -= units;
  return *left >= 0 || qn_tflite_error(op, NULL, QN_LIMIT, "%s", problem);
}

bool qn_tflite_spend_on_calls(qn_tflite_op *op, int64_t units) {
  return spend(op, &op->im->calls, units,
               "subgraphs call each other so often that the import, which reads one for each call, "
               "would cost too much");
}

bool qn_tflite_spend(qn_tflite_op *op, int64_t units) {
  if (op->im->frame && op->im->frame->again) return qn_tflite_spend_on_calls(op, units);
  return spend(op, &op->im->work, units,
               "operators share large constants so often that the import would cost too much");
}

qn_tflite_tensor *qn_tflite_input(qn_tflite_op *op, uint32_t i) {
  if (i >= op->inputs.count || qn_fb_i32_at(op->inputs, i) < 0) return NULL;
  qn_tflite_tensor *tensor = &op->im->tensors[qn_fb_i32_at(op->inputs, i)];
  if (qn_tflite_load(op->im, op, tensor)) return tensor;
  op->failed = true;
  return NULL;
}

qn_tflite_tensor *qn_tflite_output(qn_tflite_op *op, uint32_t i) {
  qn_tflite_tensor *tensor = &op->im->tensors[qn_fb_i32_at(op->outputs, i)];
  if (qn_tflite_load(op->im, op, tensor)) return tensor;
  op->failed = true;
  return NULL;
}
