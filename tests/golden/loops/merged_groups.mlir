// Groups with four input channels each: the output channels of several groups fill a vector, whose lanes multiply the quads of
// their own groups. Not if they do not fill it, and not where products take a lane of a vector of quads.
// RUN: quern opt %s --lower-to-loops --config cpu=avx512vnni | FileCheck %s --check-prefix=FOUR
// RUN: quern opt %s --lower-to-loops --config cpu=avxvnni | FileCheck %s --check-prefix=TWO
// RUN: quern opt %s --lower-to-loops --config cpu=armv8-dot | FileCheck %s --check-prefix=NONE
// RUN: quern opt %s --lower-to-loops --config cpu=x86-64-amx --explain 2>&1 | FileCheck %s --check-prefix=WHY
// MLIR-OPT: none
// FOUR-LABEL: func.func private @grouped_conv_0
// FOUR: vector.load %{{.*}} vector<16xi8>
// FOUR: vector.shuffle {{.*}} [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]
// FOUR-LABEL: func.func private @grouped_conv_1
// FOUR-NOT: [0, 0, 0, 0, 1, 1, 1, 1
// FOUR: return
// TWO-LABEL: func.func private @grouped_conv_0
// TWO: vector.shuffle {{.*}} [0, 0, 0, 0, 1, 1, 1, 1]
// NONE-NOT: [0, 0, 0, 0, 1, 1, 1, 1]
// WHY: 'ml.integer_conv' of 16 pixels, 16 channels and 16 weights each is made in vectors of bytes, {{.*}}; no tiles of bytes: a vector has channels of several groups
func.func @main(%x: tensor<1x5x5x16xui8>) -> (tensor<1x4x4x16xi8>, tensor<1x4x4x12xi8>) {
  %w = "ml.const"() {value = dense<3> : tensor<16x2x2x4xi8>} : () -> tensor<16x2x2x4xi8>
  %b = "ml.const"() {value = dense<100> : tensor<16xi32>} : () -> tensor<16xi32>
  %m = "ml.const"() {value = dense<1234567890> : tensor<16xi32>} : () -> tensor<16xi32>
  %s = "ml.const"() {value = dense<-4> : tensor<16xi32>} : () -> tensor<16xi32>
  %0 = "ml.integer_conv"(%x, %w, %b, %m, %s) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 1 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x5x5x16xui8>, tensor<16x2x2x4xi8>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>) -> tensor<1x4x4x16xi8>
  %v = "ml.const"() {value = dense<3> : tensor<12x2x2x4xi8>} : () -> tensor<12x2x2x4xi8>
  %vb = "ml.const"() {value = dense<100> : tensor<12xi32>} : () -> tensor<12xi32>
  %vm = "ml.const"() {value = dense<1234567890> : tensor<12xi32>} : () -> tensor<12xi32>
  %vs = "ml.const"() {value = dense<-4> : tensor<12xi32>} : () -> tensor<12xi32>
  %1 = "ml.integer_conv"(%x, %v, %vb, %vm, %vs) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 1 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x5x5x16xui8>, tensor<12x2x2x4xi8>, tensor<12xi32>, tensor<12xi32>, tensor<12xi32>) -> tensor<1x4x4x12xi8>
  return %0, %1 : tensor<1x4x4x16xi8>, tensor<1x4x4x12xi8>
}
