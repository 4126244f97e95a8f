// D11: in upstream, storage "ui8" is another type than "u8": no integer can be cast to it and it
// has no lowering. Both mean bytes from 0 to 255.
//
// CALL @cast dense<[0, 127, 200, 255]> : tensor<4xi32> -> tensor<4xf32>
// | upstream    error: storage type in quantized type expected to match integer type
// | ours        -100 -36.5 0 27.5
// | definition  -100 -36.5 0 27.5

!q = !quant.uniform<ui8:f32, 0.5:200>
func.func @cast(%x: tensor<4xi32>) -> tensor<4xf32> {
  %0 = arith.trunci %x : tensor<4xi32> to tensor<4xi8>
  %1 = quant.scast %0 : tensor<4xi8> to tensor<4x!q>
  %2 = quant.dcast %1 : tensor<4x!q> to tensor<4xf32>
  return %2 : tensor<4xf32>
}
// -----
// (x - 200) * 0.5
func.func @cast(%x: tensor<4xi32>) -> tensor<4xf32> {
  %zero_point = arith.constant dense<200> : tensor<4xi32>
  %scale = arith.constant dense<0.5> : tensor<4xf32>
  %0 = arith.subi %x, %zero_point : tensor<4xi32>
  %1 = arith.sitofp %0 : tensor<4xi32> to tensor<4xf32>
  %2 = arith.mulf %1, %scale : tensor<4xf32>
  return %2 : tensor<4xf32>
}
