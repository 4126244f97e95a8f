// Consecutive pads become one; cases that must stay. Constant pads add up also on one side. A pad that is
// an output stays.
// RUN: quern opt %s --merge-consecutive-paddings | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5:3>
!z = !quant.uniform<i8:f32, 0.5:4>

// CHECK-LABEL: func.func @three
// CHECK-NEXT: "ml.pad"(%arg0) {pad = array<i64: 2, 2, 1, 1>} : (tensor<2x3xf32>) -> tensor<6x5xf32>
// CHECK-NEXT: return
func.func @three(%x: tensor<2x3xf32>) -> tensor<6x5xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 1, 1>} : (tensor<2x3xf32>) -> tensor<2x5xf32>
  %1 = "ml.pad"(%0) {pad = array<i64: 1, 1, 0, 0>} : (tensor<2x5xf32>) -> tensor<4x5xf32>
  %2 = "ml.pad"(%1) {pad = array<i64: 1, 1, 0, 0>} : (tensor<4x5xf32>) -> tensor<6x5xf32>
  return %2 : tensor<6x5xf32>
}
// The zero point of one pad and the value of the other are the same byte.
// CHECK-LABEL: func.func @one_byte
// CHECK-NEXT: "ml.pad"(%arg0) {pad = array<i64: 1, 2>, value = 3 : i64}
// CHECK-NEXT: return
func.func @one_byte(%x: tensor<2x!q>) -> tensor<5x!z> {
  %0 = "ml.pad"(%x) {pad = array<i64: 1, 0>} : (tensor<2x!q>) -> tensor<3x!q>
  %1 = "ml.pad"(%0) {pad = array<i64: 0, 2>, value = 3 : i64} : (tensor<3x!q>) -> tensor<5x!z>
  return %1 : tensor<5x!z>
}
// CHECK-LABEL: func.func @other_values
// CHECK-COUNT-2: ml.pad
func.func @other_values(%x: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 1, 0>, value = 2 : i64} : (tensor<2xf32>) -> tensor<3xf32>
  %1 = "ml.pad"(%0) {pad = array<i64: 0, 1>} : (tensor<3xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @reals
// CHECK-NEXT: "ml.pad"(%arg0) {pad = array<i64: 1, 1>, real_value = 5.000000e-01 : f32}
// CHECK-NEXT: return
func.func @reals(%x: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 1, 0>, real_value = 0.5 : f32} : (tensor<2xf32>) -> tensor<3xf32>
  %1 = "ml.pad"(%0) {pad = array<i64: 0, 1>, real_value = 0.5 : f32} : (tensor<3xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// An integer value equals the real value; zeros of different signs are different pads.
// CHECK-LABEL: func.func @spelled_otherwise
// CHECK-COUNT-1: ml.pad
// CHECK-NEXT: return
func.func @spelled_otherwise(%x: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 1, 0>, value = 2 : i64} : (tensor<2xf32>) -> tensor<3xf32>
  %1 = "ml.pad"(%0) {pad = array<i64: 0, 1>, real_value = 2.0 : f32} : (tensor<3xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @two_zeros
// CHECK-COUNT-2: ml.pad
func.func @two_zeros(%x: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 1, 0>} : (tensor<2xf32>) -> tensor<3xf32>
  %1 = "ml.pad"(%0) {pad = array<i64: 0, 1>, real_value = -0.0 : f32} : (tensor<3xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// Values that are equal after rounding to the element type are one pad value.
// CHECK-LABEL: func.func @of_more_digits
// CHECK-COUNT-1: ml.pad
// CHECK-NEXT: return
func.func @of_more_digits(%x: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "ml.pad"(%x) {pad = array<i64: 1, 0>, real_value = 0.1 : f32} : (tensor<2xf32>) -> tensor<3xf32>
  %1 = "ml.pad"(%0) {pad = array<i64: 0, 1>, real_value = 0.1 : f64} : (tensor<3xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @other_zero_points
// CHECK-COUNT-2: ml.pad
func.func @other_zero_points(%x: tensor<2x!q>) -> tensor<4x!z> {
  %0 = "ml.pad"(%x) {pad = array<i64: 1, 0>} : (tensor<2x!q>) -> tensor<3x!q>
  %1 = "ml.pad"(%0) {pad = array<i64: 0, 1>} : (tensor<3x!q>) -> tensor<4x!z>
  return %1 : tensor<4x!z>
}
// CHECK-LABEL: func.func @returned
// CHECK-COUNT-2: ml.pad
func.func @returned(%x: tensor<2xf32>) -> (tensor<3xf32>, tensor<4xf32>) {
  %0 = "ml.pad"(%x) {pad = array<i64: 1, 0>} : (tensor<2xf32>) -> tensor<3xf32>
  %1 = "ml.pad"(%0) {pad = array<i64: 0, 1>} : (tensor<3xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<3xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @used_twice
// CHECK-COUNT-2: ml.pad
func.func @used_twice(%x: tensor<2xf32>) -> (tensor<3xf32>, tensor<4xf32>) {
  %0 = "ml.pad"(%x) {pad = array<i64: 1, 0>} : (tensor<2xf32>) -> tensor<3xf32>
  %1 = "ml.pad"(%0) {pad = array<i64: 0, 1>} : (tensor<3xf32>) -> tensor<4xf32>
  %2 = "ml.tanh"(%0) : (tensor<3xf32>) -> tensor<3xf32>
  return %2, %1 : tensor<3xf32>, tensor<4xf32>
}
// Mirror pads of one mode merge along different dimensions and on different sides of one.
// CHECK-LABEL: func.func @mirrors
// CHECK-NEXT: "ml.mirror_pad"(%arg0) {mode = "reflect", pad = array<i64: 1, 2, 1, 1>} : (tensor<6x8xf32>) -> tensor<9x10xf32>
// CHECK-NEXT: return
func.func @mirrors(%x: tensor<6x8xf32>) -> tensor<9x10xf32> {
  %0 = "ml.mirror_pad"(%x) {mode = "reflect", pad = array<i64: 1, 0, 1, 1>} : (tensor<6x8xf32>) -> tensor<7x10xf32>
  %1 = "ml.mirror_pad"(%0) {mode = "reflect", pad = array<i64: 0, 2, 0, 0>} : (tensor<7x10xf32>) -> tensor<9x10xf32>
  return %1 : tensor<9x10xf32>
}
// Unchanged: the same side twice, more than there are elements, and another mode.
// CHECK-LABEL: func.func @one_side
// CHECK-COUNT-2: ml.mirror_pad
func.func @one_side(%x: tensor<6xf32>) -> tensor<8xf32> {
  %0 = "ml.mirror_pad"(%x) {mode = "reflect", pad = array<i64: 1, 0>} : (tensor<6xf32>) -> tensor<7xf32>
  %1 = "ml.mirror_pad"(%0) {mode = "reflect", pad = array<i64: 1, 0>} : (tensor<7xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
// CHECK-LABEL: func.func @too_much
// CHECK-COUNT-2: ml.mirror_pad
func.func @too_much(%x: tensor<3xf32>) -> tensor<8xf32> {
  %0 = "ml.mirror_pad"(%x) {mode = "reflect", pad = array<i64: 2, 0>} : (tensor<3xf32>) -> tensor<5xf32>
  %1 = "ml.mirror_pad"(%0) {mode = "reflect", pad = array<i64: 0, 3>} : (tensor<5xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
// CHECK-LABEL: func.func @other_modes
// CHECK-COUNT-2: ml.mirror_pad
func.func @other_modes(%x: tensor<3x3xf32>) -> tensor<4x4xf32> {
  %0 = "ml.mirror_pad"(%x) {mode = "reflect", pad = array<i64: 1, 0, 0, 0>} : (tensor<3x3xf32>) -> tensor<4x3xf32>
  %1 = "ml.mirror_pad"(%0) {mode = "symmetric", pad = array<i64: 0, 0, 0, 1>} : (tensor<4x3xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
