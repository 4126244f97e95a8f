// float.mlir quantized. The sum ranges from -2 to 2, but its encoding only from -1 to 1.
// SPDX-License-Identifier: Apache-2.0
!x = !quant.uniform<i8:f32, 7.8125e-03>
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x8x8x4x!x>, %y: tensor<1x8x8x4x!x>) -> tensor<1x8x8x4x!x> {
    %0 = "ml.add"(%x, %y) {quern.tensors = array<i64: 0>} : (tensor<1x8x8x4x!x>, tensor<1x8x8x4x!x>) -> tensor<1x8x8x4x!x>
    %1 = "ml.mul"(%0, %y) {quern.tensors = array<i64: 1>} : (tensor<1x8x8x4x!x>, tensor<1x8x8x4x!x>) -> tensor<1x8x8x4x!quant.uniform<i8:f32, 3.125e-02>>
    %2 = "ml.tanh"(%1) {quern.tensors = array<i64: 2>} : (tensor<1x8x8x4x!quant.uniform<i8:f32, 3.125e-02>>) -> tensor<1x8x8x4x!x>
    %3 = "ml.max_pool"(%2) {kernel_sizes = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>, quern.tensors = array<i64: 3>} : (tensor<1x8x8x4x!x>) -> tensor<1x8x8x4x!x>
    return %3 : tensor<1x8x8x4x!x>
  }
}
