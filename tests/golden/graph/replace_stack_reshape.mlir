// A stack and a reshape become a concat; other reshapes stay.
// RUN: quern opt %s --replace-stack-reshape | FileCheck %s
// RUN: quern opt %s --replace-stack-reshape --replace-stack-reshape | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5:1>
!p = !quant.uniform<i8:f32, 0.25:1>

// CHECK-LABEL: func.func @plain
// CHECK-NEXT: "ml.concat"(%arg0, %arg1) {axis = 1 : i64}
// CHECK-NEXT: return
func.func @plain(%a: tensor<1x5x3x4xf32>, %b: tensor<1x5x3x4xf32>) -> tensor<1x10x3x4xf32> {
  %s = "ml.stack"(%a, %b) {axis = 1 : i64} : (tensor<1x5x3x4xf32>, tensor<1x5x3x4xf32>) -> tensor<1x2x5x3x4xf32>
  %y = "ml.reshape"(%s) : (tensor<1x2x5x3x4xf32>) -> tensor<1x10x3x4xf32>
  return %y : tensor<1x10x3x4xf32>
}
// CHECK-LABEL: func.func @three
// CHECK-NEXT: "ml.concat"(%arg0, %arg1, %arg2) {axis = 0 : i64}
func.func @three(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<12xf32> {
  %s = "ml.stack"(%a, %b, %c) {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %y = "ml.reshape"(%s) : (tensor<3x4xf32>) -> tensor<12xf32>
  return %y : tensor<12xf32>
}
// CHECK-LABEL: func.func @alternating_of_one
// CHECK-NEXT: "ml.concat"(%arg0, %arg1) {axis = 0 : i64}
func.func @alternating_of_one(%a: tensor<1x4xf32>, %b: tensor<1x4xf32>) -> tensor<2x4xf32> {
  %s = "ml.stack"(%a, %b) {axis = 1 : i64} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x2x4xf32>
  %y = "ml.reshape"(%s) : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @tree
// CHECK-COUNT-3: ml.concat
// CHECK-NEXT: return
func.func @tree(%a: tensor<2xf32>, %b: tensor<2xf32>, %d: tensor<2xf32>, %e: tensor<2xf32>) -> tensor<8xf32> {
  %s = "ml.stack"(%a, %b) {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %t = "ml.reshape"(%s) : (tensor<2x2xf32>) -> tensor<4xf32>
  %u = "ml.stack"(%d, %e) {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %v = "ml.reshape"(%u) : (tensor<2x2xf32>) -> tensor<4xf32>
  %w = "ml.stack"(%t, %v) {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %y = "ml.reshape"(%w) : (tensor<2x4xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
// Unchanged: merged with the axis before, with another axis, with two axes, or not to a lower rank.
// CHECK-LABEL: func.func @alternating
// CHECK: ml.stack
// CHECK-NOT: ml.concat
// CHECK: return
func.func @alternating(%a: tensor<1x5x3x4xf32>, %b: tensor<1x5x3x4xf32>) -> tensor<1x10x3x4xf32> {
  %s = "ml.stack"(%a, %b) {axis = 2 : i64} : (tensor<1x5x3x4xf32>, tensor<1x5x3x4xf32>) -> tensor<1x5x2x3x4xf32>
  %y = "ml.reshape"(%s) : (tensor<1x5x2x3x4xf32>) -> tensor<1x10x3x4xf32>
  return %y : tensor<1x10x3x4xf32>
}
// CHECK-LABEL: func.func @other_axis
// CHECK: ml.stack
// CHECK-NOT: ml.concat
// CHECK: return
func.func @other_axis(%a: tensor<1x5x3x4xf32>, %b: tensor<1x5x3x4xf32>) -> tensor<1x5x6x4xf32> {
  %s = "ml.stack"(%a, %b) {axis = 1 : i64} : (tensor<1x5x3x4xf32>, tensor<1x5x3x4xf32>) -> tensor<1x2x5x3x4xf32>
  %y = "ml.reshape"(%s) : (tensor<1x2x5x3x4xf32>) -> tensor<1x5x6x4xf32>
  return %y : tensor<1x5x6x4xf32>
}
// CHECK-LABEL: func.func @two_axes
// CHECK: ml.stack
// CHECK-NOT: ml.concat
// CHECK: return
func.func @two_axes(%a: tensor<1x5x3x4xf32>, %b: tensor<1x5x3x4xf32>) -> tensor<1x10x4x3xf32> {
  %s = "ml.stack"(%a, %b) {axis = 1 : i64} : (tensor<1x5x3x4xf32>, tensor<1x5x3x4xf32>) -> tensor<1x2x5x3x4xf32>
  %y = "ml.reshape"(%s) : (tensor<1x2x5x3x4xf32>) -> tensor<1x10x4x3xf32>
  return %y : tensor<1x10x4x3xf32>
}
// CHECK-LABEL: func.func @same_rank
// CHECK: ml.stack
// CHECK-NOT: ml.concat
// CHECK: return
func.func @same_rank(%a: tensor<1x5x3x4xf32>, %b: tensor<1x5x3x4xf32>) -> tensor<2x1x5x3x4xf32> {
  %s = "ml.stack"(%a, %b) {axis = 1 : i64} : (tensor<1x5x3x4xf32>, tensor<1x5x3x4xf32>) -> tensor<1x2x5x3x4xf32>
  %y = "ml.reshape"(%s) : (tensor<1x2x5x3x4xf32>) -> tensor<2x1x5x3x4xf32>
  return %y : tensor<2x1x5x3x4xf32>
}
// Unchanged: the stack has two readers, is returned, or is read by another op.
// CHECK-LABEL: func.func @used_twice
// CHECK: ml.stack
// CHECK-NOT: ml.concat
// CHECK: return
func.func @used_twice(%a: tensor<1x5x3x4xf32>, %b: tensor<1x5x3x4xf32>) -> (tensor<1x10x3x4xf32>, tensor<1x2x5x3x4xf32>) {
  %s = "ml.stack"(%a, %b) {axis = 1 : i64} : (tensor<1x5x3x4xf32>, tensor<1x5x3x4xf32>) -> tensor<1x2x5x3x4xf32>
  %y = "ml.reshape"(%s) : (tensor<1x2x5x3x4xf32>) -> tensor<1x10x3x4xf32>
  %z = "ml.tanh"(%s) : (tensor<1x2x5x3x4xf32>) -> tensor<1x2x5x3x4xf32>
  return %y, %z : tensor<1x10x3x4xf32>, tensor<1x2x5x3x4xf32>
}
// CHECK-LABEL: func.func @returned
// CHECK: ml.stack
// CHECK-NOT: ml.concat
// CHECK: return
func.func @returned(%a: tensor<1x5x3x4xf32>, %b: tensor<1x5x3x4xf32>) -> (tensor<1x10x3x4xf32>, tensor<1x2x5x3x4xf32>) {
  %s = "ml.stack"(%a, %b) {axis = 1 : i64} : (tensor<1x5x3x4xf32>, tensor<1x5x3x4xf32>) -> tensor<1x2x5x3x4xf32>
  %y = "ml.reshape"(%s) : (tensor<1x2x5x3x4xf32>) -> tensor<1x10x3x4xf32>
  return %y, %s : tensor<1x10x3x4xf32>, tensor<1x2x5x3x4xf32>
}
// CHECK-LABEL: func.func @op_between
// CHECK: ml.stack
// CHECK-NOT: ml.concat
// CHECK: return
func.func @op_between(%a: tensor<1x5x3x4xf32>, %b: tensor<1x5x3x4xf32>) -> tensor<1x10x3x4xf32> {
  %s = "ml.stack"(%a, %b) {axis = 1 : i64} : (tensor<1x5x3x4xf32>, tensor<1x5x3x4xf32>) -> tensor<1x2x5x3x4xf32>
  %t = "ml.tanh"(%s) : (tensor<1x2x5x3x4xf32>) -> tensor<1x2x5x3x4xf32>
  %y = "ml.reshape"(%t) : (tensor<1x2x5x3x4xf32>) -> tensor<1x10x3x4xf32>
  return %y : tensor<1x10x3x4xf32>
}
// CHECK-LABEL: func.func @one_part
// CHECK: ml.stack
// CHECK-NOT: ml.concat
// CHECK: return
func.func @one_part(%a: tensor<4xf32>) -> tensor<4xf32> {
  %s = "ml.stack"(%a) {axis = 0 : i64} : (tensor<4xf32>) -> tensor<1x4xf32>
  %y = "ml.reshape"(%s) : (tensor<1x4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @other_scale
// CHECK: ml.stack
// CHECK-NOT: ml.concat
// CHECK: return
func.func @other_scale(%a: tensor<4x!q>, %b: tensor<4x!q>) -> tensor<8x!p> {
  %s = "ml.stack"(%a, %b) {axis = 0 : i64} : (tensor<4x!q>, tensor<4x!q>) -> tensor<2x4x!p>
  %y = "ml.reshape"(%s) : (tensor<2x4x!p>) -> tensor<8x!p>
  return %y : tensor<8x!p>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK-NEXT: "ml.concat"(%arg2, %arg2)
func.func @in_branch(%c: i1, %x: tensor<4xf32>, %a: tensor<2xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %s = "ml.stack"(%a, %a) {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
    %g = "ml.reshape"(%s) : (tensor<2x2xf32>) -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
