/* Hybrid products: float inputs, weights of 8 bits. The bits must be those of kernels that quantize
 * the rows of the input at run time. The model stage multiplies quantized rows as floats; all other
 * engines multiply bytes. Rows have ties, zeros, denormals, infinities, NaN, and numbers that
 * overflow when they are scaled.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "every_engine.h"
#include "text_writer.h"

typedef struct test_case {
  const char *profile;
  int rows, depth, channels;
  bool asymmetric, per_channel, bias, computed_bias;
  const char *activation;
} test_case;

static const test_case cases[] = {
    {"litert-ref", 1, 512, 512, false, false, false, false, "none"},
    {"litert-ref", 16, 37, 33, false, true, true, false, "relu"},
    {"litert-ref", 33, 9, 130, true, true, true, false, "relu6"},
    {"litert-opt", 8, 95, 17, true, false, false, false, "none"},
    {"litert-opt", 2, 7, 5, true, true, true, false, "relu_n1_to_1"},
    {"litert-ref", 128, 20, 70, false, true, true, true, "none"},
    {"litert-ref", 33, 1, 1, false, false, false, false, "none"},
    {"xnnpack", 1, 300, 65, false, true, true, false, "none"},
    {"xnnpack", 33, 37, 16, true, true, true, true, "relu"},
    {"xnnpack", 128, 66, 129, false, false, false, false, "relu6"},
    {"litert-ref", 12, 259, 200, true, true, false, false, "none"},
};
enum { CASES = sizeof cases / sizeof cases[0], MOST = 1 << 16 };

static uint32_t mixed(int64_t i) {
  uint32_t x = (uint32_t)i * 2654435761u + 977;
  x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
  return x;
}

/* Rows of sixteen kinds in turn. */
static float input(const test_case *c, int64_t i) {
  int64_t row = i / c->depth, k = i % c->depth;
  float any = (float)((int)(mixed(i) % 20001) - 10000) / 3777.0F;
  switch ((row + c->depth) % 16) {
  case 0:
    return any;
  case 1:
    return row % 2 ? 0.0F : -0.0F;
  case 2:
    return k == 0 ? 127.0F : (float)((int)(mixed(i) % 255) - 127) + 0.5F; /* ties */
  case 3:
    return k == 0 ? 255.0F : (float)(mixed(i) % 511) / 2.0F;
  case 4:
    return any * 1e-38F;
  case 5:
    return any * 1e-44F;
  case 6:
    return any * 1e37F;
  case 7:
    return k == 1 ? INFINITY : any;
  case 8:
    return 3.25F;
  case 9:
    return -fabsf(any);
  case 11: /* ranges around the largest factor of rows whose elements take the short way */
    return any * (row % 4 < 2 ? 0x1p-93F : 0x1p-94F);
  case 12:
    return k == 1 ? (row % 2 ? NAN : -NAN) : any;
  case 13:
    return k == c->depth - 1 ? NAN : -fabsf(any);
  case 14:
    return k == 1 ? -INFINITY : k == 2 ? -0.0F : any * 0x1p-140F;
  case 10:
    return k % 3 == 0 ? 0.5F - 0x1p-25F : k == 1 ? 127.0F : -0.5F;
  default:
    return any * (k % 2 ? 1e-30F : 1.0F);
  }
}

static void put_weights(writer *w, const test_case *c) {
  put(w, "    %%w = \"ml.const\"() {value = dense<[");
  for (int n = 0; n < c->channels; n++) {
    put(w, n == 0 ? "[" : ", [");
    for (int k = 0; k < c->depth; k++)
      put(w, k == 0 ? "%d" : ", %d", (int)(mixed(n * c->depth + k) % 256) - 128);
    put(w, "]");
  }
  put(w, "]> : tensor<%dx%dxi8>} : () -> tensor<%dx%dx!qw>\n", c->channels, c->depth, c->channels,
      c->depth);
}

/* Two products of the same rows. */
static void put_model(writer *w, const test_case *c) {
  char x[64], y[64];
  snprintf(x, sizeof x, "tensor<%dx%dxf32>", c->rows, c->depth);
  snprintf(y, sizeof y, "tensor<%dx%dxf32>", c->rows, c->channels);
  w->used = 0;
  put(w, "!qw = !quant.uniform<i8:f32");
  if (c->per_channel) {
    put(w, ":0, {");
    for (int n = 0; n < c->channels; n++)
      put(w, n == 0 ? "%.9g" : ", %.9g", (double)(1 + mixed(n) % 999) / (n % 5 == 4 ? 1e5 : 1e4));
    put(w, "}>\n");
  } else {
    put(w, ", 0.0371>\n");
  }
  put(w, "module attributes {quern.numerics = \"%s\"} {\n  func.func @main(%%x: %s", c->profile, x);
  if (c->computed_bias) put(w, ", %%b: tensor<%dxf32>", c->channels);
  put(w, ") -> (%s, %s) {\n", y, y);
  put_weights(w, c);
  if (c->bias && !c->computed_bias) {
    put(w, "    %%b = \"ml.const\"() {value = dense<[");
    for (int n = 0; n < c->channels; n++)
      put(w, n == 0 ? "%.9e" : ", %.9e", (double)n / 7 - (n % 4 == 0 ? 1e-39 : 2));
    put(w, "]> : tensor<%dxf32>} : () -> tensor<%dxf32>\n", c->channels, c->channels);
  }
  for (int i = 0; i < 2; i++) {
    put(w,
        "    %%%d = \"ml.linear\"(%%x, %%w%s) {asymmetric_inputs = %s, activation = \"%s\"} : (%s",
        i, c->bias && i == 0 ? ", %b" : "", c->asymmetric ? "true" : "false",
        i == 0 ? c->activation : "relu", x);
    put(w, ", tensor<%dx%dx!qw>", c->channels, c->depth);
    if (c->bias && i == 0) put(w, ", tensor<%dxf32>", c->channels);
    put(w, ") -> %s\n", y);
  }
  put(w, "    return %%0, %%1 : %s, %s\n  }\n}\n", y, y);
}

