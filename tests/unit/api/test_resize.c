/* Bilinear resizing of drawn sizes: in every engine each element equals the interpolation between
 * four elements as the kernels of LiteRT write it, in float32 for unsigned bytes and floats, with
 * 20 fraction bits for signed integers. f64 is computed in f64, by float32 distances. Most sizes
 * have a ratio for which bytes are computed in two passes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "every_engine.h"

enum { IN, OUT, SIDES, CASES = 150, MOST = 12000, ROOM = 1 << 10 };
static const char *const modes[] = {"asymmetric", "align_corners", "half_pixel"};
enum { ASYMMETRIC, ALIGN_CORNERS, HALF_PIXEL, MODES };

typedef enum element { U8, I8, I16, F32, F64, ELEMENTS } element;
static const struct {
  const char *type;
  size_t bytes;
} elements[] = {[U8] = {"!quant.uniform<u8:f32, 0.5>", sizeof(uint8_t)},
                [I8] = {"!quant.uniform<i8:f32, 0.5>", sizeof(int8_t)},
                [I16] = {"!quant.uniform<i16:f32, 0.5>", sizeof(int16_t)},
                [F32] = {"f32", sizeof(float)},
                [F64] = {"f64", sizeof(double)}};

typedef struct test_case {
  int mode, batch, channels, rows[SIDES], columns[SIDES];
  element element;
} test_case;
static bool is_signed(const test_case *c) { return c->element == I8 || c->element == I16; }

static uint32_t state = 7;
static int drawn(int count) {
  state = state * 1664525U + 1013904223U;
  return (int)((state >> 8) % (uint32_t)count);
}

/* Sizes whose distances mostly are multiples of a power of two: times 1 to 16, or 1/2. */
static void draw_sides(int sides[SIDES], int mode) {
  sides[IN] = 1 + drawn(8);
  int kind = drawn(8), steps = mode == ALIGN_CORNERS ? sides[IN] - 1 : sides[IN];
  sides[OUT] = kind < 5   ? (steps << kind) + (mode == ALIGN_CORNERS)
               : kind < 7 ? 1 + drawn(40)
                          : (sides[IN] + 1) / 2;
  if (sides[OUT] == 0) sides[OUT] = 1;
}

static test_case drawn_case(int i) {
  test_case c = {.mode = i % MODES, .batch = 1 + drawn(2), .channels = 1 + drawn(70)};
  c.element = (element)(i / MODES % ELEMENTS);
  do {
    draw_sides(c.rows, c.mode);
    draw_sides(c.columns, c.mode);
  } while (c.batch * c.rows[OUT] * c.columns[OUT] * c.channels > MOST);
  return c;
}

/* ---- the definition ---- */

typedef struct position {
  int low, high;
  float distance;
  int64_t fixed; /* in units of 1/1024 */
} position;

static position position_of(const int sides[SIDES], int i, int mode, bool fixed) {
  int in = sides[IN], out = sides[OUT];
  bool corners = mode == ALIGN_CORNERS && out > 1;
  position p = {0};
  if (fixed) {
    int to = corners ? out - 1 : out;
    int64_t step = (1024 * (corners ? in - 1 : in) + to / 2) / to, at = i * step;
    if (mode == HALF_PIXEL) at += step / 2 - 512;
    p.low = at < 0 ? 0 : (int)(at / 1024);
    p.high = (int)((at + 1023) / 1024);
    if (p.high > in - 1) p.high = in - 1;
    p.fixed = at - 1024 * p.low;
    return p;
  }
  float step = corners ? (float)(in - 1) / (float)(out - 1) : (float)in / (float)out;
  float at = mode == HALF_PIXEL ? ((float)i + 0.5F) * step - 0.5F : (float)i * step;
  p.low = (int)fmaxf(floorf(at), 0);
  if (p.low > in - 1) p.low = in - 1;
  p.high = (int)fminf(ceilf(at), (float)(in - 1));
  p.distance = at - (float)p.low;
  return p;
}

static int64_t between_integers(const position *y, const position *x, const int64_t q[4]) {
  int64_t ny = 1024 - y->fixed, nx = 1024 - x->fixed;
  int64_t sum =
      q[0] * ny * nx + q[1] * y->fixed * nx + q[2] * ny * x->fixed + q[3] * y->fixed * x->fixed;
  return (sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20);
}

#define BETWEEN(name, T)                                                                           \
  static T name(const position *y, const position *x, const T q[4]) {                              \
    const T dy = (T)y->distance, dx = (T)x->distance, ny = 1 - dy, nx = 1 - dx;                    \
    const T terms[4] = {q[0] * ny, q[1] * dy, q[2] * ny, q[3] * dy};                               \
    T sum = terms[0] * nx;                                                                         \
    sum += terms[1] * nx;                                                                          \
    sum += terms[2] * dx;                                                                          \
    sum += terms[3] * dx;                                                                          \
    return sum;                                                                                    \
  }
BETWEEN(between_floats, float)
BETWEEN(between_doubles, double)
#undef BETWEEN

