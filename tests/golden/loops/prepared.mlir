// Float ops with 8-bit weights: what depends on weights alone is computed once, into prepared memory, and never in a call. A slice of
// constants goes on from other prepared ones; an intermediate result has no place once nothing reads it.
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s
// With kept tensors every tensor has a place in the arena.
// RUN: quern opt %s --compile --config keep-tensors=true | FileCheck %s --check-prefix=KEPT
// MLIR-OPT: none
// CHECK-LABEL: func.func @main
// CHECK-SAME: {quern.role = "prepared"}
// CHECK: kernel = @dequantize_{{.*}}quern.prepares
// CHECK: kernel = @pack_{{.*}}quern.prepares
// CHECK: kernel = @grouped_conv_
// CHECK-NOT: quern.prepares
// CHECK: kernel = @dequantize_{{.*}}quern.prepares
// CHECK: kernel = @pack_{{.*}}quern.prepares
// CHECK: kernel = @matmul_
// CHECK-NOT: quern.prepares
// CHECK: kernel = @dequantize_{{.*}}quern.prepares
// CHECK: kernel = @slice_{{.*}}quern.prepares
// CHECK: kernel = @pack_{{.*}}quern.prepares
// CHECK: kernel = @conv_
// CHECK-NOT: quern.prepares
// KEPT-NOT: prepare
!w = !quant.uniform<i8<-127:127>:f32, 0.0625>
module {
func.func @main(%x: tensor<1x6x5x128xf32>, %m: tensor<4x3x40xf32>) -> (tensor<1x6x5x128xf32>, tensor<4x3x33xf32>, tensor<1x12x10x16xf32>) {
  %d = "ml.const"() {value = dense<3> : tensor<128x3x3x1xi8>} : () -> tensor<128x3x3x1x!w>
  %b = "ml.const"() {value = dense<7> : tensor<4x40x33xi8>} : () -> tensor<4x40x33x!w>
  %t = "ml.const"() {value = dense<9> : tensor<16x2x2x128xi8>} : () -> tensor<16x2x2x128x!w>
  %0 = "ml.conv"(%x, %d) {strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 128 : i64} : (tensor<1x6x5x128xf32>, tensor<128x3x3x1x!w>) -> tensor<1x6x5x128xf32>
  %1 = "ml.matmul"(%m, %b) : (tensor<4x3x40xf32>, tensor<4x40x33x!w>) -> tensor<4x3x33xf32>
  %2 = "ml.conv_transpose"(%x, %t) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x6x5x128xf32>, tensor<16x2x2x128x!w>) -> tensor<1x12x10x16xf32>
  return %0, %1, %2 : tensor<1x6x5x128xf32>, tensor<4x3x33xf32>, tensor<1x12x10x16xf32>
}
}
