// Sums of 1152 products need 64 bits for their requantization. With AVX-512 one instruction multiplies the even lanes of two vectors, so
// even and odd lanes are multiplied apart; elsewhere the lanes are widened.
// RUN: quern opt %s --compile --config cpu=avx512vbmi | FileCheck %s
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s --check-prefix=WIDENED
// RUN: quern compare %s --a-engine interpreter --a-stage model --b-engine interpreter --b-stage loops --b-cpu x86-64-v3 --input random:1
// RUN: quern compare %s --a-engine interpreter --a-stage model --b-engine interpreter --b-stage loops --b-cpu x86-64-v4 --input random:1
// RUN: quern compare %s --a-engine interpreter --a-stage model --b-engine interpreter --b-stage loops --b-cpu avx512vbmi --input random:1
// RUN(x86-64-v3): quern compare %s --a-engine interpreter --a-stage model --b-cpu x86-64-v3 --input random:1
// RUN(x86-64-v4): quern compare %s --a-engine interpreter --a-stage model --b-cpu x86-64-v4 --input random:1
// RUN(avx512vnni): quern compare %s --a-engine interpreter --a-stage model --b-cpu avx512vnni --input random:1
// RUN(avx512vbmi): quern compare %s --a-engine interpreter --a-stage model --b-cpu avx512vbmi --input random:1
// MLIR-OPT: none
// CHECK: vector.bitcast {{.*}} : vector<16xi32> to vector<8xi64>
// CHECK: arith.muli {{.*}} : vector<8xi64>
// CHECK: vector.shuffle {{.*}} : vector<16xi32>, vector<16xi32>
// CHECK-NOT: arith.trunci {{.*}} : vector<16xi64>
// WIDENED: arith.trunci {{.*}} : vector<8xi64> to vector<8xi32>
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x5x7x1152x!quant.uniform<i8:f32, 0.05:3>>) -> tensor<1x5x7x40x!quant.uniform<i8:f32, 47.3:-128>> {
    %w = "ml.const"() {value = dense<97> : tensor<40x1x1x1152xi8>} : () -> tensor<40x1x1x1152x!quant.uniform<i8:f32:0, {0.01819, 0.01621, 0.01105, 0.02706, 0.00814, 0.01906, 0.02776, 0.00978, 0.02019, 0.02157, 0.00890, 0.01634, 0.02348, 0.01794, 0.02395, 0.01146, 0.01324, 0.01044, 0.01914, 0.02832, 0.02099, 0.02503, 0.01644, 0.02441, 0.01024, 0.01441, 0.02283, 0.02397, 0.01728, 0.00993, 0.01387, 0.01262, 0.01419, 0.02581, 0.01239, 0.02750, 0.02735, 0.00921, 0.01633, 0.01882}>>
    %b = "ml.const"() {value = dense<[-27620, 65357, 52666, -55811, 6981, 68314, 34270, 74028, 62266, -72823, 68754, -86549, 33006, -22012, 54384, -28572, -39736, 33276, 51813, 54082, 34873, 14106, 77527, -50517, -29204, 76424, -50254, 47148, 12219, -86030, 86006, -73215, -48215, 64953, -78784, -11025, -81871, -19371, 33928, 65910]> : tensor<40xi32>} : () -> tensor<40xi32>
    %y = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, activation = "none", quern.tensors = array<i64: 0>} : (tensor<1x5x7x1152x!quant.uniform<i8:f32, 0.05:3>>, tensor<40x1x1x1152x!quant.uniform<i8:f32:0, {0.01819, 0.01621, 0.01105, 0.02706, 0.00814, 0.01906, 0.02776, 0.00978, 0.02019, 0.02157, 0.00890, 0.01634, 0.02348, 0.01794, 0.02395, 0.01146, 0.01324, 0.01044, 0.01914, 0.02832, 0.02099, 0.02503, 0.01644, 0.02441, 0.01024, 0.01441, 0.02283, 0.02397, 0.01728, 0.00993, 0.01387, 0.01262, 0.01419, 0.02581, 0.01239, 0.02750, 0.02735, 0.00921, 0.01633, 0.01882}>>, tensor<40xi32>) -> tensor<1x5x7x40x!quant.uniform<i8:f32, 47.3:-128>>
    return %y : tensor<1x5x7x40x!quant.uniform<i8:f32, 47.3:-128>>
  }
}
