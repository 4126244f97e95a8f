// Integer arithmetic of the reference that looks undefined but is defined. The convolution's values are those of
// ai-edge-litert 2.3.0 with the reference resolver, recorded from the same operator and input. For
// the softmax only the lowered form is checked (its values: tests/unit/api/test_limits_of_numbers.c).
// RUN: quern opt %s --emit=interpret --function conv --input 'dense<[[[[-128], [-3], [-2], [-1], [0], [1], [2], [127]]]]> : tensor<1x1x8x1xi8>' | FileCheck %s --check-prefix=CONV
// RUN: quern opt %s --emit=run --engine jit --function conv --input 'dense<[[[[-128], [-3], [-2], [-1], [0], [1], [2], [127]]]]> : tensor<1x1x8x1xi8>' | FileCheck %s --check-prefix=CONV
// RUN: quern opt %s --lower-to-integer 2>&1 | FileCheck %s --check-prefix=INTEGER

// One channel's ratio of scales is above 2^30: the left shift by 31 bits wraps, and only the lowest
// bit of the accumulator remains. The other channel is not affected.
// CONV{LITERAL}: dense<[[[[1, -128], [5, 5], [5, -128], [5, 5], [5, -128], [5, 5], [5, -128], [9, 5]]]]> : tensor<1x1x8x2xi8>
// Rows of any length have an integer form.
// INTEGER-NOT: computed in float
// INTEGER: "ml.integer_conv"
// INTEGER: "ml.integer_softmax"
// INTEGER-NOT: computed in float
module attributes {quern.numerics = "litert-ref"} {
func.func @conv(%s: tensor<1x1x8x1xi8>) -> tensor<1x1x8x2xi8> {
  %x = quant.scast %s : tensor<1x1x8x1xi8> to tensor<1x1x8x1x!quant.uniform<i8:f32, 0.05:-3>>
  %w = "ml.const"() {value = dense<[[[[3]]], [[[1]]]]> : tensor<2x1x1x1xi8>} : () -> tensor<2x1x1x1x!quant.uniform<i8<-127:127>:f32:0, {0.01, 1.2e+09}>>
  %y = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, groups = 1 : i64} : (tensor<1x1x8x1x!quant.uniform<i8:f32, 0.05:-3>>, tensor<2x1x1x1x!quant.uniform<i8<-127:127>:f32:0, {0.01, 1.2e+09}>>) -> tensor<1x1x8x2x!quant.uniform<i8:f32, 0.05:5>>
  %r = quant.scast %y : tensor<1x1x8x2x!quant.uniform<i8:f32, 0.05:5>> to tensor<1x1x8x2xi8>
  return %r : tensor<1x1x8x2xi8>
}
func.func @softmax(%s: tensor<1x10000xi8>) -> tensor<1x10000xi8> {
  %x = quant.scast %s : tensor<1x10000xi8> to tensor<1x10000x!quant.uniform<i8:f32, 0.05:3>>
  %y = "ml.softmax"(%x) {beta = 1.0 : f32} : (tensor<1x10000x!quant.uniform<i8:f32, 0.05:3>>) -> tensor<1x10000x!quant.uniform<i8:f32, 0.00390625:-128>>
  %r = quant.scast %y : tensor<1x10000x!quant.uniform<i8:f32, 0.00390625:-128>> to tensor<1x10000xi8>
  return %r : tensor<1x10000xi8>
}
}
