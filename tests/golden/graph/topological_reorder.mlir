// Transposes and casts move to their first use.
// RUN: quern opt %s --topological-reorder | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5:3>

// CHECK-LABEL: func.func @sink
// CHECK-NEXT: ml.relu
// CHECK-NEXT: ml.transpose
// CHECK-NEXT: ml.tanh
// CHECK-NEXT: quant.qcast
// CHECK-NEXT: return
func.func @sink(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>, tensor<2x3x!q>) {
  %q = quant.qcast %x : tensor<2x3xf32> to tensor<2x3x!q>
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ml.relu"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = "ml.tanh"(%0) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1, %2, %q : tensor<2x3xf32>, tensor<3x2xf32>, tensor<2x3x!q>
}
// A chain moves together; its first op is needed earlier.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: ml.relu
// CHECK-NEXT: quant.qcast
// CHECK-NEXT: "ml.requantize"
// CHECK-NEXT: ml.transpose
// CHECK-NEXT: return
func.func @chain(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3x!q>, tensor<3x2x!q>) {
  %0 = quant.qcast %x : tensor<2x3xf32> to tensor<2x3x!q>
  %1 = "ml.transpose"(%0) {perm = array<i64: 1, 0>} : (tensor<2x3x!q>) -> tensor<3x2x!q>
  %2 = "ml.relu"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = "ml.requantize"(%0) : (tensor<2x3x!q>) -> tensor<2x3x!q>
  return %2, %3, %1 : tensor<2x3xf32>, tensor<2x3x!q>, tensor<3x2x!q>
}
// The transpose moves before the op whose region uses it, not into the region.
// CHECK-LABEL: func.func @captured
// CHECK-NEXT: ml.relu
// CHECK-NEXT: ml.transpose
// CHECK-NEXT: scf.if
func.func @captured(%c: i1, %x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "ml.relu"(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = scf.if %c -> (tensor<2x2xf32>) {
    scf.yield %0 : tensor<2x2xf32>
  } else {
    scf.yield %1 : tensor<2x2xf32>
  }
  return %r : tensor<2x2xf32>
}
// CHECK-LABEL: func.func @in_place
// CHECK-NEXT: ml.relu
// CHECK-NEXT: ml.transpose
// CHECK-NEXT: return
func.func @in_place(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = "ml.relu"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
// Other ops do not move: the reshape stays first.
// CHECK-LABEL: func.func @others
// CHECK-NEXT: ml.reshape
// CHECK-NEXT: ml.relu
func.func @others(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<6xf32>) {
  %0 = "ml.reshape"(%x) : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = "ml.relu"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1, %0 : tensor<2x3xf32>, tensor<6xf32>
}
// An op that only another block uses stays before the branch.
// CHECK-LABEL: func.func @blocks
// CHECK: arith.extsi
// CHECK-NEXT: cf.br
func.func @blocks(%x: i8, %y: i32) -> i32 {
  %0 = arith.extsi %x : i8 to i32
  cf.br ^bb1(%y : i32)
^bb1(%z: i32):
  %1 = arith.addi %0, %z : i32
  return %1 : i32
}
