// An LSTM cell with 16-bit activations, as in tflite-micro: 64-bit accumulators, and a 16-bit result.
// RUN: %opt %s --pass lower-to-integer | FileCheck %s
// RUN: sed s/tflm/litert-ref/ %s | %opt - --pass lower-to-integer 2>&1 | FileCheck %s --check-prefix=LITERT
!x = !quant.uniform<i16:f32, 3.0517578125e-05>
!k = !quant.uniform<i8:f32, 0.0625>
!c = !quant.uniform<i16:f32, 4.8828125e-04>
module attributes {quern.numerics = "tflm"} {
  // CHECK-LABEL: @wide
  func.func private @wide(%x: tensor<1x2x3x!x>, %h: tensor<1x2x!x>, %c: tensor<1x2x!c>, %w: tensor<2x3x!k>, %r: tensor<2x2x!k>, %b: tensor<2xi64>) -> (tensor<1x2x2x!x>, tensor<1x2x!x>, tensor<1x2x!c>) {
    // CHECK: dense<-6> : tensor<8xi32>
    // CHECK: "ml.integer_lstm"({{.*}}) {cell_limit = 0 : i64, cell_shift = -11 : i64, gates = "table"{{.*}}max = 32767 : i64, min = -32768 : i64, multiplier = 1073741824 : i64, operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0, 2>, output_zero_point = 0 : i64, shift = -14 : i64
    // CHECK-SAME: -> (tensor<1x2x2xi16>, tensor<1x2xi16>, tensor<1x2xi16>)
    // LITERT: the profile's cells have inputs of 8 bits alone
    %y, %n, %m = "ml.lstm"(%x, %h, %c, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0>, time_major = false} : (tensor<1x2x3x!x>, tensor<1x2x!x>, tensor<1x2x!c>, tensor<2x3x!k>, tensor<2x3x!k>, tensor<2x3x!k>, tensor<2x3x!k>, tensor<2x2x!k>, tensor<2x2x!k>, tensor<2x2x!k>, tensor<2x2x!k>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<1x2x2x!x>, tensor<1x2x!x>, tensor<1x2x!c>)
    return %y, %n, %m : tensor<1x2x2x!x>, tensor<1x2x!x>, tensor<1x2x!c>
  }
}
