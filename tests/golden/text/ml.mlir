// The model dialect: every op, quantized where it matters.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
!x = !quant.uniform<i8:f32, 0.05:-3>
!w = !quant.uniform<i8<-127:127>:f32:0, {0.01,0.02}>
!d = !quant.uniform<i8<-127:127>:f32:3, {0.01,0.02,0.03}>
!y = !quant.uniform<i8:f32, 0.1:4>
func.func @main(%x: tensor<1x8x8x3x!x>) -> tensor<1x2x!y> attributes {quern.numerics = "litert-ref"} {
  %w = "ml.const"() {value = dense<1> : tensor<2x3x3x3xi8>} : () -> tensor<2x3x3x3x!w>
  %b = "ml.const"() {value = dense<[10, -20]> : tensor<2xi32>} : () -> tensor<2xi32>
  %0 = "ml.conv"(%x, %w, %b) {strides = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, activation = "relu6"} : (tensor<1x8x8x3x!x>, tensor<2x3x3x3x!w>, tensor<2xi32>) -> tensor<1x4x4x2x!y>
  %dw = "ml.const"() {value = dense<2> : tensor<1x3x3x3xi8>} : () -> tensor<1x3x3x3x!d>
  %1 = "ml.depthwise_conv"(%x, %dw) {strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x8x8x3x!x>, tensor<1x3x3x3x!d>) -> tensor<1x8x8x3x!y>
  %2 = "ml.max_pool"(%0) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x2x!y>) -> tensor<1x2x2x2x!y>
  %3 = "ml.avg_pool"(%0) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x2x!y>) -> tensor<1x2x2x2x!y>
  %4 = "ml.add"(%2, %3) {activation = "none"} : (tensor<1x2x2x2x!y>, tensor<1x2x2x2x!y>) -> tensor<1x2x2x2x!y>
  %5 = "ml.sub"(%4, %3) : (tensor<1x2x2x2x!y>, tensor<1x2x2x2x!y>) -> tensor<1x2x2x2x!y>
  %6 = "ml.mul"(%5, %3) : (tensor<1x2x2x2x!y>, tensor<1x2x2x2x!y>) -> tensor<1x2x2x2x!y>
  %7 = "ml.relu"(%6) : (tensor<1x2x2x2x!y>) -> tensor<1x2x2x2x!y>
  %8 = "ml.relu6"(%7) : (tensor<1x2x2x2x!y>) -> tensor<1x2x2x2x!y>
  %9 = "ml.tanh"(%8) : (tensor<1x2x2x2x!y>) -> tensor<1x2x2x2x!y>
  %10 = "ml.sigmoid"(%9) : (tensor<1x2x2x2x!y>) -> tensor<1x2x2x2x!y>
  %11 = "ml.requantize"(%10) : (tensor<1x2x2x2x!y>) -> tensor<1x2x2x2x!x>
  %12 = "ml.pad"(%11) {pad = array<i64: 0, 0, 1, 1, 0, 0, 0, 0>} : (tensor<1x2x2x2x!x>) -> tensor<1x4x2x2x!x>
  %13 = "ml.transpose"(%12) {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x4x2x2x!x>) -> tensor<1x2x4x2x!x>
  %14 = "ml.slice_by_index"(%13) {begin = array<i64: 0, 0, 0, 0>, end = array<i64: 1, 2, 4, 2>, stride = array<i64: 1, 1, 2, 1>} : (tensor<1x2x4x2x!x>) -> tensor<1x2x2x2x!x>
  %15:2 = "ml.split"(%14) {axis = 1 : i64} : (tensor<1x2x2x2x!x>) -> (tensor<1x1x2x2x!x>, tensor<1x1x2x2x!x>)
  %16 = "ml.concat"(%15#0, %15#1) {axis = 3 : i64} : (tensor<1x1x2x2x!x>, tensor<1x1x2x2x!x>) -> tensor<1x1x2x4x!x>
  %17 = "ml.squeeze"(%16) {axes = array<i64: 1>} : (tensor<1x1x2x4x!x>) -> tensor<1x2x4x!x>
  %18 = "ml.expand_dims"(%17) {axes = array<i64: 1>} : (tensor<1x2x4x!x>) -> tensor<1x1x2x4x!x>
  %19 = "ml.reshape"(%18) : (tensor<1x1x2x4x!x>) -> tensor<1x2x2x2x!x>
  %20 = "ml.reduce_mean"(%19) {axes = array<i64: 1, 2>, keep_dims = false} : (tensor<1x2x2x2x!x>) -> tensor<1x2x!x>
  %lw = "ml.const"() {value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>} : () -> tensor<2x2x!w>
  %21 = "ml.linear"(%20, %lw, %b) {activation = "relu"} : (tensor<1x2x!x>, tensor<2x2x!w>, tensor<2xi32>) -> tensor<1x2x!y>
  %22 = "ml.softmax"(%21) {beta = 1.0 : f32} : (tensor<1x2x!y>) -> tensor<1x2x!y>
  return %22 : tensor<1x2x!y>
}

