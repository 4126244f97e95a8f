/* Far channels: channels whose ratio of scales exceeds the profile's multipliers. In a module
 * without a profile their results saturate, in every engine and at every level, and the other
 * channels keep their bits. With a profile the module is rejected.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "every_engine.h"

enum { PIXELS = 11, CHANNELS = 37, MOST_TAPS = CHANNELS };

typedef struct shape {
  const char *name, *op, *storage; /* storage type of activations */
  const char *bias;                /* its type, or NULL */
  int zero;                        /* the zero points of input and result */
  double ratio;                    /* ratio of scales of far channels */
} shape;

static const shape shapes[] = {
    {"conv", "conv", "i8", "i32", -3, 3e9},
    {"conv, no bias", "conv", "i8", NULL, 5, 1e30},
    {"depthwise", "depthwise_conv", "i8", "i32", 4, 2.5e9},
    {"linear", "linear", "i8", "i32", -7, 1e12},
    {"conv of words", "conv", "i16", "i32", 0, 3e9},
    {"conv of words, sums of 64 bits", "conv", "i16", "i64", 0, 1e15},
    {"conv of words, beyond the reduced multipliers", "conv", "i16", "i64", 0, 7000},
    {"the same, rounded no more", "conv", "i16", NULL, 0, 40000},
    {"depthwise of words", "depthwise_conv", "i16", "i64", 0, 1e6},
    {"linear of words", "linear", "i16", "i64", 0, 1e11},
};

static bool is_far(int c) { return c % 9 == 4; }
static bool is_depthwise(const shape *s) { return s->op[0] == 'd'; }
static int taps_of(const shape *s) { return is_depthwise(s) ? CHANNELS : 5; }
static int width_of(const shape *s) { return s->storage[1] == '8' ? 1 : 2; }
/* The weight of a channel and tap; for depthwise convolutions, of a channel. Some accumulators of
 * far channels are 0. */
static int weight(const shape *s, int c, int t) {
  return is_depthwise(s) ? c % 7 - 3 : (c * 5 + t * 3) % 11 - 5;
}
static int bias(const shape *s, int c) { return s->bias && !is_far(c) ? c * 13 - 200 : 0; }

typedef struct text {
  char data[16384];
  size_t used;
} text;

__attribute__((format(printf, 2, 3))) static void put(text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  t->used += (size_t)vsnprintf(t->data + t->used, sizeof t->data - t->used, format, arguments);
  va_end(arguments);
  assert_true(t->used < sizeof t->data);
}

static void put_types(text *t, const shape *s, bool far) {
  put(t, "!x = !quant.uniform<%s:f32, 0.5:%d>\n!w = !quant.uniform<i8<-127:127>:f32:%d, {",
      s->storage, s->zero, is_depthwise(s) ? 3 : 0);
  for (int c = 0; c < CHANNELS; c++)
    put(t, "%s%.9e", c ? "," : "", far && is_far(c) ? s->ratio : 0.01 + 0.003 * c);
  put(t, "}>\n");
}

static void put_weights(text *t, const shape *s, const char *dims) {
  put(t, "  %%w = \"ml.const\"() {value = dense<");
  put(t, is_depthwise(s) ? "[[[[" : "[");
  for (int c = 0; c < CHANNELS; c++) {
    if (c > 0) put(t, ",");
    if (!is_depthwise(s)) put(t, s->op[0] == 'c' ? "[[[" : "[");
    for (int k = 0; k < (is_depthwise(s) ? 1 : taps_of(s)); k++)
      put(t, "%s%d", k ? "," : "", weight(s, c, k));
    if (!is_depthwise(s)) put(t, s->op[0] == 'c' ? "]]]" : "]");
  }
  put(t, is_depthwise(s) ? "]]]]" : "]");
  put(t, "> : tensor<%sxi8>} : () -> tensor<%sx!w>\n", dims, dims);
}

