// An op that onnxruntime leaves in float is exact in the profile ort, too (docs/arithmetic.md 20). A tie and an odd zero point
// distinguish the two: 1/2 + 1 rounds to 2 in the kernel for products, and to 1 if only the 1/2 is rounded.
// RUN: quern opt %s --emit=interpret --input 4xi8=1,3,5,-1 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --input 4xi8=1,3,5,-1 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --input 4xi8=1,3,5,-1 | FileCheck %s --match-full-lines
// RUN: sed 's/"ort"/"onnx"/' %s | quern opt - --emit=interpret --input 4xi8=1,3,5,-1 | FileCheck %s --check-prefix=ONNX --match-full-lines
// CHECK: dense<[2, 2, 4, 0]> : tensor<4x{{.*}}>
// CHECK-NEXT: dense<[1, 3, 3, 1]> : tensor<4x{{.*}}>
// ONNX: dense<[1, 3, 3, 1]> : tensor<4x{{.*}}>
// ONNX-NEXT: dense<[1, 3, 3, 1]> : tensor<4x{{.*}}>
!a = !quant.uniform<i8:f32, 0.5>
!b = !quant.uniform<i8:f32, 1.0>
!y = !quant.uniform<i8:f32, 1.0:1>
module attributes {quern.numerics = "ort"} {
  func.func @main(%s: tensor<4xi8>) -> (tensor<4x!y>, tensor<4x!y>) {
    %a = quant.scast %s : tensor<4xi8> to tensor<4x!a>
    %b = "ml.const"() {value = dense<1> : tensor<4xi8>} : () -> tensor<4x!b>
    %0 = "ml.mul"(%a, %b) : (tensor<4x!a>, tensor<4x!b>) -> tensor<4x!y>
    %1 = "ml.mul"(%a, %b) {quern.unfused} : (tensor<4x!a>, tensor<4x!b>) -> tensor<4x!y>
    return %0, %1 : tensor<4x!y>, tensor<4x!y>
  }
}
