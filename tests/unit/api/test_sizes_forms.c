/* Run-time sizes of operators that are computed in floats or by formulas of their elements.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sizes_test.h"

/* ONE: an op on the argument. ONE_REAL: the same on floats. TWO: an op on floats and a constant
 * row. */
#define ONE(name, attrs, from, to)                                                                 \
  "  %y = \"ml." name "\"(%x)" attrs " : (tensor<" from "x!q>) -> tensor<" to "x!q>\n"
#define FLOATS(shape) "  %f = quant.dcast %x : tensor<" shape "x!q> to tensor<" shape "xf32>\n"
#define BACK(shape) "  %y = quant.qcast %g : tensor<" shape "xf32> to tensor<" shape "x!q>\n"
#define ONE_REAL(name, attrs, from, to)                                                            \
  FLOATS(from)                                                                                     \
  "  %g = \"ml." name "\"(%f)" attrs " : (tensor<" from "xf32>) -> tensor<" to "xf32>\n" BACK(to)
#define TWO(name, from)                                                                            \
  FLOATS(from)                                                                                     \
  "  %k = \"ml.const\"() {value = dense<[[1.0, -2.0, 3.0, 0.5]]> : tensor<1x4xf32>} : () -> "      \
  "tensor<1x4xf32>\n"                                                                              \
  "  %g = \"ml." name "\"(%f, %k) : (tensor<" from "xf32>, tensor<1x4xf32>) -> tensor<" from       \
  "xf32>\n" BACK(from)
#define COUNT(name, axis, from, to)                                                                \
  "  %i = \"ml." name "\"(%x) {axis = " axis " : i64, keep_dims = false} : (tensor<" from          \
  "x!q>) -> tensor<" to "xi32>\n"                                                                  \
  "  %g = \"ml.cast\"(%i) : (tensor<" to "xi32>) -> tensor<" to "xf32>\n" BACK(to)
/* A transposed convolution of x with constant weights, at stride 2. */
#define TRANSPOSED_BY(y, x, number, stored, element, kernel, from, to)                             \
  "  %k = \"ml.const\"() {value = dense<" number "> : tensor<3x" kernel "x2x" stored               \
  ">} : () -> tensor<3x" kernel "x2x" element ">\n  " y " = \"ml.conv_transpose\"(" x              \
  ", %k) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = "                  \
  "array<i64: 1, 1>, groups = 1 : i64} : (tensor<" from "x" element ">, tensor<3x" kernel          \
  "x2x" element ">) -> tensor<" to "x" element ">\n"
#define TRANSPOSED(kernel, from, to) TRANSPOSED_BY("%y", "%x", "3", "i8", "!q", kernel, from, to)
#define TRANSPOSED_REAL(kernel, from, to)                                                          \
  FLOATS(from) TRANSPOSED_BY("%g", "%f", "0.75", "f32", "f32", kernel, from, to) BACK(to)

/* Joins x and a part of it, computed by `op`, and pads the result: no row before it, one after it,
 * two columns before it, one after it. */
#define PART_POOL(window)                                                                          \
  "max_pool", " {kernel_sizes = array<i64: " window ">, strides = array<i64: " window              \
              ">, pad = array<i64: 0, 0, 0, 0>}"
#define LARGEST "reduce_max", " {axes = array<i64: 3>, keep_dims = true}"
#define JOINED_AND_PADDED(axis, op, part, joined, to)                                              \
  JOINED_AND_PADDED_BY(axis, op, part, joined, to)
#define JOINED_AND_PADDED_BY(axis, name, attrs, part, joined, to)                                  \
  "  %p = \"ml." name "\"(%x)" attrs " : (tensor<Nx3x4x2x!q>) -> tensor<" part "x!q>\n"            \
  "  %j = \"ml.concat\"(%x, %p, %x) {axis = " axis " : i64} : (tensor<Nx3x4x2x!q>, tensor<" part   \
  "x!q>, tensor<Nx3x4x2x!q>) -> tensor<" joined "x!q>\n"                                           \
  "  %y = \"ml.pad\"(%j) {pad = array<i64: 0, 0, 0, 1, 2, 1, 0, 0>} : (tensor<" joined             \
  "x!q>) -> tensor<" to "x!q>\n"

/* Phases of 16 channels, which are stored to the padded concatenation at all levels, on floats and
 * on stored values. */
