// Signed weights of fewer than 8 bits become int8 without zero point, and so do bias and scales: the integers
// of @by_hand, the same results at all stages.
// RUN: %opt --pass lower-to-integer %s | FileCheck %s
// RUN: quern opt %s --emit=interpret --function main --input 1x4xi8=100,-51,25,13 | FileCheck %s --check-prefix=RESULT
// RUN: quern opt %s --emit=interpret --function by_hand --input 1x4xi8=100,-51,25,13 | FileCheck %s --check-prefix=RESULT
// RUN: quern opt %s --lower-to-integer --emit=interpret --function main --input 1x4xi8=100,-51,25,13 | FileCheck %s --check-prefix=RESULT
// RUN: quern opt %s --emit=run --function main --input 1x4xi8=100,-51,25,13 | FileCheck %s --check-prefix=RESULT
// RUN: quern opt %s --lower-to-integer="forbid=ml.linear" --emit=run --function main --input 1x4xi8=100,-51,25,13 | FileCheck %s --check-prefix=RESULT
// RUN: quern opt %s --emit=run --function layer --input 1x4xi8=100,-51,25,13 | FileCheck %s --check-prefix=LAYER
// RUN: quern opt %s --emit=interpret --function layer --input 1x4xi8=100,-51,25,13 | FileCheck %s --check-prefix=LAYER
!x = !quant.uniform<i8:f32, 0.5>
!w = !quant.uniform<i4:f32:0, {0.25:3, 0.125:-2}>
!axis = !quant.uniform<i8:f32:0, {0.25, 0.125}>
!l = !quant.uniform<i3:f32, 0.25:-1>
!bias = !quant.uniform<i32:f32:0, {0.125, 0.0625}>

// 50 * -0.5 + 25.5 * 1.25 + 6.5 + 2 = 15.375 and 59.375, -56.625 for the last row, in steps of 0.5.
// RESULT: dense<{{\[\[}}31, 119{{\]\]}}>
// LAYER: dense<{{\[\[}}-113{{\]\]}}>
// CHECK: func.func @main
// CHECK-DAG{LITERAL}: value = dense<[[-2, -5, 0, 4], [7, -6, -5, 9]]> : tensor<2x4xi8>
// CHECK: "ml.integer_linear"({{.*}}) {[[ATTRS:.*]]} : (tensor<1x4xi8>, tensor<2x4xi8>
// CHECK: func.func @by_hand
// CHECK: "ml.integer_linear"({{.*}}) {[[ATTRS]]} : (tensor<1x4xi8>, tensor<2x4xi8>
func.func @main(%x: tensor<1x4x!x>) -> tensor<1x2x!x> {
  %b = "ml.const"() {value = dense<[16, -48]> : tensor<2xi32>} : () -> tensor<2x!bias>
  %w = "ml.const"() {value = dense<[[1, -2, 3, 7], [5, -8, -7, 7]]> : tensor<2x4xi4>} : () -> tensor<2x4x!w>
  %y = "ml.linear"(%x, %w, %b) : (tensor<1x4x!x>, tensor<2x4x!w>, tensor<2x!bias>) -> tensor<1x2x!x>
  return %y : tensor<1x2x!x>
}
func.func @by_hand(%x: tensor<1x4x!x>) -> tensor<1x2x!x> {
  %b = "ml.const"() {value = dense<[16, -48]> : tensor<2xi32>} : () -> tensor<2x!bias>
  %w = "ml.const"() {value = dense<[[-2, -5, 0, 4], [7, -6, -5, 9]]> : tensor<2x4xi8>} : () -> tensor<2x4x!axis>
  %y = "ml.linear"(%x, %w, %b) : (tensor<1x4x!x>, tensor<2x4x!axis>, tensor<2x!bias>) -> tensor<1x2x!x>
  return %y : tensor<1x2x!x>
}
func.func @layer(%x: tensor<1x4x!x>) -> tensor<1x1x!x> {
  %w = "ml.const"() {value = dense<[[-4, 3, 0, 1]]> : tensor<1x4xi3>} : () -> tensor<1x4x!l>
  %y = "ml.linear"(%x, %w) : (tensor<1x4x!x>, tensor<1x4x!l>) -> tensor<1x1x!x>
  return %y : tensor<1x1x!x>
}
