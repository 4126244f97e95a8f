/* Einsum: operands are multiplied one after the other, as matrix products of transposed operands.
 * Labels of dimensions are summed as soon as no later operand and not the result has them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/parts.h"
#include "ir/ops/forms.h"

/* Labels: letters, then the dimensions of "...", counted from its end. */
enum { LETTERS = 52, LABELS = LETTERS + QN_GRAPH_MAX_RANK, MOST_TERMS = 32 };

typedef struct term {
  uint8_t labels[QN_GRAPH_MAX_RANK];
  uint32_t count;
  qn_value *value; /* NULL for the result */
} term;

typedef uint64_t label_set[2];
static bool has(const uint64_t *set, uint32_t label) { return set[label / 64] >> label % 64 & 1; }
static void add(uint64_t *set, uint32_t label) { set[label / 64] |= (uint64_t)1 << label % 64; }

static bool invalid(qn_graph_op *op) {
  return qn_graph_error(op, NULL, QN_INVALID, "attribute 'equation' does not match its operands");
}

/* ---- the equation ---- */

/* Letters are A-Z, then a-z, which is their order; -1: none. */
static int32_t letter_of(char c) {
  return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + LETTERS / 2 : -1;
}

/* Reads a term up to ',', '-' or the end; "..." has `spread` dimensions. */
static bool read_term(qn_graph_op *op, qn_str *text, uint32_t spread, term *out) {
  bool had_dots = false;
  out->count = 0;
  while (text->size > 0 && *text->data != ',' && *text->data != '-') {
    const char c = *text->data;
    const bool dots = text->size >= 3 && memcmp(text->data, "...", 3) == 0 && !had_dots;
    const int32_t letter = letter_of(c);
    const uint32_t more = dots ? spread : c != ' ';
    if ((!dots && c != ' ' && letter < 0) || out->count + more > QN_GRAPH_MAX_RANK)
      return invalid(op);
    for (uint32_t i = 0; i < more; i++)
      out->labels[out->count++] = (uint8_t)(dots ? LETTERS + (spread - 1 - i) : (uint32_t)letter);
    had_dots |= dots;
    *text = (qn_str){text->data + (dots ? 3 : 1), text->size - (dots ? 3 : 1)};
  }
  return true;
}

/* The dimensions that "..." has in the next term, for an operand of this rank. */
static bool read_operand(qn_graph_op *op, qn_str *text, uint32_t rank, term *out,
                         uint32_t *io_spread) {
  qn_str again = *text;
  if (!read_term(op, &again, 0, out)) return false;
  const bool dots = memchr(text->data, '.', text->size - again.size) != NULL;
  if (out->count > rank || (!dots && out->count != rank)) return invalid(op);
  const uint32_t spread = rank - out->count;
  if (spread > *io_spread) *io_spread = spread;
  return read_term(op, text, spread, out);
}

/* Without "->", the result has "...", then the letters that occur once, in order. */
static bool imply_result(qn_graph_op *op, const uint32_t *seen, uint32_t spread, term *out) {
  out->count = 0;
  for (uint32_t i = spread; i-- > 0;) out->labels[out->count++] = (uint8_t)(LETTERS + i);
  for (uint32_t i = 0; i < LETTERS; i++) {
    if (seen[i] != 1) continue;
    if (out->count == QN_GRAPH_MAX_RANK) return invalid(op);
    out->labels[out->count++] = (uint8_t)i;
  }
  return true;
}

static bool read_result(qn_graph_op *op, qn_str text, const uint32_t *seen, uint32_t spread,
                        term *out) {
  label_set got = {0, 0};
  if (text.size == 0) return imply_result(op, seen, spread, out);
  if (text.size < 2 || memcmp(text.data, "->", 2) != 0) return invalid(op);
  text = (qn_str){text.data + 2, text.size - 2};
  if (!read_term(op, &text, spread, out) || text.size > 0) return invalid(op);
  for (uint32_t i = 0; i < out->count; i++) {
    if (has(got, out->labels[i]) || !seen[out->labels[i]]) return invalid(op);
    add(got, out->labels[i]);
  }
  return true;
}

