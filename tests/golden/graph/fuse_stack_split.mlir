// Tensors that are stacked and split again are used directly; other splits stay.
// RUN: quern opt %s --fuse-stack-split | FileCheck %s
// RUN: quern opt %s --fuse-stack-split --fuse-stack-split | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5:1>
!p = !quant.uniform<i8:f32, 0.25:1>

// CHECK-LABEL: func.func @both
// CHECK-NEXT: "ml.sub"(%arg1, %arg0)
// CHECK-NEXT: return
func.func @both(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %s = "ml.stack"(%a, %b) {axis = 0 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %p:2 = "ml.split"(%s) {axis = 0 : i64} : (tensor<2x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>)
  %c = "ml.squeeze"(%p#0) {axes = array<i64: 0>} : (tensor<1x3xf32>) -> tensor<3xf32>
  %d = "ml.squeeze"(%p#1) {axes = array<i64: 0>} : (tensor<1x3xf32>) -> tensor<3xf32>
  %y = "ml.sub"(%d, %c) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
// Along the last axis, with a reshape instead of the squeeze; the stack has another reader.
// CHECK-LABEL: func.func @last_axis
// CHECK-NEXT: ml.stack
// CHECK-NEXT: return %arg2, %0
func.func @last_axis(%a: tensor<2x3x!q>, %b: tensor<2x3x!q>, %c: tensor<2x3x!q>) -> (tensor<2x3x!q>, tensor<2x3x3x!q>) {
  %s = "ml.stack"(%a, %b, %c) {axis = 2 : i64} : (tensor<2x3x!q>, tensor<2x3x!q>, tensor<2x3x!q>) -> tensor<2x3x3x!q>
  %p:3 = "ml.split"(%s) {axis = 2 : i64} : (tensor<2x3x3x!q>) -> (tensor<2x3x1x!q>, tensor<2x3x1x!q>, tensor<2x3x1x!q>)
  %y = "ml.reshape"(%p#2) : (tensor<2x3x1x!q>) -> tensor<2x3x!q>
  return %y, %s : tensor<2x3x!q>, tensor<2x3x3x!q>
}
// A part that holds two tensors stays; the part after it is the third tensor.
// CHECK-LABEL: func.func @after_others
// CHECK-NEXT: ml.stack
// CHECK-NEXT: ml.split
// CHECK-NEXT: return %1#0, %arg2
func.func @after_others(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>) {
  %s = "ml.stack"(%a, %b, %c) {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %p:2 = "ml.split"(%s) {axis = 0 : i64} : (tensor<3x4xf32>) -> (tensor<2x4xf32>, tensor<1x4xf32>)
  %y = "ml.squeeze"(%p#1) {axes = array<i64: 0>} : (tensor<1x4xf32>) -> tensor<4xf32>
  return %p#0, %y : tensor<2x4xf32>, tensor<4xf32>
}
// Unchanged: another axis, parts of two tensors, or another shape.
// CHECK-LABEL: func.func @other_axis
// CHECK: ml.split
// CHECK: ml.squeeze
func.func @other_axis(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %s = "ml.stack"(%a, %b) {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %p:2 = "ml.split"(%s) {axis = 1 : i64} : (tensor<2x2xf32>) -> (tensor<2x1xf32>, tensor<2x1xf32>)
  %y = "ml.squeeze"(%p#0) {axes = array<i64: 1>} : (tensor<2x1xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
// CHECK-LABEL: func.func @of_two
// CHECK: ml.split
// CHECK: ml.reshape
func.func @of_two(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>) -> tensor<4xf32> {
  %s = "ml.stack"(%a, %b, %c) {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %p:2 = "ml.split"(%s) {axis = 0 : i64} : (tensor<3x2xf32>) -> (tensor<1x2xf32>, tensor<2x2xf32>)
  %y = "ml.reshape"(%p#1) : (tensor<2x2xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @other_shape
// CHECK: ml.split
// CHECK: ml.reshape
func.func @other_shape(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<6xf32> {
  %s = "ml.stack"(%a, %b) {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2x3xf32>
  %p:2 = "ml.split"(%s) {axis = 0 : i64} : (tensor<2x2x3xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>)
  %y = "ml.reshape"(%p#1) : (tensor<1x2x3xf32>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}
// Unchanged: no squeeze, or another op between.
// CHECK-LABEL: func.func @as_they_are
// CHECK: ml.stack
// CHECK-NEXT: ml.split
func.func @as_they_are(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>) {
  %s = "ml.stack"(%a, %b) {axis = 0 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %p:2 = "ml.split"(%s) {axis = 0 : i64} : (tensor<2x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>)
  return %p#0, %p#1 : tensor<1x3xf32>, tensor<1x3xf32>
}
// CHECK-LABEL: func.func @op_between
// CHECK: ml.stack
// CHECK: ml.squeeze
func.func @op_between(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %s = "ml.stack"(%a, %b) {axis = 0 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %r = "ml.relu"(%s) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p:2 = "ml.split"(%r) {axis = 0 : i64} : (tensor<2x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>)
  %y = "ml.squeeze"(%p#0) {axes = array<i64: 0>} : (tensor<1x3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
// Unchanged: the stack changes the scale.
// CHECK-LABEL: func.func @other_scale
// CHECK: ml.stack
// CHECK: ml.squeeze
func.func @other_scale(%a: tensor<3x!q>, %b: tensor<3x!q>) -> tensor<3x!p> {
  %s = "ml.stack"(%a, %b) {axis = 0 : i64} : (tensor<3x!q>, tensor<3x!q>) -> tensor<2x3x!p>
  %p:2 = "ml.split"(%s) {axis = 0 : i64} : (tensor<2x3x!p>) -> (tensor<1x3x!p>, tensor<1x3x!p>)
  %y = "ml.squeeze"(%p#0) {axes = array<i64: 0>} : (tensor<1x3x!p>) -> tensor<3x!p>
  return %y : tensor<3x!p>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK-NEXT: scf.yield %arg1
func.func @in_branch(%c: i1, %x: tensor<3xf32>) -> tensor<3xf32> {
  %y = scf.if %c -> (tensor<3xf32>) {
    %s = "ml.stack"(%x, %x) {axis = 0 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %p:2 = "ml.split"(%s) {axis = 0 : i64} : (tensor<2x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>)
    %d = "ml.squeeze"(%p#1) {axes = array<i64: 0>} : (tensor<1x3xf32>) -> tensor<3xf32>
    scf.yield %d : tensor<3xf32>
  } else {
    %n = "ml.neg"(%x) : (tensor<3xf32>) -> tensor<3xf32>
    scf.yield %n : tensor<3xf32>
  }
  return %y : tensor<3xf32>
}
