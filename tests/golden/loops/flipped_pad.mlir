// The kernel that pads an input of the model flips the sign bits of its bytes, so that the products need not; a level whose
// products take signed bytes only pads. The results stay the same.
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s --check-prefix=FLIPPED
// RUN: quern opt %s --compile --config cpu=armv8-i8mm | FileCheck %s --check-prefix=SIGNED
// RUN: quern opt %s --emit interpret --input 1x1x3x4xi8=5,-7,100,-128,127,0,-1,1,64,-64,-3,9 | FileCheck %s --check-prefix=VALUES
// RUN: quern opt %s --emit run --input 1x1x3x4xi8=5,-7,100,-128,127,0,-1,1,64,-64,-3,9 | FileCheck %s --check-prefix=VALUES
// RUN(x86-64-v3): quern opt %s --emit run --config cpu=x86-64-v3 --input 1x1x3x4xi8=5,-7,100,-128,127,0,-1,1,64,-64,-3,9 | FileCheck %s --check-prefix=VALUES
// MLIR-OPT: none
// FLIPPED: func.func private @pad_
// FLIPPED: arith.xori
// FLIPPED: func.func private @conv_
// FLIPPED-NOT: arith.xori
// FLIPPED: func.func @main
// SIGNED: func.func private @pad_
// SIGNED-NOT: arith.xori
// VALUES: {{\[}}3, -12, -16, -4], [7, 17, -7, 4], [58, -4, -9, -69]]
func.func @main(%x: tensor<1x1x3x4xi8>) -> tensor<1x1x3x4xi8> {
  %w = "ml.const"() {value = dense<[[[[3, 1, -2, 5], [7, -9, 1, 4], [2, 2, 6, -3]]], [[[-1, 0, 8, 2], [5, 5, -4, 1], [0, 3, -7, 2]]], [[[1, 1, 1, 1], [-6, 2, 2, 9], [4, -4, 1, 0]]], [[[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]]]> : tensor<4x1x3x4xi8>} : () -> tensor<4x1x3x4xi8>
  %b = "ml.const"() {value = dense<[100, -200, 5, 0]> : tensor<4xi32>} : () -> tensor<4xi32>
  %m = "ml.const"() {value = dense<1234567890> : tensor<4xi32>} : () -> tensor<4xi32>
  %s = "ml.const"() {value = dense<[-4, -5, -4, 1]> : tensor<4xi32>} : () -> tensor<4xi32>
  %0 = "ml.integer_conv"(%x, %w, %b, %m, %s) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = -3 : i64, weight_zero_point = 0 : i64, output_zero_point = 1 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x1x3x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<1x1x3x4xi8>
  return %0 : tensor<1x1x3x4xi8>
}
