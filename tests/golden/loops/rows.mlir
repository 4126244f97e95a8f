// If few pixels per row would leave tiles smaller than the registers allow, byte tiles continue on the next row. The remainder
// of the pixel index shows where a row ends. The result has padding, so its rows are not equally spaced, either.
// RUN: quern opt %s --compile --config cpu=avxvnni | FileCheck %s
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s --check-prefix=AVX2
// MLIR-OPT: none
// CHECK-LABEL: func.func private @conv_
// CHECK: arith.remui
// CHECK: arith.select
// AVX2-NOT: arith.remui
func.func @main(%x: tensor<1x9x9x16xi8>) -> tensor<1x9x10x16xi8> {
  %w = "ml.const"() {value = dense<3> : tensor<16x3x3x16xi8>} : () -> tensor<16x3x3x16xi8>
  %b = "ml.const"() {value = dense<[100, -200, 300, 0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]> : tensor<16xi32>} : () -> tensor<16xi32>
  %m = "ml.const"() {value = dense<1234567890> : tensor<16xi32>} : () -> tensor<16xi32>
  %s = "ml.const"() {value = dense<-6> : tensor<16xi32>} : () -> tensor<16xi32>
  %0 = "ml.integer_conv"(%x, %w, %b, %m, %s) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x9x9x16xi8>, tensor<16x3x3x16xi8>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>) -> tensor<1x7x7x16xi8>
  %1 = "ml.pad"(%0) {pad = array<i64: 0, 0, 1, 1, 1, 2, 0, 0>, value = 0 : i64} : (tensor<1x7x7x16xi8>) -> tensor<1x9x10x16xi8>
  return %1 : tensor<1x9x10x16xi8>
}
