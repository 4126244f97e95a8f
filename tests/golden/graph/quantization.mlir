// Casts around data movement, cast pairs, zero points at the end of the 8-bit range, and the layout of compressed
// weights.
// RUN: quern opt %s --int-op-canonicalization | FileCheck %s --check-prefix=MOVE
// RUN: quern opt %s --dequantize-quantize-pair-elimination | FileCheck %s --check-prefix=PAIR
// RUN: quern opt %s --nullify-redundant-quantization-zero-point | FileCheck %s --check-prefix=ZERO
// RUN: quern opt %s --merge-affine-dequantize-with-consecutive-ops | FileCheck %s --check-prefix=MERGE
// RUN: quern opt %s --nullify-redundant-quantization-zero-point --emit=interpret --function constant_signed | FileCheck %s --check-prefix=SAME
// RUN: quern opt %s --emit=interpret --function constant_signed | FileCheck %s --check-prefix=SAME
// RUN: quern opt %s --merge-affine-dequantize-with-consecutive-ops --emit=interpret --function per_channel | FileCheck %s --check-prefix=LAID
// RUN: quern opt %s --emit=interpret --function per_channel | FileCheck %s --check-prefix=LAID
!q = !quant.uniform<i8:f32, 0.5:3>
!p = !quant.uniform<i8:f32, 0.25:3>
!z = !quant.uniform<i8:f32, 0.5:4>
!u = !quant.uniform<u8:f32, 0.5:3>
!low = !quant.uniform<i8:f32, 0.5:-128>
!mid = !quant.uniform<u8:f32, 0.5:128>

