// Concatenations of booleans, one of which is part of another, all of them results. A boolean output is not a byte buffer,
// so its parts can't be views of it.
// RUN: quern opt %s --emit=interpret --function main --input 1x2xi1=1,0 --input 1x2xi1=1,1 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function main --input 1x2xi1=1,0 --input 1x2xi1=1,1 | FileCheck %s --match-full-lines
// CHECK: dense<[{{\[}}true, false], [true, true]]> : tensor<2x2xi1>
// CHECK-NEXT: dense<[{{\[}}true, false], [true, true], [true, true]]> : tensor<3x2xi1>
// CHECK-NEXT: dense<[{{\[}}true, true], [true, true]]> : tensor<2x2xi1>
func.func @main(%a: tensor<1x2xi1>, %b: tensor<1x2xi1>) -> (tensor<2x2xi1>, tensor<3x2xi1>, tensor<2x2xi1>) {
  %0 = "ml.concat"(%a, %b) {axis = 0 : i64} : (tensor<1x2xi1>, tensor<1x2xi1>) -> tensor<2x2xi1>
  %1 = "ml.concat"(%0, %b) {axis = 0 : i64} : (tensor<2x2xi1>, tensor<1x2xi1>) -> tensor<3x2xi1>
  %2 = "ml.concat"(%b, %b) {axis = 0 : i64} : (tensor<1x2xi1>, tensor<1x2xi1>) -> tensor<2x2xi1>
  return %0, %1, %2 : tensor<2x2xi1>, tensor<3x2xi1>, tensor<2x2xi1>
}
