// Casts are inlined with their functions; the result is canonical, as upstream's inliner leaves it.
// SAME: --inline --canonicalize
!q = !quant.uniform<i8:f32, 0.5:3>
!axis = !quant.uniform<u8:f32:1, {0.5:3, 0.25:4}>
func.func @quantize(%x: tensor<?x2xf32>) -> tensor<?x2x!axis> {
  %0 = quant.qcast %x : tensor<?x2xf32> to tensor<?x2x!axis>
  return %0 : tensor<?x2x!axis>
}
func.func @dequantize(%x: tensor<?x2x!axis>) -> tensor<?x2xf32> {
  %0 = quant.dcast %x : tensor<?x2x!axis> to tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
func.func @store(%x: !q) -> i8 {
  %0 = quant.scast %x : !q to i8
  return %0 : i8
}
func.func private @load(%x: i8) -> !q {
  %0 = quant.scast %x : i8 to !q
  return %0 : !q
}
func.func private @declared(!q) -> f32
func.func @both(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = call @quantize(%x) : (tensor<?x2xf32>) -> tensor<?x2x!axis>
  %1 = call @dequantize(%0) : (tensor<?x2x!axis>) -> tensor<?x2xf32>
  %2 = arith.addf %1, %x : tensor<?x2xf32>
  return %2 : tensor<?x2xf32>
}
func.func @nested(%x: i8) -> (i8, f32) {
  %0 = call @load(%x) : (i8) -> !q
  %1 = call @store(%0) : (!q) -> i8
  %2 = call @declared(%0) : (!q) -> f32
  return %1, %2 : i8, f32
}
func.func @outer(%x: i8) -> (i8, f32) {
  %0:2 = call @nested(%x) : (i8) -> (i8, f32)
  %1:2 = call @nested(%0#0) : (i8) -> (i8, f32)
  %2 = arith.addf %0#1, %1#1 : f32
  return %1#0, %2 : i8, f32
}
func.func @itself(%x: f32) -> f32 {
  %0 = call @itself(%x) : (f32) -> f32
  return %0 : f32
}
