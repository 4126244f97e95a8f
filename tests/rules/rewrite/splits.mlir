// Splits along channels slice weights and scales. Splits along rows slice the operand, with
// the extra rows that the window reaches.
// run: files=splits.rr validate=true report=true log=true
// SPDX-License-Identifier: Apache-2.0
!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32:0, {0.25, 0.125, 0.5}>
!y = !quant.uniform<i8:f32, 0.75:-5>
module attributes {quern.numerics = "litert-ref"} {
func.func @channels(%x: tensor<1x2x2x2x!x>) -> tensor<1x2x2x3x!y> {
  %w = "ml.const"() {value = dense<[[[[1, 2]]], [[[3, 4]]], [[[5, -6]]]]> : tensor<3x1x1x2xi8>} : () -> tensor<3x1x1x2x!w>
  %b = "ml.const"() {value = dense<[7, 8, 9]> : tensor<3xi32>} : () -> tensor<3xi32>
  %0 = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2x!x>, tensor<3x1x1x2x!w>, tensor<3xi32>) -> tensor<1x2x2x3x!y>
  return %0 : tensor<1x2x2x3x!y>
}
func.func @rows(%x: tensor<1x9x3x2x!x>) -> tensor<1x5x3x2x!x> {
  %0 = "ml.max_pool"(%x) {kernel_sizes = array<i64: 3, 1>, strides = array<i64: 2, 1>, pad = array<i64: 1, 1, 0, 0>} : (tensor<1x9x3x2x!x>) -> tensor<1x5x3x2x!x>
  return %0 : tensor<1x5x3x2x!x>
}
func.func @outputs(%x: tensor<1x8x!x>, %w: tensor<3x8x!w>, %b: tensor<3xi32>) -> tensor<1x3x!y> {
  %0 = "ml.linear"(%x, %w, %b) : (tensor<1x8x!x>, tensor<3x8x!w>, tensor<3xi32>) -> tensor<1x3x!y>
  return %0 : tensor<1x3x!y>
}
}
