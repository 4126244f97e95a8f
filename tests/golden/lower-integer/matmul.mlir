// A product of two computed 8-bit operands stays one op with its integer parameters; x is transposed before it. The
// bytes are the same at every stage and level.
// RUN: quern opt --lower-to-integer %s | FileCheck %s
// RUN: quern compare %s --a-engine interpreter --a-stage model --b-engine interpreter --b-stage integer --input random:1 --input random:2 --input random:3
// RUN: quern compare %s --a-engine interpreter --a-stage model --b-engine interpreter --b-stage loops --b-cpu x86-64 --input random:1 --input random:2 --input random:3
// RUN: quern compare %s --a-engine interpreter --a-stage model --b-engine interpreter --b-stage loops --b-cpu x86-64-v3 --input random:1 --input random:2 --input random:3
// RUN: quern compare %s --a-engine interpreter --a-stage model --b-engine interpreter --b-stage loops --b-cpu avx512vnni --input random:1 --input random:2 --input random:3
// RUN: quern compare %s --a-engine interpreter --a-stage model --b-engine interpreter --b-stage loops --b-cpu x86-64-amx --input random:1 --input random:2 --input random:3
!a = !quant.uniform<i8:f32, 0.5:3>
!b = !quant.uniform<i8:f32, 0.25:-128>
!c = !quant.uniform<i8:f32, 256.0:-5>
module attributes {quern.numerics = "litert-ref"} {
  // CHECK: @main
  func.func @main(%x: tensor<2x3x21x40x!a>, %y: tensor<3x21x70x!b>, %z: tensor<2x1x70x40x!a>) -> tensor<2x3x40x40x!c> {
    // CHECK-NEXT: %[[X:.*]] = "ml.transpose"(%arg0) {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x3x21x40xi8>) -> tensor<2x3x40x21xi8>
    // CHECK-NEXT: %[[Y:.*]] = "ml.integer_matmul"(%[[X]], %arg1) {a_zero_point = 3 : i64, b_zero_point = -128 : i64, max = 127 : i64, min = -128 : i64, multiplier = 1073741824 : i64, output_zero_point = -5 : i64, quern.tensors = array<i64: 3>, shift = -10 : i64} : (tensor<2x3x40x21xi8>, tensor<3x21x70xi8>) -> tensor<2x3x40x70xi8>
    %0 = "ml.matmul"(%x, %y) {transpose_x = true, quern.tensors = array<i64: 3>} : (tensor<2x3x21x40x!a>, tensor<3x21x70x!b>) -> tensor<2x3x40x70x!c>
    // CHECK-NEXT: "ml.integer_matmul"(%[[Y]], %arg2) {{.*}} : (tensor<2x3x40x70xi8>, tensor<2x1x70x40xi8>) -> tensor<2x3x40x40xi8>
    // CHECK-NOT: linalg.generic
    %1 = "ml.matmul"(%0, %z) {quern.tensors = array<i64: 4>} : (tensor<2x3x40x70x!c>, tensor<2x1x70x40x!a>) -> tensor<2x3x40x40x!c>
    return %1 : tensor<2x3x40x40x!c>
  }
}
