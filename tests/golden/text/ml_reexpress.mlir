// Re-expression between schemes, signs and widths: every mode is read and printed.
// RUN: quern opt %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --round-trip %s >/dev/null
!layer = !quant.uniform<i8:f32, 0.5:3>
!axis = !quant.uniform<i16:f32:1, {0.5, 0.25}>
!block = !quant.uniform<i16:f32:{0:2, 1:1}, {{0.5, 0.25}, {0.125, 0.5:7}}>
!unsigned = !quant.uniform<u8:f32, 0.5:131>
func.func @main(%x: tensor<4x2x!layer>) -> tensor<4x2x!layer> {
  %0 = "ml.reexpress"(%x) {mode = "exact"} : (tensor<4x2x!layer>) -> tensor<4x2x!unsigned>
  %1 = "ml.reexpress"(%0) {mode = "exact"} : (tensor<4x2x!unsigned>) -> tensor<4x2x!axis>
  %2 = "ml.reexpress"(%1) {mode = "checked", rounding = "away", overflow = "error"} : (tensor<4x2x!axis>) -> tensor<4x2x!block>
  %3 = "ml.reexpress"(%2) {mode = "checked", rounding = "even", overflow = "saturate"} : (tensor<4x2x!block>) -> tensor<4x2x!layer>
  return %3 : tensor<4x2x!layer>
}

// CHECK:module {
// CHECK-NEXT:  func.func @main(%arg0: tensor<4x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<4x2x!quant.uniform<i8:f32, 5.000000e-01:3>> {
// CHECK-NEXT:    %0 = "ml.reexpress"(%arg0) {mode = "exact"} : (tensor<4x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<4x2x!quant.uniform<u8:f32, 5.000000e-01:131>>
// CHECK-NEXT:    %1 = "ml.reexpress"(%0) {mode = "exact"} : (tensor<4x2x!quant.uniform<u8:f32, 5.000000e-01:131>>) -> tensor<4x2x!quant.uniform<i16:f32:1, {5.000000e-01,2.500000e-01}>>
// CHECK-NEXT{LITERAL}:    %2 = "ml.reexpress"(%1) {mode = "checked", overflow = "error", rounding = "away"} : (tensor<4x2x!quant.uniform<i16:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<4x2x!quant.uniform<i16:f32:{0:2, 1:1}, {{5.000000e-01, 2.500000e-01}, {1.250000e-01, 5.000000e-01:7}}>>
// CHECK-NEXT{LITERAL}:    %3 = "ml.reexpress"(%2) {mode = "checked", overflow = "saturate", rounding = "even"} : (tensor<4x2x!quant.uniform<i16:f32:{0:2, 1:1}, {{5.000000e-01, 2.500000e-01}, {1.250000e-01, 5.000000e-01:7}}>>) -> tensor<4x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK-NEXT:    return %3 : tensor<4x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK-NEXT:  }
// CHECK-NEXT:}
