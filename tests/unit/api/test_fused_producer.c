/* A depthwise convolution computed in the kernel of the 1x1 convolution that reads its result. The
 * bits are the same in every engine and with any number of threads, for every remainder of pixels,
 * rows and channels. If the tensor between the two is needed elsewhere, there are two kernels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "every_engine.h"
#include "text_writer.h"

typedef struct test_case {
  int64_t batch, height, width, channels, out_channels; /* of x; of the last result */
  int64_t kernel[2], stride, dilation, pad, border;     /* border: around the result */
  const char *element, *activation;
  bool variable; /* weights and biases are arguments */
} test_case;

/* The tensor between the convolutions is larger than the L2 cache, also for one element of a batch.
 */
static const test_case cases[] = {
    {1, 34, 50, 48, 33, {3, 3}, 1, 1, 1, 1, "f32", "relu6", false},
    {1, 59, 14, 97, 70, {3, 3}, 1, 1, 1, 0, "f32", "relu", false},
    {1, 61, 65, 32, 17, {5, 2}, 2, 1, 0, 2, "f32", "none", false},
    {3, 37, 41, 64, 5, {3, 3}, 1, 2, 2, 1, "f32", "relu6", false},
    {2, 45, 47, 40, 40, {1, 3}, 1, 1, 0, 0, "f32", "relu", true},
    {1, 21, 27, 72, 31, {3, 3}, 1, 1, 1, 1, "f64", "relu6", false},
    {1, 5, 160, 96, 12, {3, 3}, 1, 1, 1, 0, "f32", "relu", false},
};

static double number(int64_t i) { return (double)(i * 37 % 101 - 50) / (double)(i % 7 + 3); }

/* Writes %NAME, with varied elements: as an argument or a constant. */
static void put_weights(writer *w, const test_case *c, const char *name, const char *shape,
                        int64_t count) {
  if (c->variable) return;
  put(w, "  %%%s = \"ml.const\"() {value = dense<\"0x", name);
  for (int64_t i = 0; i < count; i++) {
    uint8_t bytes[sizeof(double)];
    double wide = number(i);
    float narrow = (float)wide;
    bool is_wide = strcmp(c->element, "f64") == 0;
    size_t size = is_wide ? sizeof wide : sizeof narrow;
    memcpy(bytes, is_wide ? (const void *)&wide : &narrow, size);
    for (size_t k = 0; k < size; k++) put(w, "%02X", bytes[k]);
  }
  put(w, "\"> : tensor<%s>} : () -> tensor<%s>\n", shape, shape);
}

typedef struct shapes {
  char x[64], dw[64], bias[64], between[64], w[64], y[64], padded[64];
  int64_t dw_count, w_count;
} shapes;

static int64_t extent(const test_case *c, int64_t size, int64_t kernel) {
  return (size + 2 * c->pad - (kernel - 1) * c->dilation - 1) / c->stride + 1;
}

static shapes shapes_of(const test_case *c, const char *element) {
  shapes s = {.dw_count = c->kernel[0] * c->kernel[1] * c->channels,
              .w_count = c->channels * c->out_channels};
  int64_t rows = extent(c, c->height, c->kernel[0]), columns = extent(c, c->width, c->kernel[1]);
  int b = (int)c->batch;
#define SHAPE(at, ...) snprintf(at, sizeof at, __VA_ARGS__)
  SHAPE(s.x, "%dx%dx%dx%dx%s", b, (int)c->height, (int)c->width, (int)c->channels, element);
  SHAPE(s.dw, "1x%dx%dx%dx%s", (int)c->kernel[0], (int)c->kernel[1], (int)c->channels, element);
  SHAPE(s.bias, "%dx%s", (int)c->channels, element);
  SHAPE(s.between, "%dx%dx%dx%dx%s", b, (int)rows, (int)columns, (int)c->channels, element);
  SHAPE(s.w, "%dx1x1x%dx%s", (int)c->out_channels, (int)c->channels, element);
  SHAPE(s.y, "%dx%dx%dx%dx%s", b, (int)rows, (int)columns, (int)c->out_channels, element);
  SHAPE(s.padded, "%dx%dx%dx%dx%s", b, (int)(rows + 2 * c->border), (int)(columns + 2 * c->border),
        (int)c->out_channels, element);
#undef SHAPE
  return s;
}

