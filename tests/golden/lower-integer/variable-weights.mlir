// Weights and bias may be arguments: the integer form is the same, and so are the bytes at every stage and
// level. (Computed in float, 5 of these 4096 bytes differ.)
// RUN: quern opt --lower-to-integer %s | FileCheck %s
// RUN: quern compare %s --a-engine interpreter --a-stage model --b-engine interpreter --b-stage integer --input random:1 --input random:2 --input 16xi32=0,1,-2,300,-4000,5,6,7,8,9,10,11,12,-13,14,15
// RUN: quern compare %s --a-engine interpreter --a-stage model --b-engine interpreter --b-stage loops --b-cpu avx512vnni --input random:1 --input random:2 --input 16xi32=0,1,-2,300,-4000,5,6,7,8,9,10,11,12,-13,14,15
// RUN: quern compare %s --a-engine interpreter --a-stage model --b-engine interpreter --b-stage loops --b-cpu x86-64-v3 --input random:1 --input random:2 --input 16xi32=0,1,-2,300,-4000,5,6,7,8,9,10,11,12,-13,14,15
// RUN: quern compare %s --a-engine interpreter --a-stage model --b-engine interpreter --b-stage loops --b-cpu x86-64 --input random:1 --input random:2 --input 16xi32=0,1,-2,300,-4000,5,6,7,8,9,10,11,12,-13,14,15
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x16x16x8x!quant.uniform<i8:f32, 0.5:3>>, %w: tensor<16x3x3x8x!quant.uniform<i8:f32, 0.25>>, %b: tensor<16xi32>) -> tensor<1x16x16x16x!quant.uniform<i8:f32, 64.0:-5>> {
    // CHECK: "ml.integer_conv"(%arg0, %arg1, %arg2
    // CHECK-NOT: linalg.generic
    %y = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, quern.tensors = array<i64: 3>} : (tensor<1x16x16x8x!quant.uniform<i8:f32, 0.5:3>>, tensor<16x3x3x8x!quant.uniform<i8:f32, 0.25>>, tensor<16xi32>) -> tensor<1x16x16x16x!quant.uniform<i8:f32, 64.0:-5>>
    return %y : tensor<1x16x16x16x!quant.uniform<i8:f32, 64.0:-5>>
  }
}
