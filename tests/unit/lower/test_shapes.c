/* Tile shapes of matrix products, compared with an exhaustive search by the cost model and, for
 * AMX, with measurements.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the three above */
#include <cmocka.h>

#include "ir/ops/tile.h"
#include "lower/loops/matrix/bytes.h"
#include "lower/loops/matrix/tiles/packing.h"

enum { MAX_VECTORS = QN_EPILOGUE_MAX_VECTORS };
static const double tolerance = 1.05;
static const char tiles_level[] = "x86-64-amx";

/* ---- products ---- */

typedef struct shape {
  int64_t height, width, kernel_height, kernel_width, stride, dilation, depth, channels;
} shape;

static const shape shapes[] = {
#define SHAPE(...) {__VA_ARGS__},
#include "matrix_shapes.def"
#undef SHAPE
};

static const qn_weights weights = {.x_unsigned = true, .constant = true};
static const qn_bytes_product of_bytes = {.weights = &weights};

/* The micro-kernels without their functions that need weights. */
typedef struct costs {
  qn_gemm_micro of[QN_GEMM_CANDIDATES];
  const qn_gemm_micro *list[QN_GEMM_CANDIDATES + 1];
} costs;
static void set_costs(costs *c) {
  for (uint32_t i = 0; qn_bytes_candidates[i]; i++) {
    c->of[i] = *qn_bytes_candidates[i];
    c->of[i].choose = NULL;
    c->list[i] = &c->of[i], c->list[i + 1] = NULL;
  }
}

/* A convolution without border. Its taps are in `arena`. */
static qn_gemm product(qn_arena *arena, const qn_target *target, const shape *s) {
  int64_t taps = s->kernel_height * s->kernel_width * s->depth, t = 0;
  int64_t *at = QN_NEW_ARRAY(arena, (size_t)taps, int64_t);
  int64_t columns = (s->width - 1) * s->stride + (s->kernel_width - 1) * s->dilation + 1;
  int64_t row = columns * s->depth;
  for (int64_t ky = 0; ky < s->kernel_height; ky++)
    for (int64_t kx = 0; kx < s->kernel_width; kx++)
      for (int64_t c = 0; c < s->depth; c++)
        at[t++] = ky * s->dilation * row + kx * s->dilation * s->depth + c;
  (void)target;
  return (qn_gemm){.channels = s->channels,
                   .tap_count = taps,
                   .taps = at,
                   .extent = at[taps - 1] + 1,
                   .groups = 1,
                   .counts = {1, s->height, s->width},
                   .strides = {0, s->stride * row, s->stride * s->depth},
                   .y_strides = {0, s->width * s->channels, s->channels},
                   .own = &of_bytes};
}

/* ---- exhaustive search ---- */

/* `rows` rows of `pixels` pixels each. Some pixels may be unused ones between rows. */
typedef struct layout {
  int64_t rows, pixels;
  int64_t most; /* pixels per tile; 0: as many as fit */
} layout;

enum { MAX_LAYOUTS = 3 };

static uint32_t layouts_of(const qn_gemm *g, const qn_gemm_micro *micro, layout out[MAX_LAYOUTS]) {
  enum { ADDRESSES = 8 };
  int64_t height = g->counts[1], width = g->counts[2];
  bool dense = g->strides[1] == width * g->strides[2];
  if (dense || height == 1) {
    out[0] = (layout){1, height * width, 0};
    return 1;
  }
  uint32_t count = 0;
  out[count++] = (layout){height, width, 0};
  if (micro->wraps_rows) out[count++] = (layout){1, height * width, width < 8 ? width : ADDRESSES};
  if (micro->row_padding_ok && g->strides[1] % g->strides[2] == 0)
    out[count++] = (layout){1, (height - 1) * (g->strides[1] / g->strides[2]) + width, 0};
  return count;
}

/* Cycles of the steps of a row in blocks of `rows` pixels. If tile_rows is not 0, in AMX tiles of
 * tile_rows rows, the last of which overlaps the one before. */
