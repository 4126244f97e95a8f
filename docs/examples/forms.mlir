// An addition and a ReLU, each of which can be integers or floats.
!q = !quant.uniform<i8:f32, 0.5:3>
func.func @main(%a: tensor<4x!q>, %b: tensor<4x!q>) -> tensor<4x!q> {
  %0 = "ml.add"(%a, %b) : (tensor<4x!q>, tensor<4x!q>) -> tensor<4x!q>
  %1 = "ml.relu"(%0) : (tensor<4x!q>) -> tensor<4x!q>
  return %1 : tensor<4x!q>
}
