// A profile promises its runtime's bits. An op without these bits is an error that says how to allow others;
// if allowed, the op is computed in float, with a warning.
// RUN: ! %opt --pass lower-to-integer %s 2>/dev/null
// RUN: %opt --pass lower-to-integer %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: ! quern opt %s --emit=interpret --input 'dense<1> : tensor<4xi8>' --input 'dense<1> : tensor<4xui8>' 2>/dev/null
// RUN: quern opt %s --fall-back --lower-to-integer 2>&1 | FileCheck %s
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer{fall-back=true})' %s 2>&1 | FileCheck %s
!x = !quant.uniform<i8:f32, 0.5>
!u = !quant.uniform<u8:f32, 0.5:128>
module attributes {quern.numerics = "tflm"} {
  func.func @main(%a: tensor<4x!x>, %b: tensor<4x!u>) -> tensor<4x!x> {
    // REFUSED: [[#@LINE+2]]:{{.*}}error: 'ml.mul' has no integer form: the operation mixes signed and unsigned storage; in float it would not have the bits of tflm: --fall-back allows that
    // CHECK: [[#@LINE+1]]:{{.*}}warning: 'ml.mul' has no integer form: the operation mixes signed and unsigned storage; it is computed in float, not in the bits of tflm
    %0 = "ml.mul"(%a, %b) : (tensor<4x!x>, tensor<4x!u>) -> tensor<4x!x>
    return %0 : tensor<4x!x>
  }
}
