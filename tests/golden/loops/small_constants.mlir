// Constants of the level generic: 2 x 20 weights of a single pixel without zeros for the other two channels of a vector, nine
// weights per channel of a depthwise convolution, and one multiplier for all channels, before their initial accumulators.
// RUN: quern opt %s --compile --config cpu=generic | FileCheck %s --check-prefixes=ALL,SMALL
// RUN: quern opt %s --compile --config cpu=x86-64 | FileCheck %s --check-prefixes=ALL,PADDED
// MLIR-OPT: none
// SMALL: : memref<40xi8>
// SMALL: dense<[1234567890, 3205, -6395, 0, 0]>
// SMALL: : memref<72xi8>
// SMALL: dense<[1234567890, 5, 37, 69, 101, 133, 165, 197, 229]>
// PADDED: : memref<80xi16>
// PADDED: : memref<80xi16>
// A table that flips bits is no table, neither alone nor in the kernel of the op before it.
// ALL-NOT: memref<256xi8>
// ALL-LABEL: func.func private @lut_
// ALL: arith.xori
func.func @main(%a: tensor<1x20xi8>, %x: tensor<1x5x5x8xi8>, %z: tensor<1x64xi8>) -> (tensor<1x2xi8>, tensor<1x3x3x8xi8>, tensor<1x64xi8>) {
  %lw = "ml.const"() {value = dense<3> : tensor<2x20xi8>} : () -> tensor<2x20xi8>
  %lb = "ml.const"() {value = dense<[100, -200]> : tensor<2xi32>} : () -> tensor<2xi32>
  %lm = "ml.const"() {value = dense<1234567890> : tensor<2xi32>} : () -> tensor<2xi32>
  %ls = "ml.const"() {value = dense<-6> : tensor<2xi32>} : () -> tensor<2xi32>
  %l = "ml.integer_linear"(%a, %lw, %lb, %lm, %ls) {input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x20xi8>, tensor<2x20xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2xi8>
  %dw = "ml.const"() {value = dense<5> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %db = "ml.const"() {value = dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi32>} : () -> tensor<8xi32>
  %dm = "ml.const"() {value = dense<1234567890> : tensor<8xi32>} : () -> tensor<8xi32>
  %ds = "ml.const"() {value = dense<-6> : tensor<8xi32>} : () -> tensor<8xi32>
  %d = "ml.integer_depthwise_conv"(%x, %dw, %db, %dm, %ds) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x5x5x8xi8>, tensor<1x3x3x8xi8>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) -> tensor<1x3x3x8xi8>
  %t = "ml.const"() {value = dense<[-128, -127, -126, -125, -124, -123, -122, -121, -120, -119, -118, -117, -116, -115, -114, -113, -112, -111, -110, -109, -108, -107, -106, -105, -104, -103, -102, -101, -100, -99, -98, -97, -96, -95, -94, -93, -92, -91, -90, -89, -88, -87, -86, -85, -84, -83, -82, -81, -80, -79, -78, -77, -76, -75, -74, -73, -72, -71, -70, -69, -68, -67, -66, -65, -64, -63, -62, -61, -60, -59, -58, -57, -56, -55, -54, -53, -52, -51, -50, -49, -48, -47, -46, -45, -44, -43, -42, -41, -40, -39, -38, -37, -36, -35, -34, -33, -32, -31, -30, -29, -28, -27, -26, -25, -24, -23, -22, -21, -20, -19, -18, -17, -16, -15, -14, -13, -12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127]> : tensor<256xi8>} : () -> tensor<256xi8>
  %e = "ml.lut"(%d, %t) : (tensor<1x3x3x8xi8>, tensor<256xi8>) -> tensor<1x3x3x8xi8>
  %y = "ml.lut"(%z, %t) : (tensor<1x64xi8>, tensor<256xi8>) -> tensor<1x64xi8>
  return %l, %e, %y : tensor<1x2xi8>, tensor<1x3x3x8xi8>, tensor<1x64xi8>
}
