/* Packed panels against the dot products that they stand for.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the three above */
#include <cmocka.h>
#include <stdlib.h>

#include "lower/loops/matrix/pack.h"

enum { LANES = 4, VECTORS = 2, TILE = LANES * VECTORS, MAX_TAPS = 40, MAX_SPAN = 160 };

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525U + 1013904223U;
  return *state >> 8;
}
static int32_t random_in(uint32_t *state, int32_t lo, int32_t hi) {
  return lo + (int32_t)(next_random(state) % (uint32_t)(hi - lo + 1));
}

static void covering_counts_each_tap_once(void **unused) {
  (void)unused;
  uint32_t seed = 1;
  for (int round = 0; round < 2000; round++) {
    int64_t taps[MAX_TAPS], count = random_in(&seed, 1, MAX_TAPS), at = random_in(&seed, 0, 3);
    for (int64_t t = 0; t < count; t++, at += random_in(&seed, 1, round % 2 ? 1 : 4)) taps[t] = at;
    int64_t extent = taps[count - 1] + 1 + random_in(&seed, 0, 2), bytes;
    qn_window windows[MAX_TAPS];
    uint32_t n = qn_windows_cover(taps, count, extent, windows, &bytes);
    int seen[MAX_TAPS] = {0};
    assert_int_equal(bytes, extent < 4 ? extent : 4);
    for (uint32_t w = 0; w < n; w++) {
      assert_true(windows[w].offset >= 0 && windows[w].offset + bytes <= extent);
      for (int64_t i = 0; i < 4; i++) {
        if (windows[w].taps[i] < 0) continue;
        assert_true(i < bytes);
        assert_int_equal(taps[windows[w].taps[i]], windows[w].offset + i);
        seen[windows[w].taps[i]]++;
      }
    }
    for (int64_t t = 0; t < count; t++) assert_int_equal(seen[t], 1);
  }
}

static int32_t saturate(int32_t x) { return x < -32768 ? -32768 : x > 32767 ? 32767 : x; }

/* What a kernel makes of one plain or masked quad, for one channel. */
static int32_t dot_s8(qn_dot_kind dot, const uint8_t *x, const int8_t *w) {
  int32_t low = x[0] * w[0] + x[1] * w[1], high = x[2] * w[2] + x[3] * w[3];
  return dot == QN_DOT_MADD ? saturate(low) + saturate(high) : low + high;
}

/* Runs the panel for channel `c` of the tile on the bytes `x`. */
static int32_t run_panel(const qn_packing *p, qn_panel panel, const uint8_t *bytes,
                         const int32_t *offsets, int32_t start, int64_t c, const uint8_t *x) {
  uint32_t acc = (uint32_t)start;
  uint8_t flip = p->dot != QN_DOT_S16 && !p->weights->x_unsigned ? 0x80 : 0;
  int64_t v = c / LANES, l = c % LANES;
  for (uint32_t q = 0; q < panel.plain + panel.masked; q++) {
    const uint8_t *from = x + offsets[q];
    if (p->dot == QN_DOT_S16) {
      for (int64_t i = 0; i < 4; i++) {
        const uint8_t *w = bytes + (i / 2 * TILE + c) * 4 + i % 2 * 2;
        int32_t value = p->weights->x_unsigned ? from[i] : (int8_t)from[i];
        acc += (uint32_t)(value * (int16_t)(w[0] | w[1] << 8));
      }
      bytes += 8 * TILE;
      continue;
    }
    bool masked = q >= panel.plain;
    int64_t stride = masked ? 8 * LANES : 4 * LANES;
    const uint8_t *w = bytes + v * stride + 4 * l, *mask = w + 4 * LANES;
    uint8_t u[4];
    for (int i = 0; i < 4; i++) u[i] = from[i] ^ (masked ? mask[i] : flip);
    acc += (uint32_t)dot_s8(p->dot, u, (const int8_t *)w);
    bytes += VECTORS * stride;
  }
  return (int32_t)acc;
}

static int32_t random_weight(uint32_t *seed, int style) {
  switch (style) {
  case 0:
    return random_in(seed, -128, 127);
  case 1:
    return random_in(seed, 0, 1) ? -128 : 127;
  case 2:
    return -128;
  case 3:
    return random_in(seed, -255, 255);
  case 4:
    return random_in(seed, 0, 1) ? 255 : -255;
  default:
    return random_in(seed, -30, 30);
  }
}

