// The panels of overlapping tiles are prefetched, also by the tile of the last pixel, which follows them.
// RUN: quern opt %s --compile --config cpu=avx512vbmi | FileCheck %s
// RUN: quern compare %s --a-engine interpreter --a-stage integer --b-engine interpreter --b-stage loops --b-cpu avx512vbmi --input random:1
// RUN: quern compare %s --a-engine interpreter --a-stage integer --b-engine interpreter --b-stage loops --b-cpu avx512vnni --input random:1
// RUN(avx512vnni): quern compare %s --a-engine interpreter --a-stage integer --b-cpu avx512vnni --input random:1
// RUN(avx512vbmi): quern compare %s --a-engine interpreter --a-stage integer --b-cpu avx512vbmi --input random:1
// MLIR-OPT: none
// CHECK: func.func private @conv_0
// CHECK: :12 = scf.for {{.*}} iter_args({{.*}} = %cst
// CHECK: "quern.prefetch"
// CHECK: scf.for %
// CHECK: "quern.prefetch"
// CHECK: func.func @main
func.func @main(%x: tensor<1x7x7x128xui8>) -> tensor<1x7x7x1024xi8> {
  %w = "ml.const"() {value = dense<3> : tensor<1024x1x1x128xi8>} : () -> tensor<1024x1x1x128xi8>
  %b = "ml.const"() {value = dense<-40000> : tensor<1024xi32>} : () -> tensor<1024xi32>
  %m = "ml.const"() {value = dense<1234567890> : tensor<1024xi32>} : () -> tensor<1024xi32>
  %s = "ml.const"() {value = dense<-6> : tensor<1024xi32>} : () -> tensor<1024xi32>
  %0 = "ml.integer_conv"(%x, %w, %b, %m, %s) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 3 : i64, weight_zero_point = 0 : i64, output_zero_point = 1 : i64, rounding = "double", min = -128 : i64, max = 127 : i64, quern.tensors = array<i64: 1>} : (tensor<1x7x7x128xui8>, tensor<1024x1x1x128xi8>, tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) -> tensor<1x7x7x1024xi8>
  return %0 : tensor<1x7x7x1024xi8>
}
