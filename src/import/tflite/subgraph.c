/* Subgraphs that operators call, read where they are called: what the importer knows of the graph
 * at work is put aside, and tensors are numbered anew.
 *
 * A file can let subgraphs call each other in a circle, or so often that reading them all would
 * take for ever: the first is an error, and each reading costs of what the file's size allows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

enum { MOST_CALLS = 64 };

static bool is_open(const qn_tflite *im, uint32_t number) {
  for (const qn_tflite_frame *f = im->frame; f; f = f->outer)
    if (f->subgraph == number) return true;
  return false;
}

static uint32_t depth_of(const qn_tflite *im) {
  uint32_t depth = 0;
  for (const qn_tflite_frame *f = im->frame; f; f = f->outer) depth++;
  return depth;
}

bool qn_tflite_subgraph_of(qn_tflite_op *op, const char *option, uint32_t *out_number) {
  const qn_tflite *im = op->im;
  int64_t number = qn_tflite_option(op, option);
  if (number < 0 || number >= im->subgraphs.count)
    return qn_tflite_error(op, NULL, QN_INVALID, "subgraph %lld, but there are %u subgraphs",
                           (long long)number, im->subgraphs.count);
  *out_number = (uint32_t)number;
  if (is_open(im, *out_number))
    return qn_tflite_error(op, NULL, QN_INVALID, "it calls subgraph %u, in which it is",
                           *out_number);
  if (depth_of(im) > MOST_CALLS)
    return qn_tflite_error(op, NULL, QN_LIMIT, "subgraphs call each other more than %d deep",
                           MOST_CALLS);
  qn_fb_table graph = qn_fb_child_at(im->subgraphs, *out_number, QN_FB_SUBGRAPH);
  int64_t tensors = qn_fb_vector_of(graph, QN_FB_SUBGRAPH_TENSORS).count;
  int64_t operators = qn_fb_vector_of(graph, QN_FB_SUBGRAPH_OPERATORS).count;
  return qn_tflite_spend_on_calls(op, 1 + tensors + 16 * operators);
}

/* ---- what goes in and comes out ---- */

qn_tflite_given qn_tflite_give(qn_tflite_op *op, uint32_t i) {
  qn_tflite_tensor *tensor = qn_tflite_input(op, i);
  if (!tensor) return (qn_tflite_given){0};
  if (tensor->variable) return (qn_tflite_given){.variable = tensor->variable};
  return (qn_tflite_given){.value = qn_tflite_value(op, tensor)};
}

static void set_shape(qn_tflite_tensor *tensor, const qn_type *type) {
  tensor->shape.rank = type->shaped.rank;
  for (uint32_t d = 0; d < type->shaped.rank; d++) tensor->shape.dims[d] = type->shaped.dims[d];
}

/* Input i of the subgraph is what the caller gives. */
static void take_input(qn_tflite_op *op, uint32_t i, const qn_tflite_given *given) {
  qn_tflite *im = op->im;
  int32_t index = qn_fb_i32_at(im->inputs, i);
  if (index < 0 || (uint32_t)index >= im->tensor_count) {
    qn_tflite_error(op, NULL, QN_INVALID, "input %u of subgraph %u is tensor %d of %u", i,
                    im->frame->subgraph, index, im->tensor_count);
    return;
  }
  qn_tflite_tensor *tensor = &im->tensors[index];
  if (tensor->is_input) {
    qn_tflite_error(op, NULL, QN_INVALID, "input %u of subgraph %u is listed twice", i,
                    im->frame->subgraph);
    return;
  }
  bool bound = im->bound, rebound = im->rebound; /* are about inputs of the model */
  tensor->is_input = true;
  bool good = qn_tflite_load(im, op, tensor);
  im->bound = bound;
  im->rebound = rebound;
  if (!good) return;
  tensor->variable = given->variable;
  tensor->value = given->value;
  bool resource = tensor->dtype == QN_TFLITE_RESOURCE;
  if (!given->value || resource) {
    if (resource != (given->variable != NULL))
      qn_tflite_error(op, NULL, QN_INVALID, "input %u of subgraph %u is %s variable", i,
                      im->frame->subgraph, resource ? "a" : "no");
    return;
  }
  const qn_type *type = given->value->type, *element = qn_tflite_element_type(im, op, tensor);
  if (element && element != qn_type_element(type))
    qn_tflite_error(op, NULL, QN_INVALID,
                    "input %u of subgraph %u has another type of elements than what is given", i,
                    im->frame->subgraph);
  set_shape(tensor, type);
}

static void collect(qn_tflite_op *op, qn_tflite_given *out) {
  qn_tflite *im = op->im;
  qn_tflite_code code = {NULL, qn_str_of("output"), 1};
  qn_tflite_op end = {.im = im,
                      .frame = im->frame,
                      .index = im->operators.count,
                      .code = &code,
                      .is_interface = true};
  for (uint32_t i = 0; i < im->outputs.count; i++) {
    int32_t index = qn_fb_i32_at(im->outputs, i);
    if (index < 0 || (uint32_t)index >= im->tensor_count) {
      qn_tflite_error(op, NULL, QN_INVALID, "output %u of subgraph %u is tensor %d of %u", i,
                      im->frame->subgraph, index, im->tensor_count);
      continue;
    }
    qn_tflite_tensor *tensor = &im->tensors[index];
    if (!qn_tflite_load(im, &end, tensor)) continue;
    out[i].variable = tensor->variable;
    if (!tensor->variable) out[i].value = qn_tflite_value(&end, tensor);
  }
  op->failed |= end.failed;
}

/* ---- reading one ---- */

bool qn_tflite_call(qn_tflite_op *op, uint32_t number, qn_block *block,
                    const qn_tflite_given *given, uint32_t given_count, qn_tflite_given *out,
                    uint32_t out_count) {
  qn_tflite *im = op->im;
  qn_tflite outside = *im;
  qn_status before = im->status;
  qn_tflite_frame frame = {number, im->reached[number], im->frame};
  qn_fb_table graph = qn_fb_child_at(im->subgraphs, number, QN_FB_SUBGRAPH);
  im->frame = &frame;
  im->reached[number] = true;
  if (block != im->block) im->builder = qn_builder_at_end(im->module, block, im->loc);
  im->block = block;
  if (qn_tflite_open_graph(im, graph)) {
    if (im->inputs.count != given_count || im->outputs.count != out_count)
      qn_tflite_error(op, NULL, QN_INVALID,
                      "subgraph %u has %u inputs and %u outputs where %u and %u are expected",
                      number, im->inputs.count, im->outputs.count, given_count, out_count);
    for (uint32_t i = 0; i < given_count && !op->failed; i++) take_input(op, i, &given[i]);
    if (!op->failed) qn_tflite_operators(im);
    if (!op->failed) collect(op, out);
    qn_tflite_keep_inner(im);
  }
  /* What is of the file stays as it is now. */
  im->frame = outside.frame;
  im->builder = outside.builder;
  im->block = outside.block;
  im->tensors = outside.tensors;
  im->tensor_count = outside.tensor_count;
  im->operators = outside.operators;
  im->inputs = outside.inputs;
  im->outputs = outside.outputs;
  if (im->status != before) op->failed = true; /* and has been reported */
  for (uint32_t i = 0; i < out_count && !op->failed; i++)
    if (!out[i].value && !out[i].variable) op->failed = true;
  return !op->failed;
}
