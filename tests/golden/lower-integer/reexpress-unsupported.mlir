// ml.reexpress without an integer form, and constants that the result type can't hold.
// RUN: quern opt --pass-pipeline="builtin.module(lower-to-integer{fall-back=false})" %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: ! quern opt --pass-pipeline="builtin.module(lower-to-integer{fall-back=false})" %s 2>/dev/null
// MLIR-OPT: accepts
!q = !quant.uniform<i8:f32, 0.5>
!fine = !quant.uniform<i8:f32, 0.25>
!axis = !quant.uniform<i8:f32:0, {0.5, 0.25}>
func.func @main(%x: tensor<2x!q>) {
  %w = "ml.const"() {value = dense<[1, 100]> : tensor<2xi8>} : () -> tensor<2x!q>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.reexpress' op has an input that the result can't hold: element 1
  %0 = "ml.reexpress"(%w) {mode = "checked", rounding = "even", overflow = "error"} : (tensor<2x!q>) -> tensor<2x!fine>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.reexpress' has no integer form: a table can't report what the result can't hold
  %1 = "ml.reexpress"(%x) {mode = "checked", rounding = "even", overflow = "error"} : (tensor<2x!q>) -> tensor<2x!fine>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.reexpress' has no integer form: the input or the result has more than one scale
  %2 = "ml.reexpress"(%x) {mode = "checked", rounding = "even", overflow = "saturate"} : (tensor<2x!q>) -> tensor<2x!axis>
  return
}
