/* The profile cmsis-nn-single: every rule of docs/cmsis-nn.md about a single rounding, on random
 * scales and on powers of two, with which many results are ties. The expected results are computed
 * here from the formulas of the pages, in integers of 128 bits, without the library's functions;
 * every engine must give them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "every_engine.h"

#include <math.h>

__extension__ typedef __int128 wide;

enum { ROWS = 23, CHANNELS = 37, TAPS = 6, SEEDS = 3, COUNT = ROWS * CHANNELS };

typedef struct text {
  char data[65536];
  size_t used;
} text;

__attribute__((format(printf, 2, 3))) static void put(text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  t->used += (size_t)vsnprintf(t->data + t->used, sizeof t->data - t->used, format, arguments);
  va_end(arguments);
  assert_true(t->used < sizeof t->data);
}

/* ---- random numbers and scales ---- */

static uint32_t random_bits(uint32_t *seed) {
  *seed = *seed * 1664525U + 1013904223U;
  return *seed >> 8;
}
static int between(uint32_t *seed, int lo, int hi) {
  return lo + (int)(random_bits(seed) % (uint32_t)(hi - lo + 1));
}
/* A float32 near `size`: a power of two with odd seeds. */
static double scale_near(uint32_t *seed, double size, bool power) {
  if (power) return exp2(nearbyint(log2(size)));
  return (double)(float)(size * (0.6 + (double)(random_bits(seed) % 10007) / 10007));
}

/* ---- the formulas (docs/arithmetic.md 2.1, 2.2, 2.4) ---- */

typedef struct factor {
  int64_t mantissa;
  int exponent;
} factor;

static factor factor_of(double real) {
  factor f;
  double fraction = frexp(real, &f.exponent);
  f.mantissa = (int64_t)floor(fraction * 0x1p31 + 0.5);
  if (f.mantissa == INT64_C(1) << 31) f.mantissa /= 2, f.exponent++;
  return f;
}
/* floor(n / 2^k) */
static wide halved(wide n, int k) {
  const wide unit = (wide)1 << k, rest = ((n % unit) + unit) % unit;
  return (n - rest) / unit;
}
static int64_t once(int64_t x, factor f) {
  return (int64_t)halved((wide)x * f.mantissa + ((wide)1 << (30 - f.exponent)), 31 - f.exponent);
}
/* The same in two steps. The second one takes ties away from zero. */
static int64_t twice(int64_t x, factor f) {
  const int left = f.exponent > 0 ? f.exponent : 0, right = left - f.exponent;
  const wide high = halved((wide)x * ((wide)1 << left) * f.mantissa + (1 << 30), 31);
  const wide size = high < 0 ? -high : high, half = right > 0 ? (wide)1 << (right - 1) : 0;
  const wide y = halved(size + half, right);
  return (int64_t)(high < 0 ? -y : y);
}
static int clamped(int64_t y, int bits) {
  const int64_t most = (INT64_C(1) << (bits - 1)) - 1;
  return (int)(y > most ? most : y < -most - 1 ? -most - 1 : y);
}

/* ---- models ---- */

typedef struct example {
  text text;
  uint32_t seed;
  int bits, count;                         /* of activations; of results */
  int a[COUNT], b[COUNT], expected[COUNT]; /* operands that are arguments, and results */
  int a_count, b_count;                    /* 0: there is no such argument */
  int differing;                           /* results that differ from those rounded twice */
} example;

typedef void make_fn(example *e, bool power);

static void fill(example *e, int *out, int *out_count, int count) {
  const int most = e->bits == 8 ? 127 : 1500;
  for (int i = 0; i < count; i++) out[i] = between(&e->seed, -most - 1, most);
  *out_count = count;
}
static void expect(example *e, int i, int64_t x, factor f, int zero, bool single) {
  e->expected[i] = clamped((single ? once(x, f) : twice(x, f)) + zero, e->bits);
  e->differing += e->expected[i] != clamped(twice(x, f) + zero, e->bits);
}
static void put_head(example *e, double x, int x_zero, double y, int y_zero) {
  put(&e->text, "!x = !quant.uniform<i%d:f32, %.9e:%d>\n!y = !quant.uniform<i%d:f32, %.9e:%d>\n",
      e->bits, x, x_zero, e->bits, y, y_zero);
}
static const char module_line[] = "module attributes {quern.numerics = \"cmsis-nn-single\"} {\n";

