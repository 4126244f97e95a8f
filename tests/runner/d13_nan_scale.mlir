// D13: upstream's range check accepts a scale of NaN, and the casts give NaN for
// everything. A scale must be a positive number: the type is rejected.
//
// CALL @cast dense<[0, 1, 2]> : tensor<3xi32> -> tensor<3xf32>
// | upstream    nan nan nan
// | ours        error: scale nan out of expressed type range [1.401298e-45, 3.402823e+38]
// | definition  nan nan nan

!q = !quant.uniform<i8:f32, 0x7FF8000000000000>
func.func @cast(%x: tensor<3xi32>) -> tensor<3xf32> {
  %0 = arith.trunci %x : tensor<3xi32> to tensor<3xi8>
  %1 = quant.scast %0 : tensor<3xi8> to tensor<3x!q>
  %2 = quant.dcast %1 : tensor<3x!q> to tensor<3xf32>
  return %2 : tensor<3xf32>
}
// -----
// x * NaN
func.func @cast(%x: tensor<3xi32>) -> tensor<3xf32> {
  %scale = arith.constant dense<0x7FC00000> : tensor<3xf32>
  %0 = arith.sitofp %x : tensor<3xi32> to tensor<3xf32>
  %1 = arith.mulf %0, %scale : tensor<3xf32>
  return %1 : tensor<3xf32>
}
