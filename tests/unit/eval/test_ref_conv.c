/* Reference convolutions: pixels computed by hand, and a plain model in 64 bits for unusual
 * geometries.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "one_op.h"

#include "runtime/fixed.h"

/* ---- computed by hand: scales 1/2, so y = round(acc / 2) ---- */

static qn_value *conv_2x2(one_op *t, const qn_type *weight_type, const qn_type *y_element,
                          const char *activation, const int64_t *pad, int64_t out) {
  static const int8_t x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  static const int8_t w[] = {1, 0, 0, -1};
  static const int32_t bias[] = {3};
  const qn_type *x_type = one_op_quant(t, true, 1.0, 0);
  qn_value *operands[] = {one_op_const(t, x_type, ONE_OP_SHAPE(1, 3, 3, 1), x),
                          one_op_const(t, weight_type, ONE_OP_SHAPE(1, 2, 2, 1), w),
                          one_op_const(t, qn_type_i(&t->cx, 32), ONE_OP_SHAPE(1), bias)};
  const qn_type *y = qn_type_tensor(&t->cx, y_element, 4, (const int64_t[]){1, out, out, 1});
  return qn_build_1(&t->b, QN_OP_ML_CONV, y, operands, 3,
                    QN_ATTRS({"strides", ONE_OP_I64S(t, 1, 1)}, {"dilations", ONE_OP_I64S(t, 1, 1)},
                             {"pad", qn_attr_i64s(&t->cx, pad, 4)}, {"groups", one_op_i64(t, 1)},
                             {"activation", one_op_name(t, activation)}));
}

static const int64_t no_pad[4] = {0, 0, 0, 0}, pad_after[4] = {0, 1, 0, 1};

static void test_conv_by_hand(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  /* acc is x[0] - x[4] + 3 = -1 everywhere. The first rounding (ties upwards) makes -1/2 to 0, the
   * second keeps 0. */
  const qn_type *w = one_op_quant(&t, true, 0.5, 0), *y = one_op_quant(&t, true, 1.0, 7);
  one_op_expect(&t, conv_2x2(&t, w, y, "none", no_pad, 2), (const int8_t[]){7, 7, 7, 7}, 4);
}

static void test_conv_padding_contributes_nothing(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  /* In the last row and column, the tap with weight -1 is outside of x: (x + 3) / 2. */
  const qn_type *w = one_op_quant(&t, true, 0.5, 0), *y = one_op_quant(&t, true, 1.0, 0);
  one_op_expect(&t, conv_2x2(&t, w, y, "none", pad_after, 3),
                (const int8_t[]){0, 0, 3, 0, 0, 5, 5, 6, 6}, 9);
}

static void test_conv_activation(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "tflm");
  const qn_type *w = one_op_quant(&t, true, 1.0, 0), *y = one_op_quant(&t, true, 1.0, -3);
  one_op_expect(&t, conv_2x2(&t, w, y, "relu6", pad_after, 3),
                (const int8_t[]){-3, -3, 3, -3, -3, 3, 3, 3, 3}, 9);
}

/* The kernels of tflm ignore the zero point of int8 weights. LiteRT rejects it, so the op has the
 * result that its types define. */
static void test_conv_and_the_zero_point_of_signed_weights(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "tflm");
  const qn_type *w = one_op_quant(&t, true, 0.5, 9), *y = one_op_quant(&t, true, 1.0, 7);
  one_op_expect(&t, conv_2x2(&t, w, y, "none", no_pad, 2), (const int8_t[]){7, 7, 7, 7}, 4);
  one_op_begin(&t, "litert-ref");
  w = one_op_quant(&t, true, 0.5, 9), y = one_op_quant(&t, true, 1.0, 7);
  one_op_expect(&t, conv_2x2(&t, w, y, "none", no_pad, 2), (const int8_t[]){-48, -66, -102, -120},
                4);
}

/* Weights 1, 0, 0, 255 of the other signedness: in the last element (x[0] + 255 * x[4] + 3) / 2 =
 * 639.5. */
