// A state and a dynamic dimension: the number of earlier calls is added to each of up to 16 rows.
func.func @main(%x: tensor<16x4xf32> {quern.name = "x", quern.sizes = ["n"]},
                %calls: tensor<1x4xf32> {quern.role = "state", quern.name = "calls"})
    -> (tensor<16x4xf32>, tensor<1x4xf32> {quern.role = "state"}) {
  %one = "ml.const"() {value = dense<1.0> : tensor<1x4xf32>} : () -> tensor<1x4xf32>
  %next = "ml.add"(%calls, %one) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %y = "ml.add"(%x, %calls) : (tensor<16x4xf32>, tensor<1x4xf32>) -> tensor<16x4xf32>
  return %y, %next : tensor<16x4xf32>, tensor<1x4xf32>
}
