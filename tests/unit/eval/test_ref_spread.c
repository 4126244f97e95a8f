/* Convolutions of random geometry, in two and three dimensions, transposed and not, compared with a
 * definition. For each element of x and each tap, the definition adds the product to the element of
 * the result at its place. Numbers are small integers, so the order of additions does not matter.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "one_op.h"
#include "ir/ops/forms.h"

enum { MOST = 1 << 14, WAYS = 3, CASES = 300 };

static uint32_t state;
static int64_t draw(int64_t low, int64_t high) {
  state = state * 1664525U + 1013904223U;
  return low + (int64_t)(state >> 8) % (high - low + 1);
}

typedef struct spread {
  uint32_t ways;
  int64_t images, groups, channels, filters; /* channels, filters: per group */
  int64_t in[WAYS], kernel[WAYS], stride[WAYS], dilation[WAYS], pad[2 * WAYS], out[WAYS];
  bool stated, biased, transposed;
  float x[MOST], w[MOST], bias[16], y[MOST];
} spread;

/* Draws the padding and output size along dimension i; the output is not empty. */
static void draw_window(spread *s, uint32_t i) {
  int64_t extent = (s->kernel[i] - 1) * s->dilation[i] + 1;
  s->pad[2 * i] = draw(0, 2), s->pad[2 * i + 1] = draw(0, 2);
  int64_t all = s->in[i] + s->pad[2 * i] + s->pad[2 * i + 1];
  if (all < extent) s->pad[2 * i + 1] += extent - all, all = extent;
  s->out[i] = (all - extent) / s->stride[i] + 1;
}

static void draw_case(spread *s) {
  memset(s, 0, sizeof *s);
  s->ways = (uint32_t)draw(2, 3);
  s->transposed = draw(0, 1);
  s->images = draw(1, 2), s->groups = draw(1, 2), s->channels = draw(1, 3), s->filters = draw(1, 3);
  s->stated = draw(0, 2) == 0, s->biased = draw(0, 1);
  for (uint32_t i = 0; i < s->ways; i++) {
    s->in[i] = draw(1, 3), s->kernel[i] = draw(1, 3), s->stride[i] = draw(1, 3);
    s->dilation[i] = draw(1, 2);
    if (!s->transposed) {
      draw_window(s, i);
      continue;
    }
    int64_t whole = (s->in[i] - 1) * s->stride[i] + (s->kernel[i] - 1) * s->dilation[i] + 1;
    s->pad[2 * i] = draw(0, whole - 1);
    s->pad[2 * i + 1] = draw(0, whole - 1 - s->pad[2 * i]);
    s->out[i] = whole - s->pad[2 * i] - s->pad[2 * i + 1];
    if (s->stated) s->out[i] += draw(0, s->stride[i] - 1);
  }
  for (int i = 0; i < MOST; i++) s->x[i] = (float)draw(-4, 4), s->w[i] = (float)draw(-4, 4);
  for (int i = 0; i < 16; i++) s->bias[i] = s->biased ? (float)draw(-9, 9) : 0;
}

/* Advances `count` nested indices, each below its size. Returns false after the last. */
static bool next(int64_t *index, const int64_t *sizes, uint32_t count) {
  while (count-- > 0) {
    if (++index[count] < sizes[count]) return true;
    index[count] = 0;
  }
  return false;
}
static int64_t place(const int64_t *index, const int64_t *sizes, uint32_t count) {
  int64_t at = 0;
  for (uint32_t i = 0; i < count; i++) at = at * sizes[i] + index[i];
  return at;
}

/* The position in the result to which element `at` contributes by tap `tap`; -1: none. */
static int64_t place_of(const spread *s, uint32_t i, int64_t at, int64_t tap) {
  if (s->transposed) return at * s->stride[i] + tap * s->dilation[i] - s->pad[2 * i];
  int64_t first = at + s->pad[2 * i] - tap * s->dilation[i];
  return first >= 0 && first % s->stride[i] == 0 ? first / s->stride[i] : -1;
}

/* Adds the products of one element of x, channel c of group g at position `at`, with all filters
 * and taps. */
