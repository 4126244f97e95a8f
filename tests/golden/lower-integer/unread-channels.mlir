// The last convolution multiplies 15 of 24 channels by zeros. 16 of them stay: the fewest whole groups with the other nine.
// The results are those before the pass.
// RUN: %opt --pass remove-unread-channels --pass simplify-integer %s | FileCheck %s
// RUN: %opt --keep-tensors --pass remove-unread-channels %s | FileCheck %s --check-prefix=KEPT
// RUN: quern opt %s --emit=interpret --input 1x2x2x1xui8=9,200,31,77 | FileCheck %s --check-prefix=RESULT
// RUN: %opt --pass remove-unread-channels %s | quern opt --emit=interpret --input 1x2x2x1xui8=9,200,31,77 | FileCheck %s --check-prefix=RESULT
func.func @main(%x: tensor<1x2x2x1xui8>) -> tensor<1x2x2x2xui8> {
  %w = "ml.const"() {value = dense<[[[[-67]]], [[[24]]], [[[12]]], [[[-94]]], [[[-33]]], [[[107]]], [[[27]]], [[[-6]]], [[[33]]], [[[21]]], [[[-111]]], [[[28]]], [[[-124]]], [[[105]]], [[[87]]], [[[-7]]], [[[-61]]], [[[14]]], [[[-68]]], [[[-78]]], [[[127]]], [[[56]]], [[[-7]]], [[[11]]]]> : tensor<24x1x1x1xi8>} : () -> tensor<24x1x1x1xi8>
  %wb = "ml.const"() {value = dense<[1751, 1426, 416, 749, 421, 1942, 1397, -138, 62, 452, -25, 1033, -73, 903, 1736, 1387, 1548, 1417, 1621, 349, 1297, 199, -54, 356]> : tensor<24xi32>} : () -> tensor<24xi32>
  %wm = "ml.const"() {value = dense<[2136495866, 1539717742, 1627752287, 2010392293, 1720190663, 1978151365, 1902383298, 1827316354, 1949004333, 1572787970, 1796939173, 1135289496, 1674362293, 1423995595, 1774659623, 1297242912, 1527129276, 1647302293, 1685683318, 1340963602, 1210022369, 2108831985, 2112068929, 1263832988]> : tensor<24xi32>} : () -> tensor<24xi32>
  %ws = "ml.const"() {value = dense<[-8, -7, -8, -7, -7, -8, -8, -8, -7, -7, -7, -8, -8, -8, -7, -7, -8, -7, -7, -7, -7, -7, -8, -8]> : tensor<24xi32>} : () -> tensor<24xi32>
  %d = "ml.const"() {value = dense<[[[[18, -27, -41, 28, -55, 51, -17, -20, -14, -43, 54, 50, -12, -12, -2, 51, 6, -11, 22, 50, 16, 27, 11, -47], [19, 60, 43, 4, -26, -5, 21, 32, 31, -30, 59, -22, -5, -27, 6, -22, 10, -17, -59, 40, -7, 14, -20, -58], [-12, 18, 15, 20, -43, -53, 21, 20, -18, -1, -15, 26, 57, -15, 17, 30, -25, 34, 2, -58, 15, -53, 26, -58]], [[-13, -28, 20, -2, -22, 15, 16, -20, -38, -14, -37, -20, 37, -13, 48, 16, -27, -22, 40, -12, -47, 38, 44, -57], [12, 27, 34, -44, -21, 4, -32, 23, 42, -26, -30, -19, -37, 26, -5, 23, 29, -48, -47, 16, -19, -18, 26, 46], [-32, -4, 43, 49, -39, -50, -17, 34, 23, -33, 53, 12, -3, -26, -32, 40, -45, -56, 7, -36, -20, 43, 47, 47]], [[13, -37, 50, -25, -17, 43, 45, 22, -50, 43, 19, -16, 15, -44, -7, -23, 6, 41, 48, -26, -1, -16, 21, -7], [-23, -7, 12, -8, -56, 57, -8, -41, -35, -60, 1, 60, 46, 52, 19, 5, -5, 11, 58, 31, -32, -56, 35, -2], [47, 36, 24, 35, 6, -24, 9, -17, 53, -31, 50, -52, 49, 15, -24, -45, 43, -29, -55, -56, 55, 42, 28, 5]]]]> : tensor<1x3x3x24xi8>} : () -> tensor<1x3x3x24xi8>
  %db = "ml.const"() {value = dense<[356, -54, 199, 1297, 349, 1621, 1417, 1548, 1387, 1736, 903, -73, 1033, -25, 452, 62, -138, 1397, 1942, 421, 749, 416, 1426, 1751]> : tensor<24xi32>} : () -> tensor<24xi32>
  %dm = "ml.const"() {value = dense<[1263832988, 2112068929, 2108831985, 1210022369, 1340963602, 1685683318, 1647302293, 1527129276, 1297242912, 1774659623, 1423995595, 1674362293, 1135289496, 1796939173, 1572787970, 1949004333, 1827316354, 1902383298, 1978151365, 1720190663, 2010392293, 1627752287, 1539717742, 2136495866]> : tensor<24xi32>} : () -> tensor<24xi32>
  %ds = "ml.const"() {value = dense<[-8, -7, -8, -7, -7, -8, -8, -8, -7, -7, -7, -8, -8, -8, -7, -7, -8, -7, -7, -7, -7, -7, -8, -8]> : tensor<24xi32>} : () -> tensor<24xi32>
  %v = "ml.const"() {value = dense<[[[[-40, 0, 0, 20, 0, 57, -78, 0, 0, -87, 0, 0, 0, 0, 33, 0, 0, -60, 0, 0, -47, 0, 0, 38]]], [[[-14, 0, 0, -29, 0, 79, -85, 0, 0, 44, 0, 0, 0, 0, 47, 0, 0, 15, 0, 0, -77, 0, 0, 66]]]]> : tensor<2x1x1x24xi8>} : () -> tensor<2x1x1x24xi8>
  %vb = "ml.const"() {value = dense<[9000, 4000]> : tensor<2xi32>} : () -> tensor<2xi32>
  %vm = "ml.const"() {value = dense<[1500000000, 1900000000]> : tensor<2xi32>} : () -> tensor<2xi32>
  %vs = "ml.const"() {value = dense<[-5, -6]> : tensor<2xi32>} : () -> tensor<2xi32>
  %0 = "ml.integer_conv"(%x, %w, %wb, %wm, %ws) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, min = 0 : i64, max = 255 : i64, rounding = "double"} : (tensor<1x2x2x1xui8>, tensor<24x1x1x1xi8>, tensor<24xi32>, tensor<24xi32>, tensor<24xi32>) -> tensor<1x2x2x24xui8>
  %1 = "ml.pad"(%0) {pad = array<i64: 0, 0, 1, 1, 1, 1, 0, 0>, value = 3 : i64} : (tensor<1x2x2x24xui8>) -> tensor<1x4x4x24xui8>
  %2 = "ml.integer_depthwise_conv"(%1, %d, %db, %dm, %ds) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, min = 0 : i64, max = 255 : i64, rounding = "double"} : (tensor<1x4x4x24xui8>, tensor<1x3x3x24xi8>, tensor<24xi32>, tensor<24xi32>, tensor<24xi32>) -> tensor<1x2x2x24xui8>
  %3 = "ml.integer_conv"(%2, %v, %vb, %vm, %vs) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, min = 0 : i64, max = 255 : i64, rounding = "double"} : (tensor<1x2x2x24xui8>, tensor<2x1x1x24xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2x2x2xui8>
  return %3 : tensor<1x2x2x2xui8>
}

// CHECK: "ml.integer_conv"({{.*}} : (tensor<1x2x2x1xui8>, tensor<16x1x1x1xi8>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>) -> tensor<1x2x2x16xui8>
// CHECK: "ml.pad"({{.*}} : (tensor<1x2x2x16xui8>) -> tensor<1x4x4x16xui8>
// CHECK: "ml.integer_depthwise_conv"({{.*}} : (tensor<1x4x4x16xui8>, tensor<1x3x3x16xi8>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>) -> tensor<1x2x2x16xui8>
// CHECK: "ml.integer_conv"({{.*}} : (tensor<1x2x2x16xui8>, tensor<2x1x1x16xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2x2x2xui8>

// KEPT: "ml.integer_conv"({{.*}}tensor<2x1x1x24xi8>

// RESULT: dense<{{\[\[\[\[}}197, 54], [218, 77]], {{\[\[}}174, 51], [209, 67]]]]> : tensor<1x2x2x2xui8>
