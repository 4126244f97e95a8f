/* Convolutions and matrix products of unusual shapes as machine code, compared with the plain
 * computation. The loops of every level are compiled for that level if this machine supports it,
 * else for the level `generic`.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "ir/walk.h"
#include "lower/lower.h"
#include "tests/support/matrix_case.h"
#include "tests/support/tiles/tile_traps.h"

/* Products across a vector (Helium) that were compiled. */
static uint32_t products_across;

static bool count_product(qn_op *op, void *user) {
  (void)user;
  products_across += op->kind == QN_OP_QUERN_DOT && op->results[0].type->shaped.dims[0] == 1;
  return true;
}

/* The kernels of a microcontroller run with the pointers of this machine. */
static void run_level(fixture *f, const qn_case_data *data, const qn_target *target,
                      const uint8_t *x, uint8_t *y) {
  qn_module *module = qn_case_module(&f->cx, data);
  qn_target here = *target;
  here.index_bits = 64;
  qn_lower_config config = {.target = &here};
  const qn_pass *passes[] = {&qn_pass_lower_to_loops};
  qn_pipeline_options pipeline = {.config = &config};
  fixture_expect(f, qn_pipeline_run(module, passes, 1, &pipeline), QN_OK);
  if (target->across) (void)qn_walk_pre(module->op, count_product, NULL);
  bool is_own = qn_codegen_host_runs(target);
  qn_codegen_options options = fixture_options(f, is_own ? target->name : "generic");
  qn_jit *jit = NULL;
  fixture_expect(f, qn_jit_create(module, &options, &jit), QN_OK);
  const qn_abi_model *model = qn_jit_model(jit);
  size_t bytes = (size_t)(model->arena_bytes + QN_ABI_ALIGN) / QN_ABI_ALIGN * QN_ABI_ALIGN;
  void *arena = aligned_alloc(QN_ABI_ALIGN, bytes);
  memset(arena, 0x55, bytes);
  qn_abi_call call = {.inputs = (const void *[]){x, data->stored, data->given_bias},
                      .outputs = (void *[]){y},
                      .arena = arena};
  model->invoke(&call);
  free(arena);
  qn_jit_destroy(jit);
  qn_module_destroy(module);
}

/* Compares the loops of one level, or of all. */
static void check_at(const qn_case *shape, const qn_target *only) {
  fixture f;
  qn_arena arena;
  fixture_init(&f);
  qn_arena_init(&arena);
  qn_case_data data = qn_case_make(&arena, shape);
  uint32_t seed = shape->seed, count;
  size_t y_bytes = (size_t)data.y_count;
  uint8_t *x = qn_arena_alloc(&arena, (size_t)data.x_count), *y = qn_arena_alloc(&arena, y_bytes);
  uint8_t *expected = qn_arena_alloc(&arena, y_bytes);
  qn_case_fill(&data, &seed, x);
  qn_case_reference(&data, x, expected);
  const qn_target *targets = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++) {
    if (only && only != &targets[i]) continue;
    if (!only && targets[i].index_bits != 64) continue; /* run on boards, and by tests below */
    memset(y, 0xaa, y_bytes);
    run_level(&f, &data, &targets[i], x, y);
    const char *difference =
        qn_case_difference(&arena, shape, targets[i].name, y, expected, data.y_count);
    if (difference) fail_msg("%s", difference);
  }
  qn_arena_deinit(&arena);
  fixture_deinit(&f);
}

static void check(const qn_case *shape) { check_at(shape, NULL); }

static qn_case base(qn_case_op op, qn_case_weights weights, uint32_t seed) {
  qn_case s = qn_case_plain(op, weights);
  s.scale = 0.002, s.zero_point = -3, s.min = -128, s.max = 127, s.seed = seed;
  return s;
}

static void linears(void **state) {
  static const int64_t shapes[][3] = {{1, 1, 1}, {5, 17, 33}, {13, 64, 40}}; /* rows, K, units */
  (void)state;
  for (size_t i = 0; i < QN_COUNT(shapes); i++) {
    qn_case s = base(QN_CASE_LINEAR, (qn_case_weights)(i + 1), (uint32_t)i + 1);
    s.batch = shapes[i][0], s.channels = shapes[i][1], s.out_channels = shapes[i][2];
    check(&s);
  }
}

static void convolutions(void **state) {
  static const int64_t shapes[][4] = {
      {1, 3, 3, 8}, {2, 3, 17, 33}, {1, 1, 32, 65}}; /* stride, k, in, out */
  (void)state;
  for (size_t i = 0; i < QN_COUNT(shapes); i++) {
    qn_case s = base(QN_CASE_CONV, (qn_case_weights)i, (uint32_t)i + 7);
    s.height = 6, s.width = 9, s.stride = shapes[i][0],
    s.kernel_height = s.kernel_width = shapes[i][1];
    s.channels = shapes[i][2], s.out_channels = shapes[i][3];
    check(&s);
  }
}