#define PHASES(number, stored, element, x, y)                                                      \
  "  %k = \"ml.const\"() {value = dense<" number "> : tensor<16x2x2x2x" stored                     \
  ">} : () -> tensor<16x2x2x2x" element ">\n  %t = \"ml.conv_transpose\"(" x                       \
  ", %k) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, "    \
  "1>, "                                                                                           \
  "groups = 1 : i64} : (tensor<Nx2x3x2x" element ">, tensor<16x2x2x2x" element                     \
  ">) -> tensor<Nx4x6x16x" element ">\n  %n = \"ml.resize_nearest_neighbor\"(" x                   \
  ") : (tensor<Nx2x3x2x" element ">) -> tensor<Nx4x6x2x" element ">\n"                             \
  "  %j = \"ml.concat\"(%n, %t) {axis = 3 : i64} : (tensor<Nx4x6x2x" element                       \
  ">, tensor<Nx4x6x16x" element ">) -> tensor<Nx4x6x18x" element ">\n  " y                         \
  " = \"ml.pad\"(%j) {pad = array<i64: 0, 0, 1, 0, 1, 2, 0, 0>} : (tensor<Nx4x6x18x" element       \
  ">) -> tensor<Nx5x9x18x" element ">\n"

static const size_case cases[] = {
    {"maximum", "Nx4", "Nx4", TWO("maximum", "Nx4")},
    {"minimum of rows", "Nx3x4", "Nx3x4", TWO("minimum", "Nx3x4")},
    {"squared difference", "Nx4", "Nx4", TWO("squared_difference", "Nx4")},
    {"quotient", "Nx4", "Nx4", TWO("real_div", "Nx4")},
    {"rest", "Nx4", "Nx4", TWO("floor_mod", "Nx4")},
    {"second, prelu", "1xNx4", "1xNx4", TWO("prelu", "1xNx4")},
    {"flat sums and products", "N", "N",
     "  %k = \"ml.const\"() {value = dense<[7]> : tensor<1xi8>} : () -> tensor<1x!q>\n"
     "  %s = \"ml.add\"(%x, %k) : (tensor<Nx!q>, tensor<1x!q>) -> tensor<Nx!q>\n"
     "  %l = \"ml.greater\"(%s, %k) : (tensor<Nx!q>, tensor<1x!q>) -> tensor<Nxi1>\n"
     "  %m = \"ml.mul\"(%x, %s) : (tensor<Nx!q>, tensor<Nx!q>) -> tensor<Nx!q>\n"
     "  %y = \"ml.select\"(%l, %m, %x) : (tensor<Nxi1>, tensor<Nx!q>, tensor<Nx!q>) -> "
     "tensor<Nx!q>\n"},
    {"matrices", "Nx3x8", "Nx3x3",
     "  %k = \"ml.const\"() {value = dense<3> : tensor<8x5xi8>} : () -> tensor<8x5x!q>\n"
     "  %m = \"ml.matmul\"(%x, %k) : (tensor<Nx3x8x!q>, tensor<8x5x!q>) -> tensor<Nx3x5x!q>\n"
     "  %y = \"ml.matmul\"(%m, %m) {transpose_y = true} : (tensor<Nx3x5x!q>, tensor<Nx3x5x!q>) -> "
     "tensor<Nx3x3x!q>\n"},
    {"one matrix of floats for all", "Nx2x16", "Nx2x5",
     "  %k = \"ml.const\"() {value = dense<0.75> : tensor<16x5xf32>} : () -> tensor<16x5xf32>\n"
     "  %f = quant.dcast %x : tensor<Nx2x16x!q> to tensor<Nx2x16xf32>\n"
     "  %m = \"ml.matmul\"(%f, %k) : (tensor<Nx2x16xf32>, tensor<16x5xf32>) -> "
     "tensor<Nx2x5xf32>\n"
     "  %y = quant.qcast %m : tensor<Nx2x5xf32> to tensor<Nx2x5x!q>\n"},
    {"second, matrices of floats", "1xNx3x8", "1xNx8x8",
     "  %f = quant.dcast %x : tensor<1xNx3x8x!q> to tensor<1xNx3x8xf32>\n"
     "  %m = \"ml.matmul\"(%f, %f) {transpose_x = true} : (tensor<1xNx3x8xf32>, "
     "tensor<1xNx3x8xf32>) -> tensor<1xNx8x8xf32>\n"
     "  %y = quant.qcast %m : tensor<1xNx8x8xf32> to tensor<1xNx8x8x!q>\n"},
    {"matrices in tiles of two widths", "Nx18x3", "Nx18x18",
     "  %f = quant.dcast %x : tensor<Nx18x3x!q> to tensor<Nx18x3xf32>\n"
     "  %m = \"ml.matmul\"(%f, %f) {transpose_y = true} : (tensor<Nx18x3xf32>, tensor<Nx18x3xf32>) "
     "-> tensor<Nx18x18xf32>\n"
     "  %y = quant.qcast %m : tensor<Nx18x18xf32> to tensor<Nx18x18x!q>\n"},
    {"comparisons", "Nx4", "Nx4",
     "  %k = \"ml.const\"() {value = dense<[[2, -9, 4, 0]]> : tensor<1x4xi8>} : () -> "
     "tensor<1x4x!q>\n"
     "  %l = \"ml.less\"(%x, %k) : (tensor<Nx4x!q>, tensor<1x4x!q>) -> tensor<Nx4xi1>\n"
     "  %e = \"ml.equal\"(%x, %k) : (tensor<Nx4x!q>, tensor<1x4x!q>) -> tensor<Nx4xi1>\n"
     "  %o = \"ml.logical_or\"(%l, %e) : (tensor<Nx4xi1>, tensor<Nx4xi1>) -> tensor<Nx4xi1>\n"
     "  %r = \"ml.relu\"(%x) : (tensor<Nx4x!q>) -> tensor<Nx4x!q>\n"
     "  %y = \"ml.select\"(%o, %r, %x) : (tensor<Nx4xi1>, tensor<Nx4x!q>, tensor<Nx4x!q>) -> "
     "tensor<Nx4x!q>\n"},
    {"transposed, all phases in one product", "Nx2x3x2", "Nx4x6x3",
     TRANSPOSED("2x2", "Nx2x3x2", "Nx4x6x3")},
    {"transposed, phases in several", "Nx2x3x2", "Nx5x7x3",
     TRANSPOSED("3x3", "Nx2x3x2", "Nx5x7x3")},
    {"transposed floats", "Nx2x3x2", "Nx4x6x3", TRANSPOSED_REAL("2x2", "Nx2x3x2", "Nx4x6x3")},
    {"phases joined and padded", "Nx2x3x2", "Nx5x9x18", PHASES("3", "i8", "!q", "%x", "%y")},
    {"phases of floats, joined and padded", "Nx2x3x2", "Nx5x9x18",
     FLOATS("Nx2x3x2") PHASES("0.75", "f32", "f32", "%f", "%g") BACK("Nx5x9x18")},
    {"channels joined and padded", "Nx3x4x2", "Nx4x7x5",
     JOINED_AND_PADDED("3", LARGEST, "Nx3x4x1", "Nx3x4x5", "Nx4x7x5")},
    {"columns joined and padded", "Nx3x4x2", "Nx4x13x2",
     JOINED_AND_PADDED("2", PART_POOL("1, 2"), "Nx3x2x2", "Nx3x10x2", "Nx4x13x2")},
    {"rows joined and padded", "Nx3x4x2", "Nx8x7x2",
     JOINED_AND_PADDED("1", PART_POOL("3, 1"), "Nx1x4x2", "Nx7x4x2", "Nx8x7x2")},
    {"sums", "Nx3x5", "Nx5",
     ONE("reduce_sum", " {axes = array<i64: 1>, keep_dims = false}", "Nx3x5", "Nx5")},
    {"mean of one", "Nx1", "Nx1",
     ONE("reduce_mean", " {axes = array<i64: 1>, keep_dims = true}", "Nx1", "Nx1")},
    {"maxima, kept", "Nx3x5", "Nx1x5",
     ONE("reduce_max", " {axes = array<i64: 1>, keep_dims = true}", "Nx3x5", "Nx1x5")},
    {"second, minima", "1xNx5", "1xN",
     ONE("reduce_min", " {axes = array<i64: 2>, keep_dims = false}", "1xNx5", "1xN")},
    {"products in float", "Nx3x5", "Nx3",
     ONE_REAL("reduce_prod", " {axes = array<i64: 2>, keep_dims = false}", "Nx3x5", "Nx3")},
    {"argmax", "Nx3x5", "Nx3", COUNT("reduce_argmax", "2", "Nx3x5", "Nx3")},
    {"least rows", "Nx3x5", "Nx5", COUNT("reduce_argmin", "1", "Nx3x5", "Nx5")},
    {"running sums", "Nx3x5", "Nx3x5", ONE_REAL("cumsum", " {axis = 1 : i64}", "Nx3x5", "Nx3x5")},
    {"top three", "Nx5", "Nx3",
     "  %f = quant.dcast %x : tensor<Nx5x!q> to tensor<Nx5xf32>\n"
     "  %i = \"ml.top_indices\"(%f) {k = 3 : i64} : (tensor<Nx5xf32>) -> tensor<Nx3xi32>\n"
     "  %g = \"ml.cast\"(%i) : (tensor<Nx3xi32>) -> tensor<Nx3xf32>\n"
     "  %y = quant.qcast %g : tensor<Nx3xf32> to tensor<Nx3x!q>\n"},
    {"lengths", "Nx3x5", "Nx3x5", ONE_REAL("l2_norm", "", "Nx3x5", "Nx3x5")},
    {"log softmax", "Nx5", "Nx5", ONE_REAL("log_softmax", "", "Nx5", "Nx5")},
    {"layer norm", "Nx3x5", "Nx3x5",
     ONE_REAL("layer_norm", " {axes = array<i64: 2>}", "Nx3x5", "Nx3x5")},
    {"responses", "Nx2x3x5", "Nx2x3x5",
     ONE_REAL("local_response_norm",
              " {radius = 1 : i64, offset = 1.0 : f32, alpha = 0.5 : f32, beta = 0.5 : f32}",
              "Nx2x3x5", "Nx2x3x5")},
    {"bilinear", "Nx3x4x5", "Nx6x7x5", ONE("resize_bilinear", "", "Nx3x4x5", "Nx6x7x5")},
    {"bilinear in float", "Nx3x4x5", "Nx6x7x5",
     ONE_REAL("resize_bilinear", "", "Nx3x4x5", "Nx6x7x5")},
    {"nearest", "Nx3x4x5", "Nx6x7x5", ONE("resize_nearest_neighbor", "", "Nx3x4x5", "Nx6x7x5")},
    {"repeated", "Nx1x5", "Nx3x10",
     ONE("tile", " {reps = array<i64: 1, 3, 2>}", "Nx1x5", "Nx3x10")},
    {"backward", "Nx3x5", "Nx3x5", ONE("reverse", " {axes = array<i64: 1, 2>}", "Nx3x5", "Nx3x5")},
    {"mirrored", "Nx3x5", "Nx5x6",
     ONE("mirror_pad", " {pad = array<i64: 0, 0, 1, 1, 1, 0>, mode = \"reflect\"}", "Nx3x5",
         "Nx5x6")},
    {"blocks", "Nx4x4x3", "Nx2x2x12",
     ONE("space_to_depth", " {block_shape = array<i64: 2>}", "Nx4x4x3", "Nx2x2x12")},
    {"blocks back", "Nx2x2x12", "Nx4x4x3",
     ONE("depth_to_space", " {block_shape = array<i64: 2>}", "Nx2x2x12", "Nx4x4x3")},
    {"columns", "Nx5", "Nx3",
     "  %k = \"ml.const\"() {value = dense<[4, 0, 2]> : tensor<3xi32>} : () -> tensor<3xi32>\n"
     "  %y = \"ml.gather\"(%x, %k) {axis = 1 : i64} : (tensor<Nx5x!q>, tensor<3xi32>) -> "
     "tensor<Nx3x!q>\n"},
    {"rows of a table", "Nx2", "Nx2x5",
     "  %k = \"ml.const\"() {value = dense<[[1, 2, 3, 4, 5], [-1, -2, -3, -4, -5], [9, 8, 7, 6, "
     "5]]> : tensor<3x5xi8>} : () -> tensor<3x5x!q>\n"
     "  %z = \"ml.const\"() {value = dense<-3> : tensor<i8>} : () -> tensor<!q>\n"
     "  %l = \"ml.less\"(%x, %z) : (tensor<Nx2x!q>, tensor<!q>) -> tensor<Nx2xi1>\n"
     "  %i = \"ml.cast\"(%l) : (tensor<Nx2xi1>) -> tensor<Nx2xi32>\n"
     "  %y = \"ml.gather\"(%k, %i) {axis = 0 : i64} : (tensor<3x5x!q>, tensor<Nx2xi32>) -> "
     "tensor<Nx2x5x!q>\n"},
    {"an element of a table", "Nx1", "N",
     "  %k = \"ml.const\"() {value = dense<[7, -9, 3]> : tensor<3xi8>} : () -> tensor<3x!q>\n"
     "  %z = \"ml.const\"() {value = dense<-3> : tensor<i8>} : () -> tensor<!q>\n"
     "  %l = \"ml.less\"(%x, %z) : (tensor<Nx1x!q>, tensor<!q>) -> tensor<Nx1xi1>\n"
     "  %c = \"ml.cast\"(%l) : (tensor<Nx1xi1>) -> tensor<Nx1xi32>\n"
     "  %i = \"ml.reshape\"(%c) : (tensor<Nx1xi32>) -> tensor<Nxi32>\n"
     "  %y = \"ml.gather\"(%k, %i) {axis = 0 : i64} : (tensor<3x!q>, tensor<Nxi32>) -> "
     "tensor<Nx!q>\n"},
    {"vectors of indices", "Nx2", "Nx5",
     "  %k = \"ml.const\"() {value = dense<[[[1, 2, 3, 4, 5], [9, 8, 7, 6, 5]], [[-1, -2, -3, -4, "
     "-5], [6, 6, 6, 6, 6]]]> : tensor<2x2x5xi8>} : () -> tensor<2x2x5x!q>\n"
     "  %z = \"ml.const\"() {value = dense<-3> : tensor<i8>} : () -> tensor<!q>\n"
     "  %l = \"ml.less\"(%x, %z) : (tensor<Nx2x!q>, tensor<!q>) -> tensor<Nx2xi1>\n"
     "  %i = \"ml.cast\"(%l) : (tensor<Nx2xi1>) -> tensor<Nx2xi32>\n"
     "  %y = \"ml.gather_nd\"(%k, %i) : (tensor<2x2x5x!q>, tensor<Nx2xi32>) -> tensor<Nx5x!q>\n"},
};

