// D10: upstream truncates a block's zero point that the storage type can't hold: 300 becomes
// 44, and every number is off by 256 * 0.5. Such a type is invalid and is rejected.
//
// CALL @cast dense<[44, 45, -128, 127]> : tensor<4xi32> -> tensor<4xf32>
// | upstream    0 0.5 -86 41.5
// | ours        error: zero point 300 out of storage type range [-128, 127]
// | definition  -128 -127.5 -214 -86.5

!q = !quant.uniform<i8:f32:{0:4}, {0.5:300}>
func.func @cast(%x: tensor<4xi32>) -> tensor<4xf32> {
  %0 = arith.trunci %x : tensor<4xi32> to tensor<4xi8>
  %1 = quant.scast %0 : tensor<4xi8> to tensor<4x!q>
  %2 = quant.dcast %1 : tensor<4x!q> to tensor<4xf32>
  return %2 : tensor<4xf32>
}
// -----
// (x - 300) * 0.5
func.func @cast(%x: tensor<4xi32>) -> tensor<4xf32> {
  %zero_point = arith.constant dense<300> : tensor<4xi32>
  %scale = arith.constant dense<0.5> : tensor<4xf32>
  %0 = arith.subi %x, %zero_point : tensor<4xi32>
  %1 = arith.sitofp %0 : tensor<4xi32> to tensor<4xf32>
  %2 = arith.mulf %1, %scale : tensor<4xf32>
  return %2 : tensor<4xf32>
}