static void add(spread *s, int64_t n, const int64_t *at, int64_t g, int64_t c) {
  int64_t all_in = s->groups * s->channels, all_out = s->groups * s->filters, tap[WAYS] = {0};
  float x =
      s->x[((n * s->in[0] * s->in[1] * (s->ways > 2 ? s->in[2] : 1)) + place(at, s->in, s->ways)) *
               all_in +
           g * s->channels + c];
  do {
    int64_t to[WAYS];
    bool inside = true;
    for (uint32_t i = 0; i < s->ways; i++) {
      to[i] = place_of(s, i, at[i], tap[i]);
      inside = inside && to[i] >= 0 && to[i] < s->out[i];
    }
    int64_t taps = 1, places = 1;
    for (uint32_t i = 0; i < s->ways; i++) taps *= s->kernel[i], places *= s->out[i];
    for (int64_t f = 0; inside && f < s->filters; f++) {
      int64_t o = g * s->filters + f;
      float w = s->w[(o * taps + place(tap, s->kernel, s->ways)) * s->channels + c];
      s->y[(n * places + place(to, s->out, s->ways)) * all_out + o] += x * w;
    }
  } while (next(tap, s->kernel, s->ways));
}

/* Computes y. Returns the number of its elements. */
static int64_t compute(spread *s) {
  int64_t all_out = s->groups * s->filters, count = s->images * all_out;
  for (uint32_t i = 0; i < s->ways; i++) count *= s->out[i];
  assert_true(count <= MOST);
  for (int64_t i = 0; i < count; i++) s->y[i] = s->bias[i % all_out];
  for (int64_t n = 0; n < s->images; n++)
    for (int64_t g = 0; g < s->groups; g++)
      for (int64_t c = 0; c < s->channels; c++) {
        int64_t at[WAYS] = {0};
        do add(s, n, at, g, c);
        while (next(at, s->in, s->ways));
      }
  return count;
}

static void shape(int64_t first, const int64_t *middle, uint32_t ways, int64_t last,
                  int64_t out_dims[WAYS + 2]) {
  out_dims[0] = first;
  for (uint32_t i = 0; i < ways; i++) out_dims[1 + i] = middle[i];
  out_dims[1 + ways] = last;
}

static qn_value *build(one_op *t, const spread *s) {
  const qn_type *f32 = qn_type_float(&t->cx, QN_F32);
  int64_t dims[WAYS + 2], all_out = s->groups * s->filters;
  uint32_t rank = s->ways + 2;
  qn_value *operands[3];
  shape(s->images, s->in, s->ways, s->groups * s->channels, dims);
  operands[0] = one_op_const(t, f32, rank, dims, s->x);
  shape(all_out, s->kernel, s->ways, s->channels, dims);
  operands[1] = one_op_const(t, f32, rank, dims, s->w);
  if (s->biased) operands[2] = one_op_const(t, f32, 1, &all_out, s->bias);
  shape(s->images, s->out, s->ways, all_out, dims);
  qn_op_kind kind = s->transposed ? QN_OP_ML_CONV_TRANSPOSE : QN_OP_ML_CONV;
  qn_value *y =
      qn_build_1(&t->b, kind, qn_type_tensor(&t->cx, f32, rank, dims), operands, s->biased ? 3 : 2,
                 QN_ATTRS({"strides", qn_attr_i64s(&t->cx, s->stride, s->ways)},
                          {"dilations", qn_attr_i64s(&t->cx, s->dilation, s->ways)},
                          {"pad", qn_attr_i64s(&t->cx, s->pad, 2 * s->ways)},
                          {"groups", one_op_i64(t, s->groups)}));
  if (s->transposed && s->stated)
    qn_op_set_attr(t->module, y->op, "output_shape", qn_attr_i64s(&t->cx, s->out, s->ways));
  return y;
}

static void test_random_geometry(void **unused) {
  (void)unused;
  static spread s;
  for (int i = 0; i < CASES; i++) {
    state = (uint32_t)i + 1;
    draw_case(&s);
    int64_t count = compute(&s);
    one_op t;
    one_op_begin(&t, "litert-ref");
    one_op_expect(&t, build(&t, &s), s.y, (size_t)count * sizeof(float));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_geometry)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
