// At cortex-m3, scalars multiply single bytes of x. Rows of weights have no lanes without a channel, except for one that makes
// their number even, and there is no row beyond the three bytes of x. Parameters are stored of as many lanes.
// RUN: quern opt %s --lower-to-loops --config cpu=cortex-m3 | FileCheck %s
// RUN: quern run %s --stage loops --cpu cortex-m3 --input 1x3xi8=5,-7,100 | FileCheck %s --check-prefix LOOPS
// RUN: quern opt %s --emit run --input 1x3xi8=5,-7,100 | FileCheck %s --check-prefix INTEGER
// Six channels:
// CHECK: memref<18xi8> = dense<[1, -5, 9, 1, 2, -3, 2, 6, 8, -1, 4, -1, -127, -7, 7, 1, 8, 127]>
// CHECK: memref<9xi32>
// One channel:
// CHECK: memref<3xi8> = dense<[3, -128, 5]>
// CHECK: memref<2xi32>
// LOOPS: output0 {{.*}} -8 {{ *}}77 {{ *}}15
// LOOPS: output1 {{.*}} 34 {{ *}}34 {{ *}}34
// INTEGER: dense<{{\[\[}}-8, -3, 13, 5, 6, 77]]>
// INTEGER: dense<{{\[\[}}34]]>
func.func @main(%v: tensor<1x3xi8>) -> (tensor<1x6xi8>, tensor<1x1xi8>) {
  %s = "ml.const"() {value = dense<[-8, -7, -6, -5, -7, -7]> : tensor<6xi32>} : () -> tensor<6xi32>
  %m = "ml.const"() {value = dense<[1073741825, 1518500250, 2000000001, 1234567891, 1073741999, 1600000000]> : tensor<6xi32>} : () -> tensor<6xi32>
  %w = "ml.const"() {value = dense<[[1, 2, -127], [-5, 6, -7], [9, 8, 7], [1, -1, 1], [2, 4, 8], [-3, -1, 127]]> : tensor<6x3xi8>} : () -> tensor<6x3xi8>
  %b = "ml.const"() {value = dense<[7000, -399, 3, -2, 17, 0]> : tensor<6xi32>} : () -> tensor<6xi32>
  %y0 = "ml.integer_linear"(%v, %w, %b, %m, %s) {input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 3 : i64, rounding = "double", weight_zero_point = 0 : i64} : (tensor<1x3xi8>, tensor<6x3xi8>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) -> tensor<1x6xi8>
  %s1 = "ml.const"() {value = dense<-5> : tensor<1xi32>} : () -> tensor<1xi32>
  %m1 = "ml.const"() {value = dense<1518500250> : tensor<1xi32>} : () -> tensor<1xi32>
  %w1 = "ml.const"() {value = dense<[[3, -128, 5]]> : tensor<1x3xi8>} : () -> tensor<1x3xi8>
  %b1 = "ml.const"() {value = dense<9> : tensor<1xi32>} : () -> tensor<1xi32>
  %y1 = "ml.integer_linear"(%v, %w1, %b1, %m1, %s1) {input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 3 : i64, rounding = "double", weight_zero_point = 0 : i64} : (tensor<1x3xi8>, tensor<1x3xi8>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x1xi8>
  return %y0, %y1 : tensor<1x6xi8>, tensor<1x1xi8>
}
