// D5: LLVM's conversion of NaN and infinities is undefined. Here an infinity becomes the nearest end of
// the range, and NaN becomes the stored value of 0.0.
//
// CALL-UNDEFINED @cast dense<[0x7FC00000, 0xFFC00000, 0x7F800000, 0xFF800000]> : tensor<4xf32> -> tensor<4xi32>
// | upstream    undefined
// | ours        10 10 127 -128
// | definition  10 10 127 -128

!q = !quant.uniform<i8:f32, 0.5:10>
func.func @cast(%x: tensor<4xf32>) -> tensor<4xi32> {
  %0 = quant.qcast %x : tensor<4xf32> to tensor<4x!q>
  %1 = quant.scast %0 : tensor<4x!q> to tensor<4xi8>
  %2 = arith.extsi %1 : tensor<4xi8> to tensor<4xi32>
  return %2 : tensor<4xi32>
}
// -----
// NaN counts as 0; then clamp(round(x / 0.5) + 10, -128, 127)
func.func @cast(%x: tensor<4xf32>) -> tensor<4xi32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %scale = arith.constant dense<0.5> : tensor<4xf32>
  %zero_point = arith.constant dense<10.0> : tensor<4xf32>
  %least = arith.constant dense<-128.0> : tensor<4xf32>
  %most = arith.constant dense<127.0> : tensor<4xf32>
  %0 = arith.cmpf uno, %x, %x : tensor<4xf32>
  %1 = arith.select %0, %zero, %x : tensor<4xi1>, tensor<4xf32>
  %2 = arith.divf %1, %scale : tensor<4xf32>
  %3 = math.roundeven %2 : tensor<4xf32>
  %4 = arith.addf %3, %zero_point : tensor<4xf32>
  %5 = arith.maximumf %4, %least : tensor<4xf32>
  %6 = arith.minimumf %5, %most : tensor<4xf32>
  %7 = arith.fptosi %6 : tensor<4xf32> to tensor<4xi32>
  return %7 : tensor<4xi32>
}