// MOVE-LABEL: func.func @moved
// MOVE-NEXT: "ml.reshape"(%arg0) : (tensor<6x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x3x!quant
// MOVE-NEXT: "ml.transpose"({{.*}}) {perm = array<i64: 1, 0>} : (tensor<2x3x!quant
// MOVE-NEXT: return
func.func @moved(%x: tensor<6x!q>) -> tensor<3x2x!q> {
  %0 = quant.dcast %x : tensor<6x!q> to tensor<6xf32>
  %1 = "ml.reshape"(%0) : (tensor<6xf32>) -> tensor<2x3xf32>
  %2 = quant.qcast %1 : tensor<2x3xf32> to tensor<2x3x!q>
  %3 = quant.dcast %2 : tensor<2x3x!q> to tensor<2x3xf32>
  %4 = "ml.transpose"(%3) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %5 = quant.qcast %4 : tensor<3x2xf32> to tensor<3x2x!q>
  return %5 : tensor<3x2x!q>
}
// One branch stays float.
// MOVE-LABEL: func.func @half_moved
// MOVE: quant.dcast
// MOVE: "ml.reshape"(%arg0)
// MOVE: ml.tanh
func.func @half_moved(%x: tensor<6x!q>) -> (tensor<2x3x!q>, tensor<6xf32>) {
  %0 = quant.dcast %x : tensor<6x!q> to tensor<6xf32>
  %1 = "ml.reshape"(%0) : (tensor<6xf32>) -> tensor<2x3xf32>
  %2 = quant.qcast %1 : tensor<2x3xf32> to tensor<2x3x!q>
  %3 = "ml.tanh"(%0) : (tensor<6xf32>) -> tensor<6xf32>
  return %2, %3 : tensor<2x3x!q>, tensor<6xf32>
}
// Unchanged in both passes: another scale, zero point or sign requantizes.
// MOVE-LABEL: func.func @other_scale
// MOVE: quant.dcast
// MOVE: quant.qcast
func.func @other_scale(%x: tensor<6x!q>) -> tensor<2x3x!p> {
  %0 = quant.dcast %x : tensor<6x!q> to tensor<6xf32>
  %1 = "ml.reshape"(%0) : (tensor<6xf32>) -> tensor<2x3xf32>
  %2 = quant.qcast %1 : tensor<2x3xf32> to tensor<2x3x!p>
  return %2 : tensor<2x3x!p>
}
// MOVE-LABEL: func.func @other_zero_point
// MOVE: quant.dcast
// MOVE: quant.qcast
func.func @other_zero_point(%x: tensor<6x!q>) -> tensor<2x3x!z> {
  %0 = quant.dcast %x : tensor<6x!q> to tensor<6xf32>
  %1 = "ml.reshape"(%0) : (tensor<6xf32>) -> tensor<2x3xf32>
  %2 = quant.qcast %1 : tensor<2x3xf32> to tensor<2x3x!z>
  return %2 : tensor<2x3x!z>
}
// MOVE-LABEL: func.func @other_sign
// MOVE: quant.dcast
// MOVE: quant.qcast
func.func @other_sign(%x: tensor<6x!q>) -> tensor<2x3x!u> {
  %0 = quant.dcast %x : tensor<6x!q> to tensor<6xf32>
  %1 = "ml.reshape"(%0) : (tensor<6xf32>) -> tensor<2x3xf32>
  %2 = quant.qcast %1 : tensor<2x3xf32> to tensor<2x3x!u>
  return %2 : tensor<2x3x!u>
}
// MOVE-LABEL: func.func @moved_and_returned
// MOVE: quant.dcast
// MOVE: quant.qcast
func.func @moved_and_returned(%x: tensor<6x!q>) -> (tensor<2x3xf32>, tensor<2x3x!q>) {
  %0 = quant.dcast %x : tensor<6x!q> to tensor<6xf32>
  %1 = "ml.reshape"(%0) : (tensor<6xf32>) -> tensor<2x3xf32>
  %2 = quant.qcast %1 : tensor<2x3xf32> to tensor<2x3x!q>
  return %1, %2 : tensor<2x3xf32>, tensor<2x3x!q>
}
// Unchanged: scales per index would have to move along.
// MOVE-LABEL: func.func @moved_per_channel
// MOVE: quant.dcast
// MOVE: quant.qcast
func.func @moved_per_channel(%x: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>> {
  %0 = quant.dcast %x : tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>> to tensor<2x2xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = quant.qcast %1 : tensor<2x2xf32> to tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return %2 : tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
}

// PAIR-LABEL: func.func @pair
// PAIR-NEXT: return %arg0
func.func @pair(%x: tensor<6x!q>) -> tensor<6x!q> {
  %0 = quant.dcast %x : tensor<6x!q> to tensor<6xf32>
  %1 = quant.qcast %0 : tensor<6xf32> to tensor<6x!q>
  return %1 : tensor<6x!q>
}
// PAIR-LABEL: func.func @pair_and_returned
// PAIR-NEXT: %[[F:.*]] = quant.dcast
// PAIR-NEXT: return %[[F]], %arg0
func.func @pair_and_returned(%x: tensor<6x!q>) -> (tensor<6xf32>, tensor<6x!q>) {
  %0 = quant.dcast %x : tensor<6x!q> to tensor<6xf32>
  %1 = quant.qcast %0 : tensor<6xf32> to tensor<6x!q>
  return %0, %1 : tensor<6xf32>, tensor<6x!q>
}
// PAIR-LABEL: func.func @pairs_that_stay
// PAIR-COUNT-3: quant.qcast
func.func @pairs_that_stay(%x: tensor<6x!q>, %y: tensor<6xf32>) -> (tensor<6x!z>, tensor<6x!u>, tensor<6xf32>) {
  %0 = quant.dcast %x : tensor<6x!q> to tensor<6xf32>
  %1 = quant.qcast %0 : tensor<6xf32> to tensor<6x!z>
  %2 = quant.qcast %0 : tensor<6xf32> to tensor<6x!u>
  %3 = quant.qcast %y : tensor<6xf32> to tensor<6x!q>
  %4 = quant.dcast %3 : tensor<6x!q> to tensor<6xf32>
  return %1, %2, %4 : tensor<6x!z>, tensor<6x!u>, tensor<6xf32>
}

// ZERO-LABEL: func.func @constant_signed
// ZERO: dense<[0, -128, -1]> : tensor<3xi8>
// ZERO: quant.dcast %{{.*}} : tensor<3x!quant.uniform<u8:f32, 5.000000e-01>>
// ZERO: dense<[-128, 0, 127]> : tensor<3xi8>
// ZERO: quant.dcast %{{.*}} : tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
// SAME: dense<[0.000000e+00, 6.400000e+01, 1.275000e+02]>
// SAME: dense<[-6.400000e+01, 0.000000e+00, 6.350000e+01]>
func.func @constant_signed() -> (tensor<3xf32>, tensor<3xf32>) {
  %c = "ml.const"() {value = dense<[-128, 0, 127]> : tensor<3xi8>} : () -> tensor<3x!low>
  %0 = quant.dcast %c : tensor<3x!low> to tensor<3xf32>
  %d = "ml.const"() {value = dense<[0, -128, -1]> : tensor<3xi8>} : () -> tensor<3x!mid>
  %1 = quant.dcast %d : tensor<3x!mid> to tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}
// ZERO-LABEL: func.func @signed_pair
// ZERO: quant.qcast %arg0 : tensor<3xf32> to tensor<3x!quant.uniform<u8:f32, 5.000000e-01>>
func.func @signed_pair(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = quant.qcast %x : tensor<3xf32> to tensor<3x!low>
  %1 = quant.dcast %0 : tensor<3x!low> to tensor<3xf32>
  return %1 : tensor<3xf32>
}
// Unchanged: the stored values are an output, another zero point, or zero points that differ.
// ZERO-LABEL: func.func @signed_pair_stays
// ZERO-COUNT-2: i8:f32, 5.000000e-01:-128
// ZERO: quant.qcast %arg0 : tensor<3xf32> to tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>
// ZERO: quant.qcast %arg0 : tensor<3xf32> to tensor<3x!quant.uniform<i8:f32:0, {5.000000e-01:-128,5.000000e-01:-128,5.000000e-01:-127}>>
func.func @signed_pair_stays(%x: tensor<3xf32>) -> (tensor<3x!low>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = quant.qcast %x : tensor<3xf32> to tensor<3x!low>
  %1 = quant.dcast %0 : tensor<3x!low> to tensor<3xf32>
  %2 = quant.qcast %x : tensor<3xf32> to tensor<3x!q>
  %3 = quant.dcast %2 : tensor<3x!q> to tensor<3xf32>
  %4 = quant.qcast %x : tensor<3xf32> to tensor<3x!quant.uniform<i8:f32:0, {0.5:-128, 0.5:-128, 0.5:-127}>>
  %5 = quant.dcast %4 : tensor<3x!quant.uniform<i8:f32:0, {0.5:-128, 0.5:-128, 0.5:-127}>> to tensor<3xf32>
  return %0, %1, %3, %5 : tensor<3x!low>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// MERGE-LABEL: func.func @per_channel
// MERGE-NEXT: "ml.const"() {value = dense<{{\[\[}}1, 4], [2, 5], [3, 6]]> : tensor<3x2xi8>} : () -> tensor<3x2x!quant.uniform<i8:f32:0, {1.000000e+00,2.000000e+00,3.000000e+00}>>
// MERGE-NEXT: quant.dcast
// MERGE-NEXT: return
// LAID: dense<{{\[\[}}1.000000e+00, 4.000000e+00], [4.000000e+00, 1.000000e+01], [9.000000e+00, 1.800000e+01]]>
func.func @per_channel() -> tensor<3x2xf32> {
  %c = "ml.const"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>} : () -> tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 2.0, 3.0}>>
  %0 = quant.dcast %c : tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 2.0, 3.0}>> to tensor<2x3xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
