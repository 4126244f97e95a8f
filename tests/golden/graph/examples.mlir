// Worked examples: the results are the same before and after each pass.
// RUN: quern opt %s --emit=interpret --function prelu --input "1x1x1x2xf32=-4,4" | FileCheck %s --check-prefix=PRELU
// RUN: quern opt %s --fuse-prelu --emit=interpret --function prelu --input "1x1x1x2xf32=-4,4" | FileCheck %s --check-prefix=PRELU
// RUN: quern opt %s --fuse-prelu | FileCheck %s --check-prefix=PRELU_OP
// RUN: quern opt %s --emit=interpret --function normalized --input "1x1x1x1xf32=5" | FileCheck %s --check-prefix=NORMALIZED
// RUN: quern opt %s --fuse-conv-batchnorm --emit=interpret --function normalized --input "1x1x1x1xf32=5" | FileCheck %s --check-prefix=NORMALIZED
// RUN: quern opt %s --fuse-conv-batchnorm | FileCheck %s --check-prefix=NORMALIZED_OP
// RUN: quern opt %s --emit=interpret --function product --input "2x4xf32=1,2,3,4,5,6,7,8" | FileCheck %s --check-prefix=PRODUCT
// RUN: quern opt %s --fuse-matmul-weight-bias --emit=interpret --function product --input "2x4xf32=1,2,3,4,5,6,7,8" | FileCheck %s --check-prefix=PRODUCT
// RUN: quern opt %s --fuse-matmul-weight-bias | FileCheck %s --check-prefix=PRODUCT_OP
// RUN: quern opt %s --emit=interpret --function pixels --input "1x1x1x1xf32=1" --input "1x1x1x1xf32=2" --input "1x1x1x1xf32=3" --input "1x1x1x1xf32=4" | FileCheck %s --check-prefix=PIXELS
// RUN: quern opt %s --concat-to-pixel-shuffle --emit=interpret --function pixels --input "1x1x1x1xf32=1" --input "1x1x1x1xf32=2" --input "1x1x1x1xf32=3" --input "1x1x1x1xf32=4" | FileCheck %s --check-prefix=PIXELS
// RUN: quern opt %s --concat-to-pixel-shuffle | FileCheck %s --check-prefix=PIXELS_OP
// RUN: quern opt %s --emit=interpret --function mirrored --input "4xf32=1,2,3,4" | FileCheck %s --check-prefix=MIRRORED
// RUN: quern opt %s --use-reflection-padding --emit=interpret --function mirrored --input "4xf32=1,2,3,4" | FileCheck %s --check-prefix=MIRRORED
// RUN: quern opt %s --use-reflection-padding | FileCheck %s --check-prefix=MIRRORED_OP
// RUN: quern opt %s --emit=interpret --function alternating --input "2xf32=1,2" --input "2xf32=3,4" | FileCheck %s --check-prefix=ALTERNATING
// RUN: quern opt %s --detect-concat-interleave --emit=interpret --function alternating --input "2xf32=1,2" --input "2xf32=3,4" | FileCheck %s --check-prefix=ALTERNATING
// RUN: quern opt %s --detect-concat-interleave | FileCheck %s --check-prefix=ALTERNATING_OP
// RUN: quern opt %s --emit=interpret --function affine_norm --input "1x2xf32=1,3" | FileCheck %s --check-prefix=AFFINE_NORM
// RUN: quern opt %s --fuse-layernorm-or-instancenorm --emit=interpret --function affine_norm --input "1x2xf32=1,3" | FileCheck %s --check-prefix=AFFINE_NORM
// RUN: quern opt %s --fuse-layernorm-or-instancenorm | FileCheck %s --check-prefix=AFFINE_NORM_OP

