/* GridSample and Col2Im: gathers at indices that the operands give.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/parts.h"
#include "import/onnx/ops/window.h"
#include "ir/ops/forms.h"

/* ---- GridSample ---- */

enum { NEAREST, LINEAR, CUBIC };
enum { ZEROS, BORDER, REFLECTION };
enum { MOST_TAPS = 4 };

typedef struct sampler {
  uint32_t mode, padding, ways;
  bool is_aligned;
  int64_t batch, places; /* places of the result per batch element */
} sampler;

/* An element of an axis that contributes to a place: its index as f64, in range, and its weight. */
typedef struct tap {
  qn_value *index, *weight; /* [batch, places]; weight NULL: 1 */
} tap;

static qn_value *clamped(qn_graph_op *op, qn_value *x, double low, double high) {
  x = qn_onnx_with(op, QN_OP_ML_MAXIMUM, x, low);
  return qn_onnx_with(op, QN_OP_ML_MINIMUM, x, high);
}

/* x reflected at the ends of the axis until it is between them. */
static qn_value *reflected(qn_graph_op *op, const sampler *s, qn_value *x, int64_t size) {
  const double low = s->is_aligned ? 0 : -0.5, range = (double)(s->is_aligned ? size - 1 : size);
  if (range == 0) return clamped(op, x, 0, 0);
  x = qn_onnx_unary(op, QN_OP_ML_ABS, qn_onnx_with(op, QN_OP_ML_SUB, x, low));
  qn_value *turns = qn_onnx_with(op, QN_OP_ML_REAL_DIV, x, 2 * range);
  turns = qn_onnx_with(op, QN_OP_ML_MUL, qn_onnx_unary(op, QN_OP_ML_FLOOR, turns), 2 * range);
  x = qn_onnx_binary(op, QN_OP_ML_SUB, x, turns);
  /* x is in [0, 2 range], and its second half runs backward */
  qn_value *back = x ? qn_onnx_binary(op, QN_OP_ML_SUB, qn_onnx_double(op, 2 * range), x) : NULL;
  return qn_onnx_with(op, QN_OP_ML_ADD, qn_onnx_binary(op, QN_OP_ML_MINIMUM, x, back), low);
}

static qn_value *scaled(qn_graph_op *op, qn_value *x, double by, double more) {
  return qn_onnx_with(op, QN_OP_ML_ADD, qn_onnx_with(op, QN_OP_ML_MUL, x, by), more);
}

/* Where a place is along an axis: coordinates from -1 to 1, in elements. */
static qn_value *located(qn_graph_op *op, const sampler *s, qn_value *x, int64_t size) {
  const double last = (double)(size - 1), all = (double)size;
  x = s->is_aligned ? scaled(op, x, last / 2, last / 2) : scaled(op, x, all / 2, last / 2);
  if (s->mode == NEAREST) x = qn_onnx_unary(op, QN_OP_ML_ROUND, x);
  if (s->padding == REFLECTION) return reflected(op, s, x, size);
  if (s->padding != BORDER) return x;
  const double low = s->is_aligned ? 0 : -0.5, high = s->is_aligned ? last : last + 0.5;
  qn_value *below = x ? qn_onnx_compare(op, QN_OP_ML_LESS, x, qn_onnx_double(op, low)) : NULL;
  qn_value *above = x ? qn_onnx_compare(op, QN_OP_ML_GREATER, x, qn_onnx_double(op, high)) : NULL;
  qn_value *inside = qn_onnx_choose(op, below, qn_onnx_double(op, 0), x);
  return qn_onnx_choose(op, above, qn_onnx_double(op, last), inside);
}

/* The weight of the elements before and after x, by its distance from the element below. */
static qn_value *cubic_weight(qn_graph_op *op, uint32_t i, qn_value *ratio) {
  static const double a = -0.75;
  const bool is_near = i == 1 || i == 2;
  /* the distance of element i - 1 from the place, and a polynomial of it */
  qn_value *x = i < 2 ? qn_onnx_with(op, QN_OP_ML_ADD, ratio, 1 - (double)i)
                      : scaled(op, ratio, -1, (double)i - 1);
  qn_value *y = is_near ? scaled(op, x, a + 2, -(a + 3)) : scaled(op, x, a, -5 * a);
  y = qn_onnx_binary(op, QN_OP_ML_MUL, y, x);
  if (!is_near) y = qn_onnx_with(op, QN_OP_ML_ADD, y, 8 * a);
  y = qn_onnx_binary(op, QN_OP_ML_MUL, y, x);
  return qn_onnx_with(op, QN_OP_ML_ADD, y, is_near ? 1 : -4 * a);
}

