/* Pairs of quantizations that onnxruntime makes one, for the profile "ort": QuantizeLinear and
 * DequantizeLinear, and directly after them the two operators again with another scale or zero
 * point. One pair stays, whose range is the intersection of both, so bits differ from those of the
 * file. A Transpose between them that onnxruntime moves away stays between the nodes of the pair.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/simplify.h"

#include <math.h>

/* Scale and zero point of a QuantizeLinear or DequantizeLinear. */
typedef struct parameters {
  const qn_graph_tensor *scale, *zero;
  float step;
  int64_t zero_point;
  int64_t low, high; /* ends of the type */
} parameters;

/* The ends of the types of which onnxruntime merges pairs. */
static bool find_ends(const qn_onnx *im, const qn_graph_tensor *zero, parameters *out) {
  const bool is_signed = zero->dtype == QN_GRAPH_INT8 || zero->dtype == QN_GRAPH_INT16;
  const bool is_unsigned = zero->dtype == QN_GRAPH_UINT8 || zero->dtype == QN_GRAPH_UINT16;
  if ((!is_signed && !is_unsigned) || im->extras[zero->index].bits) return false;
  qn_storage_range(qn_graph_dtype_bits(zero->dtype), is_signed, &out->low, &out->high);
  return true;
}

/* False if the node has others than pairs that are merged have. */
static bool read_parameters(qn_onnx *im, const qn_onnx_node *node, parameters *out) {
  if (node->operand_count != 3) return false;
  /* Reading a constant does not move tensors. */
  out->scale = qn_onnx_scalar(im, node, 1);
  out->zero = qn_onnx_scalar(im, node, 2);
  if (!out->scale || !out->zero || out->scale->dtype != QN_GRAPH_FLOAT32) return false;
  if (!find_ends(im, out->zero, out)) return false;
  const qn_graph_list zero = {out->zero->data.data, 1, out->zero->dtype};
  memcpy(&out->step, out->scale->data.data, sizeof out->step);
  out->zero_point = qn_graph_int_at(zero, 0);
  return true;
}

static bool are_equal(const parameters *a, const parameters *b) {
  return a->zero->dtype == b->zero->dtype && a->zero_point == b->zero_point && a->step == b->step;
}

/* ---- the pair that stays ---- */

/* Adds a constant scalar like `of`; returns its index, or -1, reported. */
static int32_t add_constant(qn_onnx *im, const qn_graph_tensor *of, const void *data, size_t size) {
  qn_graph_tensor copy = *of;
  const int32_t number = qn_onnx_new_tensor(im, copy.name);
  if (number < 0) return -1;
  copy.index = (uint32_t)number;
  copy.at = im->graph.tensors[number].at;
  copy.writer = -1;
  copy.data = (qn_bytes){qn_arena_copy(&im->graph.cx->arena, data, size), size};
  im->graph.tensors[number] = copy;
  return number;
}

/* Sets the parameters of `q`, the QuantizeLinear that stays. Computed in f32, as by onnxruntime. */
static bool set_intersection(qn_onnx *im, const parameters *a, const parameters *b,
                             qn_onnx_node *q) {
  const int64_t low = a->low, high = a->high;
  const float least =
      fmaxf((float)(low - a->zero_point) * a->step, (float)(low - b->zero_point) * b->step);
  const float most =
      fminf((float)(high - a->zero_point) * a->step, (float)(high - b->zero_point) * b->step);
  const float step = (most - least) / (float)(high - low);
  if (!(step > 0 && isfinite(step))) {
    qn_onnx_op op = qn_onnx_open_op(im, q);
    return qn_graph_error(&op.op, a->scale, QN_UNSUPPORTED,
                          "onnxruntime merges it with the next quantization, and the ranges of "
                          "both have no interval in common");
  }
  const float zero = roundf((float)low - least / step);
  const int64_t zero_point = zero < (float)low ? low : zero > (float)high ? high : (int64_t)zero;
  const size_t width = qn_graph_dtype_bits(a->zero->dtype) / 8;
  const qn_graph_tensor of_scale = *a->scale, of_zero = *a->zero; /* new tensors move them */
  const int32_t scale = add_constant(im, &of_scale, &step, sizeof step);
  const int32_t zeros = add_constant(im, &of_zero, &zero_point, width);
  if (scale < 0 || zeros < 0) return false;
  q->inputs[1] = scale;
  q->inputs[2] = zeros;
  return true;
}

