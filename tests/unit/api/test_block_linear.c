/* Products of rows quantized to 8 bits with weights in blocks along K, each of which has a scale.
 * Every engine gives the bits of the definition (docs/arithmetic.md 15), with 1 and 3 threads: for
 * shapes that do not fill vectors, and for scales that a kernel stores in 16 bits, and others.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "every_engine.h"
#include "text_writer.h"

/* The scales of a case. Those named `halves` are values of f16. */
typedef enum scales {
  ANY,    /* f32 of all magnitudes */
  HALVES, /* normal f16 of both signs, and zeros of both signs */
  TINY,   /* as HALVES, and subnormal f16 */
  INFINITE /* as HALVES, and infinities */,
  NANS,  /* as HALVES, and a NaN */
  ALMOST /* as HALVES, and in the last block of the last channel the float after an f16 */
} scales;

typedef struct test_case {
  int64_t rows, depth, channels, block;
  int most; /* weight */
  bool zero_points, bias;
  scales scales;
  const char *activation;
} test_case;

static const test_case cases[] = {
    {1, 128, 130, 32, 15, false, false, HALVES, "none"},
    {1, 128, 130, 32, 15, false, true, ANY, "none"},
    {1, 96, 64, 32, 15, true, true, HALVES, "relu"},
    {1, 75, 17, 24, 15, true, false, TINY, "none"},
    {1, 64, 48, 64, 15, false, false, TINY, "none"},
    {1, 40, 33, 16, 255, false, true, HALVES, "none"},
    {1, 300, 16, 128, 15, false, false, HALVES, "none"},
    {1, 20, 1, 16, 15, false, false, HALVES, "none"},
    {1, 64, 70, 32, 15, false, false, NANS, "none"},
    {1, 64, 70, 32, 15, false, false, INFINITE, "none"},
    {1, 64, 70, 32, 15, false, false, ALMOST, "none"},
    {2, 64, 66, 32, 15, false, false, HALVES, "none"},
    {3, 80, 20, 32, 15, true, true, TINY, "relu6"},
    {4, 64, 35, 16, 255, true, false, HALVES, "none"},
    {7, 33, 31, 16, 15, false, true, INFINITE, "none"},
    {8, 128, 80, 32, 15, false, false, HALVES, "none"},
    {17, 64, 40, 32, 15, true, false, HALVES, "none"},
    {33, 160, 96, 32, 15, false, true, ANY, "none"},
};
enum { CASES = sizeof cases / sizeof cases[0], MOST = 1 << 15, MANTISSA = 13 };

/* ---- numbers ---- */

static uint32_t mixed(int64_t i) {
  uint32_t x = (uint32_t)i * 2654435761u + 12345;
  x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
  return x;
}
static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static int64_t blocks(const test_case *c) { return (c->depth + c->block - 1) / c->block; }
static int weight(const test_case *c, int64_t i) {
  return (int)(mixed(i) % (uint32_t)(c->most + 1));
}
static int zero_point(const test_case *c, int64_t i) {
  return c->zero_points ? (int)(mixed(i + 7) % (uint32_t)(c->most + 1)) : (c->most + 1) / 2;
}

