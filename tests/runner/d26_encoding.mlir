// D26: upstream's lowering drops a tensor's encoding on the tensors it creates. Here every tensor
// has it, and the numbers are round(x / 0.5) + 10, as without encoding.
//
// CALL @cast dense<[1.0, -2.0, 0.75]> : tensor<3xf32, "e"> -> tensor<3xi32, "e">
// | upstream    error: 'arith.divf' op requires the same encoding for all operands and results
// | ours        12 6 12
// | definition  none

!q = !quant.uniform<i8:f32, 0.5:10>
func.func @cast(%x: tensor<3xf32, "e">) -> tensor<3xi32, "e"> {
  %0 = quant.qcast %x : tensor<3xf32, "e"> to tensor<3x!q, "e">
  %1 = quant.scast %0 : tensor<3x!q, "e"> to tensor<3xi8, "e">
  %2 = arith.extsi %1 : tensor<3xi8, "e"> to tensor<3xi32, "e">
  return %2 : tensor<3xi32, "e">
}
// -----
