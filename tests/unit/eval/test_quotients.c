/* Quotients of quantized bytes under the profile `onnx`: all pairs of stored values, compared with
 * quotients of integers. Round scales give ties, which an estimate in double does not decide.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "text_function.h"

__extension__ typedef __int128 wide;

enum { VALUES = 256, LOWEST = -128, HIGHEST = 127 };

typedef struct quantization {
  double scale; /* a float32 */
  int zero_point;
} quantization;

static const struct {
  quantization a, b, y;
} rows[] = {
    {{1, 0}, {1, 0}, {1, 0}},
    {{1, 0}, {1, 0}, {0.5, 0}},
    {{0.5, -128}, {2, 127}, {0.125, -3}},
    {{3, 5}, {1, -7}, {1, 4}},
    {{0.75, 5}, {0.375, 1}, {0.015625, 10}},
    {{0x1.8p-6, -128}, {0x1.9999ap-4, -128}, {0x1p-8, -128}},
    {{0x1.9999ap-4, 3}, {0x1.333334p-2, -20}, {0x1.666666p-1, 0}},
    {{0x1.fffffep-3, 0}, {0x1.000002p-2, 0}, {0x1.fffffep-9, 1}},
    {{0x1p-23, 0}, {0x1p-20, 0}, {0x1p-10, 0}},
    {{100, 0}, {0x1p-10, 9}, {2, 0}},
};

/* The integer m of 24 bits with scale = m * 2^*out_exponent. */
static wide mantissa_of(double scale, int *out_exponent) {
  double fraction = frexp(scale, out_exponent);
  *out_exponent -= 24;
  return (wide)ldexp(fraction, 24);
}

/* above / below for below > 0, to the nearest integer, ties to even. */
static wide nearest(wide above, wide below) {
  wide value = above / below, rest = above % below;
  if (rest < 0) value--, rest += below;
  return value + (2 * rest > below || (2 * rest == below && value % 2 != 0));
}

/* Stored quotient of the stored values. x / 0 is infinite, 0 / 0 is stored as the lowest value. */
static int quotient(size_t row, int a, int b) {
  int ea, eb, ey;
  wide above = (a - rows[row].a.zero_point) * mantissa_of(rows[row].a.scale, &ea);
  wide below = (b - rows[row].b.zero_point) * mantissa_of(rows[row].b.scale, &eb);
  below *= mantissa_of(rows[row].y.scale, &ey);
  if (below == 0) return above > 0 ? HIGHEST : LOWEST;
  if (below < 0) above = -above, below = -below;
  const int shift = ea - eb - ey;
  wide one = 1;
  if (shift >= 0) above *= one << shift;
  if (shift < 0) below *= one << -shift;
  wide y = nearest(above, below) + rows[row].y.zero_point;
  return (int)(y < LOWEST ? LOWEST : y > HIGHEST ? HIGHEST : y);
}

static void print_type(char *out, size_t size, const char *shape, quantization q) {
  snprintf(out, size, "tensor<%sx!quant.uniform<i8:f32, %.9e:%d>>", shape, q.scale, q.zero_point);
}

static void test_all_pairs(void **state) {
  fixture *f = *state;
  int8_t values[VALUES];
  for (int i = 0; i < VALUES; i++) values[i] = (int8_t)(i - 128);
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    char a[128], b[128], y[128], text[2048];
    print_type(a, sizeof a, "256x1", rows[row].a);
    print_type(b, sizeof b, "1x256", rows[row].b);
    print_type(y, sizeof y, "256x256", rows[row].y);
    snprintf(text, sizeof text,
             "module attributes {quern.numerics = \"onnx\"} {\n"
             "  func.func @main(%%a: %s, %%b: %s) -> %s {\n"
             "    %%y = ml.real_div %%a, %%b : (%s, %s) -> %s\n"
             "    return %%y : %s\n"
             "  }\n"
             "}\n",
             a, b, y, a, b, y, y);
    load(f, text);
    add_data(f, a, values, sizeof values);
    add_data(f, b, values, sizeof values);
    if (run(f) != QN_OK) fail_msg("row %zu: %s", row, f->message);
    const int8_t *results = (const int8_t *)f->results[0].data;
    for (int i = 0; i < VALUES * VALUES; i++) {
      int of_a = values[i / VALUES], of_b = values[i % VALUES];
      if (results[i] != quotient(row, of_a, of_b))
        fail_msg("row %zu: %d / %d is %d instead of %d", row, of_a, of_b, results[i],
                 quotient(row, of_a, of_b));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(test_all_pairs)};
  return cmocka_run_group_tests_name("quotients", tests, NULL, NULL);
}