/* The element at an index that may be outside. */
static bool set_tap(qn_graph_op *op, const sampler *s, qn_value *at, qn_value *weight, int64_t size,
                    tap *out) {
  const double last = (double)(size - 1);
  if (!at) return false;
  if (s->padding == ZEROS) {
    qn_value *low = qn_onnx_compare(op, QN_OP_ML_GREATER_EQUAL, at, qn_onnx_double(op, 0));
    qn_value *high = qn_onnx_compare(op, QN_OP_ML_LESS_EQUAL, at, qn_onnx_double(op, last));
    qn_value *zero = qn_onnx_double(op, 0);
    if (!weight) weight = qn_onnx_double(op, 1);
    weight = qn_onnx_choose(op, low, weight, zero);
    weight = qn_onnx_choose(op, high, weight, zero);
  }
  if (s->padding == REFLECTION) at = reflected(op, s, at, size);
  *out = (tap){clamped(op, at, 0, last), weight};
  return out->index != NULL;
}

/* The elements of an axis that contribute to the places; returns their number, 0 after an error. */
static uint32_t taps_of(qn_graph_op *op, const sampler *s, qn_value *x, int64_t size, tap *out) {
  x = located(op, s, x, size);
  if (s->mode == NEAREST) return set_tap(op, s, x, NULL, size, &out[0]);
  qn_value *first = qn_onnx_unary(op, QN_OP_ML_FLOOR, x);
  qn_value *ratio = qn_onnx_binary(op, QN_OP_ML_SUB, x, first);
  const uint32_t count = s->mode == LINEAR ? 2 : MOST_TAPS, before = s->mode == CUBIC;
  for (uint32_t i = 0; i < count; i++) {
    qn_value *weight = s->mode == CUBIC ? cubic_weight(op, i, ratio)
                       : i == 0         ? scaled(op, ratio, -1, 1)
                                        : ratio;
    qn_value *at = qn_onnx_with(op, QN_OP_ML_ADD, first, (double)i - (double)before);
    if (!weight || !set_tap(op, s, at, weight, size, &out[i])) return 0;
  }
  return count;
}

/* Elements of x [batch, size, channels] at flat indices, which are safe whatever the grid has. */
static qn_value *gathered(qn_graph_op *op, qn_value *x, qn_value *index) {
  const qn_type *whole = qn_onnx_i64(op);
  if (!index) return NULL;
  index = qn_onnx_as(op, index, whole);
  index = qn_onnx_binary(op, QN_OP_ML_MAXIMUM, index, qn_onnx_whole(op, whole, 0));
  index =
      qn_onnx_binary(op, QN_OP_ML_MINIMUM, index, qn_onnx_whole(op, whole, qn_onnx_dim(x, 1) - 1));
  return qn_onnx_gathered(op, x, index, 1, 1);
}

/* The sum over all combinations of taps. */
static qn_value *sampled(qn_graph_op *op, const sampler *s, qn_value *x, const int64_t *sizes,
                         tap (*taps)[MOST_TAPS], uint32_t count) {
  uint32_t all = 1;
  qn_value *sum = NULL;
  for (uint32_t i = 0; i < s->ways; i++) all *= count;
  for (uint32_t k = 0; k < all; k++) {
    qn_value *index = NULL, *weight = NULL;
    for (uint32_t i = 0, rest = k; i < s->ways; i++, rest /= count) {
      const tap *t = &taps[i][rest % count];
      if (index) index = qn_onnx_with(op, QN_OP_ML_MUL, index, (double)sizes[i]);
      index = index ? qn_onnx_binary(op, QN_OP_ML_ADD, index, t->index) : t->index;
      weight = weight && t->weight ? qn_onnx_binary(op, QN_OP_ML_MUL, weight, t->weight)
               : weight            ? weight
                                   : t->weight;
    }
    qn_value *part = gathered(op, x, index);
    if (weight) {
      weight = qn_onnx_viewed(op, weight, 3, (int64_t[]){s->batch, s->places, 1});
      part = qn_onnx_binary(op, QN_OP_ML_MUL, part, weight);
    }
    sum = k ? qn_onnx_binary(op, QN_OP_ML_ADD, sum, part) : part;
  }
  return sum;
}

