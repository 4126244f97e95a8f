// Incompatible operands of matrix products; one error per line.
// RUN: %opt %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
func.func @f(%m: tensor<2x3xf32>, %b: tensor<4x2x3xf32>, %c: tensor<5x3x2xf32>, %v: tensor<3xf32>, %s: tensor<f32>, %i: tensor<3x2xi8>, %w: tensor<2x3xi16>) {
  // CHECK: [[#@LINE+1]]:3: error: 'ml.matmul' op the operands have different numbers to sum over
  "ml.matmul"(%m, %m) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: [[#@LINE+1]]:3: error: 'ml.matmul' op the operands' batches do not broadcast
  "ml.matmul"(%b, %c) : (tensor<4x2x3xf32>, tensor<5x3x2xf32>) -> tensor<4x2x2xf32>
  // CHECK: [[#@LINE+1]]:3: error: 'ml.matmul' op a vector can't be transposed
  "ml.matmul"(%v, %m) {transpose_x = true, transpose_y = true} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK: [[#@LINE+1]]:3: error: 'ml.matmul' op the operands must have a dimension
  "ml.matmul"(%s, %m) : (tensor<f32>, tensor<2x3xf32>) -> tensor<3xf32>
  // CHECK: [[#@LINE+1]]:3: error: 'ml.matmul' op result is 'tensor<2x3xf32>', but from operands and attributes follows 'tensor<2x2xf32>'
  "ml.matmul"(%m, %m) {transpose_y = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: [[#@LINE+1]]:3: error: 'ml.matmul' op takes quantized tensors or floats
  "ml.matmul"(%m, %i) : (tensor<2x3xf32>, tensor<3x2xi8>) -> tensor<2x2xf32>
  // CHECK: [[#@LINE+1]]:3: error: 'ml.integer_matmul' op takes 8-bit tensors to an 8-bit tensor
  "ml.integer_matmul"(%w, %i) {a_zero_point = 0 : i64, b_zero_point = 0 : i64, multiplier = 1073741824 : i64, shift = 0 : i64, output_zero_point = 0 : i64, min = -128 : i64, max = 127 : i64} : (tensor<2x3xi16>, tensor<3x2xi8>) -> tensor<2x2xi8>
  // CHECK: [[#@LINE+1]]:3: error: 'ml.integer_matmul' op the operands have different numbers to sum over
  "ml.integer_matmul"(%i, %i) {a_zero_point = 0 : i64, b_zero_point = 0 : i64, multiplier = 1073741824 : i64, shift = 0 : i64, output_zero_point = 0 : i64, min = -128 : i64, max = 127 : i64} : (tensor<3x2xi8>, tensor<3x2xi8>) -> tensor<3x2xi8>
  return
}
