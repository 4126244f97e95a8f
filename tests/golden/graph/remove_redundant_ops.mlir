// Equal ops on the same values become one; similar ops stay.
// RUN: quern opt %s --remove-redundant-ops | FileCheck %s
// RUN: quern opt %s --remove-redundant-ops --remove-redundant-ops | FileCheck %s

// CHECK-LABEL: func.func @three(
// CHECK-NEXT: ml.transpose
// CHECK-NEXT: return
func.func @three(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0, %1, %2 : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}
// The readers of equal ops become equal, too.
// CHECK-LABEL: func.func @branch(
// CHECK-NEXT: ml.const
// CHECK-NEXT: ml.linear
// CHECK-NEXT: [[R:%.*]] = "ml.relu"
// CHECK-NEXT: "ml.add"([[R]], [[R]])
// CHECK-NEXT: return
func.func @branch(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %v = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %a = "ml.linear"(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %b = "ml.linear"(%x, %v) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %c = "ml.relu"(%a) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %d = "ml.relu"(%b) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %e = "ml.add"(%c, %d) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  return %e : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @other_attributes(
// CHECK-COUNT-2: ml.leaky_relu
func.func @other_attributes(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "ml.leaky_relu"(%x) {alpha = 0.25 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ml.leaky_relu"(%x) {alpha = 0.5 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @other_operands(
// CHECK-COUNT-2: ml.layer_norm
func.func @other_operands(%x: tensor<4xf32>, %g: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "ml.layer_norm"(%x) {axes = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ml.layer_norm"(%x, %g) {axes = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @other_types(
// CHECK-COUNT-2: ml.cast
func.func @other_types(%x: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xi8>) {
  %0 = "ml.cast"(%x) : (tensor<4xf32>) -> tensor<4xi32>
  %1 = "ml.cast"(%x) : (tensor<4xf32>) -> tensor<4xi8>
  return %0, %1 : tensor<4xi32>, tensor<4xi8>
}
// CHECK-LABEL: func.func @two_branches(
// CHECK-COUNT-2: ml.relu
func.func @two_branches(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %a = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %b = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @in_branch(
// CHECK: scf.if
// CHECK-NEXT: [[R:%.*]] = "ml.relu"
// CHECK-NEXT: "ml.add"([[R]], [[R]])
func.func @in_branch(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %a = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %b = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %d = "ml.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
