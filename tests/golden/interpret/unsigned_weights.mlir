// Weights of unsigned storage are unsigned in units of 16-bit activations, too: 3 * (200 - 128) + 2 * (100 - 128) = 160.
// RUN: quern opt %s --emit=interpret --input 1x2xi16=3,2 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --input 1x2xi16=3,2 | FileCheck %s --match-full-lines
// CHECK: dense<{{\[\[}}160{{\]\]}}> : tensor<1x1x{{.*}}>
!x = !quant.uniform<i16:f32, 1.0>
!w = !quant.uniform<u8:f32, 0.5:128>
!y = !quant.uniform<i16:f32, 0.5>
module attributes {quern.numerics = "onnx"} {
  func.func @main(%s: tensor<1x2xi16>) -> tensor<1x1x!y> {
    %x = quant.scast %s : tensor<1x2xi16> to tensor<1x2x!x>
    %w = "ml.const"() {value = dense<[[-56, 100]]> : tensor<1x2xi8>} : () -> tensor<1x2x!w>
    %0 = "ml.linear"(%x, %w) : (tensor<1x2x!x>, tensor<1x2x!w>) -> tensor<1x1x!y>
    return %0 : tensor<1x1x!y>
  }
}
