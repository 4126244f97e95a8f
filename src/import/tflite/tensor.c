/* Tensors: reading their tables, shapes and data, and the values that stand for them in the IR.
 * Sizes are checked here once: rank, every dimension, the product, and that a constant's data has
 * exactly the bytes that its shape says.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "base/checked.h"
#include "import/tflite/tflite.h"

/* Reports at the operator that uses the tensor, or at the model. */
#define PROBLEM(im, op, tensor, status, ...)                                                       \
  ((op) ? (void)qn_tflite_error((op), (tensor), (status), __VA_ARGS__)                             \
        : qn_tflite_model_error((im), (tensor), (status), __VA_ARGS__))

uint32_t qn_tflite_dtype_bits(int64_t dtype) {
  static const uint8_t bits[] = {
      [QN_TFLITE_FLOAT32] = 32, [QN_TFLITE_INT32] = 32,  [QN_TFLITE_UINT8] = 8,
      [QN_TFLITE_INT64] = 64,   [QN_TFLITE_BOOL] = 8,    [QN_TFLITE_INT16] = 16,
      [QN_TFLITE_INT8] = 8,     [QN_TFLITE_UINT64] = 64, [QN_TFLITE_UINT32] = 32,
      [QN_TFLITE_UINT16] = 16};
  return dtype < (int64_t)QN_COUNT(bits) ? bits[dtype] : 0;
}

/* Of other types 1, so that sizes can still be judged. */
static int64_t dtype_bytes(uint8_t dtype) {
  uint32_t bits = qn_tflite_dtype_bits(dtype);
  return bits ? bits / 8 : 1;
}

int64_t qn_tflite_elements(const qn_tflite_shape *shape) {
  int64_t n = 1;
  for (uint32_t i = 0; i < shape->rank; i++) n *= shape->dims[i];
  return n;
}

bool qn_tflite_has_elements(qn_tflite_op *op, const qn_tflite_tensor *tensor) {
  return qn_tflite_elements(&tensor->shape) > 0 ||
         qn_tflite_error(op, tensor, QN_UNSUPPORTED,
                         "a tensor without elements is not supported here");
}

bool qn_tflite_same_shape(const qn_tflite_shape *a, const qn_tflite_shape *b) {
  if (a->rank != b->rank) return false;
  for (uint32_t i = 0; i < a->rank; i++)
    if (a->dims[i] != b->dims[i]) return false;
  return true;
}