/* Returns the first element whose bits differ, or -1. Two NaN count as equal. */
static int64_t difference(const float *want, const float *got, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (memcmp(&want[i], &got[i], sizeof want[i]) != 0 && !(isnan(want[i]) && isnan(got[i])))
      return i;
  return -1;
}

static float x[MOST], bias[MOST], want[2][MOST];

static void check(engines *e, const test_case *c, writer *w) {
  int64_t count = (int64_t)c->rows * c->channels;
  assert_true(count <= MOST && c->rows * c->depth <= MOST);
  for (int64_t i = 0; i < c->rows * c->depth; i++) x[i] = input(c, i);
  for (int n = 0; n < c->channels; n++) bias[n] = n % 3 == 0 ? -0.0F : (float)n / 3.0F;
  put_model(w, c);
  qn_model *model = load_text(e, w->text);
  guarded y[2];
  for (int o = 0; o < 2; o++) y[o] = guarded_create((size_t)count * sizeof(float));
  for (size_t k = 0; k < e->count; k++) {
    qn_executable *executable = compile_for(e, model, k);
    const void *inputs[] = {x, bias};
    void *outputs[] = {k == 0 ? (void *)want[0] : y[0].data, k == 0 ? (void *)want[1] : y[1].data};
    assert_int_equal(qn_executable_invoke(executable, inputs, outputs), QN_OK);
    for (int o = 0; o < 2 && k > 0; o++) {
      const float *got = (const float *)(const void *)y[o].data;
      int64_t at = difference(want[o], got, count);
      if (at >= 0)
        fail_msg("%s, %dx%d by %d, %s: result %lld is %a, but %a by its form", c->profile, c->rows,
                 c->depth, c->channels, e->names[k], (long long)at, (double)got[at],
                 (double)want[o][at]);
    }
    qn_executable_destroy(executable);
  }
  for (int o = 0; o < 2; o++) guarded_destroy(&y[o]);
  qn_model_destroy(model);
}

static void bits_of_the_form(void **unused) {
  engines e;
  writer w = {0};
  (void)unused;
  engines_open(&e);
  for (size_t i = 0; i < CASES; i++) check(&e, &cases[i], &w);
  engines_close(&e);
  free(w.text);
}

/* Any number of rows, where the matrix unit multiplies tiles of them: the last tile overlaps the
 * one before it. K and N are not always multiples of a tile. */
static void bits_of_any_number_of_rows(void **unused) {
  static const struct {
    const char *profile;
    int depth, channels;
    bool asymmetric, computed_bias;
  } shapes[] = {{"litert-ref", 64, 64, true, false},
                {"xnnpack", 65, 17, false, true},
                {"litert-opt", 130, 48, true, false},
                {"xnnpack", 24, 33, false, false},
                {"litert-ref", 259, 16, false, true}};
  enum { SHAPES = sizeof shapes / sizeof shapes[0], FEW = 40, MANY = 127, LAST = 130 };
  engines e;
  writer w = {0};
  (void)unused;
  engines_open(&e);
  for (int rows = 1; rows <= LAST; rows = rows == FEW ? MANY : rows + 1) {
    int i = rows % SHAPES;
    const test_case c = {shapes[i].profile,
                         rows,
                         shapes[i].depth,
                         shapes[i].channels,
                         shapes[i].asymmetric,
                         true,
                         shapes[i].computed_bias,
                         shapes[i].computed_bias,
                         "none"};
    check(&e, &c, &w);
  }
  engines_close(&e);
  free(w.text);
}

static int count_of(const char *text, const char *word) {
  int count = 0;
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) count++;
  return count;
}

/* Rows are quantized once for both products, and weights stay bytes. */
static void rows_are_shared(void **unused) {
  engines e;
  writer w = {0};
  (void)unused;
  engines_open(&e);
  for (size_t i = 0; i < CASES; i++) {
    if (cases[i].computed_bias && strcmp(cases[i].profile, "xnnpack") != 0)
      continue; /* the sign of -0 would differ there */
    char *text;
    size_t size;
    put_model(&w, &cases[i]);
    qn_model *model = load_text(&e, w.text);
    assert_int_equal(qn_emit_form(model, NULL, QN_FORM_LOOPS, &text, &size), QN_OK);
    assert_int_equal(count_of(text, "kernel = @quantize_rows"), 1);
    assert_int_equal(count_of(text, "kernel = @hybrid"), 2);
    assert_int_equal(count_of(text, "quern.launch"), 3);
    qn_free(text);
    qn_model_destroy(model);
  }
  engines_close(&e);
  free(w.text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bits_of_the_form),
      cmocka_unit_test(bits_of_any_number_of_rows),
      cmocka_unit_test(rows_are_shared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
