// A float matrix product prefetches the next weight panel while it uses one, if the weights exceed L1d and its tiles have few
// pixels: matrix products, convolutions with k x k taps, remainder tiles; one weight per step or several cache lines. For large
// tensors the pixels of later tiles are prefetched instead.
// RUN: quern opt %s --lower-to-loops --config cpu=x86-64-v3 | FileCheck %s
// RUN: quern opt %s --lower-to-loops --config cpu=generic | FileCheck %s --check-prefix=PLAIN --implicit-check-not=quern.prefetch
// MLIR-OPT: none
// PLAIN: func.func @main

// CHECK-LABEL: func.func private @conv_0(
// CHECK: "quern.prefetch"(%arg1,
// CHECK-LABEL: func.func private @conv_1(
// CHECK: "quern.prefetch"(%arg1,
// A step of few pixels prefetches several cache lines of a panel.
// CHECK-LABEL: func.func private @linear_2(
// CHECK: "quern.prefetch"(%arg1,
// CHECK-NOT: vector.load
// CHECK: "quern.prefetch"(%arg1,
// CHECK-LABEL: func.func private @conv_3(
// CHECK-NOT: quern.prefetch
// Large x and y are streamed once: all channels of a few pixels, then the next pixels.
// CHECK-LABEL: func.func private @conv_4(
// CHECK: scf.for %[[UNIT:.*]] = %arg3 to %arg4 step %c9
// CHECK: arith.minsi %arg4
// CHECK: scf.for {{.*}} = %c0 to %c4
// CHECK-NOT: "quern.prefetch"(%arg1,
// CHECK: "quern.prefetch"(%arg0,
// CHECK-NOT: "quern.prefetch"(%arg1,
// With two pixels the hardware prefetcher suffices.
// CHECK-LABEL: func.func private @linear_5(
// CHECK-NOT: quern.prefetch
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<1x3x9x80xf32>, %f: tensor<3x300xf32>, %r: tensor<2x300xf32>, %m: tensor<1x60x60x96xf32>) -> (tensor<1x3x9x112xf32>, tensor<1x2x7x40xf32>, tensor<3x50xf32>, tensor<1x3x9x16xf32>, tensor<1x60x60x96xf32>, tensor<2x50xf32>) {
  %w0 = "ml.const"() {value = dense<0.25> : tensor<112x1x1x80xf32>} : () -> tensor<112x1x1x80xf32>
  %b0 = "ml.const"() {value = dense<1.5> : tensor<112xf32>} : () -> tensor<112xf32>
  %y0 = "ml.conv"(%x, %w0, %b0) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x3x9x80xf32>, tensor<112x1x1x80xf32>, tensor<112xf32>) -> tensor<1x3x9x112xf32>
  %w1 = "ml.const"() {value = dense<0.5> : tensor<40x2x3x80xf32>} : () -> tensor<40x2x3x80xf32>
  %y1 = "ml.conv"(%x, %w1) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x3x9x80xf32>, tensor<40x2x3x80xf32>) -> tensor<1x2x7x40xf32>
  %w2 = "ml.const"() {value = dense<0.125> : tensor<50x300xf32>} : () -> tensor<50x300xf32>
  %y2 = "ml.linear"(%f, %w2) : (tensor<3x300xf32>, tensor<50x300xf32>) -> tensor<3x50xf32>
  %w3 = "ml.const"() {value = dense<0.25> : tensor<16x1x1x80xf32>} : () -> tensor<16x1x1x80xf32>
  %y3 = "ml.conv"(%x, %w3) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x3x9x80xf32>, tensor<16x1x1x80xf32>) -> tensor<1x3x9x16xf32>
  %w4 = "ml.const"() {value = dense<0.25> : tensor<96x1x1x96xf32>} : () -> tensor<96x1x1x96xf32>
  %y4 = "ml.conv"(%m, %w4) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x60x60x96xf32>, tensor<96x1x1x96xf32>) -> tensor<1x60x60x96xf32>
  %y5 = "ml.linear"(%r, %w2) : (tensor<2x300xf32>, tensor<50x300xf32>) -> tensor<2x50xf32>
  return %y0, %y1, %y2, %y3, %y4, %y5 : tensor<1x3x9x112xf32>, tensor<1x2x7x40xf32>, tensor<3x50xf32>, tensor<1x3x9x16xf32>, tensor<1x60x60x96xf32>, tensor<2x50xf32>
}
