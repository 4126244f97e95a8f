// Constants of quantized types are written as stored values, and lowered like all others.
// RUN: quern opt %s --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=SAME
// RUN: quern opt %s --split-input-file --lower-quant-ops --canonicalize 2>/dev/null | FileCheck %s
// RUN: quern opt %s --split-input-file --emit=interpret --function f 2>/dev/null | FileCheck %s --check-prefix=VALUE
// MLIR-OPT: none
!q = !quant.uniform<u8:f32, 0.5:10>
// SAME: arith.constant dense<[10, 200]> : tensor<2x!quant.uniform<u8:f32, 5.000000e-01:10>>
// CHECK: arith.constant dense<[10, -56]> : tensor<2xi8>
// CHECK-NOT: quant.scast
// VALUE: dense<[0.000000e+00, 9.500000e+01]> : tensor<2xf32>
func.func @f() -> tensor<2xf32> {
  %0 = arith.constant dense<[10, 200]> : tensor<2x!q>
  %1 = quant.dcast %0 : tensor<2x!q> to tensor<2xf32>
  return %1 : tensor<2xf32>
}
// -----
!q = !quant.uniform<i8<-8:7>:f32, 0.5>
func.func @f() -> tensor<2x!q> {
  // expected-error@+1 {{stored value 10 out of range [-8, 7]}}
  %0 = arith.constant dense<[-8, 10]> : tensor<2x!q>
  return %0 : tensor<2x!q>
}
