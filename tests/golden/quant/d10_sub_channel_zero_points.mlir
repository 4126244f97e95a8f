// Zero points of sub-channel types are checked when read, and printed unsigned for unsigned
// storage. Upstream wraps them, and prints -56 for 200.
// RUN: quern opt %s --split-input-file --verify-diagnostics | FileCheck %s
// MLIR-OPT: none
!u = !quant.uniform<u8:f32:{0:1}, {{2.0:200}, {3.0:255}}>
// CHECK: {{\{\{}}2.000000e+00:200}, {3.000000e+00:255}}
func.func private @f(tensor<2x1x!u>)
// -----
// expected-error@+1 {{zero point 300 out of storage type range [-128, 127]}}
!q = !quant.uniform<i8:f32:{0:1}, {{2.0:300}}>
// -----
// expected-error@+1 {{zero point -1 out of storage type range [0, 255]}}
!q = !quant.uniform<u8:f32:{0:1}, {{2.0:-1}}>