/* ---- pairs ---- */

/* State of the search. */
typedef struct search {
  qn_onnx *im;
  const qn_onnx_move *moves;
  /* per tensor, 1 + the index of a DequantizeLinear that reads it; per node, that of the next one;
   * 0 ends a list */
  uint32_t *first, *next;
  /* per tensor that moved Transposes write, 1 + the index of the QuantizeLinear before them */
  uint32_t *before;
} search;

static search begin_search(qn_onnx *im, const qn_onnx_move *moves) {
  qn_arena *arena = &im->graph.arena;
  const search s = {.im = im,
                    .moves = moves,
                    .first = QN_NEW_ARRAY(arena, (size_t)im->graph.tensor_count + 1, uint32_t),
                    .next = QN_NEW_ARRAY(arena, (size_t)im->node_count + 1, uint32_t),
                    .before = QN_NEW_ARRAY(arena, (size_t)im->graph.tensor_count + 1, uint32_t)};
  for (uint32_t i = 0; i < im->node_count; i++) {
    const qn_onnx_node *node = &im->nodes[i];
    if (!qn_onnx_is(node, "DequantizeLinear") || node->operand_count == 0) continue;
    if (node->removed || node->inputs[0] < 0) continue;
    s.next[i] = s.first[node->inputs[0]];
    s.first[node->inputs[0]] = i + 1;
  }
  return s;
}

/* The only reader of the node's result, if it is of this kind and reads it as operand 0; else NULL.
 */
static qn_onnx_node *next_node(qn_onnx *im, const qn_onnx_node *node, const char *kind) {
  const int32_t y = qn_onnx_first_result(node);
  if (y < 0 || !qn_onnx_has_one_reader(im, y)) return NULL;
  const qn_onnx_node *reader = im->extras[y].reader;
  if (!qn_onnx_is(reader, kind) || reader->operand_count == 0 || reader->inputs[0] != y)
    return NULL;
  return qn_onnx_first_result(reader) >= 0 ? &im->nodes[reader->index] : NULL;
}

/* Whether a DequantizeLinear has the parameters of a QuantizeLinear. Constants of unused nodes are
 * not read. */
static bool is_its_inverse(qn_onnx *im, const qn_onnx_node *d, const qn_onnx_node *q,
                           const parameters *of_q) {
  parameters of_d;
  if (d->operand_count != 3) return false;
  if (d->inputs[1] == q->inputs[1] && d->inputs[2] == q->inputs[2]) return true;
  return d->live && read_parameters(im, d, &of_d) && are_equal(of_q, &of_d);
}

/* Whether all readers of the result of `q`, at least one, dequantize it by its parameters. */
static bool is_only_dequantized(const search *s, const qn_onnx_node *q, const parameters *of_q) {
  const int32_t y = q->outputs[0];
  uint32_t count = 0;
  for (uint32_t i = s->first[y]; i > 0; i = s->next[i - 1], count++)
    if (!is_its_inverse(s->im, &s->im->nodes[i - 1], q, of_q)) return false;
  return count > 0 && s->im->extras[y].readers == count && !s->im->extras[y].is_result;
}

/* Makes the readers of tensor x, which are of kind DequantizeLinear, those of tensor y, with the
 * parameters of `q`. */
static void move_readers(search *s, int32_t x, int32_t y, const qn_onnx_node *q) {
  qn_onnx_tensor *extras = s->im->extras;
  for (uint32_t i = s->first[x]; i > 0; i = s->next[i - 1]) {
    qn_onnx_node *d = &s->im->nodes[i - 1];
    d->inputs[0] = y;
    d->inputs[1] = q->inputs[1];
    d->inputs[2] = q->inputs[2];
  }
  s->first[y] = s->first[x];
  s->first[x] = 0;
  extras[y].reader = extras[x].reader;
  extras[y].readers = extras[x].readers;
  extras[x].readers = 0;
}

/* The QuantizeLinear that writes the integers, perhaps before Transposes that are moved, if only
 * `d` reads them; else NULL. */
