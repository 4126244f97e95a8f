// Results that can't get another element type are reported.
// RUN: quern opt %s --split-input-file --update-output-dtypes=types=f16 2>&1 | FileCheck %s
// CHECK: error: result 0 can't get another element type: the function is called
// CHECK: error: result 0 can't get another element type: it is a state
// CHECK: error: result 0 can't get another element type: it is no tensor of numbers
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
func.func private @other_0(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
// -----
func.func @main_1(%s: tensor<4xf32> {quern.role = "state"}) -> (tensor<4xf32> {quern.role = "state"}) {
  %a = "ml.relu"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
// -----
func.func @main_2(%x: tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
  %a = quant.qcast %x : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32, 0.5>>
  return %a : tensor<4x!quant.uniform<i8:f32, 0.5>>
}
