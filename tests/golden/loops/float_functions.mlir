// Functions of the results of a product of floats are computed in its kernel, before results are stored: both forms of gelu; and
// silu, which computes with doubles, with the clamp that follows it.
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s
// MLIR-OPT: none
// CHECK-LABEL: func.func private @linear_0
// CHECK: quern.gelu
// CHECK-LABEL: func.func private @linear_1
// CHECK: math.tanh
// CHECK-LABEL: func.func private @conv_2
// CHECK: math.exp
// CHECK: maximumf
// CHECK-LABEL: func.func @main
// CHECK-COUNT-3: quern.launch
// CHECK-NOT: quern.launch
func.func @main(%x: tensor<5x33xf32>, %im: tensor<1x6x6x3xf32>) -> (tensor<5x45xf32>, tensor<5x45xf32>, tensor<1x4x4x7xf32>) {
  %w = "ml.const"() {value = dense<0.25> : tensor<45x33xf32>} : () -> tensor<45x33xf32>
  %y = "ml.linear"(%x, %w) : (tensor<5x33xf32>, tensor<45x33xf32>) -> tensor<5x45xf32>
  %g = "ml.gelu"(%y) {mode = "exact"} : (tensor<5x45xf32>) -> tensor<5x45xf32>
  %w2 = "ml.const"() {value = dense<-0.125> : tensor<45x45xf32>} : () -> tensor<45x45xf32>
  %y2 = "ml.linear"(%g, %w2) : (tensor<5x45xf32>, tensor<45x45xf32>) -> tensor<5x45xf32>
  %h = "ml.gelu"(%y2) {mode = "tanh_approximation"} : (tensor<5x45xf32>) -> tensor<5x45xf32>
  %k = "ml.const"() {value = dense<0.5> : tensor<7x3x3x3xf32>} : () -> tensor<7x3x3x3xf32>
  %c = "ml.conv"(%im, %k) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x6x6x3xf32>, tensor<7x3x3x3xf32>) -> tensor<1x4x4x7xf32>
  %s = "ml.silu"(%c) : (tensor<1x4x4x7xf32>) -> tensor<1x4x4x7xf32>
  %r = "ml.relu"(%s) : (tensor<1x4x4x7xf32>) -> tensor<1x4x4x7xf32>
  return %g, %h, %r : tensor<5x45xf32>, tensor<5x45xf32>, tensor<1x4x4x7xf32>
}