static qn_onnx_node *quantizer_of(const search *s, const qn_onnx_node *d) {
  const int32_t x = d->operand_count > 0 ? d->inputs[0] : -1;
  if (x < 0 || !qn_onnx_has_one_reader(s->im, x)) return NULL;
  if (s->before[x] > 0) return &s->im->nodes[s->before[x] - 1];
  const qn_onnx_node *writer = qn_onnx_writer(s->im, x);
  return writer && qn_onnx_is(writer, "QuantizeLinear") ? &s->im->nodes[writer->index] : NULL;
}

/* Reads both quantizations if their pairs may become one. */
static bool may_merge(search *s, const qn_onnx_node *first, const qn_onnx_node *d,
                      const qn_onnx_node *second, parameters *a, parameters *b) {
  return read_parameters(s->im, first, a) && read_parameters(s->im, second, b) &&
         a->zero->dtype == b->zero->dtype && is_its_inverse(s->im, d, first, a);
}

/* Whether nothing of the Transpose is left between `d` and a pair that begins with `second`. */
static bool leaves_pair(const search *s, const qn_onnx_node *transpose,
                        const qn_onnx_node *second) {
  const qn_onnx_move move = s->moves[transpose->outputs[0]];
  return move == QN_ONNX_VANISHES ||
         (move == QN_ONNX_MOVES && s->moves[second->outputs[0]] != QN_ONNX_STAYS);
}

/* Merges a pair with the one that onnxruntime puts after the Transpose: it quantizes before each of
 * several operators before a QuantizeLinear, which stays. If nothing is left of the next operator,
 * the inserted pair and the QuantizeLinear are one. */
static void merge_inserted(search *s, qn_onnx_node *first, qn_onnx_node *d,
                           const qn_onnx_node *transpose) {
  const qn_onnx_node *last = qn_onnx_quantizer_after(s->im, transpose);
  parameters a, b;
  if (!last || s->moves[transpose->outputs[0]] == QN_ONNX_STAYS) return;
  const int32_t y = qn_onnx_first_result(s->im->extras[transpose->outputs[0]].reader);
  if (y < 0 || (s->moves[y] == QN_ONNX_VANISHES && s->im->extras[y].reader == last)) return;
  if (!may_merge(s, first, d, last, &a, &b) || are_equal(&a, &b)) return;
  if (!set_intersection(s->im, &a, &b, first)) return;
  d->inputs[1] = first->inputs[1];
  d->inputs[2] = first->inputs[2];
}

/* Merges the pair that ends with `d` and the one after it. */
static void merge_next(search *s, qn_onnx_node *d) {
  qn_onnx *im = s->im;
  qn_onnx_node *first = quantizer_of(s, d);
  if (!first || qn_onnx_first_result(d) < 0) return;
  qn_onnx_node *transpose = next_node(im, d, "Transpose");
  qn_onnx_node *second = next_node(im, transpose ? transpose : d, "QuantizeLinear");
  parameters a, b;
  if (!second && transpose) merge_inserted(s, first, d, transpose);
  if (!second || (transpose && !leaves_pair(s, transpose, second))) return;
  if (!may_merge(s, first, d, second, &a, &b) || !is_only_dequantized(s, second, &b)) return;
  if (!are_equal(&a, &b) && !set_intersection(im, &a, &b, first)) return;
  int32_t integers = d->inputs[0];
  im->extras[d->outputs[0]].readers = 0;
  s->first[integers] = 0;
  if (transpose) {
    transpose->inputs[0] = integers;
    transpose->moved = true;
    im->extras[integers].reader = transpose;
    integers = transpose->outputs[0];
    s->before[integers] = first->index + 1;
  }
  move_readers(s, second->outputs[0], integers, first);
  d->removed = second->removed = true;
}

void qn_onnx_merge_pairs(qn_onnx *im, const qn_onnx_move *moves) {
  search s = begin_search(im, moves);
  for (uint32_t i = 0; i < im->order_count; i++) {
    qn_onnx_node *node = &im->nodes[im->order[i]->index];
    if (!node->removed && qn_onnx_is(node, "DequantizeLinear")) merge_next(&s, node);
  }
}
