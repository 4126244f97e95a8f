/* Packed panels compared with the dot products that they represent.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the three above */
#include <cmocka.h>
#include <stdlib.h>

#include "lower/loops/matrix/epilogue/requant.h"
#include "lower/loops/matrix/pack.h"

enum { LANES = 4, VECTORS = 2, TILE = LANES * VECTORS, MAX_TAPS = 40, MAX_SPAN = 160, STYLES = 9 };

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525U + 1013904223U;
  return *state >> 8;
}
static int32_t random_in(uint32_t *state, int32_t lo, int32_t hi) {
  return lo + (int32_t)(next_random(state) % (uint32_t)(hi - lo + 1));
}

/* Ascending taps, consecutive ones in every second round. */
static int64_t random_taps(uint32_t *seed, int round, int64_t *taps) {
  int64_t count = random_in(seed, 1, MAX_TAPS), at = random_in(seed, 0, 3);
  for (int64_t t = 0; t < count; t++, at += random_in(seed, 1, round % 2 ? 1 : 4)) taps[t] = at;
  return count;
}

static void covering_counts_each_tap_once(void **unused) {
  (void)unused;
  uint32_t seed = 1;
  for (int round = 0; round < 2000; round++) {
    int64_t taps[MAX_TAPS], count = random_taps(&seed, round, taps);
    int64_t extent = taps[count - 1] + 1 + random_in(&seed, 0, 2), bytes;
    qn_quad_taps windows[MAX_TAPS];
    uint32_t n = qn_quads_cover(taps, count, extent, windows, &bytes);
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

static void covering_by_pairs_counts_each_tap_once(void **unused) {
  (void)unused;
  uint32_t seed = 1;
  for (int round = 0; round < 2000; round++) {
    int64_t taps[MAX_TAPS], count = random_taps(&seed, round, taps);
    int64_t extent = taps[count - 1] + 8 + random_in(&seed, 0, 2) - random_in(&seed, 0, 7);
    qn_quad_taps windows[2 * MAX_TAPS];
    int seen[MAX_TAPS] = {0};
    if (extent < 8) continue;
    uint32_t n = qn_quads_cover_by_pairs(taps, count, extent, windows);
    assert_int_equal(n % 2, 0);
    for (uint32_t w = 0; w < n; w++) {
      assert_true(windows[w].offset >= 0 && windows[w].offset + 4 <= extent);
      if (w % 2 == 1) assert_int_equal(windows[w].offset, windows[w - 1].offset + 4);
      for (int64_t i = 0; i < 4; i++) {
        if (windows[w].taps[i] < 0) continue;
        assert_int_equal(taps[windows[w].taps[i]], windows[w].offset + i);
        seen[windows[w].taps[i]]++;
      }
    }
    for (int64_t t = 0; t < count; t++) assert_int_equal(seen[t], 1);
  }
}

/* Runs of K-groups that fill a vector come first, in order, and no K-group is lost. */
static void runs_stand_in_front(void **unused) {
  (void)unused;
  static const int64_t offsets[] = {0, 4, 8, 12, 16, 20, 25, 29, 33, 37, 60, 64, 68, 72};
  static const int64_t expected[] = {0, 4, 8, 12, 25, 29, 33, 37, 60, 64, 68, 72, 16, 20};
  enum { COUNT = sizeof offsets / sizeof *offsets };
  qn_arena arena;
  qn_arena_init(&arena);
  qn_quad_taps windows[COUNT];
  for (int i = 0; i < COUNT; i++) windows[i] = (qn_quad_taps){offsets[i], {i, -1, -1, -1}};
  assert_int_equal(qn_quads_form_runs(windows, COUNT, 4, &arena), 3);
  for (int i = 0; i < COUNT; i++) {
    assert_int_equal(windows[i].offset, expected[i]);
    assert_int_equal(offsets[windows[i].taps[0]], expected[i]);
  }
  assert_int_equal(qn_quads_form_runs(windows, 3, 4, &arena), 0);
  qn_arena_deinit(&arena);
}

static int32_t saturate(int32_t x) { return x < -32768 ? -32768 : x > 32767 ? 32767 : x; }

static int32_t wrap16(int32_t x) { return (int16_t)(uint16_t)x; }

/* Reads the bytes of quad q of a step as a kernel does, and the weights of channel c in `w`. */
static void read_quad(const qn_packing *p, const qn_step_form *form, uint32_t q, int64_t c,
                      const uint8_t *w, const uint8_t *x, uint8_t *out_x, int8_t *out_w) {
  uint8_t flip = qn_dot_offset(p->dot, p->weights->x_unsigned) ? 0x80 : 0;
  int64_t v = c / LANES, l = c % LANES, each = 1 + form->owned;
  const uint8_t *own = w + ((form->shared + (q * VECTORS + v) * each) * LANES + l) * 4;
  const uint8_t *mask = form->owned        ? own + 4 * LANES
                        : q < form->shared ? w + (q * LANES + l) * 4
                                           : NULL;
  for (int i = 0; i < 4; i++) out_x[i] = x[i] ^ (mask ? mask[i] : flip);
  const uint8_t *vector = own - 4 * l;
  int64_t run = qn_dot_run(p->dot);
  for (int64_t i = 0; i < 4; i++) out_w[i] = (int8_t)vector[(i / run * LANES + l) * run + i % run];
}

/* The value of a byte as the product instruction reads it. */
static int32_t as_seen(const qn_packing *p, uint8_t byte) {
  return qn_dot_sees_unsigned(p->dot, p->weights->x_unsigned) ? byte : (int8_t)byte;
}

/* The sum of one step for one channel, as a kernel computes it. */
static int32_t run_step(const qn_packing *p, qn_step_kind kind, int64_t c, const uint8_t *bytes,
                        const int32_t *offsets, const uint8_t *x) {
  const qn_step_form *form = qn_step_form_of(kind);
  int32_t halves[2] = {0};
  for (uint32_t q = 0; q < form->quads; q++) {
    uint8_t u[4];
    int8_t w[4];
    read_quad(p, form, q, c, bytes, x + offsets[q], u, w);
    bool grouped = qn_dot_is_grouped(p->dot), saturates = p->dot->saturates;
    int next = grouped ? 2 : 1; /* distance of the two bytes that are added in 16 bits */
    for (int h = 0; h < 2; h++) {
      int a = grouped ? h : 2 * h;
      int32_t sum = as_seen(p, u[a]) * w[a] + as_seen(p, u[a + next]) * w[a + next];
      halves[h] += saturates ? saturate(sum) : sum;
      if (saturates || grouped) halves[h] = wrap16(halves[h]);
    }
  }
  return halves[0] + halves[1];
}

/* Whether a step has the weights of one op for all lanes of the tile, then those of the next. */
static bool is_by_runs(const qn_dot *dot) { return dot->bytes == 2 || dot->single; }

/* Products are added in sums of 16 bits if the product is in groups, else directly. */
static int32_t run_by_runs(const qn_packing *p, qn_step_kind kind, int64_t c, const uint8_t *bytes,
                           const int32_t *offsets, const uint8_t *x) {
  const qn_step_form *form = qn_step_form_of(kind);
  bool grouped = qn_dot_is_grouped(p->dot);
  uint8_t flip = qn_dot_offset(p->dot, p->weights->x_unsigned) ? 0x80 : 0;
  int64_t run = qn_dot_run(p->dot), size = p->dot->bytes, count = 4 * (int64_t)form->quads;
  int64_t each = form->halves ? 2 : count;
  uint32_t all = 0, sum = 0;
  for (int64_t i = 0; i < count; i++) {
    const uint8_t *w = bytes + ((i / run * TILE + c) * run + i % run) * size;
    int32_t value = as_seen(p, x[offsets[i / 4] + i % 4] ^ flip);
    sum += (uint32_t)(value * (size == 2 ? (int16_t)(w[0] | w[1] << 8) : (int8_t)w[0]));
    if ((i + 1) % each != 0) continue;
    all += grouped ? (uint32_t)wrap16((int32_t)sum) : sum;
    sum = 0;
  }
  return (int32_t)all;
}

/* Computes channel `c` of the tile with the panel, on the bytes `x`. */
static int32_t run_panel(const qn_packing *p, qn_panel panel, const uint8_t *bytes,
                         const int32_t *offsets, int32_t start, int64_t c, const uint8_t *x) {
  uint32_t acc = (uint32_t)start;
  for (qn_step_kind k = QN_STEP_PLAIN; k < QN_STEP_KINDS; k++)
    for (uint32_t i = 0; i < panel.steps[k]; i++) {
      bool by_runs = is_by_runs(p->dot);
      acc += (uint32_t)(by_runs ? run_by_runs(p, k, c, bytes, offsets, x)
                                : run_step(p, k, c, bytes, offsets, x));
      bytes += (by_runs ? p->dot->bytes : 1) * 4 * LANES * qn_step_rows(k, VECTORS);
      offsets += qn_step_form_of(k)->quads;
    }
  return (int32_t)acc;
}

static size_t quads_of(qn_panel panel) {
  size_t quads = 0;
  for (qn_step_kind k = QN_STEP_PLAIN; k < QN_STEP_KINDS; k++)
    quads += panel.steps[k] * qn_step_form_of(k)->quads;
  return quads;
}

static size_t bytes_of(const qn_packing *p, qn_panel panel) {
  size_t plain = (size_t)qn_panel_quad_bytes(p, VECTORS), bytes = 0;
  for (qn_step_kind k = QN_STEP_PLAIN; k < QN_STEP_KINDS; k++)
    bytes += panel.steps[k] * plain / VECTORS * qn_step_rows(k, VECTORS);
  return bytes;
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
  case 5:
    return random_in(seed, -30, 30);
  case 6: /* four of one sign are at the limit of 16 bits */
    return random_in(seed, 0, 1) ? 32 : -32;
  case 7:
    return random_in(seed, 31, 33);
  default: /* distributed like trained weights */
    return (random_in(seed, -127, 127) + random_in(seed, -127, 127)) / 3;
  }
}

/* Panels of known size are written by another function, with the same bytes. */
static void check_plain(const qn_packing *p, const int64_t *channels, const qn_byte_array *bytes,
                        const qn_i32_array *offsets, const int32_t *start) {
  assert_int_equal(qn_panels_are_plain(p),
                   qn_dot_is_exact(p->dot) && qn_dot_run(p->dot) == 4 && !p->weights->wide);
  if (!qn_panels_are_plain(p)) return;
  static uint8_t written[MAX_TAPS * TILE * QN_QUAD];
  int32_t own_start[TILE];
  memset(written, 0xAA, sizeof written); /* lanes without a channel must be written, too */
  qn_plain_panel_pack(p, channels, VECTORS * p->lanes, written, own_start);
  assert_int_equal(bytes->count, p->quad_count * qn_panel_quad_bytes(p, VECTORS));
  assert_memory_equal(written, bytes->data, bytes->count);
  assert_int_equal(offsets->count, p->quad_count);
  for (uint32_t w = 0; w < p->quad_count; w++)
    assert_int_equal(offsets->data[w], p->quads[w].offset);
  for (int64_t c = 0; c < TILE; c++) assert_int_equal(own_start[c], start[c]);
}

/* Checks a random product: every channel, with extreme and random bytes. */
static void check_panel(const qn_dot *dot, bool x_unsigned, int style, uint32_t *seed) {
  qn_arena arena;
  qn_arena_init(&arena);
  int64_t taps[MAX_TAPS], count = random_in(seed, 1, MAX_TAPS), at = 0;
  for (int64_t t = 0; t < count; t++, at += random_in(seed, 1, 3)) taps[t] = at;
  int64_t extent = taps[count - 1] + 1, quad_bytes;
  static int32_t values[TILE * MAX_TAPS], bias[TILE];
  for (int64_t i = 0; i < TILE * count; i++) values[i] = random_weight(seed, style);
  for (int64_t c = 0; c < TILE; c++) bias[c] = random_in(seed, -1000000, 1000000);
  bool wide = false;
  for (int64_t i = 0; i < TILE * count; i++) wide |= values[i] != (int8_t)values[i];
  qn_weights weights = {NULL, TILE - 1, count, true, values, bias, x_unsigned, wide, NULL};
  qn_quad_taps windows[MAX_TAPS];
  qn_packing p = {dot, LANES, &weights, windows, 0, &arena, random_in(seed, 0, 3) == 0};
  p.quad_count = qn_quads_cover(taps, count, extent, windows, &quad_bytes);

  int64_t channels[TILE];
  int32_t start[TILE];
  for (int64_t c = 0; c < TILE; c++) channels[c] = c < TILE - 1 ? TILE - 2 - c : -1;
  qn_byte_array bytes = {0};
  qn_i32_array offsets = {0};
  qn_panel panel = qn_panel_pack(&p, channels, VECTORS, &bytes, &offsets, start);
  assert_int_equal(offsets.count, quads_of(panel));
  assert_int_equal(bytes.count, bytes_of(&p, panel));
  check_plain(&p, channels, &bytes, &offsets, start);
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
  const qn_dot *const dots[] = {&qn_dot_pairs,   &qn_dot_saturating,   &qn_dot_unsigned,
                                &qn_dot_signed,  &qn_dot_mixed,        &qn_dot_groups_of_pairs,
                                &qn_dot_singles, &qn_dot_wide_singles, &qn_dot_single_groups,
                                &qn_dot_scalar};
  for (size_t d = 0; d < QN_COUNT(dots); d++)
    for (int style = 0; style < STYLES; style++)
      for (int round = 0; round < 40; round++) check_panel(dots[d], round % 2, style, &seed);
}

/* Returns the numbers of steps of a panel with `quads` quads whose weights are all equal. */
static qn_panel pack_equal(const qn_dot *dot, int32_t weight, int32_t quads, bool bandwidth_bound) {
  qn_arena arena;
  qn_arena_init(&arena);
  int64_t taps[MAX_TAPS], quad_bytes, channels[LANES] = {0, 1, 2, 3}, count = 4 * quads;
  int32_t values[LANES * MAX_TAPS], bias[LANES] = {0}, start[LANES];
  for (int64_t t = 0; t < count; t++) taps[t] = t;
  for (int w = 0; w < LANES * count; w++) values[w] = weight;
  qn_weights weights = {NULL, LANES, count, true, values, bias, true, false, NULL};
  qn_quad_taps windows[MAX_TAPS];
  qn_packing p = {dot, LANES, &weights, windows, 0, &arena, bandwidth_bound};
  p.quad_count = qn_quads_cover(taps, count, count, windows, &quad_bytes);
  qn_byte_array bytes = {0};
  qn_i32_array offsets = {0};
  qn_panel panel = qn_panel_pack(&p, channels, 1, &bytes, &offsets, start);
  qn_array_free(&bytes);
  qn_array_free(&offsets);
  qn_arena_deinit(&arena);
  return panel;
}

/* Products are added in 16 bits if the weights allow it, with masks if needed. Weights that need
 * all 8 bits get one quad per step. */
static void steps_are_as_few_as_possible(void **unused) {
  (void)unused;
  const struct {
    int32_t weight, quads;
    bool bandwidth_bound;
    uint32_t steps[QN_STEP_KINDS];
  } cases[] = {
      {32, 10, false, {[QN_STEP_PAIR] = 5}},        {-32, 10, false, {[QN_STEP_PAIR] = 5}},
      {33, 10, false, {[QN_STEP_SHARED_PAIR] = 5}}, {64, 10, false, {[QN_STEP_SHARED_PAIR] = 5}},
      {64, 1, false, {[QN_STEP_PLAIN] = 1}},        {-64, 1, false, {[QN_STEP_PLAIN] = 1}},
      {65, 2, false, {[QN_STEP_SHARED] = 2}},       {127, 2, false, {[QN_STEP_SHARED] = 2}},
      {32, 10, true, {[QN_STEP_PLAIN] = 10}},       {65, 10, true, {[QN_STEP_SHARED] = 10}},
  };
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_panel panel =
        pack_equal(&qn_dot_saturating, cases[i].weight, cases[i].quads, cases[i].bandwidth_bound);
    assert_memory_equal(panel.steps, cases[i].steps, sizeof panel.steps);
  }
}

