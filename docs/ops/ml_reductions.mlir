// Ops of the model dialect that join elements. Each chunk is the example of an op in
// docs/dialects.md, which scripts/generated puts there; tests/documents/examples.sh runs it.
// SPDX-License-Identifier: Apache-2.0
// ml.avg_pool
func.func @main() -> tensor<1x2x1x1xf32> {
  %x = "ml.const"() {value = dense<[[[[1.0], [2.0]], [[3.0], [5.0]]]]> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  %y = "ml.avg_pool"(%x) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 1, 1>, pad = array<i64: 0, 1, 0, 0>} : (tensor<1x2x2x1xf32>) -> tensor<1x2x1x1xf32>
  return %y : tensor<1x2x1x1xf32>
}
// => dense<[[[[2.750000e+00]], [[4.000000e+00]]]]> : tensor<1x2x1x1xf32>
// -----
// ml.max_pool
func.func @main() -> tensor<1x2x1x1xf32> {
  %x = "ml.const"() {value = dense<[[[[1.0], [2.0]], [[3.0], [5.0]]]]> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  %y = "ml.max_pool"(%x) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 1, 1>, pad = array<i64: 0, 1, 0, 0>} : (tensor<1x2x2x1xf32>) -> tensor<1x2x1x1xf32>
  return %y : tensor<1x2x1x1xf32>
}
// => dense<[[[[5.000000e+00]], [[5.000000e+00]]]]> : tensor<1x2x1x1xf32>
// -----
// ml.reduce_mean
func.func @main() -> tensor<2x1xf32> {
  %x = "ml.const"() {value = dense<[[1.0, 2.0, 3.0], [4.0, 6.0, 8.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %y = "ml.reduce_mean"(%x) {axes = array<i64: 1>, keep_dims = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %y : tensor<2x1xf32>
}
// => dense<[[2.000000e+00], [6.000000e+00]]> : tensor<2x1xf32>
// -----
// ml.reduce_sum
func.func @main() -> tensor<2x1xf32> {
  %x = "ml.const"() {value = dense<[[1.0, 2.0, 3.0], [4.0, 6.0, 8.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %y = "ml.reduce_sum"(%x) {axes = array<i64: 1>, keep_dims = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %y : tensor<2x1xf32>
}
// => dense<[[6.000000e+00], [1.800000e+01]]> : tensor<2x1xf32>
// -----
// ml.reduce_max
func.func @main() -> tensor<2x1xf32> {
  %x = "ml.const"() {value = dense<[[1.0, 2.0, 3.0], [4.0, 6.0, 8.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %y = "ml.reduce_max"(%x) {axes = array<i64: 1>, keep_dims = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %y : tensor<2x1xf32>
}
// => dense<[[3.000000e+00], [8.000000e+00]]> : tensor<2x1xf32>
// -----
// ml.reduce_min
func.func @main() -> tensor<2x1xf32> {
  %x = "ml.const"() {value = dense<[[1.0, 2.0, 3.0], [4.0, 6.0, 8.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %y = "ml.reduce_min"(%x) {axes = array<i64: 1>, keep_dims = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %y : tensor<2x1xf32>
}
// => dense<[[1.000000e+00], [4.000000e+00]]> : tensor<2x1xf32>
// -----
// ml.reduce_argmax
func.func @main() -> tensor<2xi32> {
  %x = "ml.const"() {value = dense<[[1.0, 3.0, 3.0], [4.0, 8.0, 2.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %y = "ml.reduce_argmax"(%x) {axis = 1 : i64, keep_dims = false} : (tensor<2x3xf32>) -> tensor<2xi32>
  return %y : tensor<2xi32>
}
// => dense<[1, 1]> : tensor<2xi32>
// -----
// ml.reduce_argmin
func.func @main() -> tensor<2xi32> {
  %x = "ml.const"() {value = dense<[[1.0, 3.0, 3.0], [4.0, 8.0, 2.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %y = "ml.reduce_argmin"(%x) {axis = 1 : i64, keep_dims = false} : (tensor<2x3xf32>) -> tensor<2xi32>
  return %y : tensor<2xi32>
}
// => dense<[0, 2]> : tensor<2xi32>
// -----
// ml.softmax
func.func @main() -> tensor<1x4xf32> {
  %x = "ml.const"() {value = dense<[[0.0, 1.0, 2.0, 1.0]]> : tensor<1x4xf32>} : () -> tensor<1x4xf32>
  %y = "ml.softmax"(%x) {beta = 1.0 : f64} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}
// => dense<[[0.0723294839, 0.196611926, 0.534446657, 0.196611926]]> : tensor<1x4xf32>
// -----
// ml.batch_norm
func.func @main() -> tensor<2x2xf32> {
  %x = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %mean = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %variance = "ml.const"() {value = dense<[4.0, 1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.batch_norm"(%x, %mean, %variance) {axis = 1 : i64, epsilon = 0.0 : f64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// => dense<[[0.000000e+00, 0.000000e+00], [1.000000e+00, 2.000000e+00]]> : tensor<2x2xf32>
// -----
// ml.layer_norm
func.func @main() -> tensor<2x2xf32> {
  %x = "ml.const"() {value = dense<[[1.0, 3.0], [-4.0, 4.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %gamma = "ml.const"() {value = dense<[2.0, 4.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %beta = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.layer_norm"(%x, %gamma, %beta) {axes = array<i64: 1>, epsilon = 0.0 : f64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// => dense<[[-1.000000e+00, 5.000000e+00], [-1.000000e+00, 5.000000e+00]]> : tensor<2x2xf32>
// -----
// ml.instance_norm
func.func @main() -> tensor<1x2x2xf32> {
  %x = "ml.const"() {value = dense<[[[1.0, 3.0], [-4.0, 4.0]]]> : tensor<1x2x2xf32>} : () -> tensor<1x2x2xf32>
  %y = "ml.instance_norm"(%x) {axis = 1 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %y : tensor<1x2x2xf32>
}
// => dense<[[[-1.000000e+00, 1.000000e+00], [-1.000000e+00, 1.000000e+00]]]> : tensor<1x2x2xf32>
// -----
// ml.reduce_prod
func.func @main() -> tensor<2x1xf32> {
  %x = "ml.const"() {value = dense<[[1.0, 2.0, 3.0], [4.0, 6.0, 8.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %y = "ml.reduce_prod"(%x) {axes = array<i64: 1>, keep_dims = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %y : tensor<2x1xf32>
}
// => dense<[[6.000000e+00], [1.920000e+02]]> : tensor<2x1xf32>
// -----
// ml.cumsum
func.func @main() -> tensor<2x3xi32> {
  %x = "ml.const"() {value = dense<[[1, 2, 3], [4, 6, 8]]> : tensor<2x3xi32>} : () -> tensor<2x3xi32>
  %y = "ml.cumsum"(%x) {axis = 1 : i64} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %y : tensor<2x3xi32>
}
// => dense<[[1, 3, 6], [4, 10, 18]]> : tensor<2x3xi32>
// -----
// ml.top_indices
func.func @main() -> tensor<2x2xi32> {
  %x = "ml.const"() {value = dense<[[1.0, 3.0, 3.0], [4.0, 8.0, 2.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %y = "ml.top_indices"(%x) {k = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x2xi32>
  return %y : tensor<2x2xi32>
}
// => dense<[[1, 2], [1, 0]]> : tensor<2x2xi32>
// -----
// ml.non_maximum_suppression
func.func @main() -> tensor<1x3xi32> {
  %boxes = "ml.const"() {value = dense<[[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1], [2.0, 2.0, 3.0, 3.0]]> : tensor<3x4xf32>} : () -> tensor<3x4xf32>
  %scores = "ml.const"() {value = dense<[[0.9, 0.8, 0.7]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %y = "ml.non_maximum_suppression"(%boxes, %scores) {k = 3 : i64, score_threshold = 0.5 : f32, iou_threshold = 0.5 : f32} : (tensor<3x4xf32>, tensor<1x3xf32>) -> tensor<1x3xi32>
  return %y : tensor<1x3xi32>
}
// => dense<[[0, 2, -1]]> : tensor<1x3xi32>
// -----
// ml.scatter_nd
func.func @main() -> tensor<4xi32> {
  %indices = "ml.const"() {value = dense<[[2], [0], [2]]> : tensor<3x1xi32>} : () -> tensor<3x1xi32>
  %updates = "ml.const"() {value = dense<[5, 6, 7]> : tensor<3xi32>} : () -> tensor<3xi32>
  %y = "ml.scatter_nd"(%indices, %updates) : (tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
// => dense<[6, 0, 12, 0]> : tensor<4xi32>
// -----
// ml.l2_norm
func.func @main() -> tensor<1x2xf32> {
  %x = "ml.const"() {value = dense<[[3.0, 4.0]]> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
  %y = "ml.l2_norm"(%x) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// => dense<[[6.000000e-01, 8.000000e-01]]> : tensor<1x2xf32>
// -----
// ml.log_softmax
func.func @main() -> tensor<1x4xf32> {
  %x = "ml.const"() {value = dense<[[0.0, 1.0, 2.0, 1.0]]> : tensor<1x4xf32>} : () -> tensor<1x4xf32>
  %y = "ml.log_softmax"(%x) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}
// => dense<[[-2.62652349, -1.62652349, -0.626523435, -1.62652349]]> : tensor<1x4xf32>
// -----
// ml.local_response_norm
func.func @main() -> tensor<1x1x1x3xf32> {
  %x = "ml.const"() {value = dense<[[[[1.0, 2.0, 3.0]]]]> : tensor<1x1x1x3xf32>} : () -> tensor<1x1x1x3xf32>
  %y = "ml.local_response_norm"(%x) {radius = 1 : i64, offset = 1.0 : f64, alpha = 0.5 : f64, beta = 0.5 : f64} : (tensor<1x1x1x3xf32>) -> tensor<1x1x1x3xf32>
  return %y : tensor<1x1x1x3xf32>
}
// => dense<[[[[0.816496611, 1.06904495, 1.09544516]]]]> : tensor<1x1x1x3xf32>
