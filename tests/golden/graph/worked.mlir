// More worked examples: each pass on its own function, with the results before and after.
// RUN: quern opt %s --noop-elimination | FileCheck %s --check-prefix=NOOP
// RUN: quern opt %s --rank0-expand-dims-swap | FileCheck %s --check-prefix=RANK0
// RUN: quern opt %s --merge-affine-dequantize-with-consecutive-ops | FileCheck %s --check-prefix=MERGE
// RUN: quern opt %s --nullify-redundant-quantization-zero-point | FileCheck %s --check-prefix=ZERO
// RUN: quern opt %s --nullify-redundant-quantization-zero-point --emit=interpret --function low --input "3xf32=0.3,100,-100" | FileCheck %s --check-prefix=LOW
// RUN: quern opt %s --emit=interpret --function low --input "3xf32=0.3,100,-100" | FileCheck %s --check-prefix=LOW
// RUN: quern opt %s --dequantize-quantize-pair-elimination | FileCheck %s --check-prefix=PAIR
// RUN: quern opt %s --distributive-quantized-binary-op-scale-normalization | FileCheck %s --check-prefix=SCALE
// RUN: quern opt %s --distributive-quantized-binary-op-scale-normalization --emit=interpret --function four --input "2xi8=10,10" --input "2xi8=5,5" | FileCheck %s --check-prefix=FOUR
// RUN: quern opt %s --emit=interpret --function four --input "2xi8=10,10" --input "2xi8=5,5" | FileCheck %s --check-prefix=FOUR
// RUN: quern opt %s --const-elimination --emit=interpret --function compressed | FileCheck %s --check-prefix=COMPRESSED
// RUN: quern opt %s --const-elimination | FileCheck %s --check-prefix=STAYS
// RUN: quern opt %s --merge-consecutive-transposes | FileCheck %s --check-prefix=PERM
// RUN: quern opt %s --fuse-pad-conv | FileCheck %s --check-prefix=ROWS
// RUN: quern opt %s --reduce-transposes | FileCheck %s --check-prefix=TURN
// RUN: quern opt %s --merge-consecutive-paddings | FileCheck %s --check-prefix=PADS
// RUN: quern opt %s --fuse-matmul-weight-bias | FileCheck %s --check-prefix=LINEAR
// RUN: quern opt %s --emit=interpret --function to_even --input "3xf32=2.5,3.5,-0.5" | FileCheck %s --check-prefix=EVEN
// RUN: quern opt %s --graph-default | FileCheck %s --check-prefix=ALL
!low = !quant.uniform<i8:f32, 0.1:-128>
!tenth = !quant.uniform<i8:f32, 0.1>
!fifth = !quant.uniform<i8:f32, 0.2>
!other = !quant.uniform<i8:f32, 0.4>
!sum = !quant.uniform<i8:f32, 0.8>
!small = !quant.uniform<i8:f32, 1.0e-3>
!large = !quant.uniform<i8:f32, 1.0e+5>

