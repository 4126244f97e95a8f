// Convolutions of floats and of 16-bit activations write their rows inside the padding that a pad adds. What remains
// of the pad is a kernel that fills the padding. If the convolution's own result is also used, the pad copies it.
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s --implicit-check-not="func.func private @pad"
// MLIR-OPT: none
// CHECK: func.func private @border_
// CHECK: func.func private @conv_
// CHECK: func.func private @border_
// CHECK: func.func private @conv16_
// CHECK: func.func private @border_
// CHECK: func.func private @depthwise16_
// CHECK: func.func private @conv_
// CHECK: func.func private @pad_
func.func @main(%x: tensor<2x4x5x3xf32>, %i: tensor<1x4x5x3xi16>, %d: tensor<2x4x5x3xi16>) -> (tensor<2x6x8x2xf32>, tensor<1x5x6x2xi16>, tensor<2x5x6x3xi16>, tensor<2x3x4x2xf32>, tensor<2x4x5x2xf32>) {
  %w = "ml.const"() {value = dense<0.25> : tensor<2x2x2x3xf32>} : () -> tensor<2x2x2x3xf32>
  %b = "ml.const"() {value = dense<[1.0, -2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<2x4x5x3xf32>, tensor<2x2x2x3xf32>, tensor<2xf32>) -> tensor<2x3x4x2xf32>
  %1 = "ml.pad"(%0) {pad = array<i64: 0, 0, 1, 2, 3, 1, 0, 0>, value = 7 : i64} : (tensor<2x3x4x2xf32>) -> tensor<2x6x8x2xf32>

  %iw = "ml.const"() {value = dense<3> : tensor<2x2x2x3xi8>} : () -> tensor<2x2x2x3xi8>
  %ib = "ml.const"() {value = dense<[100, -200]> : tensor<2xi64>} : () -> tensor<2xi64>
  %im = "ml.const"() {value = dense<1234567890> : tensor<2xi32>} : () -> tensor<2xi32>
  %is = "ml.const"() {value = dense<[-4, -5]> : tensor<2xi32>} : () -> tensor<2xi32>
  %2 = "ml.integer_conv"(%i, %iw, %ib, %im, %is) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "reduced", min = -32768 : i64, max = 32767 : i64} : (tensor<1x4x5x3xi16>, tensor<2x2x2x3xi8>, tensor<2xi64>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x3x4x2xi16>
  %3 = "ml.pad"(%2) {pad = array<i64: 0, 0, 1, 1, 1, 1, 0, 0>, value = 0 : i64} : (tensor<1x3x4x2xi16>) -> tensor<1x5x6x2xi16>

  %dw = "ml.const"() {value = dense<3> : tensor<1x2x2x3xi8>} : () -> tensor<1x2x2x3xi8>
  %db = "ml.const"() {value = dense<[100, -200, 5]> : tensor<3xi64>} : () -> tensor<3xi64>
  %dm = "ml.const"() {value = dense<1234567890> : tensor<3xi32>} : () -> tensor<3xi32>
  %ds = "ml.const"() {value = dense<[-4, -5, -3]> : tensor<3xi32>} : () -> tensor<3xi32>
  %4 = "ml.integer_depthwise_conv"(%d, %dw, %db, %dm, %ds) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "reduced", min = -32768 : i64, max = 32767 : i64} : (tensor<2x4x5x3xi16>, tensor<1x2x2x3xi8>, tensor<3xi64>, tensor<3xi32>, tensor<3xi32>) -> tensor<2x3x4x3xi16>
  %5 = "ml.pad"(%4) {pad = array<i64: 0, 0, 1, 1, 1, 1, 0, 0>, value = 9 : i64} : (tensor<2x3x4x3xi16>) -> tensor<2x5x6x3xi16>

  %v = "ml.const"() {value = dense<0.5> : tensor<2x2x2x3xf32>} : () -> tensor<2x2x2x3xf32>
  %6 = "ml.conv"(%x, %v, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<2x4x5x3xf32>, tensor<2x2x2x3xf32>, tensor<2xf32>) -> tensor<2x3x4x2xf32>
  %7 = "ml.pad"(%6) {pad = array<i64: 0, 0, 1, 0, 0, 1, 0, 0>, value = 0 : i64} : (tensor<2x3x4x2xf32>) -> tensor<2x4x5x2xf32>
  return %1, %3, %5, %6, %7 : tensor<2x6x8x2xf32>, tensor<1x5x6x2xi16>, tensor<2x5x6x3xi16>, tensor<2x3x4x2xf32>, tensor<2x4x5x2xf32>
}
