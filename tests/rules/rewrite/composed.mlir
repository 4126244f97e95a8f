// Names that expand to several ops, and ops that equal another op: a batch normalization is
// folded, argmax is an output of a two-output op, a sigmoid becomes a table lookup, channels are
// padded to 32, and blocked layouts unpack to their contents.
// run: files=../../../rules/fusion.rr,../../../rules/integer.rr,../../../rules/layout.rr,../../../rules/splitting.rr only=conv-batch-norm,arg-max-as-top-k,sigmoid-as-table,conv-pad-channels,conv-blocked,as-uint8 validate=true report=true
// SPDX-License-Identifier: Apache-2.0
!u = !quant.uniform<u8:f32, 0.5:3>
!s = !quant.uniform<u8:f32, 0.00390625>
!i = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32:0, {0.25, 0.5}>
module attributes {quern.numerics = "litert-ref"} {
func.func @folded(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x3xf32> {
  %w = "ml.const"() {value = dense<[[[[0.5, 1.0]]], [[[1.0, 2.0]]], [[[3.0, -1.0]]]]> : tensor<3x1x1x2xf32>} : () -> tensor<3x1x1x2xf32>
  %b = "ml.const"() {value = dense<[1.5, 0.0, -1.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %s = "ml.const"() {value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %o = "ml.const"() {value = dense<[4.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %0 = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<3x1x1x2xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %1 = "ml.mul"(%0, %s) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %2 = "ml.add"(%1, %o) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  return %2 : tensor<1x2x2x3xf32>
}
func.func @not_folded(%x: tensor<1x2x2x3xf32>, %s: tensor<3xf32>, %o: tensor<3xf32>) -> (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) {
  %1 = "ml.mul"(%x, %s) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %2 = "ml.add"(%1, %o) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  return %1, %2 : tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>
}
func.func @positions(%x: tensor<1x2x3x4x!u>, %y: tensor<2x4xf32>) -> (tensor<1x2x3x1xi32>, tensor<2xi32>, tensor<1x1x3x4xi32>) {
  %0 = "ml.reduce_argmax"(%x) {axis = 3 : i64, keep_dims = true} : (tensor<1x2x3x4x!u>) -> tensor<1x2x3x1xi32>
  %1 = "ml.reduce_argmax"(%y) {axis = 1 : i64, keep_dims = false} : (tensor<2x4xf32>) -> tensor<2xi32>
  %2 = "ml.reduce_argmax"(%x) {axis = 1 : i64, keep_dims = true} : (tensor<1x2x3x4x!u>) -> tensor<1x1x3x4xi32>
  return %0, %1, %2 : tensor<1x2x3x1xi32>, tensor<2xi32>, tensor<1x1x3x4xi32>
}
func.func @looked_up(%x: tensor<2x3x!u>) -> tensor<2x3x!s> {
  %0 = "ml.sigmoid"(%x) : (tensor<2x3x!u>) -> tensor<2x3x!s>
  return %0 : tensor<2x3x!s>
}
func.func @filled(%x: tensor<1x1x2x2x!i>) -> tensor<1x1x2x2x!i> {
  %w = "ml.const"() {value = dense<[[[[1, 2]]], [[[3, 4]]]]> : tensor<2x1x1x2xi8>} : () -> tensor<2x1x1x2x!w>
  %b = "ml.const"() {value = dense<[7, 8]> : tensor<2xi32>} : () -> tensor<2xi32>
  %0 = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x1x2x2x!i>, tensor<2x1x1x2x!w>, tensor<2xi32>) -> tensor<1x1x2x2x!i>
  return %0 : tensor<1x1x2x2x!i>
}
func.func @blocked(%x: tensor<1x1x1x1x!i>, %w: tensor<32x1x1x1x!quant.uniform<i8:f32, 0.25>>, %b: tensor<32xi32>) -> tensor<1x1x1x32x!i> {
  %0 = "ml.conv"(%x, %w, %b) {activation = "relu6", strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x1x1x1x!i>, tensor<32x1x1x1x!quant.uniform<i8:f32, 0.25>>, tensor<32xi32>) -> tensor<1x1x1x32x!i>
  return %0 : tensor<1x1x1x32x!i>
}
func.func @as_codes(%x: tensor<4xf32>) -> tensor<4x!u> {
  %0 = quant.qcast %x : tensor<4xf32> to tensor<4x!u>
  return %0 : tensor<4x!u>
}
}
