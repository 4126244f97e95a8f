// A clip is fused into a convolution; a 1x1 convolution becomes a matrix product.
// run: files=../../../rules/fusion.rr validate=true report=true log=true
// SPDX-License-Identifier: Apache-2.0
!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32:0, {0.25, 0.125}>
!y = !quant.uniform<i8:f32, 0.75:-5>
module attributes {quern.numerics = "litert-ref"} {
func.func @clip(%x: tensor<1x4x4x3x!x>, %w: tensor<2x3x3x3x!w>, %b: tensor<2xi32>) -> tensor<1x4x4x2x!y> {
  %0 = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x4x4x3x!x>, tensor<2x3x3x3x!w>, tensor<2xi32>) -> tensor<1x4x4x2x!y>
  %1 = "ml.relu6"(%0) : (tensor<1x4x4x2x!y>) -> tensor<1x4x4x2x!y>
  return %1 : tensor<1x4x4x2x!y>
}
func.func @point(%x: tensor<1x4x4x3x!x>, %w: tensor<2x1x1x3x!w>, %b: tensor<2xi32>) -> tensor<1x4x4x2x!y> {
  %0 = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x4x4x3x!x>, tensor<2x1x1x3x!w>, tensor<2xi32>) -> tensor<1x4x4x2x!y>
  return %0 : tensor<1x4x4x2x!y>
}
func.func @pad(%x: tensor<1x4x4x3x!x>, %w: tensor<2x3x3x3x!w>, %b: tensor<2xi32>) -> tensor<1x5x4x2x!y> {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 1, 2, 1, 1, 0, 0>} : (tensor<1x4x4x3x!x>) -> tensor<1x7x6x3x!x>
  %1 = "ml.conv"(%0, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x7x6x3x!x>, tensor<2x3x3x3x!w>, tensor<2xi32>) -> tensor<1x5x4x2x!y>
  return %1 : tensor<1x5x4x2x!y>
}
}