static bool read_equation(qn_graph_op *op, term *terms, uint32_t count, term *out_result) {
  qn_str text = qn_onnx_string(op, "equation", "");
  uint32_t seen[LABELS] = {0}, spread = 0;
  if (op->failed) return false;
  for (uint32_t i = 0; i < count; i++) {
    const qn_graph_tensor *x = qn_graph_input(op, i);
    if (!x || !read_operand(op, &text, x->shape.rank, &terms[i], &spread)) return false;
    for (uint32_t k = 0; k < terms[i].count; k++) seen[terms[i].labels[k]]++;
    if (i + 1 == count) break;
    if (text.size == 0 || *text.data != ',') return invalid(op);
    text = (qn_str){text.data + 1, text.size - 1};
  }
  return read_result(op, text, seen, spread, out_result);
}

/* ---- one operand ---- */

static void drop(term *t, uint32_t i) {
  t->count--;
  memmove(t->labels + i, t->labels + i + 1, t->count - i);
}

static int32_t place_of(const term *t, uint32_t label) {
  for (uint32_t i = 0; i < t->count; i++)
    if (t->labels[i] == label) return (int32_t)i;
  return -1;
}

/* The dimensions in another order of labels, all of which it has. */
static void reorder(qn_graph_op *op, term *t, const uint8_t *labels) {
  int64_t perm[QN_GRAPH_MAX_RANK];
  bool moves = false;
  for (uint32_t i = 0; i < t->count; i++) {
    perm[i] = place_of(t, labels[i]);
    moves |= perm[i] != i;
  }
  memmove(t->labels, labels, t->count);
  if (moves) t->value = qn_onnx_permuted(op, t->value, perm);
}

/* The elements where two dimensions of one label have equal indices. */
static bool take_diagonals(qn_graph_op *op, term *t) {
  for (uint32_t i = 0; i < t->count; i++)
    for (uint32_t k = i + 1; t->value && k < t->count; k++) {
      if (t->labels[i] != t->labels[k]) continue;
      const int64_t size = qn_onnx_dim(t->value, i);
      if (qn_onnx_dim(t->value, k) != size) return invalid(op);
      qn_value *v = qn_onnx_moved(op, t->value, k, i + 1);
      qn_graph_shape shape = qn_graph_shape_of(v);
      int64_t *indices = qn_onnx_numbers(op, size);
      if (!indices) return false;
      for (int64_t at = 0; at < size; at++) indices[at] = at * (size + 1);
      shape.dims[i] = size * size;
      shape.rank--;
      for (uint32_t d = i + 1; d < shape.rank; d++) shape.dims[d] = shape.dims[d + 1];
      v = qn_onnx_viewed(op, v, shape.rank, shape.dims);
      t->value = qn_onnx_picked(op, v, i, indices, size);
      drop(t, k--);
    }
  return t->value != NULL;
}

/* Sums the dimensions whose labels are not in `kept`. */
static void sum_others(qn_graph_op *op, term *t, const uint64_t *kept) {
  int64_t axes[QN_GRAPH_MAX_RANK];
  uint32_t count = 0, left = 0;
  for (uint32_t i = 0; i < t->count; i++)
    if (has(kept, t->labels[i]))
      t->labels[left++] = t->labels[i];
    else
      axes[count++] = i;
  t->count = left;
  t->value = qn_onnx_reduced(op, QN_OP_ML_REDUCE_SUM, t->value, axes, count, false);
}

/* ---- a product ---- */

/* Removes a dimension of size 1, which repeats for a larger one of another operand. */
static void drop_ones(qn_graph_op *op, term *t, const term *other) {
  qn_graph_shape shape = qn_graph_shape_of(t->value);
  for (uint32_t i = 0; i < t->count; i++) {
    const int32_t at = place_of(other, t->labels[i]);
    if (at < 0 || shape.dims[i] != 1 || qn_onnx_dim(other->value, (uint32_t)at) == 1) continue;
    memmove(shape.dims + i, shape.dims + i + 1, (shape.rank - i - 1) * sizeof *shape.dims);
    shape.rank--;
    drop(t, i--);
  }
  t->value = qn_graph_view(op, t->value, &shape);
}

/* Parts of the dimensions of an operand: in both operands and kept, in this one, in both and
 * summed. */
enum { COMMON, OWN, SUMMED, PARTS };

static uint32_t part_of(const term *other, const uint64_t *kept, uint32_t label) {
  return place_of(other, label) < 0 ? OWN : has(kept, label) ? COMMON : SUMMED;
}

