// D22: upstream subtracts the zero point in the expressed type, which may hold neither the stored value
// nor the zero point. The difference is an integer, exact in integers.
//
// f32 can't represent 16777217:
// CALL @wide dense<[16777216, 16777217, 16777219]> : tensor<3xi32> -> tensor<3xf32>
// | upstream    0 0 4
// | ours        0 1 3
// | definition  0 1 3
//
// f16 can't represent 65535 and gives infinity:
// CALL @half dense<[65535, 65533, 32767]> : tensor<3xi32> -> tensor<3xf32>
// | upstream    nan nan -inf
// | ours        0 -2 -32768
// | definition  0 -2 -32768
//
// bf16 has 8 bits:
// CALL @brain dense<[258, 259, 260]> : tensor<3xi32> -> tensor<3xf32>
// | upstream    2 4 4
// | ours        1 2 3
// | definition  1 2 3
//
// The addition in the other direction:
// CALL @sum dense<[16777216.0, 16777218.0, -16777216.0]> : tensor<3xf32> -> tensor<3xi32>
// | upstream    16777216 16777220 -16777215
// | ours        16777217 16777219 -16777215
// | definition  16777217 16777219 -16777215

!wide = !quant.uniform<i32:f32, 1.0:16777216>
func.func @wide(%x: tensor<3xi32>) -> tensor<3xf32> {
  %0 = quant.scast %x : tensor<3xi32> to tensor<3x!wide>
  %1 = quant.dcast %0 : tensor<3x!wide> to tensor<3xf32>
  return %1 : tensor<3xf32>
}
!half = !quant.uniform<u16:f16, 1.0:65535>
func.func @half(%x: tensor<3xi32>) -> tensor<3xf32> {
  %0 = arith.trunci %x : tensor<3xi32> to tensor<3xi16>
  %1 = quant.scast %0 : tensor<3xi16> to tensor<3x!half>
  %2 = quant.dcast %1 : tensor<3x!half> to tensor<3xf16>
  %3 = arith.extf %2 : tensor<3xf16> to tensor<3xf32>
  return %3 : tensor<3xf32>
}
!brain = !quant.uniform<u16:bf16, 1.0:257>
func.func @brain(%x: tensor<3xi32>) -> tensor<3xf32> {
  %0 = arith.trunci %x : tensor<3xi32> to tensor<3xi16>
  %1 = quant.scast %0 : tensor<3xi16> to tensor<3x!brain>
  %2 = quant.dcast %1 : tensor<3x!brain> to tensor<3xbf16>
  %3 = arith.extf %2 : tensor<3xbf16> to tensor<3xf32>
  return %3 : tensor<3xf32>
}
!sum = !quant.uniform<i32:f32, 1.0:1>
func.func @sum(%x: tensor<3xf32>) -> tensor<3xi32> {
  %0 = quant.qcast %x : tensor<3xf32> to tensor<3x!sum>
  %1 = quant.scast %0 : tensor<3x!sum> to tensor<3xi32>
  return %1 : tensor<3xi32>
}
// -----
// x - zero point, in integers
func.func @wide(%x: tensor<3xi32>) -> tensor<3xf32> {
  %zero_point = arith.constant dense<16777216> : tensor<3xi32>
  %0 = arith.subi %x, %zero_point : tensor<3xi32>
  %1 = arith.sitofp %0 : tensor<3xi32> to tensor<3xf32>
  return %1 : tensor<3xf32>
}
func.func @half(%x: tensor<3xi32>) -> tensor<3xf32> {
  %zero_point = arith.constant dense<65535> : tensor<3xi32>
  %0 = arith.subi %x, %zero_point : tensor<3xi32>
  %1 = arith.sitofp %0 : tensor<3xi32> to tensor<3xf32>
  return %1 : tensor<3xf32>
}
func.func @brain(%x: tensor<3xi32>) -> tensor<3xf32> {
  %zero_point = arith.constant dense<257> : tensor<3xi32>
  %0 = arith.subi %x, %zero_point : tensor<3xi32>
  %1 = arith.sitofp %0 : tensor<3xi32> to tensor<3xf32>
  return %1 : tensor<3xf32>
}
func.func @sum(%x: tensor<3xf32>) -> tensor<3xi32> {
  %zero_point = arith.constant dense<1> : tensor<3xi32>
  %0 = arith.fptosi %x : tensor<3xf32> to tensor<3xi32>
  %1 = arith.addi %0, %zero_point : tensor<3xi32>
  return %1 : tensor<3xi32>
}