/* Products with weights. `kind`: c conv, d depthwise, p linear by channel, l linear with one
 * scale. */
static void make_matrix(example *e, bool power, char kind) {
  text *t = &e->text;
  const bool deep = kind == 'd', linear = kind == 'p' || kind == 'l', one = kind == 'l';
  const int taps = deep ? 1 : TAPS, width = deep ? CHANNELS : TAPS;
  const int x_zero = e->bits == 8 ? between(&e->seed, -20, 20) : 0;
  const int y_zero = e->bits == 8 ? between(&e->seed, -20, 20) : 0;
  const double x = scale_near(&e->seed, 0.02, power), y = scale_near(&e->seed, 0.05, power);
  double w[CHANNELS];
  int bias[CHANNELS];
  static int weights[CHANNELS][TAPS];
  for (int c = 0; c < CHANNELS; c++) {
    /* Each ninth channel has a multiplier of at least 1/2. */
    w[c] = one && c > 0 ? w[0] : scale_near(&e->seed, c % 9 == 4 && !one ? 3.0 : 0.02, power);
    bias[c] = between(&e->seed, -400, 400);
    for (int k = 0; k < taps; k++) weights[c][k] = between(&e->seed, -127, 127);
  }
  put_head(e, x, x_zero, y, y_zero);
  put(t, "!w = !quant.uniform<i8<-127:127>:f32");
  if (!one) put(t, ":%d, {", deep ? 3 : 0);
  for (int c = 0; c < (one ? 1 : CHANNELS); c++) put(t, "%s%.9e", c || one ? "," : "", w[c]);
  put(t, "%s>\n%s", one ? "" : "}", module_line);
  char in[32], of[32], out[32];
  snprintf(in, sizeof in, "%s%dx%d", linear ? "" : "1x1x", ROWS, width);
  snprintf(out, sizeof out, "%s%dx%d", linear ? "" : "1x1x", ROWS, CHANNELS);
  snprintf(of, sizeof of, deep ? "1x1x1x%d" : linear ? "%dx%d" : "%dx1x1x%d", CHANNELS, TAPS);
  put(t,
      "func.func @main(%%x: tensor<%sx!x>) -> tensor<%sx!y> {\n  %%w = \"ml.const\"() {value = "
      "dense<%s",
      in, out, deep ? "[[[[" : "[");
  for (int c = 0; c < CHANNELS; c++) {
    put(t, "%s%s", c ? "," : "", deep ? "" : linear ? "[" : "[[[");
    for (int k = 0; k < taps; k++) put(t, "%s%d", k ? "," : "", weights[c][k]);
    put(t, "%s", deep ? "" : linear ? "]" : "]]]");
  }
  put(t, "%s> : tensor<%sxi8>} : () -> tensor<%sx!w>\n  %%b = \"ml.const\"() {value = dense<[",
      deep ? "]]]]" : "]", of, of);
  for (int c = 0; c < CHANNELS; c++) put(t, "%s%d", c ? "," : "", bias[c]);
  put(t, "]> : tensor<%dxi32>} : () -> tensor<%dxi32>\n", CHANNELS, CHANNELS);
  put(t, "  %%y = \"ml.%s\"(%%x, %%w, %%b)", deep ? "depthwise_conv" : linear ? "linear" : "conv");
  if (!linear)
    put(t,
        " {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, "
        "1>%s}",
        deep ? "" : ", groups = 1 : i64");
  put(t, " : (tensor<%sx!x>, tensor<%sx!w>, tensor<%dxi32>) -> tensor<%sx!y>\n", in, of, CHANNELS,
      out);
  put(t, "  return %%y : tensor<%sx!y>\n}\n}\n", out);
  fill(e, e->a, &e->a_count, ROWS * width);
  e->count = COUNT;
  for (int i = 0; i < COUNT; i++) {
    const int row = i / CHANNELS, c = i % CHANNELS;
    int64_t sum = bias[c];
    for (int k = 0; k < taps; k++)
      sum += (int64_t)weights[c][k] * (e->a[row * width + (deep ? c : k)] - x_zero);
    const double product = one ? (double)(float)(x * w[c]) : x * w[c];
    expect(e, i, sum, factor_of(product / y), y_zero, true);
  }
}
static void conv(example *e, bool power) { make_matrix(e, power, 'c'); }
static void depthwise(example *e, bool power) { make_matrix(e, power, 'd'); }
static void linear_by_channel(example *e, bool power) { make_matrix(e, power, 'p'); }
static void linear_of_one_scale(example *e, bool power) { make_matrix(e, power, 'l'); }
static void conv_of_words(example *e, bool power) {
  e->bits = 16;
  make_matrix(e, power, 'c');
}

