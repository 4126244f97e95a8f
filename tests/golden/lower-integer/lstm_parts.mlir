// Optional parts of an LSTM cell: peephole weights, an input gate coupled to the forget gate,
// layer normalization, a projection. Profiles with table gates have none of them.
// RUN: %opt %s --pass lower-to-integer | FileCheck %s
// RUN: sed s/litert-ref/tflm/ %s | %opt - --pass lower-to-integer 2>&1 | FileCheck %s --check-prefix=MICRO
!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.0078125:-5>
!k = !quant.uniform<i8:f32, 0.0625>
!c = !quant.uniform<i16:f32, 4.8828125e-04>
!p = !quant.uniform<i16:f32, 3.0517578125e-05>
module attributes {quern.numerics = "litert-ref"} {
  // CHECK-LABEL: @coupled
  func.func private @coupled(%x: tensor<1x2x3x!x>, %h: tensor<1x2x!y>, %c: tensor<1x2x!c>, %w: tensor<2x3x!k>, %r: tensor<2x2x!k>, %b: tensor<2xi32>) -> (tensor<1x2x2x!y>, tensor<1x2x!y>, tensor<1x2x!c>) {
    // The input gate's products are not read.
    // CHECK: dense<[0, 8, 8, 8, 0, 2, 2, 2]> : tensor<8xi32>
    // CHECK: "ml.integer_lstm"({{.*}}) {cell_limit = 0 : i64, cell_shift = -11 : i64, coupled = true, gates = "fixed"
    // MICRO: the profile's cells do not have an input gate coupled to the forget gate
    %y, %n, %m = "ml.lstm"(%x, %h, %c, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0>, time_major = false, coupled = true} : (tensor<1x2x3x!x>, tensor<1x2x!y>, tensor<1x2x!c>, tensor<2x3x!k>, tensor<2x3x!k>, tensor<2x3x!k>, tensor<2x3x!k>, tensor<2x2x!k>, tensor<2x2x!k>, tensor<2x2x!k>, tensor<2x2x!k>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<1x2x2x!y>, tensor<1x2x!y>, tensor<1x2x!c>)
    return %y, %n, %m : tensor<1x2x2x!y>, tensor<1x2x!y>, tensor<1x2x!c>
  }
  // CHECK-LABEL: @peepholes
  func.func private @peepholes(%x: tensor<1x2x3x!x>, %h: tensor<1x2x!y>, %c: tensor<1x2x!c>, %w: tensor<2x3x!k>, %r: tensor<2x2x!k>, %b: tensor<2xi32>, %p: tensor<2x!p>) -> (tensor<1x2x2x!y>, tensor<1x2x!y>, tensor<1x2x!c>) {
    // Rescaled to the gates' scale 2^-12; the peepholes from 2^-15 * 2^-11; the cell gate has none.
    // CHECK: dense<[8, 8, 8, 8, 2, 2, 2, 2, -13, -13, 0, -13, 0, 0, 0, 0, 0]> : tensor<17xi32>
    // CHECK: "ml.integer_lstm"({{.*}}) {cell_limit = 0 : i64, cell_shift = -11 : i64, gates = "fixed", input_zero_point
    // MICRO: the profile's cells do not have weights of the cell
    %y, %n, %m = "ml.lstm"(%x, %h, %c, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %p, %p, %p) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 3, 0, 0>, time_major = false} : (tensor<1x2x3x!x>, tensor<1x2x!y>, tensor<1x2x!c>, tensor<2x3x!k>, tensor<2x3x!k>, tensor<2x3x!k>, tensor<2x3x!k>, tensor<2x2x!k>, tensor<2x2x!k>, tensor<2x2x!k>, tensor<2x2x!k>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x!p>, tensor<2x!p>, tensor<2x!p>) -> (tensor<1x2x2x!y>, tensor<1x2x!y>, tensor<1x2x!c>)
    return %y, %n, %m : tensor<1x2x2x!y>, tensor<1x2x!y>, tensor<1x2x!c>
  }
  // CHECK-LABEL: @normalized
  func.func private @normalized(%x: tensor<1x2x3x!x>, %h: tensor<1x2x!y>, %c: tensor<1x2x!c>, %w: tensor<2x3x!k>, %r: tensor<2x2x!k>, %b: tensor<2xi32>, %p: tensor<2x!p>) -> (tensor<1x2x2x!y>, tensor<1x2x!y>, tensor<1x2x!c>) {
    // Rescaled to the gates' own scales; the gains have scale 2^-15, with 12 bits more.
    // CHECK: dense<[5, 5, 4, 4, -1, -1, -2, -2, 0, 0, 0, 0, -2, -2, -2, -2, 0]> : tensor<17xi32>
    // CHECK: "ml.integer_lstm"({{.*}}) {{{.*}}gates = "fixed", guards = array<i64: 1, 1, 1, 1>, input_zero_point
    // MICRO: the profile's cells do not have layer normalization
    %y, %n, %m = "ml.lstm"(%x, %h, %c, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %p, %p, %p, %p) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 4, 0>, time_major = false, gate_scales = [0.001953125 : f32, 0.001953125 : f32, 0.00390625 : f32, 0.00390625 : f32]} : (tensor<1x2x3x!x>, tensor<1x2x!y>, tensor<1x2x!c>, tensor<2x3x!k>, tensor<2x3x!k>, tensor<2x3x!k>, tensor<2x3x!k>, tensor<2x2x!k>, tensor<2x2x!k>, tensor<2x2x!k>, tensor<2x2x!k>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x!p>, tensor<2x!p>, tensor<2x!p>, tensor<2x!p>) -> (tensor<1x2x2x!y>, tensor<1x2x!y>, tensor<1x2x!c>)
    return %y, %n, %m : tensor<1x2x2x!y>, tensor<1x2x!y>, tensor<1x2x!c>
  }
  // CHECK-LABEL: @all
  func.func private @all(%x: tensor<1x2x3x!x>, %h: tensor<1x2x!y>, %c: tensor<1x4x!c>, %w: tensor<4x3x!k>, %r: tensor<4x2x!k>, %b: tensor<4xi32>, %p: tensor<4x!p>, %q: tensor<2x4x!k>, %d: tensor<2xi32>) -> (tensor<1x2x2x!y>, tensor<1x2x!y>, tensor<1x4x!c>) {
    // The projection has its zero point negated; the clip limit is a stored value.
    // CHECK: dense<[0, 5, 4, 4, 0, -1, -2, -2, 0, -16, 0, -17, 0, -2, -2, -2, -2]> : tensor<17xi32>
    // CHECK: "ml.integer_lstm"({{.*}}) {{{.*}}coupled = true{{.*}}guards = array<i64: 1, 1, 1, 1>{{.*}}max = 64 : i64, min = -64 : i64{{.*}}output_zero_point = -5 : i64, product_zero_point = 128 : i64
    // MICRO: the profile's cells do not have an input gate
    %y, %n, %m = "ml.lstm"(%x, %h, %c, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %p, %p, %p, %p, %p, %p, %p, %q, %d) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 3, 4, 2>, time_major = false, gate_scales = [0.001953125 : f32, 0.001953125 : f32, 0.00390625 : f32, 0.00390625 : f32], coupled = true, projection_clip = 0.5 : f32, product_scale = 0.015625 : f32, product_zero_point = -128 : i64} : (tensor<1x2x3x!x>, tensor<1x2x!y>, tensor<1x4x!c>, tensor<4x3x!k>, tensor<4x3x!k>, tensor<4x3x!k>, tensor<4x3x!k>, tensor<4x2x!k>, tensor<4x2x!k>, tensor<4x2x!k>, tensor<4x2x!k>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4x!p>, tensor<4x!p>, tensor<4x!p>, tensor<4x!p>, tensor<4x!p>, tensor<4x!p>, tensor<4x!p>, tensor<2x4x!k>, tensor<2xi32>) -> (tensor<1x2x2x!y>, tensor<1x2x!y>, tensor<1x4x!c>)
    return %y, %n, %m : tensor<1x2x2x!y>, tensor<1x2x!y>, tensor<1x4x!c>
  }
}
