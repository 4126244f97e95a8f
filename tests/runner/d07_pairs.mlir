// D7: upstream treats dcast(qcast(x)) as x. It is the nearest number that the type can store: rounded,
// and clamped to its range.
//
// CALL @pair dense<[1.3, -0.2, 2.6, 127.0, 1000.0, -1.0e+30]> : tensor<6xf32> -> tensor<6xf32>
// | upstream    1.3 -0.2 2.6 127 1000 -1e+30
// | ours        1.5 0 2.5 63.5 63.5 -64
// | definition  1.5 0 2.5 63.5 63.5 -64

!q = !quant.uniform<i8:f32, 0.5>
func.func @pair(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = quant.qcast %x : tensor<6xf32> to tensor<6x!q>
  %1 = quant.dcast %0 : tensor<6x!q> to tensor<6xf32>
  return %1 : tensor<6xf32>
}
// -----
// clamp(round(x / 0.5), -128, 127) * 0.5
func.func @pair(%x: tensor<6xf32>) -> tensor<6xf32> {
  %scale = arith.constant dense<0.5> : tensor<6xf32>
  %least = arith.constant dense<-128.0> : tensor<6xf32>
  %most = arith.constant dense<127.0> : tensor<6xf32>
  %zero = arith.constant dense<0.0> : tensor<6xf32>
  %0 = arith.divf %x, %scale : tensor<6xf32>
  %1 = math.roundeven %0 : tensor<6xf32>
  %2 = arith.maximumf %1, %least : tensor<6xf32>
  %3 = arith.minimumf %2, %most : tensor<6xf32>
  %4 = arith.addf %3, %zero : tensor<6xf32>
  %5 = arith.mulf %4, %scale : tensor<6xf32>
  return %5 : tensor<6xf32>
}
