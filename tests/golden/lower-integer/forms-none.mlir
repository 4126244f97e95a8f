// An op that has neither form, or whose forms are both forbidden, is reported at its location.
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer)' %s 2>&1 | FileCheck %s
// RUN: ! quern opt --pass-pipeline='builtin.module(lower-to-integer)' %s 2>/dev/null
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer{forbid=ml.reexpress})' %s 2>&1 | FileCheck %s --check-prefix=FORBID
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer{force=ml.add,ml.linear})' %s 2>&1 | FileCheck %s --check-prefix=FORCE
// RUN: ! quern opt --pass-pipeline='builtin.module(lower-to-integer{force=ml.add,ml.linear})' %s 2>/dev/null
!x = !quant.uniform<i8:f32, 0.5>
!h = !quant.uniform<i16:f32, 0.5>
!block = !quant.uniform<i8:f32:{0:2, 1:2}, {{0.5, 0.3}}>
func.func @main(%a: tensor<2x4x!x>, %h: tensor<2x4x!h>, %i: tensor<2x4xi8>) {
  // FORCE: [[#@LINE+1]]:{{.*}}error: 'ml.add' has no integer form: the operation mixes tensors of 8 and 16 bits
  %0 = "ml.add"(%a, %h) : (tensor<2x4x!x>, tensor<2x4x!h>) -> tensor<2x4x!x>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.relu' has no integer form: the input is not quantized
  %1 = "ml.relu"(%i) : (tensor<2x4xi8>) -> tensor<2x4xi8>
  %w = "ml.const"() {value = dense<1> : tensor<2x4xi8>} : () -> tensor<2x4x!block>
  %b = "ml.const"() {value = dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
  // CHECK: [[#@LINE+2]]:{{.*}}error: 'ml.linear' has no integer form: a bias has no scale beside weights with scales per block
  // FORCE: [[#@LINE+1]]:{{.*}}error: 'ml.linear' has no integer form: a bias has no scale beside weights with scales per block
  %2 = "ml.linear"(%a, %w, %b) : (tensor<2x4x!x>, tensor<2x4x!block>, tensor<2xi32>) -> tensor<2x2x!x>
  // CHECK: [[#@LINE+2]]:{{.*}}error: 'ml.reexpress' has no integer form: a table can't report what the result can't hold
  // FORBID: [[#@LINE+1]]:{{.*}}error: 'ml.reexpress' has no form: the integer form is forbidden, and no fall-back, as quant.qcast does not report what the result can't hold
  %3 = "ml.reexpress"(%a) {mode = "checked", rounding = "even", overflow = "error"} : (tensor<2x4x!x>) -> tensor<2x4x!quant.uniform<i8:f32, 0.25>>
  return
}
