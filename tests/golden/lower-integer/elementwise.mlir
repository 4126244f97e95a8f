// Additions, products, pools and means with explicit integer parameters.
// RUN: %opt --pass lower-to-integer %s | FileCheck %s --match-full-lines --strict-whitespace
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%a: tensor<1x4x4x2x!quant.uniform<u8:f32, 0.5:100>>, %b: tensor<2x!quant.uniform<u8:f32, 0.25:7>>) -> (tensor<1x2x2x2x!quant.uniform<u8:f32, 0.5:100>>, tensor<1x2x!quant.uniform<u8:f32, 0.25>>) {
    %0 = "ml.add"(%a, %b) {activation = "relu"} : (tensor<1x4x4x2x!quant.uniform<u8:f32, 0.5:100>>, tensor<2x!quant.uniform<u8:f32, 0.25:7>>) -> tensor<1x4x4x2x!quant.uniform<u8:f32, 0.5:100>>
    %1 = "ml.sub"(%0, %b) : (tensor<1x4x4x2x!quant.uniform<u8:f32, 0.5:100>>, tensor<2x!quant.uniform<u8:f32, 0.25:7>>) -> tensor<1x4x4x2x!quant.uniform<u8:f32, 0.5:100>>
    %2 = "ml.mul"(%1, %b) {activation = "none"} : (tensor<1x4x4x2x!quant.uniform<u8:f32, 0.5:100>>, tensor<2x!quant.uniform<u8:f32, 0.25:7>>) -> tensor<1x4x4x2x!quant.uniform<u8:f32, 0.5:100>>
    %3 = "ml.avg_pool"(%2) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x2x!quant.uniform<u8:f32, 0.5:100>>) -> tensor<1x2x2x2x!quant.uniform<u8:f32, 0.5:100>>
    %4 = "ml.max_pool"(%3) {kernel_sizes = array<i64: 1, 1>, strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, activation = "relu6"} : (tensor<1x2x2x2x!quant.uniform<u8:f32, 0.5:100>>) -> tensor<1x2x2x2x!quant.uniform<u8:f32, 0.5:100>>
    %5 = "ml.reduce_mean"(%4) {axes = array<i64: 1, 2>, keep_dims = false} : (tensor<1x2x2x2x!quant.uniform<u8:f32, 0.5:100>>) -> tensor<1x2x!quant.uniform<u8:f32, 0.25>>
    return %4, %5 : tensor<1x2x2x2x!quant.uniform<u8:f32, 0.5:100>>, tensor<1x2x!quant.uniform<u8:f32, 0.25>>
  }
}

// CHECK:module attributes {quern.numerics = "litert-ref"} {
// CHECK-NEXT:  func.func @main(%arg0: tensor<1x4x4x2xui8> {quern.scale = 5.000000e-01 : f64, quern.zero_point = 100 : i64}, %arg1: tensor<2xui8> {quern.scale = 2.500000e-01 : f64, quern.zero_point = 7 : i64}) -> (tensor<1x2x2x2xui8> {quern.scale = 5.000000e-01 : f64, quern.zero_point = 100 : i64}, tensor<1x2xui8> {quern.scale = 2.500000e-01 : f64, quern.zero_point = 0 : i64}) {
// CHECK-NEXT:    %0 = "ml.integer_add"(%arg0, %arg1) {a_multiplier = 1073741824 : i64, a_shift = 0 : i64, a_zero_point = 100 : i64, b_multiplier = 1073741824 : i64, b_shift = -1 : i64, b_zero_point = 7 : i64, left_shift = 20 : i64, max = 255 : i64, min = 100 : i64, multiplier = 1073741824 : i64, output_zero_point = 100 : i64, shift = -18 : i64} : (tensor<1x4x4x2xui8>, tensor<2xui8>) -> tensor<1x4x4x2xui8>
// CHECK-NEXT:    %1 = "ml.integer_sub"(%0, %arg1) {a_multiplier = 1073741824 : i64, a_shift = 0 : i64, a_zero_point = 100 : i64, b_multiplier = 1073741824 : i64, b_shift = -1 : i64, b_zero_point = 7 : i64, left_shift = 20 : i64, max = 255 : i64, min = 0 : i64, multiplier = 1073741824 : i64, output_zero_point = 100 : i64, shift = -18 : i64} : (tensor<1x4x4x2xui8>, tensor<2xui8>) -> tensor<1x4x4x2xui8>
// CHECK-NEXT:    %2 = "ml.integer_mul"(%1, %arg1) {a_zero_point = 100 : i64, b_zero_point = 7 : i64, max = 255 : i64, min = 0 : i64, multiplier = 1073741824 : i64, output_zero_point = 100 : i64, shift = -1 : i64} : (tensor<1x4x4x2xui8>, tensor<2xui8>) -> tensor<1x4x4x2xui8>
// CHECK-NEXT:    %3 = "ml.integer_avg_pool"(%2) {kernel_sizes = array<i64: 2, 2>, max = 255 : i64, min = 0 : i64, pad = array<i64: 0, 0, 0, 0>, rounding = "half_up", strides = array<i64: 2, 2>} : (tensor<1x4x4x2xui8>) -> tensor<1x2x2x2xui8>
// CHECK-NEXT:    %4 = "ml.integer_max_pool"(%3) {kernel_sizes = array<i64: 1, 1>, max = 112 : i64, min = 100 : i64, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x2x2x2xui8>) -> tensor<1x2x2x2xui8>
// CHECK-NEXT:    %5 = "ml.integer_mean"(%4) {axes = array<i64: 1, 2>, input_zero_point = 100 : i64, keep_dims = false, max = 255 : i64, min = 0 : i64, multiplier = 1073741824 : i64, output_zero_point = 0 : i64, shift = 0 : i64} : (tensor<1x2x2x2xui8>) -> tensor<1x2xui8>
// CHECK-NEXT:    return %4, %5 : tensor<1x2x2x2xui8>, tensor<1x2xui8>
// CHECK-NEXT:  }
// CHECK-NEXT:}
