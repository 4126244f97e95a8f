// Arguments that can't be changed to channels first are reported.
// RUN: quern opt %s --split-input-file --image-input-preprocess=inputs=0 2>&1 | FileCheck %s
// CHECK: error: argument '0' can't get its channels first: it has no rows, columns and channels
// CHECK: error: argument '0' can't get its channels first: it is a state
// CHECK: error: argument '0' can't get its channels first: its scales depend on the place
// CHECK: error: argument '0' can't get its channels first: one of its last dimensions has any size
// CHECK: error: argument '0' can't get its channels first: the function is called
func.func @main(%x: tensor<8x3xf32>) -> tensor<8x3xf32> {
  return %x : tensor<8x3xf32>
}
// -----
func.func @main_1(%s: tensor<1x2x2x3xf32> {quern.role = "state"}) -> (tensor<1x2x2x3xf32> {quern.role = "state"}) {
  return %s : tensor<1x2x2x3xf32>
}
// -----
func.func @main_2(%x: tensor<1x2x2x2x!quant.uniform<i8:f32:3, {0.5, 1.0}>>) -> tensor<1x2x2x2x!quant.uniform<i8:f32:3, {0.5, 1.0}>> {
  return %x : tensor<1x2x2x2x!quant.uniform<i8:f32:3, {0.5, 1.0}>>
}
// -----
func.func @main_3(%x: tensor<4x2x3xf32> {quern.sizes = ["n"]}) -> tensor<4x2x3xf32> {
  %0 = "ml.relu"(%x) : (tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  return %0 : tensor<4x2x3xf32>
}
// -----
func.func @main_4(%x: tensor<4x2x3xf32>) -> tensor<4x2x3xf32> {
  return %x : tensor<4x2x3xf32>
}
func.func private @other_4(%x: tensor<4x2x3xf32>) -> tensor<4x2x3xf32> {
  %0 = func.call @main_4(%x) : (tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  return %0 : tensor<4x2x3xf32>
}
