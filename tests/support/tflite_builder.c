/* See tflite_builder.h. A file is written from front to back. A table is written before the objects
 * that its offsets refer to, because offsets of FlatBuffers only point forward. Each table has its
 * own vtable directly before it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tflite_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bytes_out {
  uint8_t *data;
  size_t size, capacity;
} bytes_out;

typedef struct op_row {
  int32_t code, version;
  qn_tfb_list inputs, outputs;
  qn_tfb_options options;
} op_row;

struct qn_tfb {
  bytes_out out;
  qn_tfb_tensor *tensors;
  uint32_t tensor_count;
  op_row *ops;
  uint32_t op_count;
  qn_tfb_list inputs, outputs;
  uint32_t version, subgraphs;
  const char *custom;
  const uint8_t *custom_options;
  uint32_t custom_size;
  struct {
    uint64_t at, size;
  } custom_outside;
  bool old_codes;
  void **owned;
  size_t owned_count;
};

static void *grow(void *p, size_t size) {
  void *q = realloc(p, size ? size : 1);
  if (!q) {
    fputs("out of memory\n", stderr);
    abort();
  }
  return q;
}

static const void *keep(qn_tfb *b, const void *data, size_t size) {
  if (!size) return NULL;
  void *copy = grow(NULL, size);
  memcpy(copy, data, size);
  b->owned = grow(b->owned, (b->owned_count + 1) * sizeof *b->owned);
  b->owned[b->owned_count++] = copy;
  return copy;
}

static qn_tfb_list keep_list(qn_tfb *b, qn_tfb_list list) {
  list.data = keep(b, list.data, list.count * sizeof *list.data);
  return list;
}

qn_tfb *qn_tfb_create(void) {
  qn_tfb *b = grow(NULL, sizeof *b);
  *b = (qn_tfb){.version = 3, .subgraphs = 1, .custom = "Custom"};
  return b;
}

void qn_tfb_destroy(qn_tfb *b) {
  for (size_t i = 0; i < b->owned_count; i++) free(b->owned[i]);
  free(b->owned);
  free(b->tensors);
  free(b->ops);
  free(b->out.data);
  free(b);
}

/* ---- contents of the model ---- */

int32_t qn_tfb_any(qn_tfb *b, const qn_tfb_tensor *tensor) {
  b->tensors = grow(b->tensors, (b->tensor_count + 1) * sizeof *b->tensors);
  qn_tfb_tensor *t = &b->tensors[b->tensor_count];
  *t = *tensor;
  t->name = tensor->name ? keep(b, tensor->name, strlen(tensor->name) + 1) : NULL;
  t->shape = keep_list(b, tensor->shape);
  t->signature = keep_list(b, tensor->signature);
  t->scales = keep(b, tensor->scales, tensor->scale_count * sizeof(float));
  t->zero_points = keep(b, tensor->zero_points, tensor->zero_point_count * sizeof(int64_t));
  t->data = keep(b, tensor->data, tensor->data ? tensor->size : 0);
  return (int32_t)b->tensor_count++;
}

int32_t qn_tfb_q8(qn_tfb *b, const char *name, uint8_t type, qn_tfb_list shape, float scale,
                  int64_t zero_point) {
  return qn_tfb_any(b, &(qn_tfb_tensor){.name = name,
                                        .type = type,
                                        .shape = shape,
                                        .scales = &scale,
                                        .scale_count = 1,
                                        .zero_points = &zero_point,
                                        .zero_point_count = 1});
}

int32_t qn_tfb_state(qn_tfb *b, const char *name, uint8_t type, qn_tfb_list shape, float scale,
                     int64_t zero_point) {
  return qn_tfb_any(b, &(qn_tfb_tensor){.name = name,
                                        .type = type,
                                        .shape = shape,
                                        .scales = &scale,
                                        .scale_count = 1,
                                        .zero_points = &zero_point,
                                        .zero_point_count = 1,
                                        .is_variable = true});
}

int32_t qn_tfb_f32(qn_tfb *b, const char *name, qn_tfb_list shape) {
  return qn_tfb_any(b, &(qn_tfb_tensor){.name = name, .type = QN_TFB_FLOAT32, .shape = shape});
}

static size_t elements(qn_tfb_list shape) {
  size_t n = 1;
  for (uint32_t i = 0; i < shape.count; i++) n *= (size_t)shape.data[i];
  return n;
}

