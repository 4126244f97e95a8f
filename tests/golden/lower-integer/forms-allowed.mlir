// A module with a profile may allow other bits where the profile has none. Then the op is computed in float at every
// stage, with a warning.
// RUN: %opt --pass lower-to-integer %s 2>&1 | FileCheck %s
// RUN: quern opt %s --emit=interpret --input 'dense<[1, 2, -3, 4]> : tensor<4xi8>' --input 'dense<130> : tensor<4xui8>' | FileCheck %s --check-prefix=MODEL
// RUN: quern opt %s --lower-to-integer --emit=interpret --input 'dense<[1, 2, -3, 4]> : tensor<4xi8>' --input 'dense<130> : tensor<4xui8>' 2>/dev/null | FileCheck %s --check-prefix=MODEL
!x = !quant.uniform<i8:f32, 0.5>
!u = !quant.uniform<u8:f32, 0.5:128>
// MODEL: dense<[1, 2, -3, 4]>
module attributes {quern.fall_back, quern.numerics = "tflm"} {
  func.func @main(%a: tensor<4x!x>, %b: tensor<4x!u>) -> tensor<4x!x> {
    // CHECK: [[#@LINE+1]]:{{.*}}warning: 'ml.mul' has no integer form: the operation mixes signed and unsigned storage; it is computed in float, not in the bits of tflm
    %0 = "ml.mul"(%a, %b) : (tensor<4x!x>, tensor<4x!u>) -> tensor<4x!x>
    return %0 : tensor<4x!x>
  }
}
