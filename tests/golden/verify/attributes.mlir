// Attributes are checked against their declarations: names, words, ranges. A misspelt name is an error, not a
// default. A name with a dialect prefix, and any name on an upstream op, belongs to the user.
// RUN: %opt %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
func.func @names(%x: tensor<2xf32>, %w: tensor<3x2xf32>) {
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.linear' op has no attribute 'activaton'; did you mean 'activation'?
  %0 = "ml.linear"(%x, %w) {activaton = "relu"} : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3xf32>
  // CHECK: [[#@LINE+2]]:{{.*}}error: 'ml.linear' op has no attribute 'axis'
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.linear' op has no attribute 'mood'
  %1 = "ml.linear"(%x, %w) {axis = 1 : i64, mood = "good"} : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3xf32>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.relu' op has no attribute 'activation'
  %2 = "ml.relu"(%x) {activation = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  %3 = "ml.relu"(%x) {quern.name = "layer", mine.own = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  %4 = arith.negf %x {anything} : tensor<2xf32>
  return
}
func.func @words(%x: tensor<2xf32>, %w: tensor<3x2xf32>) {
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.linear' op unknown activation 'swish'; it is one of none,relu,relu6,relu_n1_to_1
  %0 = "ml.linear"(%x, %w) {activation = "swish"} : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3xf32>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.linear' op attribute 'activation' failed to satisfy constraint: string attribute
  %1 = "ml.linear"(%x, %w) {activation = 3 : i64} : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3xf32>
  return
}
func.func @ranges(%x: tensor<4x4xf32>) {
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.split' op attribute 'axis' is -1, out of [0, 2147483647]
  %0:2 = "ml.split"(%x) {axis = -1 : i64} : (tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.slice_by_index' op attribute 'end' has the value -2, out of [-1, 2147483647]
  %1 = "ml.slice_by_index"(%x) {begin = array<i64: 0, 0>, end = array<i64: 4, -2>, stride = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
