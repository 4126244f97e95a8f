// Shapes of normalizations and their parameters; one error per line.
// RUN: %opt %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
func.func @norms(%x: tensor<2x3x4x5xf32>, %c: tensor<5xf32>, %d: tensor<4xf32>, %i: tensor<5xi32>, %r: tensor<4x5xf32>, %s: tensor<2x3xf32>) {
  // CHECK: error: 'ml.batch_norm' op axis 4 is out of range
  "ml.batch_norm"(%x, %c, %c) {axis = 4 : i64} : (tensor<2x3x4x5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<2x3x4x5xf32>
  // CHECK: error: 'ml.batch_norm' op operand #2 is 'tensor<4xf32>', which does not fit
  "ml.batch_norm"(%x, %c, %d) {axis = 3 : i64} : (tensor<2x3x4x5xf32>, tensor<5xf32>, tensor<4xf32>) -> tensor<2x3x4x5xf32>
  // CHECK: error: 'ml.batch_norm' op takes quantized tensors or floats
  "ml.batch_norm"(%x, %c, %i) {axis = 3 : i64} : (tensor<2x3x4x5xf32>, tensor<5xf32>, tensor<5xi32>) -> tensor<2x3x4x5xf32>
  // CHECK: error: 'ml.batch_norm' op has an epsilon that is not from 0 to 1
  "ml.batch_norm"(%x, %c, %c) {axis = 3 : i64, epsilon = -1.0 : f64} : (tensor<2x3x4x5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<2x3x4x5xf32>
  // CHECK: error: 'ml.batch_norm' op result is
  "ml.batch_norm"(%x, %c, %c) {axis = 3 : i64} : (tensor<2x3x4x5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<2x3x4xf32>
  // CHECK: error: 'ml.batch_norm' op mixes elements
  "ml.batch_norm"(%x, %c, %c) {axis = 3 : i64} : (tensor<2x3x4x5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<2x3x4x5xf16>
  // CHECK: error: 'ml.layer_norm' op axis 2 is out of range or order
  "ml.layer_norm"(%x) {axes = array<i64: 3, 2>} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  // CHECK: error: 'ml.layer_norm' op axis 4 is out of range or order
  "ml.layer_norm"(%x) {axes = array<i64: 4>} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  // CHECK: error: 'ml.layer_norm' op operand #1 is 'tensor<5xf32>', which does not fit
  "ml.layer_norm"(%x, %c, %c) {axes = array<i64: 2, 3>} : (tensor<2x3x4x5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<2x3x4x5xf32>
  "ml.layer_norm"(%x, %r, %r) {axes = array<i64: 2, 3>} : (tensor<2x3x4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<2x3x4x5xf32>
  // CHECK: error: 'ml.instance_norm' op axis 0 is the batch
  "ml.instance_norm"(%x) {axis = 0 : i64} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  // CHECK: error: 'ml.instance_norm' op the operand must have batch, channels and more
  "ml.instance_norm"(%s) {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
