// Consecutive reshapes become one; cases that must stay.
// RUN: quern opt %s --merge-consecutive-reshapes | FileCheck %s

// CHECK-LABEL: func.func @three
// CHECK-NEXT: %[[R:.*]] = "ml.reshape"(%arg0) : (tensor<2x6xf32>) -> tensor<12xf32>
// CHECK-NEXT: return %[[R]]
func.func @three(%x: tensor<2x6xf32>) -> tensor<12xf32> {
  %0 = "ml.reshape"(%x) : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %1 = "ml.reshape"(%0) : (tensor<3x4xf32>) -> tensor<6x2xf32>
  %2 = "ml.reshape"(%1) : (tensor<6x2xf32>) -> tensor<12xf32>
  return %2 : tensor<12xf32>
}
// CHECK-LABEL: func.func @returned
// CHECK-COUNT-2: ml.reshape
func.func @returned(%x: tensor<2x6xf32>) -> (tensor<3x4xf32>, tensor<12xf32>) {
  %0 = "ml.reshape"(%x) : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %1 = "ml.reshape"(%0) : (tensor<3x4xf32>) -> tensor<12xf32>
  return %0, %1 : tensor<3x4xf32>, tensor<12xf32>
}
// CHECK-LABEL: func.func @read_by_another
// CHECK-COUNT-2: ml.reshape
func.func @read_by_another(%x: tensor<2x6xf32>) -> (tensor<3x4xf32>, tensor<12xf32>) {
  %0 = "ml.reshape"(%x) : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %1 = "ml.reshape"(%0) : (tensor<3x4xf32>) -> tensor<12xf32>
  %2 = "ml.tanh"(%0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %2, %1 : tensor<3x4xf32>, tensor<12xf32>
}
// CHECK-LABEL: func.func @apart
// CHECK: ml.reshape
// CHECK: ml.add
// CHECK: ml.reshape
func.func @apart(%x: tensor<2x6xf32>) -> tensor<12xf32> {
  %0 = "ml.reshape"(%x) : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %1 = "ml.add"(%0, %0) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %2 = "ml.reshape"(%1) : (tensor<3x4xf32>) -> tensor<12xf32>
  return %2 : tensor<12xf32>
}
