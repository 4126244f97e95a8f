!q = !quant.uniform<i8:f32, 0.5:3>
module attributes {quern.numerics = "litert-ref"} {
func.func @f(%x: tensor<1x6x2x1x!q>) -> tensor<1x6x2x1x!q> {
  %0 = "ml.max_pool"(%x) {kernel_sizes = array<i64: 3, 1>, strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 0, 0>} : (tensor<1x6x2x1x!q>) -> tensor<1x6x2x1x!q>
  return %0 : tensor<1x6x2x1x!q>
}
}
