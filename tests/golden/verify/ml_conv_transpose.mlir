// Shapes and attributes of transposed convolutions; one error per line.
// RUN: %opt %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
func.func @f(%x: tensor<1x2x2x4xf32>, %w: tensor<6x3x3x4xf32>, %g: tensor<6x3x3x2xf32>, %v: tensor<6x3x3x3x4xf32>, %t: tensor<1x2x4xf32>, %b: tensor<5xf32>) {
  "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x5x4x6xf32>
  "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, output_shape = array<i64: 7, 5>} : (tensor<1x2x2x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x7x5x6xf32>
  "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, output_shape = array<i64: 5, 4>} : (tensor<1x2x2x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x5x4x6xf32>
  "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, output_shape = array<i64: 5>} : (tensor<1x2x2x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x5x5x6xf32>
  "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 2>, pad = array<i64: 3, 2, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x1x5x6xf32>
  "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 5, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, output_shape = array<i64: 5, 1>} : (tensor<1x2x2x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x5x1x6xf32>
  "ml.conv_transpose"(%x, %w) {strides = array<i64: 2147483647, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x5x5x6xf32>
  "ml.conv_transpose"(%x, %g) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x4xf32>, tensor<6x3x3x2xf32>) -> tensor<1x5x5x6xf32>
  "ml.conv_transpose"(%x, %v) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x4xf32>, tensor<6x3x3x3x4xf32>) -> tensor<1x5x5x6xf32>
  "ml.conv_transpose"(%t, %w) {strides = array<i64: 2>, pad = array<i64: 0, 0>, dilations = array<i64: 1>, groups = 1 : i64} : (tensor<1x2x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x5x6xf32>
  "ml.conv_transpose"(%x, %w, %b) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x4xf32>, tensor<6x3x3x4xf32>, tensor<5xf32>) -> tensor<1x5x5x6xf32>
  return
}
// CHECK: {{.*}}ml_conv_transpose.mlir:6:3: error: 'ml.conv_transpose' op result is 'tensor<1x5x4x6xf32>', but from operands and attributes follows 'tensor<1x5x5x6xf32>'
// CHECK-NEXT: {{.*}}ml_conv_transpose.mlir:7:3: error: 'ml.conv_transpose' op output_shape has 7 where 5 to 6 go with the input
// CHECK-NEXT: {{.*}}ml_conv_transpose.mlir:8:3: error: 'ml.conv_transpose' op output_shape has 4 where 5 to 6 go with the input
// CHECK-NEXT: {{.*}}ml_conv_transpose.mlir:9:3: error: 'ml.conv_transpose' op attribute 'output_shape' has 1 values, but 2 are expected
// CHECK-NEXT: {{.*}}ml_conv_transpose.mlir:10:3: error: 'ml.conv_transpose' op pad cuts off 3 and 2 of 5, and nothing is left
// CHECK-NEXT: {{.*}}ml_conv_transpose.mlir:11:3: error: 'ml.conv_transpose' op pad cuts off 5 and 0 of 5, and nothing is left
// CHECK-NEXT: {{.*}}ml_conv_transpose.mlir:12:3: error: 'ml.conv_transpose' op the result would have 2147483650 rows or columns
// CHECK-NEXT: {{.*}}ml_conv_transpose.mlir:13:3: error: 'ml.conv_transpose' op the last dimension of the weights is 2, but 4 is expected
// CHECK-NEXT: {{.*}}ml_conv_transpose.mlir:14:3: error: 'ml.conv_transpose' op the weights must have rank 4, but got 'tensor<6x3x3x3x4xf32>'
// CHECK-NEXT: {{.*}}ml_conv_transpose.mlir:15:3: error: 'ml.conv_transpose' op the input must have rank 4 or 5, but got 'tensor<1x2x4xf32>'
// CHECK-NEXT: {{.*}}ml_conv_transpose.mlir:16:3: error: 'ml.conv_transpose' op the bias must have one value per output channel (6), but got 'tensor<5xf32>'
