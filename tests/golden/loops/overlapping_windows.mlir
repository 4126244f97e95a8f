// Neighbouring pixels of a 3x3 window of stride 1 share most bytes. Where the results of a tile are computed between the products of the
// next one, which pays where ties need more than a multiply-add, LLVM would keep the shared bytes in registers that the sums need, so each of three neighbours has a base of its own.
// RUN: quern opt %s --compile --config cpu=avx512vbmi | FileCheck %s
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s --check-prefix=NOT --implicit-check-not=quern.opaque
// RUN: quern compare %s --a-engine interpreter --a-stage model --b-engine interpreter --b-stage loops --b-cpu x86-64-v3 --input random:1
// RUN: quern compare %s --a-engine interpreter --a-stage model --b-engine interpreter --b-stage loops --b-cpu avx512vnni --input random:1
// RUN: quern compare %s --a-engine interpreter --a-stage model --b-engine interpreter --b-stage loops --b-cpu avx512vbmi --input random:1
// RUN(avx512vnni): quern compare %s --a-engine interpreter --a-stage model --b-cpu avx512vnni --input random:1
// RUN(avx512vbmi): quern compare %s --a-engine interpreter --a-stage model --b-cpu avx512vbmi --input random:1
// RUN(avx512vbmi): quern compare %s --a-engine interpreter --a-stage model --b-cpu avx512vbmi --threads 3 --input random:1
// MLIR-OPT: none
// CHECK: func.func private @conv
// CHECK: %[[FIRST:[0-9]+]] = "quern.opaque"(%c0)
// CHECK: %[[SECOND:[0-9]+]] = "quern.opaque"(%c0)
// CHECK-NOT: quern.opaque
// CHECK: scf.for {{.*}} iter_args({{.*}} = %cst
// CHECK-DAG: arith.addi %{{[0-9]+}}, %[[FIRST]]
// CHECK-DAG: arith.addi %{{[0-9]+}}, %[[SECOND]]
// CHECK: func.func @main
// NOT: func.func @main
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x8x16x4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x8x16x16x!quant.uniform<i8:f32, 0.00390625:-128>> {
    %w = "ml.const"() {value = dense<[[[[69, -25, 1, 86], [76, 45, -83, 29], [-27, 76, -77, -50]], [[-62, 5, 30, -27], [7, 49, -64, 56], [-27, -87, -35, 14]], [[-19, -44, 9, -50], [-72, -55, 68, 68], [23, -58, -57, -90]]], [[[-89, -37, -35, -48], [-48, -16, -10, -40], [48, 83, 70, -38]], [[-44, 86, -40, 8], [-14, -85, 2, 16], [-48, -53, -23, -74]], [[-6, -13, 64, 60], [-90, 62, 83, -4], [-74, -11, 0, -12]]], [[[33, 88, -10, -43], [33, 30, 90, -45], [-76, -25, -85, 1]], [[13, -86, 50, 17], [3, 6, 58, -88], [25, -79, -44, 69]], [[-40, -60, -28, 28], [-2, 41, 0, 44], [-26, 28, -63, 60]]], [[[4, -15, -81, 20], [-67, -37, -3, 41], [66, 2, -53, -3]], [[-20, 89, 49, -67], [-11, 85, -9, -12], [-45, -70, 70, -52]], [[86, -11, 33, -49], [-78, -70, 63, 46], [13, -82, -30, 62]]], [[[-2, -26, 26, 76], [17, -53, -76, 73], [-82, 36, -5, -37]], [[-57, 54, -57, 71], [15, -63, -47, 21], [5, -52, -75, 17]], [[-15, -54, 26, 68], [-47, 43, 26, 34], [86, -9, 32, -20]]], [[[-16, 30, 13, -53], [-62, 6, 46, -45], [70, 37, -4, -44]], [[-68, 35, -21, 41], [50, 38, 2, -74], [1, 87, 60, 79]], [[-82, -12, 3, 53], [90, 81, -19, 34], [-23, 86, -15, -3]]], [[[76, -45, 58, -88], [31, 50, -26, -7], [81, -20, 28, -17]], [[38, 75, 82, 1], [-1, -20, 74, -2], [14, -1, -46, 86]], [[25, 3, -5, 42], [-54, 45, -48, -40], [2, 32, -18, 87]]], [[[-70, 81, 16, -47], [67, 58, 42, 80], [17, -13, 69, 51]], [[73, -21, -83, -40], [-50, 60, 22, 69], [76, -44, -34, 85]], [[-44, 71, -80, 30], [-33, -48, -77, -56], [-62, -9, -44, 33]]], [[[-41, 50, -81, 16], [29, -1, 7, 79], [66, -72, 61, -38]], [[-30, 5, -90, -1], [13, -19, 14, -61], [86, 50, 5, -81]], [[50, 67, -13, -66], [-15, 49, 41, -4], [58, -15, 0, -57]]], [[[17, 14, 54, 74], [47, 4, 29, -54], [-50, 62, 7, 54]], [[32, -40, -56, 65], [-67, -1, 79, -90], [7, -63, -7, 54]], [[67, 48, -54, -7], [71, 54, 6, 19], [20, -33, 36, -16]]], [[[32, 7, 8, -50], [62, 62, -24, -13], [37, -26, 16, -85]], [[-9, -12, 35, -17], [-54, 32, -84, -59], [78, 69, 23, -28]], [[-15, -80, -56, 10], [-87, 32, 46, 53], [-20, -28, 31, -81]]], [[[-28, 35, -22, -51], [-17, -15, 36, 65], [31, 42, 75, 64]], [[-60, -86, -58, -14], [-18, 46, -4, 67], [-15, 45, -84, 28]], [[-1, 2, 84, 61], [-57, -81, -90, -26], [51, 26, 85, -63]]], [[[85, 49, -42, -87], [19, 19, 62, 57], [86, 71, 76, 33]], [[8, 31, 10, 84], [-40, -15, 29, -74], [-13, -90, 87, 20]], [[59, -17, 75, 30], [-11, -54, -48, 32], [87, 50, 37, -6]]], [[[47, -51, 18, 59], [48, -78, -73, -32], [-22, -69, -74, 79]], [[-84, -5, 19, -73], [13, 89, 34, -78], [-59, -59, -34, 67]], [[75, -62, -56, -16], [90, 22, -52, -44], [66, -43, 15, -49]]], [[[-73, 69, -36, -79], [52, -63, 79, 7], [-72, -19, -76, 56]], [[57, -60, 12, 69], [-56, -88, 20, -67], [-10, 85, 63, 35]], [[35, 0, 77, 5], [-76, -55, 88, -15], [-52, 55, 71, 83]]], [[[39, -16, 52, 50], [68, -34, -23, -74], [51, -30, -25, -18]], [[42, -56, -30, 5], [26, 9, -45, -57], [-86, 77, -3, -69]], [[56, 80, -81, -67], [-59, 39, 62, 26], [-29, 9, 28, 32]]]]> : tensor<16x3x3x4xi8>} : () -> tensor<16x3x3x4x!quant.uniform<i8:f32, 0.25>>
    %b = "ml.const"() {value = dense<[-238, -680, 731, 186, -840, 210, 584, -113, -791, 837, -592, -21, 494, 726, -444, 635]> : tensor<16xi32>} : () -> tensor<16xi32>
    %y = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, activation = "none", quern.tensors = array<i64: 0>} : (tensor<1x8x16x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<16x3x3x4x!quant.uniform<i8:f32, 0.25>>, tensor<16xi32>) -> tensor<1x8x16x16x!quant.uniform<i8:f32, 8.0:-4>>
    %s = "ml.sigmoid"(%y) {quern.tensors = array<i64: 1>} : (tensor<1x8x16x16x!quant.uniform<i8:f32, 8.0:-4>>) -> tensor<1x8x16x16x!quant.uniform<i8:f32, 0.00390625:-128>>
    return %s : tensor<1x8x16x16x!quant.uniform<i8:f32, 0.00390625:-128>>
  }
}
