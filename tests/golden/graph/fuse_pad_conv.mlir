// A pad before a convolution folds into it, also through a transpose; cases that forbid it.
// RUN: quern opt %s --fuse-pad-conv | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5:3>
!w = tensor<1x3x3x1xf32>

// CHECK-LABEL: func.func @zeros
// CHECK-NEXT: "ml.conv"(%arg0, %arg1) {{.*}}pad = array<i64: 1, 1, 0, 2>
// CHECK-NEXT: return
func.func @zeros(%x: tensor<1x4x4x1xf32>, %w: !w) -> tensor<1x4x4x1xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 1, 0, 0, 2, 0, 0>} : (tensor<1x4x4x1xf32>) -> tensor<1x5x6x1xf32>
  %1 = "ml.conv"(%0, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 1, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x5x6x1xf32>, !w) -> tensor<1x4x4x1xf32>
  return %1 : tensor<1x4x4x1xf32>
}
// CHECK-LABEL: func.func @zero_points
// CHECK: ml.pad
// CHECK: ml.depthwise_conv
// CHECK-NOT: ml.pad
// CHECK: ml.depthwise_conv
func.func @zero_points(%x: tensor<1x4x4x1x!q>, %w: tensor<1x3x3x1x!quant.uniform<i8:f32, 0.5>>) -> (tensor<1x3x3x1x!q>, tensor<1x3x3x1x!q>) {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 1, 0, 0, 1, 0, 0>, value = 0 : i64} : (tensor<1x4x4x1x!q>) -> tensor<1x5x5x1x!q>
  %1 = "ml.depthwise_conv"(%0, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x5x5x1x!q>, tensor<1x3x3x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x3x3x1x!q>
  %2 = "ml.pad"(%x) {pad = array<i64: 0, 0, 1, 0, 0, 1, 0, 0>} : (tensor<1x4x4x1x!q>) -> tensor<1x5x5x1x!q>
  %3 = "ml.depthwise_conv"(%2, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x5x5x1x!q>, tensor<1x3x3x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x3x3x1x!q>
  return %1, %3 : tensor<1x3x3x1x!q>, tensor<1x3x3x1x!q>
}
// Pads (0,0),(1,1),(1,1),(0,0) of a channels-first input become pads of a channels-last one and then fold.
// CHECK-LABEL: func.func @after_transpose
// CHECK-NEXT: %[[T:.*]] = "ml.transpose"(%arg0) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x1x4x4xf32>) -> tensor<1x4x4x1xf32>
// CHECK-NEXT: "ml.conv"(%[[T]], %arg1) {{.*}}pad = array<i64: 1, 1, 1, 1>
func.func @after_transpose(%x: tensor<1x1x4x4xf32>, %w: !w) -> tensor<1x4x4x1xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 0, 0, 1, 1, 1, 1>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x6x6xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x1x6x6xf32>) -> tensor<1x6x6x1xf32>
  %2 = "ml.conv"(%1, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x6x6x1xf32>, !w) -> tensor<1x4x4x1xf32>
  return %2 : tensor<1x4x4x1xf32>
}
// A value other than zero: the pad moves through the transpose and stays a pad.
// CHECK-LABEL: func.func @ones_after_transpose
// CHECK-NEXT: ml.transpose
// CHECK-NEXT: "ml.pad"{{.*}}pad = array<i64: 0, 0, 1, 2, 3, 4, 0, 0>, value = 1
// CHECK-NEXT: ml.conv
func.func @ones_after_transpose(%x: tensor<1x1x4x4xf32>, %w: !w) -> tensor<1x5x9x1xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 0, 0, 1, 2, 3, 4>, value = 1 : i64} : (tensor<1x1x4x4xf32>) -> tensor<1x1x7x11xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x1x7x11xf32>) -> tensor<1x7x11x1xf32>
  %2 = "ml.conv"(%1, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x7x11x1xf32>, !w) -> tensor<1x5x9x1xf32>
  return %2 : tensor<1x5x9x1xf32>
}
// CHECK-LABEL: func.func @reals_after_transpose
// CHECK-NEXT: ml.transpose
// CHECK-NEXT: "ml.pad"{{.*}}pad = array<i64: 0, 0, 1, 2, 3, 4, 0, 0>, real_value = 2.500000e-01
// CHECK-NEXT: ml.conv
func.func @reals_after_transpose(%x: tensor<1x1x4x4xf32>, %w: !w) -> tensor<1x5x9x1xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 0, 0, 1, 2, 3, 4>, real_value = 0.25 : f32} : (tensor<1x1x4x4xf32>) -> tensor<1x1x7x11xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x1x7x11xf32>) -> tensor<1x7x11x1xf32>
  %2 = "ml.conv"(%1, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x7x11x1xf32>, !w) -> tensor<1x5x9x1xf32>
  return %2 : tensor<1x5x9x1xf32>
}
// A real value of 0 is padding with zeros, except for its sign.
// CHECK-LABEL: func.func @real_zero
// CHECK-NEXT: ml.conv
// CHECK-NEXT: return
func.func @real_zero(%x: tensor<1x4x4x1xf32>, %w: !w) -> tensor<1x4x4x1xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 1, 1, 1, 1, 0, 0>, real_value = 0.0 : f32} : (tensor<1x4x4x1xf32>) -> tensor<1x6x6x1xf32>
  %1 = "ml.conv"(%0, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x6x6x1xf32>, !w) -> tensor<1x4x4x1xf32>
  return %1 : tensor<1x4x4x1xf32>
}
// CHECK-LABEL: func.func @negative_zero
// CHECK-NEXT: ml.pad
func.func @negative_zero(%x: tensor<1x4x4x1xf32>, %w: !w) -> tensor<1x4x4x1xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 1, 1, 1, 1, 0, 0>, real_value = -0.0 : f32} : (tensor<1x4x4x1xf32>) -> tensor<1x6x6x1xf32>
  %1 = "ml.conv"(%0, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x6x6x1xf32>, !w) -> tensor<1x4x4x1xf32>
  return %1 : tensor<1x4x4x1xf32>
}
// CHECK-LABEL: func.func @returned
// CHECK: ml.pad
func.func @returned(%x: tensor<1x4x4x1xf32>, %w: !w) -> (tensor<1x6x6x1xf32>, tensor<1x4x4x1xf32>) {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 1, 1, 1, 1, 0, 0>} : (tensor<1x4x4x1xf32>) -> tensor<1x6x6x1xf32>
  %1 = "ml.conv"(%0, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x6x6x1xf32>, !w) -> tensor<1x4x4x1xf32>
  return %0, %1 : tensor<1x6x6x1xf32>, tensor<1x4x4x1xf32>
}
// Unchanged: the channels are padded, too, or the padding is wider than the kernel.
// CHECK-LABEL: func.func @channels
// CHECK: ml.pad
func.func @channels(%x: tensor<1x4x4x1xf32>, %w: tensor<1x3x3x2xf32>) -> tensor<1x2x2x1xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 0, 0, 0, 0, 0, 1>} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x2xf32>
  %1 = "ml.conv"(%0, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x2x2x1xf32>
  return %1 : tensor<1x2x2x1xf32>
}
// CHECK-LABEL: func.func @wide
// CHECK: ml.pad
func.func @wide(%x: tensor<1x4x4x1xf32>, %w: !w) -> tensor<1x5x2x1xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 3, 0, 0, 0, 0, 0>} : (tensor<1x4x4x1xf32>) -> tensor<1x7x4x1xf32>
  %1 = "ml.conv"(%0, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x7x4x1xf32>, !w) -> tensor<1x5x2x1xf32>
  return %1 : tensor<1x5x2x1xf32>
}
// The planes of a 3-D convolution fold, too.
// CHECK-LABEL: func.func @volume
// CHECK-NEXT: ml.conv{{.*}}pad = array<i64: 1, 1, 0, 1, 0, 0>
func.func @volume(%x: tensor<1x2x2x2x1xf32>, %w: tensor<1x2x2x2x1xf32>) -> tensor<1x3x2x1x1xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 1, 1, 0, 1, 0, 0, 0, 0>} : (tensor<1x2x2x2x1xf32>) -> tensor<1x4x3x2x1xf32>
  %1 = "ml.conv"(%0, %w) {strides = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 0>, dilations = array<i64: 1, 1, 1>, groups = 1 : i64} : (tensor<1x4x3x2x1xf32>, tensor<1x2x2x2x1xf32>) -> tensor<1x3x2x1x1xf32>
  return %1 : tensor<1x3x2x1x1xf32>
}
// CHECK-LABEL: func.func @channels_of_volume
// CHECK-NEXT: ml.pad
func.func @channels_of_volume(%x: tensor<1x2x2x2x1xf32>, %w: tensor<1x2x2x2x2xf32>) -> tensor<1x1x1x1x1xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (tensor<1x2x2x2x1xf32>) -> tensor<1x2x2x2x2xf32>
  %1 = "ml.conv"(%0, %w) {strides = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 0>, dilations = array<i64: 1, 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2x2xf32>, tensor<1x2x2x2x2xf32>) -> tensor<1x1x1x1x1xf32>
  return %1 : tensor<1x1x1x1x1xf32>
}
