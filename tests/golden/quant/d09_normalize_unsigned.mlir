// Zero points of unsigned storage do not change. Upstream turns 200 into -56.
// MLIR-OPT: accepts
// RUN: quern opt %s --normalize-quant-types | FileCheck %s
!layer = !quant.uniform<u8:f32:{}, {{2.0:200}}>
!axis = !quant.uniform<u8:f32:{1:1}, {{2.0:200, 3.0:255}}>
// CHECK: @f(tensor<?x?x!quant.uniform<u8:f32, 2.000000e+00:200>>) -> tensor<?x2x!quant.uniform<u8:f32:1, {2.000000e+00:200,3.000000e+00:255}>>
func.func private @f(tensor<?x?x!layer>) -> tensor<?x2x!axis>
