!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.25>
module attributes {quern.numerics = "litert-ref"} {
func.func @main(%x: tensor<1x40x4x2x!x>) -> tensor<1x40x4x2x!x> {
  %w = "ml.const"() {value = dense<1> : tensor<2x3x3x2xi8>} : () -> tensor<2x3x3x2x!w>
  %b = "ml.const"() {value = dense<7> : tensor<2xi32>} : () -> tensor<2xi32>
  %0 = "ml.conv"(%x, %w, %b) {activation = "relu6", strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x40x4x2x!x>, tensor<2x3x3x2x!w>, tensor<2xi32>) -> tensor<1x40x4x2x!x>
  return %0 : tensor<1x40x4x2x!x>
}
}
