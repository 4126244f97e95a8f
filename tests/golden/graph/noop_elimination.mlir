// Ops that return their operand unchanged are removed; similar ops stay.
// RUN: quern opt %s --noop-elimination | FileCheck %s
// RUN: quern opt %s --noop-elimination=ignore-signed-zeros=true | FileCheck %s --check-prefix=ZEROS
!q = !quant.uniform<i8:f32, 0.5:3>
!p = !quant.uniform<i8:f32, 0.25:3>

// CHECK-LABEL: func.func @moves
// CHECK-NEXT: return %arg0
func.func @moves(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ml.reshape"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = "ml.pad"(%1) {pad = array<i64: 0, 0, 0, 0>, value = 7 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = "ml.slice_by_index"(%2) {begin = array<i64: 0, 0>, end = array<i64: 2, 3>, stride = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = "ml.split"(%3) {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = "ml.concat"(%4) {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %5 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @numbers
// CHECK-NOT: ml.mul
// CHECK-NOT: ml.sub
// CHECK-NOT: ml.add
// CHECK: return %arg0
func.func @numbers(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %one = "ml.const"() {value = dense<1.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %zero = "ml.const"() {value = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %minus = "ml.const"() {value = dense<-0.0> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %0 = "ml.mul"(%one, %x) : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "ml.sub"(%0, %zero) : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  %2 = "ml.add"(%1, %minus) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
// Unchanged: 0.0 + -0.0 is 0.0.
// CHECK-LABEL: func.func @signed_zero
// CHECK: ml.add
// ZEROS-LABEL: func.func @signed_zero
// ZEROS-NOT: ml.add
// ZEROS: return %arg0
func.func @signed_zero(%x: tensor<3xf32>) -> tensor<3xf32> {
  %zero = "ml.const"() {value = dense<0.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %0 = "ml.add"(%zero, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// CHECK-LABEL: func.func @broadcast
// ZEROS-LABEL: func.func @broadcast
// CHECK: ml.add
// ZEROS: ml.add
func.func @broadcast(%x: tensor<4xf32>) -> tensor<2x4xf32> {
  %zero = "ml.const"() {value = dense<0.0> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %0 = "ml.add"(%x, %zero) : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @wrong_side
// ZEROS-LABEL: func.func @wrong_side
// CHECK: ml.sub
// ZEROS: ml.sub
func.func @wrong_side(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = "ml.const"() {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "ml.sub"(%zero, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @activation
// CHECK: ml.mul
func.func @activation(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = "ml.const"() {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "ml.mul"(%x, %one) {activation = "relu"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @not_all_ones
// CHECK: ml.mul
func.func @not_all_ones(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = "ml.const"() {value = dense<[1.0, 1.0, 2.0, 1.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "ml.mul"(%x, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @backward
// CHECK: ml.slice_by_index
func.func @backward(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ml.slice_by_index"(%x) {begin = array<i64: 3>, end = array<i64: -1>, stride = array<i64: -1>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @square
// CHECK: ml.transpose
func.func @square(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// CHECK-LABEL: func.func @other_type
// CHECK: ml.reshape
func.func @other_type(%x: tensor<2x!q>) -> tensor<2x!p> {
  %0 = "ml.reshape"(%x) : (tensor<2x!q>) -> tensor<2x!p>
  return %0 : tensor<2x!p>
}
