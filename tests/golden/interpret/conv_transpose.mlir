// Transposed convolutions: each element of x adds its products to the result. In floats of every width, quantized, in
// groups, with constant and runtime weights. Rows that no tap reaches hold the bias alone.
// RUN: quern opt %s --emit=interpret --function reals --input 1x2x2x1xf32=1,2,3,4 --input 2x2x2x1xf32=1,10,100,1000,-1,-10,-100,-1000 | FileCheck %s --check-prefix=REALS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function reals --input 1x2x2x1xf32=1,2,3,4 --input 2x2x2x1xf32=1,10,100,1000,-1,-10,-100,-1000 | FileCheck %s --check-prefix=REALS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function reals --input 1x2x2x1xf32=1,2,3,4 --input 2x2x2x1xf32=1,10,100,1000,-1,-10,-100,-1000 | FileCheck %s --check-prefix=REALS --match-full-lines
// RUN: quern opt %s --emit=interpret --function halves --input 1x2x2x1xf32=1,2,3,4 | FileCheck %s --check-prefix=HALVES --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function halves --input 1x2x2x1xf32=1,2,3,4 | FileCheck %s --check-prefix=HALVES --match-full-lines
// RUN: quern opt %s --emit=interpret --function stored --input 1x1x2x2xi8=3,4,5,6 | FileCheck %s --check-prefix=STORED --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function stored --input 1x1x2x2xi8=3,4,5,6 | FileCheck %s --check-prefix=STORED --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function stored --input 1x1x2x2xi8=3,4,5,6 | FileCheck %s --check-prefix=STORED --match-full-lines
// RUN: quern opt %s --lower-to-integer | FileCheck %s --check-prefix=FORM
// RUN: quern opt %s --emit=interpret --function volumes --input 1x1x2x1x1xf32=1,2 | FileCheck %s --check-prefix=VOLUMES --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function volumes --input 1x1x2x1x1xf32=1,2 | FileCheck %s --check-prefix=VOLUMES --match-full-lines
// REALS: dense<{{\[}}[{{\[}}[1.000000e+00, -1.000000e+00], [1.200000e+01, -1.200000e+01], [2.000000e+01, -2.000000e+01]], {{\[}}[1.030000e+02, -1.030000e+02], [1.234000e+03, -1.234000e+03], [2.040000e+03, -2.040000e+03]], {{\[}}[3.000000e+02, -3.000000e+02], [3.400000e+03, -3.400000e+03], [4.000000e+03, -4.000000e+03]]]]> : tensor<1x3x3x2xf32>
// REALS-NEXT: dense<{{\[}}[{{\[}}[1.500000e+00, 0.000000e+00], [1.050000e+01, 0.000000e+00], [2.500000e+00, 0.000000e+00], [2.050000e+01, 0.000000e+00]], {{\[}}[1.005000e+02, 0.000000e+00], [1.000500e+03, 0.000000e+00], [2.005000e+02, 0.000000e+00], [2.000500e+03, 0.000000e+00]], {{\[}}[3.500000e+00, 0.000000e+00], [3.050000e+01, 0.000000e+00], [4.500000e+00, 0.000000e+00], [4.050000e+01, 0.000000e+00]], {{\[}}[3.005000e+02, 0.000000e+00], [3.000500e+03, 0.000000e+00], [4.005000e+02, 0.000000e+00], [4.000500e+03, 0.000000e+00]]]]> : tensor<1x4x4x2xf32>
// REALS-NEXT: dense<{{\[}}[{{\[}}[3.050000e+01, -2.975000e+01], [5.000000e-01, 2.500000e-01], [4.500000e+00, -3.750000e+00], [4.050000e+01, -3.975000e+01], [5.000000e-01, 2.500000e-01]], {{\[}}[3.000500e+03, -2.999750e+03], [5.000000e-01, 2.500000e-01], [4.005000e+02, -3.997500e+02], [4.000500e+03, -3.999750e+03], [5.000000e-01, 2.500000e-01]]]]> : tensor<1x2x5x2xf32>
// HALVES: dense<{{\[}}[{{\[}}[1.000000e+00], [2.500000e-01], [2.000000e+00], [5.000000e-01]], {{\[}}[3.062500e+00], [0.750976563], [4.125000e+00], [1.00195313]], {{\[}}[1.875000e-01], [0.00300216675], [2.500000e-01], [0.00400161743]]]]> : tensor<1x3x4x1xf32>
// STORED: dense<{{\[}}[{{\[}}[4, -1], [6, -12], [6, 2], [10, -16]], {{\[}}[2, -6], [2, -6], [2, -6], [2, -6]]]]> : tensor<1x2x4x2x{{.*}}>
// VOLUMES: dense<{{\[}}[{{\[}}[{{\[}}1.000000e+00]], {{\[}}[1.200000e+01]], {{\[}}[2.000000e+01]]], {{\[}}[{{\[}}1.000000e+02]], {{\[}}[1.200000e+03]], {{\[}}[2.000000e+03]]]]]> : tensor<1x2x3x1x1xf32>
// FORM-NOT: ml.conv_transpose
// FORM: ml.integer_conv
!q = !quant.uniform<i8:f32, 0.5:1>
!w = !quant.uniform<i8:f32:0, {0.5, 0.25}>
!y = !quant.uniform<i8:f32, 0.25:-2>
func.func @reals(%x: tensor<1x2x2x1xf32>, %w: tensor<2x2x2x1xf32>) -> (tensor<1x3x3x2xf32>, tensor<1x4x4x2xf32>, tensor<1x2x5x2xf32>) {
  %b = "ml.const"() {value = dense<[0.5, 0.25]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.conv_transpose"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x1xf32>, tensor<2x2x2x1xf32>) -> tensor<1x3x3x2xf32>
  %1 = "ml.conv_transpose"(%x, %w, %b) {activation = "relu", strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x1xf32>, tensor<2x2x2x1xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %2 = "ml.conv_transpose"(%x, %w, %b) {strides = array<i64: 2, 3>, pad = array<i64: 2, 0, 1, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, output_shape = array<i64: 2, 5>} : (tensor<1x2x2x1xf32>, tensor<2x2x2x1xf32>, tensor<2xf32>) -> tensor<1x2x5x2xf32>
  return %0, %1, %2 : tensor<1x3x3x2xf32>, tensor<1x4x4x2xf32>, tensor<1x2x5x2xf32>
}
func.func @halves(%x: tensor<1x2x2x1xf32>) -> tensor<1x3x4x1xf32> {
  %h = arith.truncf %x : tensor<1x2x2x1xf32> to tensor<1x2x2x1xf16>
  %k = "ml.const"() {value = dense<[[[[1.0], [0.25]], [[0.0625], [0.001]]]]> : tensor<1x2x2x1xf16>} : () -> tensor<1x2x2x1xf16>
  %0 = "ml.conv_transpose"(%h, %k) {strides = array<i64: 1, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x1xf16>, tensor<1x2x2x1xf16>) -> tensor<1x3x4x1xf16>
  %1 = arith.extf %0 : tensor<1x3x4x1xf16> to tensor<1x3x4x1xf32>
  return %1 : tensor<1x3x4x1xf32>
}
// Channels of two groups, zeros that equal the zero point, a scale per filter.
func.func @stored(%x: tensor<1x1x2x2x!q>) -> tensor<1x2x4x2x!y> {
  %w = "ml.const"() {value = dense<[[[[1], [2]]], [[[3], [-4]]]]> : tensor<2x1x2x1xi8>} : () -> tensor<2x1x2x1x!w>
  %b = "ml.const"() {value = dense<[4, -8]> : tensor<2xi32>} : () -> tensor<2xi32>
  %0 = "ml.conv_transpose"(%x, %w, %b) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, output_shape = array<i64: 2, 4>} : (tensor<1x1x2x2x!q>, tensor<2x1x2x1x!w>, tensor<2xi32>) -> tensor<1x2x4x2x!y>
  return %0 : tensor<1x2x4x2x!y>
}
func.func @volumes(%x: tensor<1x1x2x1x1xf32>) -> tensor<1x2x3x1x1xf32> {
  %w = "ml.const"() {value = dense<[[[[[1.0]], [[10.0]]], [[[100.0]], [[1000.0]]]]]> : tensor<1x2x2x1x1xf32>} : () -> tensor<1x2x2x1x1xf32>
  %0 = "ml.conv_transpose"(%x, %w) {strides = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 0>, dilations = array<i64: 1, 1, 1>, groups = 1 : i64} : (tensor<1x1x2x1x1xf32>, tensor<1x2x2x1x1xf32>) -> tensor<1x2x3x1x1xf32>
  return %0 : tensor<1x2x3x1x1xf32>
}