static bool check_size(qn_tflite *im, qn_tflite_op *op, const qn_tflite_tensor *tensor,
                       const qn_tflite_shape *shape) {
  int64_t bytes = dtype_bytes(tensor->dtype);
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

bool qn_tflite_spend(qn_tflite_op *op, int64_t units) {
  qn_tflite *im = op->im;
  if (im->work < 0) {
    op->failed = true; /* reported before */
    return false;
  }
  im->work -= units;
  if (im->work >= 0) return true;
  return qn_tflite_error(
      op, NULL, QN_LIMIT,
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

const qn_type *qn_tflite_shaped(qn_tflite *im, const qn_type *element,
                                const qn_tflite_shape *shape) {
  return qn_type_tensor(im->cx, element, shape->rank, shape->dims);
}

/* Without elements there is no data either. */
static bool is_constant(const qn_tflite_tensor *tensor) {
  return (tensor->data.size || qn_tflite_elements(&tensor->shape) == 0) && tensor->writer < 0 &&
         !tensor->is_input;
}

/* Integers that are computed from constants are one for who has to know them now. */
static bool is_known(qn_tflite_op *op, qn_tflite_tensor *tensor) {
  return is_constant(tensor) || qn_tflite_know(op, tensor);
}

/* Why a tensor without value and data can't be read. */
static void report_undefined(qn_tflite_op *op, qn_tflite_tensor *tensor) {
  if (tensor->writer >= (int64_t)op->index) {
    qn_tflite_error(op, tensor, QN_INVALID, "used before operator %lld writes it",
                    (long long)tensor->writer);
  } else if (tensor->writer < 0) {
    qn_tflite_error(op, tensor, QN_INVALID,
                    "it has no data, no operator writes it and it is no input");
  }
  tensor->bad = tensor->writer < 0;
  op->failed = true;
}

qn_value *qn_tflite_value(qn_tflite_op *op, qn_tflite_tensor *tensor) {
  if (tensor->value) return tensor->value;
  if (tensor->is_state) return qn_tflite_open_state(op, tensor);
  if (!is_constant(tensor)) {
    report_undefined(op, tensor);
    return NULL;
  }
  const qn_type *element = qn_tflite_element_type(op->im, op, tensor);
  if (!element) return NULL;
  return qn_tflite_constant(op, tensor, qn_tflite_shaped(op->im, element, &tensor->shape));
}

/* Once per type. Bytes that an operator has made are paid for. */
static qn_value *make_constant(qn_tflite_op *op, qn_tflite_tensor *tensor, const qn_type *type,
                               bool paid) {
  qn_tflite *im = op->im;
  if (tensor->value && tensor->value->type == type) return tensor->value;
  int64_t bytes = qn_tflite_elements(&tensor->shape) * dtype_bytes(tensor->dtype);
  if (!is_constant(tensor)) {
    qn_tflite_error(op, tensor, QN_UNSUPPORTED, "it must be a constant");
    return NULL;
  }
  if (tensor->data.size != (size_t)bytes) {
    tensor->bad = true;
    qn_tflite_error(op, tensor, QN_INVALID, "its buffer has %zu bytes, its shape and type say %lld",
                    tensor->data.size, (long long)bytes);
    return NULL;
  }
  if (!paid && !qn_tflite_spend(op, bytes)) return NULL;
  const qn_type *stored = qn_type_stored(im->cx, type);
  bool aligned = (uintptr_t)tensor->data.data % (uintptr_t)dtype_bytes(tensor->dtype) == 0;
  const qn_attr *value = qn_attr_dense(im->cx, stored, tensor->data, aligned);
  qn_builder b = im->builder;
  b.loc = qn_tflite_loc(op, tensor);
  tensor->value = qn_build_1(&b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
  return tensor->value;
}

qn_value *qn_tflite_constant(qn_tflite_op *op, qn_tflite_tensor *tensor, const qn_type *type) {
  return make_constant(op, tensor, type, false);
}

void qn_tflite_become_constant(qn_tflite_op *op, qn_tflite_tensor *y, qn_bytes data,
                               const qn_tflite_shape *shape) {
  y->data = data;
  y->shape = *shape;
  y->writer = -1;
  const qn_type *element = qn_tflite_element_type(op->im, op, y);
  if (element) make_constant(op, y, qn_tflite_shaped(op->im, element, shape), true);
}

bool qn_tflite_ints(qn_tflite_op *op, qn_tflite_tensor *tensor, uint32_t most, int64_t *out_values,
                    uint32_t *out_count) {
  if (tensor->dtype != QN_TFLITE_INT32 && tensor->dtype != QN_TFLITE_INT64)
    return qn_tflite_error(op, tensor, QN_UNSUPPORTED, "it is %s where int32 or int64 is expected",
                           qn_tflite_dtype_name(tensor->dtype));
  if (!is_known(op, tensor))
    return qn_tflite_error(op, tensor, QN_UNSUPPORTED,
                           "it must be a constant: shapes are fixed at compile time");
  int64_t n = qn_tflite_elements(&tensor->shape), width = dtype_bytes(tensor->dtype);
  if (tensor->data.size != (size_t)(n * width))
    return qn_tflite_error(op, tensor, QN_INVALID,
                           "its buffer has %zu bytes, its shape and type say %lld",
                           tensor->data.size, (long long)(n * width));
  if (n > most)
    return qn_tflite_error(op, tensor, QN_INVALID, "%lld elements where at most %u make sense",
                           (long long)n, most);
  for (int64_t i = 0; i < n; i++) {
    const uint8_t *p = tensor->data.data + i * width;
    out_values[i] = width == 4 ? (int32_t)qn_fb_load_u32(p) : (int64_t)qn_fb_load_u64(p);
  }
  *out_count = (uint32_t)n;
  return true;
}

bool qn_tflite_stated_sizes(qn_tflite_op *op, qn_tflite_tensor *operand,
                            const qn_tflite_tensor *result, int64_t *out_values,
                            uint32_t *out_count) {
  bool whole = operand->dtype == QN_TFLITE_INT32 || operand->dtype == QN_TFLITE_INT64;
  if (!whole || is_known(op, operand) || op->im->rebound || result->is_optional_shape)
    return qn_tflite_ints(op, operand, QN_TFLITE_MAX_RANK, out_values, out_count);
  if (!qn_tflite_value(op, operand)) return false; /* What nobody gives is no shape. */
  *out_count = result->shape.rank;
  for (uint32_t i = 0; i < result->shape.rank; i++) out_values[i] = result->shape.dims[i];
  qn_str text = qn_tflite_shape_text(op->im, &result->shape);
  qn_tflite_warn(op, operand,
                 "its value is not in the file; the stored shape %.*s of the result is used, as "
                 "shapes are fixed at compile time",
                 QN_STR_ARG(text));
  return true;
}

bool qn_tflite_whole(const qn_tflite_tensor *tensor, int64_t *out_value) {
  const uint8_t *p = tensor->data.data;
  if (!is_constant(tensor) || tensor->data.size != (size_t)dtype_bytes(tensor->dtype)) return false;
  switch (tensor->dtype) {
  case QN_TFLITE_INT8:
    *out_value = (int8_t)*p;
    return true;
  case QN_TFLITE_UINT8:
  case QN_TFLITE_BOOL:
    *out_value = *p;
    return true;
  case QN_TFLITE_INT16:
    *out_value = (int16_t)(p[0] | p[1] << 8);
    return true;
  case QN_TFLITE_INT32:
    *out_value = (int32_t)qn_fb_load_u32(p);
    return true;
  case QN_TFLITE_INT64:
    *out_value = (int64_t)qn_fb_load_u64(p);
    return true;
  case QN_TFLITE_FLOAT32:
    break;
  default:
    return false;
  }
  uint32_t bits = qn_fb_load_u32(p), again;
  float real;
  memcpy(&real, &bits, sizeof real);
  *out_value = fabsf(real) <= 0x1p24F ? (int64_t)real : 0;
  real = (float)*out_value;
  memcpy(&again, &real, sizeof again);
  return again == bits; /* -0.0 is none */
}

bool qn_tflite_scalar(qn_tflite_op *op, qn_tflite_tensor *tensor, int64_t *out_value) {
  bool known = is_known(op, tensor);
  return (known && qn_tflite_whole(tensor, out_value)) ||
         qn_tflite_error(op, tensor, QN_UNSUPPORTED, "it must be a constant, one whole number");
}

bool qn_tflite_axis(qn_tflite_op *op, int64_t axis, uint32_t rank, uint32_t *out_axis) {
  if (axis < -(int64_t)rank || axis >= (int64_t)rank)
    return qn_tflite_error(op, NULL, QN_INVALID, "axis %lld of a tensor of rank %u",
                           (long long)axis, rank);
  *out_axis = (uint32_t)(axis < 0 ? axis + rank : axis);
  return true;
}
