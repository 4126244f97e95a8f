// 16-bit activations: accumulators as wide as the bias, 15-bit multipliers for 64-bit accumulators, functions
// by interpolated tables, and the differences between LiteRT and TensorFlow Lite Micro.
// RUN: %opt %s --pass lower-to-integer | FileCheck %s --check-prefixes=CHECK,REF
// RUN: sed s/litert-ref/tflm/ %s | %opt - --pass lower-to-integer | FileCheck %s --check-prefixes=CHECK,MICRO
!x = !quant.uniform<i16:f32, 0.5>
!y = !quant.uniform<i16:f32, 0.25>
!k = !quant.uniform<i8:f32, 0.0625>
!g = !quant.uniform<i16:f32, 2.44140625e-04>
!o = !quant.uniform<i16:f32, 3.0517578125e-05>
module attributes {quern.numerics = "litert-ref"} {
  // CHECK-LABEL: @matrix
  func.func private @matrix(%x: tensor<1x2x2x3x!x>) -> (tensor<1x2x2x2x!y>, tensor<1x2x2x2x!y>, tensor<1x2x2x2x!y>) {
    %w = "ml.const"() {value = dense<3> : tensor<2x1x1x3xi8>} : () -> tensor<2x1x1x3x!k>
    %v = "ml.const"() {value = dense<3> : tensor<2x3xi8>} : () -> tensor<2x3x!k>
    %b = "ml.const"() {value = dense<7> : tensor<2xi32>} : () -> tensor<2xi32>
    // CHECK: "ml.integer_conv"{{.*}}rounding = "double"{{.*}} : (tensor<1x2x2x3xi16>, tensor<2x1x1x3xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2x2x2xi16>
    %0 = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x3x!x>, tensor<2x1x1x3x!k>, tensor<2xi32>) -> tensor<1x2x2x2x!y>
    // CHECK: "ml.integer_conv"{{.*}}rounding = "reduced"{{.*}} : (tensor<1x2x2x3xi16>, tensor<2x1x1x3xi8>, tensor<2xi64>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2x2x2xi16>
    %1 = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x3x!x>, tensor<2x1x1x3x!k>) -> tensor<1x2x2x2x!y>
    // REF: "ml.integer_linear"{{.*}}rounding = "real"{{.*}}tensor<2xi64>, tensor<2xf64>
    // MICRO: "ml.integer_linear"{{.*}}rounding = "reduced"{{.*}}tensor<2xi64>, tensor<2xi32>
    %2 = "ml.linear"(%x, %v) : (tensor<1x2x2x3x!x>, tensor<2x3x!k>) -> tensor<1x2x2x2x!y>
    return %0, %1, %2 : tensor<1x2x2x2x!y>, tensor<1x2x2x2x!y>, tensor<1x2x2x2x!y>
  }
  // CHECK-LABEL: @others
  func.func private @others(%x: tensor<2x4x!x>, %g: tensor<2x4x!g>) -> (tensor<2x4x!y>, tensor<2x4x!y>, tensor<2x4x!o>, tensor<2x4x!o>, tensor<2x4x!o>) {
    // CHECK: "ml.integer_add"{{.*}}left_shift = 15 : i64
    %0 = "ml.add"(%x, %x) : (tensor<2x4x!x>, tensor<2x4x!x>) -> tensor<2x4x!y>
    // CHECK: "ml.integer_rescale"{{.*}}max = 24 : i64, min = 0 : i64
    %1 = "ml.relu6"(%0) : (tensor<2x4x!y>) -> tensor<2x4x!y>
    // CHECK: "ml.integer_sigmoid"(%{{.*}}) {multiplier = 3 : i64, shift = 0 : i64} : (tensor<2x4xi16>) -> tensor<2x4xi16>
    %2 = "ml.sigmoid"(%g) : (tensor<2x4x!g>) -> tensor<2x4x!o>
    // CHECK: "ml.integer_tanh"(%{{.*}}) {multiplier = 3 : i64, shift = 0 : i64}
    %3 = "ml.tanh"(%g) : (tensor<2x4x!g>) -> tensor<2x4x!o>
    // CHECK: "ml.integer_softmax16"({{.*}}) {{.*}} : (tensor<2x4xi16>, tensor<513xi16>, tensor<513xi16>) -> tensor<2x4xi16>
    %4 = "ml.softmax"(%x) {beta = 1.0 : f32} : (tensor<2x4x!x>) -> tensor<2x4x!o>
    return %0, %1, %2, %3, %4 : tensor<2x4x!y>, tensor<2x4x!y>, tensor<2x4x!o>, tensor<2x4x!o>, tensor<2x4x!o>
  }
}
