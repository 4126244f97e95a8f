// Products of two 16-bit matrices, of columns that do not fill a vector, begin with constants: one value, or one per sum.
// RUN: quern opt %s --emit=interpret --input 'dense<-32768> : tensor<3x5xi16>' --input 'dense<-32768> : tensor<5x9xi16>' | FileCheck %s
// RUN: quern opt %s --emit=run --input 'dense<-32768> : tensor<3x5xi16>' --input 'dense<-32768> : tensor<5x9xi16>' | FileCheck %s
// RUN: quern opt %s --emit=run --cpu baseline --input 'dense<-32768> : tensor<3x5xi16>' --input 'dense<-32768> : tensor<5x9xi16>' | FileCheck %s
// MLIR-OPT: none
// CHECK: 5368709125, 5368709125, 5368709125, 5368709125, 5368709125, 5368709125, 5368709125, 5368709125, 5368709125
// CHECK-NEXT: 5368709121, 5368709122, 5368709123, 5368709124, 5368709125, 5368709126, 5368709127, 5368709128, 5368709129
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#y = affine_map<(d0, d1, d2) -> (d2, d1)>
#sums = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%x: tensor<3x5xi16>, %y: tensor<5x9xi16>) -> (tensor<3x9xi64>, tensor<3x9xi64>) {
  %one = arith.constant dense<5> : tensor<3x9xi64>
  %0 = linalg.generic {indexing_maps = [#x, #y, #sums], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<3x5xi16>, tensor<5x9xi16>) outs(%one : tensor<3x9xi64>) {
  ^bb0(%a: i16, %b: i16, %sum: i64):
    %2 = arith.extsi %a : i16 to i64
    %3 = arith.extsi %b : i16 to i64
    %4 = arith.muli %2, %3 : i64
    %5 = arith.addi %sum, %4 : i64
    linalg.yield %5 : i64
  } -> tensor<3x9xi64>
  %each = arith.constant dense<[[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 4, 5, 6, 7, 8, 9]]> : tensor<3x9xi64>
  %1 = linalg.generic {indexing_maps = [#x, #y, #sums], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<3x5xi16>, tensor<5x9xi16>) outs(%each : tensor<3x9xi64>) {
  ^bb0(%a: i16, %b: i16, %sum: i64):
    %2 = arith.extsi %a : i16 to i64
    %3 = arith.extsi %b : i16 to i64
    %4 = arith.muli %2, %3 : i64
    %5 = arith.addi %sum, %4 : i64
    linalg.yield %5 : i64
  } -> tensor<3x9xi64>
  return %0, %1 : tensor<3x9xi64>, tensor<3x9xi64>
}
