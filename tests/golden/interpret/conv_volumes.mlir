// 3-D convolutions add over rows, columns, planes and channels in this order, in floats and quantized: with padding of
// planes, strides and dilations along them, groups, constant and runtime weights.
// RUN: quern opt %s --emit=interpret --function reals --input 1x3x2x2x2xf32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24 --input 2x2x2x1x1xf32=1,10,100,1000,-1,-10,-100,-1000 | FileCheck %s --check-prefix=REALS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function reals --input 1x3x2x2x2xf32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24 --input 2x2x2x1x1xf32=1,10,100,1000,-1,-10,-100,-1000 | FileCheck %s --check-prefix=REALS --match-full-lines
// RUN: quern opt %s --emit=interpret --function stored --input 1x2x2x1x1xi8=3,4,5,6 | FileCheck %s --check-prefix=STORED --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function stored --input 1x2x2x1x1xi8=3,4,5,6 | FileCheck %s --check-prefix=STORED --match-full-lines
// RUN: quern opt %s --lower-to-integer | FileCheck %s --check-prefix=FORM
// FORM: ml.gather
// FORM: ml.conv{{.*}}: (tensor<{{[0-9]+}}x{{[0-9]+}}x{{[0-9]+}}x{{[0-9]+}}xf32>
// FORM: ml.integer_conv
// REALS: dense<[{{\[}}[{{\[}}[1.395150e+04, -15061.75], [1.617350e+04, -17283.75]]], [{{\[}}[2.283950e+04, -23949.75], [2.506150e+04, -26171.75]]]]]> : tensor<1x2x1x2x2xf32>
// REALS-NEXT: dense<[{{\[}}[{{\[}}[6.700000e+01, 7.000000e+00], [8.100000e+01, 8.500000e+00]]], [{{\[}}[2.900000e+01, 0.000000e+00], [3.500000e+01, 0.000000e+00]]]]]> : tensor<1x2x1x2x2xf32>
// STORED: dense<[{{\[}}[{{\[}}[6, -10]], [{{\[}}8, -12]]], [{{\[}}[12, -11]], [{{\[}}15, -11]]], [{{\[}}[6, 0]], [{{\[}}7, 2]]]]]> : tensor<1x3x2x1x2x{{.*}}>
!q = !quant.uniform<i8:f32, 0.5:1>
!w = !quant.uniform<i8:f32:0, {0.5, 0.25}>
!y = !quant.uniform<i8:f32, 0.25:-2>
func.func @reals(%x: tensor<1x3x2x2x2xf32>, %w: tensor<2x2x2x1x1xf32>) -> (tensor<1x2x1x2x2xf32>, tensor<1x2x1x2x2xf32>) {
  %b = "ml.const"() {value = dense<[0.5, 0.25]> : tensor<2xf32>} : () -> tensor<2xf32>
  %k = "ml.const"() {value = dense<[[[[[1.0, 2.0]]], [[[3.0, 4.0]]]], [[[[-1.0, -2.0]]], [[[0.5, 0.25]]]]]> : tensor<2x2x1x1x2xf32>} : () -> tensor<2x2x1x1x2xf32>
  %0 = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 0>, dilations = array<i64: 1, 1, 1>, groups = 2 : i64} : (tensor<1x3x2x2x2xf32>, tensor<2x2x2x1x1xf32>, tensor<2xf32>) -> tensor<1x2x1x2x2xf32>
  %1 = "ml.conv"(%x, %k) {activation = "relu", strides = array<i64: 2, 2, 1>, pad = array<i64: 1, 1, 0, 0, 0, 0>, dilations = array<i64: 2, 1, 1>, groups = 1 : i64} : (tensor<1x3x2x2x2xf32>, tensor<2x2x1x1x2xf32>) -> tensor<1x2x1x2x2xf32>
  return %0, %1 : tensor<1x2x1x2x2xf32>, tensor<1x2x1x2x2xf32>
}
func.func @stored(%x: tensor<1x2x2x1x1x!q>) -> tensor<1x3x2x1x2x!y> {
  %w = "ml.const"() {value = dense<[[[[[1]]], [[[2]]]], [[[[3]]], [[[-4]]]]]> : tensor<2x2x1x1x1xi8>} : () -> tensor<2x2x1x1x1x!w>
  %b = "ml.const"() {value = dense<[4, -8]> : tensor<2xi32>} : () -> tensor<2xi32>
  %0 = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1, 1>, pad = array<i64: 1, 1, 0, 0, 0, 0>, dilations = array<i64: 1, 1, 1>, groups = 1 : i64} : (tensor<1x2x2x1x1x!q>, tensor<2x2x1x1x1x!w>, tensor<2xi32>) -> tensor<1x3x2x1x2x!y>
  return %0 : tensor<1x3x2x1x2x!y>
}
