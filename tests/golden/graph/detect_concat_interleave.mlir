// Concatenated parts that a reshape and transpose interleave become one op; other patterns stay.
// RUN: quern opt %s --detect-concat-interleave | FileCheck %s
// RUN: quern opt %s --detect-concat-interleave --detect-concat-interleave | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5:1>
!p = !quant.uniform<i8:f32, 0.25:1>

// CHECK-LABEL: func.func @channels
// CHECK-NEXT: %[[S:.*]] = "ml.stack"(%arg0, %arg1) {axis = 2 : i64}
// CHECK-NEXT: "ml.reshape"(%[[S]])
// CHECK-NEXT: return
func.func @channels(%a: tensor<1x3x4x4xf32>, %b: tensor<1x3x4x4xf32>) -> tensor<1x6x4x4xf32> {
  %w = "ml.concat"(%a, %b) {axis = 1 : i64} : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x6x4x4xf32>
  %s = "ml.reshape"(%w) : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %t = "ml.transpose"(%s) {perm = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %y = "ml.reshape"(%t) : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  return %y : tensor<1x6x4x4xf32>
}
// CHECK-LABEL: func.func @three_vectors
// CHECK-NEXT: %[[S:.*]] = "ml.stack"(%arg0, %arg1, %arg2) {axis = 1 : i64}
// CHECK-NEXT: "ml.reshape"(%[[S]])
// CHECK-NEXT: return
func.func @three_vectors(%a: tensor<5xf32>, %b: tensor<5xf32>, %c: tensor<5xf32>) -> tensor<15xf32> {
  %w = "ml.concat"(%a, %b, %c) {axis = 0 : i64} : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<15xf32>
  %s = "ml.reshape"(%w) : (tensor<15xf32>) -> tensor<3x5xf32>
  %t = "ml.transpose"(%s) {perm = array<i64: 1, 0>} : (tensor<3x5xf32>) -> tensor<5x3xf32>
  %y = "ml.reshape"(%t) : (tensor<5x3xf32>) -> tensor<15xf32>
  return %y : tensor<15xf32>
}
// CHECK-LABEL: func.func @last
// CHECK-NEXT: %[[S:.*]] = "ml.stack"(%arg0, %arg0) {axis = 2 : i64}
// CHECK-NEXT: "ml.reshape"(%[[S]])
// CHECK-NEXT: return
func.func @last(%a: tensor<2x4xf32>) -> tensor<2x8xf32> {
  %w = "ml.concat"(%a, %a) {axis = 1 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
  %s = "ml.reshape"(%w) : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
  %t = "ml.transpose"(%s) {perm = array<i64: 0, 2, 1>} : (tensor<2x2x4xf32>) -> tensor<2x4x2xf32>
  %y = "ml.reshape"(%t) : (tensor<2x4x2xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK-NEXT: %[[S:.*]] = "ml.stack"
// CHECK-NEXT: "ml.reshape"(%[[S]])
// CHECK-NEXT: scf.yield
func.func @in_branch(%c: i1, %x: tensor<4xf32>, %a: tensor<2xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %w = "ml.concat"(%a, %a) {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    %s = "ml.reshape"(%w) : (tensor<4xf32>) -> tensor<2x2xf32>
    %t = "ml.transpose"(%s) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %g = "ml.reshape"(%t) : (tensor<2x2xf32>) -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
// Unchanged: another permutation, another split, or an axis other than the concat's.
// CHECK-LABEL: func.func @other_turn
// CHECK: ml.concat
// CHECK-NOT: ml.stack
// CHECK: return
func.func @other_turn(%a: tensor<1x3x4x4xf32>, %b: tensor<1x3x4x4xf32>) -> tensor<1x6x4x4xf32> {
  %w = "ml.concat"(%a, %b) {axis = 1 : i64} : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x6x4x4xf32>
  %s = "ml.reshape"(%w) : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %t = "ml.transpose"(%s) {perm = array<i64: 0, 2, 1, 4, 3>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %y = "ml.reshape"(%t) : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  return %y : tensor<1x6x4x4xf32>
}
// CHECK-LABEL: func.func @other_parts
// CHECK: ml.concat
// CHECK-NOT: ml.stack
// CHECK: return
func.func @other_parts(%a: tensor<1x3x4x4xf32>, %b: tensor<1x3x4x4xf32>) -> tensor<1x6x4x4xf32> {
  %w = "ml.concat"(%a, %b) {axis = 1 : i64} : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x6x4x4xf32>
  %s = "ml.reshape"(%w) : (tensor<1x6x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %t = "ml.transpose"(%s) {perm = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x3x2x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %y = "ml.reshape"(%t) : (tensor<1x2x3x4x4xf32>) -> tensor<1x6x4x4xf32>
  return %y : tensor<1x6x4x4xf32>
}
// CHECK-LABEL: func.func @not_back
// CHECK: ml.concat
// CHECK-NOT: ml.stack
// CHECK: return
func.func @not_back(%a: tensor<1x3x4x4xf32>, %b: tensor<1x3x4x4xf32>) -> tensor<1x6x16xf32> {
  %w = "ml.concat"(%a, %b) {axis = 1 : i64} : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x6x4x4xf32>
  %s = "ml.reshape"(%w) : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %t = "ml.transpose"(%s) {perm = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %y = "ml.reshape"(%t) : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x16xf32>
  return %y : tensor<1x6x16xf32>
}
// CHECK-LABEL: func.func @columns
// CHECK: ml.concat
// CHECK-NOT: ml.stack
// CHECK: return
func.func @columns(%a: tensor<1x4x4x4xf32>, %b: tensor<1x4x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %w = "ml.concat"(%a, %b) {axis = 1 : i64} : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x8x4x4xf32>
  %s = "ml.reshape"(%w) : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2x4xf32>
  %t = "ml.transpose"(%s) {perm = array<i64: 0, 1, 3, 2, 4>} : (tensor<1x8x2x2x4xf32>) -> tensor<1x8x2x2x4xf32>
  %y = "ml.reshape"(%t) : (tensor<1x8x2x2x4xf32>) -> tensor<1x8x4x4xf32>
  return %y : tensor<1x8x4x4xf32>
}
// Unchanged: the parts have two sizes.
// CHECK-LABEL: func.func @parts_differ
// CHECK: ml.concat
// CHECK-NOT: ml.stack
// CHECK: return
func.func @parts_differ(%a: tensor<1x2x2xf32>, %b: tensor<1x4x2xf32>) -> tensor<1x6x2xf32> {
  %w = "ml.concat"(%a, %b) {axis = 1 : i64} : (tensor<1x2x2xf32>, tensor<1x4x2xf32>) -> tensor<1x6x2xf32>
  %s = "ml.reshape"(%w) : (tensor<1x6x2xf32>) -> tensor<1x2x3x2xf32>
  %t = "ml.transpose"(%s) {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x2x3x2xf32>) -> tensor<1x3x2x2xf32>
  %y = "ml.reshape"(%t) : (tensor<1x3x2x2xf32>) -> tensor<1x6x2xf32>
  return %y : tensor<1x6x2xf32>
}
// Unchanged: an intermediate value has another reader or is returned.
// CHECK-LABEL: func.func @joined_is_used
// CHECK: ml.concat
// CHECK-NOT: ml.stack
// CHECK: return
func.func @joined_is_used(%a: tensor<1x3x4x4xf32>, %b: tensor<1x3x4x4xf32>) -> (tensor<1x6x4x4xf32>, tensor<1x6x4x4xf32>) {
  %w = "ml.concat"(%a, %b) {axis = 1 : i64} : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x6x4x4xf32>
  %s = "ml.reshape"(%w) : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %t = "ml.transpose"(%s) {perm = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %y = "ml.reshape"(%t) : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %z = "ml.tanh"(%w) : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  return %y, %z : tensor<1x6x4x4xf32>, tensor<1x6x4x4xf32>
}
// CHECK-LABEL: func.func @turned_is_returned
// CHECK: ml.concat
// CHECK-NOT: ml.stack
// CHECK: return
func.func @turned_is_returned(%a: tensor<1x3x4x4xf32>, %b: tensor<1x3x4x4xf32>) -> (tensor<1x6x4x4xf32>, tensor<1x3x2x4x4xf32>) {
  %w = "ml.concat"(%a, %b) {axis = 1 : i64} : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x6x4x4xf32>
  %s = "ml.reshape"(%w) : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %t = "ml.transpose"(%s) {perm = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %y = "ml.reshape"(%t) : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  return %y, %t : tensor<1x6x4x4xf32>, tensor<1x3x2x4x4xf32>
}
// CHECK-LABEL: func.func @other_scale
// CHECK: ml.concat
// CHECK-NOT: ml.stack
// CHECK: return
func.func @other_scale(%a: tensor<4x!q>, %b: tensor<4x!q>) -> tensor<8x!q> {
  %w = "ml.concat"(%a, %b) {axis = 0 : i64} : (tensor<4x!q>, tensor<4x!q>) -> tensor<8x!q>
  %s = "ml.reshape"(%w) : (tensor<8x!q>) -> tensor<2x4x!q>
  %t = "ml.transpose"(%s) {perm = array<i64: 1, 0>} : (tensor<2x4x!q>) -> tensor<4x2x!p>
  %y = "ml.reshape"(%t) : (tensor<4x2x!p>) -> tensor<8x!q>
  return %y : tensor<8x!q>
}