int32_t qn_tfb_const_q8(qn_tfb *b, const char *name, uint8_t type, qn_tfb_list shape,
                        const void *data, const float *scales, uint32_t scale_count,
                        int64_t zero_point, int32_t dimension) {
  return qn_tfb_any(b, &(qn_tfb_tensor){.name = name,
                                        .type = type,
                                        .shape = shape,
                                        .scales = scales,
                                        .scale_count = scale_count,
                                        .zero_points = &zero_point,
                                        .zero_point_count = 1,
                                        .quantized_dimension = dimension,
                                        .data = data,
                                        .size = elements(shape)});
}

int32_t qn_tfb_const_i32(qn_tfb *b, const char *name, qn_tfb_list shape, const int32_t *data) {
  return qn_tfb_any(b, &(qn_tfb_tensor){.name = name,
                                        .type = QN_TFB_INT32,
                                        .shape = shape,
                                        .data = data,
                                        .size = elements(shape) * sizeof *data});
}

void qn_tfb_op(qn_tfb *b, int32_t code, int32_t version, qn_tfb_list inputs, qn_tfb_list outputs,
               qn_tfb_options options) {
  b->ops = grow(b->ops, (b->op_count + 1) * sizeof *b->ops);
  options.vector = keep_list(b, options.vector);
  b->ops[b->op_count++] =
      (op_row){code, version, keep_list(b, inputs), keep_list(b, outputs), options};
}

void qn_tfb_custom_name(qn_tfb *b, const char *name) {
  b->custom = keep(b, name, strlen(name) + 1);
}

void qn_tfb_custom_options(qn_tfb *b, const uint8_t *bytes, uint32_t size) {
  b->custom_options = keep(b, bytes, size);
  b->custom_size = size;
}

void qn_tfb_custom_outside(qn_tfb *b, uint64_t at, uint64_t size) {
  b->custom_outside.at = at;
  b->custom_outside.size = size;
}

void qn_tfb_interface(qn_tfb *b, qn_tfb_list inputs, qn_tfb_list outputs) {
  b->inputs = keep_list(b, inputs);
  b->outputs = keep_list(b, outputs);
}

void qn_tfb_version(qn_tfb *b, uint32_t version, uint32_t subgraphs) {
  b->version = version;
  b->subgraphs = subgraphs;
}

void qn_tfb_old_codes(qn_tfb *b) { b->old_codes = true; }

qn_tfb_tensor *qn_tfb_tensors(qn_tfb *b, uint32_t *out_count) {
  *out_count = b->tensor_count;
  return b->tensors;
}

void qn_tfb_recode(qn_tfb *b, int32_t code) {
  for (uint32_t i = 0; i < b->op_count; i++) {
    if (b->ops[i].code == code) continue;
    b->ops[i].code = code;
    b->ops[i].options = qn_tfb_no_options();
  }
}

/* ---- options ---- */

enum {
  CONV = 1,
  DEPTHWISE = 2,
  POOL = 5,
  SVDF = 6,
  FULLY_CONNECTED = 8,
  SOFTMAX = 9,
  CONCATENATION = 10,
  ADD = 11,
  RESHAPE = 17,
  MUL = 21,
  REDUCER = 27,
  SUB = 28,
  SQUEEZE = 30,
  STRIDED_SLICE = 32,
  SPLIT = 35,
  LSTM = 71
};

static void option(qn_tfb_options *o, uint16_t id, uint8_t width, int32_t value) {
  o->fields[o->count].id = id;
  o->fields[o->count].width = width;
  o->fields[o->count++].bits = (uint32_t)value;
}

qn_tfb_options qn_tfb_no_options(void) { return (qn_tfb_options){0}; }

qn_tfb_options qn_tfb_conv_options(int padding, int32_t stride_h, int32_t stride_w, int activation,
                                   int32_t dilation_h, int32_t dilation_w) {
  qn_tfb_options o = {.type = CONV};
  option(&o, 0, 1, padding);
  option(&o, 1, 4, stride_w);
  option(&o, 2, 4, stride_h);
  option(&o, 3, 1, activation);
  option(&o, 4, 4, dilation_w);
  option(&o, 5, 4, dilation_h);
  return o;
}

qn_tfb_options qn_tfb_depthwise_options(int padding, int32_t stride_h, int32_t stride_w,
                                        int32_t multiplier, int activation, int32_t dilation_h,
                                        int32_t dilation_w) {
  qn_tfb_options o = {.type = DEPTHWISE};
  option(&o, 0, 1, padding);
  option(&o, 1, 4, stride_w);
  option(&o, 2, 4, stride_h);
  option(&o, 3, 4, multiplier);
  option(&o, 4, 1, activation);
  option(&o, 5, 4, dilation_w);
  option(&o, 6, 4, dilation_h);
  return o;
}

