// No quantized type is left in signatures, calls, constants and casts. Data movement stays.
// A pad states the stored value it fills with; float casts become ops with scale and zero point.
// RUN: %opt --pass lower-to-integer %s | FileCheck %s --match-full-lines --strict-whitespace
module {
  func.func private @tail(%x: tensor<4x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<u8:f32, 0.5:3>> {
    %y = "ml.reshape"(%x) : (tensor<4x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<u8:f32, 0.5:3>>
    return %y : tensor<2x2x!quant.uniform<u8:f32, 0.5:3>>
  }
  func.func @main(%f: tensor<2xf32> {quern.name = "f"}, %s: tensor<2xi8>) -> (tensor<2x2xf32> {quern.name = "g"}) {
    %q = quant.qcast %f : tensor<2xf32> to tensor<2x!quant.uniform<u8:f32, 0.5:3>>
    %p = "ml.pad"(%q) {pad = array<i64: 1, 0>, quern.tensors = array<i64: 8>} : (tensor<2x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<u8:f32, 0.5:3>>
    %c = "ml.const"() {value = dense<200> : tensor<1xui8>} : () -> tensor<1x!quant.uniform<u8:f32, 0.5:3>>
    %j = "ml.concat"(%p, %c) {axis = 0 : i64} : (tensor<3x!quant.uniform<u8:f32, 0.5:3>>, tensor<1x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<u8:f32, 0.5:3>>
    %t = func.call @tail(%j) : (tensor<4x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<u8:f32, 0.5:3>>
    %i = quant.scast %s : tensor<2xi8> to tensor<2x!quant.uniform<i8:f32, 0.5>>
    %k = quant.scast %i : tensor<2x!quant.uniform<i8:f32, 0.5>> to tensor<2xi8>
    %g = quant.dcast %t : tensor<2x2x!quant.uniform<u8:f32, 0.5:3>> to tensor<2x2xf32>
    return %g : tensor<2x2xf32>
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func private @tail(%arg0: tensor<4xui8> {quern.scale = 5.000000e-01 : f64, quern.zero_point = 3 : i64}) -> (tensor<2x2xui8> {quern.scale = 5.000000e-01 : f64, quern.zero_point = 3 : i64}) {
// CHECK-NEXT:    %0 = "ml.reshape"(%arg0) : (tensor<4xui8>) -> tensor<2x2xui8>
// CHECK-NEXT:    return %0 : tensor<2x2xui8>
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @main(%arg0: tensor<2xf32> {quern.name = "f"}, %arg1: tensor<2xi8>) -> (tensor<2x2xf32> {quern.name = "g"}) {
// CHECK-NEXT:    %0 = "ml.quantize_float"(%arg0) {max = 255 : i64, min = 0 : i64, rounding = "even", scale = 5.000000e-01 : f32, zero_point = 3 : i64} : (tensor<2xf32>) -> tensor<2xui8>
// CHECK-NEXT:    %1 = "ml.pad"(%0) {pad = array<i64: 1, 0>, quern.tensors = array<i64: 8>, value = 3 : i64} : (tensor<2xui8>) -> tensor<3xui8>
// CHECK-NEXT:    %2 = "ml.const"() {value = dense<200> : tensor<1xui8>} : () -> tensor<1xui8>
// CHECK-NEXT:    %3 = "ml.concat"(%1, %2) {axis = 0 : i64} : (tensor<3xui8>, tensor<1xui8>) -> tensor<4xui8>
// CHECK-NEXT:    %4 = call @tail(%3) : (tensor<4xui8>) -> tensor<2x2xui8>
// CHECK-NEXT:    %5 = "ml.dequantize_float"(%4) {scale = 5.000000e-01 : f32, zero_point = 3 : i64} : (tensor<2x2xui8>) -> tensor<2x2xf32>
// CHECK-NEXT:    return %5 : tensor<2x2xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
