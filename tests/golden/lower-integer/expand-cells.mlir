// Recurrent cells on floats as ops on matrices: the products of the input for all time steps, then the steps.
// RUN: %opt %s --pass expand-cells | FileCheck %s
// RUN: %opt %s --pass lower-to-integer | FileCheck %s --check-prefix=INTEGER
// CHECK-LABEL: @rnn
func.func private @rnn(%x: tensor<1x2x3xf32>, %h: tensor<1x2xf32>, %w: tensor<2x3xf32>, %r: tensor<2x2xf32>, %b: tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2xf32>) {
  // CHECK: %[[ROWS:.*]] = "ml.reshape"(%arg0) : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  // CHECK: %[[PRODUCTS:.*]] = "ml.linear"(%[[ROWS]], %arg2, %arg4) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  // The last time step is the first.
  // CHECK: "ml.slice_by_index"({{.*}}) {begin = array<i64: 0, 1, 0>, end = array<i64: 1, 2, 2>
  // CHECK: "ml.linear"(%arg1, %arg3)
  // CHECK: "ml.relu6"
  // CHECK: "ml.slice_by_index"({{.*}}) {begin = array<i64: 0, 0, 0>
  // CHECK: "ml.relu6"
  // CHECK: "ml.concat"
  // INTEGER-NOT: "ml.rnn"
  %y:2 = "ml.rnn"(%x, %h, %w, %r, %b) {backward = true, cell_activation = "relu6", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0>, time_major = false} : (tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2xf32>)
  return %y#0, %y#1 : tensor<1x2x2xf32>, tensor<1x2xf32>
}
