// A linear layer of three outputs on stored integers. The scale of a bias is that of the input times
// that of the channel's weights: 0.05 * 0.01 = 0.0005 and so on.
!x = !quant.uniform<i8:f32, 0.05:-5>
!w = !quant.uniform<i8<-127:127>:f32:0, {0.01, 0.02, 0.005}>
!b = !quant.uniform<i32:f32:0, {0.0005, 0.001, 0.00025}>
!y = !quant.uniform<i8:f32, 0.1:10>
module attributes {quern.numerics = "tflm"} {
  func.func @main(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
    %q = quant.qcast %x : tensor<2x4xf32> to tensor<2x4x!x>
    %w = "ml.const"() {value = dense<[[50, -100, 25, 127], [100, 0, 2, -127], [25, 100, 0, 127]]> : tensor<3x4xi8>} : () -> tensor<3x4x!w>
    %b = "ml.const"() {value = dense<[1000, -500, 0]> : tensor<3xi32>} : () -> tensor<3x!b>
    %y = "ml.linear"(%q, %w, %b) : (tensor<2x4x!x>, tensor<3x4x!w>, tensor<3x!b>) -> tensor<2x3x!y>
    %r = quant.dcast %y : tensor<2x3x!y> to tensor<2x3xf32>
    return %r : tensor<2x3xf32>
  }
}
