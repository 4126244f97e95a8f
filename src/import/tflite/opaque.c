/* Operators that are not supported, kept for readers: ops "tflite.NAME" with the reason, so that
 * the rest of the model stands around them. Nothing compiles them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

/* An element as wide as the file's, for tensors that have no type in the IR. */
static const qn_type *placeholder(const qn_tflite *im, uint8_t dtype) {
  enum { FLOAT16 = 1, FLOAT64 = 10 };
  qn_ir_context *cx = im->cx;
  if (dtype == QN_TFLITE_FLOAT32) return qn_type_float(cx, QN_F32);
  if (dtype == FLOAT16) return qn_type_float(cx, QN_F16);
  if (dtype == FLOAT64) return qn_type_float(cx, QN_F64);
  uint32_t width = dtype == QN_TFLITE_INT16   ? 16
                   : dtype == QN_TFLITE_INT32 ? 32
                   : dtype == QN_TFLITE_INT64 ? 64
                                              : 8;
  return qn_type_integer(cx, width, QN_SIGNLESS);
}

const qn_type *qn_tflite_opaque_type(qn_tflite_op *op, const qn_tflite_tensor *tensor) {
  qn_tflite_op quiet = *op; /* what is wrong with the tensor has been said, or its reader will */
  const qn_type *element = qn_tflite_element_type(op->im, &quiet, tensor);
  if (!element) element = placeholder(op->im, tensor->dtype);
  return qn_tflite_shaped(op->im, element, &tensor->shape);
}

/* A name of the dialect: letters, digits and lines. */
static qn_str opaque_name(const qn_tflite_op *op) {
  qn_str name = qn_arena_format(&op->im->arena, "tflite.%.*s", QN_STR_ARG(op->code->name));
  char *text = qn_arena_copy(&op->im->arena, name.data, name.size);
  for (size_t i = sizeof "tflite"; i < name.size; i++) {
    char c = text[i];
    bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!plain) text[i] = '_';
  }
  return (qn_str){text, name.size};
}

void qn_tflite_build_opaque(qn_tflite_op *op) {
  qn_tflite *im = op->im;
  uint32_t outputs = op->outputs.count, operands = 0, results = 0;
  qn_value **values = QN_NEW_ARRAY(&im->arena, (size_t)op->inputs.count + 1, qn_value *);
  const qn_type **types = QN_NEW_ARRAY(&im->arena, (size_t)outputs + 1, const qn_type *);
  int64_t *tensors = QN_NEW_ARRAY(&im->arena, (size_t)outputs + 1, int64_t);
  for (uint32_t i = 0; i < op->inputs.count; i++) {
    int32_t index = qn_fb_i32_at(op->inputs, i);
    if (index >= 0 && im->tensors[index].value) values[operands++] = im->tensors[index].value;
  }
  for (uint32_t i = 0; i < outputs; i++) {
    qn_tflite_tensor *tensor = &im->tensors[qn_fb_i32_at(op->outputs, i)];
    qn_tflite_op quiet = *op;
    if (tensor->value) continue;
    (void)qn_tflite_load(im, &quiet, tensor);
    if (im->status != QN_OK) return; /* it has no shape; there will be no module */
    tensors[results] = tensor->index;
    types[results++] = qn_tflite_opaque_type(op, tensor);
  }
  const qn_named_attr attrs[] = {
      {qn_str_of("quern.reason"), qn_attr_string(im->cx, op->reason)},
      {qn_str_of("quern.tensors"), qn_attr_i64s(im->cx, tensors, results)}};
  qn_tflite_tensor *first = outputs ? &im->tensors[qn_fb_i32_at(op->outputs, 0)] : NULL;
  qn_op *built = qn_build(&im->builder, (qn_op_state){.kind = QN_OP_UNREGISTERED,
                                                      .name = opaque_name(op),
                                                      .loc = qn_tflite_loc(op, first),
                                                      .operands = values,
                                                      .operand_count = operands,
                                                      .result_types = types,
                                                      .result_count = results,
                                                      .attrs = attrs,
                                                      .attr_count = QN_COUNT(attrs)});
  for (uint32_t i = 0; i < results; i++) im->tensors[tensors[i]].value = &built->results[i];
}
