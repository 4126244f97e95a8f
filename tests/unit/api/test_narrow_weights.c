/* Products of floats with constant weights of 8 and 4 bits. Kernels read the weights as stored,
 * without memory for f32 weights. In every engine the bits are those of the definition, for shapes
 * that do not fill vectors, scales from denormal to huge, and with zero points.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "every_engine.h"
#include "text_writer.h"

typedef struct test_case {
  int64_t rows, depth, channels;
  const char *storage; /* storage of the quantized type */
  int least, most;     /* weights */
  int64_t block;       /* weights along k per scale; 0: one scale per channel; -1: one for all */
  bool zero_points, bias, cast; /* cast: by quant.dcast; else the op takes quantized weights */
  const char *activation;
} test_case;

static const test_case cases[] = {
    {1, 512, 512, "i8<-127:127>", -127, 127, 0, false, false, false, "none"},
    {1, 96, 130, "i4<-7:7>", -7, 7, 32, false, true, false, "relu"},
    {2, 37, 33, "i8", -128, 127, 0, false, true, true, "none"},
    {3, 19, 7, "u8", 0, 255, -1, true, false, true, "none"},
    {8, 64, 65, "i4", -8, 7, 32, false, false, false, "relu6"},
    {16, 45, 70, "i8", -128, 127, 15, true, true, false, "none"},
    {17, 40, 18, "u4", 0, 15, 20, true, false, true, "none"},
    {128, 33, 129, "i8", -128, 127, 0, true, true, false, "relu"},
    {11, 8, 16, "i8", -128, 127, 8, false, false, false, "none"},
    {1, 1, 1, "i8", -128, 127, 0, false, false, false, "none"},
    {1, 5, 300, "i8", -128, 127, -1, false, true, false, "none"},
    {1, 66, 64, "i8", 3, 9, 33, true, false, false, "none"}, /* values fit into 4 bits */
};
enum { CASES = sizeof cases / sizeof cases[0], MOST = 1 << 18 };

/* ---- numbers ---- */

static uint32_t mixed(int64_t i) {
  uint32_t x = (uint32_t)i * 2654435761u + 12345;
  x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
  return x;
}
static int weight(const test_case *c, int64_t i) {
  return c->least + (int)(mixed(i) % (uint32_t)(c->most - c->least + 1));
}
static int64_t grid_columns(const test_case *c) { return c->block > 0 ? c->depth / c->block : 1; }
static int64_t grid_index(const test_case *c, int64_t channel, int64_t k) {
  if (c->block < 0) return 0;
  return c->block == 0 ? channel : channel * grid_columns(c) + k / c->block;
}
/* Scales of all magnitudes, denormals included; rarely powers of two. */
static float scale(int64_t i) {
  static const float magnitudes[] = {0.01F, 1.0F, 3e-38F, 1e-40F, 1e30F, 0x1p-7F, 7.0F};
  return magnitudes[mixed(i) % 7] * (1.0F + (float)(mixed(i + 99) % 1000) / 1000.0F);
}
static int zero_point(const test_case *c, int64_t i) {
  int64_t span = c->most - c->least + 1;
  return c->zero_points ? c->least + (int)(mixed(i + 7) % (uint32_t)span) : 0;
}
static float input(int64_t i) {
  if (mixed(i) % 23 == 0) return -0.0F;
  return (float)((int)(mixed(i) % 20001) - 10000) / 3777.0F;
}
static float bias(int64_t channel) { return channel % 3 == 0 ? -0.0F : (float)channel / 7.0F; }

/* ---- the definition ---- */

static float activate(const test_case *c, float y) {
  if (strcmp(c->activation, "none") == 0) return y;
  if (y < 0) y = 0;
  return strcmp(c->activation, "relu6") == 0 && y > 6 ? 6 : y;
}

static float expected(const test_case *c, int64_t row, int64_t channel) {
  float sum = c->bias ? bias(channel) : 0;
  for (int64_t k = 0; k < c->depth; k++) {
    int64_t g = grid_index(c, channel, k);
    int steps = weight(c, channel * c->depth + k) - zero_point(c, g);
    volatile float w = (float)steps * scale(g);
    sum = fmaf(input(row * c->depth + k), w, sum);
  }
  return activate(c, sum);
}

/* ---- text ---- */

static void put_parameter(writer *w, const test_case *c, int64_t i) {
  put(w, "%.9g", (double)scale(i));
  if (c->zero_points) put(w, ":%d", zero_point(c, i));
}

static void put_type(writer *w, const test_case *c) {
  int64_t columns = grid_columns(c);
  put(w, "!qw = !quant.uniform<%s:f32", c->storage);
  if (c->block < 0) {
    put(w, ", ");
    put_parameter(w, c, 0);
  } else {
    put(w, c->block == 0 ? ":0, {" : ":{0:1, 1:%lld}, {", (long long)c->block);
    for (int64_t n = 0; n < c->channels; n++) {
      put(w, n == 0 ? "" : ", ");
      if (c->block > 0) put(w, "{");
      for (int64_t b = 0; b < columns; b++) {
        put(w, b == 0 ? "" : ", ");
        put_parameter(w, c, n * columns + b);
      }
      if (c->block > 0) put(w, "}");
    }
    put(w, "}");
  }
  put(w, ">\n");
}