/* Rows end within a tile of pixels: of an input with a border, with stride 2, and of several
 * images. */
static void rows_end_within_tiles(void **state) {
  static const int64_t shapes[][5] = {/* height, width, stride, kernel, batch */
                                      {9, 9, 1, 3, 1},   {16, 16, 1, 3, 1}, {15, 15, 2, 3, 1},
                                      {13, 13, 2, 1, 1}, {4, 19, 1, 2, 2},  {11, 10, 1, 3, 2}};
  (void)state;
  for (size_t i = 0; i < QN_COUNT(shapes); i++) {
    const int64_t *v = shapes[i];
    qn_case s = base(QN_CASE_CONV, (qn_case_weights)(i % QN_CASE_WHOLE), (uint32_t)i + 11);
    s.height = v[0], s.width = v[1], s.stride = v[2], s.kernel_height = s.kernel_width = v[3];
    s.batch = v[4], s.channels = 20, s.out_channels = 24 + 16 * (int64_t)i;
    s.x_unsigned = i % 2 == 0;
    check(&s);
  }
}

/* Groups with one quad of input channels each share a vector where their output channels fill it.
 */
static void grouped_convolutions(void **state) {
  static const int64_t shapes[][6] = {
      /* width, stride, kernel, in, out, groups */
      {19, 1, 3, 4, 4, 8},  {9, 2, 3, 4, 2, 16}, {17, 1, 1, 4, 1, 32}, {7, 1, 3, 4, 8, 4},
      {5, 1, 2, 4, 3, 8},   {18, 1, 3, 4, 4, 3}, {10, 1, 3, 8, 4, 8},  {11, 1, 3, 3, 4, 4},
      {16, 1, 3, 4, 16, 2}, {21, 3, 3, 4, 4, 16}};
  (void)state;
  for (size_t i = 0; i < QN_COUNT(shapes); i++) {
    const int64_t *v = shapes[i];
    qn_case s = base(QN_CASE_CONV, (qn_case_weights)(i % QN_CASE_WHOLE), (uint32_t)i + 31);
    s.height = 5, s.width = v[0], s.stride = v[1], s.kernel_height = s.kernel_width = v[2];
    s.groups = v[5], s.channels = v[3] * v[5], s.out_channels = v[4] * v[5];
    s.batch = 1 + (int64_t)i % 2, s.x_unsigned = i % 3 == 0;
    check(&s);
  }
}

static void depthwise_convolutions(void **state) {
  static const int64_t shapes[][4] = {/* stride, kernel, channels, width */
                                      {1, 3, 24, 8},   {2, 3, 97, 8},   {1, 5, 17, 8},
                                      {1, 3, 64, 9},   {2, 3, 128, 11}, {3, 2, 64, 13},
                                      {1, 4, 16, 12},  {1, 3, 64, 3},   {2, 3, 64, 5},
                                      {1, 3, 144, 10}, {1, 3, 80, 10}};
  (void)state;
  for (size_t i = 0; i < QN_COUNT(shapes); i++) {
    qn_case s = base(QN_CASE_DEPTHWISE, (qn_case_weights)(i % QN_CASE_WHOLE), (uint32_t)i + 11);
    s.stride = shapes[i][0], s.kernel_height = s.kernel_width = shapes[i][1];
    s.channels = s.out_channels = shapes[i][2];
    s.height = 7, s.width = shapes[i][3];
    s.x_unsigned = i % 2 == 0;
    check(&s);
  }
}

/* Constants of the level `generic` without zeros: the last vector of channels of a single pixel
 * holds further weights of its one or two channels, for whole runs of quads and single ones; one
 * weight per channel; a last tap without a second one; one multiplier for all channels. */
