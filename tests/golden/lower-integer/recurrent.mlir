// Ops with states have explicit multipliers for all products and name the profile's functions. Inputs
// that exceed the 256-entry tables are rescaled.
// RUN: %opt %s --pass lower-to-integer | FileCheck %s --check-prefixes=CHECK,REF
// RUN: sed s/litert-ref/tflm/ %s | %opt - --pass lower-to-integer | FileCheck %s --check-prefixes=CHECK,MICRO
!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.0078125:-5>
!k = !quant.uniform<i8:f32, 0.0625>
!c = !quant.uniform<i16:f32, 4.8828125e-04>
!wide = !quant.uniform<i32:f32, 0.001>
module attributes {quern.numerics = "litert-ref"} {
  // CHECK-LABEL: @svdf
  func.func private @svdf(%x: tensor<1x3x!x>, %s: tensor<1x8x!x>, %f: tensor<4x3x!k>, %t: tensor<4x2x!k>) -> (tensor<1x2x!y>, tensor<1x8x!x>) {
    // CHECK: %[[BIAS:.*]] = "ml.const"() {value = dense<0> : tensor<2xi32>}
    // CHECK: "ml.integer_svdf"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[BIAS]]) {input_zero_point = 3 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1073741824 : i64, output_zero_point = -5 : i64, shift = 3 : i64, state_multiplier = 1073741824 : i64, state_shift = -3 : i64, state_zero_point = 3 : i64}
    // CHECK-SAME: -> (tensor<1x2xi8>, tensor<1x8xi8>)
    %y, %n = "ml.svdf"(%x, %s, %f, %t) : (tensor<1x3x!x>, tensor<1x8x!x>, tensor<4x3x!k>, tensor<4x2x!k>) -> (tensor<1x2x!y>, tensor<1x8x!x>)
    return %y, %n : tensor<1x2x!y>, tensor<1x8x!x>
  }
  // CHECK-LABEL: @lstm
  func.func private @lstm(%x: tensor<1x2x3x!x>, %h: tensor<1x2x!y>, %c: tensor<1x2x!c>, %w: tensor<2x3x!k>, %r: tensor<2x2x!k>, %b: tensor<2xi32>) -> (tensor<1x2x2x!y>, tensor<1x2x!y>, tensor<1x2x!c>) {
    // Rescaled to the gates' scale 2^-12: 0.5 * 0.0625 and 0.0078125 * 0.0625.
    // CHECK: dense<1073741824> : tensor<8xi32>
    // CHECK: dense<[8, 8, 8, 8, 2, 2, 2, 2]> : tensor<8xi32>
    // CHECK: "ml.integer_lstm"({{.*}}) {cell_limit = 20480 : i64, cell_shift = -11 : i64,
    // REF-SAME: gates = "fixed"
    // MICRO-SAME: gates = "table"
    // CHECK-SAME: multiplier = 1073741824 : i64, operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0, 2>, output_zero_point = -5 : i64, shift = -22 : i64, state_zero_point = -5 : i64, time_major = false}
    // CHECK-SAME: -> (tensor<1x2x2xi8>, tensor<1x2xi8>, tensor<1x2xi16>)
    %y, %n, %m = "ml.lstm"(%x, %h, %c, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0>, time_major = false, cell_clip = 10.0 : f32} : (tensor<1x2x3x!x>, tensor<1x2x!y>, tensor<1x2x!c>, tensor<2x3x!k>, tensor<2x3x!k>, tensor<2x3x!k>, tensor<2x3x!k>, tensor<2x2x!k>, tensor<2x2x!k>, tensor<2x2x!k>, tensor<2x2x!k>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<1x2x2x!y>, tensor<1x2x!y>, tensor<1x2x!c>)
    return %y, %n, %m : tensor<1x2x2x!y>, tensor<1x2x!y>, tensor<1x2x!c>
  }
  // CHECK-LABEL: @rescale
  func.func private @rescale(%x: tensor<4x!c>) -> tensor<4x!wide> {
    // CHECK: "ml.integer_rescale"(%{{.*}}) {input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1073741824 : i64, output_zero_point = 3 : i64, shift = -9 : i64} : (tensor<4xi16>) -> tensor<4xi8>
    %a = "ml.requantize"(%x) : (tensor<4x!c>) -> tensor<4x!x>
    // CHECK: "ml.integer_rescale"(%{{.*}}) {{.*}}max = 2147483647 : i64, min = -2147483648 : i64{{.*}} : (tensor<4xi8>) -> tensor<4xi32>
    %b = "ml.requantize"(%a) : (tensor<4x!x>) -> tensor<4x!wide>
    return %b : tensor<4x!wide>
  }
}
