// D2, D4: upstream converts a value beyond the storage range although LLVM's conversion is undefined
// there: 300 gave 44 or 0, depending on the optimization level. The nearest stored value,
// the end of the range, is right.
//
// CALL-UNDEFINED @signed dense<[127.4, 127.6, 300.0, -128.6, -300.0, 3.0e+38]> : tensor<6xf32> -> tensor<6xi32>
// | upstream    undefined
// | ours        127 127 127 -128 -128 127
// | definition  127 127 127 -128 -128 127
//
// CALL-UNDEFINED @unsigned dense<[-0.4, -5.0, 55.4, 55.6, 300.0, -3.0e+38]> : tensor<6xf32> -> tensor<6xi32>
// | upstream    undefined
// | ours        200 195 255 255 255 0
// | definition  200 195 255 255 255 0

!s = !quant.uniform<i8:f32, 1.0>
func.func @signed(%x: tensor<6xf32>) -> tensor<6xi32> {
  %0 = quant.qcast %x : tensor<6xf32> to tensor<6x!s>
  %1 = quant.scast %0 : tensor<6x!s> to tensor<6xi8>
  %2 = arith.extsi %1 : tensor<6xi8> to tensor<6xi32>
  return %2 : tensor<6xi32>
}
!u = !quant.uniform<u8:f32, 1.0:200>
func.func @unsigned(%x: tensor<6xf32>) -> tensor<6xi32> {
  %0 = quant.qcast %x : tensor<6xf32> to tensor<6x!u>
  %1 = quant.scast %0 : tensor<6x!u> to tensor<6xi8>
  %2 = arith.extui %1 : tensor<6xi8> to tensor<6xi32>
  return %2 : tensor<6xi32>
}
// -----
// clamp(round(x / 1) + zero point, min, max), before the conversion
func.func @signed(%x: tensor<6xf32>) -> tensor<6xi32> {
  %least = arith.constant dense<-128.0> : tensor<6xf32>
  %most = arith.constant dense<127.0> : tensor<6xf32>
  %0 = math.roundeven %x : tensor<6xf32>
  %1 = arith.maximumf %0, %least : tensor<6xf32>
  %2 = arith.minimumf %1, %most : tensor<6xf32>
  %3 = arith.fptosi %2 : tensor<6xf32> to tensor<6xi32>
  return %3 : tensor<6xi32>
}
func.func @unsigned(%x: tensor<6xf32>) -> tensor<6xi32> {
  %zero_point = arith.constant dense<200.0> : tensor<6xf32>
  %least = arith.constant dense<0.0> : tensor<6xf32>
  %most = arith.constant dense<255.0> : tensor<6xf32>
  %0 = math.roundeven %x : tensor<6xf32>
  %1 = arith.addf %0, %zero_point : tensor<6xf32>
  %2 = arith.maximumf %1, %least : tensor<6xf32>
  %3 = arith.minimumf %2, %most : tensor<6xf32>
  %4 = arith.fptosi %3 : tensor<6xf32> to tensor<6xi32>
  return %4 : tensor<6xi32>
}
