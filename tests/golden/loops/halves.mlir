// At cortex-m4, a function of small constants stores 6 bytes per channel: the upper 16 bits of the initial accumulators, two in
// an i32, then the mantissas. Two bits of the initial accumulators 70000 and -39999 do not fit; they are the lowest bits of the
// mantissas. The next two bits are what right shifts of 5 to 8 have more than 5. A multiplier that is an f64 gets a mantissa.
// RUN: quern opt %s --lower-to-loops --config cpu=cortex-m4 | FileCheck %s
// RUN: quern run %s --stage loops --cpu cortex-m4 --input 1x4xi8=5,-7,100,-128 | FileCheck %s --check-prefix LOOPS
// RUN: quern opt %s --emit run --input 1x4xi8=5,-7,100,-128 | FileCheck %s --check-prefix INTEGER
// CHECK: memref<6xi32> = dense<[-655342500, -65536, 1073741836, 1518500249, 2000000007, 1234567890]>
// CHECK: memref<6xi32> = dense<[-524281, 131372, 1566804070, 1676755233, 2006608721, 1951633139]>
// LOOPS: output0 {{.*}} -128 {{ *}}114 {{ *}}0
// LOOPS: output1 {{.*}} -101 {{ *}}7 {{ *}}-40.25
// INTEGER: dense<{{\[\[}}114, -128, 2, 12]]>
// INTEGER: dense<{{\[\[}}-72, -101, 5, 7]]>
func.func @main(%v: tensor<1x4xi8>) -> (tensor<1x4xi8>, tensor<1x4xi8>) {
  %s = "ml.const"() {value = dense<[-8, -7, -6, -5]> : tensor<4xi32>} : () -> tensor<4xi32>
  %m = "ml.const"() {value = dense<[1073741825, 1518500250, 2000000001, 1234567891]> : tensor<4xi32>} : () -> tensor<4xi32>
  %w = "ml.const"() {value = dense<[[1, 2, -127, 4], [-5, 6, -7, 127], [9, 8, 7, 6], [1, -1, 1, -3]]> : tensor<4x4xi8>} : () -> tensor<4x4xi8>
  %b = "ml.const"() {value = dense<[70000, -39999, 3, -2]> : tensor<4xi32>} : () -> tensor<4xi32>
  %y0 = "ml.integer_linear"(%v, %w, %b, %m, %s) {input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 3 : i64, rounding = "double", weight_zero_point = 0 : i64} : (tensor<1x4xi8>, tensor<4x4xi8>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<1x4xi8>
  %c = "ml.const"() {value = dense<[7, -8, 300, 2]> : tensor<4xi32>} : () -> tensor<4xi32>
  %r = "ml.const"() {value = dense<[0.0057, 0.0061, 0.0073, 0.0071]> : tensor<4xf64>} : () -> tensor<4xf64>
  %z = "ml.const"() {value = dense<0> : tensor<4xi32>} : () -> tensor<4xi32>
  %y1 = "ml.integer_linear"(%v, %w, %c, %r, %z) {input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 3 : i64, rounding = "real", weight_zero_point = 0 : i64} : (tensor<1x4xi8>, tensor<4x4xi8>, tensor<4xi32>, tensor<4xf64>, tensor<4xi32>) -> tensor<1x4xi8>
  return %y0, %y1 : tensor<1x4xi8>, tensor<1x4xi8>
}
