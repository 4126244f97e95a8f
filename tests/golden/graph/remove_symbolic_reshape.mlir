// Computed sizes that the type of the result tells; others stay.
// RUN: quern opt %s --remove-symbolic-reshape | FileCheck %s
// RUN: quern opt %s --remove-symbolic-reshape --remove-symbolic-reshape | FileCheck %s
// RUN: quern opt %s --remove-symbolic-reshape --dead-code-elimination | FileCheck %s --check-prefix=GONE

// CHECK-LABEL: func.func @computed(
// CHECK: [[S:%.*]] = arith.constant dense<2> : tensor<3xindex>
// CHECK-NEXT: tensor.reshape %arg0([[S]])
// GONE-LABEL: func.func @computed(
// GONE-NEXT: arith.constant dense
// GONE-NEXT: tensor.reshape
// GONE-NEXT: return
func.func @computed(%x: tensor<?x4xf32>) -> tensor<2x2x2xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %x, %c0 : tensor<?x4xf32>
  %s = tensor.from_elements %d, %c2, %c2 : tensor<3xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x4xf32>, tensor<3xindex>) -> tensor<2x2x2xf32>
  return %y : tensor<2x2x2xf32>
}
// CHECK-LABEL: func.func @words(
// CHECK: arith.constant dense<[4, 2]> : tensor<2xi32>
func.func @words(%x: tensor<8xf32>, %s: tensor<2xi32>) -> tensor<4x2xf32> {
  %y = tensor.reshape %x(%s) : (tensor<8xf32>, tensor<2xi32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
// CHECK-LABEL: func.func @second_use(
// CHECK-NOT: arith.constant
// CHECK: return
func.func @second_use(%x: tensor<8xf32>, %s: tensor<2xindex>) -> (tensor<4x2xf32>, tensor<2xindex>) {
  %y = tensor.reshape %x(%s) : (tensor<8xf32>, tensor<2xindex>) -> tensor<4x2xf32>
  return %y, %s : tensor<4x2xf32>, tensor<2xindex>
}
// CHECK-LABEL: func.func @open(
// CHECK-NOT: arith.constant
// CHECK: return
func.func @open(%x: tensor<?x4xf32>, %s: tensor<3xindex>) -> tensor<?x2x2xf32> {
  %y = tensor.reshape %x(%s) : (tensor<?x4xf32>, tensor<3xindex>) -> tensor<?x2x2xf32>
  return %y : tensor<?x2x2xf32>
}
// CHECK-LABEL: func.func @known(
// CHECK-NEXT: arith.constant dense<[4, 2]> : tensor<2xindex>
// CHECK-NEXT: tensor.reshape
// CHECK-NEXT: return
func.func @known(%x: tensor<8xf32>) -> tensor<4x2xf32> {
  %s = arith.constant dense<[4, 2]> : tensor<2xindex>
  %y = tensor.reshape %x(%s) : (tensor<8xf32>, tensor<2xindex>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
// CHECK-LABEL: func.func @unranked(
// CHECK-NOT: arith.constant
// CHECK: return
func.func @unranked(%x: tensor<8xf32>, %s: tensor<?xindex>) -> tensor<*xf32> {
  %y = tensor.reshape %x(%s) : (tensor<8xf32>, tensor<?xindex>) -> tensor<*xf32>
  return %y : tensor<*xf32>
}
// CHECK-LABEL: func.func @in_branch(
// CHECK: scf.if
// CHECK-NEXT: arith.constant dense<[4, 2]> : tensor<2xindex>
func.func @in_branch(%c: i1, %x: tensor<8xf32>, %z: tensor<4x2xf32>, %s: tensor<2xindex>) -> tensor<4x2xf32> {
  %r = scf.if %c -> (tensor<4x2xf32>) {
    %y = tensor.reshape %x(%s) : (tensor<8xf32>, tensor<2xindex>) -> tensor<4x2xf32>
    scf.yield %y : tensor<4x2xf32>
  } else {
    scf.yield %z : tensor<4x2xf32>
  }
  return %r : tensor<4x2xf32>
}
// One open dimension has what remains.
// CHECK-LABEL: func.func @remains(
// CHECK: [[S:%.*]] = arith.constant dense<[4, 2]> : tensor<2xindex>
// CHECK-NEXT: tensor.reshape %arg0([[S]])
func.func @remains(%x: tensor<8xf32>, %s: tensor<2xindex>) -> tensor<?x2xf32> {
  %y = tensor.reshape %x(%s) : (tensor<8xf32>, tensor<2xindex>) -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}
// CHECK-LABEL: func.func @nothing_remains(
// CHECK-NOT: arith.constant
// CHECK: return
func.func @nothing_remains(%x: tensor<8xf32>, %s: tensor<2xindex>) -> tensor<?x3xf32> {
  %y = tensor.reshape %x(%s) : (tensor<8xf32>, tensor<2xindex>) -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}
