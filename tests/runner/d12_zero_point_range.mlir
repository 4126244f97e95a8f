// D12: upstream does not check zero points and lowers their low bits: 256 becomes 0. Such a type has
// no stored value for 0.0 and is rejected.
//
// CALL @cast dense<[0, 1, -128, 127]> : tensor<4xi32> -> tensor<4xf32>
// | upstream    0 0.5 -64 63.5
// | ours        error: 'quant.dcast' op zero point 256 out of storage type range [-128, 127]
// | definition  -128 -127.5 -192 -64.5

!q = !quant.uniform<i8:f32, 0.5:256>
func.func @cast(%x: tensor<4xi32>) -> tensor<4xf32> {
  %0 = arith.trunci %x : tensor<4xi32> to tensor<4xi8>
  %1 = quant.scast %0 : tensor<4xi8> to tensor<4x!q>
  %2 = quant.dcast %1 : tensor<4x!q> to tensor<4xf32>
  return %2 : tensor<4xf32>
}
// -----
// (x - 256) * 0.5
func.func @cast(%x: tensor<4xi32>) -> tensor<4xf32> {
  %zero_point = arith.constant dense<256> : tensor<4xi32>
  %scale = arith.constant dense<0.5> : tensor<4xf32>
  %0 = arith.subi %x, %zero_point : tensor<4xi32>
  %1 = arith.sitofp %0 : tensor<4xi32> to tensor<4xf32>
  %2 = arith.mulf %1, %scale : tensor<4xf32>
  return %2 : tensor<4xf32>
}
