// A transpose before a matmul folds into its transpose attribute; other transposes stay.
// RUN: quern opt %s --fuse-transpose-matmul | FileCheck %s
// RUN: quern opt %s --fuse-transpose-matmul --fuse-transpose-matmul | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5:1>
!p = !quant.uniform<i8:f32, 0.25:1>

// CHECK-LABEL: func.func @both
// CHECK-NEXT: "ml.matmul"(%arg0, %arg1) {transpose_x = true, transpose_y = true}
// CHECK-NEXT: return
func.func @both(%x: tensor<5x2x3xf32>, %y: tensor<5x4x2xf32>) -> tensor<5x3x4xf32> {
  %a = "ml.transpose"(%x) {perm = array<i64: 0, 2, 1>} : (tensor<5x2x3xf32>) -> tensor<5x3x2xf32>
  %b = "ml.transpose"(%y) {perm = array<i64: 0, 2, 1>} : (tensor<5x4x2xf32>) -> tensor<5x2x4xf32>
  %r = "ml.matmul"(%a, %b) : (tensor<5x3x2xf32>, tensor<5x2x4xf32>) -> tensor<5x3x4xf32>
  return %r : tensor<5x3x4xf32>
}
// CHECK-LABEL: func.func @taken_back
// CHECK-NEXT: "ml.matmul"(%arg0, %arg1) {transpose_y = true}
func.func @taken_back(%x: tensor<3x2xf32>, %y: tensor<4x2xf32>) -> tensor<3x4xf32> {
  %a = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %r = "ml.matmul"(%a, %y) {transpose_x = true, transpose_y = true} : (tensor<2x3xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
// The transpose is returned, too, so it also stays.
// CHECK-LABEL: func.func @only_y
// CHECK: "ml.transpose"
// CHECK-NEXT: "ml.matmul"(%arg0, %arg1) {transpose_y = true}
func.func @only_y(%x: tensor<3x2xf32>, %y: tensor<4x2xf32>) -> (tensor<3x4xf32>, tensor<2x4xf32>) {
  %a = "ml.transpose"(%y) {perm = array<i64: 1, 0>} : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %r = "ml.matmul"(%x, %a) : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return %r, %a : tensor<3x4xf32>, tensor<2x4xf32>
}
// CHECK-LABEL: func.func @y_of_batches
// CHECK-NEXT: %[[B:.*]] = "ml.transpose"(%arg1)
// CHECK-NEXT: "ml.matmul"(%arg0, %[[B]]) {transpose_x = true}
func.func @y_of_batches(%x: tensor<5x2x3xf32>, %y: tensor<2x5x4xf32>) -> tensor<5x3x4xf32> {
  %a = "ml.transpose"(%x) {perm = array<i64: 0, 2, 1>} : (tensor<5x2x3xf32>) -> tensor<5x3x2xf32>
  %b = "ml.transpose"(%y) {perm = array<i64: 1, 0, 2>} : (tensor<2x5x4xf32>) -> tensor<5x2x4xf32>
  %r = "ml.matmul"(%a, %b) : (tensor<5x3x2xf32>, tensor<5x2x4xf32>) -> tensor<5x3x4xf32>
  return %r : tensor<5x3x4xf32>
}
// CHECK-LABEL: func.func @neither
// CHECK-NEXT: %[[A:.*]] = "ml.transpose"
// CHECK-NEXT: "ml.matmul"(%[[A]], %[[A]]) {transpose_y = true}
func.func @neither(%x: tensor<2x5x3xf32>, %y: tensor<f32>) -> tensor<3x5x5xf32> {
  %a = "ml.transpose"(%x) {perm = array<i64: 2, 1, 0>} : (tensor<2x5x3xf32>) -> tensor<3x5x2xf32>
  %r = "ml.matmul"(%a, %a) {transpose_y = true} : (tensor<3x5x2xf32>, tensor<3x5x2xf32>) -> tensor<3x5x5xf32>
  return %r : tensor<3x5x5xf32>
}
// CHECK-LABEL: func.func @both_of_one
// CHECK-NEXT: "ml.matmul"(%arg0, %arg0) {transpose_x = true}
// CHECK-NEXT: return
func.func @both_of_one(%x: tensor<2x3xf32>) -> tensor<3x3xf32> {
  %a = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %r = "ml.matmul"(%a, %a) {transpose_y = true} : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
// Unchanged: the transpose gives the elements another scale.
// CHECK-LABEL: func.func @other_scale
// CHECK-NEXT: "ml.transpose"
func.func @other_scale(%x: tensor<2x3x!q>, %y: tensor<2x4x!q>) -> tensor<3x4x!q> {
  %a = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3x!q>) -> tensor<3x2x!p>
  %r = "ml.matmul"(%a, %y) : (tensor<3x2x!p>, tensor<2x4x!q>) -> tensor<3x4x!q>
  return %r : tensor<3x4x!q>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: "ml.matmul"(%arg2, %arg1) {transpose_y = true}
func.func @in_branch(%c: i1, %x: tensor<4x4xf32>, %v: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = scf.if %c -> (tensor<4xf32>) {
    %g = "ml.matmul"(%v, %a) : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  } else {
    scf.yield %v : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @other_dimensions
// CHECK: ml.transpose
// CHECK-NOT: transpose_x
// CHECK: return
func.func @other_dimensions(%x: tensor<3x2x4xf32>, %y: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0, 2>} : (tensor<3x2x4xf32>) -> tensor<2x3x4xf32>
  %1 = "ml.matmul"(%0, %y) : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return %1 : tensor<2x3x5xf32>
}
