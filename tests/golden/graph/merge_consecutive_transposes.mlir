// Consecutive transposes become one; cases that must stay.
// RUN: quern opt %s --merge-consecutive-transposes | FileCheck %s

// CHECK-LABEL: func.func @two
// CHECK-NEXT: "ml.transpose"(%arg0) {perm = array<i64: 3, 1, 0, 2>} : (tensor<1x2x3x4xf32>) -> tensor<4x2x1x3xf32>
// CHECK-NEXT: return
func.func @two(%x: tensor<1x2x3x4xf32>) -> tensor<4x2x1x3xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x2x3x4xf32>) -> tensor<1x3x2x4xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 3, 2, 0, 1>} : (tensor<1x3x2x4xf32>) -> tensor<4x2x1x3xf32>
  return %1 : tensor<4x2x1x3xf32>
}
// The merged transpose moves nothing; noop-elimination removes it.
// CHECK-LABEL: func.func @undone
// CHECK-NEXT: perm = array<i64: 0, 1>
func.func @undone(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @chain_with_two_outputs
// CHECK-COUNT-3: ml.transpose
// CHECK-NOT: ml.transpose
// CHECK: return
func.func @chain_with_two_outputs(%x: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32>, tensor<2x3x4xf32>, tensor<3x4x2xf32>) {
  %0 = "ml.transpose"(%x) {perm = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 2, 0, 1>} : (tensor<4x2x3xf32>) -> tensor<3x4x2xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 2, 0, 1>} : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  %3 = "ml.transpose"(%2) {perm = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %4 = "ml.transpose"(%3) {perm = array<i64: 2, 0, 1>} : (tensor<4x2x3xf32>) -> tensor<3x4x2xf32>
  return %0, %2, %4 : tensor<4x2x3xf32>, tensor<2x3x4xf32>, tensor<3x4x2xf32>
}
// CHECK-LABEL: func.func @apart
// CHECK: ml.transpose
// CHECK: ml.relu
// CHECK: ml.transpose
func.func @apart(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ml.relu"(%0) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @returned
// CHECK: perm = array<i64: 1, 0>
// CHECK: perm = array<i64: 1, 0>
func.func @returned(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<2x3xf32>) {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<2x3xf32>
}
// CHECK-LABEL: func.func @used_twice
// CHECK-COUNT-2: ml.transpose
// CHECK: return
func.func @used_twice(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>) {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %2 = "ml.relu"(%0) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1, %2 : tensor<2x3xf32>, tensor<3x2xf32>
}