static void results_are_those_of_the_size(void **unused) {
  (void)unused;
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) check_size_case(&cases[c], c);
}

static void expect_refusal(const char *text) {
  engines e;
  engines_open(&e);
  qn_model *model = load_text(&e, text);
  for (size_t k = 0; k < e.count; k++) {
    qn_executable *x;
    e.messages[0] = '\0';
    assert_int_equal(qn_compile(model, &e.options[k], &x), QN_UNSUPPORTED);
    assert_non_null(strstr(e.messages, "can't be computed for a size known at run"));
  }
  qn_model_destroy(model);
  engines_close(&e);
}

/* Rows of a matrix are not entries of a batch, even if sizes would fit. */
static void rows_of_matrices_are_refused(void **unused) {
  static const char text[] =
      HEAD "func.func @main(%x: tensor<4x4x!q> {quern.sizes = [\"n\"]}) -> tensor<4x4x!q> {\n"
           "  %y = \"ml.matmul\"(%x, %x) {transpose_x = true} : (tensor<4x4x!q>, tensor<4x4x!q>) "
           "-> tensor<4x4x!q>\n  return %y : tensor<4x4x!q>\n}\n}\n";
  (void)unused;
  expect_refusal(text);
}

/* Entry i of x is indexed by entry i of a constant, which has entries for the largest size only. */
static void entries_of_fixed_indices_are_refused(void **unused) {
  static const char text[] =
      HEAD "func.func @main(%x: tensor<4x5x!q> {quern.sizes = [\"n\"]}) -> tensor<4x2x!q> {\n"
           "  %k = \"ml.const\"() {value = dense<1> : tensor<4x2xi32>} : () -> tensor<4x2xi32>\n"
           "  %y = \"ml.gather\"(%x, %k) {axis = 1 : i64, batch_dims = 1 : i64} : "
           "(tensor<4x5x!q>, tensor<4x2xi32>) -> tensor<4x2x!q>\n"
           "  return %y : tensor<4x2x!q>\n}\n}\n";
  (void)unused;
  expect_refusal(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results_are_those_of_the_size),
      cmocka_unit_test(rows_of_matrices_are_refused),
      cmocka_unit_test(entries_of_fixed_indices_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
