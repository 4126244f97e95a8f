// Weights are clustered to 2^nbits values. Weights with no more values than that, and other constants, stay.
// RUN: quern opt %s --palettize-weights=nbits=1 | FileCheck %s
// RUN: quern opt %s --palettize-weights=nbits=1 --palettize-weights=nbits=1 | FileCheck %s
// RUN: quern opt %s --palettize-weights="mode=uniform nbits=1" | FileCheck %s --check-prefix=UNIFORM
// RUN: quern opt %s --palettize-weights="nbits=1 weight_threshold=8" | FileCheck %s --check-prefix=LARGE
// RUN: quern opt %s --palettize-weights=nbits=9 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: error: nbits is 9, which is not from 1 to 8

// CHECK-LABEL: func.func @means(
// CHECK: dense<{{\[}}[2.500000e-01, 2.500000e-01, -5.000000e-01, -5.000000e-01], [2.500000e-01, 2.500000e-01, -5.000000e-01, -5.000000e-01]]>
// UNIFORM-LABEL: func.func @means(
// UNIFORM: dense<{{\[}}[5.000000e-01, 5.000000e-01, -7.500000e-01, -7.500000e-01], [5.000000e-01, 5.000000e-01, -7.500000e-01, -7.500000e-01]]>
// LARGE-LABEL: func.func @means(
// LARGE: [1.250000e-01, 3.750000e-01,
func.func @means(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %w = "ml.const"() {value = dense<[[0.125, 0.375, -0.25, -0.75], [0.5, 0.0, -0.5, -0.5]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @two_values(
// CHECK: dense<{{\[}}[1.000000e-01, 2.000000e-01,
func.func @two_values(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %w = "ml.const"() {value = dense<[[0.1, 0.2, 0.1, 0.2], [0.1, 0.2, 0.1, 0.2]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @not_finite(
// CHECK: 0x7FC00000
// CHECK-SAME: 1.000000e-03
func.func @not_finite(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %w = "ml.const"() {value = dense<[[0x7FC00000, 0.001, 0.002, 0.003], [0.001, 0.001, 0.001, 0.9]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @doubles(
// CHECK: 1.000000e-03
func.func @doubles(%x: tensor<1x4xf64>) -> tensor<1x2xf64> {
  %w = "ml.const"() {value = dense<[[0.001, 0.002, 0.003, 0.004], [0.005, 0.006, 0.007, 0.008]]> : tensor<2x4xf64>} : () -> tensor<2x4xf64>
  %y = "ml.linear"(%x, %w) : (tensor<1x4xf64>, tensor<2x4xf64>) -> tensor<1x2xf64>
  return %y : tensor<1x2xf64>
}
// CHECK-LABEL: func.func @computed(
// CHECK-NOT: ml.const
// CHECK: return
func.func @computed(%x: tensor<1x4xf32>, %w: tensor<2x4xf32>) -> tensor<1x2xf32> {
  %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @second_use(
// CHECK: [[W:%.*]] = "ml.const"{{.*}}1.250000e-01, 3.750000e-01
// CHECK: ml.linear
// CHECK: "ml.matmul"(%arg0, [[W]])
func.func @second_use(%x: tensor<1x4xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %w = "ml.const"() {value = dense<[[0.125, 0.375, -0.25, -0.75], [0.5, 0.0, -0.5, -0.5]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  %z = "ml.matmul"(%x, %w) {transpose_y = true} : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y, %z : tensor<1x2xf32>, tensor<1x2xf32>
}
// CHECK-LABEL: func.func @in_branch(
// CHECK: scf.if
// CHECK-NEXT: ml.const{{.*}}[2.500000e-01, 2.500000e-01, -5.000000e-01, -5.000000e-01]
func.func @in_branch(%c: i1, %x: tensor<1x4xf32>, %z: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %r = scf.if %c -> (tensor<1x2xf32>) {
    %w = "ml.const"() {value = dense<[[0.125, 0.375, -0.25, -0.75], [0.5, 0.0, -0.5, -0.5]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
    %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
    scf.yield %y : tensor<1x2xf32>
  } else {
    scf.yield %z : tensor<1x2xf32>
  }
  return %r : tensor<1x2xf32>
}
