// 16-bit additions, products and FULLY_CONNECTED that the optimized kernels compute by their own rules: in floats, with one rounding.
// RUN: %opt --pass lower-to-integer %s 2>&1 | FileCheck %s
// RUN: sed 's/litert-opt/xnnpack/' %s | %opt --pass lower-to-integer - 2>&1 | FileCheck %s --check-prefix=XNNPACK
// RUN: sed 's/litert-opt/tflm/' %s | %opt --pass lower-to-integer - 2>&1 | FileCheck %s --check-prefix=KNOWN
// CHECK-DAG: error: 'ml.reduce_sum' has no integer form: the profile litert-opt has no rule for sums of 16 bits
// CHECK-DAG: error: 'ml.reduce_prod' has no integer form: the profile litert-opt has no rule for products of 16 bits
// CHECK-DAG: error: 'ml.linear' has no integer form: the profile has no rule for activations of 16 bits without a bias of 64
// XNNPACK-DAG: error: 'ml.reduce_sum' has no integer form: the profile xnnpack has no rule for sums of 16 bits
// XNNPACK-DAG: error: 'ml.reduce_prod' has no integer form: the profile xnnpack has no rule for products of 16 bits
// XNNPACK-DAG: error: 'ml.linear' has no integer form: the profile has no rule for activations of 16 bits without a bias of 64
// KNOWN-NOT: error
// KNOWN: ml.integer_linear
!s = !quant.uniform<i16:f32, 0.001>
!w = !quant.uniform<i8:f32, 0.01>
module attributes {quern.numerics = "litert-opt"} {
  func.func @main(%s: tensor<4x!s>, %x: tensor<1x4x!s>) -> (tensor<1x!s>, tensor<1x!s>, tensor<1x2x!s>) {
    %g = "ml.reduce_sum"(%s) {axes = array<i64: 0>, keep_dims = true} : (tensor<4x!s>) -> tensor<1x!s>
    %p = "ml.reduce_prod"(%s) {axes = array<i64: 0>, keep_dims = true} : (tensor<4x!s>) -> tensor<1x!s>
    %w = "ml.const"() {value = dense<1> : tensor<2x4xi8>} : () -> tensor<2x4x!w>
    %l = "ml.linear"(%x, %w) : (tensor<1x4x!s>, tensor<2x4x!w>) -> tensor<1x2x!s>
    return %g, %p, %l : tensor<1x!s>, tensor<1x!s>, tensor<1x2x!s>
  }
}
