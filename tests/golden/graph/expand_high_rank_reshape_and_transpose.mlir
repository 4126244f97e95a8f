// Reshapes and transposes of six or more dimensions are split up or stay. The long case is the specification's example.
// RUN: quern opt %s --expand-high-rank-reshape-and-transpose | FileCheck %s

// CHECK-LABEL: func.func @runs
// CHECK-NEXT: "ml.reshape"(%arg0) : (tensor<240xf32>) -> tensor<6x2x2x10xf32>
// CHECK-NEXT: "ml.transpose"({{.*}}) {perm = array<i64: 3, 2, 1, 0>} : (tensor<6x2x2x10xf32>) -> tensor<10x2x2x6xf32>
// CHECK-NEXT: "ml.reshape"({{.*}}) : (tensor<10x2x2x6xf32>) -> tensor<240xf32>
// CHECK-NEXT: return
func.func @runs(%x: tensor<240xf32>) -> tensor<240xf32> {
  %0 = "ml.reshape"(%x) : (tensor<240xf32>) -> tensor<2x3x2x2x2x5xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 4, 5, 3, 2, 0, 1>} : (tensor<2x3x2x2x2x5xf32>) -> tensor<2x5x2x2x2x3xf32>
  %2 = "ml.reshape"(%1) : (tensor<2x5x2x2x2x3xf32>) -> tensor<240xf32>
  return %2 : tensor<240xf32>
}
// CHECK-LABEL: func.func @one_by_one
// CHECK: -> tensor<1x720x7x1xf32>
// CHECK: perm = array<i64: 0, 2, 1, 3>
// CHECK: -> tensor<7x24x5x6xf32>
// CHECK: -> tensor<35x2x3x24xf32>
// CHECK: -> tensor<105x8x6x1xf32>
// CHECK: -> tensor<630x2x4x1xf32>
// CHECK: -> tensor<2520x1x2x1xf32>
// CHECK: ml.transpose
// CHECK-NEXT: ml.reshape
// CHECK-NEXT: return
func.func @one_by_one(%x: tensor<5040xf32>) -> tensor<5040xf32> {
  %0 = "ml.reshape"(%x) : (tensor<5040xf32>) -> tensor<2x3x4x5x6x7xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 5, 3, 1, 4, 2, 0>} : (tensor<2x3x4x5x6x7xf32>) -> tensor<7x5x3x6x4x2xf32>
  %2 = "ml.reshape"(%1) : (tensor<7x5x3x6x4x2xf32>) -> tensor<5040xf32>
  return %2 : tensor<5040xf32>
}
// CHECK-LABEL: func.func @five
// CHECK: tensor<2x2x2x2x2xf32>
func.func @five(%x: tensor<32xf32>) -> tensor<32xf32> {
  %0 = "ml.reshape"(%x) : (tensor<32xf32>) -> tensor<2x2x2x2x2xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 4, 3, 2, 1, 0>} : (tensor<2x2x2x2x2xf32>) -> tensor<2x2x2x2x2xf32>
  %2 = "ml.reshape"(%1) : (tensor<2x2x2x2x2xf32>) -> tensor<32xf32>
  return %2 : tensor<32xf32>
}
// CHECK-LABEL: func.func @stays_high
// CHECK: perm = array<i64: 5, 4, 3, 2, 1, 0>
func.func @stays_high(%x: tensor<64xf32>) -> tensor<1x2x2x2x2x4xf32> {
  %0 = "ml.reshape"(%x) : (tensor<64xf32>) -> tensor<2x2x2x2x2x2xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 5, 4, 3, 2, 1, 0>} : (tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
  %2 = "ml.reshape"(%1) : (tensor<2x2x2x2x2x2xf32>) -> tensor<1x2x2x2x2x4xf32>
  return %2 : tensor<1x2x2x2x2x4xf32>
}
// CHECK-LABEL: func.func @returned
// CHECK: perm = array<i64: 5, 4, 3, 2, 1, 0>
func.func @returned(%x: tensor<64xf32>) -> (tensor<2x2x2x2x2x2xf32>, tensor<64xf32>) {
  %0 = "ml.reshape"(%x) : (tensor<64xf32>) -> tensor<2x2x2x2x2x2xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 5, 4, 3, 2, 1, 0>} : (tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
  %2 = "ml.reshape"(%1) : (tensor<2x2x2x2x2x2xf32>) -> tensor<64xf32>
  return %0, %2 : tensor<2x2x2x2x2x2xf32>, tensor<64xf32>
}
