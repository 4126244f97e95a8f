// D17: upstream reads a nested list of scales for one axis as one list. An axis has a flat list: two
// levels suggest that blocks were meant, so the type is rejected.
//
// CALL @cast dense<[1, 1, 1, 1]> : tensor<4xi32> -> tensor<4xf32>
// | upstream    1 2 3 4
// | ours        error: per-axis scales are a flat list
// | definition  none

!q = !quant.uniform<i8:f32:0, {{1.0, 2.0}, {3.0, 4.0}}>
func.func @cast(%x: tensor<4xi32>) -> tensor<4xf32> {
  %0 = arith.trunci %x : tensor<4xi32> to tensor<4xi8>
  %1 = quant.scast %0 : tensor<4xi8> to tensor<4x!q>
  %2 = quant.dcast %1 : tensor<4x!q> to tensor<4xf32>
  return %2 : tensor<4xf32>
}
// -----