/* Two operands of one shape, or of which the second is one row. */
static void make_pair(example *e, bool power, const char *op, int bits, bool repeats) {
  text *t = &e->text;
  e->bits = bits;
  const bool sum = strcmp(op, "mul") != 0, less = strcmp(op, "sub") == 0,
             single = !repeats && !less;
  const int za = bits == 8 ? 5 : 0, zb = bits == 8 ? -9 : 0, zy = bits == 8 ? 3 : 0;
  const double unit = bits == 8 ? 1 : 1.0 / 16;
  const double a = unit * scale_near(&e->seed, 0.06, power),
               b = unit * scale_near(&e->seed, 0.03, power);
  const double y = scale_near(&e->seed, 0.13, power) * (sum ? unit : unit * unit);
  put_head(e, a, za, y, zy);
  put(t, "!b = !quant.uniform<i%d:f32, %.9e:%d>\n%s", bits, b, zb, module_line);
  char of[16];
  if (repeats)
    snprintf(of, sizeof of, "%d", CHANNELS);
  else
    snprintf(of, sizeof of, "1x%dx%d", ROWS, CHANNELS);
  put(t, "func.func @main(%%a: tensor<%dx%dx!x>, %%b: tensor<%sx!b>) -> tensor<%s%dx%dx!y> {\n",
      ROWS, CHANNELS, of, repeats ? "" : "1x", ROWS, CHANNELS);
  put(t, "  %%y = \"ml.%s\"(%%a, %%b) : (tensor<%dx%dx!x>, tensor<%sx!b>) -> tensor<%s%dx%dx!y>\n",
      op, ROWS, CHANNELS, of, repeats ? "" : "1x", ROWS, CHANNELS);
  put(t, "  return %%y : tensor<%s%dx%dx!y>\n}\n}\n", repeats ? "" : "1x", ROWS, CHANNELS);
  fill(e, e->a, &e->a_count, COUNT);
  fill(e, e->b, &e->b_count, repeats ? CHANNELS : COUNT);
  e->count = COUNT;
  const int shift = bits == 8 ? 20 : 15;
  const double larger = 2 * fmax(a, b);
  factor fa = factor_of(a / larger), fb = factor_of(b / larger);
  factor fy = factor_of(larger / ldexp(y, shift));
  if (less) { /* quotients in float32 */
    fa = factor_of((double)((float)a / (float)larger));
    fb = factor_of((double)((float)b / (float)larger));
    fy = factor_of((double)((float)larger / (float)ldexp(y, shift)));
  }
  for (int i = 0; i < COUNT; i++) {
    const int64_t p = e->a[i] - za, q = e->b[repeats ? i % CHANNELS : i] - zb;
    if (!sum) {
      expect(e, i, p * q, factor_of(a * b / y), zy, single);
      continue;
    }
    const int64_t u = p * (1 << shift), v = (less ? -q : q) * (1 << shift);
    int64_t s1 = once(u, fa) + once(v, fb), s2 = twice(u, fa) + twice(v, fb);
    if (less) s2 = twice(u, fa) - twice(-v, fb);
    const int of_twice = clamped(twice(s2, fy) + zy, bits);
    e->expected[i] = single ? clamped(once(s1, fy) + zy, bits) : of_twice;
    e->differing += e->expected[i] != of_twice;
  }
}
static void add(example *e, bool power) { make_pair(e, power, "add", 8, false); }
static void add_words(example *e, bool power) { make_pair(e, power, "add", 16, false); }
static void add_row(example *e, bool power) { make_pair(e, power, "add", 8, true); }
static void mul(example *e, bool power) { make_pair(e, power, "mul", 8, false); }
static void mul_words(example *e, bool power) { make_pair(e, power, "mul", 16, false); }
static void mul_row(example *e, bool power) { make_pair(e, power, "mul", 8, true); }
static void sub(example *e, bool power) { make_pair(e, power, "sub", 8, false); }

