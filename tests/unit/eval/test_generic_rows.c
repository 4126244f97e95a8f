/* A linalg.generic that runs many points at a time gives the bits of one point after the other:
 * maps with strides, offsets and repeated elements, indices, reductions in order and in lanes, the
 * ends of ranges that are no multiple of a vector, every width of elements.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "text_function.h"

enum { MOST_BYTES = 1 << 18 };

/* Floats, in the first run with NaNs, infinities, zeros of both signs and ties; integers of all
 * bits. */
static void fill(fixture *f, const char *type, uint32_t seed, bool specials) {
  qn_rt_value *arg = add_arg(f, type);
  static const uint32_t special[] = {0x7fc00000, 0x7f800000, 0xff800000, 0,
                                     0x80000000, 0x3f000000, 0xbfc00000, 1};
  bool floats = qn_type_is_float(qn_type_element(arg->type), QN_F32);
  arg->size = qn_type_size(arg->type);
  assert_in_range(arg->size, 1, MOST_BYTES);
  arg->data = qn_arena_alloc(&f->arena, (size_t)arg->size);
  for (int64_t i = 0; i < arg->size / (floats ? 4 : 1); i++) {
    seed = seed * 1664525 + 1013904223;
    if (!floats) {
      arg->data[i] = (uint8_t)(seed >> 24);
      continue;
    }
    float number = (float)(int32_t)seed / 3e7F;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    if (specials && seed >> 28 == 0) bits = special[seed >> 25 & 7];
    memcpy(arg->data + 4 * i, &bits, sizeof bits);
  }
}

static qn_status call(fixture *f, bool pointwise, qn_rt_value *result) {
  const qn_eval_options options = {.pointwise = pointwise, .max_steps = f->max_steps};
  f->message[0] = '\0';
  return qn_eval_call(f->module, qn_module_main(f->module), f->args, f->arg_count, result,
                      &f->arena, &options);
}

/* Runs the function in both ways, with other inputs each time. */
static void expect_same(fixture *f, const char *text, const char *const *types) {
  load(f, text);
  for (uint32_t seed = 1; seed <= 4; seed++) {
    f->arg_count = 0;
    for (uint32_t i = 0; types[i]; i++) fill(f, types[i], seed * 31 + i, seed == 1);
    qn_rt_value slow = {.type = NULL}, fast = {.type = NULL};
    qn_status expected = call(f, true, &slow);
    char message[sizeof f->message];
    memcpy(message, f->message, sizeof message);
    assert_int_equal(call(f, false, &fast), expected);
    assert_string_equal(f->message, message);
    if (expected != QN_OK) continue;
    assert_int_equal(fast.size, slow.size);
    assert_memory_equal(fast.data, slow.data, (size_t)slow.size);
  }
}
#define TYPES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void elements_of_all_widths(void **state) {
  /* 700 points: two full vectors and a part */
  expect_same(*state,
              "func.func @main(%a: tensor<700xf32>, %b: tensor<700xi8>, %c: tensor<700xi16>) -> "
              "tensor<700xi64> {\n"
              "  %e = tensor.empty() : tensor<700xi64>\n"
              "  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) "
              "-> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = "
              "[\"parallel\"]} ins(%a, %b, %c : tensor<700xf32>, tensor<700xi8>, tensor<700xi16>) "
              "outs(%e : tensor<700xi64>) {\n"
              "  ^bb0(%x: f32, %y: i8, %z: i16, %o: i64):\n"
              "    %zero = arith.constant 0.0 : f32\n"
              "    %p = arith.cmpf olt, %x, %zero : f32\n"
              "    %y1 = arith.extsi %y : i8 to i64\n"
              "    %z1 = arith.extui %z : i16 to i64\n"
              "    %s = arith.select %p, %y1, %z1 : i64\n"
              "    %i = linalg.index 0 : index\n"
              "    %j = arith.index_cast %i : index to i64\n"
              "    %t = arith.addi %s, %j : i64\n"
              "    linalg.yield %t : i64\n"
              "  } -> tensor<700xi64>\n"
              "  return %r : tensor<700xi64>\n}\n",
              TYPES("tensor<700xf32>", "tensor<700xi8>", "tensor<700xi16>"));
}

static void maps_with_strides_and_offsets(void **state) {
  /* the last loop is too short for a vector; the first operand is read backwards in no map, but
   * with a stride of 2 and an offset, the second repeats along d0 */
  expect_same(*state,
              "func.func @main(%a: tensor<133x5xf32>, %b: tensor<5xf32>, %s: f32) -> "
              "tensor<66x5xf32> {\n"
              "  %e = tensor.empty() : tensor<66x5xf32>\n"
              "  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * 2 + 1, d1)>, "
              "affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> "
              "(d0, d1)>], iterator_types = [\"parallel\", \"parallel\"]} ins(%a, %b, %s : "
              "tensor<133x5xf32>, tensor<5xf32>, f32) outs(%e : tensor<66x5xf32>) {\n"
              "  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):\n"
              "    %p = arith.mulf %x, %y : f32\n"
              "    %q = arith.addf %p, %z : f32\n"
              "    linalg.yield %q : f32\n"
              "  } -> tensor<66x5xf32>\n"
              "  return %r : tensor<66x5xf32>\n}\n",
              TYPES("tensor<133x5xf32>", "tensor<5xf32>", "f32"));
}

/* Loops that can be joined, with operands of which one element serves all points, and one that
 * repeats along the outer loop, so that they cannot. */
