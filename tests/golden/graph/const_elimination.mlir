// Ops on constants are computed; compressed weights stay compressed.
// RUN: quern opt %s --const-elimination --dead-code-elimination | FileCheck %s
// RUN: quern opt %s --const-elimination=skip_const_by_size=2 --dead-code-elimination | FileCheck %s --check-prefix=SMALL
!q = !quant.uniform<i8:f32, 0.5:3>

// CHECK-LABEL: func.func @chain
// CHECK-NEXT: "ml.const"() {value = dense<{{\[\[}}2.000000e+00], [4.000000e+00], [6.000000e+00]]> : tensor<3x1xf32>}
// CHECK-NEXT: return
// SMALL-LABEL: func.func @chain
// SMALL: ml.add
// SMALL: ml.reshape
func.func @chain() -> tensor<3x1xf32> {
  %c = "ml.const"() {value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %0 = "ml.add"(%c, %c) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = "ml.reshape"(%0) : (tensor<3xf32>) -> tensor<3x1xf32>
  return %1 : tensor<3x1xf32>
}
// The quotient is rounded half to even before the zero point is added.
// CHECK-LABEL: func.func @quantized
// CHECK-NEXT: "ml.const"() {value = dense<[5, 7, 3]> : tensor<3xi8>}
// CHECK-NEXT: return
func.func @quantized() -> tensor<3x!q> {
  %c = "ml.const"() {value = dense<[1.25, 1.75, -0.25]> : tensor<3xf32>} : () -> tensor<3xf32>
  %0 = quant.qcast %c : tensor<3xf32> to tensor<3x!q>
  return %0 : tensor<3x!q>
}
// CHECK-LABEL: func.func @both_parts
// CHECK-NOT: ml.split
// CHECK: dense<1.000000e+00>
// CHECK: dense<2.000000e+00>
func.func @both_parts() -> (tensor<1xf32>, tensor<1xf32>) {
  %c = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0:2 = "ml.split"(%c) {axis = 0 : i64} : (tensor<2xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return %0#0, %0#1 : tensor<1xf32>, tensor<1xf32>
}
// CHECK-LABEL: func.func @compressed
// CHECK: quant.dcast
// CHECK: ml.add
func.func @compressed() -> tensor<3xf32> {
  %w = "ml.const"() {value = dense<[1, 2, 3]> : tensor<3xi8>} : () -> tensor<3x!q>
  %c = "ml.const"() {value = dense<1.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %0 = quant.dcast %w : tensor<3x!q> to tensor<3xf32>
  %1 = "ml.add"(%0, %c) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
// CHECK-LABEL: func.func @half_known
// CHECK: ml.add
func.func @half_known(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = "ml.const"() {value = dense<1.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %0 = "ml.add"(%x, %c) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// CHECK-LABEL: func.func @undefined
// CHECK: arith.divsi
func.func @undefined() -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.constant 0 : i32
  %0 = arith.divsi %a, %b : i32
  return %0 : i32
}
// A type that ml.const does not have becomes an arith.constant, or the op stays.
// CHECK-LABEL: func.func @other_widths
// CHECK: arith.constant dense<[5, -2048]> : tensor<2xi12>
// CHECK-NOT: quant.scast
func.func @other_widths() -> tensor<2xi12> {
  %c = "ml.const"() {value = dense<[5, -2048]> : tensor<2xi12>} : () -> tensor<2x!quant.uniform<i12:bf16, 0.125>>
  %0 = quant.scast %c : tensor<2x!quant.uniform<i12:bf16, 0.125>> to tensor<2xi12>
  return %0 : tensor<2xi12>
}
// CHECK-LABEL: func.func @one_number
// CHECK: arith.constant 7.500000e-01 : f32
// CHECK-NOT: tensor.extract
func.func @one_number() -> f32 {
  %c = "ml.const"() {value = dense<[0.5, 0.75]> : tensor<2xf32>} : () -> tensor<2xf32>
  %i = arith.constant 1 : index
  %0 = tensor.extract %c[%i] : tensor<2xf32>
  return %0 : f32
}
// CHECK-LABEL: func.func @no_elements
// CHECK: quant.qcast
func.func @no_elements() -> tensor<0x!q> {
  %c = arith.constant dense<> : tensor<0xf32>
  %0 = quant.qcast %c : tensor<0xf32> to tensor<0x!q>
  return %0 : tensor<0x!q>
}
// Large constants fold if the result is no larger than the constants it replaces, or only a little larger.
// CHECK-LABEL: func.func @large
// CHECK-NEXT: "ml.const"() {value = dense<2.500000e-01> : tensor<64x64xf32>}
// CHECK-NEXT: ml.matmul
// CHECK-NEXT: return
// SMALL-LABEL: func.func @large
// SMALL: ml.transpose
func.func @large(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %c = "ml.const"() {value = dense<0.5> : tensor<64x64xf32>} : () -> tensor<64x64xf32>
  %t = "ml.transpose"(%c) {perm = array<i64: 1, 0>} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = "ml.mul"(%t, %t) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = "ml.matmul"(%x, %s) : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}
// Unchanged: the module would grow beyond its limit, or the fold takes more products than allowed.
// CHECK-LABEL: func.func @grows
// CHECK: ml.tile
func.func @grows() -> tensor<4096x1024xf32> {
  %c = "ml.const"() {value = dense<0.5> : tensor<1x1024xf32>} : () -> tensor<1x1024xf32>
  %0 = "ml.tile"(%c) {reps = array<i64: 4096, 1>} : (tensor<1x1024xf32>) -> tensor<4096x1024xf32>
  return %0 : tensor<4096x1024xf32>
}
// CHECK-LABEL: func.func @products
// CHECK: ml.matmul
func.func @products() -> tensor<512x512xf32> {
  %c = "ml.const"() {value = dense<0.5> : tensor<512x512xf32>} : () -> tensor<512x512xf32>
  %0 = "ml.matmul"(%c, %c) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
// f16 weights stay f16; a cast that makes a constant smaller is computed.
// CHECK-LABEL: func.func @halves
// CHECK: "ml.cast"({{.*}}) : (tensor<2xf16>) -> tensor<2xf32>
// CHECK-NOT: (tensor<2xf32>) -> tensor<2xf16>
// CHECK: return
func.func @halves() -> (tensor<2xf32>, tensor<2xf16>) {
  %h = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf16>} : () -> tensor<2xf16>
  %f = "ml.const"() {value = dense<[3.0, 4.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.cast"(%h) : (tensor<2xf16>) -> tensor<2xf32>
  %1 = "ml.cast"(%f) : (tensor<2xf32>) -> tensor<2xf16>
  return %0, %1 : tensor<2xf32>, tensor<2xf16>
}
