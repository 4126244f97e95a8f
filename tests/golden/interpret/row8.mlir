// Weights in blocks of 5 of 12 along K, under rows that are quantized when the operator runs (row8): zero points that differ, a short last
// block, a bias, rows of zeros, with a NaN, with an infinity, of denormals, and with ties. The expected numbers were computed from the
// definition (docs/arithmetic.md 15) by a program with exact fractions. The same at every stage.
// RUN: quern opt %s --emit=interpret --input 6x12xf32=1,-2,3,0.5,0.25,-1.5,2,1,-0.75,0.100000001,4,-3.29999995,0,0,0,0,0,0,0,0,0,0,0,0,nan,1,1,1,1,1,1,1,1,1,1,1,1,inf,2,2,2,2,2,2,2,2,2,2,9.9999461e-41,-3.00003988e-41,0,0,0,0,0,0,0,0,0,0,0.5,1.5,2.5,-0.5,-1.5,-2.5,127,3.5,4.5,5.5,-126.5,0 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --input 6x12xf32=1,-2,3,0.5,0.25,-1.5,2,1,-0.75,0.100000001,4,-3.29999995,0,0,0,0,0,0,0,0,0,0,0,0,nan,1,1,1,1,1,1,1,1,1,1,1,1,inf,2,2,2,2,2,2,2,2,2,2,9.9999461e-41,-3.00003988e-41,0,0,0,0,0,0,0,0,0,0,0.5,1.5,2.5,-0.5,-1.5,-2.5,127,3.5,4.5,5.5,-126.5,0 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --cpu generic --input 6x12xf32=1,-2,3,0.5,0.25,-1.5,2,1,-0.75,0.100000001,4,-3.29999995,0,0,0,0,0,0,0,0,0,0,0,0,nan,1,1,1,1,1,1,1,1,1,1,1,1,inf,2,2,2,2,2,2,2,2,2,2,9.9999461e-41,-3.00003988e-41,0,0,0,0,0,0,0,0,0,0,0.5,1.5,2.5,-0.5,-1.5,-2.5,127,3.5,4.5,5.5,-126.5,0 | FileCheck %s --match-full-lines
// RUN(x86-64-v3): quern opt %s --lower-to-integer --emit=run --cpu x86-64-v3 --input 6x12xf32=1,-2,3,0.5,0.25,-1.5,2,1,-0.75,0.100000001,4,-3.29999995,0,0,0,0,0,0,0,0,0,0,0,0,nan,1,1,1,1,1,1,1,1,1,1,1,1,inf,2,2,2,2,2,2,2,2,2,2,9.9999461e-41,-3.00003988e-41,0,0,0,0,0,0,0,0,0,0,0.5,1.5,2.5,-0.5,-1.5,-2.5,127,3.5,4.5,5.5,-126.5,0 | FileCheck %s --match-full-lines
// CHECK: dense<[{{\[}}-2.48503947, 50.6157455, -29.686615], [0.000000e+00, 0.000000e+00, 0.000000e+00], [0x7FC00000, 0x7FC00000, 0x7FC00000], [0x7FC00000, 0x7FC00000, 0x7FC00000], [0.000000e+00, 0.000000e+00, 0.000000e+00], [3.585000e+02, -629.149963, -4429.7251]]> : tensor<6x3xf32>
// CHECK-NEXT: dense<[{{\[}}0.000000e+00, 0.000000e+00, 0.000000e+00], [5.000000e-01, 0.000000e+00, 2.500000e-01], [0x7FC00000, 0x7FC00000, 0x7FC00000], [0x7FC00000, 0x7FC00000, 0x7FC00000], [5.000000e-01, 0.000000e+00, 2.500000e-01], [3.590000e+02, 0.000000e+00, 0.000000e+00]]> : tensor<6x3xf32>
func.func @main(%x: tensor<6x12xf32>) -> (tensor<6x3xf32>, tensor<6x3xf32>) {
  %w = "ml.const"() {value = dense<[[0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7], [3, 9, 15, 5, 11, 1, 7, 13, 3, 9, 15, 5], [6, 13, 4, 11, 2, 9, 0, 7, 14, 5, 12, 3]]> : tensor<3x12xui8>} : () -> tensor<3x12xui8>
  %s = "ml.const"() {value = dense<[[0.5, 0.100000001, 0.300000012], [1.5, 0.25, 0.699999988], [0.0625, 2.0, 0.899999976]]> : tensor<3x3xf32>} : () -> tensor<3x3xf32>
  %z = "ml.const"() {value = dense<[[8, 7, 9], [8, 8, 8], [0, 15, 8]]> : tensor<3x3xui8>} : () -> tensor<3x3xui8>
  %b = "ml.const"() {value = dense<[0.5, -1.0e+02, 0.25]> : tensor<3xf32>} : () -> tensor<3xf32>
  %q:3 = "ml.quantize_rows"(%x) {block = 5 : i64, rows = 1 : i64, scheme = "row8"} : (tensor<6x12xf32>) -> (tensor<6x12xi8>, tensor<6xf32>, tensor<6x3xi32>)
  %0 = "ml.block_linear"(%q#0, %q#1, %q#2, %w, %s, %z) {block = 5 : i64} : (tensor<6x12xi8>, tensor<6xf32>, tensor<6x3xi32>, tensor<3x12xui8>, tensor<3x3xf32>, tensor<3x3xui8>) -> tensor<6x3xf32>
  %1 = "ml.block_linear"(%q#0, %q#1, %q#2, %w, %s, %z, %b) {activation = "relu", block = 5 : i64} : (tensor<6x12xi8>, tensor<6xf32>, tensor<6x3xi32>, tensor<3x12xui8>, tensor<3x3xf32>, tensor<3x3xui8>, tensor<3xf32>) -> tensor<6x3xf32>
  return %0, %1 : tensor<6x3xf32>, tensor<6x3xf32>
}
