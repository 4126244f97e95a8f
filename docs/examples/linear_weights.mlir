// The weights of three output channels, each with a scale of its own.
!w = !quant.uniform<i8<-127:127>:f32:0, {0.01, 0.02, 0.005}>
func.func @weights() -> tensor<3x4x!w> {
  %float = arith.constant dense<[[0.5, -1.0, 0.25, 1.27], [2.0, -0.01, 0.03, -2.54], [0.125, 0.5, -0.0025, 0.7]]> : tensor<3x4xf32>
  %stored = quant.qcast %float : tensor<3x4xf32> to tensor<3x4x!w>
  return %stored : tensor<3x4x!w>
}
