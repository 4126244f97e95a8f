// A batch normalization folds into the convolution before it; cases that must stay.
// RUN: quern opt %s --fuse-conv-batchnorm | FileCheck %s
// RUN: quern opt %s --fuse-conv-batchnorm --fuse-conv-batchnorm | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5:1>

// k = 1.5 and -0.5; b = k * (2 - 1) + beta.
// CHECK-LABEL: func.func @biased
// CHECK-DAG: %[[W:.*]] = "ml.const"() {value = dense<{{\[\[\[\[}}1.500000e+00, 3.000000e+00]]], {{\[\[\[}}-1.500000e+00, -2.000000e+00]]]]>
// CHECK-DAG: %[[B:.*]] = "ml.const"() {value = dense<[2.500000e+00, 1.500000e+00]>
// CHECK: "ml.conv"(%arg0, %[[W]], %[[B]]) {
// CHECK-NEXT: return
func.func @biased(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %b = "ml.const"() {value = dense<2.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %p = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %ga = "ml.const"() {value = dense<[3.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %be = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %ga, %be) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
// CHECK-LABEL: func.func @without_bias
// CHECK-DAG: %[[W:.*]] = "ml.const"() {value = dense<{{\[\[\[\[}}1.500000e+00, 3.000000e+00]]], {{\[\[\[}}-1.500000e+00, -2.000000e+00]]]]>
// CHECK-DAG: %[[B:.*]] = "ml.const"() {value = dense<[-5.000000e-01, 2.500000e+00]>
// CHECK: "ml.conv"(%arg0, %[[W]], %[[B]]) {
// CHECK-NEXT: return
func.func @without_bias(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %p = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %ga = "ml.const"() {value = dense<[3.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %be = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %ga, %be) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
// CHECK-LABEL: func.func @without_parameters
// CHECK-DAG: %[[W:.*]] = "ml.const"() {value = dense<{{\[\[\[\[}}5.000000e-01, 1.000000e+00]]], {{\[\[\[}}1.500000e+00, 2.000000e+00]]]]>
// CHECK-DAG: %[[B:.*]] = "ml.const"() {value = dense<-5.000000e-01>
// CHECK: "ml.conv"(%arg0, %[[W]], %[[B]]) {
// CHECK-NEXT: return
func.func @without_parameters(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %p = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
// CHECK-LABEL: func.func @gamma_alone
// CHECK-DAG: %[[W:.*]] = "ml.const"() {value = dense<{{\[\[\[\[}}1.500000e+00, 3.000000e+00]]], {{\[\[\[}}-1.500000e+00, -2.000000e+00]]]]>
// CHECK-DAG: %[[B:.*]] = "ml.const"() {value = dense<[-1.500000e+00, 5.000000e-01]>
// CHECK: "ml.conv"(%arg0, %[[W]], %[[B]]) {
// CHECK-NEXT: return
func.func @gamma_alone(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %p = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %ga = "ml.const"() {value = dense<[3.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %ga) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
// CHECK-LABEL: func.func @depthwise
// CHECK-DAG: %[[W:.*]] = "ml.const"() {value = dense<{{\[\[\[\[}}1.500000e+00, -1.000000e+00]]]]>
// CHECK-DAG: %[[B:.*]] = "ml.const"() {value = dense<[2.500000e+00, 1.500000e+00]>
// CHECK: "ml.depthwise_conv"(%arg0, %[[W]], %[[B]]) {
// CHECK-NEXT: return
func.func @depthwise(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %b = "ml.const"() {value = dense<2.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %p = "ml.depthwise_conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %ga = "ml.const"() {value = dense<[3.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %be = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %ga, %be) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
// CHECK-LABEL: func.func @grouped
// CHECK: dense<{{\[\[\[\[}}1.500000e+00]]], {{\[\[\[}}-1.500000e+00]]]]>
// CHECK: groups = 2
// CHECK-NEXT: return
func.func @grouped(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %p = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x2x2x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %ga = "ml.const"() {value = dense<[3.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %be = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %ga, %be) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK: ml.conv
// CHECK-NEXT: scf.yield
func.func @in_branch(%c: i1, %x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %y = scf.if %c -> (tensor<1x2x2x2xf32>) {
    %w = "ml.const"() {value = dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
    %p = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
    %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
    %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
    %ga = "ml.const"() {value = dense<[3.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
    %be = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
    %g = "ml.batch_norm"(%p, %m, %v, %ga, %be) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
    scf.yield %g : tensor<1x2x2x2xf32>
  } else {
    scf.yield %x : tensor<1x2x2x2xf32>
  }
  return %y : tensor<1x2x2x2xf32>
}
// Unchanged: other axis; activation between; other reader or returned; computed or compressed operands.
// CHECK-LABEL: func.func @other_axis
// CHECK: ml.batch_norm
// CHECK: return
func.func @other_axis(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %p = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %ga = "ml.const"() {value = dense<[3.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %be = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %ga, %be) {axis = 2 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
// CHECK-LABEL: func.func @activated
// CHECK: ml.batch_norm
// CHECK: return
func.func @activated(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %p = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, activation = "relu"} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %ga = "ml.const"() {value = dense<[3.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %be = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %ga, %be) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
// CHECK-LABEL: func.func @used_twice
// CHECK: ml.batch_norm
// CHECK: return
func.func @used_twice(%x: tensor<1x2x2x2xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) {
  %w = "ml.const"() {value = dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %p = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %ga = "ml.const"() {value = dense<[3.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %be = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %ga, %be) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %z = "ml.tanh"(%p) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %y, %z : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
}
// CHECK-LABEL: func.func @returned
// CHECK: ml.batch_norm
// CHECK: return
func.func @returned(%x: tensor<1x2x2x2xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) {
  %w = "ml.const"() {value = dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %p = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %ga = "ml.const"() {value = dense<[3.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %be = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %ga, %be) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %y, %p : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
}
// CHECK-LABEL: func.func @computed_gamma
// CHECK: ml.batch_norm
// CHECK: return
func.func @computed_gamma(%x: tensor<1x2x2x2xf32>, %ga: tensor<2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %p = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %be = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %ga, %be) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
// CHECK-LABEL: func.func @computed_bias
// CHECK: ml.batch_norm
// CHECK: return
func.func @computed_bias(%x: tensor<1x2x2x2xf32>, %b: tensor<2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %p = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %ga = "ml.const"() {value = dense<[3.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %be = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %ga, %be) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
// CHECK-LABEL: func.func @computed_weights
// CHECK: ml.batch_norm
// CHECK: return
func.func @computed_weights(%x: tensor<1x2x2x2xf32>, %w: tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32> {
  %p = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %ga = "ml.const"() {value = dense<[3.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %be = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %ga, %be) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
// CHECK-LABEL: func.func @compressed
// CHECK: ml.batch_norm
// CHECK: return
func.func @compressed(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %q = "ml.const"() {value = dense<3> : tensor<2x1x1x2xi8>} : () -> tensor<2x1x1x2x!q>
  %w = "quant.dcast"(%q) : (tensor<2x1x1x2x!q>) -> tensor<2x1x1x2xf32>
  %p = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %ga = "ml.const"() {value = dense<[3.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %be = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %ga, %be) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
// Unchanged: the square root of the variance is 0 or not a number.
// CHECK-LABEL: func.func @no_variance
// CHECK: ml.batch_norm
// CHECK: return
func.func @no_variance(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %p = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %ga = "ml.const"() {value = dense<[3.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %be = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %ga, %be) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
// CHECK-LABEL: func.func @negative_variance
// CHECK: ml.batch_norm
// CHECK: return
func.func @negative_variance(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %p = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %ga = "ml.const"() {value = dense<[3.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %be = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<-1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %ga, %be) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
// Four channels in two groups, each divided by its own square root: 1, 2, 4, 8.
// CHECK-LABEL: func.func @transposed_in_groups
// CHECK: dense<{{.*}}1.000000e+00{{.*}}1.000000e+00{{.*}}7.500000e-01{{.*}}5.000000e-01{{.*}}> : tensor<4x1x1x1xf32>
// CHECK: ml.conv_transpose
// CHECK-NEXT: return
func.func @transposed_in_groups(%x: tensor<1x2x1x2xf32>) -> tensor<1x3x1x4xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %m = "ml.const"() {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %v = "ml.const"() {value = dense<[1.0, 4.0, 16.0, 64.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x2x1x2xf32>, tensor<4x1x1x1xf32>) -> tensor<1x3x1x4xf32>
  %1 = "ml.batch_norm"(%0, %m, %v) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x3x1x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x3x1x4xf32>
  return %1 : tensor<1x3x1x4xf32>
}
// CHECK-LABEL: func.func @transposed_and_another_axis
// CHECK: ml.batch_norm
func.func @transposed_and_another_axis(%x: tensor<1x2x1x2xf32>) -> tensor<1x3x1x4xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %m = "ml.const"() {value = dense<0.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %v = "ml.const"() {value = dense<[1.0, 4.0, 16.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %0 = "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x2x1x2xf32>, tensor<4x1x1x1xf32>) -> tensor<1x3x1x4xf32>
  %1 = "ml.batch_norm"(%0, %m, %v) {axis = 1 : i64, epsilon = 0.0 : f64} : (tensor<1x3x1x4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x1x4xf32>
  return %1 : tensor<1x3x1x4xf32>
}
