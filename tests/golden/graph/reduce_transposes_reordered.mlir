// With reorder-sums, float means may add their terms in another order.
// RUN: quern opt %s --reduce-transposes=reorder-sums=true | FileCheck %s
// RUN: quern opt %s --reduce-transposes=reorder-sums=true --reduce-transposes=reorder-sums=true | FileCheck %s
// RUN: quern opt %s --reduce-transposes | FileCheck %s --check-prefix=EXACT
// EXACT-COUNT-5: ml.transpose

// CHECK-LABEL: func.func @mean(
// CHECK-NEXT: "ml.reduce_mean"(%arg0) {axes = array<i64: 1, 2>, keep_dims = false} : (tensor<1x4x5x3xf32>) -> tensor<1x3xf32>
// CHECK-NEXT: return
func.func @mean(%x: tensor<1x4x5x3xf32>) -> tensor<1x3xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x4x5x3xf32>) -> tensor<1x3x4x5xf32>
  %1 = "ml.reduce_mean"(%0) {axes = array<i64: 2, 3>, keep_dims = false} : (tensor<1x3x4x5xf32>) -> tensor<1x3xf32>
  return %1 : tensor<1x3xf32>
}
// The remaining dimensions are permuted.
// CHECK-LABEL: func.func @places(
// CHECK-NEXT: ml.transpose
// CHECK-NEXT: ml.reduce_mean
func.func @places(%x: tensor<2x4x3xf32>) -> tensor<3x2xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 2, 0, 1>} : (tensor<2x4x3xf32>) -> tensor<3x2x4xf32>
  %1 = "ml.reduce_mean"(%0) {axes = array<i64: 2>, keep_dims = false} : (tensor<3x2x4xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
// CHECK-LABEL: func.func @kept(
// CHECK-NEXT: ml.transpose
// CHECK-NEXT: ml.reduce_mean
func.func @kept(%x: tensor<2x3xf32>) -> tensor<3x1xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ml.reduce_mean"(%0) {axes = array<i64: 1>, keep_dims = true} : (tensor<3x2xf32>) -> tensor<3x1xf32>
  return %1 : tensor<3x1xf32>
}
// Another reader still gets one transpose.
// CHECK-LABEL: func.func @read_elsewhere(
// CHECK-COUNT-1: ml.transpose
// CHECK: return
func.func @read_elsewhere(%x: tensor<2x3xf32>) -> (tensor<3xf32>, tensor<3x2xf32>) {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ml.reduce_mean"(%0) {axes = array<i64: 1>, keep_dims = false} : (tensor<3x2xf32>) -> tensor<3xf32>
  return %1, %0 : tensor<3xf32>, tensor<3x2xf32>
}
// CHECK-LABEL: func.func @quantized(
// CHECK-NEXT: ml.transpose
// CHECK-NEXT: ml.reduce_mean
func.func @quantized(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x!quant.uniform<i8:f32, 0.5>> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5>>
  %1 = "ml.reduce_mean"(%0) {axes = array<i64: 1>, keep_dims = false} : (tensor<3x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  return %1 : tensor<3x!quant.uniform<i8:f32, 0.5>>
}
// A mean that keeps its dimensions.
// CHECK-LABEL: func.func @other_order(
// CHECK-NEXT: "ml.reduce_mean"(%arg0) {axes = array<i64: 1, 2>, keep_dims = true}
// CHECK-NEXT: return
func.func @other_order(%x: tensor<2x3x4xf32>) -> tensor<2x1x1xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %1 = "ml.reduce_mean"(%0) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x4x3xf32>) -> tensor<2x1x1xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 0, 2, 1>} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  return %2 : tensor<2x1x1xf32>
}