/* A normal f16 near 2^-7, or a zero. */
static float half_of(int64_t i) {
  uint32_t r = mixed(i), exponent = 127 - 7 + r % 3, fraction = mixed(i + 3) % 1024;
  if (r % 29 == 0) return r & 64 ? -0.0F : 0.0F;
  return float_of((r & 64) << 25 | exponent << 23 | fraction << MANTISSA);
}
static float scale(const test_case *c, int64_t i) {
  static const float magnitudes[] = {0.01F, 1.0F, 3e-38F, 1e-40F, 1e30F, 0x1p-7F, 7.0F};
  const bool special = mixed(i + 5) % 11 == 0, last = i == c->channels * blocks(c) - 1;
  switch (c->scales) {
  case ANY:
    return magnitudes[mixed(i) % 7] * (1.0F + (float)(mixed(i + 99) % 1000) / 1000.0F);
  case TINY:
    return special ? (float)(mixed(i) % 1024) * (i % 2 ? -0x1p-24F : 0x1p-24F) : half_of(i);
  case INFINITE:
    return special ? i % 2 ? -INFINITY : INFINITY : last ? 65504.0F : half_of(i);
  case NANS:
    return i == 3 ? NAN : half_of(i);
  case ALMOST:
    return last ? nextafterf(0x1p-7F, 1) : half_of(i);
  case HALVES:
    break;
  }
  return half_of(i);
}
static float input(int64_t i) { return (float)((int)(mixed(i) % 20001) - 10000) / 3777.0F; }
static float bias(int64_t channel) { return channel % 3 == 0 ? -0.0F : (float)channel / 7.0F; }

/* ---- the definition ---- */

static float x[MOST], want[MOST];
static int8_t quantized[MOST];

/* Returns the row's scale. */
static float quantize(const test_case *c, int64_t row) {
  const float *from = x + row * c->depth;
  float largest = 0;
  for (int64_t k = 0; k < c->depth; k++) largest = fmaxf(largest, fabsf(from[k]));
  const float factor = 127 / largest;
  for (int64_t k = 0; k < c->depth; k++) {
    volatile float product = from[k] * factor;
    quantized[row * c->depth + k] = (int8_t)rintf(product);
  }
  return largest / 127;
}

static float activate(const test_case *c, float y) {
  if (strcmp(c->activation, "none") == 0) return y;
  if (y < 0) y = 0;
  return strcmp(c->activation, "relu6") == 0 && y > 6 ? 6 : y;
}

static float expected(const test_case *c, int64_t row, int64_t channel, float row_scale) {
  float y = 0;
  for (int64_t b = 0; b < blocks(c); b++) {
    const int64_t grid = channel * blocks(c) + b;
    int32_t sum = 0;
    for (int64_t k = b * c->block; k < c->depth && k < (b + 1) * c->block; k++)
      sum +=
          quantized[row * c->depth + k] * (weight(c, channel * c->depth + k) - zero_point(c, grid));
    y = fmaf((float)sum, scale(c, grid), y);
  }
  if (c->bias) return activate(c, fmaf(y, row_scale, bias(channel)));
  return activate(c, y * row_scale);
}

/* ---- text ---- */

/* The text of element i of a constant. */
typedef void element_fn(writer *w, const test_case *c, int64_t i);
static void put_weight(writer *w, const test_case *c, int64_t i) { put(w, "%d", weight(c, i)); }
static void put_zero_point(writer *w, const test_case *c, int64_t i) {
  put(w, "%d", zero_point(c, i));
}
static void put_scale(writer *w, const test_case *c, int64_t i) {
  const float value = scale(c, i);
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put(w, "0x%08X", bits); /* also of infinities and NaNs */
}

/* A constant [channels, columns]. */
static void put_constant(writer *w, const test_case *c, const char *name, int64_t columns,
                         const char *type, element_fn *put_element) {
  put(w, "  %%%s = \"ml.const\"() {value = dense<[", name);
  for (int64_t n = 0; n < c->channels; n++) {
    put(w, n == 0 ? "[" : ", [");
    for (int64_t k = 0; k < columns; k++) {
      if (k > 0) put(w, ", ");
      put_element(w, c, n * columns + k);
    }
    put(w, "]");
  }
  put(w, "]> : tensor<%lldx%lldx%s>} : () -> tensor<%lldx%lldx%s>\n", (long long)c->channels,
      (long long)columns, type, (long long)c->channels, (long long)columns, type);
}

