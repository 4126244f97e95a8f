// Products of bytes whose scales are known at run time only.
// RUN: quern opt %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --round-trip %s >/dev/null
func.func @main(%x: tensor<2x4x4x3xf32>) {
  %w = "ml.const"() {value = dense<1> : tensor<5x3xi8>} : () -> tensor<5x3xi8>
  %k = "ml.const"() {value = dense<1> : tensor<5x3x3x3xi8>} : () -> tensor<5x3x3x3xi8>
  %s = "ml.const"() {value = dense<5.000000e-01> : tensor<5xf32>} : () -> tensor<5xf32>
  %0:3 = "ml.quantize_rows"(%x) {rows = 3 : i64, scheme = "dynamic"} : (tensor<2x4x4x3xf32>) -> (tensor<2x4x4x3xui8>, tensor<2x4x4xf32>, tensor<2x4x4xi32>)
  %1 = "ml.hybrid_linear"(%0#0, %0#1, %0#2, %w, %s) {order = "fused"} : (tensor<2x4x4x3xui8>, tensor<2x4x4xf32>, tensor<2x4x4xi32>, tensor<5x3xi8>, tensor<5xf32>) -> tensor<2x4x4x5xf32>
  %2:3 = "ml.quantize_rows"(%x) {rows = 1 : i64, scheme = "asymmetric"} : (tensor<2x4x4x3xf32>) -> (tensor<2x4x4x3xui8>, tensor<2xf32>, tensor<2xi32>)
  %3 = "ml.hybrid_conv"(%2#0, %2#1, %2#2, %k, %s, %s) {activation = "relu", dilations = array<i64: 1, 1>, order = "channel_first", pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>} : (tensor<2x4x4x3xui8>, tensor<2xf32>, tensor<2xi32>, tensor<5x3x3x3xi8>, tensor<5xf32>, tensor<5xf32>) -> tensor<2x2x2x5xf32>
  %4:3 = "ml.quantize_rows"(%x) {rows = 1 : i64, scheme = "symmetric"} : (tensor<2x4x4x3xf32>) -> (tensor<2x4x4x3xf32>, tensor<2xf32>, tensor<2xi32>)
  %d = "ml.const"() {value = dense<1> : tensor<1x3x3x3xi8>} : () -> tensor<1x3x3x3xi8>
  %c = "ml.const"() {value = dense<5.000000e-01> : tensor<3xf32>} : () -> tensor<3xf32>
  %5 = "ml.hybrid_depthwise_conv"(%2#0, %2#1, %2#2, %d, %c) {dilations = array<i64: 1, 1>, order = "fours", pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>} : (tensor<2x4x4x3xui8>, tensor<2xf32>, tensor<2xi32>, tensor<1x3x3x3xi8>, tensor<3xf32>) -> tensor<2x2x2x3xf32>
  return
}

// CHECK:module {
// CHECK-NEXT:  func.func @main(%arg0: tensor<2x4x4x3xf32>) {
// CHECK-NEXT:    %0 = "ml.const"() {value = dense<1> : tensor<5x3xi8>} : () -> tensor<5x3xi8>
// CHECK-NEXT:    %1 = "ml.const"() {value = dense<1> : tensor<5x3x3x3xi8>} : () -> tensor<5x3x3x3xi8>
// CHECK-NEXT:    %2 = "ml.const"() {value = dense<5.000000e-01> : tensor<5xf32>} : () -> tensor<5xf32>
// CHECK-NEXT:    %3:3 = "ml.quantize_rows"(%arg0) {rows = 3 : i64, scheme = "dynamic"} : (tensor<2x4x4x3xf32>) -> (tensor<2x4x4x3xui8>, tensor<2x4x4xf32>, tensor<2x4x4xi32>)
// CHECK-NEXT:    %4 = "ml.hybrid_linear"(%3#0, %3#1, %3#2, %0, %2) {order = "fused"} : (tensor<2x4x4x3xui8>, tensor<2x4x4xf32>, tensor<2x4x4xi32>, tensor<5x3xi8>, tensor<5xf32>) -> tensor<2x4x4x5xf32>
// CHECK-NEXT:    %5:3 = "ml.quantize_rows"(%arg0) {rows = 1 : i64, scheme = "asymmetric"} : (tensor<2x4x4x3xf32>) -> (tensor<2x4x4x3xui8>, tensor<2xf32>, tensor<2xi32>)
// CHECK-NEXT:    %6 = "ml.hybrid_conv"(%5#0, %5#1, %5#2, %1, %2, %2) {activation = "relu", dilations = array<i64: 1, 1>, order = "channel_first", pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>} : (tensor<2x4x4x3xui8>, tensor<2xf32>, tensor<2xi32>, tensor<5x3x3x3xi8>, tensor<5xf32>, tensor<5xf32>) -> tensor<2x2x2x5xf32>
// CHECK-NEXT:    %7:3 = "ml.quantize_rows"(%arg0) {rows = 1 : i64, scheme = "symmetric"} : (tensor<2x4x4x3xf32>) -> (tensor<2x4x4x3xf32>, tensor<2xf32>, tensor<2xi32>)
// CHECK-NEXT:    %8 = "ml.const"() {value = dense<1> : tensor<1x3x3x3xi8>} : () -> tensor<1x3x3x3xi8>
// CHECK-NEXT:    %9 = "ml.const"() {value = dense<5.000000e-01> : tensor<3xf32>} : () -> tensor<3xf32>
// CHECK-NEXT:    %10 = "ml.hybrid_depthwise_conv"(%5#0, %5#1, %5#2, %8, %9) {dilations = array<i64: 1, 1>, order = "fours", pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>} : (tensor<2x4x4x3xui8>, tensor<2xf32>, tensor<2xi32>, tensor<1x3x3x3xi8>, tensor<3xf32>) -> tensor<2x2x2x3xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}
