// The smallest weights become 0; other constants stay.
// RUN: quern opt %s --prune-weights | FileCheck %s
// RUN: quern opt %s --prune-weights --prune-weights | FileCheck %s
// RUN: quern opt %s --prune-weights="mode=threshold digits=1" | FileCheck %s --check-prefix=BELOW
// RUN: quern opt %s --prune-weights=weight_threshold=8 | FileCheck %s --check-prefix=LARGE
// RUN: quern opt %s --prune-weights=percent=101 2>&1 | FileCheck %s --check-prefix=PERCENT
// PERCENT: error: percent is 101, which is not from 0 to 100

// CHECK-LABEL: func.func @half(
// CHECK: dense<{{\[}}[5.000000e-01, 0.000000e+00, 0.000000e+00, -6.000000e-01], [0.000000e+00, 8.000000e-01, 0.000000e+00, 0.899999976]]>
// BELOW-LABEL: func.func @half(
// BELOW: dense<{{\[}}[5.000000e-01, 0.000000e+00, 3.000000e-01, -6.000000e-01], [2.000000e-01, 8.000000e-01, 0.000000e+00, 0.899999976]]>
// LARGE-LABEL: func.func @half(
// LARGE: [5.000000e-01, 2.000000e-02,
func.func @half(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %w = "ml.const"() {value = dense<[[0.5, 0.02, 0.3, -0.6], [0.2, 0.8, -0.01, 0.9]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// Among equal magnitudes, the first weights become 0.
// CHECK-LABEL: func.func @equal(
// CHECK: dense<{{\[}}[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [-5.000000e-01, 5.000000e-01, 5.000000e-01, 5.000000e-01]]>
func.func @equal(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %w = "ml.const"() {value = dense<[[0.5, -0.5, 0.5, 0.5], [-0.5, 0.5, 0.5, 0.5]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @sparse_already(
// CHECK: dense<{{\[}}[5.000000e-01, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e-03, 0.000000e+00, 0.899999976]]>
func.func @sparse_already(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %w = "ml.const"() {value = dense<[[0.5, 0.0, 0.0, 0.0], [0.0, 0.001, 0.0, 0.9]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @not_finite(
// CHECK: 0x7F800000
// CHECK-SAME: 1.000000e-03
func.func @not_finite(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %w = "ml.const"() {value = dense<[[0x7F800000, 0.001, 0.001, 0.001], [0.001, 0.001, 0.001, 0.9]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @computed(
// CHECK-NOT: ml.const
// CHECK: return
func.func @computed(%x: tensor<1x4xf32>, %w: tensor<2x4xf32>) -> tensor<1x2xf32> {
  %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// Unchanged: the constant is not a weight.
// CHECK-LABEL: func.func @no_weights(
// CHECK: 1.000000e-03
func.func @no_weights(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %w = "ml.const"() {value = dense<[[0.001, 0.5, 0.001, 0.5]]> : tensor<1x4xf32>} : () -> tensor<1x4xf32>
  %y = "ml.add"(%x, %w) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}
// The matmul still reads the original weights.
// CHECK-LABEL: func.func @second_use(
// CHECK: [[W:%.*]] = "ml.const"{{.*}}1.000000e-01
// CHECK: ml.linear
// CHECK: "ml.matmul"(%arg0, [[W]])
func.func @second_use(%x: tensor<1x4xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %w = "ml.const"() {value = dense<[[0.5, 0.1, 0.1, 0.5], [0.1, 0.8, 0.1, 0.9]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  %z = "ml.matmul"(%x, %w) {transpose_y = true} : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y, %z : tensor<1x2xf32>, tensor<1x2xf32>
}
// CHECK-LABEL: func.func @in_branch(
// CHECK: scf.if
// CHECK-NEXT: ml.const{{.*}}[5.000000e-01, 0.000000e+00, 0.000000e+00, -6.000000e-01]
func.func @in_branch(%c: i1, %x: tensor<1x4xf32>, %z: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %r = scf.if %c -> (tensor<1x2xf32>) {
    %w = "ml.const"() {value = dense<[[0.5, 0.02, 0.3, -0.6], [0.2, 0.8, -0.01, 0.9]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
    %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
    scf.yield %y : tensor<1x2xf32>
  } else {
    scf.yield %z : tensor<1x2xf32>
  }
  return %r : tensor<1x2xf32>
}
