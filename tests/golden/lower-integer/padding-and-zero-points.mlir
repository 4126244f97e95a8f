// Padding becomes a pad with the input zero point, which folds into the bias: bias - zx * sum(w - zw).
// The unsigned weights fit 8 bits after their zero point is subtracted.
// RUN: %opt --pass materialize-padding %s | FileCheck %s --check-prefix=PAD
// RUN: %opt --pass materialize-padding --pass fold-zero-points --pass simplify-integer %s | FileCheck %s --match-full-lines --strict-whitespace
func.func @main(%x: tensor<1x2x2x1xui8>) -> tensor<1x2x2x1xui8> {
  %w = "ml.const"() {value = dense<[[[[120], [130], [125]]]]> : tensor<1x1x3x1xui8>} : () -> tensor<1x1x3x1xui8>
  %b = "ml.const"() {value = dense<1000> : tensor<1xi32>} : () -> tensor<1xi32>
  %m = "ml.const"() {value = dense<1073741824> : tensor<1xi32>} : () -> tensor<1xi32>
  %s = "ml.const"() {value = dense<-6> : tensor<1xi32>} : () -> tensor<1xi32>
  %y = "ml.integer_conv"(%x, %w, %b, %m, %s) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 7 : i64, weight_zero_point = 123 : i64, output_zero_point = 4 : i64, rounding = "double", min = 0 : i64, max = 255 : i64} : (tensor<1x2x2x1xui8>, tensor<1x1x3x1xui8>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x2x2x1xui8>
  return %y : tensor<1x2x2x1xui8>
}

// PAD: %4 = "ml.pad"(%arg0) {pad = array<i64: 0, 0, 0, 0, 1, 1, 0, 0>, value = 7 : i64} : (tensor<1x2x2x1xui8>) -> tensor<1x2x4x1xui8>
// PAD: "ml.integer_conv"(%4, %0, %1, %2, %3) {{.*}}input_zero_point = 7 : i64, {{.*}}pad = array<i64: 0, 0, 0, 0>

// CHECK:module {
// CHECK-NEXT:  func.func @main(%arg0: tensor<1x2x2x1xui8>) -> tensor<1x2x2x1xui8> {
// CHECK-NEXT:    %0 = "ml.const"() {value = dense<1073741824> : tensor<1xi32>} : () -> tensor<1xi32>
// CHECK-NEXT:    %1 = "ml.const"() {value = dense<-6> : tensor<1xi32>} : () -> tensor<1xi32>
// CHECK-NEXT:    %2 = "ml.pad"(%arg0) {pad = array<i64: 0, 0, 0, 0, 1, 1, 0, 0>, value = 7 : i64} : (tensor<1x2x2x1xui8>) -> tensor<1x2x4x1xui8>
// CHECK-NEXT:    %3 = "ml.const"() {value = dense<{{\[\[\[\[}}-3], [7], [2]]]]> : tensor<1x1x3x1xi8>} : () -> tensor<1x1x3x1xi8>
// CHECK-NEXT:    %4 = "ml.const"() {value = dense<958> : tensor<1xi32>} : () -> tensor<1xi32>
// CHECK-NEXT:    %5 = "ml.integer_conv"(%2, %3, %4, %0, %1) {dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 0 : i64, max = 255 : i64, min = 0 : i64, output_zero_point = 4 : i64, pad = array<i64: 0, 0, 0, 0>, rounding = "double", strides = array<i64: 1, 1>, weight_zero_point = 0 : i64} : (tensor<1x2x4x1xui8>, tensor<1x1x3x1xi8>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x2x2x1xui8>
// CHECK-NEXT:    return %5 : tensor<1x2x2x1xui8>
// CHECK-NEXT:  }
// CHECK-NEXT:}
