// D28: upstream has no constants of quantized types except strings, which nothing lowers. Here they are
// written as stored values.
//
// CALL @add dense<[0.25, 0.5]> : tensor<2xf32> -> tensor<2xf32>
// | upstream    error: expected string token, got 10
// | ours        0.25 95.5
// | definition  0.25 95.5

!q = !quant.uniform<u8:f32, 0.5:10>
func.func @add(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.constant dense<[10, 200]> : tensor<2x!q>
  %1 = quant.dcast %0 : tensor<2x!q> to tensor<2xf32>
  %2 = arith.addf %x, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
// -----
// x + ([10, 200] - 10) * 0.5
func.func @add(%x: tensor<2xf32>) -> tensor<2xf32> {
  %stored = arith.constant dense<[10, 200]> : tensor<2xi32>
  %zero_point = arith.constant dense<10> : tensor<2xi32>
  %scale = arith.constant dense<0.5> : tensor<2xf32>
  %0 = arith.subi %stored, %zero_point : tensor<2xi32>
  %1 = arith.sitofp %0 : tensor<2xi32> to tensor<2xf32>
  %2 = arith.mulf %1, %scale : tensor<2xf32>
  %3 = arith.addf %x, %2 : tensor<2xf32>
  return %3 : tensor<2xf32>
}
