// The activation "finite" clamps infinite f32 results to the largest finite number, and a fused RELU does so under the profiles of
// LiteRT's own kernels, not under xnnpack (docs/arithmetic.md 9.9). Without an activation infinity stays. NaN always stays.
// RUN: quern opt %s --emit=interpret --input 1x1x1x4xf32=3e38,-3e38,inf,nan | FileCheck %s --check-prefix=REF --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --input 1x1x1x4xf32=3e38,-3e38,inf,nan | FileCheck %s --check-prefix=REF --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --input 1x1x1x4xf32=3e38,-3e38,inf,nan | FileCheck %s --check-prefix=REF --match-full-lines
// RUN(x86-64-v3): quern opt %s --lower-to-integer --emit=run --cpu x86-64-v3 --input 1x1x1x4xf32=3e38,-3e38,inf,nan | FileCheck %s --check-prefix=REF --match-full-lines
// RUN: sed 's/litert-ref/xnnpack/' %s | quern opt - --emit=interpret --input 1x1x1x4xf32=3e38,-3e38,inf,nan | FileCheck %s --check-prefix=XNN --match-full-lines
// RUN: sed 's/litert-ref/xnnpack/' %s | quern opt - --lower-to-integer --emit=run --input 1x1x1x4xf32=3e38,-3e38,inf,nan | FileCheck %s --check-prefix=XNN --match-full-lines
// REF: dense<{{\[\[\[\[}}3.40282347E+38, -3.40282347E+38, 3.40282347E+38, 0x7FC00000]]]]> : tensor<1x1x1x4xf32>
// REF-NEXT: dense<{{\[\[\[\[}}3.40282347E+38, 0.000000e+00, 3.40282347E+38, 0x7FC00000]]]]> : tensor<1x1x1x4xf32>
// REF-NEXT: dense<{{\[\[\[\[}}3.000000e+38, -3.000000e+38, 3.40282347E+38, 0x7FC00000]]]]> : tensor<1x1x1x4xf32>
// REF-NEXT: dense<{{\[\[\[\[}}4.000000e+00, -3.40282347E+38, -3.000000e+38, 4.000000e+00]]]]> : tensor<1x1x1x4xf32>
// REF-NEXT: dense<{{\[\[\[\[}}3.40282347E+38, -3.40282347E+38, 3.40282347E+38, 0x7FC00000]]]]> : tensor<1x1x1x4xf32>
// REF-NEXT: dense<{{\[\[}}4.000000e+00, -3.40282347E+38, -3.000000e+38, 4.000000e+00]]> : tensor<1x4xf32>
// REF-NEXT: dense<{{\[\[}}4.000000e+00, 0xFF800000, -3.000000e+38, 4.000000e+00]]> : tensor<1x4xf32>
// REF-NEXT: dense<{{\[\[}}4.000000e+00, 0xFF800000, -3.000000e+38, 4.000000e+00]]> : tensor<1x4xf32>
// REF-NEXT: dense<{{\[\[\[\[}}0x7F800000, 0x7F800000, 0x7F800000, 0x7FC00000]]]]> : tensor<1x1x1x4xf32>
// XNN: dense<{{\[\[\[\[}}3.40282347E+38, -3.40282347E+38, 3.40282347E+38, 0x7FC00000]]]]> : tensor<1x1x1x4xf32>
// XNN-NEXT: dense<{{\[\[\[\[}}0x7F800000, 0.000000e+00, 0x7F800000, 0x7FC00000]]]]> : tensor<1x1x1x4xf32>
// XNN-NEXT: dense<{{\[\[\[\[}}3.000000e+38, -3.000000e+38, 3.40282347E+38, 0x7FC00000]]]]> : tensor<1x1x1x4xf32>
// XNN-NEXT: dense<{{\[\[\[\[}}4.000000e+00, -3.40282347E+38, -3.000000e+38, 4.000000e+00]]]]> : tensor<1x1x1x4xf32>
// XNN-NEXT: dense<{{\[\[\[\[}}3.40282347E+38, -3.40282347E+38, 3.40282347E+38, 0x7FC00000]]]]> : tensor<1x1x1x4xf32>
// XNN-NEXT: dense<{{\[\[}}4.000000e+00, -3.40282347E+38, -3.000000e+38, 4.000000e+00]]> : tensor<1x4xf32>
// XNN-NEXT: dense<{{\[\[}}4.000000e+00, 0xFF800000, -3.000000e+38, 4.000000e+00]]> : tensor<1x4xf32>
// XNN-NEXT: dense<{{\[\[}}4.000000e+00, 0xFF800000, -3.000000e+38, 4.000000e+00]]> : tensor<1x4xf32>
// XNN-NEXT: dense<{{\[\[\[\[}}0x7F800000, 0x7F800000, 0x7F800000, 0x7FC00000]]]]> : tensor<1x1x1x4xf32>
module attributes {quern.numerics = "litert-ref"} {
func.func @main(%x: tensor<1x1x1x4xf32>) -> (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x1x1x4xf32>) {
  %two = "ml.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %w = "ml.const"() {value = dense<[[[[2.0, 0.0, 0.0, 0.0]]], [[[0.0, 2.0, 0.0, 0.0]]], [[[1.0, 1.0, 0.0, 0.0]]], [[[1.0, 0.0, 0.0, 1.0]]]]> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %d = "ml.const"() {value = dense<2.0> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  %m = "ml.const"() {value = dense<[[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0]]> : tensor<4x4xf32>} : () -> tensor<4x4xf32>
  %finite = "ml.minimum"(%x, %d) : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %row = "ml.reshape"(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x4xf32>
  %0 = "ml.add"(%x, %x) {activation = "finite"} : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %1 = "ml.mul"(%x, %two) {activation = "relu"} : (tensor<1x1x1x4xf32>, tensor<f32>) -> tensor<1x1x1x4xf32>
  %2 = "ml.avg_pool"(%x) {activation = "finite", kernel_sizes = array<i64: 1, 1>, strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %3 = "ml.conv"(%finite, %w) {activation = "finite", strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, groups = 1 : i64} : (tensor<1x1x1x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %4 = "ml.depthwise_conv"(%x, %d) {activation = "finite", strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %f = "ml.reshape"(%finite) : (tensor<1x1x1x4xf32>) -> tensor<1x4xf32>
  %5 = "ml.linear"(%f, %m) {activation = "finite"} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %6 = "ml.linear"(%f, %m) {kernel = "cell"} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %7 = "ml.matmul"(%f, %m) {transpose_y = true} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %8 = "ml.square"(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x1x1x4xf32>
}
}
