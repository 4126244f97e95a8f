// D8: normalize-quant-types turns scales per block into scales per channel without checking the
// block size: two scales for four elements. Only blocks of one element are channels.
//
// PASSES: normalize-quant-types
// CALL @cast dense<[10, 20, 30, 40]> : tensor<4xi32> -> tensor<4xf32>
// | upstream    error: quantized dimension size does not match number of scales
// | ours        20 40 90 120
// | definition  20 40 90 120

!q = !quant.uniform<i8:f32:{0:2}, {2.0, 3.0}>
func.func @cast(%x: tensor<4xi32>) -> tensor<4xf32> {
  %0 = arith.trunci %x : tensor<4xi32> to tensor<4xi8>
  %1 = quant.scast %0 : tensor<4xi8> to tensor<4x!q>
  %2 = quant.dcast %1 : tensor<4x!q> to tensor<4xf32>
  return %2 : tensor<4xf32>
}
// -----
// element i has scale i / 2
func.func @cast(%x: tensor<4xi32>) -> tensor<4xf32> {
  %scales = arith.constant dense<[2.0, 2.0, 3.0, 3.0]> : tensor<4xf32>
  %0 = arith.sitofp %x : tensor<4xi32> to tensor<4xf32>
  %1 = arith.mulf %0, %scales : tensor<4xf32>
  return %1 : tensor<4xf32>
}
