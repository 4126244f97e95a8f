// Products of two computed 8-bit and 16-bit matrices, with broadcast batches: the same at every stage.
// RUN: quern opt %s --emit=interpret --function bytes --input 2x2x2xi8=1,2,3,4,-128,127,0,5 --input 3x2xi8=10,-20,30,40,-50,127 | FileCheck %s --check-prefix=BYTES --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function bytes --input 2x2x2xi8=1,2,3,4,-128,127,0,5 --input 3x2xi8=10,-20,30,40,-50,127 | FileCheck %s --check-prefix=BYTES --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function bytes --input 2x2x2xi8=1,2,3,4,-128,127,0,5 --input 3x2xi8=10,-20,30,40,-50,127 | FileCheck %s --check-prefix=BYTES --match-full-lines
// RUN: quern opt %s --emit=interpret --function words --input 2x2xi16=1000,-2000,32767,-32768 --input 2x1xi16=-32768,12345 | FileCheck %s --check-prefix=WORDS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function words --input 2x2xi16=1000,-2000,32767,-32768 --input 2x1xi16=-32768,12345 | FileCheck %s --check-prefix=WORDS --match-full-lines
// BYTES: dense<[{{\[}}{{\[}}-1, 24, 33], [-4, 35, 45]], [{{\[}}-128, 119, 127], [-7, 31, 69]]]> : tensor<2x2x3x{{.*}}>
// RUN: quern opt %s --emit=interpret --function sums --input 2x3xi8=-128,-128,-128,1,2,3 --input 3x2xi8=-128,1,-128,0,127,-1 | FileCheck %s --check-prefix=SUMS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function sums --input 2x3xi8=-128,-128,-128,1,2,3 --input 3x2xi8=-128,1,-128,0,127,-1 | FileCheck %s --check-prefix=SUMS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function sums --input 2x3xi8=-128,-128,-128,1,2,3 --input 3x2xi8=-128,1,-128,0,127,-1 | FileCheck %s --check-prefix=SUMS --match-full-lines
// SUMS: dense<{{\[}}{{\[}}16512, 0], [-3, -2]]> : tensor<2x2xi32>
// WORDS: dense<[{{\[}}-575], [-14782]]> : tensor<2x1x{{.*}}>
!a = !quant.uniform<i8:f32, 0.5:-2>
!b = !quant.uniform<i8:f32, 0.25:3>
!c = !quant.uniform<i8:f32, 1.5:5>
!w = !quant.uniform<i16:f32, 0.001>
!x = !quant.uniform<i16:f32, 0.01>
!y = !quant.uniform<i16:f32, 1.0>
module attributes {quern.numerics = "litert-ref"} {
  func.func @bytes(%s: tensor<2x2x2xi8>, %t: tensor<3x2xi8>) -> tensor<2x2x3x!c> {
    %x = quant.scast %s : tensor<2x2x2xi8> to tensor<2x2x2x!a>
    %y = quant.scast %t : tensor<3x2xi8> to tensor<3x2x!b>
    %0 = "ml.matmul"(%x, %y) {transpose_y = true} : (tensor<2x2x2x!a>, tensor<3x2x!b>) -> tensor<2x2x3x!c>
    return %0 : tensor<2x2x3x!c>
  }
  func.func @sums(%x: tensor<2x3xi8>, %y: tensor<3x2xi8>) -> tensor<2x2xi32> {
    %0 = "ml.matmul"(%x, %y) : (tensor<2x3xi8>, tensor<3x2xi8>) -> tensor<2x2xi32>
    return %0 : tensor<2x2xi32>
  }
  func.func @words(%s: tensor<2x2xi16>, %t: tensor<2x1xi16>) -> tensor<2x1x!y> {
    %x = quant.scast %s : tensor<2x2xi16> to tensor<2x2x!w>
    %y = quant.scast %t : tensor<2x1xi16> to tensor<2x1x!x>
    %0 = "ml.matmul"(%x, %y) : (tensor<2x2x!w>, tensor<2x1x!x>) -> tensor<2x1x!y>
    return %0 : tensor<2x1x!y>
  }
}
