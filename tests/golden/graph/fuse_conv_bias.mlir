// Constants added to a convolution fold into its bias; cases that forbid it.
// RUN: quern opt %s --fuse-conv-bias | FileCheck %s
// RUN: quern opt %s --fuse-conv-bias --emit=interpret --function from_constant --input 'dense<2.0> : tensor<1x1x1x1xf32>' | FileCheck %s --check-prefix=VALUE
!x = tensor<1x1x1x1xf32>
!y = tensor<1x1x1x2xf32>

// CHECK-LABEL: func.func @added
// CHECK: %[[B:.*]] = "ml.const"() {value = dense<[6.000000e+00, 8.000000e+00]> : tensor<2xf32>}
// CHECK: "ml.conv"(%arg0, %{{.*}}, %[[B]]) {activation = "relu"
// CHECK-NEXT: return
func.func @added(%x: !x) -> !y {
  %w = "ml.const"() {value = dense<[[[[2.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %k = "ml.const"() {value = dense<[[[[5.0, 7.0]]]]> : !y} : () -> !y
  %0 = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (!x, tensor<2x1x1x1xf32>, tensor<2xf32>) -> !y
  %1 = "ml.add"(%k, %0) {activation = "relu"} : (!y, !y) -> !y
  return %1 : !y
}
// 5 - (2 x + 1), 5 - (3 x + 1); weights with another reader stay unchanged.
// CHECK-LABEL: func.func @from_constant
// CHECK: dense<{{.*}}2.000000e+00{{.*}}3.000000e+00
// CHECK: dense<{{.*}}-2.000000e+00{{.*}}-3.000000e+00
// CHECK: dense<4.000000e+00>
// CHECK-NOT: ml.sub
// VALUE: dense<{{\[\[\[\[}}0.000000e+00, -2.000000e+00]]]]>
// VALUE: dense<{{\[\[\[\[}}4.000000e+00, 6.000000e+00]]]]>
func.func @from_constant(%x: !x) -> (!y, !y) {
  %w = "ml.const"() {value = dense<[[[[2.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %k = "ml.const"() {value = dense<5.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (!x, tensor<2x1x1x1xf32>, tensor<2xf32>) -> !y
  %1 = "ml.sub"(%k, %0) : (tensor<1xf32>, !y) -> !y
  %2 = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (!x, tensor<2x1x1x1xf32>) -> !y
  return %1, %2 : !y, !y
}
// An addition needs no constant weights. Subtraction from a constant does.
// CHECK-LABEL: func.func @unknown_weights
// CHECK-NOT: ml.sub
// CHECK: ml.depthwise_conv
// CHECK: ml.sub
func.func @unknown_weights(%x: !x, %w: tensor<1x1x1x2xf32>) -> (!y, !y) {
  %k = "ml.const"() {value = dense<[5.0, 7.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.depthwise_conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (!x, tensor<1x1x1x2xf32>) -> !y
  %1 = "ml.sub"(%0, %k) : (!y, tensor<2xf32>) -> !y
  %2 = "ml.depthwise_conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (!x, tensor<1x1x1x2xf32>) -> !y
  %3 = "ml.sub"(%k, %2) : (tensor<2xf32>, !y) -> !y
  return %1, %3 : !y, !y
}
// CHECK-LABEL: func.func @returned
// CHECK: ml.add
func.func @returned(%x: !x, %w: tensor<1x1x1x2xf32>) -> (!y, !y) {
  %k = "ml.const"() {value = dense<[5.0, 7.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.depthwise_conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (!x, tensor<1x1x1x2xf32>) -> !y
  %1 = "ml.add"(%0, %k) : (!y, tensor<2xf32>) -> !y
  return %0, %1 : !y, !y
}
// CHECK-LABEL: func.func @added_to_itself
// CHECK: ml.add
func.func @added_to_itself(%x: !x, %w: tensor<1x1x1x2xf32>) -> !y {
  %0 = "ml.depthwise_conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (!x, tensor<1x1x1x2xf32>) -> !y
  %1 = "ml.add"(%0, %0) : (!y, !y) -> !y
  return %1 : !y
}
// CHECK-LABEL: func.func @own_activation
// CHECK: ml.add
func.func @own_activation(%x: !x, %w: tensor<1x1x1x2xf32>) -> !y {
  %k = "ml.const"() {value = dense<[5.0, 7.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.depthwise_conv"(%x, %w) {activation = "relu", strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (!x, tensor<1x1x1x2xf32>) -> !y
  %1 = "ml.add"(%0, %k) : (!y, tensor<2xf32>) -> !y
  return %1 : !y
}
// Unchanged: the constant enlarges the result, is not a vector of channels, or is not constant.
// CHECK-LABEL: func.func @larger
// CHECK: ml.add
func.func @larger(%x: !x, %w: tensor<1x1x1x1xf32>) -> tensor<1x1x1x8xf32> {
  %k = "ml.const"() {value = dense<5.0> : tensor<8xf32>} : () -> tensor<8xf32>
  %0 = "ml.depthwise_conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (!x, tensor<1x1x1x1xf32>) -> !x
  %1 = "ml.add"(%0, %k) : (!x, tensor<8xf32>) -> tensor<1x1x1x8xf32>
  return %1 : tensor<1x1x1x8xf32>
}
// CHECK-LABEL: func.func @by_row
// CHECK: ml.add
func.func @by_row(%x: tensor<1x2x1x2xf32>, %w: tensor<1x1x1x2xf32>) -> tensor<1x2x1x2xf32> {
  %k = "ml.const"() {value = dense<[[[5.0]], [[6.0]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
  %0 = "ml.depthwise_conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x1x2xf32>
  %1 = "ml.add"(%0, %k) : (tensor<1x2x1x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1x2xf32>
  return %1 : tensor<1x2x1x2xf32>
}
// CHECK-LABEL: func.func @unknown
// CHECK: ml.add
func.func @unknown(%x: !x, %w: tensor<1x1x1x2xf32>, %k: tensor<2xf32>) -> !y {
  %0 = "ml.depthwise_conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (!x, tensor<1x1x1x2xf32>) -> !y
  %1 = "ml.add"(%0, %k) : (!y, tensor<2xf32>) -> !y
  return %1 : !y
}
// Unchanged: compressed constants stay compressed, and quantized results are rounded in between.
// CHECK-LABEL: func.func @compressed
// CHECK: ml.add
func.func @compressed(%x: !x, %w: tensor<1x1x1x2xf32>) -> !y {
  %q = "ml.const"() {value = dense<[5, 7]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %k = quant.dcast %q : tensor<2x!quant.uniform<i8:f32, 0.5>> to tensor<2xf32>
  %0 = "ml.depthwise_conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (!x, tensor<1x1x1x2xf32>) -> !y
  %1 = "ml.add"(%0, %k) : (!y, tensor<2xf32>) -> !y
  return %1 : !y
}
// The negated weights become a new constant, because the old ones have another reader.
// CHECK-LABEL: func.func @shared_weights
// CHECK: dense<2.000000e+00> : tensor<1x1x1x1xf32>
// CHECK: dense<-2.000000e+00> : tensor<1x1x1x1xf32>
// CHECK: return
func.func @shared_weights(%x: tensor<1x1x1x1xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) {
  %w = "ml.const"() {value = dense<2.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %k = "ml.const"() {value = dense<3.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, groups = 1 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %1 = "ml.sub"(%k, %0) : (tensor<1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %2 = "ml.add"(%x, %w) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %1, %2 : tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}
// One value for all channels of all groups: the bias has as many elements as the result has channels.
// CHECK-LABEL: func.func @transposed
// CHECK: dense<5.000000e-01> : tensor<4xf32>
// CHECK: ml.conv_transpose
// CHECK-NEXT: return
func.func @transposed(%x: tensor<1x2x1x2xf32>) -> tensor<1x3x1x4xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %k = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %0 = "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x2x1x2xf32>, tensor<4x1x1x1xf32>) -> tensor<1x3x1x4xf32>
  %1 = "ml.add"(%k, %0) : (tensor<f32>, tensor<1x3x1x4xf32>) -> tensor<1x3x1x4xf32>
  return %1 : tensor<1x3x1x4xf32>
}
// CHECK-LABEL: func.func @transposed_wider
// CHECK: ml.add
func.func @transposed_wider(%x: tensor<1x2x1x2xf32>) -> tensor<1x3x5x4xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %k = "ml.const"() {value = dense<0.5> : tensor<5x1xf32>} : () -> tensor<5x1xf32>
  %0 = "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x2x1x2xf32>, tensor<4x1x1x1xf32>) -> tensor<1x3x1x4xf32>
  %1 = "ml.add"(%k, %0) : (tensor<5x1xf32>, tensor<1x3x1x4xf32>) -> tensor<1x3x5x4xf32>
  return %1 : tensor<1x3x5x4xf32>
}
// After a transpose, the constant is along the axis that the channels moved to.
// CHECK-LABEL: func.func @after_transpose
// CHECK: %[[B:.*]] = "ml.const"() {value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>}
// CHECK: %[[Y:.*]] = "ml.conv"(%arg0, %arg1, %[[B]]) {activation = "relu"
// CHECK-NEXT: %[[T:.*]] = "ml.transpose"(%[[Y]]) {perm = array<i64: 0, 3, 1, 2>}
// CHECK-NEXT: return %[[T]]
func.func @after_transpose(%x: tensor<1x2x3x1xf32>, %w: tensor<2x1x1x1xf32>) -> tensor<1x2x2x3xf32> {
  %k = "ml.const"() {value = dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
  %0 = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x3x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x3x2xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %2 = "ml.add"(%k, %1) {activation = "relu"} : (tensor<2x1x1xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %2 : tensor<1x2x2x3xf32>
}
// A number minus a convolution: the weights are negated.
// CHECK-LABEL: func.func @less_after_transpose
// CHECK: dense<-3.000000e+00> : tensor<2x1x1x1xf32>
// CHECK: dense<5.000000e+00> : tensor<2xf32>
// CHECK: ml.conv
// CHECK-NEXT: ml.transpose
// CHECK-NEXT: return
func.func @less_after_transpose(%x: tensor<1x2x3x1xf32>) -> tensor<1x2x2x3xf32> {
  %w = "ml.const"() {value = dense<3.0> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %k = "ml.const"() {value = dense<5.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x3x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x3x2xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %2 = "ml.sub"(%k, %1) : (tensor<1x1x1x1xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %2 : tensor<1x2x2x3xf32>
}
// Unchanged: the constant is along the rows, which are as many as the channels.
// CHECK-LABEL: func.func @rows_after_transpose
// CHECK: ml.transpose
// CHECK-NEXT: ml.add
func.func @rows_after_transpose(%x: tensor<1x2x3x1xf32>, %w: tensor<2x1x1x1xf32>) -> tensor<1x2x2x3xf32> {
  %k = "ml.const"() {value = dense<[[1.0], [2.0]]> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
  %0 = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x3x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x3x2xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %2 = "ml.add"(%1, %k) : (tensor<1x2x2x3xf32>, tensor<2x1xf32>) -> tensor<1x2x2x3xf32>
  return %2 : tensor<1x2x2x3xf32>
}