static bool read_sampler(qn_graph_op *op, const qn_graph_tensor *x, const qn_graph_tensor *grid,
                         sampler *s) {
  static const char *const modes[] = {"nearest", "linear", "cubic", NULL};
  static const char *const old_modes[] = {"nearest", "bilinear", "bicubic", NULL};
  static const char *const paddings[] = {"zeros", "border", "reflection", NULL};
  const bool old = qn_onnx_opset(op) < 20;
  const uint32_t rank = x->shape.rank;
  if (!qn_onnx_is_spatial(op, x) || !qn_graph_has_elements(op, x) ||
      !qn_graph_has_elements(op, grid) ||
      !qn_onnx_word(op, "mode", old ? "bilinear" : "linear", old ? old_modes : modes, &s->mode) ||
      !qn_onnx_word(op, "padding_mode", "zeros", paddings, &s->padding))
    return false;
  s->ways = rank - 2;
  s->is_aligned = qn_onnx_int(op, "align_corners", 0) != 0;
  if (op->failed) return false;
  if (grid->shape.rank != rank || grid->shape.dims[0] != x->shape.dims[0] ||
      grid->shape.dims[rank - 1] != s->ways)
    return qn_graph_error(op, grid, QN_INVALID,
                          "a grid for %u dimensions of %lld batch elements is expected", s->ways,
                          (long long)x->shape.dims[0]);
  s->batch = x->shape.dims[0], s->places = 1;
  for (uint32_t i = 1; i + 1 < rank; i++) s->places *= grid->shape.dims[i];
  return true;
}

void qn_onnx_import_grid_sample(qn_graph_op *op) {
  const qn_graph_tensor *x = qn_graph_input(op, 0), *grid = qn_graph_input(op, 1);
  tap taps[QN_GRAPH_MOST_WAYS][MOST_TAPS];
  uint32_t count = 0;
  sampler s;
  if (op->failed || !read_sampler(op, x, grid, &s)) return;
  const int64_t *sizes = x->shape.dims + 2, channels = x->shape.dims[1];
  qn_graph_shape shape = {x->shape.rank, {s.batch, channels}};
  for (uint32_t i = 2; i < shape.rank; i++) shape.dims[i] = grid->shape.dims[i - 1];
  if (!qn_graph_check_size(op, x, &shape)) return;
  qn_value *v = qn_onnx_real(op, 0), *at = qn_onnx_real(op, 1);
  int64_t elements = 1;
  for (uint32_t i = 0; i < s.ways; i++) elements *= sizes[i];
  v = qn_onnx_viewed(op, v, 3, (int64_t[]){s.batch, channels, elements});
  v = qn_onnx_permuted(op, v, (int64_t[]){0, 2, 1});
  at = qn_onnx_viewed(op, at, 3, (int64_t[]){s.batch, s.places, s.ways});
  for (uint32_t i = 0; v && at && i < s.ways; i++) {
    const uint32_t of = s.ways - 1 - i; /* the grid has the last dimension first */
    qn_value *along = qn_onnx_cut(op, at, 2, of, of + 1);
    along = qn_onnx_viewed(op, along, 2, (int64_t[]){s.batch, s.places});
    count = taps_of(op, &s, along, sizes[i], taps[i]);
    if (!count) break;
  }
  qn_value *y = count ? sampled(op, &s, v, sizes, taps, count) : NULL;
  y = qn_onnx_permuted(op, y, (int64_t[]){0, 2, 1});
  qn_onnx_give_real(op, 0, qn_onnx_viewed(op, y, shape.rank, shape.dims));
}

/* ---- Col2Im ---- */

typedef struct blocks {
  qn_graph_window window; /* `out`: blocks per dimension */
  int64_t image[QN_GRAPH_MOST_WAYS];
  uint32_t ways;
  int64_t kernel, columns, elements; /* products of kernel, blocks, image */
} blocks;

static bool read_ways(qn_graph_op *op, uint32_t i, int64_t *out, uint32_t *out_count) {
  qn_graph_tensor *x = qn_graph_input(op, i);
  if (!x || !qn_graph_ints(op, x, QN_GRAPH_MOST_WAYS, out, out_count)) return false;
  for (uint32_t k = 0; k < *out_count; k++)
    if (out[k] < 1 || out[k] > INT32_MAX)
      return qn_graph_error(op, x, QN_INVALID, "size %lld is out of range", (long long)out[k]);
  return *out_count > 0 || qn_graph_error(op, x, QN_INVALID, "it has no sizes");
}