/* Two computed matrices. */
static void matmul(example *e, bool power) {
  text *t = &e->text;
  const int za = 4, zb = -6, zy = 7;
  const double a = scale_near(&e->seed, 0.02, power), b = scale_near(&e->seed, 0.03, power);
  const double y = scale_near(&e->seed, 0.07, power);
  put_head(e, a, za, y, zy);
  put(t, "!b = !quant.uniform<i8:f32, %.9e:%d>\n%s", b, zb, module_line);
  put(t, "func.func @main(%%a: tensor<%dx%dx!x>, %%b: tensor<%dx%dx!b>) -> tensor<%dx%dx!y> {\n",
      ROWS, TAPS, TAPS, CHANNELS, ROWS, CHANNELS);
  put(t,
      "  %%y = \"ml.matmul\"(%%a, %%b) : (tensor<%dx%dx!x>, tensor<%dx%dx!b>) -> "
      "tensor<%dx%dx!y>\n",
      ROWS, TAPS, TAPS, CHANNELS, ROWS, CHANNELS);
  put(t, "  return %%y : tensor<%dx%dx!y>\n}\n}\n", ROWS, CHANNELS);
  fill(e, e->a, &e->a_count, ROWS * TAPS);
  fill(e, e->b, &e->b_count, TAPS * CHANNELS);
  e->count = COUNT;
  for (int i = 0; i < COUNT; i++) {
    int64_t sum = 0;
    for (int k = 0; k < TAPS; k++)
      sum +=
          (int64_t)(e->a[i / CHANNELS * TAPS + k] - za) * (e->b[k * CHANNELS + i % CHANNELS] - zb);
    expect(e, i, sum, factor_of((double)(float)(a * b) / y), zy, true);
  }
}

/* One step of SVDF whose filters remember two inputs; the state is the second operand. */
static void svdf(example *e, bool power) {
  enum { UNITS = 7, RANK = 2, FILTERS = UNITS * RANK };
  text *t = &e->text;
  const int zx = 3, zy = -5;
  const double x = scale_near(&e->seed, 0.02, power), w = scale_near(&e->seed, 0.01, power);
  const double s = scale_near(&e->seed, 0.02, power), y = scale_near(&e->seed, 0.015, power);
  int features[FILTERS][TAPS], times[FILTERS][2], state[FILTERS][2];
  put_head(e, x, zx, y, zy);
  put(t, "!s = !quant.uniform<i8:f32, %.9e>\n!w = !quant.uniform<i8:f32, %.9e>\n%s", s, w,
      module_line);
  put(t, "func.func @main(%%x: tensor<1x%dx!x>, %%s: tensor<1x%dx!s>) -> tensor<1x%dx!y> {\n", TAPS,
      2 * FILTERS, UNITS);
  put(t, "  %%f = \"ml.const\"() {value = dense<[");
  for (int f = 0; f < FILTERS; f++) {
    put(t, "%s[", f ? "," : "");
    for (int k = 0; k < TAPS; k++)
      put(t, "%s%d", k ? "," : "", features[f][k] = between(&e->seed, -127, 127));
    put(t, "]");
  }
  put(t, "]> : tensor<%dx%dxi8>} : () -> tensor<%dx%dx!w>\n", FILTERS, TAPS, FILTERS, TAPS);
  put(t, "  %%t = \"ml.const\"() {value = dense<[");
  for (int f = 0; f < FILTERS; f++) {
    for (int k = 0; k < 2; k++) times[f][k] = between(&e->seed, -127, 127);
    put(t, "%s[%d,%d]", f ? "," : "", times[f][0], times[f][1]);
  }
  put(t, "]> : tensor<%dx2xi8>} : () -> tensor<%dx2x!w>\n", FILTERS, FILTERS);
  put(t,
      "  %%y, %%n = \"ml.svdf\"(%%x, %%s, %%f, %%t) : (tensor<1x%dx!x>, tensor<1x%dx!s>, "
      "tensor<%dx%dx!w>, tensor<%dx2x!w>) -> (tensor<1x%dx!y>, tensor<1x%dx!s>)\n",
      TAPS, 2 * FILTERS, FILTERS, TAPS, FILTERS, UNITS, 2 * FILTERS);
  put(t, "  return %%y : tensor<1x%dx!y>\n}\n}\n", UNITS);
  fill(e, e->a, &e->a_count, TAPS);
  fill(e, e->b, &e->b_count, 2 * FILTERS);
  e->count = UNITS;
  const float feature = (float)x * (float)w, time = (float)s * (float)w;
  const factor of_state = factor_of((double)(feature / (float)s));
  const factor of_y = factor_of((double)(time / (float)y));
  for (int f = 0; f < FILTERS; f++) {
    int64_t sum = 0;
    for (int k = 0; k < TAPS; k++) sum += (int64_t)features[f][k] * (e->a[k] - zx);
    state[f][0] = e->b[2 * f + 1];
    state[f][1] = clamped(once(sum, of_state), 8);
  }
  for (int u = 0; u < UNITS; u++) {
    int64_t sum = 0;
    for (int f = u * RANK; f < u * RANK + RANK; f++)
      sum += (int64_t)times[f][0] * state[f][0] + (int64_t)times[f][1] * state[f][1];
    expect(e, u, sum, of_y, zy, true);
  }
}