static void constants_without_zeros(void **state) {
  static const qn_case_weights weights[] = {QN_CASE_FULL, QN_CASE_RAISED, QN_CASE_TRAINED};
  static const int64_t depths[] = {1, 7, 16, 22, 45}, counts[] = {1, 2, 3, 5, 6, 10, 14, 17};
  const qn_target *generic = qn_target_find(qn_str_of("generic"));
  uint32_t seed = 1;
  (void)state;
  for (size_t k = 0; k < QN_COUNT(depths); k++)
    for (size_t n = 0; n < QN_COUNT(counts); n++, seed++) {
      qn_case s = base(QN_CASE_LINEAR, weights[seed % QN_COUNT(weights)], seed);
      s.batch = seed % 4 == 0 ? 3 : 1, s.channels = depths[k], s.out_channels = counts[n];
      s.alike = seed / 2 % 2, s.real = seed / 3 % 2, s.x_unsigned = seed / 5 % 2;
      check_at(&s, generic);
    }
  static const int64_t kernels[][2] = {{1, 1}, {1, 3}, {3, 3}, {2, 2}, {3, 5}, {5, 5}};
  for (size_t i = 0; i < 4 * QN_COUNT(kernels); i++, seed++) { /* one pixel, or several */
    qn_case s = base(QN_CASE_DEPTHWISE, weights[seed % QN_COUNT(weights)], seed);
    s.kernel_height = kernels[i / 4][0], s.kernel_width = kernels[i / 4][1];
    s.height = s.kernel_height, s.width = s.kernel_width + (i % 2 == 0 ? 6 : 0);
    s.channels = s.out_channels = i % 4 < 2 ? 8 : 37;
    s.alike = seed / 2 % 2, s.real = seed / 3 % 2;
    check_at(&s, generic);
  }
}

/* ---- microcontrollers, in generic code ---- */

/* Linear layers and convolutions with each remainder of bytes and of channels. */
static void check_remainders(const qn_target *target) {
  static const int64_t bytes[] = {1, 3, 4, 7, 16, 17, 20, 31, 32, 36, 48, 61, 131};
  static const qn_case_weights weights[] = {QN_CASE_FULL, QN_CASE_RAISED, QN_CASE_TRAINED};
  uint32_t seed = 1;
  for (size_t k = 0; k < QN_COUNT(bytes); k++)
    for (int64_t channels = 1; channels <= 10; channels++, seed++) {
      qn_case s = base(QN_CASE_LINEAR, weights[seed % QN_COUNT(weights)], seed);
      s.batch = 1 + seed % 3, s.channels = bytes[k], s.out_channels = channels;
      s.alike = seed / 2 % 2, s.real = seed / 3 % 2;
      check_at(&s, target);
    }
  for (uint32_t i = 0; i < 40; i++, seed++) {
    qn_case s =
        base(i % 4 == 3 ? QN_CASE_DEPTHWISE : QN_CASE_CONV, weights[i % QN_COUNT(weights)], seed);
    s.kernel_height = 1 + i % 3, s.kernel_width = 1 + i / 3 % 3, s.stride = 1 + i % 2;
    s.height = s.kernel_height + 3, s.width = s.kernel_width + 2 + i % 5;
    s.channels = 1 + i * 7 % 21, s.out_channels = i % 4 == 3 ? s.channels : 1 + i % 9;
    check_at(&s, target);
  }
}

/* Sums of a vector's products in a scalar register. */
static void products_across_vectors(void **state) {
  (void)state;
  products_across = 0;
  check_remainders(qn_target_find(qn_str_of("cortex-m55")));
  assert_true(products_across > 500);
}

/* Lanes that are scalar registers, of which the last ones of a layer have no channel and no
 * constants. */
static void lanes_in_scalars(void **state) {
  (void)state;
  check_remainders(qn_target_find(qn_str_of("cortex-m4")));
}

/* ---- tiles ---- */

/* Compares at the level with AMX tiles. Returns whether AMX instructions were executed; true if
 * that is unknown. */
static bool check_tiles(const qn_case *shape) {
  bool is_counted = qn_tile_traps_start();
  uint64_t before = qn_tile_traps_count();
  check_at(shape, qn_target_find(qn_str_of("x86-64-amx")));
  return !is_counted || qn_tile_traps_count() > before;
}

static void skip_without_tiles(void) {
  if (!qn_codegen_host_runs(qn_target_find(qn_str_of("x86-64-amx")))) skip();
}

/* Every remainder of pixels, of bytes that are summed, and of channels; signed and unsigned. */
static void tile_remainders(void **state) {
  static const int64_t pixels[] = {4, 5, 8, 13, 15, 16, 17, 31, 32, 33, 47, 49, 65};
  static const int64_t bytes[] = {32, 36, 63, 64, 68, 100, 127, 128, 131, 257};
  static const int64_t channels[] = {16, 17, 31, 32, 33, 48, 63, 64, 65, 80, 100, 130};
  uint32_t of_tiles = 0;
  (void)state;
  skip_without_tiles();
  for (uint32_t i = 0; i < 60; i++) {
    qn_case s = base(QN_CASE_LINEAR, (qn_case_weights)(i % QN_CASE_WHOLE), i + 1);
    s.batch = pixels[i % QN_COUNT(pixels)], s.channels = bytes[i % QN_COUNT(bytes)];
    s.out_channels = channels[i * 7 % QN_COUNT(channels)];
    s.x_unsigned = i / 3 % 2, s.y_unsigned = i / 5 % 2;
    if (s.y_unsigned) s.zero_point = 5, s.min = 0, s.max = 255;
    of_tiles += check_tiles(&s);
  }
  assert_true(of_tiles >= 55); /* for the smallest, vectors are faster */
}

