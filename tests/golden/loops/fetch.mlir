// Byte kernels prefetch weights if a layer's weights exceed L1d. With one pixel (M = 1) the hardware
// prefetcher suffices.
// RUN: quern opt %s --compile --config cpu=x86-64-v4 | FileCheck %s
// RUN: quern opt %s --compile --config cpu=avxvnni | FileCheck %s
// RUN: quern opt %s --compile --config cpu=x86-64 | FileCheck %s --check-prefix=NEVER --implicit-check-not=quern.prefetch
// MLIR-OPT: none
// CHECK-LABEL: func.func private @conv_0
// CHECK: "quern.prefetch"(%arg1, {{.*}}) : (memref<{{1[0-9]*}}xi8>, index) -> ()
// CHECK-LABEL: func.func private @conv_1
// CHECK-NOT: quern.prefetch
// CHECK-LABEL: func.func private @conv_2
// CHECK-NOT: quern.prefetch
// CHECK-LABEL: func.func @main
// NEVER: func.func @main
func.func @main(%x: tensor<1x3x3x512xi8>, %p: tensor<1x1x1x512xi8>) -> (tensor<1x3x3x16xi8>, tensor<1x1x1x256xi8>) {
  %w = "ml.const"() {value = dense<1> : tensor<256x1x1x512xi8>} : () -> tensor<256x1x1x512xi8>
  %b = "ml.const"() {value = dense<100> : tensor<256xi32>} : () -> tensor<256xi32>
  %m = "ml.const"() {value = dense<1234567890> : tensor<256xi32>} : () -> tensor<256xi32>
  %s = "ml.const"() {value = dense<-6> : tensor<256xi32>} : () -> tensor<256xi32>
  %0 = "ml.integer_conv"(%x, %w, %b, %m, %s) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x3x3x512xi8>, tensor<256x1x1x512xi8>, tensor<256xi32>, tensor<256xi32>, tensor<256xi32>) -> tensor<1x3x3x256xi8>
  %v = "ml.const"() {value = dense<1> : tensor<16x1x1x256xi8>} : () -> tensor<16x1x1x256xi8>
  %c = "ml.const"() {value = dense<100> : tensor<16xi32>} : () -> tensor<16xi32>
  %n = "ml.const"() {value = dense<1234567890> : tensor<16xi32>} : () -> tensor<16xi32>
  %t = "ml.const"() {value = dense<-6> : tensor<16xi32>} : () -> tensor<16xi32>
  %1 = "ml.integer_conv"(%0, %v, %c, %n, %t) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x3x3x256xi8>, tensor<16x1x1x256xi8>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>) -> tensor<1x3x3x16xi8>
  %2 = "ml.integer_conv"(%p, %w, %b, %m, %s) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x1x1x512xi8>, tensor<256x1x1x512xi8>, tensor<256xi32>, tensor<256xi32>, tensor<256xi32>) -> tensor<1x1x1x256xi8>
  return %1, %2 : tensor<1x3x3x16xi8>, tensor<1x1x1x256xi8>
}
