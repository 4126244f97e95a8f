// D1: upstream's cast to integers does not round, so qcast truncates. The nearest
// stored value, ties to even, is right: it halves the error, and truncation has a bias toward zero.
//
// CALL @cast dense<[1.9, -1.9, 0.75, 2.5, 3.5, -0.5]> : tensor<6xf32> -> tensor<6xi32>
// | upstream    1 -1 0 2 3 0
// | ours        2 -2 1 2 4 0
// | definition  2 -2 1 2 4 0
//
// CALL @with_zero_point dense<[1.9, -1.9, 0.75, 2.5, 3.5, -0.5]> : tensor<6xf32> -> tensor<6xi32>
// | upstream    11 8 10 12 13 9
// | ours        12 8 11 12 14 10
// | definition  12 8 11 12 14 10

!q = !quant.uniform<i8:f32, 1.0>
func.func @cast(%x: tensor<6xf32>) -> tensor<6xi32> {
  %0 = quant.qcast %x : tensor<6xf32> to tensor<6x!q>
  %1 = quant.scast %0 : tensor<6x!q> to tensor<6xi8>
  %2 = arith.extsi %1 : tensor<6xi8> to tensor<6xi32>
  return %2 : tensor<6xi32>
}
!z = !quant.uniform<i8:f32, 1.0:10>
func.func @with_zero_point(%x: tensor<6xf32>) -> tensor<6xi32> {
  %0 = quant.qcast %x : tensor<6xf32> to tensor<6x!z>
  %1 = quant.scast %0 : tensor<6x!z> to tensor<6xi8>
  %2 = arith.extsi %1 : tensor<6xi8> to tensor<6xi32>
  return %2 : tensor<6xi32>
}
// -----
// round(x / 1) + zero point
func.func @cast(%x: tensor<6xf32>) -> tensor<6xi32> {
  %0 = math.roundeven %x : tensor<6xf32>
  %1 = arith.fptosi %0 : tensor<6xf32> to tensor<6xi32>
  return %1 : tensor<6xi32>
}
func.func @with_zero_point(%x: tensor<6xf32>) -> tensor<6xi32> {
  %zero_point = arith.constant dense<10> : tensor<6xi32>
  %0 = math.roundeven %x : tensor<6xf32>
  %1 = arith.fptosi %0 : tensor<6xf32> to tensor<6xi32>
  %2 = arith.addi %1, %zero_point : tensor<6xi32>
  return %2 : tensor<6xi32>
}
