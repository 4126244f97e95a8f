// Transposed convolutions multiply no zeros between the elements of x: each phase of the strides is a convolution, and
// phases that read the same elements are channels of one.
// RUN: %opt --pass lower-to-integer %s | FileCheck %s
// RUN: quern opt %s --emit=interpret --function one --input 1x2x2x1xi8=1,2,3,4 | FileCheck %s --check-prefix=ONE
// RUN: quern opt %s --lower-to-integer --emit=run --function one --input 1x2x2x1xi8=1,2,3,4 | FileCheck %s --check-prefix=ONE
// RUN: quern opt %s --emit=interpret --function four --input 1x2x2x1xf32=1,2,3,4 | FileCheck %s --check-prefix=FOUR
// RUN: quern opt %s --lower-to-integer --emit=run --function four --input 1x2x2x1xf32=1,2,3,4 | FileCheck %s --check-prefix=FOUR
!q = !quant.uniform<i8:f32, 0.5:1>
!w = !quant.uniform<i8:f32:0, {0.5, 0.25}>
!y = !quant.uniform<i8:f32, 0.25:-2>

// Two filters in four phases: eight channels. x - 1 is 0, 1, 2, 3. The last
// result of the first filter is (3 * 4 + 4) * 0.5 * 0.5 in steps of 0.25 from -2.
// ONE{LITERAL}: dense<[[[[2, 6], [2, 6], [3, 7], [4, 7]], [[2, 6], [2, 6], [5, 8], [6, 8]], [[4, 7], [6, 8], [5, 8], [8, 9]], [[8, 9], [10, 10], [11, 11], [14, 12]]]]>
// CHECK-LABEL: func.func @one
// CHECK-NOT: ml.pad
// CHECK: ml.integer_conv{{.*}}tensor<8x1x1x1xi8>{{.*}}-> tensor<1x2x2x8xi8>
// CHECK-NOT: ml.integer_conv
func.func @one(%x: tensor<1x2x2x1x!q>) -> tensor<1x4x4x2x!y> {
  %w = "ml.const"() {value = dense<[[[[1], [2]], [[3], [4]]], [[[1], [2]], [[3], [4]]]]> : tensor<2x2x2x1xi8>} : () -> tensor<2x2x2x1x!w>
  %b = "ml.const"() {value = dense<[4, 16]> : tensor<2xi32>} : () -> tensor<2xi32>
  %0 = "ml.conv_transpose"(%x, %w, %b) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x1x!q>, tensor<2x2x2x1x!w>, tensor<2xi32>) -> tensor<1x4x4x2x!y>
  return %0 : tensor<1x4x4x2x!y>
}

// A kernel of three rows: its first and third weight reach even rows, its second odd rows. The last row is cut off.
// FOUR{LITERAL}: dense<[[[[1.000000e+00], [1.000000e+01], [1.020000e+02]], [[1.000000e+00], [1.000000e+01], [1.020000e+02]], [[4.000000e+00], [4.000000e+01], [4.060000e+02]]]]> : tensor<1x3x3x1xf32>
// CHECK-LABEL: func.func @four
// CHECK-DAG: ml.conv{{.*}}tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
// CHECK-DAG: ml.conv{{.*}}tensor<1x2x1x1xf32>) -> tensor<1x2x2x1xf32>
// CHECK-DAG: ml.conv{{.*}}tensor<1x1x2x1xf32>) -> tensor<1x2x2x1xf32>
// CHECK-DAG: ml.conv{{.*}}tensor<1x1x1x1xf32>) -> tensor<1x2x2x1xf32>
// CHECK: return
func.func @four(%x: tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32> {
  %w = "ml.const"() {value = dense<[[[[1.0], [10.0], [100.0]], [[1.0], [10.0], [100.0]], [[1.0], [10.0], [100.0]]]]> : tensor<1x3x3x1xf32>} : () -> tensor<1x3x3x1xf32>
  %0 = "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 2>, pad = array<i64: 0, 2, 0, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x1xf32>, tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
  return %0 : tensor<1x3x3x1xf32>
}
