// Alternating rows and columns become a pixel shuffle; other arrangements stay.
// RUN: quern opt %s --concat-to-pixel-shuffle | FileCheck %s
// RUN: quern opt %s --concat-to-pixel-shuffle --concat-to-pixel-shuffle | FileCheck %s

// CHECK-LABEL: func.func @pixels
// CHECK-NEXT: %[[C:.*]] = "ml.concat"(%arg0, %arg2, %arg1, %arg3) {axis = 3 : i64} : {{.*}} -> tensor<1x2x3x20xf32>
// CHECK-NEXT: "ml.depth_to_space"(%[[C]]) {block_shape = array<i64: 2>}
// CHECK-NEXT: return
func.func @pixels(%a: tensor<1x2x3x5xf32>, %b: tensor<1x2x3x5xf32>, %c: tensor<1x2x3x5xf32>, %d: tensor<1x2x3x5xf32>) -> tensor<1x4x6x5xf32> {
  %sh0 = "ml.stack"(%a, %b) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
  %h0 = "ml.reshape"(%sh0) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
  %sh1 = "ml.stack"(%c, %d) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
  %h1 = "ml.reshape"(%sh1) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
  %sy = "ml.stack"(%h0, %h1) {axis = 3 : i64} : (tensor<1x4x3x5xf32>, tensor<1x4x3x5xf32>) -> tensor<1x4x3x2x5xf32>
  %y = "ml.reshape"(%sy) : (tensor<1x4x3x2x5xf32>) -> tensor<1x4x6x5xf32>
  return %y : tensor<1x4x6x5xf32>
}
// CHECK-LABEL: func.func @two
// CHECK-COUNT-2: ml.depth_to_space
// CHECK-NEXT: {{.*}}"ml.add"
func.func @two(%a: tensor<1x2x3x5xf32>, %b: tensor<1x2x3x5xf32>, %c: tensor<1x2x3x5xf32>, %d: tensor<1x2x3x5xf32>) -> tensor<1x4x6x5xf32> {
  %sh0 = "ml.stack"(%a, %b) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
  %h0 = "ml.reshape"(%sh0) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
  %sh1 = "ml.stack"(%c, %d) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
  %h1 = "ml.reshape"(%sh1) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
  %sy = "ml.stack"(%h0, %h1) {axis = 3 : i64} : (tensor<1x4x3x5xf32>, tensor<1x4x3x5xf32>) -> tensor<1x4x3x2x5xf32>
  %y = "ml.reshape"(%sy) : (tensor<1x4x3x2x5xf32>) -> tensor<1x4x6x5xf32>
  %kskh0 = "ml.stack"(%a, %b) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
  %kh0 = "ml.reshape"(%kskh0) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
  %kskh1 = "ml.stack"(%c, %d) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
  %kh1 = "ml.reshape"(%kskh1) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
  %ksz = "ml.stack"(%kh0, %kh1) {axis = 3 : i64} : (tensor<1x4x3x5xf32>, tensor<1x4x3x5xf32>) -> tensor<1x4x3x2x5xf32>
  %z = "ml.reshape"(%ksz) : (tensor<1x4x3x2x5xf32>) -> tensor<1x4x6x5xf32>
  %u = "ml.add"(%y, %z) : (tensor<1x4x6x5xf32>, tensor<1x4x6x5xf32>) -> tensor<1x4x6x5xf32>
  return %u : tensor<1x4x6x5xf32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK: ml.concat
// CHECK-NEXT: "ml.depth_to_space"
// CHECK-NEXT: scf.yield
func.func @in_branch(%c0: i1, %x: tensor<1x4x6x5xf32>, %a: tensor<1x2x3x5xf32>, %b: tensor<1x2x3x5xf32>, %c: tensor<1x2x3x5xf32>, %d: tensor<1x2x3x5xf32>) -> tensor<1x4x6x5xf32> {
  %y = scf.if %c0 -> (tensor<1x4x6x5xf32>) {
    %sh0 = "ml.stack"(%a, %b) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
    %h0 = "ml.reshape"(%sh0) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
    %sh1 = "ml.stack"(%c, %d) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
    %h1 = "ml.reshape"(%sh1) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
    %sy = "ml.stack"(%h0, %h1) {axis = 3 : i64} : (tensor<1x4x3x5xf32>, tensor<1x4x3x5xf32>) -> tensor<1x4x3x2x5xf32>
    %g = "ml.reshape"(%sy) : (tensor<1x4x3x2x5xf32>) -> tensor<1x4x6x5xf32>
    scf.yield %g : tensor<1x4x6x5xf32>
  } else {
    scf.yield %x : tensor<1x4x6x5xf32>
  }
  return %y : tensor<1x4x6x5xf32>
}
// Unchanged: rows or columns that are consecutive instead of alternating.
// CHECK-LABEL: func.func @rows_consecutive
// CHECK: ml.stack
// CHECK-NOT: ml.depth_to_space
// CHECK: return
func.func @rows_consecutive(%a: tensor<1x2x3x5xf32>, %b: tensor<1x2x3x5xf32>, %c: tensor<1x2x3x5xf32>, %d: tensor<1x2x3x5xf32>) -> tensor<1x4x6x5xf32> {
  %sh0 = "ml.stack"(%a, %b) {axis = 1 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
  %h0 = "ml.reshape"(%sh0) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
  %sh1 = "ml.stack"(%c, %d) {axis = 1 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
  %h1 = "ml.reshape"(%sh1) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
  %sy = "ml.stack"(%h0, %h1) {axis = 3 : i64} : (tensor<1x4x3x5xf32>, tensor<1x4x3x5xf32>) -> tensor<1x4x3x2x5xf32>
  %y = "ml.reshape"(%sy) : (tensor<1x4x3x2x5xf32>) -> tensor<1x4x6x5xf32>
  return %y : tensor<1x4x6x5xf32>
}
// CHECK-LABEL: func.func @columns_consecutive
// CHECK: ml.stack
// CHECK-NOT: ml.depth_to_space
// CHECK: return
func.func @columns_consecutive(%a: tensor<1x2x3x5xf32>, %b: tensor<1x2x3x5xf32>, %c: tensor<1x2x3x5xf32>, %d: tensor<1x2x3x5xf32>) -> tensor<1x4x6x5xf32> {
  %sh0 = "ml.stack"(%a, %b) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
  %h0 = "ml.reshape"(%sh0) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
  %sh1 = "ml.stack"(%c, %d) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
  %h1 = "ml.reshape"(%sh1) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
  %sy = "ml.stack"(%h0, %h1) {axis = 2 : i64} : (tensor<1x4x3x5xf32>, tensor<1x4x3x5xf32>) -> tensor<1x4x2x3x5xf32>
  %y = "ml.reshape"(%sy) : (tensor<1x4x2x3x5xf32>) -> tensor<1x4x6x5xf32>
  return %y : tensor<1x4x6x5xf32>
}
// Unchanged: an intermediate value has another reader or is returned.
// CHECK-LABEL: func.func @rows_used
// CHECK: ml.stack
// CHECK-NOT: ml.depth_to_space
// CHECK: return
func.func @rows_used(%a: tensor<1x2x3x5xf32>, %b: tensor<1x2x3x5xf32>, %c: tensor<1x2x3x5xf32>, %d: tensor<1x2x3x5xf32>) -> (tensor<1x4x6x5xf32>, tensor<1x4x3x5xf32>) {
  %sh0 = "ml.stack"(%a, %b) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
  %h0 = "ml.reshape"(%sh0) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
  %sh1 = "ml.stack"(%c, %d) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
  %h1 = "ml.reshape"(%sh1) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
  %sy = "ml.stack"(%h0, %h1) {axis = 3 : i64} : (tensor<1x4x3x5xf32>, tensor<1x4x3x5xf32>) -> tensor<1x4x3x2x5xf32>
  %y = "ml.reshape"(%sy) : (tensor<1x4x3x2x5xf32>) -> tensor<1x4x6x5xf32>
  %z = "ml.tanh"(%h0) : (tensor<1x4x3x5xf32>) -> tensor<1x4x3x5xf32>
  return %y, %z : tensor<1x4x6x5xf32>, tensor<1x4x3x5xf32>
}
// CHECK-LABEL: func.func @rows_returned
// CHECK: ml.stack
// CHECK-NOT: ml.depth_to_space
// CHECK: return
func.func @rows_returned(%a: tensor<1x2x3x5xf32>, %b: tensor<1x2x3x5xf32>, %c: tensor<1x2x3x5xf32>, %d: tensor<1x2x3x5xf32>) -> (tensor<1x4x6x5xf32>, tensor<1x4x3x5xf32>) {
  %sh0 = "ml.stack"(%a, %b) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
  %h0 = "ml.reshape"(%sh0) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
  %sh1 = "ml.stack"(%c, %d) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
  %h1 = "ml.reshape"(%sh1) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
  %sy = "ml.stack"(%h0, %h1) {axis = 3 : i64} : (tensor<1x4x3x5xf32>, tensor<1x4x3x5xf32>) -> tensor<1x4x3x2x5xf32>
  %y = "ml.reshape"(%sy) : (tensor<1x4x3x2x5xf32>) -> tensor<1x4x6x5xf32>
  return %y, %h1 : tensor<1x4x6x5xf32>, tensor<1x4x3x5xf32>
}
// CHECK-LABEL: func.func @two_rows_alone
// CHECK: ml.stack
// CHECK-NOT: ml.depth_to_space
// CHECK: return
func.func @two_rows_alone(%a: tensor<1x2x3x5xf32>, %b: tensor<1x2x3x5xf32>, %c: tensor<1x2x3x5xf32>, %d: tensor<1x2x3x5xf32>) -> tensor<1x4x3x5xf32> {
  %sh0 = "ml.stack"(%a, %b) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
  %h0 = "ml.reshape"(%sh0) : (tensor<1x2x2x3x5xf32>) -> tensor<1x4x3x5xf32>
  return %h0 : tensor<1x4x3x5xf32>
}
// CHECK-LABEL: func.func @other_rank
// CHECK: ml.stack
// CHECK-NOT: ml.depth_to_space
// CHECK: return
func.func @other_rank(%a: tensor<1x2x3x5x1xf32>, %b: tensor<1x2x3x5x1xf32>, %c: tensor<1x2x3x5x1xf32>, %d: tensor<1x2x3x5x1xf32>) -> tensor<1x4x6x5x1xf32> {
  %sh0 = "ml.stack"(%a, %b) {axis = 2 : i64} : (tensor<1x2x3x5x1xf32>, tensor<1x2x3x5x1xf32>) -> tensor<1x2x2x3x5x1xf32>
  %h0 = "ml.reshape"(%sh0) : (tensor<1x2x2x3x5x1xf32>) -> tensor<1x4x3x5x1xf32>
  %sh1 = "ml.stack"(%c, %d) {axis = 2 : i64} : (tensor<1x2x3x5x1xf32>, tensor<1x2x3x5x1xf32>) -> tensor<1x2x2x3x5x1xf32>
  %h1 = "ml.reshape"(%sh1) : (tensor<1x2x2x3x5x1xf32>) -> tensor<1x4x3x5x1xf32>
  %sy = "ml.stack"(%h0, %h1) {axis = 3 : i64} : (tensor<1x4x3x5x1xf32>, tensor<1x4x3x5x1xf32>) -> tensor<1x4x3x2x5x1xf32>
  %y = "ml.reshape"(%sy) : (tensor<1x4x3x2x5x1xf32>) -> tensor<1x4x6x5x1xf32>
  return %y : tensor<1x4x6x5x1xf32>
}
// CHECK-LABEL: func.func @three_parts
// CHECK: ml.stack
// CHECK-NOT: ml.depth_to_space
// CHECK: return
func.func @three_parts(%a: tensor<1x2x3x5xf32>, %b: tensor<1x2x3x5xf32>, %c: tensor<1x2x3x5xf32>) -> tensor<1x6x6x5xf32> {
  %s0 = "ml.stack"(%a, %b, %c) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x3x3x5xf32>
  %h0 = "ml.reshape"(%s0) : (tensor<1x2x3x3x5xf32>) -> tensor<1x6x3x5xf32>
  %s1 = "ml.stack"(%a, %b, %c) {axis = 2 : i64} : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x3x3x5xf32>
  %h1 = "ml.reshape"(%s1) : (tensor<1x2x3x3x5xf32>) -> tensor<1x6x3x5xf32>
  %sy = "ml.stack"(%h0, %h1) {axis = 3 : i64} : (tensor<1x6x3x5xf32>, tensor<1x6x3x5xf32>) -> tensor<1x6x3x2x5xf32>
  %y = "ml.reshape"(%sy) : (tensor<1x6x3x2x5xf32>) -> tensor<1x6x6x5xf32>
  return %y : tensor<1x6x6x5xf32>
}
