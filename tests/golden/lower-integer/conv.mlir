// Convolutions get multiplier and shift per output channel, the clamp of the fused activation, and a
// zero bias if there is none. Weights keep their bytes; int8 weights have a scale per channel.
// RUN: %opt --pass lower-to-integer %s | FileCheck %s --match-full-lines --strict-whitespace
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x4x4x1x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<1x2x2x2x!quant.uniform<i8:f32, 0.25:10>> {
    %w = "ml.const"() {value = dense<[[[[1]], [[-2]]], [[[3]], [[127]]]]> : tensor<2x2x1x1xi8>} : () -> tensor<2x2x1x1x!quant.uniform<i8:f32:0, {0.125, 1.000000e-01}>>
    %b = "ml.const"() {value = dense<[7, -9]> : tensor<2xi32>} : () -> tensor<2xi32>
    %y = "ml.conv"(%x, %w, %b) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, activation = "relu6", quern.tensors = array<i64: 5>} : (tensor<1x4x4x1x!quant.uniform<i8:f32, 0.5:-3>>, tensor<2x2x1x1x!quant.uniform<i8:f32:0, {0.125, 1.000000e-01}>>, tensor<2xi32>) -> tensor<1x2x2x2x!quant.uniform<i8:f32, 0.25:10>>
    return %y : tensor<1x2x2x2x!quant.uniform<i8:f32, 0.25:10>>
  }
}

// CHECK:module attributes {quern.numerics = "litert-ref"} {
// CHECK-NEXT:  func.func @main(%arg0: tensor<1x4x4x1xi8> {quern.scale = 5.000000e-01 : f64, quern.zero_point = -3 : i64}) -> (tensor<1x2x2x2xi8> {quern.scale = 2.500000e-01 : f64, quern.zero_point = 10 : i64}) {
// CHECK-NEXT:    %0 = "ml.const"() {value = dense<{{\[\[\[\[}}1]], {{\[\[}}-2]]], {{\[\[\[}}3]], {{\[\[}}127]]]]> : tensor<2x2x1x1xi8>} : () -> tensor<2x2x1x1xi8>
// CHECK-NEXT:    %1 = "ml.const"() {value = dense<[7, -9]> : tensor<2xi32>} : () -> tensor<2xi32>
// CHECK-NEXT:    %2 = "ml.const"() {value = dense<[1073741824, 1717986918]> : tensor<2xi32>} : () -> tensor<2xi32>
// CHECK-NEXT:    %3 = "ml.const"() {value = dense<[-1, -2]> : tensor<2xi32>} : () -> tensor<2xi32>
// CHECK-NEXT:    %4 = "ml.integer_conv"(%arg0, %0, %1, %2, %3) {dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = -3 : i64, max = 34 : i64, min = 10 : i64, output_zero_point = 10 : i64, pad = array<i64: 0, 0, 0, 0>, quern.tensors = array<i64: 5>, rounding = "double", strides = array<i64: 2, 2>, weight_zero_point = 0 : i64} : (tensor<1x4x4x1xi8>, tensor<2x2x1x1xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2x2x2xi8>
// CHECK-NEXT:    return %4 : tensor<1x2x2x2xi8>
// CHECK-NEXT:  }
// CHECK-NEXT:}
