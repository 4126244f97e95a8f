/* Quotients of quantized bytes under the profile `onnx` in every engine: all pairs of stored
 * values, compared with quotients of integers. Round scales give ties, which an estimate in double
 * does not decide.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "every_engine.h"

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

static void write_model(char *text, size_t size, size_t row) {
  char a[128], b[128], y[128];
  print_type(a, sizeof a, "256x1", rows[row].a);
  print_type(b, sizeof b, "1x256", rows[row].b);
  print_type(y, sizeof y, "256x256", rows[row].y);
  int used = snprintf(text, size,
                      "module attributes {quern.numerics = \"onnx\"} {\n"
                      "  func.func @main(%%a: %s, %%b: %s) -> %s {\n"
                      "    %%y = ml.real_div %%a, %%b : (%s, %s) -> %s\n"
                      "    return %%y : %s\n"
                      "  }\n"
                      "}\n",
                      a, b, y, a, b, y, y);
  assert_true(used > 0 && (size_t)used < size);
}

static void every_engine_divides_all_pairs(void **state) {
  (void)state;
  engines e;
  engines_open(&e);
  int8_t values[VALUES];
  for (int i = 0; i < VALUES; i++) values[i] = (int8_t)(i + LOWEST);
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    char text[2048];
    write_model(text, sizeof text, row);
    qn_model *model = load_text(&e, text);
    for (size_t engine = 0; engine < e.count; engine++) {
      qn_executable *executable = compile_for(&e, model, engine);
      guarded results = guarded_create(VALUES * VALUES);
      const void *const inputs[] = {values, values};
      void *const outputs[] = {results.data};
      assert_int_equal(qn_executable_invoke(executable, inputs, outputs), QN_OK);
      for (int i = 0; i < VALUES * VALUES; i++) {
        int a = values[i / VALUES], b = values[i % VALUES], got = (int8_t)results.data[i];
        if (got != quotient(row, a, b))
          fail_msg("row %zu at %s: %d / %d is %d instead of %d", row, e.names[engine], a, b, got,
                   quotient(row, a, b));
      }
      guarded_destroy(&results);
      qn_executable_destroy(executable);
    }
    qn_model_destroy(model);
  }
  engines_close(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_engine_divides_all_pairs)};
  return cmocka_run_group_tests_name("quotients", tests, NULL, NULL);
}
