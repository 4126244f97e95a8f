// Integer forms on 16-bit activations; one error per line.
// RUN: %opt %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
func.func @linear(%x: tensor<2x4xi16>, %i: tensor<2x4xi8>, %w: tensor<3x4xi8>, %b: tensor<3xi64>, %n: tensor<3xi32>) {
  %0 = "ml.integer_linear"(%x, %w, %b, %n, %n) {input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "reduced", min = -32768 : i64, max = 32767 : i64} : (tensor<2x4xi16>, tensor<3x4xi8>, tensor<3xi64>, tensor<3xi32>, tensor<3xi32>) -> tensor<2x3xi16>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_linear' op takes i16 with zero point 0 only
  %1 = "ml.integer_linear"(%x, %w, %b, %n, %n) {input_zero_point = 1 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "reduced", min = -32768 : i64, max = 32767 : i64} : (tensor<2x4xi16>, tensor<3x4xi8>, tensor<3xi64>, tensor<3xi32>, tensor<3xi32>) -> tensor<2x3xi16>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_linear' op rounds "reduced" accumulators of 64 bits only
  %2 = "ml.integer_linear"(%x, %w, %n, %n, %n) {input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "reduced", min = -32768 : i64, max = 32767 : i64} : (tensor<2x4xi16>, tensor<3x4xi8>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<2x3xi16>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_linear' op takes 8-bit tensors, and weights of 8 bits or i16
  %3 = "ml.integer_linear"(%x, %w, %b, %n, %n) {input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "reduced", min = -128 : i64, max = 127 : i64} : (tensor<2x4xi16>, tensor<3x4xi8>, tensor<3xi64>, tensor<3xi32>, tensor<3xi32>) -> tensor<2x3xi8>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_linear' op rounds "double" accumulators of 32 bits only
  %4 = "ml.integer_linear"(%x, %w, %b, %n, %n) {input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "double", min = -32768 : i64, max = 32767 : i64} : (tensor<2x4xi16>, tensor<3x4xi8>, tensor<3xi64>, tensor<3xi32>, tensor<3xi32>) -> tensor<2x3xi16>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_linear' op rounds to i16 "double", "real", "reduced" or "once"
  %5 = "ml.integer_linear"(%x, %w, %n, %n, %n) {input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "single", min = -32768 : i64, max = 32767 : i64} : (tensor<2x4xi16>, tensor<3x4xi8>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<2x3xi16>
  return
}
func.func @functions(%x: tensor<2x4xi16>, %i: tensor<2x4xi8>, %t: tensor<513xi16>, %s: tensor<512xi16>) {
  %0 = "ml.integer_sigmoid"(%x) {multiplier = 3 : i64, shift = 0 : i64} : (tensor<2x4xi16>) -> tensor<2x4xi16>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_tanh' op takes tensors of i16
  %1 = "ml.integer_tanh"(%i) {multiplier = 3 : i64, shift = 0 : i64} : (tensor<2x4xi8>) -> tensor<2x4xi16>
  %2 = "ml.integer_softmax16"(%x, %t, %t) {multiplier = 3 : i64, shift = 0 : i64} : (tensor<2x4xi16>, tensor<513xi16>, tensor<513xi16>) -> tensor<2x4xi16>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_softmax16' op takes tensors of i16 and two tables of 513
  %3 = "ml.integer_softmax16"(%x, %t, %s) {multiplier = 3 : i64, shift = 0 : i64} : (tensor<2x4xi16>, tensor<513xi16>, tensor<512xi16>) -> tensor<2x4xi16>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_softmax' op takes 8-bit tensors to an 8-bit tensor, or i8 to i16
  %4 = "ml.integer_softmax"(%x) {multiplier = 1073741824 : i64, shift = 3 : i64, diff_min = -100 : i64, output_zero_point = 0 : i64} : (tensor<2x4xi16>) -> tensor<2x4xi16>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_mul' op takes 8-bit tensors to an 8-bit tensor
  %5 = "ml.integer_mul"(%x, %i) {a_zero_point = 0 : i64, b_zero_point = 0 : i64, multiplier = 3 : i64, shift = 0 : i64, output_zero_point = 0 : i64, min = -128 : i64, max = 127 : i64} : (tensor<2x4xi16>, tensor<2x4xi8>) -> tensor<2x4xi8>
  return
}