qn_tfb_options qn_tfb_pool_options(int padding, int32_t stride_h, int32_t stride_w,
                                   int32_t filter_h, int32_t filter_w, int activation) {
  qn_tfb_options o = {.type = POOL};
  option(&o, 0, 1, padding);
  option(&o, 1, 4, stride_w);
  option(&o, 2, 4, stride_h);
  option(&o, 3, 4, filter_w);
  option(&o, 4, 4, filter_h);
  option(&o, 5, 1, activation);
  return o;
}

qn_tfb_options qn_tfb_fully_connected_options(int activation, bool keep_num_dims) {
  qn_tfb_options o = {.type = FULLY_CONNECTED};
  option(&o, 0, 1, activation);
  option(&o, 2, 1, keep_num_dims);
  return o;
}

qn_tfb_options qn_tfb_binary_options(int32_t code, int activation) {
  qn_tfb_options o = {.type = code == QN_TFB_ADD ? ADD : code == QN_TFB_SUB ? SUB : MUL};
  option(&o, 0, 1, activation);
  return o;
}

static void float_option(qn_tfb_options *o, uint16_t id, float value) {
  int32_t bits;
  memcpy(&bits, &value, sizeof bits);
  option(o, id, 4, bits);
}

qn_tfb_options qn_tfb_softmax_options(float beta) {
  qn_tfb_options o = {.type = SOFTMAX};
  float_option(&o, 0, beta);
  return o;
}

qn_tfb_options qn_tfb_svdf_options(int32_t rank) {
  qn_tfb_options o = {.type = SVDF};
  option(&o, 0, 4, rank);
  return o;
}

qn_tfb_options qn_tfb_lstm_options(int activation, float cell_clip, bool time_major) {
  qn_tfb_options o = {.type = LSTM};
  option(&o, 0, 1, activation);
  float_option(&o, 1, cell_clip);
  option(&o, 3, 1, time_major);
  return o;
}

qn_tfb_options qn_tfb_concat_options(int32_t axis) {
  qn_tfb_options o = {.type = CONCATENATION};
  option(&o, 0, 4, axis);
  return o;
}

qn_tfb_options qn_tfb_reshape_options(qn_tfb_list shape) {
  return (qn_tfb_options){.type = RESHAPE, .vector = shape};
}

qn_tfb_options qn_tfb_squeeze_options(qn_tfb_list dims) {
  return (qn_tfb_options){.type = SQUEEZE, .vector = dims};
}

qn_tfb_options qn_tfb_reducer_options(bool keep_dims) {
  qn_tfb_options o = {.type = REDUCER};
  option(&o, 0, 1, keep_dims);
  return o;
}

qn_tfb_options qn_tfb_split_options(int32_t parts) {
  qn_tfb_options o = {.type = SPLIT};
  option(&o, 0, 4, parts);
  return o;
}

qn_tfb_options qn_tfb_slice_options(int32_t begin_mask, int32_t end_mask, int32_t ellipsis_mask,
                                    int32_t new_axis_mask, int32_t shrink_mask) {
  qn_tfb_options o = {.type = STRIDED_SLICE};
  int32_t masks[] = {begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_mask};
  for (uint16_t i = 0; i < 5; i++) option(&o, i, 4, masks[i]);
  return o;
}

/* ---- writing ---- */

static size_t put(bytes_out *o, const void *data, size_t size) {
  if (o->size + size > o->capacity) {
    o->capacity = 2 * (o->size + size) + 256;
    o->data = grow(o->data, o->capacity);
  }
  if (data && size)
    memcpy(o->data + o->size, data, size);
  else
    memset(o->data + o->size, 0, size);
  o->size += size;
  return o->size - size;
}

static void align(bytes_out *o, size_t to) { put(o, NULL, (to - o->size % to) % to); }

static void store(bytes_out *o, size_t at, uint64_t value, size_t width) {
  for (size_t i = 0; i < width; i++) o->data[at + i] = (uint8_t)(value >> 8 * i);
}

/* A slot of a table under construction. */
typedef struct slot {
  uint16_t id;
  uint8_t width; /* 1, 4 or 8; an offset is 4 wide */
  uint64_t value;
  size_t *out_at; /* of an offset: receives its position, for patch */
} slot;

/* Writes vtable and table. Stores the positions of the slots in out_at, and returns the position of
 * the table. */
