// A float product prefetches the weights of the next layer, which follow its own in memory, if that layer uses each of them once
// or twice and they exceed L2, as the classifier of one image does.
// RUN: quern opt %s --lower-to-loops --config cpu=x86-64-v3 | FileCheck %s
// RUN: quern opt %s --lower-to-loops --config cpu=generic | FileCheck %s --check-prefix=PLAIN --implicit-check-not=quern.prefetch
// MLIR-OPT: none
// PLAIN: func.func @main

// The weights have 272 elements, and the part of a tile begins after them.
// CHECK-LABEL: func.func private @linear_0(
// CHECK: %[[FROM:.*]] = arith.addi {{.*}}, %c272 : index
// CHECK: scf.for
// CHECK: "quern.prefetch"(%arg1,
// The classifier itself, and a product before one of three rows, which prefetches its own panels.
// CHECK-LABEL: func.func private @linear_1(
// CHECK-NOT: quern.prefetch
// CHECK-LABEL: func.func private @linear_2(
// CHECK-NOT: quern.prefetch
// CHECK-LABEL: func.func private @linear_3(
// CHECK: quern.prefetch
// The next layer with weights is a small one.
// CHECK-LABEL: func.func private @linear_4(
// CHECK-NOT: quern.prefetch
// CHECK-LABEL: func.func private @linear_5(
// Weights that stay in L2.
// CHECK-LABEL: func.func private @linear_6(
// CHECK-NOT: quern.prefetch
// CHECK-LABEL: func.func @main
func.func @main(%a: tensor<24x16xf32>, %b: tensor<1x256xf32>, %c: tensor<25x16xf32>, %d: tensor<3x256xf32>, %e: tensor<26x16xf32>, %f: tensor<27x128xf32>, %g: tensor<28x16xf32>, %h: tensor<1x256xf32>) -> (tensor<24x16xf32>, tensor<1x2048xf32>, tensor<25x16xf32>, tensor<3x2048xf32>, tensor<26x16xf32>, tensor<27x256xf32>, tensor<28x16xf32>, tensor<1x512xf32>) {
  %w0 = "ml.const"() {value = dense<0.25> : tensor<16x16xf32>} : () -> tensor<16x16xf32>
  %y0 = "ml.linear"(%a, %w0) : (tensor<24x16xf32>, tensor<16x16xf32>) -> tensor<24x16xf32>
  %w1 = "ml.const"() {value = dense<0.25> : tensor<2048x256xf32>} : () -> tensor<2048x256xf32>
  %y1 = "ml.linear"(%b, %w1) : (tensor<1x256xf32>, tensor<2048x256xf32>) -> tensor<1x2048xf32>
  %w2 = "ml.const"() {value = dense<0.25> : tensor<16x16xf32>} : () -> tensor<16x16xf32>
  %y2 = "ml.linear"(%c, %w2) : (tensor<25x16xf32>, tensor<16x16xf32>) -> tensor<25x16xf32>
  %w3 = "ml.const"() {value = dense<0.25> : tensor<2048x256xf32>} : () -> tensor<2048x256xf32>
  %y3 = "ml.linear"(%d, %w3) : (tensor<3x256xf32>, tensor<2048x256xf32>) -> tensor<3x2048xf32>
  %w4 = "ml.const"() {value = dense<0.25> : tensor<16x16xf32>} : () -> tensor<16x16xf32>
  %y4 = "ml.linear"(%e, %w4) : (tensor<26x16xf32>, tensor<16x16xf32>) -> tensor<26x16xf32>
  %w5 = "ml.const"() {value = dense<0.25> : tensor<256x128xf32>} : () -> tensor<256x128xf32>
  %y5 = "ml.linear"(%f, %w5) : (tensor<27x128xf32>, tensor<256x128xf32>) -> tensor<27x256xf32>
  %w6 = "ml.const"() {value = dense<0.25> : tensor<16x16xf32>} : () -> tensor<16x16xf32>
  %y6 = "ml.linear"(%g, %w6) : (tensor<28x16xf32>, tensor<16x16xf32>) -> tensor<28x16xf32>
  %w7 = "ml.const"() {value = dense<0.25> : tensor<512x256xf32>} : () -> tensor<512x256xf32>
  %y7 = "ml.linear"(%h, %w7) : (tensor<1x256xf32>, tensor<512x256xf32>) -> tensor<1x512xf32>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7 : tensor<24x16xf32>, tensor<1x2048xf32>, tensor<25x16xf32>, tensor<3x2048xf32>, tensor<26x16xf32>, tensor<27x256xf32>, tensor<28x16xf32>, tensor<1x512xf32>
}
