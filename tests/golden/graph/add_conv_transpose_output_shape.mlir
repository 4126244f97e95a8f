// The pass adds output_shape to transposed convolutions. It leaves out an attribute that states the default shape.
// RUN: quern opt %s --add-conv-transpose-output-shape | FileCheck %s
// CHECK-LABEL: func.func @image
// CHECK: ml.conv_transpose{{.*}}output_shape = array<i64: 3, 9>
func.func @image(%x: tensor<1x2x4x4xf32>, %w: tensor<6x2x3x2xf32>) -> tensor<1x3x9x6xf32> {
  %0 = "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x2x4x4xf32>, tensor<6x2x3x2xf32>) -> tensor<1x3x9x6xf32>
  return %0 : tensor<1x3x9x6xf32>
}
// The attribute is also added if the result is quantized, returned, or read twice.
// CHECK-LABEL: func.func @quantized
// CHECK: %[[Y:.*]] = "ml.conv_transpose"{{.*}}output_shape = array<i64: 4, 4>
// CHECK-NEXT: ml.relu"(%[[Y]])
func.func @quantized(%x: tensor<1x2x2x1x!quant.uniform<i8:f32, 0.5>>, %w: tensor<1x2x2x1x!quant.uniform<i8:f32, 0.25>>) -> (tensor<1x4x4x1x!quant.uniform<i8:f32, 0.5>>, tensor<1x4x4x1x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x1x!quant.uniform<i8:f32, 0.5>>, tensor<1x2x2x1x!quant.uniform<i8:f32, 0.25>>) -> tensor<1x4x4x1x!quant.uniform<i8:f32, 0.5>>
  %1 = "ml.relu"(%0) : (tensor<1x4x4x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x4x4x1x!quant.uniform<i8:f32, 0.5>>
  return %0, %1 : tensor<1x4x4x1x!quant.uniform<i8:f32, 0.5>>, tensor<1x4x4x1x!quant.uniform<i8:f32, 0.5>>
}
// CHECK-LABEL: func.func @volume
// CHECK: ml.conv_transpose{{.*}}output_shape = array<i64: 3, 3, 5>
func.func @volume(%x: tensor<1x2x2x2x1xf32>, %w: tensor<1x2x2x2x1xf32>) -> tensor<1x3x3x5x1xf32> {
  %0 = "ml.conv_transpose"(%x, %w) {strides = array<i64: 1, 1, 3>, pad = array<i64: 0, 0, 0, 0, 0, 0>, dilations = array<i64: 1, 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2x1xf32>, tensor<1x2x2x2x1xf32>) -> tensor<1x3x3x5x1xf32>
  return %0 : tensor<1x3x3x5x1xf32>
}
// An output_shape that differs from the shape the other attributes imply is kept.
// CHECK-LABEL: func.func @stated
// CHECK: ml.conv_transpose{{.*}}output_shape = array<i64: 5, 4>
func.func @stated(%x: tensor<1x2x2x1xf32>, %w: tensor<1x2x2x1xf32>) -> tensor<1x5x4x1xf32> {
  %0 = "ml.conv_transpose"(%x, %w) {strides = array<i64: 3, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, output_shape = array<i64: 5, 4>} : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x5x4x1xf32>
  return %0 : tensor<1x5x4x1xf32>
}
// CHECK-LABEL: func.func @stated_and_less
// CHECK: ml.conv_transpose{{.*}}output_shape = array<i64: 2, 3>, pad = array<i64: 1, 2, 0, 2>
func.func @stated_and_less(%x: tensor<1x2x2x1xf32>, %w: tensor<1x2x2x1xf32>) -> tensor<1x2x3x1xf32> {
  %0 = "ml.conv_transpose"(%x, %w) {strides = array<i64: 3, 3>, pad = array<i64: 1, 2, 0, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64, output_shape = array<i64: 2, 3>} : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x3x1xf32>
  return %0 : tensor<1x2x3x1xf32>
}
// An ordinary convolution does not get the attribute.
// CHECK-LABEL: func.func @other
// CHECK-NOT: output_shape
func.func @other(%x: tensor<1x2x2x1xf32>, %w: tensor<1x2x2x1xf32>) -> tensor<1x1x1x1xf32> {
  %0 = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x1x1x1xf32>
  return %0 : tensor<1x1x1x1xf32>
}
