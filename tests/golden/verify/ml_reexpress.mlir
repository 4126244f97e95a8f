// ml.reexpress: attribute words, and mode "exact" where the conversion is not exact.
// RUN: %opt %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
!q = !quant.uniform<i8:f32, 0.5>
!fine = !quant.uniform<i8:f32, 0.25>
!coarse = !quant.uniform<i16:f32, 1.0>
!narrow = !quant.uniform<i8<-64:63>:f32, 0.5>
!axis = !quant.uniform<i16:f32:1, {0.5, 0.3}>
!f16 = !quant.uniform<i8:f16, 0.5>
func.func @main(%q: tensor<3x2x!q>, %n: tensor<3x2x!narrow>, %s: tensor<3x2xi8>) {
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.reexpress' op unknown mode 'fast'; it is one of exact,checked
  %0 = "ml.reexpress"(%q) {mode = "fast"} : (tensor<3x2x!q>) -> tensor<3x2x!q>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.reexpress' op mode "exact" takes neither 'rounding' nor 'overflow'
  %1 = "ml.reexpress"(%q) {mode = "exact", rounding = "even"} : (tensor<3x2x!q>) -> tensor<3x2x!q>
  // CHECK: [[#@LINE+2]]:{{.*}}error: 'ml.reexpress' op mode "checked" needs 'rounding' "even", "away", "toward-zero" or "floor"
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.reexpress' op mode "checked" needs 'overflow' "saturate" or "error"
  %r = "ml.reexpress"(%q) {mode = "checked"} : (tensor<3x2x!q>) -> tensor<3x2x!q>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.reexpress' op unknown rounding 'up'; it is one of even,away,toward-zero,floor
  %2 = "ml.reexpress"(%q) {mode = "checked", rounding = "up"} : (tensor<3x2x!q>) -> tensor<3x2x!q>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.reexpress' op is not exact: the stored value -128 at [0, 0] means -64, which the result can't reach
  %3 = "ml.reexpress"(%q) {mode = "exact"} : (tensor<3x2x!q>) -> tensor<3x2x!fine>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.reexpress' op is not exact: the stored value -127 at [0, 0] means -63.5, which the result can only round to
  %4 = "ml.reexpress"(%q) {mode = "exact"} : (tensor<3x2x!q>) -> tensor<3x2x!coarse>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.reexpress' op is not exact: the stored value -128 at [0, 1] means -64, which the result can only round to
  %5 = "ml.reexpress"(%q) {mode = "exact"} : (tensor<3x2x!q>) -> tensor<3x2x!axis>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.reexpress' op needs one expressed type on both sides
  %6 = "ml.reexpress"(%q) {mode = "exact"} : (tensor<3x2x!q>) -> tensor<3x2x!f16>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.reexpress' op needs uniform quantized types on both sides
  %7 = "ml.reexpress"(%s) {mode = "exact"} : (tensor<3x2xi8>) -> tensor<3x2x!q>
  // The explicit range makes the conversion exact.
  %8 = "ml.reexpress"(%n) {mode = "exact"} : (tensor<3x2x!narrow>) -> tensor<3x2x!fine>
  return
}
