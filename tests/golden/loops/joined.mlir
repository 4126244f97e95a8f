// At cortex-m4, weights of two channels are joined in 16 bits: not -128 beside a negative weight, and not if an accumulator
// of the first channel has more than 24 bits. A channel without weights does not count: its bias and multiplier become
// small.
// RUN: quern opt %s --lower-to-loops --config cpu=cortex-m4 | FileCheck %s
// CHECK-LABEL: func.func private @linear_0
// CHECK: "quern.dot_joined"
// CHECK-LABEL: func.func private @linear_1
// CHECK: "quern.dot"(
// CHECK-LABEL: func.func private @linear_2
// CHECK: "quern.dot"(
func.func @main(%v: tensor<1x4xi8>) -> (tensor<1x4xi8>, tensor<1x4xi8>, tensor<1x4xi8>) {
  %s = "ml.const"() {value = dense<[-7, -7, -27, -5]> : tensor<4xi32>} : () -> tensor<4xi32>
  %m = "ml.const"() {value = dense<1073741825> : tensor<4xi32>} : () -> tensor<4xi32>
  %w0 = "ml.const"() {value = dense<[[1, 2, -127, 4], [-5, 6, -7, 127], [0, 0, 0, 0], [1, -1, 1, -128]]> : tensor<4x4xi8>} : () -> tensor<4x4xi8>
  %b0 = "ml.const"() {value = dense<[5, -3, 1073741824, 7]> : tensor<4xi32>} : () -> tensor<4xi32>
  %y0 = "ml.integer_linear"(%v, %w0, %b0, %m, %s) {input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 3 : i64, rounding = "double", weight_zero_point = 0 : i64} : (tensor<1x4xi8>, tensor<4x4xi8>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<1x4xi8>
  %w1 = "ml.const"() {value = dense<[[1, 2, -128, 4], [-5, 6, -7, 127], [0, 0, 0, 0], [1, -1, 1, -128]]> : tensor<4x4xi8>} : () -> tensor<4x4xi8>
  %y1 = "ml.integer_linear"(%v, %w1, %b0, %m, %s) {input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 3 : i64, rounding = "double", weight_zero_point = 0 : i64} : (tensor<1x4xi8>, tensor<4x4xi8>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<1x4xi8>
  %b2 = "ml.const"() {value = dense<[8388000, -3, 1073741824, 7]> : tensor<4xi32>} : () -> tensor<4xi32>
  %y2 = "ml.integer_linear"(%v, %w0, %b2, %m, %s) {input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 3 : i64, rounding = "double", weight_zero_point = 0 : i64} : (tensor<1x4xi8>, tensor<4x4xi8>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<1x4xi8>
  return %y0, %y1, %y2 : tensor<1x4xi8>, tensor<1x4xi8>, tensor<1x4xi8>
}
