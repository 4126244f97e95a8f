// Scales of few digits, where many sums are halfway between two results: a product of pairs of words, one of which has a low byte
// from a table. 31 elements are 16, eight, four, two and one.
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s
// RUN: quern opt %s --emit=interpret --input 1x31xi8=3,127,-128,4,-95,-122,112,4,-9,-30,112,115,75,-51,-10,-51,71,-121,-96,-47,-107,26,-113,9,114,70,90,74,99,-60,59 --input 1x31xi8=3,127,-128,2,-17,4,95,26,87,69,51,80,-10,44,-114,15,-45,39,-75,-20,8,17,-65,-96,118,119,-83,48,-94,82,-51 | FileCheck %s --check-prefix=VALUES
// RUN: quern opt %s --emit=run --input 1x31xi8=3,127,-128,4,-95,-122,112,4,-9,-30,112,115,75,-51,-10,-51,71,-121,-96,-47,-107,26,-113,9,114,70,90,74,99,-60,59 --input 1x31xi8=3,127,-128,2,-17,4,95,26,87,69,51,80,-10,44,-114,15,-45,39,-75,-20,8,17,-65,-96,118,119,-83,48,-94,82,-51 | FileCheck %s --check-prefix=VALUES
// RUN(x86-64-v3): quern opt %s --emit=run --config cpu=x86-64-v3 --input 1x31xi8=3,127,-128,4,-95,-122,112,4,-9,-30,112,115,75,-51,-10,-51,71,-121,-96,-47,-107,26,-113,9,114,70,90,74,99,-60,59 --input 1x31xi8=3,127,-128,2,-17,4,95,26,87,69,51,80,-10,44,-114,15,-45,39,-75,-20,8,17,-65,-96,118,119,-83,48,-94,82,-51 | FileCheck %s --check-prefix=VALUES
// MLIR-OPT: none
// CHECK: func.func private @add_0
// CHECK: "quern.madd_s16"
// CHECK: "quern.pack"
// CHECK: func.func private @sub_1
// CHECK: "quern.madd_s16"
// VALUES: {{\[}}3, 127, -128, 4, -128, -128, 127, 23, 49, 0, 127, 127, 113, -55, -110, -78, 79, -128, -128, -98, -128, 52, -128, -65, 127, 127, 81, 127, 87, -40, 54]
// VALUES: {{\[}}3, 113, -113, 5, -128, -128, 113, -13, -83, -104, 127, 127, 127, -119, 73, -96, 127, -128, -101, -62, -128, 30, -128, 91, 98, 24, 127, 86, 127, -128, 127]
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x31x!quant.uniform<i8:f32, 0.05000000074505806:3>>, %y: tensor<1x31x!quant.uniform<i8:f32, 0.023499999195337296:3>>) -> (tensor<1x31x!quant.uniform<i8:f32, 0.029999999329447746:3>>, tensor<1x31x!quant.uniform<i8:f32, 0.029999999329447746:3>>) {
    %0 = "ml.add"(%x, %y) {activation = "none"} : (tensor<1x31x!quant.uniform<i8:f32, 0.05000000074505806:3>>, tensor<1x31x!quant.uniform<i8:f32, 0.023499999195337296:3>>) -> tensor<1x31x!quant.uniform<i8:f32, 0.029999999329447746:3>>
    %1 = "ml.sub"(%x, %y) {activation = "none"} : (tensor<1x31x!quant.uniform<i8:f32, 0.05000000074505806:3>>, tensor<1x31x!quant.uniform<i8:f32, 0.023499999195337296:3>>) -> tensor<1x31x!quant.uniform<i8:f32, 0.029999999329447746:3>>
    return %0, %1 : tensor<1x31x!quant.uniform<i8:f32, 0.029999999329447746:3>>, tensor<1x31x!quant.uniform<i8:f32, 0.029999999329447746:3>>
  }
}
