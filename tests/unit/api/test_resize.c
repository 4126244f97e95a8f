/* Bilinear resizing of bytes, of drawn sizes: in every engine each element equals the interpolation
 * between four elements as the kernels of LiteRT write it, in float32 for unsigned bytes and with
 * 20 fraction bits for signed ones. Most sizes have a ratio for which it is computed in two passes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "every_engine.h"

enum { IN, OUT, SIDES, CASES = 90, MOST = 12000, ROOM = 1 << 10 };
static const char *const modes[] = {"asymmetric", "align_corners", "half_pixel"};
enum { ASYMMETRIC, ALIGN_CORNERS, HALF_PIXEL, MODES };

typedef struct test_case {
  int mode, batch, channels, rows[SIDES], columns[SIDES];
  bool is_signed;
} test_case;

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
  c.is_signed = i / MODES % 2;
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

static position position_of(const int sides[SIDES], int i, int mode, bool is_signed) {
  int in = sides[IN], out = sides[OUT];
  bool corners = mode == ALIGN_CORNERS && out > 1;
  position p = {0};
  if (is_signed) {
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

static uint8_t between(const position *y, const position *x, const uint8_t q[4], bool is_signed) {
  if (is_signed) {
    int64_t ny = 1024 - y->fixed, nx = 1024 - x->fixed;
    int64_t sum = (int8_t)q[0] * ny * nx + (int8_t)q[1] * y->fixed * nx +
                  (int8_t)q[2] * ny * x->fixed + (int8_t)q[3] * y->fixed * x->fixed;
    return (uint8_t)((sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));
  }
  float ny = 1 - y->distance, nx = 1 - x->distance;
  float terms[4] = {(float)q[0] * ny, (float)q[1] * y->distance, (float)q[2] * ny,
                    (float)q[3] * y->distance};
  float sum = terms[0] * nx;
  sum += terms[1] * nx;
  sum += terms[2] * x->distance;
  sum += terms[3] * x->distance;
  return (uint8_t)(sum + 0.5F);
}

static void resize(const test_case *c, const uint8_t *x, uint8_t *y) {
  for (int n = 0; n < c->batch; n++, x += c->rows[IN] * c->columns[IN] * c->channels)
    for (int i = 0; i < c->rows[OUT]; i++)
      for (int k = 0; k < c->columns[OUT]; k++, y += c->channels) {
        const position h = position_of(c->rows, i, c->mode, c->is_signed);
        const position w = position_of(c->columns, k, c->mode, c->is_signed);
        const int at[] = {h.low * c->columns[IN] + w.low, h.high * c->columns[IN] + w.low,
                          h.low * c->columns[IN] + w.high, h.high * c->columns[IN] + w.high};
        for (int channel = 0; channel < c->channels; channel++) {
          uint8_t q[4];
          for (int corner = 0; corner < 4; corner++)
            q[corner] = x[at[corner] * c->channels + channel];
          y[channel] = between(&h, &w, q, c->is_signed);
        }
      }
}

/* ---- the engines ---- */

static void write_model(char *text, const test_case *c) {
  const char *storage = c->is_signed ? "i8" : "u8";
  char x[32], y[32];
  snprintf(x, sizeof x, "%dx%dx%dx%d", c->batch, c->rows[IN], c->columns[IN], c->channels);
  snprintf(y, sizeof y, "%dx%dx%dx%d", c->batch, c->rows[OUT], c->columns[OUT], c->channels);
  int used = snprintf(text, ROOM,
                      "!q = !quant.uniform<%s:f32, 0.5>\n"
                      "module attributes {quern.numerics = \"litert-ref\"} {\n"
                      "  func.func @main(%%x: tensor<%sx!q>) -> tensor<%sx!q> {\n"
                      "    %%y = \"ml.resize_bilinear\"(%%x) {sampling_mode = \"%s\"} : "
                      "(tensor<%sx!q>) -> tensor<%sx!q>\n"
                      "    return %%y : tensor<%sx!q>\n  }\n}\n",
                      storage, x, y, modes[c->mode], x, y, y);
  assert_true(used < ROOM);
}

static uint8_t x[MOST], want[MOST];

static void every_engine_interpolates_between_four(void **s) {
  (void)s;
  engines e;
  engines_open(&e);
  for (int i = 0; i < CASES; i++) {
    const test_case c = drawn_case(i);
    size_t in = (size_t)(c.batch * c.rows[IN] * c.columns[IN] * c.channels);
    size_t out = (size_t)(c.batch * c.rows[OUT] * c.columns[OUT] * c.channels);
    assert_true(in <= MOST);
    fill_bytes(x, in, (uint32_t)i);
    for (size_t k = 0; k < in; k += 3) x[k] = (uint8_t)(k % 2 ? 0x80 : 0x7f + 0x80 * (k % 4 / 2));
    resize(&c, x, want);
    char text[ROOM];
    write_model(text, &c);
    qn_model *model = load_text(&e, text);
    for (size_t engine = 0; engine < e.count; engine++) {
      qn_executable *executable = compile_for(&e, model, engine);
      guarded from = guarded_create(in), to = guarded_create(out);
      memcpy(from.data, x, in);
      const void *const inputs[] = {from.data};
      void *const outputs[] = {to.data};
      assert_int_equal(qn_executable_invoke(executable, inputs, outputs), QN_OK);
      for (size_t k = 0; k < out; k++)
        if (to.data[k] != want[k])
          fail_msg("case %d at %s, element %zu: %d, not %d\n%s", i, e.names[engine], k, to.data[k],
                   want[k], text);
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
