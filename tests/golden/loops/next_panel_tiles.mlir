// If a layer's weights exceed L2, an AMX product prefetches its next panel, part of it in each step; with few
// pixels a step prefetches several cache lines. With many pixels it does not, because the panels are small.
// RUN: quern opt %s --lower-to-loops --config cpu=x86-64-amx | FileCheck %s
// MLIR-OPT: none
// CHECK-LABEL: func.func private @linear_0(
// CHECK: "quern.tile_load"
// CHECK-LABEL: func.func private @linear_1(
// CHECK: scf.for {{.*}} iter_args
// CHECK: "quern.prefetch"(%arg1,
// CHECK: "quern.prefetch"(%arg1,
// CHECK: "quern.tile_dot"
// CHECK-LABEL: func.func private @conv_2(
// CHECK-NOT: quern.prefetch
// CHECK-LABEL: func.func @main
func.func @main(%a: tensor<64x64xi8>, %b: tensor<64x1024xi8>, %x: tensor<1x64x64x64xi8>) -> (tensor<64x32xi8>, tensor<64x1536xi8>, tensor<1x64x64x32xi8>) {
  %w0 = "ml.const"() {value = dense<1> : tensor<32x64xi8>} : () -> tensor<32x64xi8>
  %b0 = "ml.const"() {value = dense<5> : tensor<32xi32>} : () -> tensor<32xi32>
  %m0 = "ml.const"() {value = dense<1073741824> : tensor<32xi32>} : () -> tensor<32xi32>
  %s0 = "ml.const"() {value = dense<-7> : tensor<32xi32>} : () -> tensor<32xi32>
  %y0 = "ml.integer_linear"(%a, %w0, %b0, %m0, %s0) {input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 0 : i64, rounding = "double", weight_zero_point = 0 : i64} : (tensor<64x64xi8>, tensor<32x64xi8>, tensor<32xi32>, tensor<32xi32>, tensor<32xi32>) -> tensor<64x32xi8>
  %w1 = "ml.const"() {value = dense<1> : tensor<1536x1024xi8>} : () -> tensor<1536x1024xi8>
  %b1 = "ml.const"() {value = dense<5> : tensor<1536xi32>} : () -> tensor<1536xi32>
  %m1 = "ml.const"() {value = dense<1073741824> : tensor<1536xi32>} : () -> tensor<1536xi32>
  %s1 = "ml.const"() {value = dense<-7> : tensor<1536xi32>} : () -> tensor<1536xi32>
  %y1 = "ml.integer_linear"(%b, %w1, %b1, %m1, %s1) {input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 0 : i64, rounding = "double", weight_zero_point = 0 : i64} : (tensor<64x1024xi8>, tensor<1536x1024xi8>, tensor<1536xi32>, tensor<1536xi32>, tensor<1536xi32>) -> tensor<64x1536xi8>
  %w2 = "ml.const"() {value = dense<1> : tensor<32x1x1x64xi8>} : () -> tensor<32x1x1x64xi8>
  %b2 = "ml.const"() {value = dense<5> : tensor<32xi32>} : () -> tensor<32xi32>
  %m2 = "ml.const"() {value = dense<1073741824> : tensor<32xi32>} : () -> tensor<32xi32>
  %s2 = "ml.const"() {value = dense<-7> : tensor<32xi32>} : () -> tensor<32xi32>
  %y2 = "ml.integer_conv"(%x, %w2, %b2, %m2, %s2) {dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 0 : i64, pad = array<i64: 0, 0, 0, 0>, rounding = "double", strides = array<i64: 1, 1>, weight_zero_point = 0 : i64} : (tensor<1x64x64x64xi8>, tensor<32x1x1x64xi8>, tensor<32xi32>, tensor<32xi32>, tensor<32xi32>) -> tensor<1x64x64x32xi8>
  return %y0, %y1, %y2 : tensor<64x32xi8>, tensor<64x1536xi8>, tensor<1x64x64x32xi8>
}
