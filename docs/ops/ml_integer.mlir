// Integer forms of the model dialect. Each chunk is the example of an op in
// docs/dialects.md, which scripts/generated puts there; tests/documents/examples.sh runs it.
// SPDX-License-Identifier: Apache-2.0
// ml.integer_conv
func.func @main() -> tensor<1x2x1x2xi8> {
  %x = "ml.const"() {value = dense<[[[[3], [5]], [[7], [4]]]]> : tensor<1x2x2x1xi8>} : () -> tensor<1x2x2x1xi8>
  %w = "ml.const"() {value = dense<[[[[2], [1]]], [[[-1], [4]]]]> : tensor<2x1x2x1xi8>} : () -> tensor<2x1x2x1xi8>
  %bias = "ml.const"() {value = dense<[8, -16]> : tensor<2xi32>} : () -> tensor<2xi32>
  %multiplier = "ml.const"() {value = dense<[1073741824, 1288490188]> : tensor<2xi32>} : () -> tensor<2xi32>
  %shift = "ml.const"() {value = dense<[0, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %y = "ml.integer_conv"(%x, %w, %bias, %multiplier, %shift) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 3 : i64, weight_zero_point = 0 : i64, output_zero_point = -5 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x2x2x1xi8>, tensor<2x1x2x1xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2x1x2xi8>
  return %y : tensor<1x2x1x2xi8>
}
// => dense<[[[[0, -8]], [[4, -10]]]]> : tensor<1x2x1x2xi8>
// -----
// ml.integer_depthwise_conv
func.func @main() -> tensor<1x1x1x2xi8> {
  %x = "ml.const"() {value = dense<[[[[3, 13], [5, 23]]]]> : tensor<1x1x2x2xi8>} : () -> tensor<1x1x2x2xi8>
  %w = "ml.const"() {value = dense<[[[[2, 1], [-1, 4]]]]> : tensor<1x1x2x2xi8>} : () -> tensor<1x1x2x2xi8>
  %bias = "ml.const"() {value = dense<[8, -16]> : tensor<2xi32>} : () -> tensor<2xi32>
  %multiplier = "ml.const"() {value = dense<[1073741824, 1288490188]> : tensor<2xi32>} : () -> tensor<2xi32>
  %shift = "ml.const"() {value = dense<[0, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %y = "ml.integer_depthwise_conv"(%x, %w, %bias, %multiplier, %shift) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, input_zero_point = 3 : i64, weight_zero_point = 0 : i64, output_zero_point = -5 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x1x2x2xi8>, tensor<1x1x2x2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x1x1x2xi8>
  return %y : tensor<1x1x1x2xi8>
}
// => dense<[[[[-2, 17]]]]> : tensor<1x1x1x2xi8>
// -----
// ml.integer_linear
func.func @main() -> tensor<1x2xi8> {
  %x = "ml.const"() {value = dense<[[3, 5, 1, 7]]> : tensor<1x4xi8>} : () -> tensor<1x4xi8>
  %w = "ml.const"() {value = dense<[[1, 2, 3, 4], [-1, 0, 1, 0]]> : tensor<2x4xi8>} : () -> tensor<2x4xi8>
  %bias = "ml.const"() {value = dense<[8, -16]> : tensor<2xi32>} : () -> tensor<2xi32>
  %multiplier = "ml.const"() {value = dense<[1073741824, 1288490188]> : tensor<2xi32>} : () -> tensor<2xi32>
  %shift = "ml.const"() {value = dense<[0, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %y = "ml.integer_linear"(%x, %w, %bias, %multiplier, %shift) {input_zero_point = 3 : i64, weight_zero_point = 0 : i64, output_zero_point = -5 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x4xi8>, tensor<2x4xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2xi8>
  return %y : tensor<1x2xi8>
}
// => dense<[[6, -11]]> : tensor<1x2xi8>
// -----
// ml.integer_matmul
func.func @main() -> tensor<2x1x2xi8> {
  %x = "ml.const"() {value = dense<[[[3, 5, 1]], [[7, 1, 1]]]> : tensor<2x1x3xi8>} : () -> tensor<2x1x3xi8>
  %y = "ml.const"() {value = dense<[[1, 2, 3], [-1, 0, 1]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %z = "ml.integer_matmul"(%x, %y) {transpose_y = true, a_zero_point = 1 : i64, b_zero_point = 0 : i64, output_zero_point = -5 : i64, min = -128 : i64, max = 127 : i64, multiplier = 1073741824 : i64, shift = 0 : i64} : (tensor<2x1x3xi8>, tensor<2x3xi8>) -> tensor<2x1x2xi8>
  return %z : tensor<2x1x2xi8>
}
// => dense<[[[0, -6]], [[-2, -8]]]> : tensor<2x1x2xi8>
// -----
// ml.integer_add
func.func @main() -> tensor<4xi8> {
  %a = "ml.const"() {value = dense<[1, 2, 30, -4]> : tensor<4xi8>} : () -> tensor<4xi8>
  %b = "ml.const"() {value = dense<[4, 4, 3, 127]> : tensor<4xi8>} : () -> tensor<4xi8>
  %y = "ml.integer_add"(%a, %b) {a_zero_point = 1 : i64, b_zero_point = -2 : i64, output_zero_point = 4 : i64, min = -128 : i64, max = 127 : i64, left_shift = 20 : i64, a_multiplier = 1073741824 : i64, a_shift = 0 : i64, b_multiplier = 1073741824 : i64, b_shift = -1 : i64, multiplier = 1073741824 : i64, shift = -18 : i64} : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// => dense<[7, 8, 36, 64]> : tensor<4xi8>
// -----
// ml.integer_sub
func.func @main() -> tensor<4xi8> {
  %a = "ml.const"() {value = dense<[1, 2, 30, -4]> : tensor<4xi8>} : () -> tensor<4xi8>
  %b = "ml.const"() {value = dense<[4, 4, 3, 127]> : tensor<4xi8>} : () -> tensor<4xi8>
  %y = "ml.integer_sub"(%a, %b) {a_zero_point = 1 : i64, b_zero_point = -2 : i64, output_zero_point = 4 : i64, min = -128 : i64, max = 127 : i64, left_shift = 20 : i64, a_multiplier = 1073741824 : i64, a_shift = 0 : i64, b_multiplier = 1073741824 : i64, b_shift = -1 : i64, multiplier = 1073741824 : i64, shift = -18 : i64} : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// => dense<[1, 2, 31, -66]> : tensor<4xi8>
// -----
// ml.integer_mul
func.func @main() -> tensor<4xi8> {
  %a = "ml.const"() {value = dense<[1, 2, 30, -4]> : tensor<4xi8>} : () -> tensor<4xi8>
  %b = "ml.const"() {value = dense<[4, 4, 3, 127]> : tensor<4xi8>} : () -> tensor<4xi8>
  %y = "ml.integer_mul"(%a, %b) {a_zero_point = 1 : i64, b_zero_point = -2 : i64, output_zero_point = 4 : i64, min = -128 : i64, max = 127 : i64, multiplier = 1073741824 : i64, shift = -3 : i64} : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// => dense<[4, 4, 13, -36]> : tensor<4xi8>
// -----
// ml.integer_avg_pool
func.func @main() -> tensor<1x2x1x1xi8> {
  %x = "ml.const"() {value = dense<[[[[1], [2]], [[3], [-4]]]]> : tensor<1x2x2x1xi8>} : () -> tensor<1x2x2x1xi8>
  %y = "ml.integer_avg_pool"(%x) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 1, 1>, pad = array<i64: 0, 1, 0, 0>, min = -128 : i64, max = 127 : i64, rounding = "half_away"} : (tensor<1x2x2x1xi8>) -> tensor<1x2x1x1xi8>
  return %y : tensor<1x2x1x1xi8>
}
// => dense<[[[[1]], [[-1]]]]> : tensor<1x2x1x1xi8>
// -----
// ml.integer_max_pool
func.func @main() -> tensor<1x2x1x1xi8> {
  %x = "ml.const"() {value = dense<[[[[1], [2]], [[3], [-4]]]]> : tensor<1x2x2x1xi8>} : () -> tensor<1x2x2x1xi8>
  %y = "ml.integer_max_pool"(%x) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 1, 1>, pad = array<i64: 0, 1, 0, 0>, min = -128 : i64, max = 127 : i64} : (tensor<1x2x2x1xi8>) -> tensor<1x2x1x1xi8>
  return %y : tensor<1x2x1x1xi8>
}
// => dense<[[[[3]], [[3]]]]> : tensor<1x2x1x1xi8>
// -----
// ml.integer_mean
func.func @main() -> tensor<2x1xi8> {
  %x = "ml.const"() {value = dense<[[3, 4, 5], [33, 43, 53]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %y = "ml.integer_mean"(%x) {axes = array<i64: 1>, keep_dims = true, input_zero_point = 3 : i64, output_zero_point = -5 : i64, multiplier = 1431655765 : i64, shift = -1 : i64, min = -128 : i64, max = 127 : i64} : (tensor<2x3xi8>) -> tensor<2x1xi8>
  return %y : tensor<2x1xi8>
}
// => dense<[[-4], [35]]> : tensor<2x1xi8>
// -----
// ml.integer_softmax
func.func @main() -> tensor<1x4xi8> {
  %x = "ml.const"() {value = dense<[[0, 10, 20, 10]]> : tensor<1x4xi8>} : () -> tensor<1x4xi8>
  %y = "ml.integer_softmax"(%x) {multiplier = 1073741824 : i64, shift = 24 : i64, diff_min = -124 : i64, output_zero_point = -128 : i64} : (tensor<1x4xi8>) -> tensor<1x4xi8>
  return %y : tensor<1x4xi8>
}
// => dense<[[-115, -84, 27, -84]]> : tensor<1x4xi8>
// -----
// ml.integer_rescale
func.func @main() -> tensor<4xi8> {
  %x = "ml.const"() {value = dense<[3, 103, -1000, 999]> : tensor<4xi16>} : () -> tensor<4xi16>
  %y = "ml.integer_rescale"(%x) {input_zero_point = 3 : i64, output_zero_point = -5 : i64, multiplier = 1431655765 : i64, shift = -1 : i64, min = -128 : i64, max = 127 : i64} : (tensor<4xi16>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// => dense<[-5, 29, -128, 127]> : tensor<4xi8>
// -----
// ml.integer_sigmoid
func.func @main() -> tensor<4xi16> {
  %x = "ml.const"() {value = dense<[0, 4096, -8192, 32767]> : tensor<4xi16>} : () -> tensor<4xi16>
  %y = "ml.integer_sigmoid"(%x) {multiplier = 3 : i64, shift = 0 : i64} : (tensor<4xi16>) -> tensor<4xi16>
  return %y : tensor<4xi16>
}
// => dense<[16384, 23956, 3906, 32757]> : tensor<4xi16>
// -----
// ml.integer_tanh
func.func @main() -> tensor<4xi16> {
  %x = "ml.const"() {value = dense<[0, 4096, -8192, 32767]> : tensor<4xi16>} : () -> tensor<4xi16>
  %y = "ml.integer_tanh"(%x) {multiplier = 3 : i64, shift = 0 : i64} : (tensor<4xi16>) -> tensor<4xi16>
  return %y : tensor<4xi16>
}
// => dense<[0, 24956, -31589, 32767]> : tensor<4xi16>
// -----
// ml.integer_softmax16
func.func @main() -> tensor<1x2xi16> {
  %x = "ml.const"() {value = dense<[[0, 100]]> : tensor<1x2xi16>} : () -> tensor<1x2xi16>
  %exponentials = "ml.const"() {value = dense<16384> : tensor<513xi16>} : () -> tensor<513xi16>
  %reciprocals = "ml.const"() {value = dense<32767> : tensor<513xi16>} : () -> tensor<513xi16>
  %y = "ml.integer_softmax16"(%x, %exponentials, %reciprocals) {multiplier = 1073741824 : i64, shift = 3 : i64} : (tensor<1x2xi16>, tensor<513xi16>, tensor<513xi16>) -> tensor<1x2xi16>
  return %y : tensor<1x2xi16>
}
// => dense<[[16384, 16384]]> : tensor<1x2xi16>
// -----
// ml.integer_svdf
func.func @main() -> (tensor<1x1xi8>, tensor<1x4xi16>) {
  %x = "ml.const"() {value = dense<[[5, 1]]> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
  %state = "ml.const"() {value = dense<[[10, 20, 30, 40]]> : tensor<1x4xi16>} : () -> tensor<1x4xi16>
  %features = "ml.const"() {value = dense<[[1, 2], [-3, 4]]> : tensor<2x2xi8>} : () -> tensor<2x2xi8>
  %times = "ml.const"() {value = dense<[[100, 200], [300, -100]]> : tensor<2x2xi16>} : () -> tensor<2x2xi16>
  %bias = "ml.const"() {value = dense<[1000]> : tensor<1xi32>} : () -> tensor<1xi32>
  %y:2 = "ml.integer_svdf"(%x, %state, %features, %times, %bias) {input_zero_point = 3 : i64, state_zero_point = 0 : i64, state_multiplier = 1073741824 : i64, state_shift = 4 : i64, multiplier = 1073741824 : i64, shift = -7 : i64, output_zero_point = -5 : i64, min = -128 : i64, max = 127 : i64} : (tensor<1x2xi8>, tensor<1x4xi16>, tensor<2x2xi8>, tensor<2x2xi16>, tensor<1xi32>) -> (tensor<1x1xi8>, tensor<1x4xi16>)
  return %y#0, %y#1 : tensor<1x1xi8>, tensor<1x4xi16>
}
// => dense<[[85]]> : tensor<1x1xi8>
// => dense<[[20, -16, 40, -112]]> : tensor<1x4xi16>
// -----
// ml.integer_lstm
func.func @main() -> (tensor<1x1x1xi8>, tensor<1x1xi8>, tensor<1x1xi16>) {
  %x = "ml.const"() {value = dense<[[[13]]]> : tensor<1x1x1xi8>} : () -> tensor<1x1x1xi8>
  %hidden = "ml.const"() {value = dense<[[5]]> : tensor<1x1xi8>} : () -> tensor<1x1xi8>
  %cell = "ml.const"() {value = dense<[[1000]]> : tensor<1x1xi16>} : () -> tensor<1x1xi16>
  %wi = "ml.const"() {value = dense<[[10]]> : tensor<1x1xi8>} : () -> tensor<1x1xi8>
  %wf = "ml.const"() {value = dense<[[20]]> : tensor<1x1xi8>} : () -> tensor<1x1xi8>
  %wc = "ml.const"() {value = dense<[[-30]]> : tensor<1x1xi8>} : () -> tensor<1x1xi8>
  %wo = "ml.const"() {value = dense<[[40]]> : tensor<1x1xi8>} : () -> tensor<1x1xi8>
  %ri = "ml.const"() {value = dense<[[4]]> : tensor<1x1xi8>} : () -> tensor<1x1xi8>
  %rf = "ml.const"() {value = dense<[[3]]> : tensor<1x1xi8>} : () -> tensor<1x1xi8>
  %rc = "ml.const"() {value = dense<[[2]]> : tensor<1x1xi8>} : () -> tensor<1x1xi8>
  %ro = "ml.const"() {value = dense<[[1]]> : tensor<1x1xi8>} : () -> tensor<1x1xi8>
  %bi = "ml.const"() {value = dense<[100]> : tensor<1xi32>} : () -> tensor<1xi32>
  %bf = "ml.const"() {value = dense<[200]> : tensor<1xi32>} : () -> tensor<1xi32>
  %bc = "ml.const"() {value = dense<[300]> : tensor<1xi32>} : () -> tensor<1xi32>
  %bo = "ml.const"() {value = dense<[400]> : tensor<1xi32>} : () -> tensor<1xi32>
  %multiplier = "ml.const"() {value = dense<1073741824> : tensor<8xi32>} : () -> tensor<8xi32>
  %shift = "ml.const"() {value = dense<[5, 5, 5, 5, 2, 2, 2, 2]> : tensor<8xi32>} : () -> tensor<8xi32>
  %y:3 = "ml.integer_lstm"(%x, %hidden, %cell, %wi, %wf, %wc, %wo, %ri, %rf, %rc, %ro, %bi, %bf, %bc, %bo, %multiplier, %shift) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0, 2>, time_major = false, gates = "table", input_zero_point = 3 : i64, state_zero_point = -5 : i64, cell_shift = -11 : i64, cell_limit = 0 : i64, multiplier = 1073741824 : i64, shift = -21 : i64, output_zero_point = -5 : i64, min = -128 : i64, max = 127 : i64} : (tensor<1x1x1xi8>, tensor<1x1xi8>, tensor<1x1xi16>, tensor<1x1xi8>, tensor<1x1xi8>, tensor<1x1xi8>, tensor<1x1xi8>, tensor<1x1xi8>, tensor<1x1xi8>, tensor<1x1xi8>, tensor<1x1xi8>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<8xi32>, tensor<8xi32>) -> (tensor<1x1x1xi8>, tensor<1x1xi8>, tensor<1x1xi16>)
  return %y#0, %y#1, %y#2 : tensor<1x1x1xi8>, tensor<1x1xi8>, tensor<1x1xi16>
}
// => dense<[[[91]]]> : tensor<1x1x1xi8>
// => dense<[[91]]> : tensor<1x1xi8>
// => dense<[[843]]> : tensor<1x1xi16>
// -----
// ml.lut
func.func @main() -> tensor<4xi8> {
  %x = "ml.const"() {value = dense<[0, 1, -1, 127]> : tensor<4xi8>} : () -> tensor<4xi8>
  %table = "ml.const"() {value = dense<"0xFFFEFDFCFBFAF9F8F7F6F5F4F3F2F1F0EFEEEDECEBEAE9E8E7E6E5E4E3E2E1E0DFDEDDDCDBDAD9D8D7D6D5D4D3D2D1D0CFCECDCCCBCAC9C8C7C6C5C4C3C2C1C0BFBEBDBCBBBAB9B8B7B6B5B4B3B2B1B0AFAEADACABAAA9A8A7A6A5A4A3A2A1A09F9E9D9C9B9A999897969594939291908F8E8D8C8B8A898887868584838281807F7E7D7C7B7A797877767574737271706F6E6D6C6B6A696867666564636261605F5E5D5C5B5A595857565554535251504F4E4D4C4B4A494847464544434241403F3E3D3C3B3A393837363534333231302F2E2D2C2B2A292827262524232221201F1E1D1C1B1A191817161514131211100F0E0D0C0B0A09080706050403020100"> : tensor<256xi8>} : () -> tensor<256xi8>
  %y = "ml.lut"(%x, %table) : (tensor<4xi8>, tensor<256xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// => dense<[-1, -2, 0, -128]> : tensor<4xi8>
// -----
// ml.quantize_float
func.func @main() -> tensor<4xi8> {
  %x = "ml.const"() {value = dense<[-0.75, 0.25, 0.75, 1000.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.quantize_float"(%x) {scale = 0.5 : f32, zero_point = 3 : i64, min = -128 : i64, max = 127 : i64, rounding = "even"} : (tensor<4xf32>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// => dense<[1, 3, 5, 127]> : tensor<4xi8>
// -----
// ml.dequantize_float
func.func @main() -> tensor<3xf32> {
  %x = "ml.const"() {value = dense<[3, 4, 127]> : tensor<3xi8>} : () -> tensor<3xi8>
  %y = "ml.dequantize_float"(%x) {scale = 0.5 : f32, zero_point = 3 : i64} : (tensor<3xi8>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
// => dense<[0.000000e+00, 5.000000e-01, 6.200000e+01]> : tensor<3xf32>