/* Orders the dimensions by parts, within a part by label, and views them as [COMMON, OWN, SUMMED].
 */
static qn_value *as_matrices(qn_graph_op *op, term *t, const term *other, const uint64_t *kept,
                             int64_t *dims) {
  uint8_t labels[QN_GRAPH_MAX_RANK];
  uint32_t count = 0;
  for (uint32_t part = 0; part < PARTS; part++)
    for (uint32_t label = 0; label < LABELS; label++)
      if (place_of(t, label) >= 0 && part_of(other, kept, label) == part)
        labels[count++] = (uint8_t)label;
  reorder(op, t, labels);
  for (uint32_t part = 0; part < PARTS; part++) dims[part] = 1;
  for (uint32_t i = 0; t->value && i < t->count; i++)
    dims[part_of(other, kept, t->labels[i])] *= qn_onnx_dim(t->value, i);
  return qn_onnx_viewed(op, t->value, PARTS, dims);
}

/* Multiplies b into a, and sums labels that are not in `kept`. */
static bool multiply(qn_graph_op *op, term *a, term *b, const uint64_t *kept) {
  int64_t of_a[PARTS], of_b[PARTS];
  label_set all = {kept[0], kept[1]};
  drop_ones(op, a, b);
  drop_ones(op, b, a);
  for (uint32_t i = 0; i < a->count; i++)
    if (place_of(b, a->labels[i]) >= 0) add(all, a->labels[i]);
  sum_others(op, a, all);
  sum_others(op, b, all);
  if (!a->value || !b->value) return false;
  qn_value *x = as_matrices(op, a, b, kept, of_a), *y = as_matrices(op, b, a, kept, of_b);
  if (!x || !y) return false;
  if (of_a[COMMON] != of_b[COMMON] || of_a[SUMMED] != of_b[SUMMED]) return invalid(op);
  qn_graph_shape shape = {0};
  term result = {.count = 0};
  for (uint32_t k = 0; k < 2; k++) {
    const term *t = k ? b : a, *other = k ? a : b;
    for (uint32_t i = 0; i < t->count; i++) {
      const uint32_t part = part_of(other, kept, t->labels[i]);
      if (part == SUMMED || (k && part == COMMON)) continue;
      if (result.count == QN_GRAPH_MAX_RANK)
        return qn_graph_error(op, NULL, QN_LIMIT, "a product of rank %d", QN_GRAPH_MAX_RANK + 1);
      result.labels[result.count++] = t->labels[i];
      shape.dims[shape.rank++] = qn_onnx_dim(t->value, i);
    }
  }
  const qn_graph_tensor *first = qn_graph_input(op, 0);
  if (!first || !qn_graph_check_size(op, first, &shape)) return false;
  y = qn_onnx_permuted(op, y, (int64_t[]){0, 2, 1});
  result.value = qn_onnx_viewed(op, qn_onnx_product(op, x, y), shape.rank, shape.dims);
  *a = result;
  return a->value != NULL;
}

void qn_onnx_import_einsum(qn_graph_op *op) {
  term terms[MOST_TERMS], result;
  const uint32_t count = op->inputs.count;
  if (count > MOST_TERMS) {
    qn_graph_error(op, NULL, QN_LIMIT, "more than %d operands", MOST_TERMS);
    return;
  }
  if (!read_equation(op, terms, count, &result)) return;
  for (uint32_t i = 0; i < count; i++) {
    if (!qn_graph_has_elements(op, qn_graph_input(op, i))) return;
    terms[i].value = qn_onnx_real(op, i);
    if (!terms[i].value || !take_diagonals(op, &terms[i])) return;
  }
  for (uint32_t i = 0; i < count; i++) {
    label_set kept = {0, 0};
    for (uint32_t k = 0; k < result.count; k++) add(kept, result.labels[k]);
    for (uint32_t later = i + 1; later < count; later++)
      for (uint32_t k = 0; k < terms[later].count; k++) add(kept, terms[later].labels[k]);
    if (i == 0)
      sum_others(op, &terms[0], kept);
    else if (!multiply(op, &terms[0], &terms[i], kept))
      return;
  }
  if (!terms[0].value) return;
  if (terms[0].count != result.count) {
    invalid(op);
    return;
  }
  reorder(op, &terms[0], result.labels);
  qn_onnx_give_real(op, 0, terms[0].value);
}