static double row_cycles(const qn_gemm *g, const qn_gemm_micro *micro, const qn_target *target,
                         int64_t pixels, int64_t rows, int64_t tile_rows, uint32_t vectors) {
  double cycles = (double)(pixels / rows) * micro->step_cycles(g, target, rows, vectors);
  int64_t rest = pixels % rows;
  if (tile_rows != 0) rest = (rest + tile_rows - 1) / tile_rows * tile_rows;
  if (rest == 0) return cycles;
  cycles += micro->step_cycles(g, target, rest, vectors);
  return tile_rows == 0 ? cycles * (1 + QN_GEMM_LOOP_COST) : cycles;
}

static double best_row(const qn_gemm *g, const qn_gemm_micro *micro, const qn_target *target,
                       const layout *l, int64_t tile_rows, uint32_t vectors) {
  double best = 0;
  int64_t most = micro->most_rows(g, target, vectors);
  if (l->most != 0 && most > l->most) most = l->most;
  int64_t first = tile_rows == 0 ? 1 : tile_rows, step = first;
  for (int64_t rows = first; rows <= most; rows += step) {
    double cycles = row_cycles(g, micro, target, l->pixels, rows, tile_rows, vectors);
    if (rows == first || cycles < best) best = cycles;
  }
  return best;
}

/* All steps, also those that use a part of a vector. */
static double steps_of(const qn_gemm *g, const qn_gemm_micro *micro) {
  return (double)micro->steps(g);
}

/* The lowest cost, over all heights, of full tiles of n vectors and a remainder. */
static double search_width(const qn_gemm *g, const qn_gemm_micro *micro, const qn_target *target,
                           const layout *l, int64_t tile_rows, int64_t vectors, int64_t n) {
  uint32_t full = (uint32_t)n, rest = (uint32_t)(vectors % n);
  double count = (double)(vectors / n), steps = steps_of(g, micro), pixels = (double)l->pixels;
  double cycles = count * (steps * best_row(g, micro, target, l, tile_rows, full) +
                           pixels * micro->finish_cycles(target, full));
  if (rest != 0) {
    cycles += steps * best_row(g, micro, target, l, tile_rows, rest) +
              pixels * micro->finish_cycles(target, rest);
    cycles *= 1 + QN_GEMM_LOOP_COST;
  }
  return cycles * (double)l->rows;
}

static int64_t vectors_of(const qn_gemm *g, const qn_target *target) {
  int64_t lanes = target->vector_bytes / (int64_t)sizeof(int32_t);
  return (g->channels + lanes - 1) / lanes;
}

static bool is_tiles(const qn_gemm_micro *micro) { return micro->row_padding_ok; }

static double search(const qn_gemm *g, const qn_gemm_micro *micro, const qn_target *target) {
  layout all[MAX_LAYOUTS];
  uint32_t count = layouts_of(g, micro, all);
  int64_t vectors = vectors_of(g, target);
  double best = 0;
  for (uint32_t l = 0; l < count; l++)
    for (int64_t n = 1; n <= MAX_VECTORS && n <= vectors; n++) {
      int64_t first = is_tiles(micro) ? 1 : 0, last = is_tiles(micro) ? QN_TILE_ROWS : 0;
      for (int64_t t = first; t <= last && t <= all[l].pixels; t++) {
        double cycles = search_width(g, micro, target, &all[l], t, vectors, n);
        if (best == 0 || cycles < best) best = cycles;
      }
    }
  return best;
}

/* ---- the plan ---- */

/* Rows of the AMX tiles; 0 if the micro-kernel does not use AMX. */
static int64_t rows_of(const qn_gemm *g, const qn_target *target, const qn_gemm_plan *plan) {
  return is_tiles(g->micro) ? qn_tiles_rows(target, plan->pixels) : 0;
}

static double plan_cycles(const qn_gemm *g, const qn_target *target, const qn_gemm_plan *plan) {
  double cycles = 0;
  for (uint32_t s = 0; s < plan->segment_count; s++) {
    const qn_gemm_segment *segment = &plan->segments[s];
    uint32_t vectors = plan->tiles[segment->begin].vectors;
    double row = row_cycles(g, g->micro, target, plan->pixels, segment->rows,
                            rows_of(g, target, plan), vectors);
    row = row * steps_of(g, g->micro) +
          g->micro->finish_cycles(target, vectors) * (double)plan->pixels;
    cycles += row * (double)(segment->end - segment->begin);
  }
  if (plan->segment_count > 1) cycles *= 1 + QN_GEMM_LOOP_COST;
  return cycles * (double)(plan->row_count[0] * plan->row_count[1]);
}