/* Rows that a tile continues into the next row: with unused pixels between rows, windows, stride 2,
 * and several images. Tiles and blocks end at any place. */
static void tile_rows(void **state) {
  uint32_t seed = 1, of_tiles = 0;
  (void)state;
  skip_without_tiles();
  for (int64_t width = 2; width <= 15; width++)
    for (int64_t stride = 1; stride <= 2; stride++) {
      qn_case s = base(QN_CASE_CONV, (qn_case_weights)(seed % QN_CASE_WHOLE), seed);
      s.batch = 1 + seed % 2, s.stride = stride;
      s.kernel_height = s.kernel_width = width % 3 == 0 ? 1 : 3;
      s.height = (2 + seed % 5) * stride + s.kernel_height;
      s.width = (width - 1) * stride + s.kernel_width;
      s.channels = 32 + 4 * (seed % 9), s.out_channels = 16 + 13 * (seed % 6);
      s.x_unsigned = seed % 2;
      seed++;
      of_tiles += check_tiles(&s);
    }
  assert_true(of_tiles >= 26); /* for the smallest, vectors are faster */
}

/* Weights that are known at run time only are packed for tiles in the model. With zero points that
 * needs two or three products. */
static void tile_packing(void **state) {
  static const int64_t shapes[][6] = {/* rows of x, bytes, channels, zeros of x and w, w unsigned */
                                      {20, 64, 32, 0, 0, 0},  {33, 100, 65, 0, 5, 0},
                                      {16, 131, 48, 3, 0, 0}, {49, 48, 80, -7, -128, 0},
                                      {17, 257, 17, 1, 0, 1}, {64, 96, 100, -1, 130, 1}};
  (void)state;
  skip_without_tiles();
  for (size_t i = 0; i < QN_COUNT(shapes); i++) {
    const int64_t *v = shapes[i];
    qn_case s = base(QN_CASE_LINEAR, (qn_case_weights)(i % QN_CASE_WIDE), (uint32_t)i + 21);
    s.batch = v[0], s.channels = v[1], s.out_channels = v[2];
    s.given = true, s.x_zero = (int32_t)v[3], s.w_zero = (int32_t)v[4], s.w_unsigned = v[5];
    assert_true(check_tiles(&s));
  }
  qn_case s = base(QN_CASE_CONV, QN_CASE_FULL, 5);
  s.height = 9, s.width = 16, s.kernel_height = s.kernel_width = 3, s.channels = 24;
  s.out_channels = 40, s.given = true, s.w_zero = 3;
  assert_true(check_tiles(&s));
}

/* Windows of several rows of the input: kernels, strides and dilations, few channels, groups. */
static void tile_windows(void **state) {
  static const int64_t shapes[][8] = {
      /* height, width, stride, k, dilation, in, out, groups */
      {9, 16, 1, 3, 1, 32, 32, 1},  {7, 7, 1, 3, 1, 16, 48, 1},  {11, 13, 2, 3, 1, 24, 17, 1},
      {12, 18, 1, 3, 2, 20, 40, 1}, {15, 29, 2, 7, 1, 3, 64, 1}, {9, 33, 2, 3, 1, 3, 32, 1},
      {6, 20, 1, 2, 1, 66, 64, 2},  {5, 25, 3, 1, 1, 70, 70, 1}, {8, 40, 1, 4, 1, 8, 96, 3}};
  (void)state;
  skip_without_tiles();
  for (size_t i = 0; i < QN_COUNT(shapes); i++) {
    const int64_t *v = shapes[i];
    qn_case s = base(QN_CASE_CONV, (qn_case_weights)(i % QN_CASE_WHOLE), (uint32_t)i + 3);
    s.height = v[0], s.width = v[1], s.stride = v[2], s.kernel_height = s.kernel_width = v[3];
    s.dilation = v[4], s.groups = v[7], s.channels = v[5] * v[7], s.out_channels = v[6] * v[7];
    s.batch = 1 + (int64_t)i % 2;
    s.x_unsigned = i % 2 == 0;
    assert_true(check_tiles(&s));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linears),
      cmocka_unit_test(convolutions),
      cmocka_unit_test(rows_end_within_tiles),
      cmocka_unit_test(grouped_convolutions),
      cmocka_unit_test(depthwise_convolutions),
      cmocka_unit_test(constants_without_zeros),
      cmocka_unit_test(products_across_vectors),
      cmocka_unit_test(lanes_in_scalars),
      cmocka_unit_test(tile_remainders),
      cmocka_unit_test(tile_rows),
      cmocka_unit_test(tile_packing),
      cmocka_unit_test(tile_windows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