static void put_model(writer *w, const test_case *c) {
  const long long rows = c->rows, depth = c->depth, channels = c->channels, count = blocks(c);
  w->used = 0;
  put(w, "func.func @main(%%x: tensor<%lldx%lldxf32>) -> tensor<%lldx%lldxf32> {\n", rows, depth,
      rows, channels);
  put_constant(w, c, "w", depth, "ui8", put_weight);
  put_constant(w, c, "s", count, "f32", put_scale);
  put_constant(w, c, "z", count, "ui8", put_zero_point);
  if (c->bias) {
    put(w, "  %%b = \"ml.const\"() {value = dense<[");
    for (int64_t n = 0; n < channels; n++) put(w, n == 0 ? "%.9e" : ", %.9e", (double)bias(n));
    put(w, "]> : tensor<%lldxf32>} : () -> tensor<%lldxf32>\n", channels, channels);
  }
  put(w,
      "  %%q:3 = \"ml.quantize_rows\"(%%x) {block = %lld : i64, rows = 1 : i64, scheme = "
      "\"row8\"} : (tensor<%lldx%lldxf32>) -> (tensor<%lldx%lldxi8>, tensor<%lldxf32>, "
      "tensor<%lldx%lldxi32>)\n",
      (long long)c->block, rows, depth, rows, depth, rows, rows, count);
  put(w,
      "  %%y = \"ml.block_linear\"(%%q#0, %%q#1, %%q#2, %%w, %%s, %%z%s) {activation = \"%s\", "
      "block = %lld : i64} : (tensor<%lldx%lldxi8>, tensor<%lldxf32>, tensor<%lldx%lldxi32>, "
      "tensor<%lldx%lldxui8>, tensor<%lldx%lldxf32>, tensor<%lldx%lldxui8>",
      c->bias ? ", %b" : "", c->activation, (long long)c->block, rows, depth, rows, rows, count,
      channels, depth, channels, count, channels, count);
  if (c->bias) put(w, ", tensor<%lldxf32>", channels);
  put(w, ") -> tensor<%lldx%lldxf32>\n  return %%y : tensor<%lldx%lldxf32>\n}\n", rows, channels,
      rows, channels);
}

/* ---- the test ---- */

static void compare(const test_case *c, const float *got, const char *engine, uint32_t threads) {
  for (int64_t i = 0; i < c->rows * c->channels; i++)
    if (memcmp(want + i, got + i, sizeof *got) != 0)
      fail_msg("case %zu, %s, %u threads: result %lld is %a, not %a", (size_t)(c - cases), engine,
               threads, (long long)i, (double)got[i], (double)want[i]);
}

static void check(engines *e, const test_case *c, writer *w) {
  static const uint32_t threads[] = {1, 3};
  int64_t count = c->rows * c->channels;
  assert_true(count <= MOST && c->rows * c->depth <= MOST);
  for (int64_t i = 0; i < c->rows * c->depth; i++) x[i] = input(i);
  for (int64_t row = 0; row < c->rows; row++) {
    const float row_scale = quantize(c, row);
    for (int64_t n = 0; n < c->channels; n++)
      want[row * c->channels + n] = expected(c, row, n, row_scale);
  }
  put_model(w, c);
  qn_model *model = load_text(e, w->text);
  guarded y = guarded_create((size_t)count * sizeof(float));
  for (size_t k = 0; k < e->count; k++) {
    qn_executable *executable = compile_for(e, model, k);
    const void *inputs[] = {x};
    void *outputs[] = {y.data};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
      memset(y.data, 1, (size_t)count * sizeof(float));
      assert_int_equal(qn_executable_set_threads(executable, threads[t]), QN_OK);
      assert_int_equal(qn_executable_invoke(executable, inputs, outputs), QN_OK);
      compare(c, (const float *)(const void *)y.data, e->names[k], threads[t]);
    }
    qn_executable_destroy(executable);
  }
  guarded_destroy(&y);
  qn_model_destroy(model);
}

static void bits_of_the_definition(void **unused) {
  engines e;
  writer w = {0};
  (void)unused;
  engines_open(&e);
  for (size_t i = 0; i < CASES; i++) check(&e, &cases[i], &w);
  engines_close(&e);
  free(w.text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bits_of_the_definition)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
