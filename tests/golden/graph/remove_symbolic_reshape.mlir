// Computed sizes that follow from types and the element count become constants, with -1 for at most one; others stay.
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
// A single dynamic dimension is the element count divided by the other sizes.
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
// One size is unknown and equals no dynamic dimension: it is computed from the count. The dynamic one is -1.
// CHECK-LABEL: func.func @several_open(
// CHECK: [[S:%.*]] = arith.constant dense<[-1, 2, 2]> : tensor<3xindex>
// CHECK-NEXT: tensor.reshape %arg0([[S]]) : (tensor<?x4xf32>, tensor<3xindex>) -> tensor<?x?x2xf32>
// GONE-LABEL: func.func @several_open(
// GONE-NEXT: arith.constant dense<[-1, 2, 2]>
// GONE-NEXT: tensor.reshape
// GONE-NEXT: return
func.func @several_open(%x: tensor<?x4xf32>, %n: index) -> tensor<?x?x2xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %x, %c0 : tensor<?x4xf32>
  %s = tensor.from_elements %d, %n, %c2 : tensor<3xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x4xf32>, tensor<3xindex>) -> tensor<?x?x2xf32>
  return %y : tensor<?x?x2xf32>
}
// A type that states less than the sizes do; sizes in i32; another order.
// CHECK-LABEL: func.func @words_of_sizes(
// CHECK: arith.constant dense<[2, 6, -1]> : tensor<3xi32>
func.func @words_of_sizes(%x: tensor<3x?x4xf32>, %n: i32) -> tensor<?x?x?xf32> {
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : i32
  %d = tensor.dim %x, %c1 : tensor<3x?x4xf32>
  %w = arith.index_cast %d : index to i32
  %s = tensor.from_elements %n, %c6, %w : tensor<3xi32>
  %y = tensor.reshape %x(%s) : (tensor<3x?x4xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return %y : tensor<?x?x?xf32>
}
// The one unknown size is the element count divided by all others.
// CHECK-LABEL: func.func @flattened(
// CHECK: arith.constant dense<[-1, 4]> : tensor<2xindex>
func.func @flattened(%x: tensor<?x?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c4 = arith.constant 4 : index
  %s = tensor.from_elements %n, %c4 : tensor<2xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
// CHECK-LABEL: func.func @of_unranked(
// CHECK: arith.constant dense<[4, -1]> : tensor<2xindex>
func.func @of_unranked(%x: tensor<*xf32>, %n: index) -> tensor<4x?xf32> {
  %c4 = arith.constant 4 : index
  %s = tensor.from_elements %c4, %n : tensor<2xindex>
  %y = tensor.reshape %x(%s) : (tensor<*xf32>, tensor<2xindex>) -> tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}
// CHECK-LABEL: func.func @as_it_was(
// CHECK: arith.constant dense<[-1, 4]> : tensor<2xindex>
func.func @as_it_was(%x: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %s = shape.shape_of %x : tensor<?x4xf32> -> tensor<2xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
// Unchanged: two sizes stay unknown, from two dynamic dimensions, from none, or from one that occurs twice.
// CHECK-LABEL: func.func @two_symbols(
// CHECK-NOT: arith.constant dense
// CHECK: return
func.func @two_symbols(%x: tensor<?x?x4xf32>) -> tensor<?x?x2x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %x, %c0 : tensor<?x?x4xf32>
  %e = tensor.dim %x, %c1 : tensor<?x?x4xf32>
  %s = tensor.from_elements %d, %e, %c2, %c2 : tensor<4xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x?x4xf32>, tensor<4xindex>) -> tensor<?x?x2x2xf32>
  return %y : tensor<?x?x2x2xf32>
}
// CHECK-LABEL: func.func @two_unknown(
// CHECK-NOT: arith.constant dense
// CHECK: return
func.func @two_unknown(%x: tensor<?x4xf32>, %n: index, %m: index) -> tensor<?x?x2xf32> {
  %c2 = arith.constant 2 : index
  %s = tensor.from_elements %n, %m, %c2 : tensor<3xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x4xf32>, tensor<3xindex>) -> tensor<?x?x2xf32>
  return %y : tensor<?x?x2xf32>
}
// CHECK-LABEL: func.func @twice(
// CHECK-NOT: arith.constant dense
// CHECK: return
func.func @twice(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x?xf32>
  %s = tensor.from_elements %d, %d : tensor<2xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
// Unchanged: the size of another tensor; a count that does not divide is checked at run time.
// CHECK-LABEL: func.func @of_another(
// CHECK-NOT: arith.constant dense
// CHECK: return
func.func @of_another(%x: tensor<?x4xf32>, %z: tensor<?x4xf32>, %n: index) -> tensor<?x?x2xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %z, %c0 : tensor<?x4xf32>
  %s = tensor.from_elements %d, %n, %c2 : tensor<3xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x4xf32>, tensor<3xindex>) -> tensor<?x?x2xf32>
  return %y : tensor<?x?x2xf32>
}
// CHECK-LABEL: func.func @no_multiple(
// CHECK-NOT: arith.constant dense
// CHECK: return
func.func @no_multiple(%x: tensor<?x4xf32>, %n: index) -> tensor<?x?x3xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %d = tensor.dim %x, %c0 : tensor<?x4xf32>
  %s = tensor.from_elements %d, %n, %c3 : tensor<3xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x4xf32>, tensor<3xindex>) -> tensor<?x?x3xf32>
  return %y : tensor<?x?x3xf32>
}
// Unchanged: next to a size of 0, -1 is ambiguous.
// CHECK-LABEL: func.func @empty(
// CHECK-NOT: arith.constant dense
// CHECK: return
func.func @empty(%x: tensor<?x4xf32>, %n: index) -> tensor<?x0xf32> {
  %c0 = arith.constant 0 : index
  %s = tensor.from_elements %n, %c0 : tensor<2xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x0xf32>
  return %y : tensor<?x0xf32>
}
