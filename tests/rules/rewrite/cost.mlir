// Rules that apply only if the result is cheaper: a clip moves after the pool but not back, and a convolution
// without padding is split into the chunks with the smallest memory plan.
// run: files=cost.rr report=true log=true
// SPDX-License-Identifier: Apache-2.0
!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.25>
module attributes {quern.numerics = "litert-ref"} {
func.func @main(%x: tensor<1x10x4x2x!x>) -> (tensor<1x10x4x2x!x>, tensor<1x10x4x2x!x>, tensor<1x5x2x2x!x>) {
  %w = "ml.const"() {value = dense<1> : tensor<2x3x3x2xi8>} : () -> tensor<2x3x3x2x!w>
  %v = "ml.const"() {value = dense<1> : tensor<2x1x1x2xi8>} : () -> tensor<2x1x1x2x!w>
  %b = "ml.const"() {value = dense<7> : tensor<2xi32>} : () -> tensor<2xi32>
  %0 = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x10x4x2x!x>, tensor<2x3x3x2x!w>, tensor<2xi32>) -> tensor<1x10x4x2x!x>
  %1 = "ml.conv"(%x, %v, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x10x4x2x!x>, tensor<2x1x1x2x!w>, tensor<2xi32>) -> tensor<1x10x4x2x!x>
  %2 = "ml.relu6"(%x) : (tensor<1x10x4x2x!x>) -> tensor<1x10x4x2x!x>
  %3 = "ml.max_pool"(%2) {kernel_sizes = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x10x4x2x!x>) -> tensor<1x5x2x2x!x>
  return %0, %1, %3 : tensor<1x10x4x2x!x>, tensor<1x10x4x2x!x>, tensor<1x5x2x2x!x>
}
}
