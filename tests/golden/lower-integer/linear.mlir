// One matrix product in two profiles: litert-ref multiplies by a double and rounds once, tflm
// uses a mantissa and a shift. Both use the zero point of per-tensor weights.
// RUN: %opt --pass lower-to-integer %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: sed s/litert-ref/tflm/ %s | %opt --pass lower-to-integer - | FileCheck %s --check-prefix=TFLM
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<3x2x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<3x1x!quant.uniform<i8:f32, 0.25:10>> {
    %w = "ml.const"() {value = dense<[[5, -6]]> : tensor<1x2xi8>} : () -> tensor<1x2x!quant.uniform<i8:f32, 0.1:4>>
    %y = "ml.linear"(%x, %w) : (tensor<3x2x!quant.uniform<i8:f32, 0.5:-3>>, tensor<1x2x!quant.uniform<i8:f32, 0.1:4>>) -> tensor<3x1x!quant.uniform<i8:f32, 0.25:10>>
    return %y : tensor<3x1x!quant.uniform<i8:f32, 0.25:10>>
  }
}

// CHECK:module attributes {quern.numerics = "litert-ref"} {
// CHECK-NEXT:  func.func @main(%arg0: tensor<3x2xi8> {quern.scale = 5.000000e-01 : f64, quern.zero_point = -3 : i64}) -> (tensor<3x1xi8> {quern.scale = 2.500000e-01 : f64, quern.zero_point = 10 : i64}) {
// CHECK-NEXT:    %0 = "ml.const"() {value = dense<{{\[\[}}5, -6]]> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
// CHECK-NEXT:    %1 = "ml.const"() {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
// CHECK-NEXT:    %2 = "ml.const"() {value = dense<2.000000e-01> : tensor<1xf64>} : () -> tensor<1xf64>
// CHECK-NEXT:    %3 = "ml.const"() {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
// CHECK-NEXT:    %4 = "ml.integer_linear"(%arg0, %0, %1, %2, %3) {input_zero_point = -3 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 10 : i64, rounding = "real", weight_zero_point = 4 : i64} : (tensor<3x2xi8>, tensor<1x2xi8>, tensor<1xi32>, tensor<1xf64>, tensor<1xi32>) -> tensor<3x1xi8>
// CHECK-NEXT:    return %4 : tensor<3x1xi8>
// CHECK-NEXT:  }
// CHECK-NEXT:}

// TFLM: %2 = "ml.const"() {value = dense<1717986944> : tensor<1xi32>}
// TFLM-NEXT: %3 = "ml.const"() {value = dense<-2> : tensor<1xi32>}
// TFLM-NEXT: "ml.integer_linear"(%arg0, %0, %1, %2, %3) {{.*}}rounding = "double", weight_zero_point = 4 : i64}
