// Attributes keep the quantization that the types of arguments and results had.
// RUN: %opt --pass lower-to-integer %s | FileCheck %s

// CHECK: func.func @main(%arg0: tensor<4xi8> {quern.scale = 5.000000e-01 : f64, quern.zero_point = 3 : i64})
// CHECK-SAME: -> (tensor<4xui8> {quern.name = "y", quern.scale = 2.500000e-01 : f64, quern.zero_point = 128 : i64})
func.func @main(%x: tensor<4x!quant.uniform<i8:f32, 0.5:3>>)
    -> (tensor<4x!quant.uniform<u8:f32, 0.25:128>> {quern.name = "y"}) {
  %0 = "ml.requantize"(%x)
    : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<u8:f32, 0.25:128>>
  return %0 : tensor<4x!quant.uniform<u8:f32, 0.25:128>>
}
