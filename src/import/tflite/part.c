/* A part of the graph: some of its operators, with tensors at their border as inputs and outputs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

/* A list of tensors as a vector of a file has it. */
static qn_fb_vector vector_of(qn_tflite *im, const int32_t *numbers, uint32_t count) {
  uint8_t *bytes = qn_arena_alloc(&im->arena, 4 * (size_t)count + 4);
  for (uint32_t i = 0; i < count; i++)
    for (int k = 0; k < 4; k++) bytes[4 * i + k] = (uint8_t)((uint32_t)numbers[i] >> (8 * k));
  return (qn_fb_vector){{bytes, 4 * (size_t)count}, 0, count};
}

static bool choose(qn_tflite *im, const qn_import_part *part) {
  im->chosen = QN_NEW_ARRAY(&im->arena, (size_t)im->operators.count + 1, bool);
  for (uint32_t i = 0; i < part->operator_count; i++) {
    uint32_t number = part->operators[i];
    if (number >= im->operators.count || (i > 0 && number <= part->operators[i - 1])) {
      qn_tflite_model_error(im, NULL, QN_INVALID,
                            number >= im->operators.count
                                ? "operator %u is wanted, but there are %u"
                                : "operator %u is wanted out of order; there are %u",
                            number, im->operators.count);
      return false;
    }
    im->chosen[number] = true;
  }
  return true;
}

/* ---- the border, where the options don't say it ---- */

enum { READ_INSIDE = 1, READ_OUTSIDE = 2, WRITTEN_INSIDE = 4, IS_OUTPUT = 8 };

static void mark(qn_tflite *im, uint8_t *marks, qn_fb_vector list, uint8_t bit) {
  for (uint32_t i = 0; i < list.count; i++) {
    int32_t index = qn_fb_i32_at(list, i);
    if (index >= 0 && (uint32_t)index < im->tensor_count) marks[index] |= bit;
  }
}

/* What is given from outside: neither constants nor states. */
static bool is_given(const qn_tflite *im, const qn_tflite_tensor *tensor) {
  return !qn_fb_int(tensor->table, QN_FB_TENSOR_IS_VARIABLE) &&
         qn_fb_int(tensor->table, QN_FB_TENSOR_TYPE) != QN_TFLITE_RESOURCE &&
         qn_tflite_buffer(im, tensor).bytes.size == 0;
}

static bool is_border_input(const qn_tflite *im, uint32_t i, uint8_t marks) {
  return (marks & READ_INSIDE) && !(marks & WRITTEN_INSIDE) && is_given(im, &im->tensors[i]);
}

/* What others read, and what nobody does. */
static bool is_border_output(const qn_tflite *im, uint32_t i, uint8_t marks) {
  bool resource = qn_fb_int(im->tensors[i].table, QN_FB_TENSOR_TYPE) == QN_TFLITE_RESOURCE;
  return (marks & WRITTEN_INSIDE) && !resource &&
         ((marks & (READ_OUTSIDE | IS_OUTPUT)) || !(marks & READ_INSIDE));
}

static qn_fb_vector collect(qn_tflite *im, const uint8_t *marks,
                            bool (*belongs)(const qn_tflite *im, uint32_t i, uint8_t marks)) {
  int32_t *numbers = QN_NEW_ARRAY(&im->arena, (size_t)im->tensor_count + 1, int32_t);
  uint32_t count = 0;
  for (uint32_t i = 0; i < im->tensor_count; i++)
    if (belongs(im, i, marks[i])) numbers[count++] = (int32_t)i;
  return vector_of(im, numbers, count);
}

static void find_border(qn_tflite *im) {
  uint8_t *marks = QN_NEW_ARRAY(&im->arena, (size_t)im->tensor_count + 1, uint8_t);
  for (uint32_t i = 0; i < im->operators.count; i++) {
    qn_fb_table op = qn_fb_child_at(im->operators, i, QN_FB_OPERATOR);
    mark(im, marks, qn_fb_vector_of(op, QN_FB_OPERATOR_INPUTS),
         im->chosen[i] ? READ_INSIDE : READ_OUTSIDE);
    if (im->chosen[i]) mark(im, marks, qn_fb_vector_of(op, QN_FB_OPERATOR_OUTPUTS), WRITTEN_INSIDE);
  }
  mark(im, marks, im->outputs, IS_OUTPUT);
  im->inputs = collect(im, marks, is_border_input);
  im->outputs = collect(im, marks, is_border_output);
}

bool qn_tflite_take_part(qn_tflite *im) {
  const qn_import_part *part = &im->options->part;
  if (part->operator_count == 0) return true;
  if (!choose(im, part)) return false;
  if (part->input_count == 0 && part->output_count == 0) {
    find_border(im);
    return true;
  }
  im->inputs = vector_of(im, part->inputs, part->input_count);
  im->outputs = vector_of(im, part->outputs, part->output_count);
  return true;
}

bool qn_tflite_is_chosen(const qn_tflite *im, uint32_t index) {
  return !im->chosen || im->frame->outer || im->chosen[index];
}
