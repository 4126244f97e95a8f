// A row divided by its norm, and log_softmax, in 8-bit fixed point: the same at every stage.
// RUN: quern opt %s --emit=interpret --function rows --input 3x4xi8=-128,127,0,5,1,1,1,1,3,3,4,3 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function rows --input 3x4xi8=-128,127,0,5,1,1,1,1,3,3,4,3 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function rows --input 3x4xi8=-128,127,0,5,1,1,1,1,3,3,4,3 | FileCheck %s --match-full-lines
// RUN: sed 's/0.0078125/0.5/' %s | %opt - --pass lower-to-integer 2>&1 | FileCheck %s --check-prefix=SCALE
// SCALE: error: 'ml.l2_norm' has no integer form: the result must have scale 0.0078125 and zero point 0
// CHECK: dense<[{{\[}}-92, 89, -1, 3], [0, 0, 0, 0], [56, 56, 84, 56]]> : tensor<3x4x{{.*}}>
// CHECK-NEXT: dense<[{{\[}}-128, 127, -128, -117], [105, 105, 105, 105], [104, 104, 106, 104]]> : tensor<3x4x{{.*}}>
!x = !quant.uniform<i8:f32, 0.125:1>
!y = !quant.uniform<i8:f32, 0.0078125>
!z = !quant.uniform<i8:f32, 0.0625:127>
module attributes {quern.numerics = "litert-ref"} {
  func.func @rows(%s: tensor<3x4xi8>) -> (tensor<3x4x!y>, tensor<3x4x!z>) {
    %x = quant.scast %s : tensor<3x4xi8> to tensor<3x4x!x>
    %0 = "ml.l2_norm"(%x) : (tensor<3x4x!x>) -> tensor<3x4x!y>
    %1 = "ml.log_softmax"(%x) : (tensor<3x4x!x>) -> tensor<3x4x!z>
    return %0, %1 : tensor<3x4x!y>, tensor<3x4x!z>
  }
}
