// A product and a sum per channel become a batch normalization; other patterns stay.
// RUN: quern opt %s --fuse-elementwise-to-batchnorm | FileCheck %s
// RUN: quern opt %s --fuse-elementwise-to-batchnorm --fuse-elementwise-to-batchnorm | FileCheck %s

// CHECK-LABEL: func.func @first
// CHECK-DAG: %[[G:.*]] = "ml.const"() {value = dense<[3.000000e+00, 5.000000e+00]>
// CHECK-DAG: %[[B:.*]] = "ml.const"() {value = dense<[1.000000e+00, 2.000000e+00]>
// CHECK-DAG: %[[M:.*]] = "ml.const"() {value = dense<0.000000e+00>
// CHECK-DAG: %[[V:.*]] = "ml.const"() {value = dense<1.000000e+00>
// CHECK: "ml.batch_norm"(%arg0, %[[M]], %[[V]], %[[G]], %[[B]]) {axis = 1 : i64, epsilon = 0.000000e+00 : f64}
// CHECK-NEXT: return
func.func @first(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %g0 = "ml.const"() {value = dense<[[[3.0]], [[5.0]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
  %b0 = "ml.const"() {value = dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>} : () -> tensor<1x2x1x1xf32>
  %p = "ml.mul"(%x, %g0) : (tensor<1x2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%p, %b0) : (tensor<1x2x3x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @first_turned
// CHECK-DAG: %[[G:.*]] = "ml.const"() {value = dense<[3.000000e+00, 5.000000e+00]>
// CHECK-DAG: %[[B:.*]] = "ml.const"() {value = dense<[1.000000e+00, 2.000000e+00]>
// CHECK-DAG: %[[M:.*]] = "ml.const"() {value = dense<0.000000e+00>
// CHECK-DAG: %[[V:.*]] = "ml.const"() {value = dense<1.000000e+00>
// CHECK: "ml.batch_norm"(%arg0, %[[M]], %[[V]], %[[G]], %[[B]]) {axis = 1 : i64, epsilon = 0.000000e+00 : f64}
// CHECK-NEXT: return
func.func @first_turned(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %g0 = "ml.const"() {value = dense<[[[3.0]], [[5.0]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
  %b0 = "ml.const"() {value = dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>} : () -> tensor<1x2x1x1xf32>
  %p = "ml.mul"(%g0, %x) : (tensor<2x1x1xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%b0, %p) : (tensor<1x2x1x1xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @last
// CHECK-DAG: %[[G:.*]] = "ml.const"() {value = dense<[3.000000e+00, 5.000000e+00]>
// CHECK-DAG: %[[B:.*]] = "ml.const"() {value = dense<[1.000000e+00, 2.000000e+00]>
// CHECK-DAG: %[[M:.*]] = "ml.const"() {value = dense<0.000000e+00>
// CHECK-DAG: %[[V:.*]] = "ml.const"() {value = dense<1.000000e+00>
// CHECK: "ml.batch_norm"(%arg0, %[[M]], %[[V]], %[[G]], %[[B]]) {axis = 3 : i64, epsilon = 0.000000e+00 : f64}
// CHECK-NEXT: return
func.func @last(%x: tensor<1x3x4x2xf32>) -> tensor<1x3x4x2xf32> {
  %g0 = "ml.const"() {value = dense<[3.0, 5.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %b0 = "ml.const"() {value = dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %p = "ml.mul"(%x, %g0) : (tensor<1x3x4x2xf32>, tensor<2xf32>) -> tensor<1x3x4x2xf32>
  %y = "ml.add"(%b0, %p) : (tensor<1x1x1x2xf32>, tensor<1x3x4x2xf32>) -> tensor<1x3x4x2xf32>
  return %y : tensor<1x3x4x2xf32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK: ml.batch_norm
// CHECK-NEXT: scf.yield
func.func @in_branch(%c: i1, %x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %y = scf.if %c -> (tensor<1x2x3x4xf32>) {
    %g0 = "ml.const"() {value = dense<[[[3.0]], [[5.0]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
    %b0 = "ml.const"() {value = dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>} : () -> tensor<1x2x1x1xf32>
    %p = "ml.mul"(%x, %g0) : (tensor<1x2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x3x4xf32>
    %g = "ml.add"(%p, %b0) : (tensor<1x2x3x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x3x4xf32>
    scf.yield %g : tensor<1x2x3x4xf32>
  } else {
    scf.yield %x : tensor<1x2x3x4xf32>
  }
  return %y : tensor<1x2x3x4xf32>
}
// Unchanged: two axes or none, another rank, another reader, returned, computed operands, activation.
// CHECK-LABEL: func.func @two_axes
// CHECK: ml.mul
// CHECK-NOT: ml.batch_norm
// CHECK: return
func.func @two_axes(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %g0 = "ml.const"() {value = dense<[[[3.0]], [[5.0]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
  %b0 = "ml.const"() {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %p = "ml.mul"(%x, %g0) : (tensor<1x2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%p, %b0) : (tensor<1x2x3x4xf32>, tensor<4xf32>) -> tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @one_number
// CHECK: ml.mul
// CHECK-NOT: ml.batch_norm
// CHECK: return
func.func @one_number(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %g0 = "ml.const"() {value = dense<3.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %b0 = "ml.const"() {value = dense<1.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %p = "ml.mul"(%x, %g0) : (tensor<1x2x3x4xf32>, tensor<1xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%p, %b0) : (tensor<1x2x3x4xf32>, tensor<1xf32>) -> tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @rank_3
// CHECK: ml.mul
// CHECK-NOT: ml.batch_norm
// CHECK: return
func.func @rank_3(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %g0 = "ml.const"() {value = dense<3.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %b0 = "ml.const"() {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %p = "ml.mul"(%x, %g0) : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  %y = "ml.add"(%p, %b0) : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}
// CHECK-LABEL: func.func @batch
// CHECK: ml.mul
// CHECK-NOT: ml.batch_norm
// CHECK: return
func.func @batch(%x: tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32> {
  %g0 = "ml.const"() {value = dense<3.0> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b0 = "ml.const"() {value = dense<1.0> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %p = "ml.mul"(%x, %g0) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
  %y = "ml.add"(%p, %b0) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
  return %y : tensor<2x1x1x1xf32>
}
// CHECK-LABEL: func.func @used_twice
// CHECK: ml.mul
// CHECK-NOT: ml.batch_norm
// CHECK: return
func.func @used_twice(%x: tensor<1x2x3x4xf32>) -> (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) {
  %g0 = "ml.const"() {value = dense<[[[3.0]], [[5.0]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
  %b0 = "ml.const"() {value = dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>} : () -> tensor<1x2x1x1xf32>
  %p = "ml.mul"(%x, %g0) : (tensor<1x2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%p, %b0) : (tensor<1x2x3x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x3x4xf32>
  %z = "ml.tanh"(%p) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return %y, %z : tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @returned
// CHECK: ml.mul
// CHECK-NOT: ml.batch_norm
// CHECK: return
func.func @returned(%x: tensor<1x2x3x4xf32>) -> (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) {
  %g0 = "ml.const"() {value = dense<[[[3.0]], [[5.0]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
  %b0 = "ml.const"() {value = dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>} : () -> tensor<1x2x1x1xf32>
  %p = "ml.mul"(%x, %g0) : (tensor<1x2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%p, %b0) : (tensor<1x2x3x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x3x4xf32>
  return %y, %p : tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @computed
// CHECK: ml.mul
// CHECK-NOT: ml.batch_norm
// CHECK: return
func.func @computed(%x: tensor<1x2x3x4xf32>, %h: tensor<2x1x1xf32>) -> tensor<1x2x3x4xf32> {
  %g0 = "ml.const"() {value = dense<[[[3.0]], [[5.0]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
  %b0 = "ml.const"() {value = dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>} : () -> tensor<1x2x1x1xf32>
  %p = "ml.mul"(%x, %h) : (tensor<1x2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%p, %b0) : (tensor<1x2x3x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @activated
// CHECK: ml.mul
// CHECK-NOT: ml.batch_norm
// CHECK: return
func.func @activated(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %g0 = "ml.const"() {value = dense<[[[3.0]], [[5.0]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
  %b0 = "ml.const"() {value = dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>} : () -> tensor<1x2x1x1xf32>
  %p = "ml.mul"(%x, %g0) : (tensor<1x2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%p, %b0) {activation = "relu"} : (tensor<1x2x3x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}
