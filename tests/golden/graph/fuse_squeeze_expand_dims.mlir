// A squeeze and an expand_dims of the same dimension cancel; others stay.
// RUN: quern opt %s --fuse-squeeze-expand-dims | FileCheck %s
// RUN: quern opt %s --fuse-squeeze-expand-dims --fuse-squeeze-expand-dims | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5:1>
!p = !quant.uniform<i8:f32:2, {0.5, 0.25, 0.125}>
!d = !quant.uniform<i8:f32:1, {0.5, 0.25, 0.125}>

// CHECK-LABEL: func.func @plain
// CHECK-NEXT: "ml.relu"(%arg0)
// CHECK-NEXT: return
func.func @plain(%x: tensor<2x1x3xf32>) -> tensor<2x1x3xf32> {
  %s = "ml.squeeze"(%x) {axes = array<i64: 1>} : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
  %e = "ml.expand_dims"(%s) {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
  %y = "ml.relu"(%e) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  return %y : tensor<2x1x3xf32>
}
// CHECK-LABEL: func.func @inserted_first
// CHECK-NEXT: return %arg0
func.func @inserted_first(%x: tensor<2x3x!q>) -> tensor<2x3x!q> {
  %e = "ml.expand_dims"(%x) {axes = array<i64: 0, 3>} : (tensor<2x3x!q>) -> tensor<1x2x3x1x!q>
  %s = "ml.squeeze"(%e) {axes = array<i64: 0, 3>} : (tensor<1x2x3x1x!q>) -> tensor<2x3x!q>
  return %s : tensor<2x3x!q>
}
// Other axes that give the same shape also cancel: all dimensions of size 1 are alike.
// CHECK-LABEL: func.func @neighbours
// CHECK-NEXT: return %arg0
func.func @neighbours(%x: tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xf32> {
  %s = "ml.squeeze"(%x) {axes = array<i64: 1>} : (tensor<2x1x1x3xf32>) -> tensor<2x1x3xf32>
  %e = "ml.expand_dims"(%s) {axes = array<i64: 2>} : (tensor<2x1x3xf32>) -> tensor<2x1x1x3xf32>
  return %e : tensor<2x1x1x3xf32>
}
// CHECK-LABEL: func.func @returned_pair
// CHECK: ml.squeeze
// CHECK-NEXT: ml.expand_dims
// CHECK-NEXT: return
func.func @returned_pair(%x: tensor<2x1x3xf32>) -> (tensor<2x3xf32>, tensor<2x1x3xf32>) {
  %s = "ml.squeeze"(%x) {axes = array<i64: 1>} : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
  %e = "ml.expand_dims"(%s) {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
  return %s, %e : tensor<2x3xf32>, tensor<2x1x3xf32>
}
// CHECK-LABEL: func.func @used_twice
// CHECK: ml.squeeze
// CHECK-NEXT: ml.expand_dims
// CHECK: return
func.func @used_twice(%x: tensor<2x1x3xf32>) -> (tensor<2x3xf32>, tensor<2x1x3xf32>) {
  %s = "ml.squeeze"(%x) {axes = array<i64: 1>} : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
  %e = "ml.expand_dims"(%s) {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
  %r = "ml.relu"(%s) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r, %e : tensor<2x3xf32>, tensor<2x1x3xf32>
}
// CHECK-LABEL: func.func @elsewhere
// CHECK: ml.squeeze
// CHECK-NEXT: ml.expand_dims
// CHECK: return
func.func @elsewhere(%x: tensor<2x1x3xf32>) -> tensor<1x2x3xf32> {
  %s = "ml.squeeze"(%x) {axes = array<i64: 1>} : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
  %e = "ml.expand_dims"(%s) {axes = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
  return %e : tensor<1x2x3xf32>
}
// Only one of two dimensions comes back.
// CHECK-LABEL: func.func @fewer
// CHECK: ml.squeeze
// CHECK-NEXT: ml.expand_dims
// CHECK: return
func.func @fewer(%x: tensor<2x1x1x3xf32>) -> tensor<2x1x3xf32> {
  %s = "ml.squeeze"(%x) {axes = array<i64: 1, 2>} : (tensor<2x1x1x3xf32>) -> tensor<2x3xf32>
  %e = "ml.expand_dims"(%s) {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
  return %e : tensor<2x1x3xf32>
}
// CHECK-LABEL: func.func @op_between
// CHECK: ml.squeeze
// CHECK-NEXT: ml.relu
// CHECK-NEXT: ml.expand_dims
func.func @op_between(%x: tensor<2x1x3xf32>) -> tensor<2x1x3xf32> {
  %s = "ml.squeeze"(%x) {axes = array<i64: 1>} : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
  %r = "ml.relu"(%s) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %e = "ml.expand_dims"(%r) {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
  return %e : tensor<2x1x3xf32>
}
// Scales per channel, whose dimension moves and comes back.
// CHECK-LABEL: func.func @per_channel
// CHECK-NEXT: return %arg0
func.func @per_channel(%x: tensor<2x1x3x!p>) -> tensor<2x1x3x!p> {
  %s = "ml.squeeze"(%x) {axes = array<i64: 1>} : (tensor<2x1x3x!p>) -> tensor<2x3x!d>
  %e = "ml.expand_dims"(%s) {axes = array<i64: 1>} : (tensor<2x3x!d>) -> tensor<2x1x3x!p>
  return %e : tensor<2x1x3x!p>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK-NEXT: scf.yield %arg1
func.func @in_branch(%c: i1, %x: tensor<2x1x3xf32>) -> tensor<2x1x3xf32> {
  %y = scf.if %c -> (tensor<2x1x3xf32>) {
    %s = "ml.squeeze"(%x) {axes = array<i64: 1>} : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
    %e = "ml.expand_dims"(%s) {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
    scf.yield %e : tensor<2x1x3xf32>
  } else {
    %n = "ml.neg"(%x) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    scf.yield %n : tensor<2x1x3xf32>
  }
  return %y : tensor<2x1x3xf32>
}
