// A weight of 255 (zero point subtracted) is not the sum of two signed bytes: byte products need three parts.
// RUN: quern opt %s --emit=interpret --input 1x8xui8=255,1,2,3,4,5,6,7 --input 2x8xui8=255,255,255,255,255,255,255,255,0,127,128,129,254,255,1,2 | FileCheck %s --match-full-lines
// RUN(avx512vnni): quern opt %s --emit=run --cpu avx512vnni --input 1x8xui8=255,1,2,3,4,5,6,7 --input 2x8xui8=255,255,255,255,255,255,255,255,0,127,128,129,254,255,1,2 | FileCheck %s --match-full-lines
// RUN(avxvnni): quern opt %s --emit=run --cpu avxvnni --input 1x8xui8=255,1,2,3,4,5,6,7 --input 2x8xui8=255,255,255,255,255,255,255,255,0,127,128,129,254,255,1,2 | FileCheck %s --match-full-lines
// CHECK: dense<{{\[\[}}141, 6]]> : tensor<1x2x{{.*}}>
!x = !quant.uniform<u8:f32, 1.0>
!y = !quant.uniform<u8:f32, 512.0>
module attributes {quern.numerics = "tflm"} {
  func.func @main(%s: tensor<1x8x!x>, %t: tensor<2x8x!x>) -> tensor<1x2x!y> {
    %y = "ml.linear"(%s, %t) : (tensor<1x8x!x>, tensor<2x8x!x>) -> tensor<1x2x!y>
    return %y : tensor<1x2x!y>
  }
}