static size_t table(bytes_out *o, const slot *slots, size_t count) {
  uint16_t ids = 0;
  for (size_t i = 0; i < count; i++)
    if (slots[i].id >= ids) ids = (uint16_t)(slots[i].id + 1);
  size_t vtable_size = 4 + 2 * (size_t)ids;
  align(o, 2);
  /* The table starts 4 past a multiple of 8, so that 8-byte fields after the soffset are aligned.
   */
  while ((o->size + vtable_size) % 8 != 4) put(o, NULL, 2);
  size_t vtable = put(o, NULL, vtable_size), at = put(o, NULL, 4);
  for (uint8_t width = 8; width >= 1; width /= 2) {
    for (size_t i = 0; i < count; i++) {
      if (slots[i].width != width) continue;
      size_t where = put(o, NULL, width);
      store(o, where, slots[i].value, width);
      store(o, vtable + 4 + 2 * (size_t)slots[i].id, where - at, 2);
      if (slots[i].out_at) *slots[i].out_at = where;
    }
  }
  store(o, vtable, vtable_size, 2);
  store(o, vtable + 2, o->size - at, 2);
  store(o, at, at - vtable, 4);
  return at;
}

/* Makes the offset at `at` point to the next object to be written. */
static void patch(bytes_out *o, size_t at, size_t target) { store(o, at, target - at, 4); }

static void vector(bytes_out *o, size_t from, const void *data, uint32_t count, size_t width,
                   size_t alignment) {
  align(o, 4);
  while ((o->size + 4) % alignment != 0) put(o, NULL, 4);
  patch(o, from, put(o, NULL, 4));
  store(o, o->size - 4, count, 4);
  put(o, data, count * width);
}

static void list(bytes_out *o, size_t from, qn_tfb_list values) {
  vector(o, from, values.data, values.count, 4, 4);
}

static void string(bytes_out *o, size_t from, const char *text) {
  vector(o, from, text, (uint32_t)strlen(text), 1, 4);
  put(o, NULL, 1);
}

/* Writes a vector of offsets that are patched later; returns the position of the first. */
static size_t offsets(bytes_out *o, size_t from, uint32_t count) {
  vector(o, from, NULL, count, 4, 4);
  return o->size - 4 * (size_t)count;
}

static void write_tensor(bytes_out *o, size_t from, const qn_tfb_tensor *t, uint32_t buffer) {
  size_t shape, name, quantization, sparsity, signature, scales, zero_points;
  slot slots[8] = {
      {0, 4, 0, &shape}, {1, 1, t->type, NULL}, {2, 4, t->buffer ? t->buffer : buffer, NULL}};
  size_t n = 3;
  if (t->name) slots[n++] = (slot){3, 4, 0, &name};
  if (t->scale_count || t->zero_point_count) slots[n++] = (slot){4, 4, 0, &quantization};
  if (t->is_variable) slots[n++] = (slot){5, 1, 1, NULL};
  if (t->is_sparse) slots[n++] = (slot){6, 4, 0, &sparsity};
  if (t->signature.count) slots[n++] = (slot){7, 4, 0, &signature};
  patch(o, from, table(o, slots, n));
  list(o, shape, t->shape);
  if (t->name) string(o, name, t->name);
  if (t->is_sparse) patch(o, sparsity, table(o, NULL, 0));
  if (t->signature.count) list(o, signature, t->signature);
  if (!t->scale_count && !t->zero_point_count) return;
  slot q[] = {
      {2, 4, 0, &scales}, {3, 4, 0, &zero_points}, {6, 4, (uint32_t)t->quantized_dimension, NULL}};
  patch(o, quantization, table(o, q, 3));
  vector(o, scales, t->scales, t->scale_count, 4, 4);
  vector(o, zero_points, t->zero_points, t->zero_point_count, 8, 8);
}

static void write_options(bytes_out *o, size_t from, const qn_tfb_options *options) {
  slot slots[9];
  size_t n = 0, values = 0;
  for (uint32_t i = 0; i < options->count; i++)
    slots[n++] =
        (slot){options->fields[i].id, options->fields[i].width, options->fields[i].bits, NULL};
  if (options->vector.count) slots[n++] = (slot){0, 4, 0, &values};
  patch(o, from, table(o, slots, n));
  if (options->vector.count) list(o, values, options->vector);
}

