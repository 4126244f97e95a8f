// Ops of the model dialect that move elements. Each chunk is the example of an op in
// docs/dialects.md, which scripts/generated puts there; tests/documents/examples.sh runs it.
// SPDX-License-Identifier: Apache-2.0
// ml.pad
func.func @main() -> tensor<5xi8> {
  %x = "ml.const"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2xi8>
  %y = "ml.pad"(%x) {pad = array<i64: 1, 2>, value = 9 : i64} : (tensor<2xi8>) -> tensor<5xi8>
  return %y : tensor<5xi8>
}
// => dense<[9, 1, 2, 9, 9]> : tensor<5xi8>
// -----
// ml.reshape
func.func @main() -> tensor<3x2xi8> {
  %x = "ml.const"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %y = "ml.reshape"(%x) : (tensor<2x3xi8>) -> tensor<3x2xi8>
  return %y : tensor<3x2xi8>
}
// => dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
// -----
// ml.squeeze
func.func @main() -> tensor<3xi8> {
  %x = "ml.const"() {value = dense<[[1, 2, 3]]> : tensor<1x3xi8>} : () -> tensor<1x3xi8>
  %y = "ml.squeeze"(%x) {axes = array<i64: 0>} : (tensor<1x3xi8>) -> tensor<3xi8>
  return %y : tensor<3xi8>
}
// => dense<[1, 2, 3]> : tensor<3xi8>
// -----
// ml.expand_dims
func.func @main() -> tensor<1x3xi8> {
  %x = "ml.const"() {value = dense<[1, 2, 3]> : tensor<3xi8>} : () -> tensor<3xi8>
  %y = "ml.expand_dims"(%x) {axes = array<i64: 0>} : (tensor<3xi8>) -> tensor<1x3xi8>
  return %y : tensor<1x3xi8>
}
// => dense<[[1, 2, 3]]> : tensor<1x3xi8>
// -----
// ml.transpose
func.func @main() -> tensor<3x2xi8> {
  %x = "ml.const"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %y = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xi8>) -> tensor<3x2xi8>
  return %y : tensor<3x2xi8>
}
// => dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi8>
// -----
// ml.concat
func.func @main() -> tensor<1x5xi8> {
  %a = "ml.const"() {value = dense<[[1, 2]]> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
  %b = "ml.const"() {value = dense<[[3, 4, 5]]> : tensor<1x3xi8>} : () -> tensor<1x3xi8>
  %y = "ml.concat"(%a, %b) {axis = 1 : i64} : (tensor<1x2xi8>, tensor<1x3xi8>) -> tensor<1x5xi8>
  return %y : tensor<1x5xi8>
}
// => dense<[[1, 2, 3, 4, 5]]> : tensor<1x5xi8>
// -----
// ml.split
func.func @main() -> (tensor<1x2xi8>, tensor<1x3xi8>) {
  %x = "ml.const"() {value = dense<[[1, 2, 3, 4, 5]]> : tensor<1x5xi8>} : () -> tensor<1x5xi8>
  %y:2 = "ml.split"(%x) {axis = 1 : i64} : (tensor<1x5xi8>) -> (tensor<1x2xi8>, tensor<1x3xi8>)
  return %y#0, %y#1 : tensor<1x2xi8>, tensor<1x3xi8>
}
// => dense<[[1, 2]]> : tensor<1x2xi8>
// => dense<[[3, 4, 5]]> : tensor<1x3xi8>
// -----
// ml.slice_by_index
func.func @main() -> tensor<3xi8> {
  %x = "ml.const"() {value = dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi8>} : () -> tensor<6xi8>
  %y = "ml.slice_by_index"(%x) {begin = array<i64: 5>, end = array<i64: 0>, stride = array<i64: -2>} : (tensor<6xi8>) -> tensor<3xi8>
  return %y : tensor<3xi8>
}
// => dense<[6, 4, 2]> : tensor<3xi8>
// -----
// ml.gather
func.func @main() -> tensor<2x2xi8> {
  %x = "ml.const"() {value = dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>} : () -> tensor<3x2xi8>
  %indices = "ml.const"() {value = dense<[2, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %y = "ml.gather"(%x, %indices) {axis = 0 : i64} : (tensor<3x2xi8>, tensor<2xi32>) -> tensor<2x2xi8>
  return %y : tensor<2x2xi8>
}
// => dense<[[5, 6], [1, 2]]> : tensor<2x2xi8>
// -----
// ml.gather_nd
func.func @main() -> tensor<2xi8> {
  %x = "ml.const"() {value = dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>} : () -> tensor<3x2xi8>
  %indices = "ml.const"() {value = dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
  %y = "ml.gather_nd"(%x, %indices) : (tensor<3x2xi8>, tensor<2x2xi32>) -> tensor<2xi8>
  return %y : tensor<2xi8>
}
// => dense<[5, 4]> : tensor<2xi8>
// -----
// ml.one_hot
func.func @main() -> tensor<2x3xi8> {
  %indices = "ml.const"() {value = dense<[2, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %on = "ml.const"() {value = dense<5> : tensor<i8>} : () -> tensor<i8>
  %off = "ml.const"() {value = dense<-1> : tensor<i8>} : () -> tensor<i8>
  %y = "ml.one_hot"(%indices, %on, %off) {axis = 1 : i64, depth = 3 : i64} : (tensor<2xi32>, tensor<i8>, tensor<i8>) -> tensor<2x3xi8>
  return %y : tensor<2x3xi8>
}
// => dense<[[-1, -1, 5], [5, -1, -1]]> : tensor<2x3xi8>
// -----
// ml.resize_bilinear
func.func @main() -> tensor<1x3x3x1xf32> {
  %x = "ml.const"() {value = dense<[[[[1.0], [3.0]], [[5.0], [9.0]]]]> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  %y = "ml.resize_bilinear"(%x) {sampling_mode = "align_corners"} : (tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32>
  return %y : tensor<1x3x3x1xf32>
}
// => dense<[[[[1.000000e+00], [2.000000e+00], [3.000000e+00]], [[3.000000e+00], [4.500000e+00], [6.000000e+00]], [[5.000000e+00], [7.000000e+00], [9.000000e+00]]]]> : tensor<1x3x3x1xf32>
// -----
// ml.resize_nearest_neighbor
func.func @main() -> tensor<1x3x3x1xf32> {
  %x = "ml.const"() {value = dense<[[[[1.0], [3.0]], [[5.0], [9.0]]]]> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  %y = "ml.resize_nearest_neighbor"(%x) : (tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32>
  return %y : tensor<1x3x3x1xf32>
}
// => dense<[[[[1.000000e+00], [1.000000e+00], [3.000000e+00]], [[1.000000e+00], [1.000000e+00], [3.000000e+00]], [[5.000000e+00], [5.000000e+00], [9.000000e+00]]]]> : tensor<1x3x3x1xf32>
// -----
// ml.stack
func.func @main() -> tensor<2x2xi8> {
  %a = "ml.const"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2xi8>
  %b = "ml.const"() {value = dense<[3, 4]> : tensor<2xi8>} : () -> tensor<2xi8>
  %y = "ml.stack"(%a, %b) {axis = 1 : i64} : (tensor<2xi8>, tensor<2xi8>) -> tensor<2x2xi8>
  return %y : tensor<2x2xi8>
}
// => dense<[[1, 3], [2, 4]]> : tensor<2x2xi8>
// -----
// ml.tile
func.func @main() -> tensor<2x4xi8> {
  %x = "ml.const"() {value = dense<[[1, 2]]> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
  %y = "ml.tile"(%x) {reps = array<i64: 2, 2>} : (tensor<1x2xi8>) -> tensor<2x4xi8>
  return %y : tensor<2x4xi8>
}
// => dense<[[1, 2, 1, 2], [1, 2, 1, 2]]> : tensor<2x4xi8>
// -----
// ml.reverse
func.func @main() -> tensor<2x3xi8> {
  %x = "ml.const"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %y = "ml.reverse"(%x) {axes = array<i64: 1>} : (tensor<2x3xi8>) -> tensor<2x3xi8>
  return %y : tensor<2x3xi8>
}
// => dense<[[3, 2, 1], [6, 5, 4]]> : tensor<2x3xi8>
// -----
// ml.mirror_pad
func.func @main() -> tensor<6xi8> {
  %x = "ml.const"() {value = dense<[1, 2, 3]> : tensor<3xi8>} : () -> tensor<3xi8>
  %y = "ml.mirror_pad"(%x) {mode = "reflect", pad = array<i64: 2, 1>} : (tensor<3xi8>) -> tensor<6xi8>
  return %y : tensor<6xi8>
}
// => dense<[3, 2, 1, 2, 3, 2]> : tensor<6xi8>
// -----
// ml.space_to_depth
func.func @main() -> tensor<1x1x1x4xi8> {
  %x = "ml.const"() {value = dense<[[[[1], [2]], [[3], [4]]]]> : tensor<1x2x2x1xi8>} : () -> tensor<1x2x2x1xi8>
  %y = "ml.space_to_depth"(%x) {block_shape = array<i64: 2>} : (tensor<1x2x2x1xi8>) -> tensor<1x1x1x4xi8>
  return %y : tensor<1x1x1x4xi8>
}
// => dense<[[[[1, 2, 3, 4]]]]> : tensor<1x1x1x4xi8>
// -----
// ml.depth_to_space
func.func @main() -> tensor<1x2x2x1xi8> {
  %x = "ml.const"() {value = dense<[[[[1, 2, 3, 4]]]]> : tensor<1x1x1x4xi8>} : () -> tensor<1x1x1x4xi8>
  %y = "ml.depth_to_space"(%x) {block_shape = array<i64: 2>} : (tensor<1x1x1x4xi8>) -> tensor<1x2x2x1xi8>
  return %y : tensor<1x2x2x1xi8>
}
// => dense<[[[[1], [2]], [[3], [4]]]]> : tensor<1x2x2x1xi8>
// -----
// ml.space_to_batch
func.func @main() -> tensor<4x1x1x1xi8> {
  %x = "ml.const"() {value = dense<[[[[1], [2]], [[3], [4]]]]> : tensor<1x2x2x1xi8>} : () -> tensor<1x2x2x1xi8>
  %y = "ml.space_to_batch"(%x) {block_shape = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x2x2x1xi8>) -> tensor<4x1x1x1xi8>
  return %y : tensor<4x1x1x1xi8>
}
// => dense<[[[[1]]], [[[2]]], [[[3]]], [[[4]]]]> : tensor<4x1x1x1xi8>
// -----
// ml.batch_to_space
func.func @main() -> tensor<1x2x2x1xi8> {
  %x = "ml.const"() {value = dense<[[[[1]]], [[[2]]], [[[3]]], [[[4]]]]> : tensor<4x1x1x1xi8>} : () -> tensor<4x1x1x1xi8>
  %y = "ml.batch_to_space"(%x) {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 0, 0, 0>} : (tensor<4x1x1x1xi8>) -> tensor<1x2x2x1xi8>
  return %y : tensor<1x2x2x1xi8>
}
// => dense<[[[[1], [2]], [[3], [4]]]]> : tensor<1x2x2x1xi8>