/* Eight, four or two products of single bytes per sum of 16 bits, at the limits. */
static void groups_are_as_long_as_sums_fit(void **unused) {
  (void)unused;
  const struct {
    int32_t weight, quads;
    uint32_t steps[QN_STEP_KINDS];
  } cases[] = {
      {31, 10, {[QN_STEP_PAIR] = 5}},
      {32, 3, {[QN_STEP_PLAIN] = 1, [QN_STEP_PAIR] = 1}},
      {-32, 3, {[QN_STEP_PLAIN] = 3}},
      {64, 3, {[QN_STEP_PLAIN] = 3}},
      {-64, 3, {[QN_STEP_HALVES] = 3}},
      {127, 3, {[QN_STEP_HALVES] = 3}},
      {-128, 1, {[QN_STEP_HALVES] = 1, [QN_STEP_PLAIN] = 1}},
  };
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_panel panel = pack_equal(&qn_dot_single_groups, cases[i].weight, cases[i].quads, false);
    assert_memory_equal(panel.steps, cases[i].steps, sizeof panel.steps);
  }
}

/* Compared with the smallest and largest sum for unsigned bytes, at the limits. */
static void sums_of_128_fit(void **unused) {
  (void)unused;
  const struct {
    int32_t weights[4];
    bool fit;
  } cases[] = {
      {{32, 32, 32, 32}, true},      {{32, 32, 32, 33}, false},  {{-32, -32, -32, -32}, true},
      {{-32, -32, -32, -33}, false}, {{127, 1, -127, -1}, true}, {{127, 2, -127, -1}, false},
      {{127, 1, -127, -2}, false},   {{0, 0, -128, 0}, true},    {{1, 0, -128, 127}, true},
      {{0, -1, -128, 0}, false},     {{127, 127, 0, 0}, false},  {{0, 0, 0, 0}, true},
  };
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    int32_t most = 0, least = 0;
    for (int k = 0; k < 4; k++) {
      int32_t extreme = 255 * cases[i].weights[k];
      most += extreme > 0 ? extreme : 0;
      least += extreme < 0 ? extreme : 0;
    }
    assert_int_equal(cases[i].fit, most <= INT16_MAX && least >= INT16_MIN);
    assert_int_equal(qn_sums_fit_16(cases[i].weights, 4), cases[i].fit);
  }
}