/* Chooses the micro-kernel of a product, and returns its plan. */
static qn_gemm_plan cut(qn_arena *arena, const qn_target *target, qn_gemm *g, const costs *c) {
  g->candidates = c->list;
  *g = qn_gemm_with(g, qn_gemm_choose(arena, g, target).micro, target);
  return qn_gemm_tile_shapes(arena, target, g);
}

/* The minimum cost over all micro-kernels that support the problem. */
static double search_all(const qn_gemm *g, const qn_target *target, const costs *c) {
  double best = 0;
  for (uint32_t i = 0; c->list[i]; i++) {
    if (c->list[i]->problem(g, target)) continue;
    qn_gemm with = qn_gemm_with(g, c->list[i], target);
    double cycles = search(&with, c->list[i], target);
    if (best == 0 || cycles < best) best = cycles;
  }
  return best;
}

static void plans_are_the_best(void **state) {
  costs c;
  set_costs(&c);
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  (void)state;
  for (uint32_t i = 0; i < count; i++)
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
      const qn_target *target = &levels[i];
      const shape *s = &shapes[k];
      qn_arena arena;
      qn_arena_init(&arena);
      qn_gemm g = product(&arena, target, s);
      double best = search_all(&g, target, &c);
      qn_gemm_plan plan = cut(&arena, target, &g, &c);
      double cycles = plan_cycles(&g, target, &plan);
      if (cycles > tolerance * best)
        fail_msg(
            "%s: %dx%d, kernel %dx%d, %d -> %d: %.0f cycles in %s of %d x %d, but %.0f can be had",
            target->name, (int)s->height, (int)s->width, (int)s->kernel_height,
            (int)s->kernel_width, (int)s->depth, (int)s->channels, cycles, g.micro->name,
            (int)plan.segments[0].rows, (int)plan.tiles[0].vectors, best);
      qn_gemm_plan_deinit(&plan);
      qn_arena_deinit(&arena);
    }
}

/* ---- measurements ---- */

/* Microseconds of a product in blocks of 2 x 2 and of 1 x 4 AMX tiles, measured with weights that
 * are not in caches. */
typedef struct measured {
  int64_t pixels, channels, taps;
  double two_by_two, one_by_four;
} measured;

static const measured figures[] = {
    {784, 192, 32, 11.7, 11},    {196, 64, 192, 2.5, 2.7},     {196, 384, 64, 6.8, 6.5},
    {196, 64, 384, 4.3, 4.4},    {196, 576, 96, 12.2, 12.5},   {49, 960, 160, 7.5, 13.8},
    {49, 320, 960, 14.9, 27.9},  {49, 1280, 320, 17.4, 35.2},  {12544, 64, 32, 59.8, 55.7},
    {3136, 128, 64, 32.9, 28},   {3136, 128, 128, 40.3, 37.9}, {784, 256, 128, 21.6, 19.5},
    {784, 256, 256, 31.4, 30.2}, {196, 512, 256, 19.8, 18.3},  {196, 512, 512, 39, 42},
    {49, 1024, 512, 24.7, 29.8}, {49, 1024, 1024, 52, 68},     {3136, 64, 64, 16, 14.6},
    {3136, 256, 64, 67.6, 57},   {3136, 64, 256, 29.7, 29.8},  {3136, 128, 256, 59.8, 56},
    {784, 512, 256, 61, 59},     {784, 128, 512, 28.7, 29.8},  {784, 512, 128, 45.5, 37.8},
    {784, 256, 512, 57, 59.4},   {196, 1024, 512, 70, 82},     {196, 256, 1024, 38.6, 45},
    {196, 1024, 256, 40.8, 42},  {196, 512, 1024, 68.6, 89},   {49, 2048, 1024, 106, 132},
    {49, 512, 2048, 59, 85},     {49, 2048, 512, 48.7, 72},    {128, 768, 768, 52, 76},
    {128, 3072, 768, 203, 265},  {128, 768, 3072, 205, 281},
};

/* The rounding error of a figure. */
static double half_a_digit(double figure) { return figure < 100 ? 0.05 : 0.5; }

