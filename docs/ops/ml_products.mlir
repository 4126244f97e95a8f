// Products and states of the model dialect. Each chunk is the example of an op in
// docs/dialects.md, which scripts/generated puts there; tests/documents/examples.sh runs it.
// SPDX-License-Identifier: Apache-2.0
// ml.const
func.func @main() -> tensor<2x!quant.uniform<i8:f32, 0.5:3>> {
  %y = "ml.const"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return %y : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
}
// => dense<[1, 2]> : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// -----
// ml.conv
func.func @main() -> tensor<1x2x2x1xf32> {
  %x = "ml.const"() {value = dense<[[[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]], [[7.0], [8.0], [9.0]]]]> : tensor<1x3x3x1xf32>} : () -> tensor<1x3x3x1xf32>
  %w = "ml.const"() {value = dense<[[[[1.0], [0.0]], [[0.0], [-1.0]]]]> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  %bias = "ml.const"() {value = dense<[0.5]> : tensor<1xf32>} : () -> tensor<1xf32>
  %y = "ml.conv"(%x, %w, %bias) {activation = "none", strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x3x3x1xf32>, tensor<1x2x2x1xf32>, tensor<1xf32>) -> tensor<1x2x2x1xf32>
  return %y : tensor<1x2x2x1xf32>
}
// => dense<[[[[-3.500000e+00], [-3.500000e+00]], [[-3.500000e+00], [-3.500000e+00]]]]> : tensor<1x2x2x1xf32>
// -----
// ml.conv_transpose
func.func @main() -> tensor<1x3x3x1xf32> {
  %x = "ml.const"() {value = dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  %w = "ml.const"() {value = dense<[[[[1.0], [10.0]], [[100.0], [1000.0]]]]> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  %y = "ml.conv_transpose"(%x, %w) {strides = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32>
  return %y : tensor<1x3x3x1xf32>
}
// => dense<[[[[1.000000e+00], [1.000000e+01], [2.000000e+00]], [[1.000000e+02], [1.000000e+03], [2.000000e+02]], [[3.000000e+00], [3.000000e+01], [4.000000e+00]]]]> : tensor<1x3x3x1xf32>
// -----
// ml.depthwise_conv
func.func @main() -> tensor<1x1x1x2xf32> {
  %x = "ml.const"() {value = dense<[[[[1.0, 10.0], [2.0, 20.0]], [[3.0, 30.0], [4.0, 40.0]]]]> : tensor<1x2x2x2xf32>} : () -> tensor<1x2x2x2xf32>
  %w = "ml.const"() {value = dense<[[[[1.0, 0.5], [1.0, 0.5]], [[1.0, 0.5], [1.0, 0.5]]]]> : tensor<1x2x2x2xf32>} : () -> tensor<1x2x2x2xf32>
  %y = "ml.depthwise_conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x1x1x2xf32>
  return %y : tensor<1x1x1x2xf32>
}
// => dense<[[[[1.000000e+01, 5.000000e+01]]]]> : tensor<1x1x1x2xf32>
// -----
// ml.linear
module attributes {quern.numerics = "litert-ref"} {
  func.func @main() -> tensor<1x2x!quant.uniform<i8:f32, 0.125:-128>> {
    %x = "ml.const"() {value = dense<[[3, 5, 1, 7]]> : tensor<1x4xi8>} : () -> tensor<1x4x!quant.uniform<i8:f32, 0.5:3>>
    %w = "ml.const"() {value = dense<[[1, 2, 3, 4], [-1, 0, 1, 0]]> : tensor<2x4xi8>} : () -> tensor<2x4x!quant.uniform<i8:f32, 0.25>>
    %bias = "ml.const"() {value = dense<[8, -16]> : tensor<2xi32>} : () -> tensor<2xi32>
    %y = "ml.linear"(%x, %w, %bias) {activation = "relu"} : (tensor<1x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x4x!quant.uniform<i8:f32, 0.25>>, tensor<2xi32>) -> tensor<1x2x!quant.uniform<i8:f32, 0.125:-128>>
    return %y : tensor<1x2x!quant.uniform<i8:f32, 0.125:-128>>
  }
}
// => dense<[[-106, -128]]> : tensor<1x2x!quant.uniform<i8:f32, 1.250000e-01:-128>>
// -----
// ml.matmul
func.func @main() -> tensor<2x2xf32> {
  %a = "ml.const"() {value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %b = "ml.const"() {value = dense<[[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %y = "ml.matmul"(%a, %b) {transpose_y = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
// => dense<[[4.000000e+00, 2.000000e+00], [1.000000e+01, 5.000000e+00]]> : tensor<2x2xf32>
// -----
// ml.svdf
module attributes {quern.numerics = "litert-ref"} {
  func.func @main() -> (tensor<1x1x!quant.uniform<i8:f32, 0.125:-5>>, tensor<1x4x!quant.uniform<i8:f32, 0.5:3>>) {
    %x = "ml.const"() {value = dense<[[5, 1]]> : tensor<1x2xi8>} : () -> tensor<1x2x!quant.uniform<i8:f32, 0.5:3>>
    %state = "ml.const"() {value = dense<[[10, 20, 30, 40]]> : tensor<1x4xi8>} : () -> tensor<1x4x!quant.uniform<i8:f32, 0.5:3>>
    %features = "ml.const"() {value = dense<[[1, 2], [-3, 4]]> : tensor<2x2xi8>} : () -> tensor<2x2x!quant.uniform<i8:f32, 0.0625>>
    %times = "ml.const"() {value = dense<[[10, 20], [30, -10]]> : tensor<2x2xi8>} : () -> tensor<2x2x!quant.uniform<i8:f32, 0.0625>>
    %y:2 = "ml.svdf"(%x, %state, %features, %times) : (tensor<1x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<1x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32, 0.0625>>, tensor<2x2x!quant.uniform<i8:f32, 0.0625>>) -> (tensor<1x1x!quant.uniform<i8:f32, 0.125:-5>>, tensor<1x4x!quant.uniform<i8:f32, 0.5:3>>)
    return %y#0, %y#1 : tensor<1x1x!quant.uniform<i8:f32, 0.125:-5>>, tensor<1x4x!quant.uniform<i8:f32, 0.5:3>>
  }
}
// => dense<[[127]]> : tensor<1x1x!quant.uniform<i8:f32, 1.250000e-01:-5>>
// => dense<[[20, 3, 40, 2]]> : tensor<1x4x!quant.uniform<i8:f32, 5.000000e-01:3>>
// -----
// ml.lstm
module attributes {quern.numerics = "litert-ref"} {
  func.func @main() -> (tensor<1x1x1x!quant.uniform<i8:f32, 0.0078125:-5>>, tensor<1x1x!quant.uniform<i8:f32, 0.0078125:-5>>, tensor<1x1x!quant.uniform<i16:f32, 4.8828125e-04>>) {
    %x = "ml.const"() {value = dense<[[[13]]]> : tensor<1x1x1xi8>} : () -> tensor<1x1x1x!quant.uniform<i8:f32, 0.5:3>>
    %hidden = "ml.const"() {value = dense<[[5]]> : tensor<1x1xi8>} : () -> tensor<1x1x!quant.uniform<i8:f32, 0.0078125:-5>>
    %cell = "ml.const"() {value = dense<[[1000]]> : tensor<1x1xi16>} : () -> tensor<1x1x!quant.uniform<i16:f32, 4.8828125e-04>>
    %wi = "ml.const"() {value = dense<[[10]]> : tensor<1x1xi8>} : () -> tensor<1x1x!quant.uniform<i8:f32, 0.0625>>
    %wf = "ml.const"() {value = dense<[[20]]> : tensor<1x1xi8>} : () -> tensor<1x1x!quant.uniform<i8:f32, 0.0625>>
    %wc = "ml.const"() {value = dense<[[-30]]> : tensor<1x1xi8>} : () -> tensor<1x1x!quant.uniform<i8:f32, 0.0625>>
    %wo = "ml.const"() {value = dense<[[40]]> : tensor<1x1xi8>} : () -> tensor<1x1x!quant.uniform<i8:f32, 0.0625>>
    %ri = "ml.const"() {value = dense<[[4]]> : tensor<1x1xi8>} : () -> tensor<1x1x!quant.uniform<i8:f32, 0.0625>>
    %rf = "ml.const"() {value = dense<[[3]]> : tensor<1x1xi8>} : () -> tensor<1x1x!quant.uniform<i8:f32, 0.0625>>
    %rc = "ml.const"() {value = dense<[[2]]> : tensor<1x1xi8>} : () -> tensor<1x1x!quant.uniform<i8:f32, 0.0625>>
    %ro = "ml.const"() {value = dense<[[1]]> : tensor<1x1xi8>} : () -> tensor<1x1x!quant.uniform<i8:f32, 0.0625>>
    %bi = "ml.const"() {value = dense<[100]> : tensor<1xi32>} : () -> tensor<1xi32>
    %bf = "ml.const"() {value = dense<[200]> : tensor<1xi32>} : () -> tensor<1xi32>
    %bc = "ml.const"() {value = dense<[300]> : tensor<1xi32>} : () -> tensor<1xi32>
    %bo = "ml.const"() {value = dense<[400]> : tensor<1xi32>} : () -> tensor<1xi32>
    %y:3 = "ml.lstm"(%x, %hidden, %cell, %wi, %wf, %wc, %wo, %ri, %rf, %rc, %ro, %bi, %bf, %bc, %bo) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0>, time_major = false} : (tensor<1x1x1x!quant.uniform<i8:f32, 0.5:3>>, tensor<1x1x!quant.uniform<i8:f32, 0.0078125:-5>>, tensor<1x1x!quant.uniform<i16:f32, 4.8828125e-04>>, tensor<1x1x!quant.uniform<i8:f32, 0.0625>>, tensor<1x1x!quant.uniform<i8:f32, 0.0625>>, tensor<1x1x!quant.uniform<i8:f32, 0.0625>>, tensor<1x1x!quant.uniform<i8:f32, 0.0625>>, tensor<1x1x!quant.uniform<i8:f32, 0.0625>>, tensor<1x1x!quant.uniform<i8:f32, 0.0625>>, tensor<1x1x!quant.uniform<i8:f32, 0.0625>>, tensor<1x1x!quant.uniform<i8:f32, 0.0625>>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<1x1x1x!quant.uniform<i8:f32, 0.0078125:-5>>, tensor<1x1x!quant.uniform<i8:f32, 0.0078125:-5>>, tensor<1x1x!quant.uniform<i16:f32, 4.8828125e-04>>)
    return %y#0, %y#1, %y#2 : tensor<1x1x1x!quant.uniform<i8:f32, 0.0078125:-5>>, tensor<1x1x!quant.uniform<i8:f32, 0.0078125:-5>>, tensor<1x1x!quant.uniform<i16:f32, 4.8828125e-04>>
  }
}
// => dense<[[[54]]]> : tensor<1x1x1x!quant.uniform<i8:f32, 7.812500e-03:-5>>
// => dense<[[54]]> : tensor<1x1x!quant.uniform<i8:f32, 7.812500e-03:-5>>
// => dense<[[1020]]> : tensor<1x1x!quant.uniform<i16:f32, 4.8828125E-4>>
// -----
// ml.rnn
module {
  func.func @main() -> (tensor<1x2x1xf32>, tensor<1x1xf32>) {
    %x = "ml.const"() {value = dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>} : () -> tensor<1x2x1xf32>
    %hidden = "ml.const"() {value = dense<4.0> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
    %w = "ml.const"() {value = dense<3.0> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
    %r = "ml.const"() {value = dense<0.5> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
    %b = "ml.const"() {value = dense<-1.0> : tensor<1xf32>} : () -> tensor<1xf32>
    %y:2 = "ml.rnn"(%x, %hidden, %w, %r, %b) {cell_activation = "relu", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0>, time_major = false} : (tensor<1x2x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xf32>) -> (tensor<1x2x1xf32>, tensor<1x1xf32>)
    return %y#0, %y#1 : tensor<1x2x1xf32>, tensor<1x1xf32>
  }
}
// => dense<[[[4.000000e+00], [7.000000e+00]]]> : tensor<1x2x1xf32>
// => dense<[[7.000000e+00]]> : tensor<1x1xf32>
