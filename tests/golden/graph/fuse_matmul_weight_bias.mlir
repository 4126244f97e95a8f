// A matmul with constant weights and a bias becomes a linear layer; other products stay.
// RUN: quern opt %s --graph-default | FileCheck %s --check-prefix=ANY
// RUN: quern opt %s --fuse-matmul-weight-bias | FileCheck %s
// RUN: quern opt %s --fuse-matmul-weight-bias --fuse-matmul-weight-bias | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5:1>

// CHECK-LABEL: func.func @add
// CHECK-NEXT: %[[W:.*]] = "ml.const"() {value = dense<{{\[\[}}1.000000e+00, 5.000000e+00], [2.000000e+00, 6.000000e+00], [3.000000e+00, 7.000000e+00], [4.000000e+00, 8.000000e+00]]>
// CHECK-NEXT: %[[B:.*]] = "ml.const"() {value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
// CHECK-NEXT: "ml.linear"(%arg0, %[[W]], %[[B]]) :
// CHECK-NEXT: return
func.func @add(%x: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %k = "ml.const"() {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %p = "ml.matmul"(%x, %w) : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %y = "ml.add"(%p, %k) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @add_to_constant
// CHECK-NEXT: %[[W:.*]] = "ml.const"() {value = dense<{{\[\[}}1.000000e+00, 5.000000e+00], [2.000000e+00, 6.000000e+00], [3.000000e+00, 7.000000e+00], [4.000000e+00, 8.000000e+00]]>
// CHECK-NEXT: %[[B:.*]] = "ml.const"() {value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
// CHECK-NEXT: "ml.linear"(%arg0, %[[W]], %[[B]]) {activation = "relu"}
func.func @add_to_constant(%x: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %k = "ml.const"() {value = dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>} : () -> tensor<1x4xf32>
  %p = "ml.matmul"(%x, %w) : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %y = "ml.add"(%k, %p) {activation = "relu"} : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @subtract
// CHECK-NEXT: %[[W:.*]] = "ml.const"() {value = dense<{{\[\[}}1.000000e+00, 5.000000e+00], [2.000000e+00, 6.000000e+00], [3.000000e+00, 7.000000e+00], [4.000000e+00, 8.000000e+00]]>
// CHECK-NEXT: %[[B:.*]] = "ml.const"() {value = dense<[-1.000000e+00, -2.000000e+00, -3.000000e+00, -4.000000e+00]>
// CHECK-NEXT: "ml.linear"(%arg0, %[[W]], %[[B]])
func.func @subtract(%x: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %k = "ml.const"() {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %p = "ml.matmul"(%x, %w) : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %y = "ml.sub"(%p, %k) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// k - x * w: the weights are negated.
// CHECK-LABEL: func.func @subtract_from_constant
// CHECK-NEXT: %[[W:.*]] = "ml.const"() {value = dense<{{\[\[}}-1.000000e+00, -5.000000e+00], [-2.000000e+00, -6.000000e+00], [-3.000000e+00, -7.000000e+00], [-4.000000e+00, -8.000000e+00]]>
// CHECK-NEXT: %[[B:.*]] = "ml.const"() {value = dense<5.000000e+00>
// CHECK-NEXT: "ml.linear"(%arg0, %[[W]], %[[B]])
func.func @subtract_from_constant(%x: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %k = "ml.const"() {value = dense<5.0> : tensor<f32>} : () -> tensor<f32>
  %p = "ml.matmul"(%x, %w) : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %y = "ml.sub"(%k, %p) : (tensor<f32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @transposed_weights
// CHECK-NEXT: %[[W:.*]] = "ml.const"() {value = dense<{{\[\[}}1.000000e+00, 5.000000e+00], [2.000000e+00, 6.000000e+00], [3.000000e+00, 7.000000e+00], [4.000000e+00, 8.000000e+00]]>
// CHECK-NEXT: %[[B:.*]] = "ml.const"() {value = dense<1.000000e+00>
// CHECK-NEXT: "ml.linear"(%arg0, %[[W]], %[[B]])
func.func @transposed_weights(%x: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [4.0, 8.0]]> : tensor<4x2xf32>} : () -> tensor<4x2xf32>
  %k = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %p = "ml.matmul"(%x, %w) {transpose_y = true} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  %y = "ml.add"(%p, %k) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @transposed_input
// CHECK-NEXT: %[[X:.*]] = "ml.transpose"(%arg0) {perm = array<i64: 1, 0>}
// CHECK: "ml.linear"(%[[X]],
func.func @transposed_input(%x: tensor<2x3xf32>) -> tensor<3x4xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %k = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %p = "ml.matmul"(%x, %w) {transpose_x = true} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %y = "ml.add"(%p, %k) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @batches
// CHECK-NEXT: %[[W:.*]] = "ml.const"() {value = dense<{{\[\[}}1.000000e+00, 5.000000e+00], [2.000000e+00, 6.000000e+00], [3.000000e+00, 7.000000e+00], [4.000000e+00, 8.000000e+00]]>
// CHECK-NEXT: %[[B:.*]] = "ml.const"() {value = dense<1.000000e+00>
// CHECK-NEXT: "ml.linear"(%arg0, %[[W]], %[[B]])
func.func @batches(%x: tensor<5x3x2xf32>) -> tensor<5x3x4xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %k = "ml.const"() {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %p = "ml.matmul"(%x, %w) : (tensor<5x3x2xf32>, tensor<2x4xf32>) -> tensor<5x3x4xf32>
  %y = "ml.add"(%p, %k) : (tensor<5x3x4xf32>, tensor<4xf32>) -> tensor<5x3x4xf32>
  return %y : tensor<5x3x4xf32>
}
// Unchanged: weights on the left, one constant row per output row, computed weights or bias, weights with two readers.
// CHECK-LABEL: func.func @weights_left
// CHECK: ml.matmul
// CHECK-NOT: ml.linear
// CHECK: return
func.func @weights_left(%x: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %k = "ml.const"() {value = dense<1.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %p = "ml.matmul"(%w, %x) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %y = "ml.add"(%p, %k) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @bias_of_rows
// CHECK: ml.matmul
// CHECK-NOT: ml.linear
// CHECK: return
func.func @bias_of_rows(%x: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %k = "ml.const"() {value = dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>} : () -> tensor<3x1xf32>
  %p = "ml.matmul"(%x, %w) : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %y = "ml.add"(%p, %k) : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @computed_weights
// CHECK: ml.matmul
// CHECK-NOT: ml.linear
// CHECK: return
func.func @computed_weights(%x: tensor<3x2xf32>, %v: tensor<2x4xf32>) -> tensor<3x4xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %k = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %p = "ml.matmul"(%x, %v) : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %y = "ml.add"(%p, %k) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @computed_bias
// CHECK: ml.matmul
// CHECK-NOT: ml.linear
// CHECK: return
func.func @computed_bias(%x: tensor<3x2xf32>, %b: tensor<4xf32>) -> tensor<3x4xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %p = "ml.matmul"(%x, %w) : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %y = "ml.add"(%p, %b) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @shared_weights
// CHECK: ml.matmul
// CHECK-NOT: ml.linear
// CHECK: return
func.func @shared_weights(%x: tensor<3x2xf32>) -> (tensor<3x4xf32>, tensor<2x4xf32>) {
  %w = "ml.const"() {value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %k = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %p = "ml.matmul"(%x, %w) : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %y = "ml.add"(%p, %k) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  %z = "ml.tanh"(%w) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %y, %z : tensor<3x4xf32>, tensor<2x4xf32>
}
// CHECK-LABEL: func.func @product_returned
// CHECK: ml.matmul
// CHECK-NOT: ml.linear
// CHECK: return
func.func @product_returned(%x: tensor<3x2xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %w = "ml.const"() {value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %k = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %p = "ml.matmul"(%x, %w) : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %y = "ml.add"(%p, %k) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %y, %p : tensor<3x4xf32>, tensor<3x4xf32>
}
// CHECK-LABEL: func.func @larger
// CHECK: ml.matmul
// CHECK-NOT: ml.linear
// CHECK: return
func.func @larger(%x: tensor<1x2xf32>) -> tensor<3x4xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %k = "ml.const"() {value = dense<1.0> : tensor<3x4xf32>} : () -> tensor<3x4xf32>
  %p = "ml.matmul"(%x, %w) : (tensor<1x2xf32>, tensor<2x4xf32>) -> tensor<1x4xf32>
  %y = "ml.add"(%p, %k) : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @vector
// CHECK: ml.matmul
// CHECK-NOT: ml.linear
// CHECK: return
func.func @vector(%x: tensor<2xf32>) -> tensor<4xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %k = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %p = "ml.matmul"(%x, %w) : (tensor<2xf32>, tensor<2x4xf32>) -> tensor<4xf32>
  %y = "ml.add"(%p, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @compressed
// CHECK: ml.matmul
// CHECK-NOT: ml.linear
// CHECK: return
func.func @compressed(%x: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %q = "ml.const"() {value = dense<3> : tensor<2x4xi8>} : () -> tensor<2x4x!q>
  %w = "quant.dcast"(%q) : (tensor<2x4x!q>) -> tensor<2x4xf32>
  %k = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %p = "ml.matmul"(%x, %w) : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %y = "ml.add"(%p, %k) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// A transposed constant of any size has been folded to a constant by then.
// ANY-LABEL: func.func @transposed_constant
// ANY: ml.linear
// ANY-NEXT: return
func.func @transposed_constant(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %w = "ml.const"() {value = dense<0.5> : tensor<64x64xf32>} : () -> tensor<64x64xf32>
  %t = "ml.transpose"(%w) {perm = array<i64: 1, 0>} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %k = "ml.const"() {value = dense<0.25> : tensor<64xf32>} : () -> tensor<64xf32>
  %0 = "ml.matmul"(%x, %t) : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
  %1 = "ml.add"(%0, %k) : (tensor<4x64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
  return %1 : tensor<4x64xf32>
}
