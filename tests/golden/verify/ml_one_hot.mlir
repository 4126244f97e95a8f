// Invalid operands of ml.one_hot; one error per line.
// RUN: %opt %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
func.func @one_hot(%i: tensor<2xi32>, %f: tensor<2xf32>, %v: tensor<f32>, %s: tensor<1x1xf32>, %w: tensor<f64>) {
  "ml.one_hot"(%i, %v, %s) {axis = 0 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<1x1xf32>) -> tensor<3x2xf32>
  // CHECK: error: 'ml.one_hot' op axis 2 is out of range
  "ml.one_hot"(%i, %v, %v) {axis = 2 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK: error: 'ml.one_hot' op result is 'tensor<2x3xf32>'
  "ml.one_hot"(%i, %v, %v) {axis = 0 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK: error: 'ml.one_hot' op takes indices of i32 or i64, not 'tensor<2xf32>'
  "ml.one_hot"(%f, %v, %v) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK: error: 'ml.one_hot' op takes one element, not 'tensor<2xf32>'
  "ml.one_hot"(%i, %v, %f) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<2xf32>) -> tensor<2x3xf32>
  // CHECK: error: 'ml.one_hot' op moves elements of 'tensor<f64>' to 'tensor<2x3xf32>'
  "ml.one_hot"(%i, %w, %v) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f64>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK: error: 'ml.one_hot' op attribute 'depth'
  "ml.one_hot"(%i, %v, %v) {axis = 1 : i64, depth = 0 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x0xf32>
  return
}