static void loops_that_follow_each_other(void **state) {
  static const char *const rows[] = {"(d0, d1, d2)", "(d1, d2)"};
  static const char *const types[] = {"tensor<3x40x7xf32>", "tensor<40x7xf32>"};
  for (int i = 0; i < 2; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "func.func @main(%%a: tensor<3x40x7xf32>, %%b: %s, %%s: tensor<1xf32>) -> "
             "tensor<3x40x7xf32> {\n"
             "  %%e = tensor.empty() : tensor<3x40x7xf32>\n"
             "  %%r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, "
             "affine_map<(d0, d1, d2) -> %s>, affine_map<(d0, d1, d2) -> (0)>, affine_map<(d0, d1, "
             "d2) -> (d0, d1, d2)>], iterator_types = [\"parallel\", \"parallel\", \"parallel\"]} "
             "ins(%%a, %%b, %%s : tensor<3x40x7xf32>, %s, tensor<1xf32>) outs(%%e : "
             "tensor<3x40x7xf32>) {\n"
             "  ^bb0(%%x: f32, %%y: f32, %%z: f32, %%o: f32):\n"
             "    %%p = arith.mulf %%x, %%y : f32\n"
             "    %%q = arith.addf %%p, %%z : f32\n"
             "    linalg.yield %%q : f32\n"
             "  } -> tensor<3x40x7xf32>\n"
             "  return %%r : tensor<3x40x7xf32>\n}\n",
             types[i], rows[i], types[i]);
    expect_same(*state, text, TYPES("tensor<3x40x7xf32>", types[i], "tensor<1xf32>"));
  }
}

/* A product of matrices, whose sums are in order. */
static void reductions_in_order(void **state) {
  expect_same(*state,
              "func.func @main(%a: tensor<7x19xf32>, %b: tensor<19x23xf32>, %c: tensor<7x23xf32>) "
              "-> tensor<7x23xf32> {\n"
              "  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, "
              "affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], "
              "iterator_types = [\"parallel\", \"parallel\", \"reduction\"]} ins(%a, %b : "
              "tensor<7x19xf32>, tensor<19x23xf32>) outs(%c : tensor<7x23xf32>) {\n"
              "  ^bb0(%x: f32, %y: f32, %o: f32):\n"
              "    %p = math.fma %x, %y, %o : f32\n"
              "    linalg.yield %p : f32\n"
              "  } -> tensor<7x23xf32>\n"
              "  return %r : tensor<7x23xf32>\n}\n",
              TYPES("tensor<7x19xf32>", "tensor<19x23xf32>", "tensor<7x23xf32>"));
}

#define LANES(rows, columns, join)                                                                 \
  "func.func @main(%a: tensor<" rows "x" columns "xf32>, %c: tensor<" rows                         \
  "xf32>) -> tensor<" rows "xf32> {\n"                                                             \
  "  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) " \
  "-> (d0)>], iterator_types = [\"parallel\", \"reduction\"]} ins(%a : tensor<" rows "x" columns   \
  "xf32>) outs(%c : tensor<" rows "xf32>) {\n"                                                     \
  "  ^bb0(%x: f32, %o: f32):\n"                                                                    \
  "    %n = arith.negf %x : f32\n"                                                                 \
  "    %p = " join " %n, %o : f32\n"                                                               \
  "    linalg.yield %p : f32\n"                                                                    \
  "  } -> tensor<" rows "xf32>\n"                                                                  \
  "  return %r : tensor<" rows "xf32>\n}\n"

static void reductions_in_lanes(void **state) {
  expect_same(*state, LANES("300", "37", "arith.addf"),
              TYPES("tensor<300x37xf32>", "tensor<300xf32>"));
  expect_same(*state, LANES("9", "64", "arith.maximumf"),
              TYPES("tensor<9x64xf32>", "tensor<9xf32>"));
  expect_same(*state, LANES("1", "1000", "arith.addf"),
              TYPES("tensor<1x1000xf32>", "tensor<1xf32>"));
  expect_same(*state, LANES("2", "333", "arith.minimumf"),
              TYPES("tensor<2x333xf32>", "tensor<2xf32>"));
}

/* The first value that has no result decides in both ways; so does the number of steps. */
static void errors_are_the_same(void **state) {
  static const char text[] =
      "func.func @main(%a: tensor<400xf32>) -> tensor<400xi8> {\n"
      "  %e = tensor.empty() : tensor<400xi8>\n"
      "  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> "
      "(d0)>], "
      "iterator_types = [\"parallel\"]} ins(%a : tensor<400xf32>) outs(%e : tensor<400xi8>) {\n"
      "  ^bb0(%x: f32, %o: i8):\n"
      "    %p = arith.fptosi %x : f32 to i8\n"
      "    linalg.yield %p : i8\n"
      "  } -> tensor<400xi8>\n"
      "  return %r : tensor<400xi8>\n}\n";
  fixture *f = *state;
  expect_same(f, text, TYPES("tensor<400xf32>"));
  load(f, text);
  f->arg_count = 0;
  add_arg(f, "tensor<400xf32>");
  f->args[0].size = 1600;
  f->args[0].data = qn_arena_alloc(&f->arena, 1600);
  for (f->max_steps = 780; f->max_steps < 820; f->max_steps++) {
    qn_rt_value slow, fast;
    qn_status expected = call(f, true, &slow);
    assert_int_equal(call(f, false, &fast), expected);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(elements_of_all_widths), TEST(maps_with_strides_and_offsets),
      TEST(reductions_in_order),    TEST(reductions_in_lanes),
      TEST(errors_are_the_same),    TEST(loops_that_follow_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
