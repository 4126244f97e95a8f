// The graph that the rules in this folder are tried on.
// SPDX-License-Identifier: Apache-2.0
!x = !quant.uniform<u8:f32, 0.5:1>
module attributes {quern.numerics = "litert-ref"} {
func.func @f(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2x!x> {
  %0 = "ml.max_pool"(%x) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
  %1 = quant.qcast %0 : tensor<1x2x2x2xf32> to tensor<1x2x2x2x!x>
  %2 = "ml.relu"(%1) : (tensor<1x2x2x2x!x>) -> tensor<1x2x2x2x!x>
  return %2 : tensor<1x2x2x2x!x>
}
}
