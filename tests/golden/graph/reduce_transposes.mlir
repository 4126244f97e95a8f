// A transpose moves down through ops until it meets its inverse; cases that keep it
// where it is.
// RUN: quern opt %s --reduce-transposes | FileCheck %s
// RUN: quern opt %s --pass-pipeline="func.func(reduce-transposes,cse,reduce-transposes)" | FileCheck %s
// RUN: quern opt %s --reduce-transposes --config=keep-tensors=true | FileCheck %s --check-prefix=KEEP
!q = !quant.uniform<i8:f32, 0.5:3>

// CHECK-LABEL: func.func @pair
// CHECK-NEXT: %[[Y:.*]] = "ml.relu"(%arg0) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT: return %[[Y]]
func.func @pair(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x2x3x4xf32>) -> tensor<1x3x4x2xf32>
  %1 = "ml.relu"(%0) : (tensor<1x3x4x2xf32>) -> tensor<1x3x4x2xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x3x4x2xf32>) -> tensor<1x2x3x4xf32>
  return %2 : tensor<1x2x3x4xf32>
}
// Constants are transposed, broadcast operands reshaped, pads and axes renumbered; casts are transparent.
// CHECK-LABEL: func.func @through_all
// CHECK-NOT: ml.transpose
// CHECK: dense<{{\[\[\[\[1.0[0e+]*\]\], \[\[2.0[0e+]*\]\]\]\]}}> : tensor<1x2x1x1xf32>
// CHECK: "ml.add"
// CHECK: "ml.reshape"(%arg1) : (tensor<2xf32>) -> tensor<1x2x1x1xf32>
// CHECK: "ml.mul"
// CHECK: "ml.pad"({{.*}}pad = array<i64: 0, 0, 1, 2, 3, 4, 0, 0>
// CHECK: "ml.concat"({{.*}}axis = 1
// CHECK: quant.qcast
// CHECK: "ml.reduce_mean"({{.*}}axes = array<i64: 2>
// CHECK: "ml.split"({{.*}}axis = 1
// CHECK-NOT: ml.transpose
// CHECK: return
func.func @through_all(%x: tensor<1x2x3x4xf32>, %v: tensor<2xf32>) -> (tensor<1x5x1x4x!q>, tensor<1x5x1x4x!q>) {
  %c = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x2x3x4xf32>) -> tensor<1x3x4x2xf32>
  %1 = "ml.add"(%0, %c) : (tensor<1x3x4x2xf32>, tensor<2xf32>) -> tensor<1x3x4x2xf32>
  %2 = "ml.mul"(%v, %1) : (tensor<2xf32>, tensor<1x3x4x2xf32>) -> tensor<1x3x4x2xf32>
  %3 = "ml.pad"(%2) {pad = array<i64: 0, 0, 3, 4, 0, 0, 1, 2>} : (tensor<1x3x4x2xf32>) -> tensor<1x10x4x5xf32>
  %4 = "ml.concat"(%3, %3) {axis = 3 : i64} : (tensor<1x10x4x5xf32>, tensor<1x10x4x5xf32>) -> tensor<1x10x4x10xf32>
  %5 = quant.qcast %4 : tensor<1x10x4x10xf32> to tensor<1x10x4x10x!q>
  %6 = "ml.reduce_mean"(%5) {axes = array<i64: 1>, keep_dims = true} : (tensor<1x10x4x10x!q>) -> tensor<1x1x4x10x!q>
  %7:2 = "ml.split"(%6) {axis = 3 : i64} : (tensor<1x1x4x10x!q>) -> (tensor<1x1x4x5x!q>, tensor<1x1x4x5x!q>)
  %8 = "ml.transpose"(%7#0) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x1x4x5x!q>) -> tensor<1x5x1x4x!q>
  %9 = "ml.transpose"(%7#1) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x1x4x5x!q>) -> tensor<1x5x1x4x!q>
  return %8, %9 : tensor<1x5x1x4x!q>, tensor<1x5x1x4x!q>
}
// Also through broadcasting ops, and reductions of integers in any order.
// CHECK-LABEL: func.func @through_others
// CHECK-NOT: ml.transpose
// CHECK: "ml.maximum"(%arg0, {{.*}}) -> tensor<2x3x4x
// CHECK: "ml.reduce_max"({{.*}}axes = array<i64: 1>
// CHECK-NOT: ml.transpose
// CHECK: return
func.func @through_others(%x: tensor<2x3x4x!q>) -> tensor<2x1x4x!q> {
  %c = "ml.const"() {value = dense<7> : tensor<1xi8>} : () -> tensor<1x!q>
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 2, 0>} : (tensor<2x3x4x!q>) -> tensor<3x4x2x!q>
  %1 = "ml.maximum"(%0, %c) : (tensor<3x4x2x!q>, tensor<1x!q>) -> tensor<3x4x2x!q>
  %2 = "ml.reduce_max"(%1) {axes = array<i64: 0>, keep_dims = true} : (tensor<3x4x2x!q>) -> tensor<1x4x2x!q>
  %3 = "ml.transpose"(%2) {perm = array<i64: 2, 0, 1>} : (tensor<1x4x2x!q>) -> tensor<2x1x4x!q>
  return %3 : tensor<2x1x4x!q>
}
// One new transpose for two readers is cheaper than the two that are removed.
// CHECK-LABEL: func.func @one_for_two
// CHECK-COUNT-1: ml.transpose
// CHECK-NOT: ml.transpose
// CHECK: return
func.func @one_for_two(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ml.relu"(%0) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %3 = "ml.softmax"(%1) {beta = 1.0 : f64} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return %2, %3, %1 : tensor<2x3xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}
// Unchanged: two transposes would be removed and two created.
// CHECK-LABEL: func.func @does_not_pay
// CHECK: "ml.transpose"(%arg0)
// CHECK: ml.relu
// CHECK: "ml.transpose"
func.func @does_not_pay(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ml.relu"(%0) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %2, %0, %1 : tensor<2x3xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}
// Unchanged: scales per channel, a float mean whose order of additions would change, and another shape.
// CHECK-LABEL: func.func @per_channel
// CHECK-COUNT-2: ml.transpose
func.func @per_channel(%x: tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125}>>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125}>> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125}>>) -> tensor<3x2x!quant.uniform<i8:f32:0, {0.5, 0.25, 0.125}>>
  %1 = "ml.transpose"(%0) {perm = array<i64: 1, 0>} : (tensor<3x2x!quant.uniform<i8:f32:0, {0.5, 0.25, 0.125}>>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125}>>
  return %1 : tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125}>>
}
// CHECK-LABEL: func.func @other_order
// CHECK-COUNT-2: ml.transpose
func.func @other_order(%x: tensor<2x3x4xf32>) -> tensor<2x1x1xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %1 = "ml.reduce_mean"(%0) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x4x3xf32>) -> tensor<2x1x1xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 0, 2, 1>} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  return %2 : tensor<2x1x1xf32>
}
// CHECK-LABEL: func.func @other_shape
// CHECK-COUNT-2: ml.transpose
func.func @other_shape(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x3xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ml.add"(%0, %y) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
// A nested block reads the transposed value and has its own transposes.
// CHECK-LABEL: func.func @nested
// CHECK: scf.if
// CHECK-NOT: ml.transpose
// CHECK: return
func.func @nested(%x: tensor<2x3xf32>, %c: i1) -> tensor<2x3xf32> {
  %r = scf.if %c -> (tensor<2x3xf32>) {
    %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %1 = "ml.transpose"(%0) {perm = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
    scf.yield %1 : tensor<2x3xf32>
  } else {
    scf.yield %x : tensor<2x3xf32>
  }
  return %r : tensor<2x3xf32>
}
// A compared tensor of the model stays unchanged.
// KEEP-LABEL: func.func @kept
// KEEP-COUNT-2: ml.transpose
// CHECK-LABEL: func.func @kept
// CHECK-NOT: ml.transpose
// CHECK-NOT: quern.tensors
func.func @kept(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ml.relu"(%0) {quern.tensors = array<i64: 4>} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
// Normalizations along channels get another axis; their vectors stay.
// CHECK-LABEL: func.func @channels
// CHECK-NOT: ml.transpose
// CHECK: "ml.batch_norm"(%arg0, %arg1, %arg1) {axis = 3 : i64} : (tensor<1x4x5x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x4x5x3xf32>
// CHECK-NEXT: return
func.func @channels(%x: tensor<1x4x5x3xf32>, %m: tensor<3xf32>) -> tensor<1x4x5x3xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x4x5x3xf32>) -> tensor<1x3x4x5xf32>
  %1 = "ml.batch_norm"(%0, %m, %m) {axis = 1 : i64} : (tensor<1x3x4x5xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x5xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x3x4x5xf32>) -> tensor<1x4x5x3xf32>
  return %2 : tensor<1x4x5x3xf32>
}
// After two transposes that cancel, a third one moves nothing, and another op reads the result.
// CHECK-LABEL: func.func @third(
// CHECK-NEXT: %[[C:.*]] = "ml.const"
// CHECK-NEXT: %[[Y:.*]] = "ml.mul"(%arg0, %[[C]])
// CHECK-NEXT: %[[T:.*]] = "ml.transpose"(%[[Y]]) {perm = array<i64: 2, 1, 0>}
// CHECK-NEXT: return %[[T]]
func.func @third(%x: tensor<3x4x2xf32>) -> tensor<2x4x3xf32> {
  %k = "ml.const"() {value = dense<5.000000e-01> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %0 = "ml.transpose"(%x) {perm = array<i64: 2, 1, 0>} : (tensor<3x4x2xf32>) -> tensor<2x4x3xf32>
  %1 = "ml.mul"(%0, %k) : (tensor<2x4x3xf32>, tensor<1x1xf32>) -> tensor<2x4x3xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 2, 1, 0>} : (tensor<2x4x3xf32>) -> tensor<3x4x2xf32>
  %3 = "ml.transpose"(%2) {perm = array<i64: 2, 1, 0>} : (tensor<3x4x2xf32>) -> tensor<2x4x3xf32>
  return %3 : tensor<2x4x3xf32>
}
// Means and sums that keep their dimensions and add their terms in the same order.
// CHECK-LABEL: func.func @float_mean
// CHECK-NEXT: "ml.reduce_mean"(%arg0) {axes = array<i64: 0>, keep_dims = true} : (tensor<2x3xf32>) -> tensor<1x3xf32>
// CHECK-NEXT: return
func.func @float_mean(%x: tensor<2x3xf32>) -> tensor<1x3xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ml.reduce_mean"(%0) {axes = array<i64: 1>, keep_dims = true} : (tensor<3x2xf32>) -> tensor<3x1xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 1, 0>} : (tensor<3x1xf32>) -> tensor<1x3xf32>
  return %2 : tensor<1x3xf32>
}
// CHECK-LABEL: func.func @float_sum
// CHECK-NEXT: "ml.reduce_sum"(%arg0) {axes = array<i64: 1, 2>, keep_dims = true}
// CHECK-NEXT: return
func.func @float_sum(%x: tensor<1x4x5x3xf32>) -> tensor<1x1x1x3xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x4x5x3xf32>) -> tensor<1x3x4x5xf32>
  %1 = "ml.reduce_sum"(%0) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<1x3x4x5xf32>) -> tensor<1x3x1x1xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x3x1x1xf32>) -> tensor<1x1x1x3xf32>
  return %2 : tensor<1x1x1x3xf32>
}