// CHECK:module {
// CHECK-NEXT:  func.func @main(%arg0: tensor<1x8x8x3x!quant.uniform<i8:f32, 5.000000e-02:-3>>) -> tensor<1x2x!quant.uniform<i8:f32, 1.000000e-01:4>> attributes {quern.numerics = "litert-ref"} {
// CHECK-NEXT:    %0 = "ml.const"() {value = dense<1> : tensor<2x3x3x3xi8>} : () -> tensor<2x3x3x3x!quant.uniform<i8<-127:127>:f32:0, {1.000000e-02,2.000000e-02}>>
// CHECK-NEXT:    %1 = "ml.const"() {value = dense<[10, -20]> : tensor<2xi32>} : () -> tensor<2xi32>
// CHECK-NEXT:    %2 = "ml.conv"(%arg0, %0, %1) {activation = "relu6", dilations = array<i64: 1, 1>, groups = 1 : i64, pad = array<i64: 0, 1, 0, 1>, strides = array<i64: 2, 2>} : (tensor<1x8x8x3x!quant.uniform<i8:f32, 5.000000e-02:-3>>, tensor<2x3x3x3x!quant.uniform<i8<-127:127>:f32:0, {1.000000e-02,2.000000e-02}>>, tensor<2xi32>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 1.000000e-01:4>>
// CHECK-NEXT:    %3 = "ml.const"() {value = dense<2> : tensor<1x3x3x3xi8>} : () -> tensor<1x3x3x3x!quant.uniform<i8<-127:127>:f32:3, {1.000000e-02,2.000000e-02,3.000000e-02}>>
// CHECK-NEXT:    %4 = "ml.depthwise_conv"(%arg0, %3) {dilations = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x8x8x3x!quant.uniform<i8:f32, 5.000000e-02:-3>>, tensor<1x3x3x3x!quant.uniform<i8<-127:127>:f32:3, {1.000000e-02,2.000000e-02,3.000000e-02}>>) -> tensor<1x8x8x3x!quant.uniform<i8:f32, 1.000000e-01:4>>
// CHECK-NEXT:    %5 = "ml.max_pool"(%2) {kernel_sizes = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x4x4x2x!quant.uniform<i8:f32, 1.000000e-01:4>>) -> tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>
// CHECK-NEXT:    %6 = "ml.avg_pool"(%2) {kernel_sizes = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x4x4x2x!quant.uniform<i8:f32, 1.000000e-01:4>>) -> tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>
// CHECK-NEXT:    %7 = "ml.add"(%5, %6) {activation = "none"} : (tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>, tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>) -> tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>
// CHECK-NEXT:    %8 = "ml.sub"(%7, %6) : (tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>, tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>) -> tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>
// CHECK-NEXT:    %9 = "ml.mul"(%8, %6) : (tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>, tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>) -> tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>
// CHECK-NEXT:    %10 = "ml.relu"(%9) : (tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>) -> tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>
// CHECK-NEXT:    %11 = "ml.relu6"(%10) : (tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>) -> tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>
// CHECK-NEXT:    %12 = "ml.tanh"(%11) : (tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>) -> tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>
// CHECK-NEXT:    %13 = "ml.sigmoid"(%12) : (tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>) -> tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>
// CHECK-NEXT:    %14 = "ml.requantize"(%13) : (tensor<1x2x2x2x!quant.uniform<i8:f32, 1.000000e-01:4>>) -> tensor<1x2x2x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>
// CHECK-NEXT:    %15 = "ml.pad"(%14) {pad = array<i64: 0, 0, 1, 1, 0, 0, 0, 0>} : (tensor<1x2x2x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>) -> tensor<1x4x2x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>
// CHECK-NEXT:    %16 = "ml.transpose"(%15) {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x4x2x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>) -> tensor<1x2x4x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>
// CHECK-NEXT:    %17 = "ml.slice_by_index"(%16) {begin = array<i64: 0, 0, 0, 0>, end = array<i64: 1, 2, 4, 2>, stride = array<i64: 1, 1, 2, 1>} : (tensor<1x2x4x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>) -> tensor<1x2x2x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>
// CHECK-NEXT:    %18:2 = "ml.split"(%17) {axis = 1 : i64} : (tensor<1x2x2x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>) -> (tensor<1x1x2x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>, tensor<1x1x2x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>)
// CHECK-NEXT:    %19 = "ml.concat"(%18#0, %18#1) {axis = 3 : i64} : (tensor<1x1x2x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>, tensor<1x1x2x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>) -> tensor<1x1x2x4x!quant.uniform<i8:f32, 5.000000e-02:-3>>
// CHECK-NEXT:    %20 = "ml.squeeze"(%19) {axes = array<i64: 1>} : (tensor<1x1x2x4x!quant.uniform<i8:f32, 5.000000e-02:-3>>) -> tensor<1x2x4x!quant.uniform<i8:f32, 5.000000e-02:-3>>
// CHECK-NEXT:    %21 = "ml.expand_dims"(%20) {axes = array<i64: 1>} : (tensor<1x2x4x!quant.uniform<i8:f32, 5.000000e-02:-3>>) -> tensor<1x1x2x4x!quant.uniform<i8:f32, 5.000000e-02:-3>>
// CHECK-NEXT:    %22 = "ml.reshape"(%21) : (tensor<1x1x2x4x!quant.uniform<i8:f32, 5.000000e-02:-3>>) -> tensor<1x2x2x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>
// CHECK-NEXT:    %23 = "ml.reduce_mean"(%22) {axes = array<i64: 1, 2>, keep_dims = false} : (tensor<1x2x2x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>) -> tensor<1x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>
// CHECK-NEXT{LITERAL}:    %24 = "ml.const"() {value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>} : () -> tensor<2x2x!quant.uniform<i8<-127:127>:f32:0, {1.000000e-02,2.000000e-02}>>
// CHECK-NEXT:    %25 = "ml.linear"(%23, %24, %1) {activation = "relu"} : (tensor<1x2x!quant.uniform<i8:f32, 5.000000e-02:-3>>, tensor<2x2x!quant.uniform<i8<-127:127>:f32:0, {1.000000e-02,2.000000e-02}>>, tensor<2xi32>) -> tensor<1x2x!quant.uniform<i8:f32, 1.000000e-01:4>>
// CHECK-NEXT:    %26 = "ml.softmax"(%25) {beta = 1.000000e+00 : f32} : (tensor<1x2x!quant.uniform<i8:f32, 1.000000e-01:4>>) -> tensor<1x2x!quant.uniform<i8:f32, 1.000000e-01:4>>
// CHECK-NEXT:    return %26 : tensor<1x2x!quant.uniform<i8:f32, 1.000000e-01:4>>
// CHECK-NEXT:  }
// CHECK-NEXT:}