/* Channels in one lane that need different bytes complemented have a mask each. */
static void masks_are_shared_where_channels_agree(void **unused) {
  (void)unused;
  qn_arena arena;
  qn_arena_init(&arena);
  for (int disagree = 0; disagree < 2; disagree++) {
    int16_t weights[TILE * 4] = {0};
    weights[0] = weights[1] = 100;
    weights[LANES * 4] = 100;
    weights[LANES * 4 + 1] = disagree ? -100 : 100;
    qn_quad quad = {8, weights};
    qn_quad_step step;
    qn_step_source source = {&quad, 1, VECTORS, LANES, false};
    assert_int_equal(qn_steps_form(&arena, &source, &step), 1);
    assert_int_equal(step.kind, disagree ? QN_STEP_MASKED : QN_STEP_SHARED);
    assert_int_equal(step.flips[0], 1);
    for (int64_t l = 1; l < (disagree ? TILE : LANES); l++) assert_int_equal(step.flips[l], 0);
  }
  qn_arena_deinit(&arena);
}

/* 62, 62 and -66, -66 in a lane of 16 bits fit only if one weight of each quad is negated. So a
 * mask for one of the quads is not enough. */
static void two_quads_have_a_mask_each(void **unused) {
  (void)unused;
  qn_arena arena;
  qn_arena_init(&arena);
  int16_t weights[2][TILE * 4] = {{0}};
  for (int q = 0; q < 2; q++)
    for (int c = 0; c < TILE; c++) weights[q][4 * c] = weights[q][4 * c + 1] = q ? -66 : 62;
  qn_quad quads[2] = {{0, weights[0]}, {4, weights[1]}};
  qn_quad_step steps[2];
  qn_step_source source = {quads, 2, VECTORS, LANES, false};
  assert_int_equal(qn_steps_form(&arena, &source, steps), 1);
  assert_int_equal(steps[0].kind, QN_STEP_MASKED_PAIR);
  for (int l = 0; l < LANES; l++) {
    uint32_t flips = steps[0].flips[l];
    int32_t sum[4];
    for (int i = 0; i < 4; i++) {
      int32_t w = weights[steps[0].quads[i / 2]][4 * l + i % 2];
      sum[i] = flips >> (i / 2 * QN_QUAD + i % 2) & 1 ? -w : w;
    }
    assert_true(qn_sums_fit_16(sum, 4));
  }
  qn_arena_deinit(&arena);
}