/* One random product: every channel, extreme and random bytes. */
static void check_panel(qn_dot_kind dot, bool x_unsigned, int style, uint32_t *seed) {
  qn_arena arena;
  qn_arena_init(&arena);
  int64_t taps[MAX_TAPS], count = random_in(seed, 1, MAX_TAPS), at = 0;
  for (int64_t t = 0; t < count; t++, at += random_in(seed, 1, 3)) taps[t] = at;
  int64_t extent = taps[count - 1] + 1, window_bytes;
  static int32_t values[TILE * MAX_TAPS], bias[TILE];
  for (int64_t i = 0; i < TILE * count; i++) values[i] = random_weight(seed, style);
  for (int64_t c = 0; c < TILE; c++) bias[c] = random_in(seed, -1000000, 1000000);
  qn_weights weights = {NULL, TILE - 1, count, true, values, bias, x_unsigned, NULL};
  qn_window windows[MAX_TAPS];
  qn_packing p = {dot, LANES, &weights, windows, 0, &arena};
  p.window_count = qn_windows_cover(taps, count, extent, windows, &window_bytes);

  int64_t channels[TILE];
  int32_t start[TILE];
  for (int64_t c = 0; c < TILE; c++) channels[c] = c < TILE - 1 ? TILE - 2 - c : -1;
  qn_byte_array bytes = {0};
  qn_i32_array offsets = {0};
  qn_panel panel = qn_panel_pack(&p, channels, VECTORS, &bytes, &offsets, start);
  assert_int_equal(offsets.count, panel.plain + panel.masked);
  assert_int_equal(bytes.count,
                   (panel.plain + 2 * panel.masked) * qn_panel_quad_bytes(&p, VECTORS));
  for (int round = 0; round < 8; round++) {
    uint8_t x[MAX_SPAN + 4];
    for (int64_t i = 0; i < extent; i++) {
      x[i] = (uint8_t)next_random(seed);
      if (round < 2) x[i] = round ? 255 : 0;
      if (round == 2) x[i] = x[i] & 1 ? 255 : 0;
      if (round == 3) x[i] = x_unsigned ? 255 : 127;
    }
    for (int64_t c = 0; c < TILE - 1; c++) {
      int64_t sum = bias[channels[c]];
      for (int64_t t = 0; t < count; t++)
        sum += qn_weights_of(&weights, channels[c])[t] *
               (x_unsigned ? x[taps[t]] : (int8_t)x[taps[t]]);
      assert_int_equal((int32_t)sum,
                       run_panel(&p, panel, bytes.data, offsets.data, start[c], c, x));
    }
  }
  qn_array_free(&bytes);
  qn_array_free(&offsets);
  qn_arena_deinit(&arena);
}

static void panels_are_exact_for_all_weights(void **unused) {
  (void)unused;
  uint32_t seed = 7;
  const qn_dot_kind dots[] = {QN_DOT_S16, QN_DOT_MADD, QN_DOT_U8S8};
  for (size_t d = 0; d < QN_COUNT(dots); d++)
    for (int style = 0; style < 6; style++)
      for (int round = 0; round < 40; round++) check_panel(dots[d], round % 2, style, &seed);
}

/* Small weights need no masks, weights of 8 bits no further quads. */
static void quads_are_as_few_as_possible(void **unused) {
  (void)unused;
  qn_arena arena;
  qn_arena_init(&arena);
  int64_t taps[8] = {0, 1, 2, 3, 4, 5, 6, 7}, window_bytes, channels[LANES] = {0, 1, 2, 3};
  int32_t values[LANES * 8], bias[LANES] = {0}, start[LANES];
  const struct {
    int32_t weight;
    uint32_t plain, masked;
  } cases[] = {{64, 2, 0}, {65, 0, 2}, {127, 0, 2}, {-64, 2, 0}};
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    for (int w = 0; w < LANES * 8; w++) values[w] = cases[i].weight;
    qn_weights weights = {NULL, LANES, 8, true, values, bias, true, NULL};
    qn_window windows[8];
    qn_packing p = {QN_DOT_MADD, LANES, &weights, windows, 0, &arena};
    p.window_count = qn_windows_cover(taps, 8, 8, windows, &window_bytes);
    qn_byte_array bytes = {0};
    qn_i32_array offsets = {0};
    qn_panel panel = qn_panel_pack(&p, channels, 1, &bytes, &offsets, start);
    assert_int_equal(panel.plain, cases[i].plain);
    assert_int_equal(panel.masked, cases[i].masked);
    qn_array_free(&bytes);
    qn_array_free(&offsets);
  }
  qn_arena_deinit(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(covering_counts_each_tap_once),
      cmocka_unit_test(panels_are_exact_for_all_weights),
      cmocka_unit_test(quads_are_as_few_as_possible),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
