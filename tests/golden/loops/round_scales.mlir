// Scales of few digits, where many sums are halfway between two results: a product of pairs of words, one of which has a low byte
// from a table. 21 elements are 16, four and one.
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s
// RUN: quern opt %s --emit=interpret --input 1x21xi8=3,127,-128,4,-95,-122,112,4,-9,-30,112,115,75,-51,-10,-51,71,-121,-96,-47,-107 --input 1x21xi8=3,127,-128,2,70,90,74,99,-60,59,-79,-110,-59,125,-17,4,95,26,87,69,51 | FileCheck %s --check-prefix=VALUES
// RUN: quern opt %s --emit=run --input 1x21xi8=3,127,-128,4,-95,-122,112,4,-9,-30,112,115,75,-51,-10,-51,71,-121,-96,-47,-107 --input 1x21xi8=3,127,-128,2,70,90,74,99,-60,59,-79,-110,-59,125,-17,4,95,26,87,69,51 | FileCheck %s --check-prefix=VALUES
// MLIR-OPT: none
// CHECK: func.func private @add_0
// CHECK: "quern.madd_s16"
// CHECK: "quern.pack"
// CHECK: func.func private @sub_1
// CHECK: "quern.madd_s16"
// VALUES: {{\[}}3, 127, -128, 4, -108, -128, 127, 80, -66, -8, 120, 101, 74, 9, -34, -86, 127, -128, -96, -29, -128]
// VALUES: {{\[}}3, 113, -113, 5, -128, -128, 127, -71, 32, -96, 127, 127, 127, -128, -3, -88, 44, -128, -128, -128, -128]
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x21x!quant.uniform<i8:f32, 0.05000000074505806:3>>, %y: tensor<1x21x!quant.uniform<i8:f32, 0.023499999195337296:3>>) -> (tensor<1x21x!quant.uniform<i8:f32, 0.029999999329447746:3>>, tensor<1x21x!quant.uniform<i8:f32, 0.029999999329447746:3>>) {
    %0 = "ml.add"(%x, %y) {activation = "none"} : (tensor<1x21x!quant.uniform<i8:f32, 0.05000000074505806:3>>, tensor<1x21x!quant.uniform<i8:f32, 0.023499999195337296:3>>) -> tensor<1x21x!quant.uniform<i8:f32, 0.029999999329447746:3>>
    %1 = "ml.sub"(%x, %y) {activation = "none"} : (tensor<1x21x!quant.uniform<i8:f32, 0.05000000074505806:3>>, tensor<1x21x!quant.uniform<i8:f32, 0.023499999195337296:3>>) -> tensor<1x21x!quant.uniform<i8:f32, 0.029999999329447746:3>>
    return %0, %1 : tensor<1x21x!quant.uniform<i8:f32, 0.029999999329447746:3>>, tensor<1x21x!quant.uniform<i8:f32, 0.029999999329447746:3>>
  }
}