// x / 1, x^1, x - 0, -0 + x and 1 x are removed; floor(2.7 / 1) differs from 2.7, 3 div 1 is 3.
// NOOP-LABEL: func.func @neutral
// NOOP: return %arg0
// NOOP-LABEL: func.func @neutral_whole
// NOOP: return %arg0
// NOOP-LABEL: func.func @no_noops
// NOOP: ml.sub
// NOOP: ml.sub
// NOOP: ml.real_div
// NOOP: ml.pow
// NOOP: ml.floor_div
func.func @neutral(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %zero = "ml.const"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %minus = "ml.const"() {value = dense<-0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "ml.real_div"(%x, %one) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = "ml.pow"(%0, %one) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = "ml.sub"(%1, %zero) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = "ml.add"(%minus, %2) : (tensor<1xf32>, tensor<2xf32>) -> tensor<2xf32>
  %4 = "ml.mul"(%one, %3) : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %5 = "ml.tile"(%4) {reps = array<i64: 1>} : (tensor<2xf32>) -> tensor<2xf32>
  return %5 : tensor<2xf32>
}
func.func @neutral_whole(%x: tensor<2xi32>) -> tensor<2xi32> {
  %one = "ml.const"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %zero = "ml.const"() {value = dense<0> : tensor<2xi32>} : () -> tensor<2xi32>
  %0 = "ml.floor_div"(%x, %one) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  %1 = "ml.add"(%0, %zero) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}
func.func @no_noops(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %one = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %zero = "ml.const"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.sub"(%one, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = "ml.sub"(%zero, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = "ml.real_div"(%one, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = "ml.pow"(%one, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %4 = "ml.floor_div"(%x, %one) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// a - 2 is read only as a vector: it becomes vector a minus vector 2. A scalar that is also read as a scalar
// is squeezed for that reader.
// RANK0-LABEL: func.func @vector
// RANK0: %[[E:.*]] = "ml.expand_dims"(%arg0)
// RANK0: "ml.sub"(%[[E]]
// RANK0-NEXT: return
// RANK0-LABEL: func.func @scalar
// RANK0: %[[E:.*]] = "ml.expand_dims"(%arg0)
// RANK0: %[[V:.*]] = "ml.sub"(%[[E]]
// RANK0-NEXT: %[[S:.*]] = "ml.squeeze"(%[[V]])
// RANK0-NEXT: "ml.add"(%[[S]], %arg1)
func.func @vector(%a: tensor<f32>) -> tensor<1xf32> {
  %two = "ml.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %0 = "ml.sub"(%a, %two) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = "ml.expand_dims"(%0) {axes = array<i64: 0>} : (tensor<f32>) -> tensor<1xf32>
  return %1 : tensor<1xf32>
}
func.func @scalar(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<1xf32>, tensor<f32>) {
  %two = "ml.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %0 = "ml.sub"(%a, %two) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = "ml.expand_dims"(%0) {axes = array<i64: 0>} : (tensor<f32>) -> tensor<1xf32>
  %2 = "ml.add"(%0, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %1, %2 : tensor<1xf32>, tensor<f32>
}

// The axis of the scales follows the permutation: axis 1 under (1, 0) is 0, axis 2 under (2, 0, 1) is 0.
// MERGE-LABEL: func.func @axis_of_three
// MERGE-NEXT: "ml.const"() {{.*}} -> tensor<2x1x3x!quant.uniform<i8:f32:0, {1.000000e+00,2.000000e+00}>>
func.func @axis_of_three() -> tensor<2x1x3xf32> {
  %c = "ml.const"() {value = dense<1> : tensor<1x3x2xi8>} : () -> tensor<1x3x2x!quant.uniform<i8:f32:2, {1.0, 2.0}>>
  %0 = quant.dcast %c : tensor<1x3x2x!quant.uniform<i8:f32:2, {1.0, 2.0}>> to tensor<1x3x2xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 2, 0, 1>} : (tensor<1x3x2xf32>) -> tensor<2x1x3xf32>
  return %1 : tensor<2x1x3xf32>
}

// 0.3 is stored as -125 with scale 0.1 and zero point -128, and as 3 with zero point 0; 100 saturates to 25.5 in both.
// ZERO-LABEL: func.func @low
// ZERO-NEXT: quant.qcast %arg0 : tensor<3xf32> to tensor<3x!quant.uniform<u8:f32, 1.000000e-01>>
// ZERO-NEXT: quant.dcast
// LOW: dense<[3.000000e-01, 2.550000e+01, 0.000000e+00]>
func.func @low(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = quant.qcast %x : tensor<3xf32> to tensor<3x!low>
  %1 = quant.dcast %0 : tensor<3x!low> to tensor<3xf32>
  return %1 : tensor<3xf32>
}
// A missing zero point is 0, so there is nothing to normalize first.
// PAIR-LABEL: func.func @no_zero_point
// PAIR-NEXT: return %arg0
func.func @no_zero_point(%x: tensor<3x!quant.uniform<i8:f32, 0.1:0>>) -> tensor<3x!tenth> {
  %0 = quant.dcast %x : tensor<3x!quant.uniform<i8:f32, 0.1:0>> to tensor<3xf32>
  %1 = quant.qcast %0 : tensor<3xf32> to tensor<3x!tenth>
  return %1 : tensor<3x!tenth>
}

// 10 steps of 0.2 and 5 steps of 0.4 are 4, which is 5 steps of 0.8. In steps of 0.5, 1 and 2: 10, 5.
// SCALE-LABEL: func.func @four
// SCALE: quant.dcast %{{.*}} : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
// SCALE: quant.dcast %{{.*}} : tensor<2x!quant.uniform<i8:f32, 1.000000e+00>>
// SCALE: quant.qcast %{{.*}} to tensor<2x!quant.uniform<i8:f32, 2.000000e+00>>
// FOUR: dense<[5, 5]>
func.func @four(%a: tensor<2xi8>, %b: tensor<2xi8>) -> tensor<2xi8> {
  %x = quant.scast %a : tensor<2xi8> to tensor<2x!fifth>
  %y = quant.scast %b : tensor<2xi8> to tensor<2x!other>
  %0 = quant.dcast %x : tensor<2x!fifth> to tensor<2xf32>
  %1 = quant.dcast %y : tensor<2x!other> to tensor<2xf32>
  %2 = "ml.add"(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = quant.qcast %2 : tensor<2xf32> to tensor<2x!sum>
  %4 = quant.scast %3 : tensor<2x!sum> to tensor<2xi8>
  return %4 : tensor<2xi8>
}
// Unchanged: the ratio 1e-8 is below 2^-24, and its inverse 1e8 exceeds 65504.
// SCALE-LABEL: func.func @out_of_range
// SCALE-NEXT: quant.dcast %arg0
// SCALE-NEXT: quant.dcast %arg1
func.func @out_of_range(%x: tensor<2x!small>, %y: tensor<2x!large>) -> tensor<2x!sum> {
  %0 = quant.dcast %x : tensor<2x!small> to tensor<2xf32>
  %1 = quant.dcast %y : tensor<2x!large> to tensor<2xf32>
  %2 = "ml.add"(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = quant.qcast %2 : tensor<2xf32> to tensor<2x!sum>
  return %3 : tensor<2x!sum>
}

// [[1, 2], [3, 4]] with scales 0.5 and 2 per row is [[0.5, 1], [6, 8]], and stays compressed.
// COMPRESSED: dense<{{\[\[}}5.000000e-01, 1.000000e+00], [6.000000e+00, 8.000000e+00]]>
// STAYS-LABEL: func.func @compressed
// STAYS: quant.dcast
func.func @compressed() -> tensor<2x2xf32> {
  %c = "ml.const"() {value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>} : () -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 2.0}>>
  %0 = quant.dcast %c : tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 2.0}>> to tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// Rounded half to even, then the zero point is added: 2, 4 and 0, plus 1.
// EVEN: dense<[3, 5, 1]>
func.func @to_even(%x: tensor<3xf32>) -> tensor<3xi8> {
  %0 = quant.qcast %x : tensor<3xf32> to tensor<3x!quant.uniform<i8:f32, 1.0:1>>
  %1 = quant.scast %0 : tensor<3x!quant.uniform<i8:f32, 1.0:1>> to tensor<3xi8>
  return %1 : tensor<3xi8>
}

// PERM-LABEL: func.func @two_permutations
// PERM-NEXT: "ml.transpose"(%arg0) {perm = array<i64: 3, 1, 0, 2>} : (tensor<1x2x3x4xf32>) -> tensor<4x2x1x3xf32>
// PERM-NEXT: return
func.func @two_permutations(%x: tensor<1x2x3x4xf32>) -> tensor<4x2x1x3xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x2x3x4xf32>) -> tensor<1x3x2x4xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 3, 2, 0, 1>} : (tensor<1x3x2x4xf32>) -> tensor<4x2x1x3xf32>
  return %1 : tensor<4x2x1x3xf32>
}

