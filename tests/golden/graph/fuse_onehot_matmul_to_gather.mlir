// one_hot times matrix becomes a gather of rows. It stays if it does more, or if an index may be out of range.
// RUN: quern opt %s --fuse-onehot-matmul-to-gather | FileCheck %s
// RUN: quern opt %s --fuse-onehot-matmul-to-gather --fuse-onehot-matmul-to-gather | FileCheck %s
// RUN: quern opt %s --fuse-onehot-matmul-to-gather=assume-in-range=true | FileCheck %s --check-prefix=ASSUMED
// RUN: quern opt %s --emit=interpret --function constants | FileCheck %s --check-prefix=ROWS --match-full-lines
// RUN: quern opt %s --fuse-onehot-matmul-to-gather --emit=interpret --function constants | FileCheck %s --check-prefix=ROWS --match-full-lines
// RUN: quern opt %s --fuse-onehot-matmul-to-gather --lower-to-integer --emit=run --function constants | FileCheck %s --check-prefix=ROWS --match-full-lines
// ROWS: dense<{{\[}}[5.000000e+00, 6.000000e+00], [1.000000e+00, 2.000000e+00]]> : tensor<2x2xf32>

// CHECK-LABEL: func.func @constants(
// CHECK-NOT: ml.one_hot
// CHECK: "ml.gather"({{.*}}) {axis = 0 : i64}
// CHECK-NOT: ml.matmul
// CHECK: return
func.func @constants() -> tensor<2x2xf32> {
  %i = "ml.const"() {value = dense<[2, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %on = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %h = "ml.one_hot"(%i, %on, %off) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %y = "ml.matmul"(%h, %w) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// CHECK-LABEL: func.func @extremes(
// CHECK-NOT: ml.one_hot
// CHECK: "ml.gather"({{.*}}) {axis = 0 : i64}
// CHECK-NOT: ml.matmul
// CHECK: return
func.func @extremes(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %i = "ml.reduce_argmax"(%x) {axis = 1 : i64, keep_dims = false} : (tensor<2x3xf32>) -> tensor<2xi32>
  %on = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %h = "ml.one_hot"(%i, %on, %off) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %y = "ml.matmul"(%h, %w) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// CHECK-LABEL: func.func @argmax(
// CHECK-NOT: ml.one_hot
// CHECK: "ml.gather"({{.*}}) {axis = 0 : i64}
// CHECK-NOT: ml.matmul
// CHECK: return
func.func @argmax(%x: tensor<2x3xf32>) -> tensor<2x2x2xf32> {
  %i = "ml.top_indices"(%x) {k = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x2xi64>
  %on = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %h = "ml.one_hot"(%i, %on, %off) {axis = 2 : i64, depth = 3 : i64} : (tensor<2x2xi64>, tensor<f32>, tensor<f32>) -> tensor<2x2x3xf32>
  %y = "ml.matmul"(%h, %w) : (tensor<2x2x3xf32>, tensor<3x2xf32>) -> tensor<2x2x2xf32>
  return %y : tensor<2x2x2xf32>
}
// Unchanged: the index may be 3, and the matrix has only three rows.
// CHECK-LABEL: func.func @longer_rows(
// CHECK: ml.one_hot
// CHECK: ml.matmul
// CHECK-NOT: ml.gather
// CHECK: return
func.func @longer_rows(%x: tensor<2x4xf32>) -> tensor<2x2xf32> {
  %i = "ml.reduce_argmin"(%x) {axis = 1 : i64, keep_dims = false} : (tensor<2x4xf32>) -> tensor<2xi32>
  %on = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %h = "ml.one_hot"(%i, %on, %off) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %y = "ml.matmul"(%h, %w) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// CHECK-LABEL: func.func @outside(
// CHECK: ml.one_hot
// CHECK: ml.matmul
// CHECK-NOT: ml.gather
// CHECK: return
func.func @outside() -> tensor<2x2xf32> {
  %i = "ml.const"() {value = dense<[2, 3]> : tensor<2xi32>} : () -> tensor<2xi32>
  %on = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %h = "ml.one_hot"(%i, %on, %off) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %y = "ml.matmul"(%h, %w) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// CHECK-LABEL: func.func @negative_index(
// CHECK: ml.one_hot
// CHECK: ml.matmul
// CHECK-NOT: ml.gather
// CHECK: return
func.func @negative_index() -> tensor<2x2xf32> {
  %i = "ml.const"() {value = dense<[-1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %on = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %h = "ml.one_hot"(%i, %on, %off) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %y = "ml.matmul"(%h, %w) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// The index is in range only if the option assumes it.
// CHECK-LABEL: func.func @any(
// CHECK: ml.one_hot
// CHECK: ml.matmul
// CHECK: return
// ASSUMED-LABEL: func.func @any(
// ASSUMED-NEXT: ml.const
// ASSUMED-NEXT: ml.gather
// ASSUMED-NEXT: return
func.func @any(%i: tensor<2xi32>) -> tensor<2x2xf32> {
  %on = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %h = "ml.one_hot"(%i, %on, %off) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %y = "ml.matmul"(%h, %w) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// CHECK-LABEL: func.func @second_use(
// CHECK: ml.one_hot
// CHECK: ml.matmul
// CHECK-NOT: ml.gather
// CHECK: return
func.func @second_use() -> (tensor<2x2xf32>, tensor<2x3xf32>) {
  %i = "ml.const"() {value = dense<[2, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %on = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %h = "ml.one_hot"(%i, %on, %off) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %y = "ml.matmul"(%h, %w) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %y, %h : tensor<2x2xf32>, tensor<2x3xf32>
}
// CHECK-LABEL: func.func @on_is_two(
// CHECK: ml.one_hot
// CHECK: ml.matmul
// CHECK-NOT: ml.gather
// CHECK: return
func.func @on_is_two() -> tensor<2x2xf32> {
  %i = "ml.const"() {value = dense<[2, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %on = "ml.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %h = "ml.one_hot"(%i, %on, %off) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %y = "ml.matmul"(%h, %w) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// Unchanged: an off value near 0 is not 0.
// CHECK-LABEL: func.func @off_is_not_zero(
// CHECK: ml.one_hot
// CHECK: ml.matmul
// CHECK-NOT: ml.gather
// CHECK: return
func.func @off_is_not_zero() -> tensor<2x2xf32> {
  %i = "ml.const"() {value = dense<[2, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %on = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.001> : tensor<f32>} : () -> tensor<f32>
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %h = "ml.one_hot"(%i, %on, %off) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %y = "ml.matmul"(%h, %w) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// Unchanged: one_hot along the rows picks nothing, because its axis is an axis of the result.
// CHECK-LABEL: func.func @other_axis(
// CHECK: ml.one_hot
// CHECK: ml.matmul
// CHECK-NOT: ml.gather
// CHECK: return
func.func @other_axis() -> tensor<2x2xf32> {
  %i = "ml.const"() {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %on = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %h = "ml.one_hot"(%i, %on, %off) {axis = 0 : i64, depth = 2 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %y = "ml.matmul"(%h, %w) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// CHECK-LABEL: func.func @transposed(
// CHECK: ml.one_hot
// CHECK: ml.matmul
// CHECK-NOT: ml.gather
// CHECK: return
func.func @transposed() -> tensor<2x2xf32> {
  %i = "ml.const"() {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %on = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %h = "ml.one_hot"(%i, %on, %off) {axis = 1 : i64, depth = 2 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %y = "ml.matmul"(%h, %w) {transpose_y = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// Unchanged: 0 times infinity would be in every sum.
// CHECK-LABEL: func.func @infinite(
// CHECK: ml.one_hot
// CHECK: ml.matmul
// CHECK-NOT: ml.gather
// CHECK: return
func.func @infinite() -> tensor<2x2xf32> {
  %i = "ml.const"() {value = dense<[2, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %on = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 0x7F800000], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %h = "ml.one_hot"(%i, %on, %off) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %y = "ml.matmul"(%h, %w) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// CHECK-LABEL: func.func @negative_zero(
// CHECK: ml.one_hot
// CHECK: ml.matmul
// CHECK-NOT: ml.gather
// CHECK: return
func.func @negative_zero() -> tensor<2x2xf32> {
  %i = "ml.const"() {value = dense<[2, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %on = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, -0.0], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %h = "ml.one_hot"(%i, %on, %off) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %y = "ml.matmul"(%h, %w) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// CHECK-LABEL: func.func @computed_matrix(
// CHECK: ml.one_hot
// CHECK: ml.matmul
// CHECK-NOT: ml.gather
// CHECK: return
func.func @computed_matrix(%v: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %i = "ml.const"() {value = dense<[2, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %on = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %h = "ml.one_hot"(%i, %on, %off) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %y = "ml.matmul"(%h, %v) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// CHECK-LABEL: func.func @in_branch(
// CHECK-NOT: ml.one_hot
// CHECK: "ml.gather"({{.*}}) {axis = 0 : i64}
// CHECK-NOT: ml.matmul
// CHECK: return
func.func @in_branch(%c: i1, %z: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %i = "ml.const"() {value = dense<[2, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %on = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %off = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %y = scf.if %c -> (tensor<2x2xf32>) {
    %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
    %h = "ml.one_hot"(%i, %on, %off) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
    %p = "ml.matmul"(%h, %w) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    scf.yield %p : tensor<2x2xf32>
  } else {
    scf.yield %z : tensor<2x2xf32>
  }
  return %y : tensor<2x2xf32>
}
