// Ops on scalars that later become vectors compute on vectors; cases that must stay.
// RUN: quern opt %s --rank0-expand-dims-swap | FileCheck %s
!s = tensor<f32>
!v = tensor<1xf32>

// CHECK-LABEL: func.func @less
// CHECK: %[[C:.*]] = "ml.const"
// CHECK: %[[A:.*]] = "ml.expand_dims"(%arg0)
// CHECK: %[[K:.*]] = "ml.expand_dims"(%[[C]])
// CHECK: "ml.sub"(%[[A]], %[[K]]) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
func.func @less(%a: !s) -> !v {
  %c = "ml.const"() {value = dense<2.0> : !s} : () -> !s
  %0 = "ml.sub"(%a, %c) : (!s, !s) -> !s
  %1 = "ml.expand_dims"(%0) {axes = array<i64: 0>} : (!s) -> !v
  return %1 : !v
}
// The operands keep their order.
// CHECK-LABEL: func.func @from_constant
// CHECK: %[[K:.*]] = "ml.expand_dims"(%{{[0-9]+}})
// CHECK: %[[A:.*]] = "ml.expand_dims"(%arg0)
// CHECK: "ml.sub"(%[[K]], %[[A]]) {activation = "relu"}
func.func @from_constant(%a: !s) -> !v {
  %c = "ml.const"() {value = dense<2.0> : !s} : () -> !s
  %0 = "ml.sub"(%c, %a) {activation = "relu"} : (!s, !s) -> !s
  %1 = "ml.expand_dims"(%0) {axes = array<i64: 0>} : (!s) -> !v
  return %1 : !v
}
// CHECK-LABEL: func.func @both_unknown
// CHECK-NEXT: ml.add
func.func @both_unknown(%a: !s, %b: !s) -> !v {
  %0 = "ml.add"(%a, %b) : (!s, !s) -> !s
  %1 = "ml.expand_dims"(%0) {axes = array<i64: 0>} : (!s) -> !v
  return %1 : !v
}
// CHECK-LABEL: func.func @returned
// CHECK-NEXT: ml.const
// CHECK-NEXT: ml.mul
func.func @returned(%a: !s) -> (!s, !v) {
  %c = "ml.const"() {value = dense<2.0> : !s} : () -> !s
  %0 = "ml.mul"(%a, %c) : (!s, !s) -> !s
  %1 = "ml.expand_dims"(%0) {axes = array<i64: 0>} : (!s) -> !v
  return %0, %1 : !s, !v
}
// CHECK-LABEL: func.func @no_scalars
// CHECK-NEXT: ml.const
// CHECK-NEXT: ml.mul
func.func @no_scalars(%a: !v) -> tensor<1x1xf32> {
  %c = "ml.const"() {value = dense<2.0> : !v} : () -> !v
  %0 = "ml.mul"(%a, %c) : (!v, !v) -> !v
  %1 = "ml.expand_dims"(%0) {axes = array<i64: 0>} : (!v) -> tensor<1x1xf32>
  return %1 : tensor<1x1xf32>
}
// Quotients; a reader before the vector, and a reader in a region.
// CHECK-LABEL: func.func @quotients
// CHECK: %[[Q:.*]] = "ml.real_div"({{.*}}) : (tensor<1xf32>, tensor<1xf32>)
// CHECK: %[[F:.*]] = "ml.floor_div"({{.*}}) : (tensor<1xf32>, tensor<1xf32>)
// CHECK: return %[[Q]], %[[F]]
func.func @quotients(%a: !s) -> (!v, !v) {
  %c = "ml.const"() {value = dense<2.0> : !s} : () -> !s
  %0 = "ml.real_div"(%a, %c) : (!s, !s) -> !s
  %1 = "ml.expand_dims"(%0) {axes = array<i64: 0>} : (!s) -> !v
  %2 = "ml.floor_div"(%c, %a) : (!s, !s) -> !s
  %3 = "ml.expand_dims"(%2) {axes = array<i64: 0>} : (!s) -> !v
  return %1, %3 : !v, !v
}
// CHECK-LABEL: func.func @other_readers
// CHECK: %[[V:.*]] = "ml.sub"({{.*}}) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
// CHECK-NEXT: %[[S:.*]] = "ml.squeeze"(%[[V]]) {axes = array<i64: 0>}
// CHECK-NEXT: %[[O:.*]] = "ml.add"(%arg1, %[[S]])
// CHECK-NEXT: return %[[V]], %[[O]]
func.func @other_readers(%a: !s, %z: tensor<3xf32>) -> (!v, tensor<3xf32>) {
  %c = "ml.const"() {value = dense<2.0> : !s} : () -> !s
  %0 = "ml.sub"(%a, %c) : (!s, !s) -> !s
  %o = "ml.add"(%z, %0) : (tensor<3xf32>, !s) -> tensor<3xf32>
  %1 = "ml.expand_dims"(%0) {axes = array<i64: 0>} : (!s) -> !v
  return %1, %o : !v, tensor<3xf32>
}
// CHECK-LABEL: func.func @two_vectors
// CHECK: "ml.sub"(%arg0
func.func @two_vectors(%a: !s) -> (!v, !v) {
  %c = "ml.const"() {value = dense<2.0> : !s} : () -> !s
  %0 = "ml.sub"(%a, %c) : (!s, !s) -> !s
  %1 = "ml.expand_dims"(%0) {axes = array<i64: 0>} : (!s) -> !v
  %2 = "ml.expand_dims"(%0) {axes = array<i64: 0>} : (!s) -> !v
  return %1, %2 : !v, !v
}
