// Additions of constants that are not folded, because they have no elements or too many, are not combined
// in an endless loop.
// RUN: %quern opt %s --canonicalize | FileCheck %s
// CHECK-LABEL: @none
// CHECK: arith.addi
// CHECK: return
func.func @none() -> tensor<3x0xi32> {
  %c = arith.constant dense<> : tensor<3x0xi32>
  %0 = arith.addi %c, %c : tensor<3x0xi32>
  %1 = arith.addi %c, %0 : tensor<3x0xi32>
  return %1 : tensor<3x0xi32>
}
// CHECK-LABEL: @many
// CHECK: arith.muli
// CHECK: return
func.func @many() -> tensor<5000xi32> {
  %c = arith.constant dense<3> : tensor<5000xi32>
  %0 = arith.muli %c, %c : tensor<5000xi32>
  %1 = arith.muli %c, %0 : tensor<5000xi32>
  return %1 : tensor<5000xi32>
}
