// ml.reexpress: constants are rewritten in any scheme, 8-bit tensors use a table, other cases are reported.
// RUN: %opt --pass lower-to-integer %s 2>&1 | FileCheck %s
!block = !quant.uniform<i16:f32:{0:2}, {0.5, 0.25:10}>
func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<u8:f32, 0.5:128>> {
  // CHECK: "ml.const"() {value = dense<[8, 10, 26, 30]> : tensor<4xi16>}
  %w = "ml.const"() {value = dense<[4, 5, 4, 5]> : tensor<4xi8>} : () -> tensor<4x!quant.uniform<i8:f32, 1.0>>
  %v = "ml.reexpress"(%w) {mode = "exact"} : (tensor<4x!quant.uniform<i8:f32, 1.0>>) -> tensor<4x!block>
  // CHECK: dense<[128, 129,
  // CHECK: %[[Y:.*]] = "ml.lut"(%arg0, %{{.*}}) : (tensor<2xi8>, tensor<256xui8>) -> tensor<2xui8>
  // CHECK: return %[[Y]] : tensor<2xui8>
  %y = "ml.reexpress"(%x) {mode = "exact"} : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<u8:f32, 0.5:128>>
  return %y : tensor<2x!quant.uniform<u8:f32, 0.5:128>>
}
