// GELU written with the sigmoid becomes ml.gelu; similar functions stay.
// RUN: quern opt %s --fuse-gelu-sigmoid-approximation | FileCheck %s
// RUN: quern opt %s --fuse-gelu-sigmoid-approximation --fuse-gelu-sigmoid-approximation | FileCheck %s

// CHECK-LABEL: func.func @plain
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "sigmoid_approximation"}
// CHECK-NEXT: return
func.func @plain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<1.702> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.mul"(%x, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.sigmoid"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// Swapped factors, a constant with the shape of x, and another reader of x do not matter.
// CHECK-LABEL: func.func @turned
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "sigmoid_approximation"}
// CHECK-NEXT: "ml.tanh"(%arg0)
// CHECK-NEXT: return
func.func @turned(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %k = "ml.const"() {value = dense<1.702> : tensor<4xf32>} : () -> tensor<4xf32>
  %s = "ml.mul"(%k, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %w = "ml.sigmoid"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%w, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %z = "ml.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}
// In f16, 1.702 rounds to 1.70215.
// CHECK-LABEL: func.func @half_precision
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "sigmoid_approximation"}
func.func @half_precision(%x: tensor<4xf16>) -> tensor<4xf16> {
  %k = "ml.const"() {value = dense<1.702> : tensor<f16>} : () -> tensor<f16>
  %s = "ml.mul"(%x, %k) : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %w = "ml.sigmoid"(%s) : (tensor<4xf16>) -> tensor<4xf16>
  %y = "ml.mul"(%x, %w) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return %y : tensor<4xf16>
}
// Unchanged: x sigmoid(x) and x sigmoid(1.6 x) are other functions.
// CHECK-LABEL: func.func @swish
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @swish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = "ml.sigmoid"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @other_factor
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @other_factor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<1.6> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.mul"(%x, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.sigmoid"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @one_of_several_factors
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @one_of_several_factors(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<[1.702, 1.702, 1.0, 1.702]> : tensor<4xf32>} : () -> tensor<4xf32>
  %s = "ml.mul"(%x, %k) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %w = "ml.sigmoid"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// Unchanged: the sigmoid is of another tensor.
// CHECK-LABEL: func.func @another
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @another(%x: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<1.702> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.mul"(%z, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.sigmoid"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// Unchanged: an intermediate value has another reader or is returned.
// CHECK-LABEL: func.func @logistic_used
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @logistic_used(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %k = "ml.const"() {value = dense<1.702> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.mul"(%x, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.sigmoid"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %z = "ml.tanh"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @product_returned
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @product_returned(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %k = "ml.const"() {value = dense<1.702> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.mul"(%x, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.sigmoid"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y, %s : tensor<4xf32>, tensor<4xf32>
}
// Unchanged: the constant makes the product larger than x.
// CHECK-LABEL: func.func @grown
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @grown(%x: tensor<4xf32>) -> tensor<2x4xf32> {
  %k = "ml.const"() {value = dense<1.702> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
  %s = "ml.mul"(%x, %k) : (tensor<4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %w = "ml.sigmoid"(%s) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %y = "ml.mul"(%x, %w) : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @fused_activation
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @fused_activation(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<1.702> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.mul"(%x, %k) {activation = "relu"} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.sigmoid"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