static void test_conv_of_two_signs_is_computed_in_float(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  const qn_type *w = one_op_quant(&t, false, 0.5, 0), *y = one_op_quant(&t, true, 512.0, 0);
  one_op_expect(&t, conv_2x2(&t, w, y, "none", no_pad, 2), (const int8_t[]){1, 1, 2, 2}, 4);
}

static void test_conv_errors(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  const qn_type *w = one_op_quant(&t, true, 0.5, 0), *y = one_op_quant(&t, true, 1.0, 0);
  one_op_expect_error(&t, conv_2x2(&t, w, y, "none", no_pad, 3), "has a result of 1x3x3");
  one_op_begin(&t, "other");
  w = one_op_quant(&t, true, 0.5, 0), y = one_op_quant(&t, true, 1.0, 0);
  one_op_expect_error(&t, conv_2x2(&t, w, y, "none", no_pad, 2), "unknown numerics profile");
}

/* ---- integer stage compared with a model that pads explicitly ---- */

typedef struct geometry {
  int64_t in, channels, groups, out_channels, kernel, stride, dilation, before, after;
  bool depthwise;
} geometry;

enum { MAX_ELEMENTS = 4096 };

typedef struct data {
  int8_t x[MAX_ELEMENTS], w[MAX_ELEMENTS], y[MAX_ELEMENTS];
  int32_t bias[64], mantissa[64], shift[64];
} data;

static uint32_t next_random(uint32_t *state) {
  return (*state = *state * 1664525u + 1013904223u) >> 8;
}

static void fill(data *d, uint32_t seed) {
  for (int i = 0; i < MAX_ELEMENTS; i++) d->x[i] = (int8_t)next_random(&seed);
  for (int i = 0; i < MAX_ELEMENTS; i++) d->w[i] = (int8_t)next_random(&seed);
  for (int i = 0; i < 64; i++) {
    d->bias[i] = (int32_t)(next_random(&seed) % 20000) - 10000;
    d->mantissa[i] = (1 << 30) + (int32_t)(next_random(&seed) & 0xFFFFFF);
    d->shift[i] = -6 - (int32_t)(next_random(&seed) % 4);
  }
}

enum { X_ZERO = -5, W_ZERO = 2, Y_ZERO = 11 };

/* One element of the result by its definition. The border has the zero point of the input. */
static int8_t model(const geometry *g, const data *d, int64_t oy, int64_t ox, int64_t oc) {
  int64_t acc = d->bias[oc], depth = g->depthwise ? 1 : g->channels / g->groups;
  int64_t first = g->depthwise ? oc / (g->out_channels / g->channels)
                               : oc / (g->out_channels / g->groups) * depth;
  for (int64_t ky = 0; ky < g->kernel; ky++)
    for (int64_t kx = 0; kx < g->kernel; kx++)
      for (int64_t k = 0; k < depth; k++) {
        int64_t iy = oy * g->stride + ky * g->dilation - g->before;
        int64_t ix = ox * g->stride + kx * g->dilation - g->before;
        bool inside = iy >= 0 && ix >= 0 && iy < g->in && ix < g->in;
        int64_t x = inside ? d->x[(iy * g->in + ix) * g->channels + first + k] : X_ZERO;
        int64_t tap = ky * g->kernel + kx;
        int64_t w = g->depthwise ? d->w[tap * g->out_channels + oc]
                                 : d->w[(oc * g->kernel * g->kernel + tap) * depth + k];
        acc += (x - X_ZERO) * (w - W_ZERO);
      }
  int32_t y = qn_requant32((int32_t)acc, d->mantissa[oc], d->shift[oc]) + Y_ZERO;
  return (int8_t)(y < -100 ? -100 : y > 101 ? 101 : y);
}

