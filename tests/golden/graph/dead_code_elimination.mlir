// Unread ops and the ops that only they read are removed. Values that a block yields and ops with effects stay.
// RUN: quern opt %s --dead-code-elimination | FileCheck %s

// CHECK-LABEL: func.func @unused
// CHECK-NEXT: "ml.const"() {value = dense<3.000000e+00>
// CHECK-NEXT: ml.mul
// CHECK-NEXT: return
func.func @unused(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = "ml.const"() {value = dense<2.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %b = "ml.const"() {value = dense<3.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.add"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = "ml.relu"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "ml.mul"(%x, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK-NOT: ml.tanh
// CHECK: ml.relu
// CHECK: scf.yield
func.func @in_branch(%c: i1, %x: tensor<2xf32>) -> tensor<2xf32> {
  %r = scf.if %c -> (tensor<2xf32>) {
    %dead = "ml.tanh"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %0 = "ml.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    scf.yield %0 : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}
// One of two results is read, so the op stays.
// CHECK-LABEL: func.func @half
// CHECK: ml.split
func.func @half(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0:2 = "ml.split"(%x) {axis = 0 : i64} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#1 : tensor<2xf32>
}
// CHECK-LABEL: func.func @effects
// CHECK: memref.store
// CHECK: call @outside
func.func @effects(%m: memref<4xf32>, %x: f32, %t: tensor<4xf32>, %i: index) {
  memref.store %x, %m[%i] : memref<4xf32>
  %0 = call @outside(%t) : (tensor<4xf32>) -> tensor<2xf32>
  return
}
func.func private @outside(tensor<4xf32>) -> tensor<2xf32>
// CHECK-LABEL: func.func @all_used
// CHECK-NEXT: ml.relu
// CHECK-NEXT: ml.tanh
// CHECK-NEXT: return
func.func @all_used(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = "ml.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "ml.tanh"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