static void put_weights(writer *w, const test_case *c) {
  char element[8];
  snprintf(element, sizeof element, "i%d", c->storage[1] == '4' ? 4 : 8);
  put(w, "  %%w = \"ml.const\"() {value = dense<[");
  for (int64_t n = 0; n < c->channels; n++) {
    put(w, n == 0 ? "[" : ", [");
    for (int64_t k = 0; k < c->depth; k++) {
      int q = weight(c, n * c->depth + k), bits = element[1] == '4' ? 4 : 8;
      if (q >= 1 << (bits - 1)) q -= 1 << bits; /* signless */
      put(w, k == 0 ? "%d" : ", %d", q);
    }
    put(w, "]");
  }
  put(w, "]> : tensor<%lldx%lldx%s>} : () -> tensor<%lldx%lldx!qw>\n", (long long)c->channels,
      (long long)c->depth, element, (long long)c->channels, (long long)c->depth);
}

static void put_model(writer *w, const test_case *c) {
  char x[64], y[64], weights[64];
  snprintf(x, sizeof x, "tensor<%lldx%lldxf32>", (long long)c->rows, (long long)c->depth);
  snprintf(y, sizeof y, "tensor<%lldx%lldxf32>", (long long)c->rows, (long long)c->channels);
  snprintf(weights, sizeof weights, "tensor<%lldx%lldx%s>", (long long)c->channels,
           (long long)c->depth, c->cast ? "f32" : "!qw");
  w->used = 0;
  put_type(w, c);
  put(w, "func.func @main(%%x: %s) -> %s {\n", x, y);
  put_weights(w, c);
  if (c->cast)
    put(w, "  %%v = quant.dcast %%w : tensor<%lldx%lldx!qw> to %s\n", (long long)c->channels,
        (long long)c->depth, weights);
  if (c->bias) {
    put(w, "  %%b = \"ml.const\"() {value = dense<[");
    for (int64_t n = 0; n < c->channels; n++) put(w, n == 0 ? "%.9e" : ", %.9e", (double)bias(n));
    put(w, "]> : tensor<%lldxf32>} : () -> tensor<%lldxf32>\n", (long long)c->channels,
        (long long)c->channels);
  }
  put(w, "  %%y = \"ml.linear\"(%%x, %%%s%s) {activation = \"%s\"} : (%s, %s", c->cast ? "v" : "w",
      c->bias ? ", %b" : "", c->activation, x, weights);
  if (c->bias) put(w, ", tensor<%lldxf32>", (long long)c->channels);
  put(w, ") -> %s\n  return %%y : %s\n}\n", y, y);
}

/* ---- the tests ---- */

static float x[MOST], want[MOST];

static void check(engines *e, const test_case *c, writer *w) {
  int64_t count = c->rows * c->channels;
  assert_true(count <= MOST && c->rows * c->depth <= MOST);
  for (int64_t i = 0; i < c->rows * c->depth; i++) x[i] = input(i);
  for (int64_t i = 0; i < count; i++) want[i] = expected(c, i / c->channels, i % c->channels);
  put_model(w, c);
  qn_model *model = load_text(e, w->text);
  guarded y = guarded_create((size_t)count * sizeof(float));
  for (size_t k = 0; k < e->count; k++) {
    qn_executable *executable = compile_for(e, model, k);
    const void *inputs[] = {x};
    void *outputs[] = {y.data};
    assert_int_equal(qn_executable_invoke(executable, inputs, outputs), QN_OK);
    if (memcmp(want, y.data, (size_t)count * sizeof(float)) != 0)
      fail_msg("%lldx%lld by %s, %lld channels, %s: other bits than the definition",
               (long long)c->rows, (long long)c->depth, c->storage, (long long)c->channels,
               e->names[k]);
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

/* There is no kernel but the product, which reads the stored weights, and no temporary memory. */
static void weights_stay_narrow(void **unused) {
  engines e;
  writer w = {0};
  (void)unused;
  engines_open(&e);
  for (size_t i = 0; i < CASES; i++) {
    char *text;
    size_t size;
    put_model(&w, &cases[i]);
    qn_model *model = load_text(&e, w.text);
    assert_int_equal(qn_emit_form(model, NULL, QN_FORM_LOOPS, &text, &size), QN_OK);
    assert_null(strstr(text, "@generic"));
    assert_null(strstr(text, "@dequantize"));
    assert_null(strstr(text, "@pack"));
    assert_non_null(strstr(text, "quern.arena_bytes = 0"));
    qn_free(text);
    qn_model_destroy(model);
  }
  engines_close(&e);
  free(w.text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bits_of_the_definition),
      cmocka_unit_test(weights_stay_narrow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
