/* Convolutions of floats with weights of 8 and 4 bits. Inputs are either used as floats, or
 * quantized by their own range at run time (profiles with hybrid kernels). In every engine the bits
 * are those of the model stage, for strides, dilations, borders, batches, and channels that do not
 * fill a vector.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "every_engine.h"
#include "text_writer.h"

typedef struct test_case {
  const char *profile; /* NULL: inputs stay floats */
  const char *op;
  int batch, height, width, channels, out_channels;
  int kernel[2], strides[2], dilations[2], pad[4], groups;
  const char *storage;
  bool per_channel, bias;
  const char *activation, *kernel_name; /* kernel_name: of the product; NULL: any */
} test_case;

static const test_case cases[] = {
    {NULL,
     "conv",
     1,
     9,
     11,
     5,
     33,
     {3, 3},
     {1, 1},
     {1, 1},
     {1, 1, 1, 1},
     1,
     "i8",
     true,
     true,
     "relu",
     "@narrow"},
    {NULL,
     "conv",
     2,
     7,
     8,
     16,
     70,
     {1, 1},
     {1, 1},
     {1, 1},
     {0, 0, 0, 0},
     1,
     "i8<-127:127>",
     true,
     false,
     "none",
     "@narrow"},
    {NULL,
     "conv",
     2,
     12,
     10,
     3,
     9,
     {3, 2},
     {2, 2},
     {2, 1},
     {0, 1, 2, 0},
     1,
     "i4",
     false,
     true,
     "relu6",
     "@narrow"},
    {NULL,
     "conv",
     1,
     8,
     9,
     8,
     16,
     {2, 3},
     {1, 1},
     {1, 2},
     {0, 0, 1, 1},
     1,
     "i8",
     true,
     false,
     "none",
     "@narrow"},
    {NULL,
     "conv",
     1,
     6,
     6,
     8,
     8,
     {3, 3},
     {1, 1},
     {1, 1},
     {1, 1, 1, 1},
     2,
     "i8",
     true,
     true,
     "none",
     NULL},
    {"litert-ref",
     "conv",
     1,
     9,
     11,
     5,
     33,
     {3, 3},
     {1, 1},
     {1, 1},
     {1, 1, 1, 1},
     1,
     "i8",
     true,
     true,
     "relu",
     "@hybrid"},
    {"litert-ref",
     "conv",
     3,
     7,
     8,
     16,
     70,
     {1, 1},
     {1, 1},
     {1, 1},
     {0, 0, 0, 0},
     1,
     "i8",
     true,
     false,
     "none",
     "@hybrid"},
    {"litert-opt",
     "conv",
     2,
     12,
     10,
     3,
     9,
     {3, 2},
     {2, 2},
     {2, 1},
     {0, 1, 2, 0},
     1,
     "i8",
     false,
     true,
     "relu6",
     "@hybrid"},
    {"litert-opt",
     "conv",
     2,
     8,
     9,
     8,
     17,
     {2, 3},
     {1, 1},
     {1, 2},
     {0, 0, 1, 1},
     1,
     "i8",
     true,
     true,
     "none",
     "@hybrid"},
    {"xnnpack",
     "conv",
     2,
     9,
     7,
     6,
     20,
     {3, 3},
     {2, 1},
     {1, 1},
     {1, 0, 1, 1},
     1,
     "i8",
     true,
     true,
     "relu",
     "@hybrid"},
    {"xnnpack",
     "conv",
     2,
     5,
     7,
     37,
     65,
     {1, 1},
     {1, 1},
     {1, 1},
     {0, 0, 0, 0},
     1,
     "i8",
     true,
     false,
     "none",
     "@hybrid"},
    {"litert-opt",
     "conv",
     2,
     12,
     13,
     24,
     40,
     {3, 3},
     {1, 1},
     {1, 1},
     {1, 1, 1, 1},
     1,
     "i8",
     true,
     true,
     "relu",
     "@hybrid"},
    {"litert-ref",
     "conv",
     2,
     7,
     7,
     32,
     64,
     {3, 3},
     {1, 1},
     {1, 1},
     {1, 1, 1, 1},
     1,
     "i8",
     true,
     true,
     "none",
     "@hybrid"},
    {"xnnpack",
     "conv",
     1,
     10,
     19,
     40,
     33,
     {3, 2},
     {2, 2},
     {1, 2},
     {1, 1, 1, 1},
     1,
     "i8",
     true,
     true,
     "relu6",
     "@hybrid"},
    {"litert-ref",
     "conv",
     2,
     15,
     16,
     48,
     20,
     {1, 1},
     {2, 2},
     {1, 1},
     {0, 0, 0, 0},
     1,
     "i8",
     true,
     true,
     "none",
     "@hybrid"},
    {"litert-ref",
     "depthwise_conv",
     2,
     7,
     9,
     10,
     10,
     {3, 3},
     {1, 1},
     {1, 1},
     {1, 1, 1, 1},
     1,
     "i8",
     true,
     true,
     "none",
     "@hybrid_depthwise"},
    {"litert-opt",
     "depthwise_conv",
     1,
     7,
     9,
     18,
     18,
     {3, 3},
     {2, 2},
     {1, 1},
     {0, 1, 0, 1},
     1,
     "i8",
     true,
     false,
     "relu",
     "@hybrid_depthwise"},
    {"litert-ref",
     "conv",
     1,
     6,
     6,
     8,
     8,
     {3, 3},
     {1, 1},
     {1, 1},
     {1, 1, 1, 1},
     2,
     "i8",
     true,
     true,
     "none",
     NULL},
};
enum { CASES = sizeof cases / sizeof cases[0], MOST = 1 << 15 };