/* `shared`: the tensor between the convolutions is a result, too. Results are f32. */
static void write_case(const test_case *c, bool shared, writer *w) {
  shapes outside = shapes_of(c, "f32"), s = shapes_of(c, c->element);
  bool is_wide = strcmp(c->element, "f64") == 0;
  w->used = 0;
  put(w, "func.func @main(%%x: tensor<%s>", outside.x);
  if (c->variable) put(w, ", %%d: tensor<%s>, %%b: tensor<%s>, %%w: tensor<%s>", s.dw, s.bias, s.w);
  put(w, ") -> (tensor<%s>", outside.padded);
  if (shared) put(w, ", tensor<%s>", outside.between);
  put(w, ") {\n");
  put_weights(w, c, "d", s.dw, s.dw_count);
  put_weights(w, c, "b", s.bias, c->channels);
  put_weights(w, c, "w", s.w, s.w_count);
  const char *x = "x", *y = "y", *m = "m";
  if (is_wide) {
    put(w, "  %%xe = arith.extf %%x : tensor<%s> to tensor<%s>\n", outside.x, s.x);
    x = "xe";
  }
  put(w,
      "  %%m = \"ml.depthwise_conv\"(%%%s, %%d, %%b) {strides = array<i64: %d, %d>, pad = "
      "array<i64: "
      "%d, %d, %d, %d>, dilations = array<i64: %d, %d>, activation = \"%s\"} : (tensor<%s>, "
      "tensor<%s>, tensor<%s>) -> tensor<%s>\n",
      x, (int)c->stride, (int)c->stride, (int)c->pad, (int)c->pad, (int)c->pad, (int)c->pad,
      (int)c->dilation, (int)c->dilation, c->activation, s.x, s.dw, s.bias, s.between);
  put(w,
      "  %%y = \"ml.conv\"(%%m, %%w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, "
      "dilations = array<i64: 1, 1>, groups = 1 : i64, activation = \"%s\"} : (tensor<%s>, "
      "tensor<%s>) -> tensor<%s>\n",
      c->activation, s.between, s.w, s.y);
  if (is_wide) {
    put(w, "  %%yt = arith.truncf %%y : tensor<%s> to tensor<%s>\n", s.y, outside.y);
    put(w, "  %%mt = arith.truncf %%m : tensor<%s> to tensor<%s>\n", s.between, outside.between);
    y = "yt", m = "mt";
  }
  put(w,
      "  %%p = \"ml.pad\"(%%%s) {pad = array<i64: 0, 0, %d, %d, %d, %d, 0, 0>, value = 7 : i64} : "
      "(tensor<%s>) -> tensor<%s>\n",
      y, (int)c->border, (int)c->border, (int)c->border, (int)c->border, outside.y, outside.padded);
  put(w, "  return %%p%s%s : tensor<%s>", shared ? ", %" : "", shared ? m : "", outside.padded);
  if (shared) put(w, ", tensor<%s>", outside.between);
  put(w, "\n}\n");
}

/* ---- engines ---- */

enum { MOST = 200000, INPUTS = 4 };
static float in[INPUTS][MOST], first[MOST], got[MOST], between[MOST];

/* Adds an interpreter of the loops for a level with known cache sizes. */
static void add_loops_of(engines *e, const char *level) {
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.engine = QN_ENGINE_INTERPRETER;
  options.stage = QN_FORM_LOOPS;
  add_engine(e, options, level);
  e->options[e->count - 1].cpu = e->names[e->count - 1];
}

static void open_engines(engines *e) {
  engines_open(e);
  add_loops_of(e, "x86-64-v3");
  add_loops_of(e, "avx512vnni");
  for (int i = 0; i < INPUTS; i++)
    for (int k = 0; k < MOST; k++) in[i][k] = (float)number(k + 11 * i);
}

static void invoke(qn_executable *x, float *y) {
  const void *inputs[INPUTS] = {in[0], in[1], in[2], in[3]};
  void *outputs[] = {y, between};
  assert_true(qn_executable_output(x, 0).bytes <= sizeof got);
  memset(y, 0x55, sizeof got);
  assert_int_equal(qn_executable_invoke(x, inputs, outputs), QN_OK);
}

static void check(engines *e, const test_case *c, writer *w) {
  write_case(c, false, w);
  qn_model *model = load_text(e, w->text);
  for (size_t k = 0; k < e->count; k++) {
    qn_executable *x = compile_for(e, model, k);
    uint32_t most = e->options[k].engine == QN_ENGINE_JIT ? 3 : 1;
    for (uint32_t threads = 1; threads <= most; threads++) {
      assert_int_equal(qn_executable_set_threads(x, threads), QN_OK);
      invoke(x, k == 0 ? first : got);
      if (k > 0 && memcmp(first, got, qn_executable_output(x, 0).bytes) != 0)
        fail_msg("case %d, %s, %u threads: other bits than at the model stage", (int)(c - cases),
                 e->names[k], threads);
    }
    qn_executable_destroy(x);
  }
  qn_model_destroy(model);
}

static void same_bits(void **unused) {
  engines e;
  writer w = {0};
  (void)unused;
  open_engines(&e);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) check(&e, &cases[i], &w);
  free(w.text);
  engines_close(&e);
}

/* ---- which kernels a module has ---- */

static bool has_depthwise_kernel(const qn_model *model, const char *level, bool keep) {
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  char *text;
  size_t size;
  options.triple = "x86_64-linux-gnu";
  options.cpu = level;
  options.keep_tensors = keep;
  assert_int_equal(qn_emit_form(model, &options, QN_FORM_LOOPS, &text, &size), QN_OK);
  bool has = strstr(text, "func.func private @depthwise") != NULL;
  assert_non_null(strstr(text, "func.func private @conv"));
  qn_free(text);
  return has;
}

static void only_where_nobody_wants_it(void **unused) {
  engines e;
  writer w = {0};
  (void)unused;
  engines_open(&e);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    write_case(&cases[i], false, &w);
    qn_model *model = load_text(&e, w.text);
    assert_false(has_depthwise_kernel(model, "x86-64-v3", false));
    assert_false(has_depthwise_kernel(model, "x86-64-v4", false));
    assert_true(has_depthwise_kernel(model, "x86-64-v3", true)); /* the tensor is kept */
    assert_true(has_depthwise_kernel(model, "generic", false));  /* the cache size is unknown */
    qn_model_destroy(model);
    write_case(&cases[i], true, &w);
    model = load_text(&e, w.text);
    assert_true(has_depthwise_kernel(model, "x86-64-v3", false));
    qn_model_destroy(model);
  }
  free(w.text);
  engines_close(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_bits),
      cmocka_unit_test(only_where_nobody_wants_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
