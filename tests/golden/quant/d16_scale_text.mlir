// Every printed scale reads back, also scales printed as bits, which are always those of a double.
// RUN: %opt --round-trip %s | FileCheck %s
// MLIR-OPT: accepts
!q = !quant.uniform<u8:f32:{0:1}, {{2.0}, {1234567.0}}>
// CHECK: {{\{\{}}2.000000e+00}, {0x4132D68700000000}}
func.func private @f(tensor<2x1x!q>)
