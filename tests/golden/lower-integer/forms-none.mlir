// An op that has neither form is reported at its place.
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer{fall-back=true})' %s 2>&1 | FileCheck %s
// RUN: ! quern opt --pass-pipeline='builtin.module(lower-to-integer{fall-back=true})' %s 2>/dev/null
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer{forbid=ml.add,ml.linear})' %s 2>&1 | FileCheck %s --check-prefix=FORBID
// RUN: ! quern opt --pass-pipeline='builtin.module(lower-to-integer{forbid=ml.add,ml.linear})' %s 2>/dev/null
!x = !quant.uniform<i8:f32, 0.5>
!h = !quant.uniform<i16:f32, 0.5>
!block = !quant.uniform<i8:f32:{0:2, 1:2}, {{0.5, 0.3}}>
func.func @main(%a: tensor<2x4x!x>, %h: tensor<2x4x!h>, %v: tensor<1x4x!x>) {
  // CHECK: [[#@LINE+2]]:{{.*}}error: 'ml.add' has no integer form: operand 1 is not stored in 8 bits
  // FORBID: [[#@LINE+1]]:{{.*}}error: 'ml.add' has no form: the integer form is forbidden, and no fall-back, as it casts 8-bit tensors with one scale only
  %0 = "ml.add"(%a, %h) : (tensor<2x4x!x>, tensor<2x4x!h>) -> tensor<2x4x!x>
  // FORBID: [[#@LINE+1]]:{{.*}}error: 'ml.add' has no form: the integer form is forbidden, and no fall-back, as it does not broadcast
  %1 = "ml.add"(%a, %v) : (tensor<2x4x!x>, tensor<1x4x!x>) -> tensor<2x4x!x>
  %w = "ml.const"() {value = dense<1> : tensor<2x4xi8>} : () -> tensor<2x4x!block>
  // CHECK: [[#@LINE+2]]:{{.*}}error: 'ml.linear' has no integer form: the weights have scales per block that no int8 with a scale per channel holds
  // FORBID: [[#@LINE+1]]:{{.*}}error: 'ml.linear' has no form: the integer form is forbidden, and no fall-back, as there is no float op for it
  %2 = "ml.linear"(%a, %w) : (tensor<2x4x!x>, tensor<2x4x!block>) -> tensor<2x2x!x>
  return
}