// Pads (0,0) (1,1) (1,1) (0,0) under the permutation (0, 3, 1, 2) are (0,0) (0,0) (1,1) (1,1).
// ROWS-LABEL: func.func @permuted_pad
// ROWS-NEXT: %[[T:.*]] = "ml.transpose"(%arg0) {perm = array<i64: 0, 3, 1, 2>}
// ROWS-NEXT: "ml.pad"(%[[T]]) {pad = array<i64: 0, 0, 0, 0, 1, 1, 1, 1>
func.func @permuted_pad(%x: tensor<1x2x3x4xf32>, %w: tensor<2x1x1x5xf32>) -> tensor<1x4x4x2xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 1, 1, 1, 1, 0, 0>, value = 1 : i64} : (tensor<1x2x3x4xf32>) -> tensor<1x4x5x4xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x4x5x4xf32>) -> tensor<1x4x4x5xf32>
  %2 = "ml.conv"(%1, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x4x4x5xf32>, tensor<2x1x1x5xf32>) -> tensor<1x4x4x2xf32>
  return %2 : tensor<1x4x4x2xf32>
}

// Pads [0, 0, 0, 0, 1, 2, 3, 4] after (0, 3, 1, 2) are [0, 0, 1, 2, 3, 4, 0, 0]; a vector along the last of the
// dimensions (0, 2, 3, 1) is along the second; a concat along the last axis is along the second.
// TURN-LABEL: func.func @pad_between
// TURN-NEXT: "ml.pad"(%arg0) {pad = array<i64: 0, 0, 1, 2, 3, 4, 0, 0>}
// TURN-NEXT: return
// TURN-LABEL: func.func @vector_between
// TURN: tensor<1x2x1x1xf32>
// TURN-NOT: perm
// TURN: "ml.concat"({{.*}}) {axis = 1 : i64}
// TURN-NEXT: return
func.func @pad_between(%x: tensor<1x2x3x4xf32>) -> tensor<1x5x10x4xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x2x3x4xf32>) -> tensor<1x4x2x3xf32>
  %1 = "ml.pad"(%0) {pad = array<i64: 0, 0, 0, 0, 1, 2, 3, 4>} : (tensor<1x4x2x3xf32>) -> tensor<1x4x5x10xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x4x5x10xf32>) -> tensor<1x5x10x4xf32>
  return %2 : tensor<1x5x10x4xf32>
}
func.func @vector_between(%x: tensor<1x2x3x4xf32>) -> tensor<1x4x3x4xf32> {
  %k = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x2x3x4xf32>) -> tensor<1x3x4x2xf32>
  %1 = "ml.add"(%0, %k) : (tensor<1x3x4x2xf32>, tensor<2xf32>) -> tensor<1x3x4x2xf32>
  %2 = "ml.concat"(%1, %0) {axis = 3 : i64} : (tensor<1x3x4x2xf32>, tensor<1x3x4x2xf32>) -> tensor<1x3x4x4xf32>
  %3 = "ml.transpose"(%2) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x3x4x4xf32>) -> tensor<1x4x3x4xf32>
  return %3 : tensor<1x4x3x4xf32>
}
// If quantized, the mean over axis 2 under (0, 2, 1) is the mean over axis 1.
// TURN-LABEL: func.func @mean_between
// TURN-NEXT: "ml.reduce_mean"(%arg0) {axes = array<i64: 1>, keep_dims = true}
// TURN-NEXT: return
func.func @mean_between(%x: tensor<2x3x4x!tenth>) -> tensor<2x1x4x!tenth> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4x!tenth>) -> tensor<2x4x3x!tenth>
  %1 = "ml.reduce_mean"(%0) {axes = array<i64: 2>, keep_dims = true} : (tensor<2x4x3x!tenth>) -> tensor<2x4x1x!tenth>
  %2 = "ml.transpose"(%1) {perm = array<i64: 0, 2, 1>} : (tensor<2x4x1x!tenth>) -> tensor<2x1x4x!tenth>
  return %2 : tensor<2x1x4x!tenth>
}

