// Ops on constants become constants where that is no larger than what they read, or small: a range, and what reads it; a transposed
// matrix. A constant that grows stays to be prepared, and so do weights that a kernel widens in registers.
// RUN: quern opt %s --fold-constants | FileCheck %s
// MLIR-OPT: none
// CHECK-LABEL: func.func @main
// CHECK-DAG: dense<[0, 2, 4, 6]> : tensor<4xi32>
// CHECK-DAG: %[[WEIGHTS:.*]] = "ml.const"() {{.*}} : () -> tensor<8x4xi8>
// CHECK-NOT: ml.transpose
// CHECK-NOT: ml.reshape
// CHECK: "ml.dequantize_float"(%[[WEIGHTS]])
// CHECK: "ml.linear"
// CHECK: "ml.dequantize_float"
// CHECK-NOT: linalg.generic
#map = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<3x4xf32>) -> (tensor<4xi32>, tensor<40x20xf32>, tensor<3x8xf32>, tensor<2000xf32>) {
  %empty = tensor.empty() : tensor<4xi32>
  %two = arith.constant 2 : i32
  %range = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%empty : tensor<4xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %m = arith.muli %n, %two : i32
    linalg.yield %m : i32
  } -> tensor<4xi32>
  %square = "ml.reshape"(%range) : (tensor<4xi32>) -> tensor<4xi32>
  %matrix = "ml.const"() {value = dense<1.5> : tensor<20x40xf32>} : () -> tensor<20x40xf32>
  %turned = "ml.transpose"(%matrix) {perm = array<i64: 1, 0>} : (tensor<20x40xf32>) -> tensor<40x20xf32>
  %w = "ml.const"() {value = dense<3> : tensor<8x4xi8>} : () -> tensor<8x4xi8>
  %wide = "ml.dequantize_float"(%w) {scale = 0.5 : f32, zero_point = 0 : i64} : (tensor<8x4xi8>) -> tensor<8x4xf32>
  %y = "ml.linear"(%x, %wide) : (tensor<3x4xf32>, tensor<8x4xf32>) -> tensor<3x8xf32>
  %long = "ml.const"() {value = dense<3> : tensor<2000xi8>} : () -> tensor<2000xi8>
  %grown = "ml.dequantize_float"(%long) {scale = 0.5 : f32, zero_point = 0 : i64} : (tensor<2000xi8>) -> tensor<2000xf32>
  return %square, %turned, %y, %grown : tensor<4xi32>, tensor<40x20xf32>, tensor<3x8xf32>, tensor<2000xf32>
}
