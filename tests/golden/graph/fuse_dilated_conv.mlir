// space_to_batch, convolution, batch_to_space become one dilated convolution; other patterns stay.
// RUN: quern opt %s --fuse-dilated-conv | FileCheck %s
// RUN: quern opt %s --fuse-dilated-conv --fuse-dilated-conv | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5:1>
!p = !quant.uniform<i8:f32, 0.25:1>
!w = !quant.uniform<i8<-127:127>:f32, 0.125>

// CHECK-LABEL: func.func @same
// CHECK-NEXT: "ml.conv"(%arg0, %arg1)
// CHECK-SAME: dilations = array<i64: 2, 2>
// CHECK-SAME: pad = array<i64: 2, 2, 2, 2>
// CHECK-NEXT: return
func.func @same(%x: tensor<1x8x8x4xf32>, %w: tensor<5x3x3x4xf32>) -> tensor<1x8x8x5xf32> {
  %b = "ml.space_to_batch"(%x) {block_shape = array<i64: 2, 2>, pad = array<i64: 2, 2, 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<4x6x6x4xf32>
  %c = "ml.conv"(%b, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<4x6x6x4xf32>, tensor<5x3x3x4xf32>) -> tensor<4x4x4x5xf32>
  %y = "ml.batch_to_space"(%c) {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 0, 0, 0>} : (tensor<4x4x4x5xf32>) -> tensor<1x8x8x5xf32>
  return %y : tensor<1x8x8x5xf32>
}
// CHECK-LABEL: func.func @valid
// CHECK-NEXT: "ml.conv"(%arg0, %arg1)
// CHECK-SAME: dilations = array<i64: 2, 2>
// CHECK-SAME: pad = array<i64: 0, 0, 0, 0>
// CHECK-NEXT: return
func.func @valid(%x: tensor<1x8x8x4xf32>, %w: tensor<5x3x3x4xf32>) -> tensor<1x4x4x5xf32> {
  %b = "ml.space_to_batch"(%x) {block_shape = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x8x8x4xf32>) -> tensor<4x4x4x4xf32>
  %c = "ml.conv"(%b, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<4x4x4x4xf32>, tensor<5x3x3x4xf32>) -> tensor<4x2x2x5xf32>
  %y = "ml.batch_to_space"(%c) {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 0, 0, 0>} : (tensor<4x2x2x5xf32>) -> tensor<1x4x4x5xf32>
  return %y : tensor<1x4x4x5xf32>
}
// Padded to whole blocks, with its own padding and dilation, cropped: 3 * 1 + 1 - 1, and 3 - 1.
// CHECK-LABEL: func.func @uneven
// CHECK-NEXT: "ml.conv"(%arg0, %arg1)
// CHECK-SAME: dilations = array<i64: 3, 4>
// CHECK-SAME: pad = array<i64: 3, 3, 2, 0>
// CHECK-NEXT: return
func.func @uneven(%x: tensor<2x7x9x4xf32>, %w: tensor<5x3x3x4xf32>) -> tensor<2x7x3x5xf32> {
  %b = "ml.space_to_batch"(%x) {block_shape = array<i64: 3, 2>, pad = array<i64: 1, 1, 3, 0>} : (tensor<2x7x9x4xf32>) -> tensor<12x3x6x4xf32>
  %c = "ml.conv"(%b, %w) {dilations = array<i64: 1, 2>, pad = array<i64: 1, 1, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<12x3x6x4xf32>, tensor<5x3x3x4xf32>) -> tensor<12x3x2x5xf32>
  %y = "ml.batch_to_space"(%c) {block_shape = array<i64: 3, 2>, crops = array<i64: 1, 1, 1, 0>} : (tensor<12x3x2x5xf32>) -> tensor<2x7x3x5xf32>
  return %y : tensor<2x7x3x5xf32>
}
// Blocks along the rows only.
// CHECK-LABEL: func.func @rows
// CHECK-NEXT: "ml.depthwise_conv"(%arg0, %arg1)
// CHECK-SAME: dilations = array<i64: 2, 1>
// CHECK-SAME: pad = array<i64: 2, 2, 1, 1>
// CHECK-NEXT: return
func.func @rows(%x: tensor<1x8x8x4xf32>, %w: tensor<1x3x3x4xf32>) -> tensor<1x8x8x4xf32> {
  %b = "ml.space_to_batch"(%x) {block_shape = array<i64: 2>, pad = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<2x6x8x4xf32>
  %c = "ml.depthwise_conv"(%b, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x6x8x4xf32>, tensor<1x3x3x4xf32>) -> tensor<2x4x8x4xf32>
  %y = "ml.batch_to_space"(%c) {block_shape = array<i64: 2>, crops = array<i64: 0, 0>} : (tensor<2x4x8x4xf32>) -> tensor<1x8x8x4xf32>
  return %y : tensor<1x8x8x4xf32>
}
// CHECK-LABEL: func.func @quantized
// CHECK-NEXT: "ml.conv"(%arg0, %arg1) {activation = "relu"
// CHECK-SAME: dilations = array<i64: 2, 2>
// CHECK-NEXT: return
func.func @quantized(%x: tensor<1x8x8x4x!q>, %w: tensor<5x3x3x4x!w>) -> tensor<1x8x8x5x!p> {
  %b = "ml.space_to_batch"(%x) {block_shape = array<i64: 2, 2>, pad = array<i64: 2, 2, 2, 2>} : (tensor<1x8x8x4x!q>) -> tensor<4x6x6x4x!q>
  %c = "ml.conv"(%b, %w) {activation = "relu", dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<4x6x6x4x!q>, tensor<5x3x3x4x!w>) -> tensor<4x4x4x5x!p>
  %y = "ml.batch_to_space"(%c) {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 0, 0, 0>} : (tensor<4x4x4x5x!p>) -> tensor<1x8x8x5x!p>
  return %y : tensor<1x8x8x5x!p>
}
// CHECK-LABEL: func.func @strided
// CHECK: ml.space_to_batch
// CHECK: ml.batch_to_space
func.func @strided(%x: tensor<1x12x12x4xf32>, %w: tensor<5x3x3x4xf32>) -> tensor<1x4x4x5xf32> {
  %b = "ml.space_to_batch"(%x) {block_shape = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x12x12x4xf32>) -> tensor<4x6x6x4xf32>
  %c = "ml.conv"(%b, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>, groups = 1 : i64} : (tensor<4x6x6x4xf32>, tensor<5x3x3x4xf32>) -> tensor<4x2x2x5xf32>
  %y = "ml.batch_to_space"(%c) {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 0, 0, 0>} : (tensor<4x2x2x5xf32>) -> tensor<1x4x4x5xf32>
  return %y : tensor<1x4x4x5xf32>
}
// Unchanged: batch_to_space uses another block shape.
// CHECK-LABEL: func.func @other_blocks
// CHECK: ml.space_to_batch
// CHECK: ml.batch_to_space
func.func @other_blocks(%x: tensor<1x12x12x4xf32>, %w: tensor<5x3x3x4xf32>) -> tensor<1x2x20x5xf32> {
  %b = "ml.space_to_batch"(%x) {block_shape = array<i64: 4, 1>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x12x12x4xf32>) -> tensor<4x3x12x4xf32>
  %c = "ml.conv"(%b, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<4x3x12x4xf32>, tensor<5x3x3x4xf32>) -> tensor<4x1x10x5xf32>
  %y = "ml.batch_to_space"(%c) {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 0, 0, 0>} : (tensor<4x1x10x5xf32>) -> tensor<1x2x20x5xf32>
  return %y : tensor<1x2x20x5xf32>
}
// Unchanged: the crop is larger than the padding.
// CHECK-LABEL: func.func @cut
// CHECK: ml.space_to_batch
// CHECK: ml.batch_to_space
func.func @cut(%x: tensor<1x8x8x4xf32>, %w: tensor<5x3x3x4xf32>) -> tensor<1x3x4x5xf32> {
  %b = "ml.space_to_batch"(%x) {block_shape = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x8x8x4xf32>) -> tensor<4x4x4x4xf32>
  %c = "ml.conv"(%b, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<4x4x4x4xf32>, tensor<5x3x3x4xf32>) -> tensor<4x2x2x5xf32>
  %y = "ml.batch_to_space"(%c) {block_shape = array<i64: 2, 2>, crops = array<i64: 1, 0, 0, 0>} : (tensor<4x2x2x5xf32>) -> tensor<1x3x4x5xf32>
  return %y : tensor<1x3x4x5xf32>
}
// Unchanged: the padding is larger than the kernel's reach.
// CHECK-LABEL: func.func @beyond
// CHECK: ml.space_to_batch
// CHECK: ml.batch_to_space
func.func @beyond(%x: tensor<1x8x8x4xf32>, %w: tensor<5x3x3x4xf32>) -> tensor<1x10x4x5xf32> {
  %b = "ml.space_to_batch"(%x) {block_shape = array<i64: 2, 2>, pad = array<i64: 6, 0, 0, 0>} : (tensor<1x8x8x4xf32>) -> tensor<4x7x4x4xf32>
  %c = "ml.conv"(%b, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<4x7x4x4xf32>, tensor<5x3x3x4xf32>) -> tensor<4x5x2x5xf32>
  %y = "ml.batch_to_space"(%c) {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 0, 0, 0>} : (tensor<4x5x2x5xf32>) -> tensor<1x10x4x5xf32>
  return %y : tensor<1x10x4x5xf32>
}
// Unchanged: an intermediate value is returned or has two readers.
// CHECK-LABEL: func.func @conv_used
// CHECK: ml.space_to_batch
// CHECK: ml.batch_to_space
func.func @conv_used(%x: tensor<1x8x8x4xf32>, %w: tensor<5x3x3x4xf32>) -> (tensor<1x4x4x5xf32>, tensor<4x2x2x5xf32>) {
  %b = "ml.space_to_batch"(%x) {block_shape = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x8x8x4xf32>) -> tensor<4x4x4x4xf32>
  %c = "ml.conv"(%b, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<4x4x4x4xf32>, tensor<5x3x3x4xf32>) -> tensor<4x2x2x5xf32>
  %y = "ml.batch_to_space"(%c) {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 0, 0, 0>} : (tensor<4x2x2x5xf32>) -> tensor<1x4x4x5xf32>
  return %y, %c : tensor<1x4x4x5xf32>, tensor<4x2x2x5xf32>
}
// CHECK-LABEL: func.func @blocks_used
// CHECK: ml.space_to_batch
// CHECK: ml.batch_to_space
func.func @blocks_used(%x: tensor<1x8x8x4xf32>, %w: tensor<5x3x3x4xf32>) -> (tensor<1x4x4x5xf32>, tensor<4x4x4x4xf32>) {
  %b = "ml.space_to_batch"(%x) {block_shape = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x8x8x4xf32>) -> tensor<4x4x4x4xf32>
  %c = "ml.conv"(%b, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<4x4x4x4xf32>, tensor<5x3x3x4xf32>) -> tensor<4x2x2x5xf32>
  %y = "ml.batch_to_space"(%c) {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 0, 0, 0>} : (tensor<4x2x2x5xf32>) -> tensor<1x4x4x5xf32>
  %r = "ml.relu"(%b) : (tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %y, %r : tensor<1x4x4x5xf32>, tensor<4x4x4x4xf32>
}
// Unchanged: the blocks include channels.
// CHECK-LABEL: func.func @channels
// CHECK: ml.space_to_batch
// CHECK: ml.batch_to_space
func.func @channels(%x: tensor<1x8x8x8xf32>, %w: tensor<5x3x3x4xf32>) -> tensor<2x6x6x5xf32> {
  %b = "ml.space_to_batch"(%x) {block_shape = array<i64: 1, 1, 2>, pad = array<i64: 0, 0, 0, 0, 0, 0>} : (tensor<1x8x8x8xf32>) -> tensor<2x8x8x4xf32>
  %c = "ml.conv"(%b, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<5x3x3x4xf32>) -> tensor<2x6x6x5xf32>
  %y = "ml.batch_to_space"(%c) {block_shape = array<i64: 1, 1, 1>, crops = array<i64: 0, 0, 0, 0, 0, 0>} : (tensor<2x6x6x5xf32>) -> tensor<2x6x6x5xf32>
  return %y : tensor<2x6x6x5xf32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK-NEXT: "ml.conv"(%arg1, %arg2)
// CHECK-NEXT: scf.yield
func.func @in_branch(%i: i1, %x: tensor<1x8x8x4xf32>, %w: tensor<4x3x3x4xf32>) -> tensor<1x8x8x4xf32> {
  %z = scf.if %i -> (tensor<1x8x8x4xf32>) {
    %b = "ml.space_to_batch"(%x) {block_shape = array<i64: 2, 2>, pad = array<i64: 2, 2, 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<4x6x6x4xf32>
    %c = "ml.conv"(%b, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<4x6x6x4xf32>, tensor<4x3x3x4xf32>) -> tensor<4x4x4x4xf32>
    %y = "ml.batch_to_space"(%c) {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 0, 0, 0>} : (tensor<4x4x4x4xf32>) -> tensor<1x8x8x4xf32>
    scf.yield %y : tensor<1x8x8x4xf32>
  } else {
    scf.yield %x : tensor<1x8x8x4xf32>
  }
  return %z : tensor<1x8x8x4xf32>
}
