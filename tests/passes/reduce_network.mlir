// The failing part of a network remains: its inputs become arguments, and its results are returned.
// RUN: %quern reduce %s --op --check '! grep -q ml.softmax' 2>%t.messages | FileCheck %s --check-prefix=LAST --match-full-lines --strict-whitespace
// RUN: %quern reduce %s --op --check '! grep -q ml.depthwise_conv' -o %t.small 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: FileCheck %s --check-prefix=INNER --input-file=%t.small
!x = !quant.uniform<i8:f32, 0.05:3>
!w = !quant.uniform<i8<-127:127>:f32, 0.01>
!s = !quant.uniform<i8:f32, 0.00390625:-128>
func.func @main(%x: tensor<1x4x4x8x!x> {quern.name = "x"}) -> (tensor<1x8x!s> {quern.name = "y"}) {
  %w = "ml.const"() {value = dense<1> : tensor<8x1x1x8xi8>} : () -> tensor<8x1x1x8x!w>
  %v = "ml.const"() {value = dense<2> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8x!w>
  %b = "ml.const"() {value = dense<7> : tensor<8xi32>} : () -> tensor<8xi32>
  %0 = ml.conv %x, %w, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x8x!x>, tensor<8x1x1x8x!w>, tensor<8xi32>) -> tensor<1x4x4x8x!x>
  %1 = ml.depthwise_conv %0, %v, %b {dilations = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x4x4x8x!x>, tensor<1x3x3x8x!w>, tensor<8xi32>) -> tensor<1x2x2x8x!x>
  %2 = ml.reduce_mean %1 {axes = array<i64: 1, 2>, keep_dims = false} : (tensor<1x2x2x8x!x>) -> tensor<1x8x!x>
  %3 = ml.softmax %2 {beta = 1.0 : f32} : (tensor<1x8x!x>) -> tensor<1x8x!s>
  return %3 : tensor<1x8x!s>
}

//      LAST:module {
// LAST-NEXT:  func.func @main(%arg0: tensor<1x8x!quant.uniform<i8:f32, 5.000000e-02:3>>) -> tensor<1x8x!quant.uniform<i8:f32, 3.906250e-03:-128>> {
// LAST-NEXT:    %0 = "ml.softmax"(%arg0) {beta = 1.000000e+00 : f32} : (tensor<1x8x!quant.uniform<i8:f32, 5.000000e-02:3>>) -> tensor<1x8x!quant.uniform<i8:f32, 3.906250e-03:-128>>
// LAST-NEXT:    return %0 : tensor<1x8x!quant.uniform<i8:f32, 3.906250e-03:-128>>
// LAST-NEXT:  }
// LAST-NEXT:}
// SAYS: the check fails; {{[0-9]+}} modules were tried
// INNER: func.func @main(%arg0: tensor<{{.*}}>, %arg1: tensor<{{.*}}>, %arg2: tensor<{{.*}}>) ->
// INNER-NEXT: %0 = "ml.depthwise_conv"(%arg{{[0-2]}}, %arg{{[0-2]}}, %arg{{[0-2]}})
// INNER-NEXT: return %0
