// Hybrid ops are rejected if an error of the kernels would show: weight sums that wrap at 16 bits, products
// that float32 does not hold, unsupported convolutions. Kernels without the error are used.
// RUN: sed s/litert-ref/litert-ref/ %s | %opt - --pass lower-to-integer 2>&1 | FileCheck %s --check-prefixes=ALL,REF
// RUN: sed s/litert-ref/litert-opt/ %s | %opt - --pass lower-to-integer 2>&1 | FileCheck %s --check-prefixes=ALL,OPT
// RUN: sed s/litert-ref/xnnpack/ %s | %opt - --pass lower-to-integer 2>&1 | FileCheck %s --check-prefix=XNN
// ALL: 'ml.linear' has no integer form: the kernels' sums of a channel's weights wrap at 16 bits, or may
// ALL: 'ml.linear' has no integer form: the kernels subtract what zero points add in float32, which does not hold the sums
// OPT: 'ml.conv' has no integer form: the kernels' sums of a channel's weights wrap at 16 bits, or may
// REF-NOT: wrap at 16 bits
// ALL: 'ml.conv' has no integer form: the kernels take it only with a scale per channel
// ALL: 'ml.depthwise_conv' has no integer form: the kernels take it only with a scale per channel
// XNN-NOT: has no integer form
// XNN: 'ml.depthwise_conv' has no integer form: the kernels take it only with a scale per channel
// XNN-NOT: has no integer form
!one = !quant.uniform<i8:f32, 0.5>
!two = !quant.uniform<i8:f32:0, {0.5, 0.25}>
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x4096xf32>, %i: tensor<1x4x4x256xf32>, %s: tensor<1x4x4x4xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x1x4xf32>) {
    %w = "ml.const"() {value = dense<127> : tensor<2x4096xi8>} : () -> tensor<2x4096x!one>
    %e = "ml.const"() {value = dense<63> : tensor<2x4096xi8>} : () -> tensor<2x4096x!one>
    %0 = "ml.linear"(%x, %w) {asymmetric_inputs = true} : (tensor<1x4096xf32>, tensor<2x4096x!one>) -> tensor<1x2xf32>
    %1 = "ml.linear"(%x, %w) : (tensor<1x4096xf32>, tensor<2x4096x!one>) -> tensor<1x2xf32>
    %2 = "ml.linear"(%x, %e) {asymmetric_inputs = true, kernel = "batch_matmul"} : (tensor<1x4096xf32>, tensor<2x4096x!one>) -> tensor<1x2xf32>
    %k = "ml.const"() {value = dense<127> : tensor<2x4x4x256xi8>} : () -> tensor<2x4x4x256x!two>
    %3 = "ml.conv"(%i, %k) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x4x4x256xf32>, tensor<2x4x4x256x!two>) -> tensor<1x1x1x2xf32>
    %g = "ml.const"() {value = dense<1> : tensor<2x4x4x2xi8>} : () -> tensor<2x4x4x2x!one>
    %4 = "ml.conv"(%s, %g) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x4x4x4xf32>, tensor<2x4x4x2x!one>) -> tensor<1x1x1x2xf32>
    %d = "ml.const"() {value = dense<1> : tensor<1x4x4x4xi8>} : () -> tensor<1x4x4x4x!one>
    %5 = "ml.depthwise_conv"(%s, %d) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<1x4x4x4x!one>) -> tensor<1x1x1x4xf32>
    return %0, %1, %2, %3, %4, %5 : tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x1x4xf32>
  }
}
