// Four operators in floats; int8.mlir has the same operators quantized.
// SPDX-License-Identifier: Apache-2.0
module {
  func.func @main(%x: tensor<1x8x8x4xf32>, %y: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
    %0 = "ml.add"(%x, %y) {quern.tensors = array<i64: 0>} : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
    %1 = "ml.mul"(%0, %y) {quern.tensors = array<i64: 1>} : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
    %2 = "ml.tanh"(%1) {quern.tensors = array<i64: 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
    %3 = "ml.max_pool"(%2) {kernel_sizes = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>, quern.tensors = array<i64: 3>} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
    return %3 : tensor<1x8x8x4xf32>
  }
}
