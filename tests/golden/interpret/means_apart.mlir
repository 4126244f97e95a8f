// The requantizations of two means differ only in the offset, which contains their zero points. A proof for one
// mean must not be reused for the other.
// RUN: quern opt %s --emit=interpret --input 2x4xi8=-128,-77,-3,0,1,50,100,127 --input 2x4xi8=9,-20,127,-128,64,3,-1,90 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --cpu baseline --input 2x4xi8=-128,-77,-3,0,1,50,100,127 --input 2x4xi8=9,-20,127,-128,64,3,-1,90 | FileCheck %s --match-full-lines
// RUN(x86-64-v3): quern opt %s --lower-to-integer --emit=run --cpu x86-64-v3 --input 2x4xi8=-128,-77,-3,0,1,50,100,127 --input 2x4xi8=9,-20,127,-128,64,3,-1,90 | FileCheck %s --match-full-lines
// CHECK: dense<[-119, -70]> : tensor<2x{{.*}}>
// CHECK-NEXT: dense<[-109, -92]> : tensor<2x{{.*}}>
!a = !quant.uniform<i8:f32, 0.1:-5>
!b = !quant.uniform<i8:f32, 0.1:20>
!y = !quant.uniform<i8:f32, 0.25:-100>
module attributes {quern.numerics = "xnnpack"} {
  func.func @main(%s: tensor<2x4xi8>, %t: tensor<2x4xi8>) -> (tensor<2x!y>, tensor<2x!y>) {
    %a = quant.scast %s : tensor<2x4xi8> to tensor<2x4x!a>
    %b = quant.scast %t : tensor<2x4xi8> to tensor<2x4x!b>
    %low = "ml.reduce_mean"(%a) {axes = array<i64: 1>, keep_dims = false} : (tensor<2x4x!a>) -> tensor<2x!y>
    %high = "ml.reduce_mean"(%b) {axes = array<i64: 1>, keep_dims = false} : (tensor<2x4x!b>) -> tensor<2x!y>
    return %low, %high : tensor<2x!y>, tensor<2x!y>
  }
}
