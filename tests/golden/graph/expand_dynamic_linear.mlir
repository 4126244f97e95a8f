// A linear layer with computed weights becomes a matmul and an addition; other layers stay.
// RUN: quern opt %s --expand-dynamic-linear | FileCheck %s
// RUN: quern opt %s --expand-dynamic-linear --expand-dynamic-linear | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5:1>

// CHECK-LABEL: func.func @weights
// CHECK-NEXT: "ml.matmul"(%arg0, %arg1) {transpose_y = true}
// CHECK-NEXT: return
func.func @weights(%x: tensor<3x2xf32>, %w: tensor<4x2xf32>) -> tensor<3x4xf32> {
  %y = "ml.linear"(%x, %w) : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @weights_of_zeros_added
// CHECK: "ml.matmul"(%arg0, %arg1) {transpose_y = true}
// CHECK-NEXT: return
func.func @weights_of_zeros_added(%x: tensor<3x2xf32>, %w: tensor<4x2xf32>) -> tensor<3x4xf32> {
  %b = "ml.const"() {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.linear"(%x, %w, %b) : (tensor<3x2xf32>, tensor<4x2xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @compressed_zeros
// CHECK: "ml.matmul"(%arg0, %arg1) {transpose_y = true}
// CHECK-NEXT: return
func.func @compressed_zeros(%x: tensor<3x2xf32>, %w: tensor<4x2xf32>) -> tensor<3x4xf32> {
  %q = "ml.const"() {value = dense<1> : tensor<4xi8>} : () -> tensor<4x!q>
  %b = "quant.dcast"(%q) : (tensor<4x!q>) -> tensor<4xf32>
  %y = "ml.linear"(%x, %w, %b) : (tensor<3x2xf32>, tensor<4x2xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @other_bias
// CHECK: %[[P:.*]] = "ml.matmul"(%arg0, %arg1) {transpose_y = true}
// CHECK-NEXT: "ml.add"(%[[P]], 
func.func @other_bias(%x: tensor<3x2xf32>, %w: tensor<4x2xf32>) -> tensor<3x4xf32> {
  %b = "ml.const"() {value = dense<2.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.linear"(%x, %w, %b) : (tensor<3x2xf32>, tensor<4x2xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @both
// CHECK-NEXT: %[[P:.*]] = "ml.matmul"(%arg0, %arg1) {transpose_y = true}
// CHECK-NEXT: "ml.add"(%[[P]], %arg2) {activation = "relu6"}
// CHECK-NEXT: return
func.func @both(%x: tensor<3x2xf32>, %w: tensor<4x2xf32>, %b: tensor<4xf32>) -> tensor<3x4xf32> {
  %y = "ml.linear"(%x, %w, %b) {activation = "relu6"} : (tensor<3x2xf32>, tensor<4x2xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @activated
// CHECK-NEXT: %[[P:.*]] = "ml.matmul"
// CHECK-NEXT: "ml.relu"(%[[P]])
// CHECK-NEXT: return
func.func @activated(%x: tensor<3x2xf32>, %w: tensor<4x2xf32>) -> tensor<3x4xf32> {
  %y = "ml.linear"(%x, %w) {activation = "relu"} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// The weights are constant and the bias is computed: the bias becomes an addition.
// CHECK-LABEL: func.func @bias
// CHECK: %[[P:.*]] = "ml.linear"(%arg0, %{{.*}}) :
// CHECK-NEXT: "ml.add"(%[[P]], %arg1) {activation = "relu"}
// CHECK-NEXT: return
func.func @bias(%x: tensor<3x2xf32>, %b: tensor<4xf32>) -> tensor<3x4xf32> {
  %w = "ml.const"() {value = dense<0.5> : tensor<4x2xf32>} : () -> tensor<4x2xf32>
  %y = "ml.linear"(%x, %w, %b) {activation = "relu"} : (tensor<3x2xf32>, tensor<4x2xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// Unchanged: all operands are constant or compressed; the bias of zeros is the layer's own.
// CHECK-LABEL: func.func @constant
// CHECK: "ml.linear"(%arg0, %{{.*}}, %{{.*}}) :
// CHECK-NEXT: return
func.func @constant(%x: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %w = "ml.const"() {value = dense<0.5> : tensor<4x2xf32>} : () -> tensor<4x2xf32>
  %b = "ml.const"() {value = dense<2.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.linear"(%x, %w, %b) : (tensor<3x2xf32>, tensor<4x2xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @compressed
// CHECK: "ml.linear"(%arg0, %{{.*}}, %{{.*}}) :
// CHECK-NEXT: return
func.func @compressed(%x: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %q = "ml.const"() {value = dense<3> : tensor<4x2xi8>} : () -> tensor<4x2x!q>
  %w = "quant.dcast"(%q) : (tensor<4x2x!q>) -> tensor<4x2xf32>
  %b = "ml.const"() {value = dense<2.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.linear"(%x, %w, %b) : (tensor<3x2xf32>, tensor<4x2xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @compressed_bias
// CHECK: "ml.linear"(%arg0, %{{.*}}, %{{.*}}) :
// CHECK-NEXT: return
func.func @compressed_bias(%x: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %w = "ml.const"() {value = dense<0.5> : tensor<4x2xf32>} : () -> tensor<4x2xf32>
  %q = "ml.const"() {value = dense<1> : tensor<4xi8>} : () -> tensor<4x!q>
  %b = "quant.dcast"(%q) : (tensor<4x!q>) -> tensor<4xf32>
  %y = "ml.linear"(%x, %w, %b) : (tensor<3x2xf32>, tensor<4x2xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// Unchanged: quantized layers are rounded by the profile.
// CHECK-LABEL: func.func @quantized
// CHECK-NEXT: "ml.linear"(%arg0, %arg1)
func.func @quantized(%x: tensor<3x2x!q>, %w: tensor<4x2x!q>) -> tensor<3x4x!q> {
  %y = "ml.linear"(%x, %w) : (tensor<3x2x!q>, tensor<4x2x!q>) -> tensor<3x4x!q>
  return %y : tensor<3x4x!q>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK-NEXT: "ml.matmul"(%arg1, %arg2) {transpose_y = true}
func.func @in_branch(%c: i1, %x: tensor<4xf32>, %w: tensor<4x4xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %g = "ml.linear"(%x, %w) : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
