/* Transposed convolutions of two dimensions, without products by zeros. Element i of the result
 * along a dimension takes the taps congruent to i + pad modulo the stride. So elements whose i is
 * equal modulo the stride, a phase, are a convolution of x with every stride-th tap, reversed:
 *
 *   y[i] = sum over j of x[(i + pad) / stride - j] * w[(i + pad) % stride + j * stride]
 *
 * Neighbouring phases that read the same elements of x become channels of one convolution. The sum
 * of an element has the same products in the same order as with zeros between the elements of x.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ir/float_form/convolution.h"

enum {
  ROWS,
  COLUMNS,
  WAYS,
  CHANNELS = WAYS + 1,   /* the dimension of NHWC */
  MOST_CONVOLUTIONS = 16 /* beyond it, compiling takes longer than the zeros */
};

/* Dimensions of a part of the result. Images stay a dimension, so that they remain independent
 * (src/ir/entry). */
enum { ROW_PHASES = 2, COLUMN_PHASES = 4 /* and channels */, PART_RANK = 5 };

/* Neighbouring phases along one dimension that read the same elements of x. */
typedef struct span {
  int64_t first, count; /* phases */
  int64_t taps, tap;    /* number of taps; the first tap of the first phase */
  int64_t begin, end;   /* elements of x that are read */
  int64_t pad[2];       /* zeros around them */
} span;

typedef struct phases {
  const qn_convolution *c;
  const qn_type *element;        /* of the result */
  int64_t size[WAYS];            /* elements of one phase of the result */
  bool joins;                    /* whether neighbouring phases may become channels */
  const qn_attr *weights, *bias; /* payloads; bias may be NULL */
} phases;

static int64_t dim_of(const qn_value *x, uint32_t dim) { return x->type->shaped.dims[dim]; }

/* The phases from `first` on along a dimension. */
static span span_of(const phases *p, uint32_t way, int64_t first) {
  const qn_convolution *c = p->c;
  int64_t stride = c->strides[way], kernel = c->kernel[way], rows = dim_of(c->x, 1 + way);
  int64_t at = first + c->pad[2 * way], shift = at / stride, tap = at % stride;
  span s = {.first = first, .count = 1, .tap = tap, .taps = (kernel - tap - 1) / stride + 1};
  int64_t limit = (kernel - 1) % stride + 1; /* taps beyond it have one fewer of the same phase */
  int64_t alike = tap < limit ? limit - tap : stride - tap;
  if (p->joins) s.count = alike < stride - first ? alike : stride - first;
  int64_t before = (s.taps - 1) * c->dilations[way] - shift, after = p->size[way] + shift - rows;
  s.begin = before < 0 ? -before : 0;
  s.end = after < 0 ? rows + after : rows;
  s.pad[0] = before < 0 ? 0 : before;
  s.pad[1] = after < 0 ? 0 : after;
  return s;
}

/* ---- channels of a convolution: the phases of both spans, then the filters ---- */

static const qn_type *repeated(const phases *p, const qn_type *element, int64_t times) {
  const qn_quant_uniform *q = &element->uniform;
  if (element->kind != QN_TYPE_QUANT_UNIFORM || q->scheme == QN_PER_LAYER || times == 1)
    return element;
  qn_quant_uniform all = *q;
  qn_arena *arena = &p->c->f->b->module->arena;
  size_t each = q->count, count = each * (size_t)times;
  double *scales = qn_arena_array(arena, count, sizeof *scales);
  int64_t *zeros = qn_arena_array(arena, count, sizeof *zeros);
  for (size_t i = 0; i < count; i++)
    scales[i] = q->scales[i % each], zeros[i] = q->zero_points[i % each];
  all.count = (uint32_t)count, all.scales = scales, all.zero_points = zeros;
  return qn_type_uniform(p->c->f->cx, &all);
}