// For x = -4, relu(x) + 0.25 * relu(-x) is 1, so the slope is -0.25.
// PRELU: dense<{{\[\[\[\[}}1.000000e+00, 4.000000e+00]]]]>
// PRELU_OP-LABEL: func.func @prelu
// PRELU_OP: "ml.prelu"
func.func @prelu(%x: tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32> {
  %k = "ml.const"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %n = "ml.neg"(%x) : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %a = "ml.relu"(%x) : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %b = "ml.relu"(%n) : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %e = "ml.mul"(%b, %k) : (tensor<1x1x1x2xf32>, tensor<f32>) -> tensor<1x1x1x2xf32>
  %y = "ml.add"(%a, %e) : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  return %y : tensor<1x1x1x2xf32>
}
// W = 2, b = 1, gamma = 3, beta = 1, mean = 1, variance = 4: k = 1.5, so W = 3, b = 1.
// NORMALIZED: dense<{{\[\[\[\[}}1.600000e+01]]]]>
// NORMALIZED_OP-LABEL: func.func @normalized
// NORMALIZED_OP: "ml.conv"
func.func @normalized(%x: tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32> {
  %w = "ml.const"() {value = dense<2.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %b = "ml.const"() {value = dense<1.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %m = "ml.const"() {value = dense<1.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %g = "ml.const"() {value = dense<3.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %p = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x1x1x1xf32>
  %y = "ml.batch_norm"(%p, %m, %v, %g, %b) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x1x1x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x1xf32>
  return %y : tensor<1x1x1x1xf32>
}
// k - x * w: the weights are negated.
// PRODUCT: dense<{{\[\[}}6.000000e+00, 1.000000e+01], [-2.000000e+00, -2.000000e+00]]>
// PRODUCT_OP-LABEL: func.func @product
// PRODUCT_OP: "ml.linear"
func.func @product(%x: tensor<2x4xf32>) -> tensor<2x2xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 2.0]]> : tensor<4x2xf32>} : () -> tensor<4x2xf32>
  %k = "ml.const"() {value = dense<[10.0, 20.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %p = "ml.matmul"(%x, %w) : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
  %y = "ml.sub"(%k, %p) : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// Pixels 1, 2, 3 and 4 become the block [[1, 3], [2, 4]].
// PIXELS: dense<{{\[\[\[\[}}1.000000e+00], [3.000000e+00]], {{\[\[}}2.000000e+00], [4.000000e+00]]]]>
// PIXELS_OP-LABEL: func.func @pixels
// PIXELS_OP: "ml.depth_to_space"
func.func @pixels(%a: tensor<1x1x1x1xf32>, %b: tensor<1x1x1x1xf32>, %c: tensor<1x1x1x1xf32>, %d: tensor<1x1x1x1xf32>) -> tensor<1x2x2x1xf32> {
  %sl = "ml.stack"(%a, %b) {axis = 2 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x2x1x1xf32>
  %l = "ml.reshape"(%sl) : (tensor<1x1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
  %sr = "ml.stack"(%c, %d) {axis = 2 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x2x1x1xf32>
  %r = "ml.reshape"(%sr) : (tensor<1x1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
  %sy = "ml.stack"(%l, %r) {axis = 3 : i64} : (tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x1x2x1xf32>
  %y = "ml.reshape"(%sy) : (tensor<1x2x1x2x1xf32>) -> tensor<1x2x2x1xf32>
  return %y : tensor<1x2x2x1xf32>
}
// [p q r s], mirrored by two on each side, is [r q p q r s r q].
// MIRRORED: dense<[3.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 3.000000e+00, 2.000000e+00]>
// MIRRORED_OP-LABEL: func.func @mirrored
// MIRRORED_OP: "ml.mirror_pad"
func.func @mirrored(%x: tensor<4xf32>) -> tensor<8xf32> {
  %a = "ml.slice_by_index"(%x) {begin = array<i64: 2>, end = array<i64: 3>, stride = array<i64: 1>} : (tensor<4xf32>) -> tensor<1xf32>
  %b = "ml.slice_by_index"(%x) {begin = array<i64: 1>, end = array<i64: 2>, stride = array<i64: 1>} : (tensor<4xf32>) -> tensor<1xf32>
  %d = "ml.slice_by_index"(%x) {begin = array<i64: 2>, end = array<i64: 3>, stride = array<i64: 1>} : (tensor<4xf32>) -> tensor<1xf32>
  %e = "ml.slice_by_index"(%x) {begin = array<i64: 1>, end = array<i64: 2>, stride = array<i64: 1>} : (tensor<4xf32>) -> tensor<1xf32>
  %y = "ml.concat"(%a, %b, %x, %d, %e) {axis = 0 : i64} : (tensor<1xf32>, tensor<1xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
// Channels a0 a1 | b0 b1 become a0 b0 a1 b1.
// ALTERNATING: dense<[1.000000e+00, 3.000000e+00, 2.000000e+00, 4.000000e+00]>
// ALTERNATING_OP-LABEL: func.func @alternating
// ALTERNATING_OP: "ml.stack"
func.func @alternating(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<4xf32> {
  %w = "ml.concat"(%a, %b) {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %s = "ml.reshape"(%w) : (tensor<4xf32>) -> tensor<2x2xf32>
  %t = "ml.transpose"(%s) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = "ml.reshape"(%t) : (tensor<2x2xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// (n + beta) * gamma equals gamma * n + beta * gamma.
// AFFINE_NORM: dense<{{\[\[}}8.000000e+00, 1.200000e+01]]>
// AFFINE_NORM_OP-LABEL: func.func @affine_norm
// AFFINE_NORM_OP: "ml.layer_norm"
func.func @affine_norm(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %eps = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %g = "ml.const"() {value = dense<2.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %b = "ml.const"() {value = dense<5.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 1>, keep_dims = true} : (tensor<1x2xf32>) -> tensor<1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<1x2xf32>, tensor<1x1xf32>) -> tensor<1x2xf32>
  %q = "ml.square"(%d) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 1>, keep_dims = true} : (tensor<1x2xf32>) -> tensor<1x1xf32>
  %e = "ml.add"(%v, %eps) : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x1xf32>
  %r = "ml.rsqrt"(%e) : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %n = "ml.mul"(%d, %r) : (tensor<1x2xf32>, tensor<1x1xf32>) -> tensor<1x2xf32>
  %o = "ml.add"(%n, %b) : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %y = "ml.mul"(%o, %g) : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
