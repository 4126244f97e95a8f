// Convolutions and matrix products of f32 and f64 at every stage: one product per weight, in order, starting from
// the bias; f32 uses fused multiply-adds. Padding is zeros that are multiplied like other elements.
// RUN: quern opt %s --emit=interpret --function order | FileCheck %s --check-prefix=ORDER
// RUN: quern opt %s --lower-to-integer --emit=interpret --function order | FileCheck %s --check-prefix=ORDER
// RUN: quern opt %s --emit=interpret --function order_of_f64 | FileCheck %s --check-prefix=WIDE
// RUN: quern opt %s --lower-to-integer --emit=interpret --function order_of_f64 | FileCheck %s --check-prefix=WIDE
// RUN: quern opt %s --emit=interpret --function border | FileCheck %s --check-prefix=BORDER
// RUN: quern opt %s --emit=interpret --function batches | FileCheck %s --check-prefix=BATCHES
// RUN: quern opt %s --emit=interpret --function wide | FileCheck %s --check-prefix=BATCHES
// RUN: quern opt %s --emit=interpret --function half | FileCheck %s --check-prefix=BATCHES
// RUN: quern opt %s --emit=interpret --function vectors | FileCheck %s --check-prefix=VECTORS

// a = 1 + 2^-12: a * a is 2^-24 more than the nearest float. The first row adds that product last and
// keeps it; the second row rounds it first, to even, or up if a bias of 10^-30 precedes it.
// ORDER: dense<{{\[\[}}5.96046448E-8, 0.000000e+00], [0.000000e+00, 1.1920929E-7]]> : tensor<2x2xf32>
func.func @order() -> tensor<2x2xf32> {
  %x = "ml.const"() {value = dense<[[1.0, 1.000244140625], [1.000244140625, 1.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %w = "ml.const"() {value = dense<[[-1.00048828125, 1.000244140625], [1.000244140625, -1.00048828125]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %b = "ml.const"() {value = dense<[0.0, 1.0e-30]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.linear"(%x, %w, %b) {activation = "relu"} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// The same in f64, with a = 1 + 2^-27 and a bias of 10^-40: each product is rounded, so that nothing remains.
// WIDE: dense<{{\[\[}}0.000000e+00, -1.4901161193847656E-8], [-1.4901161193847656E-8, 0.000000e+00]]> : tensor<2x2xf64>
func.func @order_of_f64() -> tensor<2x2xf64> {
  %x = "ml.const"() {value = dense<[[1.0, 1.000000007450580596923828125], [1.000000007450580596923828125, 1.0]]> : tensor<2x2xf64>} : () -> tensor<2x2xf64>
  %w = "ml.const"() {value = dense<[[-1.00000001490116119384765625, 1.000000007450580596923828125], [1.000000007450580596923828125, -1.00000001490116119384765625]]> : tensor<2x2xf64>} : () -> tensor<2x2xf64>
  %b = "ml.const"() {value = dense<[0.0, 1.0e-40]> : tensor<2xf64>} : () -> tensor<2xf64>
  %y = "ml.linear"(%x, %w, %b) : (tensor<2x2xf64>, tensor<2x2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  return %y : tensor<2x2xf64>
}

// An infinite weight times a zero of the padding is NaN, which the activation keeps.
// BORDER: dense<{{\[\[\[\[}}0x{{[7F]}}FC00000], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
func.func @border() -> tensor<1x1x2x1xf32> {
  %x = "ml.const"() {value = dense<[[[[2.0], [3.0]]]]> : tensor<1x1x2x1xf32>} : () -> tensor<1x1x2x1xf32>
  %w = "ml.const"() {value = dense<[[[[0x7F800000], [1.0]]]]> : tensor<1x1x2x1xf32>} : () -> tensor<1x1x2x1xf32>
  %z = "ml.const"() {value = dense<[[[[0.0], [1.0]]]]> : tensor<1x1x2x1xf32>} : () -> tensor<1x1x2x1xf32>
  %y = "ml.conv"(%x, %w) {strides = array<i64: 1, 2>, pad = array<i64: 0, 0, 1, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, activation = "relu"} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32>
  %v = "ml.conv"(%x, %z) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32>
  %r = "ml.concat"(%y, %v) {axis = 2 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x2x1xf32>
  return %r : tensor<1x1x2x1xf32>
}

// The batches of x and y are broadcast; x is transposed.
// BATCHES: dense<{{\[\[\[}}1.300000e+01, 1.600000e+01]], {{\[\[}}4.000000e+00, 7.000000e+00]]]> : tensor<2x1x2x{{f(16|32|64)}}>
func.func @batches() -> tensor<2x1x2xf32> {
  %x = "ml.const"() {value = dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>} : () -> tensor<1x2x1xf32>
  %y = "ml.const"() {value = dense<[[[3.0, 4.0], [5.0, 6.0]], [[0.0, 1.0], [2.0, 3.0]]]> : tensor<2x2x2xf32>} : () -> tensor<2x2x2xf32>
  %z = "ml.matmul"(%x, %y) {transpose_x = true} : (tensor<1x2x1xf32>, tensor<2x2x2xf32>) -> tensor<2x1x2xf32>
  return %z : tensor<2x1x2xf32>
}
func.func @wide() -> tensor<2x1x2xf64> {
  %x = "ml.const"() {value = dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf64>} : () -> tensor<1x2x1xf64>
  %y = "ml.const"() {value = dense<[[[3.0, 4.0], [5.0, 6.0]], [[0.0, 1.0], [2.0, 3.0]]]> : tensor<2x2x2xf64>} : () -> tensor<2x2x2xf64>
  %z = "ml.matmul"(%x, %y) {transpose_x = true} : (tensor<1x2x1xf64>, tensor<2x2x2xf64>) -> tensor<2x1x2xf64>
  return %z : tensor<2x1x2xf64>
}
func.func @half() -> tensor<2x1x2xf16> {
  %x = "ml.const"() {value = dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf16>} : () -> tensor<1x2x1xf16>
  %y = "ml.const"() {value = dense<[[[3.0, 5.0], [4.0, 6.0]], [[0.0, 2.0], [1.0, 3.0]]]> : tensor<2x2x2xf16>} : () -> tensor<2x2x2xf16>
  %z = "ml.matmul"(%x, %y) {transpose_x = true, transpose_y = true} : (tensor<1x2x1xf16>, tensor<2x2x2xf16>) -> tensor<2x1x2xf16>
  return %z : tensor<2x1x2xf16>
}

// A vector is one row or one column; the result does not have that dimension.
// VECTORS: dense<1.100000e+01> : tensor<f32>
func.func @vectors() -> tensor<f32> {
  %x = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.const"() {value = dense<[3.0, 4.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %z = "ml.matmul"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return %z : tensor<f32>
}