/* Elements of all types are exact as doubles. */
static double load(element type, const void *x, int i) {
  switch (type) {
  case U8:
    return ((const uint8_t *)x)[i];
  case I8:
    return ((const int8_t *)x)[i];
  case I16:
    return ((const int16_t *)x)[i];
  case F32:
    return (double)((const float *)x)[i];
  default:
    return ((const double *)x)[i];
  }
}
static void store(element type, void *y, int i, double value) {
  switch (type) {
  case U8:
    ((uint8_t *)y)[i] = (uint8_t)value;
    break;
  case I8:
    ((int8_t *)y)[i] = (int8_t)value;
    break;
  case I16:
    ((int16_t *)y)[i] = (int16_t)value;
    break;
  case F32:
    ((float *)y)[i] = (float)value;
    break;
  default:
    ((double *)y)[i] = value;
  }
}

static double between(const test_case *c, const position *h, const position *w, const double q[4]) {
  if (c->element == F64) return between_doubles(h, w, q);
  if (is_signed(c)) {
    const int64_t integers[] = {(int64_t)q[0], (int64_t)q[1], (int64_t)q[2], (int64_t)q[3]};
    return (double)between_integers(h, w, integers);
  }
  const float floats[] = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
  const float sum = between_floats(h, w, floats);
  return (double)(c->element == U8 ? sum + 0.5F : sum);
}

static void resize(const test_case *c, const void *x, void *y) {
  const int image = c->rows[IN] * c->columns[IN];
  int to = 0;
  for (int n = 0; n < c->batch; n++)
    for (int i = 0; i < c->rows[OUT]; i++)
      for (int k = 0; k < c->columns[OUT]; k++) {
        const position h = position_of(c->rows, i, c->mode, is_signed(c));
        const position w = position_of(c->columns, k, c->mode, is_signed(c));
        for (int channel = 0; channel < c->channels; channel++) {
          double q[4];
          for (int corner = 0; corner < 4; corner++) {
            const int row = corner & 1 ? h.high : h.low, column = corner & 2 ? w.high : w.low;
            const int pixel = n * image + row * c->columns[IN] + column;
            q[corner] = load(c->element, x, pixel * c->channels + channel);
          }
          store(c->element, y, to++, between(c, &h, &w, q));
        }
      }
}

/* ---- the engines ---- */

static void write_model(char *text, const test_case *c) {
  char x[32], y[32];
  snprintf(x, sizeof x, "%dx%dx%dx%d", c->batch, c->rows[IN], c->columns[IN], c->channels);
  snprintf(y, sizeof y, "%dx%dx%dx%d", c->batch, c->rows[OUT], c->columns[OUT], c->channels);
  const char *type = elements[c->element].type;
  int used = snprintf(text, ROOM,
                      "module attributes {quern.numerics = \"litert-ref\"} {\n"
                      "  func.func @main(%%x: tensor<%sx%s>) -> tensor<%sx%s> {\n"
                      "    %%y = \"ml.resize_bilinear\"(%%x) {sampling_mode = \"%s\"} : "
                      "(tensor<%sx%s>) -> tensor<%sx%s>\n"
                      "    return %%y : tensor<%sx%s>\n  }\n}\n",
                      x, type, y, type, modes[c->mode], x, type, y, type, y, type);
  assert_true(used < ROOM);
}

static double x[MOST], want[MOST]; /* or smaller elements */

/* Integers with many ends of their range; floats of two magnitudes. */
static void fill(const test_case *c, size_t count, uint32_t seed) {
  static const int16_t ends[] = {INT16_MAX, INT16_MIN};
  uint8_t *bytes = (uint8_t *)x;
  fill_bytes(bytes, count * elements[c->element].bytes, seed);
  for (size_t k = 0; k < count; k++) {
    const double real = (drawn(2001) - 1000) * (k % 5 ? 0.37 : 1e20);
    if (c->element == F64) x[k] = real;
    if (c->element == F32) ((float *)(void *)x)[k] = (float)real;
    if (k % 3 == 0 && c->element == I16) ((int16_t *)(void *)x)[k] = ends[k % 2];
    if (k % 3 == 0 && c->element < I16)
      bytes[k] = (uint8_t)(k % 2 ? 0x80 : 0x7f + 0x80 * (k % 4 / 2));
  }
}

static void every_engine_interpolates_between_four(void **s) {
  (void)s;
  engines e;
  engines_open(&e);
  for (int i = 0; i < CASES; i++) {
    const test_case c = drawn_case(i);
    const size_t each = elements[c.element].bytes;
    size_t in = (size_t)(c.batch * c.rows[IN] * c.columns[IN] * c.channels);
    size_t out = (size_t)(c.batch * c.rows[OUT] * c.columns[OUT] * c.channels);
    assert_true(in <= MOST);
    fill(&c, in, (uint32_t)i);
    resize(&c, x, want);
    char text[ROOM];
    write_model(text, &c);
    qn_model *model = load_text(&e, text);
    for (size_t engine = 0; engine < e.count; engine++) {
      qn_executable *executable = compile_for(&e, model, engine);
      guarded from = guarded_create(in * each), to = guarded_create(out * each);
      memcpy(from.data, x, in * each);
      const void *const inputs[] = {from.data};
      void *const outputs[] = {to.data};
      assert_int_equal(qn_executable_invoke(executable, inputs, outputs), QN_OK);
      for (size_t k = 0; k < out; k++)
        if (memcmp(to.data + k * each, (const uint8_t *)want + k * each, each) != 0)
          fail_msg("case %d at %s: element %zu differs\n%s", i, e.names[engine], k, text);
      guarded_destroy(&from);
      guarded_destroy(&to);
      qn_executable_destroy(executable);
    }
    qn_model_destroy(model);
  }
  engines_close(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_engine_interpolates_between_four)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