static qn_value *build_integer(one_op *t, const geometry *g, const data *d, int64_t out) {
  const qn_type *i8 = qn_type_i(&t->cx, 8), *i32 = qn_type_i(&t->cx, 32);
  int64_t depth = g->depthwise ? g->out_channels : g->channels / g->groups;
  int64_t first = g->depthwise ? 1 : g->out_channels;
  qn_value *operands[] = {
      one_op_const(t, i8, ONE_OP_SHAPE(1, g->in, g->in, g->channels), d->x),
      one_op_const(t, i8, ONE_OP_SHAPE(first, g->kernel, g->kernel, depth), d->w),
      one_op_const(t, i32, ONE_OP_SHAPE(g->out_channels), d->bias),
      one_op_const(t, i32, ONE_OP_SHAPE(g->out_channels), d->mantissa),
      one_op_const(t, i32, ONE_OP_SHAPE(g->out_channels), d->shift)};
  const qn_type *y = qn_type_tensor(&t->cx, i8, 4, (const int64_t[]){1, out, out, g->out_channels});
  qn_value *value = qn_build_1(
      &t->b, g->depthwise ? QN_OP_ML_INTEGER_DEPTHWISE_CONV : QN_OP_ML_INTEGER_CONV, y, operands, 5,
      QN_ATTRS({"strides", ONE_OP_I64S(t, g->stride, g->stride)},
               {"dilations", ONE_OP_I64S(t, g->dilation, g->dilation)},
               {"pad", ONE_OP_I64S(t, g->before, g->after, g->before, g->after)},
               {"input_zero_point", one_op_i64(t, X_ZERO)},
               {"weight_zero_point", one_op_i64(t, W_ZERO)},
               {"output_zero_point", one_op_i64(t, Y_ZERO)}, {"rounding", one_op_name(t, "double")},
               {"min", one_op_i64(t, -100)}, {"max", one_op_i64(t, 101)}));
  if (!g->depthwise) qn_op_set_attr(t->module, value->op, "groups", one_op_i64(t, g->groups));
  return value;
}

static void test_geometries(void **unused) {
  (void)unused;
  static const geometry rows[] = {
      {5, 3, 1, 4, 3, 1, 1, 1, 1, false}, {6, 4, 2, 6, 3, 2, 1, 0, 1, false},
      {7, 2, 1, 3, 2, 3, 2, 2, 1, false}, {4, 1, 1, 1, 1, 2, 1, 0, 0, false},
      {5, 3, 1, 6, 3, 1, 1, 1, 1, true},  {8, 2, 1, 2, 3, 2, 2, 2, 2, true},
      {3, 5, 1, 5, 3, 4, 1, 2, 2, true},  {9, 1, 1, 8, 5, 2, 1, 1, 2, true},
  };
  static data d;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const geometry *g = &rows[i];
    fill(&d, (uint32_t)i + 1);
    int64_t reach = (g->kernel - 1) * g->dilation + 1;
    int64_t out = (g->in + g->before + g->after - reach) / g->stride + 1, at = 0;
    for (int64_t oy = 0; oy < out; oy++)
      for (int64_t ox = 0; ox < out; ox++)
        for (int64_t oc = 0; oc < g->out_channels; oc++) d.y[at++] = model(g, &d, oy, ox, oc);
    one_op t;
    one_op_begin(&t, "litert-ref");
    one_op_expect(&t, build_integer(&t, g, &d, out), d.y, (size_t)at);
  }
}

static void test_multiplier_out_of_range(void **unused) {
  (void)unused;
  static const geometry g = {4, 1, 1, 1, 1, 1, 1, 0, 0, false};
  static data d;
  fill(&d, 1);
  d.shift[0] = 40;
  one_op t;
  one_op_begin(&t, "litert-ref");
  one_op_expect_error(&t, build_integer(&t, &g, &d, 4), "shift 40");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_conv_by_hand),
      cmocka_unit_test(test_conv_padding_contributes_nothing),
      cmocka_unit_test(test_conv_activation),
      cmocka_unit_test(test_conv_and_the_zero_point_of_signed_weights),
      cmocka_unit_test(test_conv_of_two_signs_is_computed_in_float),
      cmocka_unit_test(test_conv_errors),
      cmocka_unit_test(test_geometries),
      cmocka_unit_test(test_multiplier_out_of_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
