// Who names a profile expects its bits: an op outside of them is computed in float all the same, and a
// warning says so.
// RUN: %opt --pass lower-to-integer %s 2>&1 | FileCheck %s
!x = !quant.uniform<i8:f32, 0.5>
!u = !quant.uniform<u8:f32, 0.5:128>
module attributes {quern.numerics = "tflm"} {
  func.func @main(%a: tensor<4x!x>, %b: tensor<4x!u>) -> tensor<4x!x> {
    // CHECK: [[#@LINE+1]]:{{.*}}warning: 'ml.mul' has no integer form: the operation mixes signed and unsigned storage; it is computed in float, not in the bits of tflm
    %0 = "ml.mul"(%a, %b) : (tensor<4x!x>, tensor<4x!u>) -> tensor<4x!x>
    return %0 : tensor<4x!x>
  }
}