/* ---- engines ---- */

static void store(const int *from, int count, int bits, uint8_t *to) {
  for (int i = 0; i < count; i++) {
    const int16_t word = (int16_t)from[i];
    if (bits == 8)
      to[i] = (uint8_t)(int8_t)from[i];
    else
      memcpy(to + 2 * i, &word, sizeof word);
  }
}
static int stored(const uint8_t *data, int i, int bits) {
  int16_t word;
  if (bits == 8) return (int8_t)data[i];
  memcpy(&word, data + 2 * i, sizeof word);
  return word;
}

static void check(engines *e, const char *name, const example *x) {
  static uint8_t a[2 * COUNT], b[2 * COUNT], y[2 * COUNT];
  store(x->a, x->a_count, x->bits, a);
  store(x->b, x->b_count, x->bits, b);
  for (size_t k = 0; k < e->count; k++) {
    qn_model *model = load_text(e, x->text.data);
    qn_executable *code = compile_for(e, model, k);
    if (qn_executable_invoke(code, (const void *[]){a, b}, (void *[]){y}) != QN_OK)
      fail_msg("%s, %s: %s", name, e->names[k], e->messages);
    qn_executable_destroy(code);
    qn_model_destroy(model);
    for (int i = 0; i < x->count; i++)
      if (stored(y, i, x->bits) != x->expected[i])
        fail_msg("%s, %s: element %d is %d, not %d\n%s", name, e->names[k], i,
                 stored(y, i, x->bits), x->expected[i], x->text.data);
  }
}

static void test_formulas(void **unused) {
  static const struct {
    const char *name;
    make_fn *make;
    bool once; /* if false, it is rounded twice: reference kernels of TensorFlow Lite Micro */
  } makers[] = {{"conv", conv, true},
                {"depthwise", depthwise, true},
                {"linear by channel", linear_by_channel, true},
                {"linear", linear_of_one_scale, true},
                {"conv of int16", conv_of_words, true},
                {"add", add, true},
                {"add of int16", add_words, true},
                {"add of a row", add_row, false},
                {"mul", mul, true},
                {"mul of int16", mul_words, true},
                {"mul of a row", mul_row, false},
                {"sub", sub, false},
                {"matmul", matmul, true},
                {"svdf", svdf, true}};
  (void)unused;
  engines e;
  engines_open(&e);
  example *x = malloc(sizeof *x);
  for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
    int differing = 0;
    for (uint32_t seed = 0; seed < 2 * SEEDS; seed++) {
      memset(x, 0, sizeof *x);
      x->seed = 977 * seed + (uint32_t)i;
      x->bits = 8;
      makers[i].make(x, seed % 2);
      check(&e, makers[i].name, x);
      differing += x->differing;
    }
    /* The inputs tell both roundings apart. SVDF has few results. */
    if (makers[i].once && makers[i].make != svdf && differing == 0)
      fail_msg("%s: no result shows the rounding", makers[i].name);
    if (!makers[i].once) assert_int_equal(differing, 0);
  }
  free(x);
  engines_close(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulas)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
