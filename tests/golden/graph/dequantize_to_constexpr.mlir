// Dequantized constant integers become a compressed constant; other dequantizations stay.
// RUN: quern opt %s --dequantize-to-constexpr | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5:3>
!rows = !quant.uniform<u8:f32:0, {0.5, 2.0}>
!narrow = !quant.uniform<i8<-127:127>:f32, 0.5>
// CHECK-LABEL: func.func @known
// CHECK: %[[Q:.*]] = "ml.const"() {value = dense<[1, -128]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK-NEXT: quant.dcast %[[Q]]
// CHECK-NOT: quant.scast
func.func @known() -> tensor<2xf32> {
  %c = "ml.const"() {value = dense<[1, -128]> : tensor<2xi8>} : () -> tensor<2xi8>
  %s = quant.scast %c : tensor<2xi8> to tensor<2x!q>
  %0 = quant.dcast %s : tensor<2x!q> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
// Scales per row and unsigned storage; the integers have another reader, too.
// CHECK-LABEL: func.func @rows
// CHECK: %[[Q:.*]] = "ml.const"() {value = dense<{{.*}}1, 2], [-1, 4]]> : tensor<2x2xi8>} : () -> tensor<2x2x!quant.uniform<u8:f32:0
// CHECK: quant.dcast %[[Q]]
func.func @rows() -> (tensor<2x2xf32>, tensor<2x2xi8>) {
  %c = arith.constant dense<[[1, 2], [-1, 4]]> : tensor<2x2xi8>
  %s = quant.scast %c : tensor<2x2xi8> to tensor<2x2x!rows>
  %0 = quant.dcast %s : tensor<2x2x!rows> to tensor<2x2xf32>
  return %0, %c : tensor<2x2xf32>, tensor<2x2xi8>
}
// CHECK-LABEL: func.func @argument
// CHECK: quant.scast
func.func @argument(%x: tensor<2xi8>) -> tensor<2xf32> {
  %s = quant.scast %x : tensor<2xi8> to tensor<2x!q>
  %0 = quant.dcast %s : tensor<2x!q> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
// CHECK-LABEL: func.func @not_dequantized
// CHECK: quant.scast
func.func @not_dequantized() -> tensor<2x!q> {
  %c = "ml.const"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2xi8>
  %s = quant.scast %c : tensor<2xi8> to tensor<2x!q>
  return %s : tensor<2x!q>
}
// Unchanged: the operand is computed by an op, so this pass does not see it as constant.
// CHECK-LABEL: func.func @moved
// CHECK: quant.scast
func.func @moved() -> tensor<2x1xf32> {
  %c = "ml.const"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2xi8>
  %r = "ml.reshape"(%c) : (tensor<2xi8>) -> tensor<2x1xi8>
  %s = quant.scast %r : tensor<2x1xi8> to tensor<2x1x!q>
  %0 = quant.dcast %s : tensor<2x1x!q> to tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}
// Unchanged: -128 is outside the narrowed storage range.
// CHECK-LABEL: func.func @outside
// CHECK: quant.scast
func.func @outside() -> tensor<2xf32> {
  %c = "ml.const"() {value = dense<[1, -128]> : tensor<2xi8>} : () -> tensor<2xi8>
  %s = quant.scast %c : tensor<2xi8> to tensor<2x!narrow>
  %0 = quant.dcast %s : tensor<2x!narrow> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
