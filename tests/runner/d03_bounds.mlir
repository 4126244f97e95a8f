// D3: upstream applies explicit bounds to the converted integer, too late: a value out of the type's
// range is already undefined. If the clamp comes before the conversion, every value is defined.
//
// CALL-UNDEFINED @cast dense<[7.4, 8.0, 258.0, 300.0, -9.0, -1000.0]> : tensor<6xf32> -> tensor<6xi32>
// | upstream    undefined
// | ours        7 7 7 7 -8 -8
// | definition  7 7 7 7 -8 -8
//
// Inside of the type's range both are right.
// CALL @inside dense<[7.0, 8.0, 100.0, 127.0, -9.0, -128.0]> : tensor<6xf32> -> tensor<6xi32>
// | upstream    7 7 7 7 -8 -8
// | ours        7 7 7 7 -8 -8
// | definition  7 7 7 7 -8 -8

!q = !quant.uniform<i8<-8:7>:f32, 1.0>
func.func @cast(%x: tensor<6xf32>) -> tensor<6xi32> {
  %0 = quant.qcast %x : tensor<6xf32> to tensor<6x!q>
  %1 = quant.scast %0 : tensor<6x!q> to tensor<6xi8>
  %2 = arith.extsi %1 : tensor<6xi8> to tensor<6xi32>
  return %2 : tensor<6xi32>
}
func.func @inside(%x: tensor<6xf32>) -> tensor<6xi32> {
  %0 = quant.qcast %x : tensor<6xf32> to tensor<6x!q>
  %1 = quant.scast %0 : tensor<6x!q> to tensor<6xi8>
  %2 = arith.extsi %1 : tensor<6xi8> to tensor<6xi32>
  return %2 : tensor<6xi32>
}
// -----
// clamp(round(x / 1), -8, 7)
func.func @cast(%x: tensor<6xf32>) -> tensor<6xi32> {
  %least = arith.constant dense<-8.0> : tensor<6xf32>
  %most = arith.constant dense<7.0> : tensor<6xf32>
  %0 = math.roundeven %x : tensor<6xf32>
  %1 = arith.maximumf %0, %least : tensor<6xf32>
  %2 = arith.minimumf %1, %most : tensor<6xf32>
  %3 = arith.fptosi %2 : tensor<6xf32> to tensor<6xi32>
  return %3 : tensor<6xi32>
}
func.func @inside(%x: tensor<6xf32>) -> tensor<6xi32> {
  %0 = func.call @cast(%x) : (tensor<6xf32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}
