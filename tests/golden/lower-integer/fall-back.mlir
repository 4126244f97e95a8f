// Ops without an integer form become float ops between casts, in upstream's dialects. Upstream's tool, if
// installed, reads and prints the result.
// RUN: %opt --pass lower-to-integer %s 2>/dev/null | if command -v mlir-opt-22 >/dev/null; then mlir-opt-22 --allow-unregistered-dialect; else cat; fi | FileCheck %s
// RUN: quern opt --lower-to-integer %s 2>&1 | FileCheck %s --check-prefix=REMARK
!x = !quant.uniform<i8:f32, 0.5:3>
!h = !quant.uniform<i12:f32, 0.001>
!c = !quant.uniform<i8:f32:3, {0.5, 0.25}>
!w = !quant.uniform<i4:f32:{0:1, 3:1}, {{{{0.5, 0.3:3}}}, {{{0.125, 0.5}}}}>

// A convolution with scales per block becomes the same op on f32.
// CHECK-DAG: #[[WHOLE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[BLOCK:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
// REMARK: remark: 'ml.conv' has no integer form: a bias has no scale beside weights with scales per block; it is computed in float
func.func @conv(%x: tensor<1x4x4x2x!x>, %w: tensor<2x2x2x2x!w>, %b: tensor<2xf32>) -> tensor<1x2x2x2x!x> {
  // CHECK-LABEL: func.func @conv
  // CHECK: %[[X:.*]] = "ml.dequantize_float"(%arg0)
  // CHECK: %[[W:.*]] = linalg.generic {indexing_maps = [#[[WHOLE]], #[[BLOCK]], #[[BLOCK]], #[[WHOLE]]], {{.*}} ins(%arg1, {{.*}} : tensor<2x2x2x2xi8>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xi32>)
  // CHECK: arith.subi
  // CHECK: arith.mulf
  // CHECK: %[[Y:.*]] = "ml.conv"(%[[X]], %[[W]], %arg2) {{[<]?}}{{.*}}activation = "relu"{{.*}}pad = array<i64: 1, 0, 0, 0>{{.*}} : (tensor<1x4x4x2xf32>, tensor<2x2x2x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  // CHECK: "ml.quantize_float"(%[[Y]])
  %y = "ml.conv"(%x, %w, %b) {strides = array<i64: 2, 2>, pad = array<i64: 1, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, activation = "relu"} : (tensor<1x4x4x2x!x>, tensor<2x2x2x2x!w>, tensor<2xf32>) -> tensor<1x2x2x2x!x>
  return %y : tensor<1x2x2x2x!x>
}

// A convolution on f32 stays without a remark.
// REMARK-NOT: the input is not quantized
func.func @conv_f32(%x: tensor<1x4x4x2xf32>, %w: tensor<2x2x2x2xf32>) -> tensor<1x3x3x2xf32> {
  // CHECK-LABEL: func.func @conv_f32
  // CHECK: "ml.conv"(%arg0, %arg1)
  // CHECK-NEXT: return
  %y = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<2x2x2x2xf32>) -> tensor<1x3x3x2xf32>
  return %y : tensor<1x3x3x2xf32>
}

// A convolution on f64 stays, too.
func.func @conv_f64(%x: tensor<1x4x4x2xf64>, %w: tensor<2x2x2x2xf64>, %b: tensor<2xf64>) -> tensor<1x2x2x2xf64> {
  // CHECK-LABEL: func.func @conv_f64
  // CHECK: "ml.conv"(%arg0, %arg1, %arg2) {{[<]?}}{{.*}}pad = array<i64: 1, 0, 0, 0>
  // CHECK-NEXT: return
  %y = "ml.conv"(%x, %w, %b) {strides = array<i64: 2, 2>, pad = array<i64: 1, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, activation = "relu"} : (tensor<1x4x4x2xf64>, tensor<2x2x2x2xf64>, tensor<2xf64>) -> tensor<1x2x2x2xf64>
  return %y : tensor<1x2x2x2xf64>
}

// An average divides by the number of taps inside the input; padding only at the end leaves one unread row at the start.
// REMARK: remark: 'ml.avg_pool' has no integer form: the result has more than one scale; it is computed in float
func.func @avg_pool(%x: tensor<1x3x2x2x!x>) -> tensor<1x2x1x2x!c> {
  // CHECK-LABEL: func.func @avg_pool
  // CHECK: tensor<1x5x2x2xf32>
  // CHECK: tensor.empty() : tensor<2x2xf32>
  // CHECK: arith.addf
  // CHECK: arith.constant dense<{{\[}}[4.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
  // CHECK: arith.divf
  %y = "ml.avg_pool"(%x) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 0>} : (tensor<1x3x2x2x!x>) -> tensor<1x2x1x2x!c>
  return %y : tensor<1x2x1x2x!c>
}

// Softmax: the maximum of a row, e^(beta * difference), their sum, quotients.
func.func @softmax(%x: tensor<2x3x!h>) -> tensor<2x3x!h> {
  // CHECK-LABEL: func.func @softmax
  // CHECK: 0xFF800000
  // CHECK: arith.maximumf
  // CHECK: arith.subf
  // CHECK: math.exp
  // CHECK: arith.addf
  // CHECK: arith.divf
  // CHECK: arith.fptosi {{.*}} : f32 to i16
  // CHECK: return {{.*}} : tensor<2x3xi16>
  %y = "ml.softmax"(%x) {beta = 1.0 : f32} : (tensor<2x3x!h>) -> tensor<2x3x!h>
  return %y : tensor<2x3x!h>
}

// Means keep or drop their dimensions; parts with another scale are concatenated as floats.
func.func @others(%x: tensor<2x3x!h>, %f: tensor<2x3xf32>) -> (tensor<2x1x!h>, tensor<3xf32>, tensor<4x3x!h>) {
  // CHECK-LABEL: func.func @others
  // CHECK: arith.constant 3.000000e+00 : f32
  // CHECK: arith.constant 2.000000e+00 : f32
  // CHECK: "ml.concat"({{.*}}) {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %0 = "ml.reduce_mean"(%x) {axes = array<i64: 1>, keep_dims = true} : (tensor<2x3x!h>) -> tensor<2x1x!h>
  %1 = "ml.reduce_mean"(%f) {axes = array<i64: 0>, keep_dims = false} : (tensor<2x3xf32>) -> tensor<3xf32>
  %2 = quant.qcast %f : tensor<2x3xf32> to tensor<2x3x!quant.uniform<i12:f32, 0.002>>
  %3 = "ml.concat"(%x, %2) {axis = 0 : i64} : (tensor<2x3x!h>, tensor<2x3x!quant.uniform<i12:f32, 0.002>>) -> tensor<4x3x!h>
  return %0, %1, %3 : tensor<2x1x!h>, tensor<3xf32>, tensor<4x3x!h>
}
