!q = !quant.uniform<i8:f32, 1.0:10>
func.func @main(%x: tensor<8xf32>) -> tensor<8x!q> {
  %q = quant.qcast %x : tensor<8xf32> to tensor<8x!q>
  return %q : tensor<8x!q>
}
