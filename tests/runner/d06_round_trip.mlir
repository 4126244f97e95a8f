// D6: upstream's dequantize and quantize does not return the stored value: the quotient is
// slightly too small and is truncated. Rounding to nearest returns every stored value. (If the casts
// were adjacent in one function, upstream would fold them away and the result would depend on their
// position: here a product with 1 separates them.)
//
// CALL @cast dense<[15, 29, 30, 55, 120, -15, -125, 16]> : tensor<8xi32> -> tensor<8xi32>
// | upstream    14 29 29 54 119 -14 -124 16
// | ours        15 29 30 55 120 -15 -125 16
// | definition  15 29 30 55 120 -15 -125 16

!q = !quant.uniform<i8:f32, 0.3>
func.func @cast(%x: tensor<8xi32>) -> tensor<8xi32> {
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %0 = arith.trunci %x : tensor<8xi32> to tensor<8xi8>
  %1 = quant.scast %0 : tensor<8xi8> to tensor<8x!q>
  %2 = quant.dcast %1 : tensor<8x!q> to tensor<8xf32>
  %3 = arith.mulf %2, %one : tensor<8xf32>
  %4 = quant.qcast %3 : tensor<8xf32> to tensor<8x!q>
  %5 = quant.scast %4 : tensor<8x!q> to tensor<8xi8>
  %6 = arith.extsi %5 : tensor<8xi8> to tensor<8xi32>
  return %6 : tensor<8xi32>
}
// -----
// x * 0.3 / 0.3
func.func @cast(%x: tensor<8xi32>) -> tensor<8xi32> {
  return %x : tensor<8xi32>
}
