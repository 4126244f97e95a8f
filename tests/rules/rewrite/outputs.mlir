// Ops with several outputs, and ops with as many operands as the matched op.
// run: files=../../../rules/integer.rr,../../../rules/layout.rr validate=true report=true log=true
// SPDX-License-Identifier: Apache-2.0
!x = !quant.uniform<u8:f32, 0.5:3>
!s = !quant.uniform<i8:f32, 0.5:-3>
module attributes {quern.numerics = "litert-ref"} {
func.func @even(%x: tensor<1x2x2x6x!x>) -> (tensor<1x2x2x3x!x>, tensor<1x2x2x3x!x>) {
  %0:2 = "ml.split"(%x) {axis = 3 : i64} : (tensor<1x2x2x6x!x>) -> (tensor<1x2x2x3x!x>, tensor<1x2x2x3x!x>)
  return %0#1, %0#0 : tensor<1x2x2x3x!x>, tensor<1x2x2x3x!x>
}
func.func @concat(%a: tensor<1x2xf32>, %b: tensor<1x3xf32>) -> tensor<1x5x!x> {
  %0 = "ml.concat"(%a, %b) {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x3xf32>) -> tensor<1x5xf32>
  %1 = quant.qcast %0 : tensor<1x5xf32> to tensor<1x5x!x>
  return %1 : tensor<1x5x!x>
}
func.func @linear(%x: tensor<1x4x!s>, %w: tensor<2x4x!quant.uniform<i8:f32, 0.125>>) -> tensor<1x2x!s> {
  %b = "ml.const"() {value = dense<[1.0, -2.5]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = quant.dcast %x : tensor<1x4x!s> to tensor<1x4xf32>
  %1 = quant.dcast %w : tensor<2x4x!quant.uniform<i8:f32, 0.125>> to tensor<2x4xf32>
  %2 = "ml.linear"(%0, %1, %b) : (tensor<1x4xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %3 = quant.qcast %2 : tensor<1x2xf32> to tensor<1x2x!s>
  return %3 : tensor<1x2x!s>
}
}