static void write_op(const qn_tfb *b, bytes_out *o, size_t from, const op_row *op, uint32_t code) {
  size_t inputs, outputs, options, custom;
  bool has_custom = op->code == QN_TFB_CUSTOM && b->custom_options;
  bool outside = op->code == QN_TFB_CUSTOM && b->custom_outside.at;
  slot slots[7] = {{0, 4, code, NULL}, {1, 4, 0, &inputs}, {2, 4, 0, &outputs}};
  size_t n = 3;
  if (op->options.type) slots[n++] = (slot){3, 1, op->options.type, NULL};
  if (op->options.type) slots[n++] = (slot){4, 4, 0, &options};
  if (has_custom) slots[n++] = (slot){5, 4, 0, &custom};
  if (outside) slots[n++] = (slot){9, 8, b->custom_outside.at, NULL};
  if (outside) slots[n++] = (slot){10, 8, b->custom_outside.size, NULL};
  patch(o, from, table(o, slots, n));
  list(o, inputs, op->inputs);
  list(o, outputs, op->outputs);
  if (op->options.type) write_options(o, options, &op->options);
  if (has_custom) vector(o, custom, b->custom_options, b->custom_size, 1, 4);
}

/* Writes one operator code per operator, which is simple and valid. */
static void write_codes(const qn_tfb *b, bytes_out *o, size_t from) {
  size_t at = offsets(o, from, b->op_count);
  for (uint32_t i = 0; i < b->op_count; i++) {
    const op_row *op = &b->ops[i];
    size_t name = 0;
    int32_t old = op->code < 127 ? op->code : 127;
    slot slots[4] = {{0, 1, (uint8_t)old, NULL}, {2, 4, (uint32_t)op->version, NULL}};
    size_t n = 2;
    if (!b->old_codes) slots[n++] = (slot){3, 4, (uint32_t)op->code, NULL};
    if (op->code == QN_TFB_CUSTOM) slots[n++] = (slot){1, 4, 0, &name};
    patch(o, at + 4 * i, table(o, slots, n));
    if (name) string(o, name, b->custom);
  }
}

static void write_subgraph(const qn_tfb *b, bytes_out *o, size_t from, bool empty) {
  size_t tensors, inputs, outputs, ops;
  slot slots[] = {{0, 4, 0, &tensors}, {1, 4, 0, &inputs}, {2, 4, 0, &outputs}, {3, 4, 0, &ops}};
  patch(o, from, table(o, slots, empty ? 0 : 4));
  if (empty) return;
  size_t at = offsets(o, tensors, b->tensor_count);
  for (uint32_t i = 0; i < b->tensor_count; i++)
    write_tensor(o, at + 4 * i, &b->tensors[i],
                 b->tensors[i].data || b->tensors[i].outside.at ? i + 1 : 0);
  list(o, inputs, b->inputs);
  list(o, outputs, b->outputs);
  at = offsets(o, ops, b->op_count);
  for (uint32_t i = 0; i < b->op_count; i++) write_op(b, o, at + 4 * i, &b->ops[i], i);
}

/* Writes buffers: buffer 0 is empty, buffer i + 1 belongs to tensor i. */
static void write_buffers(const qn_tfb *b, bytes_out *o, size_t from) {
  size_t at = offsets(o, from, b->tensor_count + 1);
  patch(o, at, table(o, NULL, 0));
  for (uint32_t i = 0; i < b->tensor_count; i++) {
    const qn_tfb_tensor *t = &b->tensors[i];
    size_t data = 0;
    slot in_file = {0, 4, 0, &data},
         outside[] = {{1, 8, t->outside.at, NULL}, {2, 8, t->outside.size, NULL}};
    const slot *slots = t->outside.at ? outside : &in_file;
    patch(o, at + 4 * (i + 1), table(o, slots, t->outside.at ? 2 : t->data ? 1 : 0));
    if (data) vector(o, data, t->data, (uint32_t)t->size, 1, 16);
  }
}

qn_bytes qn_tfb_finish(qn_tfb *b) {
  bytes_out *o = &b->out;
  o->size = 0;
  put(o, NULL, 4);
  put(o, "TFL3", 4);
  size_t codes, subgraphs, buffers;
  slot slots[] = {
      {0, 4, b->version, NULL}, {1, 4, 0, &codes}, {2, 4, 0, &subgraphs}, {4, 4, 0, &buffers}};
  patch(o, 0, table(o, slots, 4));
  write_codes(b, o, codes);
  size_t at = offsets(o, subgraphs, b->subgraphs);
  for (uint32_t i = 0; i < b->subgraphs; i++) write_subgraph(b, o, at + 4 * i, i > 0);
  write_buffers(b, o, buffers);
  return (qn_bytes){o->data, o->size};
}
