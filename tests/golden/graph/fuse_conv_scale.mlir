// A constant factor after a convolution folds into its weights; cases that forbid it.
// RUN: quern opt %s --fuse-conv-scale | FileCheck %s
!x = tensor<1x1x1x2xf32>

// CHECK-LABEL: func.func @grouped
// CHECK: dense<{{.*}}2.000000e+01{{.*}}3.000000e+02{{.*}}> : tensor<2x1x1x1xf32>
// CHECK: dense<[1.000000e+01, 1.000000e+02]>
// CHECK: ml.conv
// CHECK-NEXT: return
func.func @grouped(%x: !x) -> !x {
  %w = "ml.const"() {value = dense<[[[[2.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %k = "ml.const"() {value = dense<[10.0, 100.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (!x, tensor<2x1x1x1xf32>, tensor<2xf32>) -> !x
  %1 = "ml.mul"(%k, %0) : (tensor<2xf32>, !x) -> !x
  return %1 : !x
}
// Depthwise weights have the channels last: the rows of the kernel are not channels.
// CHECK-LABEL: func.func @depthwise
// CHECK: dense<{{.*}}2.000000e+01, 3.000000e+02{{.*}}4.000000e+01, 5.000000e+02{{.*}}> : tensor<1x2x1x2xf32>
// CHECK: ml.depthwise_conv
// CHECK-NEXT: return
func.func @depthwise(%x: tensor<1x2x1x2xf32>) -> !x {
  %w = "ml.const"() {value = dense<[[[[2.0, 3.0]], [[4.0, 5.0]]]]> : tensor<1x2x1x2xf32>} : () -> tensor<1x2x1x2xf32>
  %k = "ml.const"() {value = dense<[10.0, 100.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.depthwise_conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>) -> !x
  %1 = "ml.mul"(%0, %k) : (!x, tensor<2xf32>) -> !x
  return %1 : !x
}
// CHECK-LABEL: func.func @unknown_weights
// CHECK: ml.mul
func.func @unknown_weights(%x: !x, %w: tensor<1x1x1x2xf32>) -> !x {
  %k = "ml.const"() {value = dense<[10.0, 100.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.depthwise_conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (!x, tensor<1x1x1x2xf32>) -> !x
  %1 = "ml.mul"(%0, %k) : (!x, tensor<2xf32>) -> !x
  return %1 : !x
}
// CHECK-LABEL: func.func @compressed
// CHECK: quant.dcast
// CHECK: ml.mul
func.func @compressed(%x: !x) -> !x {
  %q = "ml.const"() {value = dense<1> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2x!quant.uniform<i8:f32, 0.5>>
  %w = quant.dcast %q : tensor<1x1x1x2x!quant.uniform<i8:f32, 0.5>> to tensor<1x1x1x2xf32>
  %k = "ml.const"() {value = dense<[10.0, 100.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.depthwise_conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (!x, tensor<1x1x1x2xf32>) -> !x
  %1 = "ml.mul"(%0, %k) : (!x, tensor<2xf32>) -> !x
  return %1 : !x
}
// CHECK-LABEL: func.func @returned
// CHECK: ml.mul
func.func @returned(%x: !x) -> (!x, !x) {
  %w = "ml.const"() {value = dense<2.0> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %k = "ml.const"() {value = dense<[10.0, 100.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.depthwise_conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (!x, tensor<1x1x1x2xf32>) -> !x
  %1 = "ml.mul"(%0, %k) : (!x, tensor<2xf32>) -> !x
  return %0, %1 : !x, !x
}
// Unchanged: a constant divided by a convolution is not a convolution divided by a constant.
// CHECK-LABEL: func.func @constant_divided
// CHECK: ml.conv
// CHECK: ml.real_div
func.func @constant_divided(%x: tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32> {
  %w = "ml.const"() {value = dense<2.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %k = "ml.const"() {value = dense<3.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, groups = 1 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %1 = "ml.real_div"(%k, %0) : (tensor<1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %1 : tensor<1x1x1x1xf32>
}
// Two groups of two channels each: output channels are the first axis of the weights in every group.
// CHECK-LABEL: func.func @transposed_in_groups
// CHECK: dense<{{.*}}1.000000e+00{{.*}}2.000000e+01{{.*}}3.000000e+02{{.*}}4.000000e+03{{.*}}> : tensor<4x1x1x1xf32>
// CHECK: ml.conv_transpose
// CHECK-NEXT: return
func.func @transposed_in_groups(%x: tensor<1x2x1x2xf32>) -> tensor<1x3x1x4xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %k = "ml.const"() {value = dense<[1.0, 10.0, 100.0, 1000.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x2x1x2xf32>, tensor<4x1x1x1xf32>) -> tensor<1x3x1x4xf32>
  %1 = "ml.mul"(%0, %k) : (tensor<1x3x1x4xf32>, tensor<4xf32>) -> tensor<1x3x1x4xf32>
  return %1 : tensor<1x3x1x4xf32>
}
// CHECK-LABEL: func.func @transposed_read_twice
// CHECK: ml.mul
func.func @transposed_read_twice(%x: tensor<1x2x1x2xf32>) -> (tensor<1x3x1x4xf32>, tensor<1x3x1x4xf32>) {
  %w = "ml.const"() {value = dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %k = "ml.const"() {value = dense<[1.0, 10.0, 100.0, 1000.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x2x1x2xf32>, tensor<4x1x1x1xf32>) -> tensor<1x3x1x4xf32>
  %1 = "ml.mul"(%0, %k) : (tensor<1x3x1x4xf32>, tensor<4xf32>) -> tensor<1x3x1x4xf32>
  return %0, %1 : tensor<1x3x1x4xf32>, tensor<1x3x1x4xf32>
}
// Quotients: weights and bias are divided. What is divided by the convolution, or by 0, stays.
// CHECK-LABEL: func.func @quotient
// CHECK: dense<{{.*}}5.000000e-01{{.*}}1.500000e+00{{.*}}> : tensor<2x1x1x1xf32>
// CHECK: dense<[2.500000e-01, 5.000000e-01]>
// CHECK: ml.conv
// CHECK-NEXT: return
func.func @quotient(%x: tensor<1x1x1x1xf32>) -> !x {
  %w = "ml.const"() {value = dense<[[[[2.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %k = "ml.const"() {value = dense<[4.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> !x
  %1 = "ml.real_div"(%0, %k) : (!x, tensor<2xf32>) -> !x
  return %1 : !x
}
// CHECK-LABEL: func.func @divides
// CHECK: ml.real_div
func.func @divides(%x: tensor<1x1x1x1xf32>) -> !x {
  %w = "ml.const"() {value = dense<2.0> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %k = "ml.const"() {value = dense<[4.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x1x1x1xf32>, tensor<2x1x1x1xf32>) -> !x
  %1 = "ml.real_div"(%k, %0) : (tensor<2xf32>, !x) -> !x
  return %1 : !x
}
// CHECK-LABEL: func.func @by_zero
// CHECK: ml.real_div
func.func @by_zero(%x: tensor<1x1x1x1xf32>) -> !x {
  %w = "ml.const"() {value = dense<2.0> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %k = "ml.const"() {value = dense<[4.0, 0.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x1x1x1xf32>, tensor<2x1x1x1xf32>) -> !x
  %1 = "ml.real_div"(%0, %k) : (!x, tensor<2xf32>) -> !x
  return %1 : !x
}
