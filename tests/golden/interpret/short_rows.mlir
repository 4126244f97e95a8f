// Rows shorter than a vector and one constant, which the kernels repeat; gathers of so many slices that each slice is
// a work item: the same at every stage.
// RUN: quern opt %s --emit=interpret --function rows --input 16x3xi8=1,-2,3,40,-50,60,7,-8,9,10,-110,120,13,-14,15,16,-17,127,19,-128,21,22,-23,24,25,-26,27,28,-29,30,31,-32,33,34,-35,36,37,-38,39,40,-41,42,43,-44,45,46,-47,48 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function rows --input 16x3xi8=1,-2,3,40,-50,60,7,-8,9,10,-110,120,13,-14,15,16,-17,127,19,-128,21,22,-23,24,25,-26,27,28,-29,30,31,-32,33,34,-35,36,37,-38,39,40,-41,42,43,-44,45,46,-47,48 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --cpu baseline --function rows --input 16x3xi8=1,-2,3,40,-50,60,7,-8,9,10,-110,120,13,-14,15,16,-17,127,19,-128,21,22,-23,24,25,-26,27,28,-29,30,31,-32,33,34,-35,36,37,-38,39,40,-41,42,43,-44,45,46,-47,48 | FileCheck %s --match-full-lines
// CHECK: dense<{{\[}}[-5, 26, -52], [15, 2, -23], [-2, 23, -49], [0, -28, 7], [1, 20, -46], [3, 19, 11], [4, -37, -43], [6, 16, -41], [7, 14, -40], [9, 13, -38], [10, 11, -37], [12, 10, -35], [13, 8, -34], [15, 7, -32], [16, 5, -31], [18, 4, -29]]> : tensor<16x3x{{.*}}>
// CHECK-NEXT: dense<{{\[}}[-3, -4, -2], [12, -22, 19], [-1, -6, 0], [0, -45, 42], [2, -9, 2], [3, -10, 44], [4, -51, 5], [5, -12, 6], [6, -13, 7], [7, -14, 8], [8, -15, 9], [9, -17, 10], [11, -18, 11], [12, -19, 12], [13, -20, 14], [14, -21, 15]]> : tensor<16x3x{{.*}}>
// CHECK-NEXT: dense<{{\[}}[3, 1, 3, -2], [60, 40, 60, -50], [9, 7, 9, -8], [120, 10, 120, -110], [15, 13, 15, -14], [127, 16, 127, -17], [21, 19, 21, -128], [24, 22, 24, -23], [27, 25, 27, -26], [30, 28, 30, -29], [33, 31, 33, -32], [36, 34, 36, -35], [39, 37, 39, -38], [42, 40, 42, -41], [45, 43, 45, -44], [48, 46, 48, -47]]> : tensor<16x4xi8>
// CHECK-NEXT: dense<{{\[}}[1, -2], [-50, 60], [9, 7], [10, 10], [-14, -14], [127, 127], [19, 21], [24, -23], [25, -26], [-29, 30], [33, 31], [34, 34], [-38, -38], [42, 42], [43, 45], [48, -47]]> : tensor<16x2xi8>
!x = !quant.uniform<i8:f32, 0.125:1>
!y = !quant.uniform<i8:f32, 0.25:-3>
module attributes {quern.numerics = "litert-ref"} {
  func.func @rows(%s: tensor<16x3xi8>) -> (tensor<16x3x!y>, tensor<16x3x!y>, tensor<16x4xi8>, tensor<16x2xi8>) {
    %x = quant.scast %s : tensor<16x3xi8> to tensor<16x3x!x>
    %c = "ml.const"() {value = dense<[5, -60, 100]> : tensor<3xi8>} : () -> tensor<3x!x>
    %d = "ml.const"() {value = dense<7> : tensor<1x3xi8>} : () -> tensor<1x3x!x>
    %0 = "ml.sub"(%x, %c) : (tensor<16x3x!x>, tensor<3x!x>) -> tensor<16x3x!y>
    %1 = "ml.mul"(%d, %x) : (tensor<1x3x!x>, tensor<16x3x!x>) -> tensor<16x3x!y>
    %i = "ml.const"() {value = dense<[2, 0, 7, 1]> : tensor<4xi32>} : () -> tensor<4xi32>
    %2 = "ml.gather"(%s, %i) {axis = 1 : i64, batch_dims = 0 : i64} : (tensor<16x3xi8>, tensor<4xi32>) -> tensor<16x4xi8>
    %j = "ml.const"() {value = dense<[[0, 1], [1, 2], [2, 0], [0, 0], [1, 1], [2, 2], [0, 2], [2, 1], [0, 1], [1, 2], [2, 0], [0, 0], [1, 1], [2, 2], [0, 2], [2, 1]]> : tensor<16x2xi32>} : () -> tensor<16x2xi32>
    %3 = "ml.gather"(%s, %j) {axis = 1 : i64, batch_dims = 1 : i64} : (tensor<16x3xi8>, tensor<16x2xi32>) -> tensor<16x2xi8>
    return %0, %1, %2, %3 : tensor<16x3x!y>, tensor<16x3x!y>, tensor<16x4xi8>, tensor<16x2xi8>
  }
}
