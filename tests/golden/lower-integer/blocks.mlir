// Weights with scales per block become weights with a scale per channel if that is exact: the same
// integers as in @by_hand. A bias would have no scale.
// RUN: %opt --pass lower-to-integer --pass simplify-integer %s | FileCheck %s
// RUN: sed 's/"(%x, %w) : (tensor<1x4x!x>, tensor<2x4x!block>)/"(%x, %w, %b) : (tensor<1x4x!x>, tensor<2x4x!block>, tensor<2xi32>)/' %s | %opt --pass lower-to-integer - 2>&1 | FileCheck %s --check-prefix=BIAS
// Both stages give the same results, also with a bias that has its own scale.
// RUN: quern opt %s --emit=interpret --function main --input 1x4xi8=100,-51,25,13 | FileCheck %s --check-prefix=EXACT
// RUN: quern opt %s --emit=interpret --function by_hand --input 1x4xi8=100,-51,25,13 | FileCheck %s --check-prefix=EXACT
// RUN: quern opt %s --lower-to-integer --emit=interpret --function main --input 1x4xi8=100,-51,25,13 | FileCheck %s --check-prefix=EXACT
// RUN: quern opt %s --emit=run --function main --input 1x4xi8=100,-51,25,13 | FileCheck %s --check-prefix=EXACT
// RUN: quern opt %s --lower-to-integer --emit=run --function main --input 1x4xi8=100,-51,25,13 | FileCheck %s --check-prefix=EXACT
// RUN: quern opt %s --lower-to-integer="forbid=ml.linear" --emit=run --function main --input 1x4xi8=100,-51,25,13 | FileCheck %s --check-prefix=EXACT
// RUN: quern opt %s --emit=run --function biased --input 1x4xi8=100,-51,25,13 | FileCheck %s --check-prefix=BIASED
// RUN: quern opt %s --emit=interpret --function biased --input 1x4xi8=100,-51,25,13 | FileCheck %s --check-prefix=BIASED
// RUN: quern opt %s --lower-to-integer --emit=interpret --function biased --input 1x4xi8=100,-51,25,13 2>/dev/null | FileCheck %s --check-prefix=BIASED
!x = !quant.uniform<i8:f32, 0.5>
!block = !quant.uniform<i8:f32:{0:1, 1:2}, {{0.5, 0.25:3}, {0.125, 0.5}}>
!axis = !quant.uniform<i8:f32:0, {0.25, 0.125}>
func.func @main(%x: tensor<1x4x!x>) -> tensor<1x2x!x> {
  %b = "ml.const"() {value = dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
  %w = "ml.const"() {value = dense<[[1, -2, 3, 4], [5, 6, -7, 8]]> : tensor<2x4xi8>} : () -> tensor<2x4x!block>
  %y = "ml.linear"(%x, %w) : (tensor<1x4x!x>, tensor<2x4x!block>) -> tensor<1x2x!x>
  return %y : tensor<1x2x!x>
}
func.func @by_hand(%x: tensor<1x4x!x>) -> tensor<1x2x!x> {
  %w = "ml.const"() {value = dense<[[2, -4, 0, 1], [5, 6, -28, 32]]> : tensor<2x4xi8>} : () -> tensor<2x4x!axis>
  %y = "ml.linear"(%x, %w) : (tensor<1x4x!x>, tensor<2x4x!axis>) -> tensor<1x2x!x>
  return %y : tensor<1x2x!x>
}
!bias = !quant.uniform<i32:f32, 0.5>
func.func @biased(%x: tensor<1x4x!x>) -> tensor<1x2x!x> {
  %b = "ml.const"() {value = dense<[20, -30]> : tensor<2xi32>} : () -> tensor<2x!bias>
  %w = "ml.const"() {value = dense<[[1, -2, 3, 4], [5, 6, -7, 8]]> : tensor<2x4xi8>} : () -> tensor<2x4x!block>
  %y = "ml.linear"(%x, %w, %b) : (tensor<1x4x!x>, tensor<2x4x!block>, tensor<2x!bias>) -> tensor<1x2x!x>
  return %y : tensor<1x2x!x>
}

// CHECK: func.func @main
// CHECK-NEXT{LITERAL}: %0 = "ml.const"() {value = dense<[[2, -4, 0, 1], [5, 6, -28, 32]]> : tensor<2x4xi8>}
// CHECK-NEXT: %1 = "ml.const"() {value = dense<0> : tensor<2xi32>}
// CHECK-NEXT: %2 = "ml.const"() {value = dense<[2.500000e-01, 1.250000e-01]> : tensor<2xf64>}
// CHECK-NEXT: %3 = "ml.const"()
// CHECK-NEXT: %[[Y:.*]] = "ml.integer_linear"(%arg0, %0, %1, %2, %3) {[[ATTRS:.*]]} : (tensor<1x4xi8>,
// CHECK: func.func @by_hand
// CHECK-NEXT{LITERAL}: %0 = "ml.const"() {value = dense<[[2, -4, 0, 1], [5, 6, -28, 32]]> : tensor<2x4xi8>}
// CHECK-NEXT: %1 = "ml.const"() {value = dense<0> : tensor<2xi32>}
// CHECK-NEXT: %2 = "ml.const"() {value = dense<[2.500000e-01, 1.250000e-01]> : tensor<2xf64>}
// CHECK-NEXT: %3 = "ml.const"()
// CHECK-NEXT: "ml.integer_linear"(%arg0, %0, %1, %2, %3) {[[ATTRS]]} : (tensor<1x4xi8>,

// BIAS: error: 'ml.linear' has no integer form: a bias has no scale beside weights with scales per block

// (100 * 0.5 + 51 + 13 * 0.25) = 104.25, (62.5 - 38.25 - 87.5 + 52) = -11.25, in steps of the result; the
// biases add 20 and -30.
// EXACT: dense<{{\[\[}}104, -11{{\]\]}}>
// BIASED: dense<{{\[\[}}124, -41{{\]\]}}>