static void tiles_are_the_fastest_measured(void **state) {
  costs c;
  set_costs(&c);
  const qn_target *target = qn_target_find(qn_str_of(tiles_level));
  (void)state;
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    const measured *m = &figures[i];
    const shape s = {1, m->pixels, 1, 1, 1, 1, m->taps, m->channels};
    qn_arena arena;
    qn_arena_init(&arena);
    qn_gemm g = product(&arena, target, &s);
    qn_gemm_plan plan = cut(&arena, target, &g, &c);
    assert_string_equal(g.micro->name, qn_gemm_tiles.name);
    uint32_t vectors = plan.tiles[0].vectors;
    assert_true(vectors == 2 || vectors == 4);
    double taken = vectors == 2 ? m->two_by_two : m->one_by_four;
    double other = vectors == 2 ? m->one_by_four : m->two_by_two;
    if (taken - half_a_digit(taken) > tolerance * (other + half_a_digit(other)))
      fail_msg("%d x %d x %d in tiles of %u vectors: %g us, but %g us were measured",
               (int)m->pixels, (int)m->channels, (int)m->taps, vectors, taken, other);
    qn_gemm_plan_deinit(&plan);
    qn_arena_deinit(&arena);
  }
}

/* 3136 pixels, 128 channels: microseconds with AMX tiles and with vector products. */
static void tiles_are_taken_where_they_were_faster(void **state) {
  static const struct {
    int64_t taps;
    double tiles, vectors;
  } rows[] = {{8, 29.1, 22.7},  {24, 29.4, 51.0}, {32, 29.6, 60.9}, {48, 31.2, 81.6},
              {64, 29.6, 96.1}, {96, 39.4, 139},  {128, 37.8, 183}, {256, 57.5, 342}};
  const qn_target *target = qn_target_find(qn_str_of(tiles_level));
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const shape s = {1, 3136, 1, 1, 1, 1, rows[i].taps, 128};
    qn_arena arena;
    qn_arena_init(&arena);
    qn_gemm g = product(&arena, target, &s);
    g.candidates = qn_bytes_candidates;
    bool wins = qn_gemm_choose(&arena, &g, target).micro == &qn_gemm_tiles;
    assert_int_equal(wins, rows[i].tiles < rows[i].vectors);
    qn_arena_deinit(&arena);
  }
}

/* Short rows are joined to one row: if pixels of x are equally spaced over all rows, or with unused
 * pixels between rows whose results are discarded. Rows that fill tiles are not joined. */
static void tiles_go_on_over_rows(void **state) {
  static const struct {
    shape s;
    int64_t border, row_pitch, row_padding, tile_rows; /* of y */
  } cases[] = {
      {{7, 7, 3, 3, 1, 1, 512, 512}, 0, 9, 2, 16}, {{14, 14, 3, 3, 1, 1, 256, 256}, 0, 16, 2, 16},
      {{56, 56, 3, 3, 1, 1, 64, 64}, 0, 0, 0, 14}, {{28, 28, 3, 3, 1, 1, 128, 128}, 0, 0, 0, 14},
      {{7, 7, 1, 1, 1, 1, 160, 960}, 2, 7, 0, 13}, {{14, 14, 1, 1, 1, 1, 96, 576}, 2, 0, 0, 14},
      {{7, 7, 1, 1, 1, 1, 160, 960}, 0, 0, 0, 13}};
  costs c;
  set_costs(&c);
  const qn_target *target = qn_target_find(qn_str_of(tiles_level));
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    qn_arena arena;
    qn_arena_init(&arena);
    qn_gemm g = product(&arena, target, &cases[i].s);
    g.y_strides[1] += cases[i].border * g.channels;
    qn_gemm_plan plan = cut(&arena, target, &g, &c);
    assert_int_equal(plan.row_pitch, cases[i].row_pitch);
    assert_int_equal(plan.row_padding, cases[i].row_padding);
    assert_int_equal(rows_of(&g, target, &plan), cases[i].tile_rows);
    if (plan.row_pitch != 0)
      assert_int_equal(plan.pixels, cases[i].s.height * plan.row_pitch - plan.row_padding);
    qn_gemm_plan_deinit(&plan);
    qn_arena_deinit(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plans_are_the_best),
      cmocka_unit_test(tiles_are_the_fastest_measured),
      cmocka_unit_test(tiles_are_taken_where_they_were_faster),
      cmocka_unit_test(tiles_go_on_over_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