static bool read_blocks(qn_graph_op *op, const qn_graph_tensor *x, blocks *b) {
  int64_t kernel[QN_GRAPH_MOST_WAYS];
  uint32_t sizes;
  qn_graph_padding padding;
  if (!read_ways(op, 1, b->image, &b->ways) || !read_ways(op, 2, kernel, &sizes)) return false;
  if (sizes != b->ways)
    return qn_graph_error(op, x, QN_INVALID, "blocks of %u dimensions in an image of %u", sizes,
                          b->ways);
  if (!qn_onnx_read_window(op, b->ways, &b->window, &padding)) return false;
  memcpy(b->window.kernel, kernel, sizeof kernel);
  qn_graph_tensor image = *x;
  image.shape = (qn_graph_shape){b->ways + 2, {1, 1}};
  memcpy(image.shape.dims + 2, b->image, b->ways * sizeof *b->image);
  if (!qn_graph_check_size(op, x, &image.shape) ||
      !qn_graph_place_window(op, &image, 2, QN_GRAPH_PAD_GIVEN, &b->window))
    return false;
  b->kernel = b->columns = b->elements = 1;
  for (uint32_t i = 0; i < b->ways; i++) {
    b->elements *= b->image[i], b->columns *= b->window.out[i];
    if (b->kernel > INT32_MAX / kernel[i])
      return qn_graph_error(op, x, QN_LIMIT, "blocks of more than %d elements", INT32_MAX);
    b->kernel *= kernel[i];
  }
  if (x->shape.rank != 3 || x->shape.dims[1] % b->kernel != 0 || x->shape.dims[2] != b->columns)
    return qn_graph_error(op, x, QN_INVALID,
                          "it does not have the %lld columns of blocks of %lld elements",
                          (long long)b->columns, (long long)b->kernel);
  return true;
}

/* The column element that offset `k` of a block adds to place `p` of the image; the one after all
 * others, a zero, if there is none. */
static int64_t source_of(const blocks *b, int64_t p, int64_t k) {
  const int64_t offset = k;
  int64_t column = 0, stride = 1;
  for (uint32_t i = b->ways; i-- > 0; p /= b->image[i], k /= b->window.kernel[i]) {
    const int64_t from =
        p % b->image[i] + b->window.pad[2 * i] - k % b->window.kernel[i] * b->window.dilation[i];
    const int64_t at = from / b->window.stride[i];
    if (from < 0 || from % b->window.stride[i] != 0 || at >= b->window.out[i])
      return b->kernel * b->columns;
    column += at * stride;
    stride *= b->window.out[i];
  }
  return offset * b->columns + column;
}

void qn_onnx_import_col2im(qn_graph_op *op) {
  const qn_graph_tensor *x = qn_graph_input(op, 0);
  blocks b;
  if (op->failed || !qn_graph_has_elements(op, x) || !read_blocks(op, x, &b)) return;
  const int64_t batch = x->shape.dims[0], channels = x->shape.dims[1] / b.kernel;
  qn_graph_shape shape = {b.ways + 2, {batch, channels}};
  memcpy(shape.dims + 2, b.image, b.ways * sizeof *b.image);
  const qn_graph_shape wide = {4, {batch, channels, b.elements, b.kernel}};
  int64_t *indices = NULL;
  if (qn_graph_check_size(op, x, &wide)) indices = qn_onnx_numbers(op, b.elements * b.kernel);
  if (!indices) return;
  for (int64_t i = 0; i < b.elements * b.kernel; i++)
    indices[i] = source_of(&b, i / b.kernel, i % b.kernel);
  qn_value *v = qn_onnx_real(op, 0);
  v = qn_onnx_viewed(op, v, 3, (int64_t[]){batch, channels, b.kernel * b.columns});
  v = qn_onnx_extended(op, v, 2, 1, qn_onnx_double(op, 0), false);
  v = qn_onnx_picked(op, v, 2, indices, b.elements * b.kernel);
  v = qn_onnx_viewed(op, v, 4, wide.dims);
  v = qn_onnx_reduced(op, QN_OP_ML_REDUCE_SUM, v, (int64_t[]){3}, 1, false);
  qn_onnx_give_real(op, 0, qn_onnx_viewed(op, v, shape.rank, shape.dims));
}