static uint32_t mixed(int64_t i) {
  uint32_t x = (uint32_t)i * 2654435761u + 31;
  x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
  return x;
}

static bool is_depthwise(const test_case *c) { return strcmp(c->op, "depthwise_conv") == 0; }
static int bits(const test_case *c) { return c->storage[1] == '4' ? 4 : 8; }

static int places(const test_case *c, int d) {
  int size = d == 0 ? c->height : c->width;
  return (size + c->pad[2 * d] + c->pad[2 * d + 1] - (c->kernel[d] - 1) * c->dilations[d] - 1) /
             c->strides[d] +
         1;
}

static void put_model(writer *w, const test_case *c) {
  char x[64], y[64], weights[64];
  int first = is_depthwise(c) ? 1 : c->out_channels;
  int last = is_depthwise(c) ? c->out_channels : c->channels / c->groups;
  int count = first * c->kernel[0] * c->kernel[1] * last;
  snprintf(x, sizeof x, "tensor<%dx%dx%dx%dxf32>", c->batch, c->height, c->width, c->channels);
  snprintf(y, sizeof y, "tensor<%dx%dx%dx%dxf32>", c->batch, places(c, 0), places(c, 1),
           c->out_channels);
  snprintf(weights, sizeof weights, "%dx%dx%dx%d", first, c->kernel[0], c->kernel[1], last);
  w->used = 0;
  put(w, "!qw = !quant.uniform<%s:f32", c->storage);
  if (c->per_channel) {
    put(w, ":%d, {", is_depthwise(c) ? 3 : 0);
    for (int n = 0; n < c->out_channels; n++)
      put(w, n == 0 ? "%.9g" : ", %.9g", (double)(1 + mixed(n) % 999) / 1e4);
    put(w, "}>\n");
  } else {
    put(w, ", 0.0371>\n");
  }
  put(w, "module");
  if (c->profile) put(w, " attributes {quern.numerics = \"%s\"}", c->profile);
  put(w, " {\n  func.func @main(%%x: %s) -> %s {\n", x, y);
  put(w, "    %%w = \"ml.const\"() {value = dense<\"0x");
  for (int i = 0; i < count; i++) {
    int q = (int)(mixed(i + 5) % (1u << bits(c))) - (1 << (bits(c) - 1));
    if (strchr(c->storage, '<') && q == -128) q = 1;
    put(w, "%02X", (uint8_t)q);
  }
  put(w, "\"> : tensor<%sxi%d>} : () -> tensor<%sx!qw>\n", weights, bits(c), weights);
  if (c->bias) {
    put(w, "    %%b = \"ml.const\"() {value = dense<[");
    for (int n = 0; n < c->out_channels; n++)
      put(w, n == 0 ? "%.9e" : ", %.9e", (double)n / 7 - 2.01);
    put(w, "]> : tensor<%dxf32>} : () -> tensor<%dxf32>\n", c->out_channels, c->out_channels);
  }
  put(w, "    %%y = \"ml.%s\"(%%x, %%w%s) {strides = array<i64: %d, %d>, ", c->op,
      c->bias ? ", %b" : "", c->strides[0], c->strides[1]);
  put(w, "dilations = array<i64: %d, %d>, pad = array<i64: %d, %d, %d, %d>, ", c->dilations[0],
      c->dilations[1], c->pad[0], c->pad[1], c->pad[2], c->pad[3]);
  if (!is_depthwise(c)) put(w, "groups = %d : i64, ", c->groups);
  put(w, "activation = \"%s\"} : (%s, tensor<%sx!qw>", c->activation, x, weights);
  if (c->bias) put(w, ", tensor<%dxf32>", c->out_channels);
  put(w, ") -> %s\n    return %%y : %s\n  }\n}\n", y, y);
}

static float x[MOST], want[MOST];

/* What the elements of an image are. */
enum { ORDINARY, CONSTANT, ZERO, NOT_A_NUMBER, INFINITE, HUGE_ONES, DENORMAL, CONTENTS };

