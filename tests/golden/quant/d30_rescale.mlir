// Rescaling of stored values supports quantized types, any storage width, and every rounding by
// name. Upstream uses tosa.rescale: its lowering creates invalid IR for 64-bit values, does
// not accept quantized element types, and has no inexact rounding.
// RUN: quern opt %s --emit=interpret --function narrow --input 'dense<[-2147483648, -5, -3, -1, 1, 3, 5, 2147483647]> : tensor<8xi32>' | FileCheck %s --check-prefix=NARROW
// RUN: quern opt %s --emit=interpret --function wide --input 'dense<[-128, -1, 0, 127]> : tensor<4xi8>' | FileCheck %s --check-prefix=WIDE
// RUN: quern opt %s --emit=interpret --function channels --input 'dense<[[-128, 127], [6, 6]]> : tensor<2x2xi8>' | FileCheck %s --check-prefix=CHANNELS

// Halves: what is in the middle tells the roundings apart; what does not fit saturates.
// NARROW: dense<[-128, -2, -2, 0, 0, 2, 2, 127]> : tensor<8xi8>
// NARROW: dense<[-128, -3, -2, -1, 1, 2, 3, 127]> : tensor<8xi8>
// NARROW: dense<[-128, -2, -1, 0, 0, 1, 2, 127]> : tensor<8xi8>
// NARROW: dense<[-128, -3, -2, -1, 0, 1, 2, 127]> : tensor<8xi8>
!acc = !quant.uniform<i32:f32, 0.5>
!q = !quant.uniform<i8:f32, 1.0>
func.func @narrow(%x: tensor<8xi32>) -> (tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>) {
  %a = quant.scast %x : tensor<8xi32> to tensor<8x!acc>
  %0 = "ml.reexpress"(%a) {mode = "checked", rounding = "even", overflow = "saturate"} : (tensor<8x!acc>) -> tensor<8x!q>
  %1 = "ml.reexpress"(%a) {mode = "checked", rounding = "away", overflow = "saturate"} : (tensor<8x!acc>) -> tensor<8x!q>
  %2 = "ml.reexpress"(%a) {mode = "checked", rounding = "toward-zero", overflow = "saturate"} : (tensor<8x!acc>) -> tensor<8x!q>
  %3 = "ml.reexpress"(%a) {mode = "checked", rounding = "floor", overflow = "saturate"} : (tensor<8x!acc>) -> tensor<8x!q>
  %4 = quant.scast %0 : tensor<8x!q> to tensor<8xi8>
  %5 = quant.scast %1 : tensor<8x!q> to tensor<8xi8>
  %6 = quant.scast %2 : tensor<8x!q> to tensor<8xi8>
  %7 = quant.scast %3 : tensor<8x!q> to tensor<8xi8>
  return %4, %5, %6, %7 : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>
}

// The result has the whole 32-bit range, which needs a 64-bit product.
// WIDE: dense<[-2147483648, -16777216, 0, 2130706432]> : tensor<4xi32>
!fine = !quant.uniform<i32:f32, 5.9604644775390625e-08>
func.func @wide(%x: tensor<4xi8>) -> tensor<4xi32> {
  %a = quant.scast %x : tensor<4xi8> to tensor<4x!q>
  %0 = "ml.reexpress"(%a) {mode = "exact"} : (tensor<4x!q>) -> tensor<4x!fine>
  %1 = quant.scast %0 : tensor<4x!fine> to tensor<4xi32>
  return %1 : tensor<4xi32>
}

// One multiplier per channel, signed to unsigned (printed with the bits of i8).
// CHANNELS: dense<{{\[\[}}0, -64], [-122, -125]]> : tensor<2x2xi8>
!axis = !quant.uniform<u8:f32:1, {1.0:128, 2.0:128}>
func.func @channels(%x: tensor<2x2xi8>) -> tensor<2x2xi8> {
  %a = quant.scast %x : tensor<2x2xi8> to tensor<2x2x!q>
  %0 = "ml.reexpress"(%a) {mode = "checked", rounding = "even", overflow = "saturate"} : (tensor<2x2x!q>) -> tensor<2x2x!axis>
  %1 = quant.scast %0 : tensor<2x2x!axis> to tensor<2x2xi8>
  return %1 : tensor<2x2xi8>
}
