// An addition is fused into a convolution where that saves instructions. Where products of bytes are fast, it has a kernel of its
// own, in which it fills vectors.
// RUN: quern opt %s --lower-to-loops --config cpu=x86-64-amx | FileCheck %s
// RUN: quern opt %s --lower-to-loops --config cpu=avx512vbmi | FileCheck %s
// RUN: quern opt %s --lower-to-loops --config cpu=armv8-dot | FileCheck %s --check-prefix=FUSED --implicit-check-not=@add
// CHECK-LABEL: func.func @main
// CHECK: "quern.launch"({{.*}}kernel = @conv_0
// CHECK: "quern.launch"({{.*}}kernel = @add_1
// CHECK: "quern.launch"({{.*}}kernel = @conv_2
// CHECK: "quern.launch"({{.*}}kernel = @add_3
// FUSED: func.func @main
func.func @main(%x: tensor<1x9x9x64xi8>, %r: tensor<1x9x9x64xi8>, %q: tensor<1x9x9x8xi8>) -> (tensor<1x9x9x64xi8>, tensor<1x9x9x8xi8>) {
  %w0 = "ml.const"() {value = dense<1> : tensor<64x1x1x64xi8>} : () -> tensor<64x1x1x64xi8>
  %b0 = "ml.const"() {value = dense<5> : tensor<64xi32>} : () -> tensor<64xi32>
  %m0 = "ml.const"() {value = dense<1073741824> : tensor<64xi32>} : () -> tensor<64xi32>
  %s0 = "ml.const"() {value = dense<-7> : tensor<64xi32>} : () -> tensor<64xi32>
  %y0 = "ml.integer_conv"(%x, %w0, %b0, %m0, %s0) {dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 0 : i64, pad = array<i64: 0, 0, 0, 0>, rounding = "double", strides = array<i64: 1, 1>, weight_zero_point = 0 : i64} : (tensor<1x9x9x64xi8>, tensor<64x1x1x64xi8>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) -> tensor<1x9x9x64xi8>
  %z0 = "ml.integer_add"(%y0, %r) {a_zero_point = 0 : i64, b_zero_point = 0 : i64, left_shift = 20 : i64, a_multiplier = 1073741824 : i64, a_shift = 0 : i64, b_multiplier = 1073741824 : i64, b_shift = 0 : i64, multiplier = 1073741824 : i64, shift = -18 : i64, output_zero_point = 0 : i64, min = -128 : i64, max = 127 : i64} : (tensor<1x9x9x64xi8>, tensor<1x9x9x64xi8>) -> tensor<1x9x9x64xi8>
  %w1 = "ml.const"() {value = dense<1> : tensor<8x1x1x64xi8>} : () -> tensor<8x1x1x64xi8>
  %b1 = "ml.const"() {value = dense<5> : tensor<8xi32>} : () -> tensor<8xi32>
  %m1 = "ml.const"() {value = dense<1073741824> : tensor<8xi32>} : () -> tensor<8xi32>
  %s1 = "ml.const"() {value = dense<-7> : tensor<8xi32>} : () -> tensor<8xi32>
  %y1 = "ml.integer_conv"(%x, %w1, %b1, %m1, %s1) {dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 0 : i64, pad = array<i64: 0, 0, 0, 0>, rounding = "double", strides = array<i64: 1, 1>, weight_zero_point = 0 : i64} : (tensor<1x9x9x64xi8>, tensor<8x1x1x64xi8>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) -> tensor<1x9x9x8xi8>
  %z1 = "ml.integer_add"(%y1, %q) {a_zero_point = 0 : i64, b_zero_point = 0 : i64, left_shift = 20 : i64, a_multiplier = 1073741824 : i64, a_shift = 0 : i64, b_multiplier = 1073741824 : i64, b_shift = 0 : i64, multiplier = 1073741824 : i64, shift = -18 : i64, output_zero_point = 0 : i64, min = -128 : i64, max = 127 : i64} : (tensor<1x9x9x8xi8>, tensor<1x9x9x8xi8>) -> tensor<1x9x9x8xi8>
  return %z0, %z1 : tensor<1x9x9x64xi8>, tensor<1x9x9x8xi8>
}
