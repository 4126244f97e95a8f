// A product whose channels fit in half a vector of 512 bits has vectors of 256 bits, in rows of pixels and for one pixel. More
// channels, or shorter vectors, have whole ones.
// RUN: quern opt %s --compile --config cpu=avx512vnni | FileCheck %s --check-prefix=HALF
// RUN: quern opt %s --compile --config cpu=x86-64-v4 | FileCheck %s --check-prefix=SATURATING
// RUN: quern opt %s --compile --config cpu=avxvnni | FileCheck %s --check-prefix=WHOLE
// RUN: quern opt %s --emit interpret --input 1x1x6x4xui8=5,7,100,128,127,0,1,255,64,192,3,9,17,201,33,8,250,4,99,61,0,0,77,31 | FileCheck %s
// RUN: quern opt %s --emit run --input 1x1x6x4xui8=5,7,100,128,127,0,1,255,64,192,3,9,17,201,33,8,250,4,99,61,0,0,77,31 | FileCheck %s
// RUN(x86-64-v3): quern opt %s --emit run --config cpu=x86-64-v3 --input 1x1x6x4xui8=5,7,100,128,127,0,1,255,64,192,3,9,17,201,33,8,250,4,99,61,0,0,77,31 | FileCheck %s
// RUN(x86-64-v4): quern opt %s --emit run --config cpu=x86-64-v4 --input 1x1x6x4xui8=5,7,100,128,127,0,1,255,64,192,3,9,17,201,33,8,250,4,99,61,0,0,77,31 | FileCheck %s
// RUN(avx512vnni): quern opt %s --emit run --config cpu=avx512vnni --input 1x1x6x4xui8=5,7,100,128,127,0,1,255,64,192,3,9,17,201,33,8,250,4,99,61,0,0,77,31 | FileCheck %s
// MLIR-OPT: none
// HALF: func.func private @conv_0
// HALF: "quern.dot"({{.*}}vector<8xi32>
// HALF-NOT: "quern.dot"({{.*}}vector<16xi32>
// HALF: func.func private @linear_1
// HALF: "quern.dot"({{.*}}vector<8xi32>
// HALF-NOT: "quern.dot"({{.*}}vector<16xi32>
// HALF: func.func private @conv_2
// HALF: "quern.dot"({{.*}}vector<16xi32>
// SATURATING: func.func private @conv_0
// SATURATING: vector<16xi16>
// SATURATING-NOT: vector<32xi16>
// SATURATING: func.func private @conv_2
// WHOLE: "quern.dot"({{.*}}vector<8xi32>
func.func @main(%x: tensor<1x1x6x4xui8>) -> (tensor<1x1x4x8xui8>, tensor<1x3xui8>, tensor<1x1x4x9xui8>) {
  %w = "ml.const"() {value = dense<[[[[25, 53, 29, 25], [40, 60, -42, -43], [41, 31, 71, 67]]], [[[-43, -66, 24, -13], [-54, -67, 47, 87], [72, -80, 62, 11]]], [[[25, 77, 67, 76], [-50, 69, -87, 45], [-74, -75, -81, -42]]], [[[-29, 63, -83, 28], [-7, 22, 61, -40], [42, -31, 73, -15]]], [[[37, -89, 79, -69], [27, 77, -19, 14], [51, -69, -25, -10]]], [[[-32, 41, -17, -83], [-73, 54, -63, 12], [-63, -16, 8, -73]]], [[[-86, 85, -90, -36], [-37, -77, 30, 6], [11, 17, -72, 54]]], [[[71, -40, 82, -21], [-4, -68, -11, -5], [-87, 14, -60, -56]]]]> : tensor<8x1x3x4xi8>} : () -> tensor<8x1x3x4xi8>
  %b = "ml.const"() {value = dense<[-396, 547, -694, -878, -778, 52, 732, 97]> : tensor<8xi32>} : () -> tensor<8xi32>
  %m = "ml.const"() {value = dense<1234567890> : tensor<8xi32>} : () -> tensor<8xi32>
  %s = "ml.const"() {value = dense<-6> : tensor<8xi32>} : () -> tensor<8xi32>
  %v = "ml.const"() {value = dense<[[[[-45, 84, 53, -42], [24, 40, -42, -57], [17, 74, 8, -61]]], [[[11, 17, -36, -90], [-21, 61, -13, -85], [-37, -43, 10, 64]]], [[[74, 57, -65, -80], [-53, -36, 23, -24], [-88, 66, -6, -15]]], [[[8, -72, -71, -67], [-37, 59, 72, -28], [-87, 63, 4, 5]]], [[[69, 26, -58, 60], [33, 57, -56, 8], [-44, 70, -51, -11]]], [[[-32, 66, -27, -42], [-50, 71, 51, -40], [85, 9, 33, 64]]], [[[-70, 17, -78, -64], [-63, -81, 41, -25], [-29, 90, 10, -25]]], [[[17, 62, 35, -15], [43, -46, -73, -58], [-32, 32, 53, 77]]], [[[67, 67, -72, -19], [-36, -38, -86, -73], [-22, 15, 24, -27]]]]> : tensor<9x1x3x4xi8>} : () -> tensor<9x1x3x4xi8>
  %vb = "ml.const"() {value = dense<[-777, -805, -540, -323, -145, 187, 271, -631, -712]> : tensor<9xi32>} : () -> tensor<9xi32>
  %vm = "ml.const"() {value = dense<1987654321> : tensor<9xi32>} : () -> tensor<9xi32>
  %vs = "ml.const"() {value = dense<-7> : tensor<9xi32>} : () -> tensor<9xi32>
  %l = "ml.const"() {value = dense<[[2, -55, 25, -6, 78, 86, 43, 59, -55, 61, -82, -86, 31, 1, 89, -11, -82, -85, 63, 72, -71, 33, -73, -11], [-9, -56, -72, -71, 25, 49, 4, -79, 90, -57, -3, 0, -69, 85, 31, -71, 16, -83, 37, 56, -87, 69, 79, 7], [7, 59, -87, 65, -72, -70, -67, 73, -61, -25, 16, -6, 9, 87, 58, 27, 22, 28, 48, -69, 42, 41, -83, -11]]> : tensor<3x24xi8>} : () -> tensor<3x24xi8>
  %lb = "ml.const"() {value = dense<[331, -721, 84]> : tensor<3xi32>} : () -> tensor<3xi32>
  %lm = "ml.const"() {value = dense<1111111111> : tensor<3xi32>} : () -> tensor<3xi32>
  %ls = "ml.const"() {value = dense<-7> : tensor<3xi32>} : () -> tensor<3xi32>
  %0 = "ml.integer_conv"(%x, %w, %b, %m, %s) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 9 : i64, rounding = "double", min = 0 : i64, max = 255 : i64} : (tensor<1x1x6x4xui8>, tensor<8x1x3x4xi8>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) -> tensor<1x1x4x8xui8>
  %1 = "ml.reshape"(%x) : (tensor<1x1x6x4xui8>) -> tensor<1x24xui8>
  %2 = "ml.integer_linear"(%1, %l, %lb, %lm, %ls) {input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 100 : i64, rounding = "double", min = 0 : i64, max = 255 : i64} : (tensor<1x24xui8>, tensor<3x24xi8>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x3xui8>
  %3 = "ml.integer_conv"(%x, %v, %vb, %vm, %vs) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 9 : i64, rounding = "double", min = 0 : i64, max = 255 : i64} : (tensor<1x1x6x4xui8>, tensor<9x1x3x4xi8>, tensor<9xi32>, tensor<9xi32>, tensor<9xi32>) -> tensor<1x1x4x9xui8>
  return %0, %2, %3 : tensor<1x1x4x8xui8>, tensor<1x3xui8>, tensor<1x1x4x9xui8>
}

// CHECK: dense<{{\[\[}}{{\[\[}}96, 59, 24, 0, 0, 0, 0, 12], [255, 0, 124, 35, 0, 0, 0, 0], [255, 0, 0, 255, 89, 0, 0, 0], [214, 0, 0, 152, 0, 0, 36, 0]]]]> : tensor<1x1x4x8xui8>
// CHECK: dense<{{\[\[}}186, 75, 181]]> : tensor<1x3xui8>
// CHECK: dense<{{\[\[}}{{\[\[}}29, 0, 0, 0, 145, 0, 0, 0, 0], [55, 0, 0, 37, 255, 12, 0, 3, 0], [157, 71, 0, 0, 34, 255, 0, 31, 7], [110, 0, 0, 0, 38, 57, 0, 149, 0]]]]> : tensor<1x1x4x9xui8>