// MERGE-LABEL: func.func @per_tensor
// MERGE-NEXT: "ml.const"() {{.*}} -> tensor<1x8x3x1x!quant
// MERGE-NEXT: quant.dcast
// MERGE-NEXT: return
func.func @per_tensor() -> tensor<1x8x3x1xf32> {
  %c = "ml.const"() {value = dense<1> : tensor<1x2x3x4xi8>} : () -> tensor<1x2x3x4x!q>
  %0 = quant.dcast %c : tensor<1x2x3x4x!q> to tensor<1x2x3x4xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 1, 0, 3, 2>} : (tensor<1x2x3x4xf32>) -> tensor<2x1x4x3xf32>
  %2 = "ml.reshape"(%1) : (tensor<2x1x4x3xf32>) -> tensor<8x3xf32>
  %3 = "ml.expand_dims"(%2) {axes = array<i64: 0, 2, 4>} : (tensor<8x3xf32>) -> tensor<1x8x1x3x1xf32>
  %4 = "ml.squeeze"(%3) {axes = array<i64: 2>} : (tensor<1x8x1x3x1xf32>) -> tensor<1x8x3x1xf32>
  return %4 : tensor<1x8x3x1xf32>
}
// Unchanged: scales can't follow, the constant is shared, or an intermediate value is an output.
// MERGE-LABEL: func.func @per_channel_reshape
// MERGE: ml.reshape
func.func @per_channel_reshape() -> tensor<6xf32> {
  %c = "ml.const"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>} : () -> tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 2.0, 3.0}>>
  %0 = quant.dcast %c : tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 2.0, 3.0}>> to tensor<2x3xf32>
  %1 = "ml.reshape"(%0) : (tensor<2x3xf32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}
// MERGE-LABEL: func.func @shared
// MERGE-COUNT-2: ml.reshape
func.func @shared() -> (tensor<3x1xf32>, tensor<1x3xf32>) {
  %c = "ml.const"() {value = dense<[1, 2, 3]> : tensor<3xi8>} : () -> tensor<3x!q>
  %0 = quant.dcast %c : tensor<3x!q> to tensor<3xf32>
  %1 = "ml.reshape"(%0) : (tensor<3xf32>) -> tensor<3x1xf32>
  %2 = quant.dcast %c : tensor<3x!q> to tensor<3xf32>
  %3 = "ml.reshape"(%2) : (tensor<3xf32>) -> tensor<1x3xf32>
  return %1, %3 : tensor<3x1xf32>, tensor<1x3xf32>
}
// MERGE-LABEL: func.func @output_in_the_middle
// MERGE-NEXT: ml.const
// MERGE-NEXT: %[[D:.*]] = quant.dcast %{{.*}} to tensor<3x1xf32>
// MERGE-NEXT: %[[R:.*]] = "ml.reshape"(%[[D]])
// MERGE-NEXT: return %[[D]], %[[R]]
func.func @output_in_the_middle() -> (tensor<3x1xf32>, tensor<1x3xf32>) {
  %c = "ml.const"() {value = dense<[1, 2, 3]> : tensor<3xi8>} : () -> tensor<3x!q>
  %0 = quant.dcast %c : tensor<3x!q> to tensor<3xf32>
  %1 = "ml.reshape"(%0) : (tensor<3xf32>) -> tensor<3x1xf32>
  %2 = "ml.reshape"(%1) : (tensor<3x1xf32>) -> tensor<1x3xf32>
  return %1, %2 : tensor<3x1xf32>, tensor<1x3xf32>
}
