// A bias of -0 counts as +0 in a transposed convolution: with and without products by the zeros between the elements, a sum of
// zeros is +0.
// RUN: quern opt %s --emit=interpret --input 1x1x2x1xf32=0,-0 | FileCheck %s
// RUN: quern opt %s --emit=run --input 1x1x2x1xf32=0,-0 | FileCheck %s
// CHECK: {{\[}}0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]]
// MLIR-OPT: none
module attributes {quern.fall_back, quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x1x2x1xf32>) -> tensor<1x1x4x2xf32> {
    %w = "ml.const"() {value = dense<[[[[-0.75], [2.0]]], [[[1.5], [-1.375]]]]> : tensor<2x1x2x1xf32>} : () -> tensor<2x1x2x1xf32>
    %b = "ml.const"() {value = dense<-0.0> : tensor<2xf32>} : () -> tensor<2xf32>
    %y = "ml.conv_transpose"(%x, %w, %b) {dilations = array<i64: 1, 1>, groups = 1 : i64, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 2>} : (tensor<1x1x2x1xf32>, tensor<2x1x2x1xf32>, tensor<2xf32>) -> tensor<1x1x4x2xf32>
    return %y : tensor<1x1x4x2xf32>
  }
}