static qn_value *constant(const phases *p, const qn_attr *like, const qn_value *of, uint32_t rank,
                          const int64_t *dims, qn_bytes bytes) {
  const qn_form *f = p->c->f;
  int64_t times = dims[0] / dim_of(of, 0);
  const qn_type *type = qn_type_tensor(f->cx, qn_type_element(like->type), rank, dims);
  const qn_attr *value = qn_attr_dense(f->cx, type, bytes, true);
  type = qn_type_tensor(f->cx, repeated(p, qn_type_element(of->type), times), rank, dims);
  return qn_build_1(f->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

static qn_value *weights_of(const phases *p, const span s[WAYS]) {
  const qn_convolution *c = p->c;
  int64_t filters = dim_of(c->weights, 0), depth = dim_of(c->weights, CHANNELS);
  const int64_t dims[] = {s[ROWS].count * s[COLUMNS].count * filters, s[ROWS].taps, s[COLUMNS].taps,
                          depth};
  const qn_bytes *from = &p->weights->dense.bytes;
  if (p->weights->dense.splat) return constant(p, p->weights, c->weights, WAYS + 2, dims, *from);
  size_t run = from->size / (size_t)(filters * c->kernel[ROWS] * c->kernel[COLUMNS]);
  size_t size = run * (size_t)(dims[0] * dims[1] * dims[2]);
  uint8_t *bytes = qn_arena_alloc(&c->f->cx->arena, size), *to = bytes;
  for (int64_t o = 0; o < dims[0]; o++) {
    int64_t phase = o / filters, filter = o % filters * c->kernel[ROWS];
    int64_t row = s[ROWS].tap + phase / s[COLUMNS].count;
    int64_t column = s[COLUMNS].tap + phase % s[COLUMNS].count;
    for (int64_t i = dims[1] - 1; i >= 0; i--)
      for (int64_t j = dims[2] - 1; j >= 0; j--, to += run) {
        int64_t at = (filter + row + i * c->strides[ROWS]) * c->kernel[COLUMNS] + column +
                     j * c->strides[COLUMNS];
        memcpy(to, from->data + run * (size_t)at, run);
      }
  }
  return constant(p, p->weights, c->weights, WAYS + 2, dims, (qn_bytes){bytes, size});
}

static qn_value *bias_of(const phases *p, int64_t times) {
  const qn_convolution *c = p->c;
  if (!c->bias || times == 1) return c->bias;
  const int64_t channels = dim_of(c->bias, 0) * times;
  const qn_bytes *from = &p->bias->dense.bytes;
  if (p->bias->dense.splat) return constant(p, p->bias, c->bias, 1, &channels, *from);
  size_t size = from->size * (size_t)times;
  uint8_t *bytes = qn_arena_alloc(&c->f->cx->arena, size);
  for (size_t at = 0; at < size; at += from->size) memcpy(bytes + at, from->data, from->size);
  return constant(p, p->bias, c->bias, 1, &channels, (qn_bytes){bytes, size});
}

/* ---- the result, from its phases ---- */

/* The convolution of two spans: [images, rows, phases of rows, columns, phases of columns *
 * channels]. */
static qn_value *build_spans(const phases *p, const span s[WAYS]) {
  qn_convolution c = *p->c;
  const int64_t *x = c.x->type->shaped.dims, ones[] = {1, 1, 1, 1};
  const int64_t begin[] = {0, s[ROWS].begin, s[COLUMNS].begin, 0};
  const int64_t end[] = {x[0], s[ROWS].end, s[COLUMNS].end, x[CHANNELS]};
  int64_t images = x[0], times = s[ROWS].count * s[COLUMNS].count;
  int64_t filters = dim_of(c.weights, 0);
  if (memcmp(end, x, sizeof end) != 0 || begin[1 + ROWS] || begin[1 + COLUMNS])
    c.x = qn_convolution_sliced(&c, c.x, WAYS + 2, begin, end, ones);
  c.weights = weights_of(p, s);
  c.bias = bias_of(p, times);
  for (uint32_t i = 0; i < WAYS; i++) {
    c.kernel[i] = s[i].taps, c.strides[i] = 1;
    c.pad[2 * i] = s[i].pad[0], c.pad[2 * i + 1] = s[i].pad[1];
  }
  const int64_t dims[] = {images, p->size[ROWS], p->size[COLUMNS], times * filters};
  qn_value *y = qn_convolution_build(&c, qn_type_tensor(c.f->cx, p->element, WAYS + 2, dims));
  int64_t channels = s[COLUMNS].count * filters;
  const int64_t cut[] = {images, p->size[ROWS], p->size[COLUMNS], s[ROWS].count, channels};
  const int64_t whole[] = {images, p->size[ROWS], 1, p->size[COLUMNS], channels};
  if (s[ROWS].count == 1) return qn_convolution_reshaped(&c, y, PART_RANK, whole);
  y = qn_convolution_reshaped(&c, y, PART_RANK, cut);
  return qn_convolution_transposed(&c, y, PART_RANK, (const int64_t[]){0, 1, 3, 2, 4});
}

static qn_value *joined(const phases *p, qn_value *const *parts, uint32_t count, int64_t axis) {
  if (count == 1) return parts[0];
  int64_t dims[PART_RANK];
  memcpy(dims, parts[0]->type->shaped.dims, sizeof dims);
  dims[axis] = 0;
  for (uint32_t i = 0; i < count; i++) dims[axis] += dim_of(parts[i], (uint32_t)axis);
  const qn_form *f = p->c->f;
  return qn_build_1(f->b, QN_OP_ML_CONCAT, qn_type_tensor(f->cx, p->element, PART_RANK, dims),
                    parts, count, QN_ATTRS({"axis", qn_attr_i64(f->cx, axis)}));
}

static qn_value *build_row_span(const phases *p, const span *rows) {
  qn_value *parts[MOST_CONVOLUTIONS];
  span s[WAYS] = {*rows};
  uint32_t count = 0;
  for (int64_t at = 0; at < p->c->strides[COLUMNS]; at += s[COLUMNS].count) {
    s[COLUMNS] = span_of(p, COLUMNS, at);
    parts[count++] = build_spans(p, s);
  }
  return joined(p, parts, count, COLUMN_PHASES);
}

static qn_value *build_all(const phases *p, const qn_type *result) {
  qn_value *parts[MOST_CONVOLUTIONS];
  span s;
  uint32_t count = 0;
  for (int64_t at = 0; at < p->c->strides[ROWS]; at += s.count) {
    s = span_of(p, ROWS, at);
    parts[count++] = build_row_span(p, &s);
  }
  qn_value *y = joined(p, parts, count, ROW_PHASES);
  const int64_t *out = result->shaped.dims, begin[WAYS + 2] = {0}, ones[] = {1, 1, 1, 1};
  int64_t whole[] = {out[0], p->size[ROWS] * p->c->strides[ROWS],
                     p->size[COLUMNS] * p->c->strides[COLUMNS], out[CHANNELS]};
  y = qn_convolution_reshaped(p->c, y, WAYS + 2, whole);
  if (memcmp(whole, out, sizeof whole) == 0) return y;
  return qn_convolution_sliced(p->c, y, WAYS + 2, begin, out, ones);
}

/* ---- what can be built ---- */

static bool is_per_layer_or(const qn_type *element, int32_t axis) {
  if (element->kind != QN_TYPE_QUANT_UNIFORM) return true;
  const qn_quant_uniform *q = &element->uniform;
  return q->scheme == QN_PER_LAYER || (q->scheme == QN_PER_AXIS && q->axis == axis);
}

/* Number of convolutions along a dimension; 0 if a phase has no taps or reads no elements. */
static int64_t count_spans(const phases *p, uint32_t way) {
  const qn_convolution *c = p->c;
  if (c->kernel[way] < c->strides[way]) return 0;
  if (c->strides[way] > 1 && c->dilations[way] > 1) return 0;
  int64_t count = 0;
  span s;
  for (int64_t at = 0; at < c->strides[way]; at += s.count, count++) {
    s = span_of(p, way, at);
    if (s.begin >= s.end) return 0;
  }
  return count;
}

/* Whether the result with whole phases, which may have more rows and columns, has a valid size. */
static bool fits(const phases *p, const qn_type *result) {
  int64_t bytes = sizeof(double);
  bool fits = qn_convolution_grows(&bytes, result->shaped.dims[0]) &&
              qn_convolution_grows(&bytes, result->shaped.dims[CHANNELS]);
  for (uint32_t i = 0; i < WAYS; i++)
    fits = fits && qn_convolution_grows(&bytes, p->size[i] * p->c->strides[i]);
  return fits;
}

static const qn_attr *payload_of(const qn_value *value) {
  const qn_attr *payload = value ? qn_value_constant(value) : NULL;
  return payload && qn_attr_is_elements(payload) ? payload : NULL;
}

qn_value *qn_convolution_build_phases(const qn_convolution *c, const qn_type *result) {
  phases p = {.c = c,
              .element = qn_type_element(result),
              .weights = payload_of(c->weights),
              .bias = payload_of(c->bias)};
  if (c->ways != WAYS || (c->strides[ROWS] == 1 && c->strides[COLUMNS] == 1)) return NULL;
  if (!p.weights || !is_per_layer_or(p.element, -1)) return NULL;
  if (!is_per_layer_or(qn_type_element(c->weights->type), 0)) return NULL;
  if (c->bias && !is_per_layer_or(qn_type_element(c->bias->type), 0)) return NULL;
  p.joins = qn_op_groups(c->f->op) == 1 && (p.bias || !c->bias);
  for (uint32_t i = 0; i < WAYS; i++)
    p.size[i] = (result->shaped.dims[1 + i] - 1) / c->strides[i] + 1;
  int64_t rows = count_spans(&p, ROWS), columns = count_spans(&p, COLUMNS);
  bool possible = rows > 0 && columns > 0 && rows <= MOST_CONVOLUTIONS / columns;
  return possible && fits(&p, result) ? build_all(&p, result) : NULL;
}
