!q = !quant.uniform<u8:f32, 0.5:3>
!r = !quant.uniform<u8:f32, 0.25:3>
func.func @f(%x: tensor<4x!q>) -> (tensor<4x!q>, tensor<4x!r>) {
  %0 = quant.dcast %x : tensor<4x!q> to tensor<4xf32>
  %1 = quant.qcast %0 : tensor<4xf32> to tensor<4x!q>
  %2 = quant.qcast %0 : tensor<4xf32> to tensor<4x!r>
  return %1, %2 : tensor<4x!q>, tensor<4x!r>
}
