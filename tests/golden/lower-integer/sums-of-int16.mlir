// Sums of 16 bits: the optimized kernels compute them in floats, the reference kernels sum bytes.
// RUN: %opt --pass lower-to-integer %s 2>&1 | FileCheck %s
// RUN: sed 's/litert-opt/xnnpack/' %s | %opt --pass lower-to-integer - 2>&1 | FileCheck %s --check-prefix=XNNPACK
// RUN: sed 's/litert-opt/tflm/' %s | %opt --pass lower-to-integer - | FileCheck %s --check-prefix=KNOWN
// CHECK: error: 'ml.reduce_sum' has no integer form: the profile litert-opt has no rule for sums of 16 bits
// XNNPACK: error: 'ml.reduce_sum' has no integer form: the profile xnnpack has no rule for sums of 16 bits
// KNOWN: linalg.generic
!s = !quant.uniform<i16:f32, 0.001>
module attributes {quern.numerics = "litert-opt"} {
  func.func @main(%s: tensor<4x!s>) -> tensor<1x!s> {
    %g = "ml.reduce_sum"(%s) {axes = array<i64: 0>, keep_dims = true} : (tensor<4x!s>) -> tensor<1x!s>
    return %g : tensor<1x!s>
  }
}