/* -128 can't be negated. So -27, -128 fits with 0, -34 only if the other weights of both quads are
 * negated. Quad 1, which only quad 0 fits, is paired first, and quad 3 is paired with 2. */
static void the_lowest_weight_is_left(void **unused) {
  (void)unused;
  static const int16_t lanes[4][4][2] = {{{0, -34}, {90, 90}, {90, 90}, {0, 0}},
                                         {{-27, -128}, {0, 0}, {0, 0}, {90, 90}},
                                         {{90, 90}, {0, 0}, {0, 0}, {0, 0}},
                                         {{0, 0}, {0, 0}, {90, 90}, {90, 90}}};
  qn_arena arena;
  qn_arena_init(&arena);
  int16_t weights[4][TILE * 4] = {{0}};
  qn_quad quads[4];
  for (int q = 0; q < 4; q++) {
    for (int c = 0; c < TILE; c++)
      for (int i = 0; i < 2; i++) weights[q][4 * c + i] = lanes[q][c % LANES][i];
    quads[q] = (qn_quad){4 * q, weights[q]};
  }
  qn_quad_step steps[4];
  qn_step_source source = {quads, 4, VECTORS, LANES, false};
  assert_int_equal(qn_steps_form(&arena, &source, steps), 2);
  for (int s = 0; s < 2; s++)
    for (int c = 0; c < TILE; c++) {
      int32_t sum[4];
      for (int i = 0; i < 4; i++) {
        int32_t w = weights[steps[s].quads[i / 2]][4 * c + i % 2];
        sum[i] = steps[s].flips[c % LANES] >> (i / 2 * QN_QUAD + i % 2) & 1 ? -w : w;
      }
      assert_true(qn_sums_fit_16(sum, 4));
    }
  qn_arena_deinit(&arena);
}

