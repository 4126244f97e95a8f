// At cortex-m55, a product adds 16 bytes of a pixel times 16 weights of a channel to an accumulator: two pixels and four
// channels at a time where K is short, three pixels in two passes by a loop where it is long. Depthwise layers multiply the
// even and the odd channels.
// RUN: quern opt %s --lower-to-integer --lower-to-loops --config cpu=cortex-m55 | FileCheck %s
// CHECK-LABEL: func.func private @conv_0
// CHECK-COUNT-8: "quern.dot"({{.*}}) {a_unsigned = false} : (vector<1xi32>, vector<16xi8>, vector<16xi8>) -> vector<1xi32>
// CHECK-NOT: "quern.dot"
// CHECK: "quern.rescale"
// CHECK: arith.maxsi {{.*}} : vector<4xi32>
// CHECK-LABEL: func.func private @conv_1
// CHECK: scf.for {{.*}} iter_args({{.*}}, {{.*}}, {{.*}}, {{.*}}, {{.*}}, {{.*}}) -> (vector<1xi32>, {{.*}})
// CHECK-COUNT-24: "quern.dot"
// CHECK: scf.for {{.*}} iter_args({{.*}}, {{.*}}, {{.*}}, {{.*}}, {{.*}}, {{.*}}) -> (vector<1xi32>, {{.*}})
// CHECK-COUNT-24: "quern.dot"
// CHECK-LABEL: func.func private @depthwise_2
// CHECK: arith.extsi {{.*}} : vector<8xi8> to vector<8xi16>
// CHECK: arith.muli {{.*}} : vector<8xi16>
// CHECK: arith.extsi {{.*}} : vector<4xi16> to vector<4xi32>
!x = !quant.uniform<i8:f32, 0.05:-128>
!w = !quant.uniform<i8<-127:127>:f32, 0.01>
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x4x6x16x!x>) -> (tensor<1x4x6x4x!x>, tensor<1x2x3x4x!x>, tensor<1x2x4x16x!x>) {
    %v = "ml.const"() {value = dense<93> : tensor<4x1x1x16xi8>} : () -> tensor<4x1x1x16x!w>
    %w = "ml.const"() {value = dense<93> : tensor<4x3x4x16xi8>} : () -> tensor<4x3x4x16x!w>
    %d = "ml.const"() {value = dense<93> : tensor<1x3x3x16xi8>} : () -> tensor<1x3x3x16x!w>
    %a = "ml.const"() {value = dense<7> : tensor<4xi32>} : () -> tensor<4xi32>
    %b = "ml.const"() {value = dense<7> : tensor<16xi32>} : () -> tensor<16xi32>
    %0 = "ml.conv"(%x, %v, %a) {activation = "relu", dilations = array<i64: 1, 1>, groups = 1 : i64, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x6x16x!x>, tensor<4x1x1x16x!w>, tensor<4xi32>) -> tensor<1x4x6x4x!x>
    %1 = "ml.conv"(%x, %w, %a) {dilations = array<i64: 1, 1>, groups = 1 : i64, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x6x16x!x>, tensor<4x3x4x16x!w>, tensor<4xi32>) -> tensor<1x2x3x4x!x>
    %2 = "ml.depthwise_conv"(%x, %d, %b) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x6x16x!x>, tensor<1x3x3x16x!w>, tensor<16xi32>) -> tensor<1x2x4x16x!x>
    return %0, %1, %2 : tensor<1x4x6x4x!x>, tensor<1x2x3x4x!x>, tensor<1x2x4x16x!x>
  }
}
