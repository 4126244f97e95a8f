// x * min(max(x + 3, 0), 6) / 6 in fixed point if the profile has such a kernel, else in floats: the same at every stage.
// RUN: quern opt %s --emit=interpret --function main --input 6xf32=-4,-3,-1,0.5,1,5 | FileCheck %s --check-prefix=REAL
// RUN: quern opt %s --emit=interpret --function signed --input 8xi8=-128,-80,-60,-40,0,10,60,127 | FileCheck %s --check-prefix=SIGNED
// RUN: quern opt %s --emit=interpret --function unsigned --input 8xi8=-128,-80,-60,-40,0,10,60,127 | FileCheck %s --check-prefix=UNSIGNED
// RUN: %opt --pass lower-to-integer %s | FileCheck %s --check-prefix=LUT
// REAL: dense<[-0.000000e+00, -0.000000e+00, -0.333333343, 0.291666657, 0.666666686, 5.000000e+00]>
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = "ml.hard_swish"(%x) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
// SIGNED: dense<[-120, -120, -127, -127, -107, -97, -40, 27]>
// LUT-LABEL: @signed
// LUT: "ml.lut"
func.func @signed(%s: tensor<8xi8>) -> tensor<8x!quant.uniform<i8:f32, 0.05:-120>> {
  %x = quant.scast %s : tensor<8xi8> to tensor<8x!quant.uniform<i8:f32, 0.05:-20>>
  %0 = "ml.hard_swish"(%x) : (tensor<8x!quant.uniform<i8:f32, 0.05:-20>>) -> tensor<8x!quant.uniform<i8:f32, 0.05:-120>>
  return %0 : tensor<8x!quant.uniform<i8:f32, 0.05:-120>>
}
// UNSIGNED: dense<[25, 93, 118, 143, 8, 8, 2, 24]>
func.func @unsigned(%s: tensor<8xi8>) -> tensor<8x!quant.uniform<u8:f32, 0.04:8>> {
  %x = quant.scast %s : tensor<8xi8> to tensor<8x!quant.uniform<u8:f32, 0.05:108>>
  %0 = "ml.hard_swish"(%x) : (tensor<8x!quant.uniform<u8:f32, 0.05:108>>) -> tensor<8x!quant.uniform<u8:f32, 0.04:8>>
  return %0 : tensor<8x!quant.uniform<u8:f32, 0.04:8>>
}
