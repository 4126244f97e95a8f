// The integer stage: every op with its explicit numbers.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
func.func @main(%x: tensor<1x4x4x2xi8>, %u: tensor<1x4x4x2xui8>, %f: tensor<4xf32>) {
  %w = "ml.const"() {value = dense<1> : tensor<2x3x3x2xi8>} : () -> tensor<2x3x3x2xi8>
  %dw = "ml.const"() {value = dense<1> : tensor<1x3x3x2xi8>} : () -> tensor<1x3x3x2xi8>
  %lw = "ml.const"() {value = dense<1> : tensor<2x2xi8>} : () -> tensor<2x2xi8>
  %b = "ml.const"() {value = dense<[10, -20]> : tensor<2xi32>} : () -> tensor<2xi32>
  %m = "ml.const"() {value = dense<[1073741824, 1288490188]> : tensor<2xi32>} : () -> tensor<2xi32>
  %s = "ml.const"() {value = dense<[-6, -7]> : tensor<2xi32>} : () -> tensor<2xi32>
  %0 = "ml.integer_conv"(%x, %w, %b, %m, %s) {strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = -3 : i64, weight_zero_point = 0 : i64, output_zero_point = 4 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x4x4x2xi8>, tensor<2x3x3x2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x4x4x2xi8>
  %1 = "ml.integer_depthwise_conv"(%0, %dw, %b, %m, %s) {strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, input_zero_point = 4 : i64, weight_zero_point = 0 : i64, output_zero_point = 4 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x4x4x2xi8>, tensor<1x3x3x2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x4x4x2xi8>
  %2 = "ml.integer_linear"(%1, %lw, %b, %m, %s) {input_zero_point = 4 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x4x4x2xi8>, tensor<2x2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x4x4x2xi8>
  %3 = "ml.integer_add"(%1, %2) {a_zero_point = 4 : i64, b_zero_point = 0 : i64, left_shift = 20 : i64, a_multiplier = 1073741824 : i64, a_shift = 0 : i64, b_multiplier = 1073741824 : i64, b_shift = -1 : i64, multiplier = 1073741824 : i64, shift = -18 : i64, output_zero_point = 1 : i64, min = -128 : i64, max = 127 : i64} : (tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  %4 = "ml.integer_sub"(%3, %2) {a_zero_point = 4 : i64, b_zero_point = 0 : i64, left_shift = 20 : i64, a_multiplier = 1073741824 : i64, a_shift = 0 : i64, b_multiplier = 1073741824 : i64, b_shift = -1 : i64, multiplier = 1073741824 : i64, shift = -18 : i64, output_zero_point = 1 : i64, min = -128 : i64, max = 127 : i64} : (tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  %5 = "ml.integer_mul"(%4, %3) {a_zero_point = 1 : i64, b_zero_point = 1 : i64, multiplier = 1073741824 : i64, shift = -5 : i64, output_zero_point = 0 : i64, min = -128 : i64, max = 127 : i64} : (tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  %6 = "ml.integer_max_pool"(%5) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, min = -128 : i64, max = 127 : i64} : (tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8>
  %7 = "ml.integer_avg_pool"(%u) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, rounding = "half_up", min = 0 : i64, max = 255 : i64} : (tensor<1x4x4x2xui8>) -> tensor<1x2x2x2xui8>
  %8 = "ml.integer_mean"(%6) {axes = array<i64: 1, 2>, keep_dims = true, input_zero_point = 0 : i64, multiplier = 1073741824 : i64, shift = -2 : i64, output_zero_point = 0 : i64, min = -128 : i64, max = 127 : i64} : (tensor<1x2x2x2xi8>) -> tensor<1x1x1x2xi8>
  %9 = "ml.integer_softmax"(%8) {multiplier = 1073741824 : i64, shift = 20 : i64, diff_min = -248 : i64, output_zero_point = -128 : i64} : (tensor<1x1x1x2xi8>) -> tensor<1x1x1x2xi8>
  %t = "ml.const"() {value = dense<0> : tensor<256xi8>} : () -> tensor<256xi8>
  %10 = "ml.lut"(%9, %t) : (tensor<1x1x1x2xi8>, tensor<256xi8>) -> tensor<1x1x1x2xi8>
  %11 = "ml.quantize_float"(%f) {scale = 0.5 : f32, zero_point = 3 : i64, min = -128 : i64, max = 127 : i64, rounding = "away"} : (tensor<4xf32>) -> tensor<4xi8>
  %12 = "ml.dequantize_float"(%11) {scale = 0.5 : f32, zero_point = 3 : i64} : (tensor<4xi8>) -> tensor<4xf32>
  %my = "ml.const"() {value = dense<1> : tensor<1x1x3x2xi8>} : () -> tensor<1x1x3x2xi8>
  %13 = "ml.integer_matmul"(%x, %my) {transpose_y = true, a_zero_point = 1 : i64, b_zero_point = -1 : i64, multiplier = 1073741824 : i64, shift = -5 : i64, output_zero_point = 0 : i64, min = -128 : i64, max = 127 : i64} : (tensor<1x4x4x2xi8>, tensor<1x1x3x2xi8>) -> tensor<1x4x4x3xi8>
  return
}

// CHECK:module {
// CHECK-NEXT:  func.func @main(%arg0: tensor<1x4x4x2xi8>, %arg1: tensor<1x4x4x2xui8>, %arg2: tensor<4xf32>) {
// CHECK-NEXT:    %0 = "ml.const"() {value = dense<1> : tensor<2x3x3x2xi8>} : () -> tensor<2x3x3x2xi8>
// CHECK-NEXT:    %1 = "ml.const"() {value = dense<1> : tensor<1x3x3x2xi8>} : () -> tensor<1x3x3x2xi8>
// CHECK-NEXT:    %2 = "ml.const"() {value = dense<1> : tensor<2x2xi8>} : () -> tensor<2x2xi8>
// CHECK-NEXT:    %3 = "ml.const"() {value = dense<[10, -20]> : tensor<2xi32>} : () -> tensor<2xi32>
// CHECK-NEXT:    %4 = "ml.const"() {value = dense<[1073741824, 1288490188]> : tensor<2xi32>} : () -> tensor<2xi32>
// CHECK-NEXT:    %5 = "ml.const"() {value = dense<[-6, -7]> : tensor<2xi32>} : () -> tensor<2xi32>
// CHECK-NEXT:    %6 = "ml.integer_conv"(%arg0, %0, %3, %4, %5) {dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = -3 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 4 : i64, pad = array<i64: 1, 1, 1, 1>, rounding = "double", strides = array<i64: 1, 1>, weight_zero_point = 0 : i64} : (tensor<1x4x4x2xi8>, tensor<2x3x3x2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x4x4x2xi8>
// CHECK-NEXT:    %7 = "ml.integer_depthwise_conv"(%6, %1, %3, %4, %5) {dilations = array<i64: 1, 1>, input_zero_point = 4 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 4 : i64, pad = array<i64: 1, 1, 1, 1>, rounding = "double", strides = array<i64: 1, 1>, weight_zero_point = 0 : i64} : (tensor<1x4x4x2xi8>, tensor<1x3x3x2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x4x4x2xi8>
// CHECK-NEXT:    %8 = "ml.integer_linear"(%7, %2, %3, %4, %5) {input_zero_point = 4 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 0 : i64, rounding = "double", weight_zero_point = 0 : i64} : (tensor<1x4x4x2xi8>, tensor<2x2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x4x4x2xi8>
// CHECK-NEXT:    %9 = "ml.integer_add"(%7, %8) {a_multiplier = 1073741824 : i64, a_shift = 0 : i64, a_zero_point = 4 : i64, b_multiplier = 1073741824 : i64, b_shift = -1 : i64, b_zero_point = 0 : i64, left_shift = 20 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1073741824 : i64, output_zero_point = 1 : i64, shift = -18 : i64} : (tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
// CHECK-NEXT:    %10 = "ml.integer_sub"(%9, %8) {a_multiplier = 1073741824 : i64, a_shift = 0 : i64, a_zero_point = 4 : i64, b_multiplier = 1073741824 : i64, b_shift = -1 : i64, b_zero_point = 0 : i64, left_shift = 20 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1073741824 : i64, output_zero_point = 1 : i64, shift = -18 : i64} : (tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
// CHECK-NEXT:    %11 = "ml.integer_mul"(%10, %9) {a_zero_point = 1 : i64, b_zero_point = 1 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1073741824 : i64, output_zero_point = 0 : i64, shift = -5 : i64} : (tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
// CHECK-NEXT:    %12 = "ml.integer_max_pool"(%11) {kernel_sizes = array<i64: 2, 2>, max = 127 : i64, min = -128 : i64, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8>
// CHECK-NEXT:    %13 = "ml.integer_avg_pool"(%arg1) {kernel_sizes = array<i64: 2, 2>, max = 255 : i64, min = 0 : i64, pad = array<i64: 0, 0, 0, 0>, rounding = "half_up", strides = array<i64: 2, 2>} : (tensor<1x4x4x2xui8>) -> tensor<1x2x2x2xui8>
// CHECK-NEXT:    %14 = "ml.integer_mean"(%12) {axes = array<i64: 1, 2>, input_zero_point = 0 : i64, keep_dims = true, max = 127 : i64, min = -128 : i64, multiplier = 1073741824 : i64, output_zero_point = 0 : i64, shift = -2 : i64} : (tensor<1x2x2x2xi8>) -> tensor<1x1x1x2xi8>
// CHECK-NEXT:    %15 = "ml.integer_softmax"(%14) {diff_min = -248 : i64, multiplier = 1073741824 : i64, output_zero_point = -128 : i64, shift = 20 : i64} : (tensor<1x1x1x2xi8>) -> tensor<1x1x1x2xi8>
// CHECK-NEXT:    %16 = "ml.const"() {value = dense<0> : tensor<256xi8>} : () -> tensor<256xi8>
// CHECK-NEXT:    %17 = "ml.lut"(%15, %16) : (tensor<1x1x1x2xi8>, tensor<256xi8>) -> tensor<1x1x1x2xi8>
// CHECK-NEXT:    %18 = "ml.quantize_float"(%arg2) {max = 127 : i64, min = -128 : i64, rounding = "away", scale = 5.000000e-01 : f32, zero_point = 3 : i64} : (tensor<4xf32>) -> tensor<4xi8>
// CHECK-NEXT:    %19 = "ml.dequantize_float"(%18) {scale = 5.000000e-01 : f32, zero_point = 3 : i64} : (tensor<4xi8>) -> tensor<4xf32>
// CHECK-NEXT:    %20 = "ml.const"() {value = dense<1> : tensor<1x1x3x2xi8>} : () -> tensor<1x1x3x2xi8>
// CHECK-NEXT:    %21 = "ml.integer_matmul"(%arg0, %20) {a_zero_point = 1 : i64, b_zero_point = -1 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1073741824 : i64, output_zero_point = 0 : i64, shift = -5 : i64, transpose_y = true} : (tensor<1x4x4x2xi8>, tensor<1x1x3x2xi8>) -> tensor<1x4x4x3xi8>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}
