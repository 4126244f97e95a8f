// --explain lists for each byte depthwise convolution the chosen variant, the cost of each variant, and why a variant is unsupported.
// RUN: quern opt %s --lower-to-loops --config cpu=avx512vnni --explain 2>&1 | FileCheck %s
// RUN: quern opt %s --lower-to-loops --config cpu=x86-64-v3 --explain 2>&1 | FileCheck %s --check-prefix=V3
// RUN: quern opt %s --lower-to-loops --config cpu=x86-64 --explain 2>&1 | FileCheck %s --check-prefix=BASE
// RUN: quern opt %s --lower-to-loops --config cpu=avx512vnni --explain=lower-to-loops@28 2>&1 | FileCheck %s --check-prefix=ONE
// CHECK: remark: lower-to-loops: 'ml.integer_depthwise_conv' of 64 pixels, 64 channels and 9 weights each is made by columns of byte dot products, 2 by 2 pixels: about {{[0-9]+}} cycles on avx512vnni; by columns of byte dot products, 2 by 1 pixels, {{[0-9]+}}; by taps of byte dot products, 1 by 1 pixels, {{[0-9]+}}; by taps of byte dot products, 1 by 2 pixels, {{[0-9]+}}; by taps of 16-bit products, 1 by 1 pixels, {{[0-9]+}}; by taps of 16-bit products, 1 by 2 pixels, {{[0-9]+}}; no taps of byte products with two nibbles: the target has no byte products that saturate; no taps of byte products in groups: the target has none by channel; no taps of single bytes: no products take single bytes{{$}}
// Few channels are merged, because eight channels would be one narrow block per pixel.
// CHECK: of 64 pixels, 8 channels and 9 weights each is made by columns of byte dot products, 2 by 1 pixels of 8 merged: about {{[0-9]+}} cycles on avx512vnni; by columns of byte dot products, 2 by 1 pixels, {{[0-9]+}}; by columns of byte dot products, 2 by 2 pixels, {{[0-9]+}}; by taps
// CHECK: of 16 pixels, 16 channels and 25 weights each is made by taps of {{.*}}; no columns of byte dot products: the kernel is too large, or its rows are dilated; no taps of byte products with two nibbles
// V3: of 64 pixels, 64 channels and 9 weights each is made by taps of byte products with two nibbles, 1 by 2 pixels: about {{[0-9]+}} cycles on x86-64-v3; by taps of byte products with two nibbles, 1 by 1 pixels, {{[0-9]+}}; by taps of 16-bit products, {{.*}}; no columns of byte dot products: the target has none that are exact; no taps of byte products in groups: the target has none by channel; no taps of single bytes: no products take single bytes{{$}}
// V3: of 64 pixels, 8 channels
// The sums of 25 nibble products may overflow.
// V3: of 16 pixels, 16 channels and 25 weights each is made by taps of 16-bit products, 1 by 2 pixels: about {{.*}}; no taps of byte products with two nibbles: their sums exceed 16 bits; no taps of byte products in groups: the target has none by channel; no taps of single bytes: no products take single bytes{{$}}
// BASE-COUNT-3: is made by taps of 16-bit products, {{.*}}; no columns of byte dot products: the target has none that are exact; no taps of byte products with two nibbles: the target has no byte products that saturate; no taps of byte products in groups: the target has none by channel; no taps of single bytes: no products take single bytes{{$}}
// ONE-NOT: remark: lower-to-loops: 'ml.integer_depthwise_conv' of 64 pixels, 64
// ONE: 28:{{[0-9]+}}: remark: lower-to-loops: 'ml.integer_depthwise_conv' of 64 pixels, 8 channels
// ONE-NOT: remark: lower-to-loops: 'ml.integer_depthwise_conv'
func.func @main(%x: tensor<1x10x10x64xui8>, %v: tensor<1x10x10x8xi8>, %u: tensor<1x11x11x16xui8>) -> (tensor<1x8x8x64xi8>, tensor<1x8x8x8xi8>, tensor<1x4x4x16xi8>) {
  %w0 = "ml.const"() {value = dense<3> : tensor<1x3x3x64xi8>} : () -> tensor<1x3x3x64xi8>
  %b0 = "ml.const"() {value = dense<5> : tensor<64xi32>} : () -> tensor<64xi32>
  %m0 = "ml.const"() {value = dense<1073741824> : tensor<64xi32>} : () -> tensor<64xi32>
  %s0 = "ml.const"() {value = dense<-7> : tensor<64xi32>} : () -> tensor<64xi32>
  %y0 = "ml.integer_depthwise_conv"(%x, %w0, %b0, %m0, %s0) {dilations = array<i64: 1, 1>, input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 0 : i64, pad = array<i64: 0, 0, 0, 0>, rounding = "double", strides = array<i64: 1, 1>, weight_zero_point = 0 : i64} : (tensor<1x10x10x64xui8>, tensor<1x3x3x64xi8>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) -> tensor<1x8x8x64xi8>
  %w1 = "ml.const"() {value = dense<3> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %b1 = "ml.const"() {value = dense<5> : tensor<8xi32>} : () -> tensor<8xi32>
  %m1 = "ml.const"() {value = dense<1073741824> : tensor<8xi32>} : () -> tensor<8xi32>
  %s1 = "ml.const"() {value = dense<-7> : tensor<8xi32>} : () -> tensor<8xi32>
  %y1 = "ml.integer_depthwise_conv"(%v, %w1, %b1, %m1, %s1) {dilations = array<i64: 1, 1>, input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 0 : i64, pad = array<i64: 0, 0, 0, 0>, rounding = "double", strides = array<i64: 1, 1>, weight_zero_point = 0 : i64} : (tensor<1x10x10x8xi8>, tensor<1x3x3x8xi8>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) -> tensor<1x8x8x8xi8>
  %w2 = "ml.const"() {value = dense<127> : tensor<1x5x5x16xi8>} : () -> tensor<1x5x5x16xi8>
  %b2 = "ml.const"() {value = dense<5> : tensor<16xi32>} : () -> tensor<16xi32>
  %m2 = "ml.const"() {value = dense<1073741824> : tensor<16xi32>} : () -> tensor<16xi32>
  %s2 = "ml.const"() {value = dense<-7> : tensor<16xi32>} : () -> tensor<16xi32>
  %y2 = "ml.integer_depthwise_conv"(%u, %w2, %b2, %m2, %s2) {dilations = array<i64: 1, 1>, input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 0 : i64, pad = array<i64: 0, 0, 0, 0>, rounding = "double", strides = array<i64: 2, 2>, weight_zero_point = 0 : i64} : (tensor<1x11x11x16xui8>, tensor<1x5x5x16xi8>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>) -> tensor<1x4x4x16xi8>
  return %y0, %y1, %y2 : tensor<1x8x8x64xi8>, tensor<1x8x8x8xi8>, tensor<1x4x4x16xi8>
}