// Pads [0, 0, 1, 1], [1, 1, 0, 0] and [1, 1, 0, 0] add up to [2, 2, 1, 1].
// PADS-LABEL: func.func @three_pads
// PADS-NEXT: "ml.pad"(%arg0) {pad = array<i64: 2, 2, 1, 1>, value = 3 : i64}
// PADS-NEXT: return
func.func @three_pads(%x: tensor<2x3xf32>) -> tensor<6x5xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 1, 1>, value = 3 : i64} : (tensor<2x3xf32>) -> tensor<2x5xf32>
  %1 = "ml.pad"(%0) {pad = array<i64: 1, 1, 0, 0>, value = 3 : i64} : (tensor<2x5xf32>) -> tensor<4x5xf32>
  %2 = "ml.pad"(%1) {pad = array<i64: 1, 1, 0, 0>, value = 3 : i64} : (tensor<4x5xf32>) -> tensor<6x5xf32>
  return %2 : tensor<6x5xf32>
}

// x @ W + b is a linear layer with transposed W.
// LINEAR-LABEL: func.func @product
// LINEAR: dense<{{\[\[}}1.000000e+00, 3.000000e+00, 5.000000e+00, 7.000000e+00], [2.000000e+00, 4.000000e+00, 6.000000e+00, 8.000000e+00]]>
// LINEAR: "ml.linear"(%arg0
func.func @product(%x: tensor<2x4xf32>) -> tensor<2x2xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>} : () -> tensor<4x2xf32>
  %b = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.matmul"(%x, %w) : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
  %1 = "ml.add"(%0, %b) : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// Unsigned 8-bit weights around 128, a scale per row, and a transpose after them: they become signed, the
// transpose folds into them, and they stay compressed.
// ALL-LABEL: func.func @quantized_linear
// ALL: "ml.const"() {value = dense<{{\[\[}}-128, 0], [-28, 127]]> : tensor<2x2xi8>} : () -> tensor<2x2x!quant.uniform<i8:f32:1, {1.000000e+00,2.000000e+00}>>
// ALL-NEXT: quant.dcast
// ALL-NEXT: "ml.linear"
// ALL-NEXT: return
func.func @quantized_linear(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %c = "ml.const"() {value = dense<[[0, 100], [-128, -1]]> : tensor<2x2xi8>} : () -> tensor<2x2x!quant.uniform<u8:f32:0, {1.0:128, 2.0:128}>>
  %0 = quant.dcast %c : tensor<2x2x!quant.uniform<u8:f32:0, {1.0:128, 2.0:128}>> to tensor<2x2xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = "ml.linear"(%x, %1) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %2 : tensor<1x2xf32>
}
