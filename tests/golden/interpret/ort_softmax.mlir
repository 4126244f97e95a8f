// The exponents of the kernel are shifted by a logarithm of f32 (docs/arithmetic.md 20.6). 198 / 4 and 159 / 6 are nearly ties: with a
// logarithm of f64 they would be 49 and 26.
// RUN: quern opt %s --emit=interpret --input 1x4xi8=127,127,127,127 --input 1x6xi8=127,127,127,127,127,127 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --input 1x4xi8=127,127,127,127 --input 1x6xi8=127,127,127,127,127,127 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --input 1x4xi8=127,127,127,127 --input 1x6xi8=127,127,127,127,127,127 | FileCheck %s --match-full-lines
// CHECK: dense<{{\[}}[-78, -78, -78, -78]]> : tensor<1x4x{{.*}}>
// CHECK-NEXT: dense<{{\[}}[-101, -101, -101, -101, -101, -101]]> : tensor<1x6x{{.*}}>
!a = !quant.uniform<i8:f32, 0.017185362055897713:127>
!b = !quant.uniform<i8:f32, 0.0012930186931043863:21>
!c = !quant.uniform<i8:f32, 0.0050354632548987865:-128>
!d = !quant.uniform<i8:f32, 0.0062868171371519566:-128>
module attributes {quern.numerics = "ort"} {
  func.func @main(%x: tensor<1x4xi8>, %y: tensor<1x6xi8>) -> (tensor<1x4x!c>, tensor<1x6x!d>) {
    %a = quant.scast %x : tensor<1x4xi8> to tensor<1x4x!a>
    %b = quant.scast %y : tensor<1x6xi8> to tensor<1x6x!b>
    %0 = "ml.softmax"(%a) {beta = 1.0 : f64} : (tensor<1x4x!a>) -> tensor<1x4x!c>
    %1 = "ml.softmax"(%b) {beta = 1.0 : f64} : (tensor<1x6x!b>) -> tensor<1x6x!d>
    return %0, %1 : tensor<1x4x!c>, tensor<1x6x!d>
  }
}