/* Two quads with weights 90 and 90 in one lane can't be paired. So quad 0 can be paired with 1 and
 * 2, and 1 with 0 and 3. All four get a partner if quads with one possible partner are paired
 * first. */
static void those_with_few_partners_are_paired_first(void **unused) {
  (void)unused;
  const bool has[4][LANES] = {
      {[2] = true}, {[0] = true}, {[0] = true, [1] = true}, {[1] = true, [2] = true}};
  qn_arena arena;
  qn_arena_init(&arena);
  int16_t weights[4][TILE * 4] = {{0}};
  qn_quad quads[4];
  for (int q = 0; q < 4; q++) {
    for (int c = 0; c < TILE; c++)
      if (has[q][c % LANES]) weights[q][4 * c] = weights[q][4 * c + 1] = 90;
    quads[q] = (qn_quad){4 * q, weights[q]};
  }
  qn_quad_step steps[4];
  qn_step_source source = {quads, 4, VECTORS, LANES, false};
  assert_int_equal(qn_steps_form(&arena, &source, steps), 2);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(steps[i].kind, QN_STEP_MASKED_PAIR);
    assert_int_equal(steps[i].quads[0] % 2, steps[i].quads[1] % 2);
  }
  qn_arena_deinit(&arena);
}

/* In every lane, the channel of one vector needs one byte complemented, and the channel of the
 * other vector needs both or none. In another order of channels, no masks per channel are needed.
 */