static void put_model(text *t, const shape *s, bool far, const char *attributes) {
  char x[32], w[32], y[32];
  bool linear = s->op[0] == 'l';
  snprintf(x, sizeof x, "%s%dx%d", linear ? "" : "1x1x", PIXELS, taps_of(s));
  snprintf(y, sizeof y, "%s%dx%d", linear ? "" : "1x1x", PIXELS, CHANNELS);
  if (is_depthwise(s))
    snprintf(w, sizeof w, "1x1x1x%d", CHANNELS);
  else
    snprintf(w, sizeof w, "%d%s%d", CHANNELS, linear ? "x" : "x1x1x", taps_of(s));
  put_types(t, s, far);
  put(t, "module %s {\nfunc.func @main(%%x: tensor<%sx!x>) -> tensor<%sx!x> {\n", attributes, x, y);
  put_weights(t, s, w);
  if (s->bias) {
    put(t, "  %%b = \"ml.const\"() {value = dense<[");
    for (int c = 0; c < CHANNELS; c++) put(t, "%s%d", c ? "," : "", bias(s, c));
    put(t, "]> : tensor<%dx%s>} : () -> tensor<%dx%s>\n", CHANNELS, s->bias, CHANNELS, s->bias);
  }
  put(t, "  %%y = \"ml.%s\"(%%x, %%w%s) ", s->op, s->bias ? ", %b" : "");
  if (!linear)
    put(t,
        "{strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, "
        "1>%s}",
        is_depthwise(s) ? "" : ", groups = 1 : i64");
  put(t, ": (tensor<%sx!x>, tensor<%sx!w>", x, w);
  if (s->bias) put(t, ", tensor<%dx%s>", CHANNELS, s->bias);
  put(t, ") -> tensor<%sx!x>\n  return %%y : tensor<%sx!x>\n}\n}\n", y, y);
}

static int stored(const shape *s, const uint8_t *data, int i) {
  int16_t word;
  if (width_of(s) == 1) return (int8_t)data[i];
  memcpy(&word, data + 2 * i, sizeof word);
  return word;
}

/* The result of a far channel. The ratio is an integer, or so large that all accumulators but 0
 * saturate. */
static int far_result(const shape *s, const uint8_t *input, int pixel, int c) {
  double sum = 0;
  for (int t = 0; t < taps_of(s); t++)
    if (!is_depthwise(s) || t == c)
      sum += (stored(s, input, pixel * taps_of(s) + t) - s->zero) * weight(s, c, t);
  double least = width_of(s) == 1 ? INT8_MIN : INT16_MIN, y = sum * s->ratio + s->zero;
  return (int)(y < least ? least : y > -1 - least ? -1 - least : y);
}

static void run(const shape *s, engines *e, size_t engine, bool far, const uint8_t *input,
                uint8_t *out) {
  text *t = calloc(1, sizeof *t);
  put_model(t, s, far, "");
  qn_model *model = load_text(e, t->data);
  qn_executable *x = compile_for(e, model, engine);
  if (qn_executable_invoke(x, (const void *[]){input}, (void *[]){out}) != QN_OK)
    fail_msg("%s, %s: %s", s->name, e->names[engine], e->messages);
  qn_executable_destroy(x);
  qn_model_destroy(model);
  free(t);
}

static void check(const shape *s, engines *e) {
  enum { SIZE = PIXELS * MOST_TAPS * 2 };
  uint8_t input[SIZE], got[SIZE], near[SIZE];
  fill_bytes(input, sizeof input, 5);
  for (int i = 0; i < taps_of(s); i++) { /* sums of 0 */
    int16_t zero = (int16_t)s->zero;
    memcpy(input + i * width_of(s), &zero, (size_t)width_of(s));
  }
  for (size_t k = 0; k < e->count; k++) {
    run(s, e, k, true, input, got);
    if (k > 0 && !strstr(e->messages, "is beyond the multipliers of"))
      fail_msg("%s: nothing is said: %s", s->name, e->messages);
    if (strstr(e->messages, "in float")) fail_msg("%s: %s", s->name, e->messages);
    if (k == 0) run(s, e, k, false, input, near);
    for (int i = 0; i < PIXELS * CHANNELS; i++) {
      int c = i % CHANNELS;
      int wanted = is_far(c) ? far_result(s, input, i / CHANNELS, c) : stored(s, near, i);
      if (stored(s, got, i) != wanted)
        fail_msg("%s, %s: channel %d of pixel %d is %d, not %d", s->name, e->names[k], c,
                 i / CHANNELS, stored(s, got, i), wanted);
    }
  }
}

static void test_only_they_saturate(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    engines e;
    engines_open(&e);
    check(&shapes[i], &e);
    engines_close(&e);
  }
}

static void test_a_named_profile_refuses(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    engines e;
    engines_open(&e);
    text *t = calloc(1, sizeof *t);
    put_model(t, &shapes[i], true, "attributes {quern.numerics = \"litert-ref\"}");
    qn_model *model = load_text(&e, t->data);
    qn_executable *x = NULL;
    assert_int_not_equal(qn_compile(model, &e.options[2], &x), QN_OK);
    if (!strstr(e.messages, "channel 4")) fail_msg("%s: %s", shapes[i].name, e.messages);
    qn_model_destroy(model);
    free(t);
    engines_close(&e);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_only_they_saturate),
      cmocka_unit_test(test_a_named_profile_refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
