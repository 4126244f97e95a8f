// Shapes and elements of ops with states and of their integer forms; one error per line.
// RUN: %opt %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
!q = !quant.uniform<i8:f32, 0.5>
func.func @svdf(%x: tensor<1x3xf32>, %s: tensor<1x8xf32>, %f: tensor<4x3xf32>, %t: tensor<4x2xf32>, %b: tensor<3xi32>, %o: tensor<1x9xf32>, %d: tensor<4x5xf32>) {
  %0:2 = "ml.svdf"(%x, %s, %f, %t) {cell_activation = "none"} : (tensor<1x3xf32>, tensor<1x8xf32>, tensor<4x3xf32>, tensor<4x2xf32>) -> (tensor<1x2xf32>, tensor<1x8xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.svdf' op 4 filters are no multiple of 3 units
  %1:2 = "ml.svdf"(%x, %s, %f, %t) : (tensor<1x3xf32>, tensor<1x8xf32>, tensor<4x3xf32>, tensor<4x2xf32>) -> (tensor<1x3xf32>, tensor<1x8xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.svdf' op operand #1 is 'tensor<1x9xf32>', but 'tensor<1x8xf32>' follows from the others
  %2:2 = "ml.svdf"(%x, %o, %f, %t) : (tensor<1x3xf32>, tensor<1x9xf32>, tensor<4x3xf32>, tensor<4x2xf32>) -> (tensor<1x2xf32>, tensor<1x9xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.svdf' op operand #1 and result #1 are one state, but have two types
  %3:2 = "ml.svdf"(%x, %s, %f, %t) : (tensor<1x3xf32>, tensor<1x8xf32>, tensor<4x3xf32>, tensor<4x2xf32>) -> (tensor<1x2xf32>, tensor<1x9xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.svdf' op operand #2 is 'tensor<4x5xf32>', but 'tensor<4x3xf32>' follows from the others
  %4:2 = "ml.svdf"(%x, %s, %d, %t) : (tensor<1x3xf32>, tensor<1x8xf32>, tensor<4x5xf32>, tensor<4x2xf32>) -> (tensor<1x2xf32>, tensor<1x8xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.svdf' op operand #4 is 'tensor<3xi32>', but 'tensor<2xi32>' follows from the others
  %5:2 = "ml.svdf"(%x, %s, %f, %t, %b) : (tensor<1x3xf32>, tensor<1x8xf32>, tensor<4x3xf32>, tensor<4x2xf32>, tensor<3xi32>) -> (tensor<1x2xf32>, tensor<1x8xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.svdf' op attribute 'cell_activation' must be there on floats alone
  %6:2 = "ml.svdf"(%x, %s, %f, %t) : (tensor<1x3xf32>, tensor<1x8xf32>, tensor<4x3xf32>, tensor<4x2xf32>) -> (tensor<1x2xf32>, tensor<1x8xf32>)
  return
}
func.func @integer_svdf(%x: tensor<1x3xi8>, %s: tensor<1x8xi16>, %f: tensor<4x3xi8>, %t: tensor<4x2xi16>, %n: tensor<4x2xi8>, %b: tensor<2xi32>) {
  %0:2 = "ml.integer_svdf"(%x, %s, %f, %t, %b) {input_zero_point = 3 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1 : i64, output_zero_point = -5 : i64, shift = 3 : i64, state_multiplier = 1 : i64, state_shift = -3 : i64, state_zero_point = 0 : i64} : (tensor<1x3xi8>, tensor<1x8xi16>, tensor<4x3xi8>, tensor<4x2xi16>, tensor<2xi32>) -> (tensor<1x2xi8>, tensor<1x8xi16>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_svdf' op the state and its weights must both be i8 or both be i16
  %1:2 = "ml.integer_svdf"(%x, %s, %f, %n, %b) {input_zero_point = 3 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1 : i64, output_zero_point = -5 : i64, shift = 3 : i64, state_multiplier = 1 : i64, state_shift = -3 : i64, state_zero_point = 0 : i64} : (tensor<1x3xi8>, tensor<1x8xi16>, tensor<4x3xi8>, tensor<4x2xi8>, tensor<2xi32>) -> (tensor<1x2xi8>, tensor<1x8xi16>)
  return
}
func.func @lstm(%x: tensor<1x2x3xf32>, %h: tensor<1x2xf32>, %w: tensor<2x3xf32>, %r: tensor<2x2xf32>, %b: tensor<2xf32>) {
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.lstm' op operand #6 is 'tensor<2x2xf32>', but 'tensor<2x3xf32>' follows from the others
  %0:3 = "ml.lstm"(%x, %h, %h, %w, %w, %w, %r, %r, %r, %r, %r, %b, %b, %b, %b) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0>, time_major = false} : (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.lstm' op operand #1 is 'tensor<1x2xf32>', but 'tensor<2x2xf32>' follows from the others
  %1:3 = "ml.lstm"(%x, %h, %h, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0>, time_major = true} : (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.lstm' op 'operandSegmentSizes' has 5 for biases, but a cell has 4
  %2:3 = "ml.lstm"(%x, %h, %h, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %b) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 5, 0, 0, 0>, time_major = false} : (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.lstm' op 'operandSegmentSizes' has 1 for peephole weights, but a cell has 3 or none
  %7:3 = "ml.lstm"(%x, %h, %h, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %b) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 1, 0, 0>, time_major = false} : (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.lstm' op 'operandSegmentSizes' attribute for specifying operand segments must have 8 elements, but got 3
  %8:3 = "ml.lstm"(%x, %h, %h, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %b) {operandSegmentSizes = array<i32: 1, 2, 13>, time_major = false} : (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.lstm' op attribute 'gate_scales' needs 4 positive numbers where there are gains of integers
  %4:3 = "ml.lstm"(%x, %h, %h, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %b, %b, %b, %b) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 4, 0>, time_major = false, gate_scales = [1.0 : f32, 1.0 : f32, 0.0 : f32, 1.0 : f32]} : (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.lstm' op attribute 'gate_scales' needs 4 positive numbers where there are gains of integers
  %5:3 = "ml.lstm"(%x, %h, %h, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %b, %b, %b) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 3, 0, 0>, time_major = false, gate_scales = [1.0 : f32, 1.0 : f32, 1.0 : f32, 1.0 : f32]} : (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.lstm' op operand #15 is 'tensor<2x3xf32>', but 'tensor<2x2xf32>' follows from the others
  %6:3 = "ml.lstm"(%x, %h, %h, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %w, %b) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 2>, time_major = false} : (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x3xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>)
  return
}
func.func @quantized_lstm(%x: tensor<1x2x3x!q>, %h: tensor<1x2x!q>, %w: tensor<2x3x!q>, %r: tensor<2x2x!q>, %b: tensor<2x!q>) {
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.lstm' op attribute 'gate_scales' needs 4 positive numbers where there are gains of integers
  %0:3 = "ml.lstm"(%x, %h, %h, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %b, %b, %b, %b) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 4, 0>, time_major = false} : (tensor<1x2x3x!q>, tensor<1x2x!q>, tensor<1x2x!q>, tensor<2x3x!q>, tensor<2x3x!q>, tensor<2x3x!q>, tensor<2x3x!q>, tensor<2x2x!q>, tensor<2x2x!q>, tensor<2x2x!q>, tensor<2x2x!q>, tensor<2x!q>, tensor<2x!q>, tensor<2x!q>, tensor<2x!q>, tensor<2x!q>, tensor<2x!q>, tensor<2x!q>, tensor<2x!q>) -> (tensor<1x2x2x!q>, tensor<1x2x!q>, tensor<1x2x!q>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.lstm' op attribute 'gate_scales' needs 4 positive numbers where there are gains of integers
  %1:3 = "ml.lstm"(%x, %h, %h, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %b, %b, %b, %b) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 4, 0>, gate_scales = [1.0 : f32, 1.0 : f32, 0.0 : f32, 1.0 : f32], time_major = false} : (tensor<1x2x3x!q>, tensor<1x2x!q>, tensor<1x2x!q>, tensor<2x3x!q>, tensor<2x3x!q>, tensor<2x3x!q>, tensor<2x3x!q>, tensor<2x2x!q>, tensor<2x2x!q>, tensor<2x2x!q>, tensor<2x2x!q>, tensor<2x!q>, tensor<2x!q>, tensor<2x!q>, tensor<2x!q>, tensor<2x!q>, tensor<2x!q>, tensor<2x!q>, tensor<2x!q>) -> (tensor<1x2x2x!q>, tensor<1x2x!q>, tensor<1x2x!q>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.lstm' op only a cell on floats can be backward or have another activation than tanh
  %2:3 = "ml.lstm"(%x, %h, %h, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0>, backward = true, time_major = false} : (tensor<1x2x3x!q>, tensor<1x2x!q>, tensor<1x2x!q>, tensor<2x3x!q>, tensor<2x3x!q>, tensor<2x3x!q>, tensor<2x3x!q>, tensor<2x2x!q>, tensor<2x2x!q>, tensor<2x2x!q>, tensor<2x2x!q>, tensor<2x!q>, tensor<2x!q>, tensor<2x!q>, tensor<2x!q>) -> (tensor<1x2x2x!q>, tensor<1x2x!q>, tensor<1x2x!q>)
  return
}
func.func @rnn(%x: tensor<1x2x3xf32>, %h: tensor<1x2xf32>, %w: tensor<2x3xf32>, %r: tensor<2x2xf32>, %b: tensor<2xf32>, %i: tensor<2xi32>, %q: tensor<2x2x!q>) {
  %0:2 = "ml.rnn"(%x, %h, %w, %r, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0>, time_major = false} : (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2xf32>)
  %1:2 = "ml.rnn"(%x, %h, %w, %q, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0>, time_major = false} : (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2x!q>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.rnn' op operand #3 is 'tensor<2x3xf32>', but 'tensor<2x2xf32>' follows from the others
  %2:2 = "ml.rnn"(%x, %h, %w, %w, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0>, time_major = false} : (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.rnn' op operand #4 of a cell on floats must have elements of f32, but got 'tensor<2xi32>'
  %3:2 = "ml.rnn"(%x, %h, %w, %r, %i) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0>, time_major = false} : (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xi32>) -> (tensor<1x2x2xf32>, tensor<1x2xf32>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.rnn' op 'operandSegmentSizes' has 1 for gains, but a cell has 0
  %4:2 = "ml.rnn"(%x, %h, %w, %r, %b, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1, 0>, time_major = false} : (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2xf32>)
  return
}
func.func @integer_lstm(%v: tensor<1x2x3xi16>, %u: tensor<1x2xi16>, %x: tensor<1x2x3xi8>, %h: tensor<1x2xi8>, %c: tensor<1x2xi16>, %w: tensor<2x3xi8>, %r: tensor<2x2xi8>, %b: tensor<2xi32>, %m: tensor<8xi32>, %n: tensor<4xi32>) {
  %0:3 = "ml.integer_lstm"(%x, %h, %c, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %m, %m) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0, 2>, cell_limit = 0 : i64, cell_shift = -11 : i64, gates = "table", input_zero_point = 3 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1 : i64, output_zero_point = -5 : i64, shift = -22 : i64, state_zero_point = -5 : i64, time_major = false} : (tensor<1x2x3xi8>, tensor<1x2xi8>, tensor<1x2xi16>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<8xi32>, tensor<8xi32>) -> (tensor<1x2x2xi8>, tensor<1x2xi8>, tensor<1x2xi16>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_lstm' op operand #15 is 'tensor<4xi32>', but 'tensor<8xi32>' follows from the others
  %1:3 = "ml.integer_lstm"(%x, %h, %c, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %n, %m) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0, 2>, cell_limit = 0 : i64, cell_shift = -11 : i64, gates = "table", input_zero_point = 3 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1 : i64, output_zero_point = -5 : i64, shift = -22 : i64, state_zero_point = -5 : i64, time_major = false} : (tensor<1x2x3xi8>, tensor<1x2xi8>, tensor<1x2xi16>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<8xi32>) -> (tensor<1x2x2xi8>, tensor<1x2xi8>, tensor<1x2xi16>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_lstm' op operand #2 must have elements of i16, but got 'tensor<1x2xi8>'
  %2:3 = "ml.integer_lstm"(%x, %h, %h, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %m, %m) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0, 2>, cell_limit = 0 : i64, cell_shift = -11 : i64, gates = "table", input_zero_point = 3 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1 : i64, output_zero_point = -5 : i64, shift = -22 : i64, state_zero_point = -5 : i64, time_major = false} : (tensor<1x2x3xi8>, tensor<1x2xi8>, tensor<1x2xi8>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<8xi32>, tensor<8xi32>) -> (tensor<1x2x2xi8>, tensor<1x2xi8>, tensor<1x2xi8>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_lstm' op operand #11 must have elements of i64, but got 'tensor<2xi32>'
  %3:3 = "ml.integer_lstm"(%v, %u, %c, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %m, %m) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0, 2>, cell_limit = 0 : i64, cell_shift = -11 : i64, gates = "table", input_zero_point = 3 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1 : i64, output_zero_point = -5 : i64, shift = -22 : i64, state_zero_point = -5 : i64, time_major = false} : (tensor<1x2x3xi16>, tensor<1x2xi16>, tensor<1x2xi16>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<8xi32>, tensor<8xi32>) -> (tensor<1x2x2xi16>, tensor<1x2xi16>, tensor<1x2xi16>)
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_lstm' op operand #11 must have elements of i64, but got 'tensor<2xi32>'
  %4:3 = "ml.integer_lstm"(%v, %u, %c, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %m, %m) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0, 2>, cell_limit = 0 : i64, coupled = true, cell_shift = -11 : i64, gates = "table", input_zero_point = 3 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1 : i64, output_zero_point = -5 : i64, shift = -22 : i64, state_zero_point = -5 : i64, time_major = false} : (tensor<1x2x3xi16>, tensor<1x2xi16>, tensor<1x2xi16>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<8xi32>, tensor<8xi32>) -> (tensor<1x2x2xi16>, tensor<1x2xi16>, tensor<1x2xi16>)
  return
}
func.func @rescale(%x: tensor<4xi16>, %f: tensor<4xf32>, %i: tensor<4xi8>) {
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_rescale' op attribute 'input_zero_point' is 999, out of [-128, 255]
  %3 = "ml.integer_rescale"(%i) {input_zero_point = 999 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1 : i64, output_zero_point = 3 : i64, shift = -9 : i64} : (tensor<4xi8>) -> tensor<4xi8>
  %0 = "ml.integer_rescale"(%x) {input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1 : i64, output_zero_point = 3 : i64, shift = -9 : i64} : (tensor<4xi16>) -> tensor<4xi8>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_rescale' op clamps to [-128, 128], which is not within [-128, 127]
  %1 = "ml.integer_rescale"(%x) {input_zero_point = 0 : i64, max = 128 : i64, min = -128 : i64, multiplier = 1 : i64, output_zero_point = 3 : i64, shift = -9 : i64} : (tensor<4xi16>) -> tensor<4xi8>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_rescale' op takes tensors of 8, 16 or 32 bits
  %2 = "ml.integer_rescale"(%f) {input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1 : i64, output_zero_point = 3 : i64, shift = -9 : i64} : (tensor<4xf32>) -> tensor<4xi8>
  return
}
func.func @gather(%t: memref<256xi32>, %b: memref<256xi8>, %i: vector<4xi32>) {
  %0 = "quern.gather"(%t, %i) : (memref<256xi32>, vector<4xi32>) -> vector<4xi32>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'quern.gather' op takes a memref of i32 and a vector of i32 to a vector of its type
  %1 = "quern.gather"(%b, %i) : (memref<256xi8>, vector<4xi32>) -> vector<4xi32>
  return
}