static void channels_that_agree_share_a_lane(void **unused) {
  (void)unused;
  qn_arena arena;
  qn_arena_init(&arena);
  const int64_t tap_count = 4, first = 8;
  int64_t taps[] = {0, 1, 2, 3}, quad_bytes, channels[TILE];
  int32_t values[2 * TILE * 4] = {0}, bias[2 * TILE] = {0}, start[TILE];
  for (int64_t c = 0; c < TILE; c++) {
    int64_t l = c % LANES, v = c / LANES;
    channels[c] = first + qn_epilogue_lane_channel(true, VECTORS, (uint32_t)v, l);
    int32_t *w = &values[channels[c] * tap_count];
    w[0] = 100, w[1] = v == l % 2 ? 100 : -100;
  }
  qn_weights weights = {NULL, 2 * TILE, tap_count, true, values, bias, true, false, NULL};
  qn_quad_taps windows[1];
  qn_packing p = {&qn_dot_saturating, LANES, &weights, windows, 0, &arena, false};
  p.quad_count = qn_quads_cover(taps, tap_count, tap_count, windows, &quad_bytes);
  uint8_t undo[TILE], bytes_of[TILE];
  qn_panel_order(&p, channels, VECTORS, undo);
  for (int64_t c = 0; c < TILE; c++)
    bytes_of[qn_epilogue_lane_channel(true, VECTORS, (uint32_t)(c / LANES), c % LANES)] =
        (uint8_t)(channels[c] - first);
  for (int64_t c = 0; c < TILE; c++) assert_int_equal(bytes_of[undo[c]], c);
  qn_byte_array bytes = {0};
  qn_i32_array offsets = {0};
  qn_panel panel = qn_panel_pack(&p, channels, VECTORS, &bytes, &offsets, start);
  assert_int_equal(panel.steps[QN_STEP_SHARED], 1);
  qn_array_free(&bytes);
  qn_array_free(&offsets);
  qn_arena_deinit(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(covering_counts_each_tap_once),
      cmocka_unit_test(covering_by_pairs_counts_each_tap_once),
      cmocka_unit_test(runs_stand_in_front),
      cmocka_unit_test(panels_are_exact_for_all_weights),
      cmocka_unit_test(sums_of_128_fit),
      cmocka_unit_test(steps_are_as_few_as_possible),
      cmocka_unit_test(groups_are_as_long_as_sums_fit),
      cmocka_unit_test(masks_are_shared_where_channels_agree),
      cmocka_unit_test(two_quads_have_a_mask_each),
      cmocka_unit_test(the_lowest_weight_is_left),
      cmocka_unit_test(those_with_few_partners_are_paired_first),
      cmocka_unit_test(channels_that_agree_share_a_lane),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