static float element(int content, int64_t i) {
  float ordinary = i < 9 ? 0.0F : (float)((int)(mixed(i) % 20001) - 10000) / 3777.0F;
  switch (content) {
  case CONSTANT:
    return 1.25F;
  case ZERO:
    return i % 2 ? 0.0F : -0.0F;
  case NOT_A_NUMBER:
    return i % 7 == 3 ? NAN : ordinary;
  case INFINITE:
    return i % 7 == 3 ? -INFINITY : ordinary;
  case HUGE_ONES:
    return ordinary * 1e38F;
  case DENORMAL:
    return ordinary * 1e-39F;
  default:
    return ordinary;
  }
}

static bool same(const float *a, const float *b, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i]))) return false;
  return true;
}

static void check_kernels(qn_model *model, const char *name) {
  char *text;
  size_t size;
  assert_int_equal(qn_emit_form(model, NULL, QN_FORM_LOOPS, &text, &size), QN_OK);
  assert_non_null(strstr(text, name));
  assert_null(strstr(text, "@generic"));
  assert_null(strstr(text, "@conv"));
  qn_free(text);
}

/* Checks a case; image i has `contents` + i. */
static void check(engines *e, const test_case *c, int number, int contents, writer *w) {
  int64_t count = (int64_t)c->batch * places(c, 0) * places(c, 1) * c->out_channels;
  int64_t each = (int64_t)c->height * c->width * c->channels;
  assert_true(count <= MOST && c->batch * each <= MOST);
  for (int64_t i = 0; i < c->batch * each; i++)
    x[i] = element((int)(contents + i / each) % CONTENTS, i);
  put_model(w, c);
  qn_model *model = load_text(e, w->text);
  guarded y = guarded_create((size_t)count * sizeof(float));
  for (size_t k = 0; k < e->count; k++) {
    qn_executable *executable = compile_for(e, model, k);
    const void *inputs[] = {x};
    void *outputs[] = {k == 0 ? (void *)want : y.data};
    if (qn_executable_invoke(executable, inputs, outputs) != QN_OK)
      fail_msg("%s of case %d, %s: %s", c->op, number, e->names[k], e->messages);
    if (k > 0 && !same(want, (const float *)y.data, count))
      fail_msg("%s of case %d, %s: other bits than at the model stage", c->op, number, e->names[k]);
    qn_executable_destroy(executable);
  }
  guarded_destroy(&y);
  if (c->kernel_name) check_kernels(model, c->kernel_name);
  qn_model_destroy(model);
}

static void bits_of_the_model_stage(void **unused) {
  engines e;
  writer w = {0};
  (void)unused;
  engines_open(&e);
  for (int i = 0; i < CASES; i++) check(&e, &cases[i], i, ORDINARY, &w);
  engines_close(&e);
  free(w.text);
}

static int drawn(uint32_t *state, int least, int most) {
  *state = mixed(*state);
  return least + (int)(*state % (uint32_t)(most - least + 1));
}

/* A depthwise convolution with a filter per channel; kernels of up to 11 taps in a row, and of more
 * than 9 in all, are loops. */
static test_case draw_depthwise(uint32_t *state) {
  static const char *const profiles[] = {"litert-ref", "litert-opt", "xnnpack"};
  static const char *const activations[] = {"none", "relu", "relu6"};
  test_case c = {.op = "depthwise_conv", .groups = 1, .storage = "i8"};
  c.profile = profiles[drawn(state, 0, 2)];
  c.activation = activations[drawn(state, 0, 2)];
  c.batch = drawn(state, 1, 4);
  c.channels = c.out_channels = drawn(state, 1, 37);
  c.per_channel = true; /* the kernels take no other */
  c.bias = drawn(state, 0, 1) == 1;
  for (int d = 0; d < 2; d++) {
    c.kernel[d] = drawn(state, 0, 5) == 0 ? drawn(state, 4, 11) : drawn(state, 1, 3);
    c.strides[d] = drawn(state, 1, 3);
    c.dilations[d] = c.kernel[d] > 3 ? 1 : drawn(state, 1, 3);
    for (int end = 0; end < 2; end++) c.pad[2 * d + end] = drawn(state, 0, 2);
  }
  int span[] = {(c.kernel[0] - 1) * c.dilations[0] + 1, (c.kernel[1] - 1) * c.dilations[1] + 1};
  c.height = span[0] + drawn(state, 0, 4);
  c.width = span[1] + drawn(state, 0, 19);
  c.kernel_name = "@hybrid_depthwise";
  return c;
}

static void depthwise_convolutions(void **unused) {
  enum { DRAWN = 60 };
  engines e;
  writer w = {0};
  uint32_t state = 9;
  (void)unused;
  engines_open(&e);
  for (int i = 0; i < DRAWN; i++) {
    const test_case c = draw_depthwise(&state);
    check(&e, &c, i, i % 3 == 0 ? ORDINARY : drawn(&state, 0, CONTENTS - 1), &w);
  }
  engines_close(&e);
  free(w.text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bits_of_the_model_stage),
                                     cmocka_unit_test(depthwise_convolutions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
