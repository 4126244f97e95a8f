// Ops that LiteRT's optimized kernels round by the position of an element, or by an unknown rule, are not in that profile.
// RUN: %opt --pass lower-to-integer %s 2>&1 | FileCheck %s
// RUN: sed 's/litert-opt/litert-ref/' %s | %opt --pass lower-to-integer - | FileCheck %s --check-prefix=KNOWN
// CHECK-DAG: error: 'ml.conv_transpose' has no integer form: the profile litert-opt has no rule for it on 8 bits
// CHECK-DAG: error: 'ml.resize_bilinear' has no integer form: the profile litert-opt has no rule for it on quantized tensors
// CHECK-DAG: error: 'ml.log_softmax' has no integer form: the profile litert-opt has no rule for 8 bits
// CHECK-DAG: error: 'ml.reduce_sum' has no integer form: the profile litert-opt has no rule for sums of 8 bits
// CHECK-DAG: error: {{.*}}'ml.reduce_mean' adds -636 for both zero points, beyond what an 8-bit type has
// CHECK-DAG: error: {{.*}}'ml.reduce_mean' adds -1073741952 for both zero points, beyond what an 8-bit type has
// KNOWN: ml.integer_conv
!x = !quant.uniform<i8:f32, 0.5>
!high = !quant.uniform<i8:f32, 0.5:127>
!low = !quant.uniform<i8:f32, 0.125:-128>
!far = !quant.uniform<i8:f32, 1.000000e-09:-128>
!u = !quant.uniform<u8:f32, 0.5>
!l = !quant.uniform<i8:f32, 0.0625:127>
module attributes {quern.numerics = "litert-opt"} {
  func.func @main(%x: tensor<1x2x2x1x!x>, %u: tensor<1x2x2x1x!u>, %h: tensor<1x2x2x1x!high>) -> (tensor<1x3x3x1x!x>, tensor<1x3x3x1x!u>, tensor<1x2x1x!x>, tensor<1x1x1x1x!low>, tensor<1x1x1x1x!far>, tensor<1x2x2x1x!l>) {
    %w = "ml.const"() {value = dense<1> : tensor<1x2x2x1xi8>} : () -> tensor<1x2x2x1x!x>
    %y = "ml.conv_transpose"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x1x!x>, tensor<1x2x2x1x!x>) -> tensor<1x3x3x1x!x>
    %r = "ml.resize_bilinear"(%u) {sampling_mode = "asymmetric"} : (tensor<1x2x2x1x!u>) -> tensor<1x3x3x1x!u>
    %l = "ml.log_softmax"(%x) : (tensor<1x2x2x1x!x>) -> tensor<1x2x2x1x!l>
    %a = "ml.reduce_sum"(%x) {axes = array<i64: 1>, keep_dims = false} : (tensor<1x2x2x1x!x>) -> tensor<1x2x1x!x>
    %m = "ml.reduce_mean"(%h) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<1x2x2x1x!high>) -> tensor<1x1x1x1x!low>
    %f = "ml.reduce_mean"(%h) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<1x2x2x1x!high>) -> tensor<1x1x1x1x!far>
    return %y, %r, %a, %m, %f, %l : tensor<1x3x3x1x!x>, tensor<1x3x3x1x!u>, tensor<1x2x1x!x>, tensor<1x1x1x1x!low>, tensor<1x1x1x1x!far>, tensor<1x2x2x1x!l>
  }
}
