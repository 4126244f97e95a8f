// An activation between two tensors of one scale narrows the bounds of the op that computes its operand, unless another op reads the operand,
// too, or the scales differ. Results at the model stage, at the integer stage and of machine code are equal.
// RUN: quern opt %s --lower-to-integer --fold-clamps --simplify-integer | FileCheck %s
// RUN: quern opt %s --lower-to-integer --fold-clamps --simplify-integer --config keep-tensors=true | FileCheck %s --check-prefix=KEEP
// RUN: quern opt %s --emit=interpret --function main --input 4x2xi8=-128,127,-70,40,-1,0,1,99 | FileCheck %s --check-prefix=RESULT
// RUN: quern opt %s --lower-to-integer --fold-clamps --emit=interpret --function main --input 4x2xi8=-128,127,-70,40,-1,0,1,99 | FileCheck %s --check-prefix=RESULT
// RUN: quern opt %s --emit=run --function main --input 4x2xi8=-128,127,-70,40,-1,0,1,99 | FileCheck %s --check-prefix=RESULT
!x = !quant.uniform<i8:f32, 0.03125:3>
!w = !quant.uniform<i8:f32, 0.25>
!y = !quant.uniform<i8:f32, 0.0625:-100>
!z = !quant.uniform<i8:f32, 0.125:-100>
module attributes {quern.numerics = "onnx"} {
  func.func @main(%x: tensor<4x2x!x>) -> (tensor<4x2x!y>, tensor<4x2x!y>, tensor<4x2x!y>, tensor<4x2x!y>, tensor<4x2x!z>) {
    %w = "ml.const"() {value = dense<[[1, -2], [-3, 4]]> : tensor<2x2xi8>} : () -> tensor<2x2x!w>
    %0 = "ml.linear"(%x, %w) {quern.tensors = array<i64: 0>} : (tensor<4x2x!x>, tensor<2x2x!w>) -> tensor<4x2x!y>
    %1 = "ml.relu6"(%0) {quern.tensors = array<i64: 1>} : (tensor<4x2x!y>) -> tensor<4x2x!y>
    %2 = "ml.add"(%1, %1) {quern.tensors = array<i64: 2>} : (tensor<4x2x!y>, tensor<4x2x!y>) -> tensor<4x2x!y>
    %3 = "ml.relu_n1_to_1"(%2) {quern.tensors = array<i64: 3>} : (tensor<4x2x!y>) -> tensor<4x2x!y>
    %4 = "ml.linear"(%x, %w) {quern.tensors = array<i64: 4>} : (tensor<4x2x!x>, tensor<2x2x!w>) -> tensor<4x2x!y>
    %5 = "ml.relu"(%4) {quern.tensors = array<i64: 5>} : (tensor<4x2x!y>) -> tensor<4x2x!y>
    %6 = "ml.sub"(%4, %1) {quern.tensors = array<i64: 6>} : (tensor<4x2x!y>, tensor<4x2x!y>) -> tensor<4x2x!y>
    %7 = "ml.relu6"(%6) {quern.tensors = array<i64: 7>} : (tensor<4x2x!y>) -> tensor<4x2x!z>
    return %1, %3, %4, %5, %7 : tensor<4x2x!y>, tensor<4x2x!y>, tensor<4x2x!y>, tensor<4x2x!y>, tensor<4x2x!z>
  }
}
// CHECK: %[[A:.*]] = "ml.integer_linear"({{.*}}max = -4 : i64, min = -100 : i64, {{.*}}quern.tensors = array<i64: 1>
// CHECK: %[[B:.*]] = "ml.integer_add"(%[[A]], %[[A]]) {{.*}}max = -84 : i64, min = -116 : i64, {{.*}}quern.tensors = array<i64: 3>
// CHECK: %[[C:.*]] = "ml.integer_linear"({{.*}}max = 127 : i64, min = -128 : i64, {{.*}}quern.tensors = array<i64: 4>
// CHECK: %[[D:.*]] = "ml.lut"(%[[C]], {{.*}}) {quern.tensors = array<i64: 5>}
// CHECK: %[[E:.*]] = "ml.integer_sub"(%[[C]], %[[A]]) {{.*}}max = 127 : i64, min = -128 : i64, {{.*}}quern.tensors = array<i64: 6>
// CHECK: %[[F:.*]] = "ml.lut"(%[[E]], {{.*}}) {quern.tensors = array<i64: 7>}
// CHECK: return %[[A]], %[[B]], %[[C]], %[[D]], %[[F]]

// KEEP-COUNT-4: "ml.lut"

// RESULT: dense<{{\[\[}}-100, -4], [-100, -54], [-100, -100], [-100, -51]]>
// RESULT-NEXT: dense<{{\[\[}}-100, -84], [-100, -84], [-100, -100], [-100, -84]]>
// RESULT-NEXT: dense<{{\[\[}}-128, 11], [-118, -54], [-100, -100], [-124, -51]]>
// RESULT-NEXT: dense<{{\[\[}}-100, 11], [-100, -54], [-100, -100], [-100, -51]]>
// RESULT-NEXT: dense<{{\[\[}}-100, -92], [-100, -100], [-100, -100], [-100, -100]]>
