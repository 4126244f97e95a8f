// Results computed on f16 are the same in the interpreter and as machine code.
// RUN: quern opt %s --add-fp16-cast --dead-code-elimination --emit=interpret --function chain --input 4xf32=0.1,-2.0,3.0,0.333 | FileCheck %s --check-prefix=VALUES --match-full-lines
// RUN: quern opt %s --add-fp16-cast --dead-code-elimination --lower-to-integer --emit=run --function chain --input 4xf32=0.1,-2.0,3.0,0.333 | FileCheck %s --check-prefix=VALUES --match-full-lines
// VALUES: dense<[10.1015625, 1.000000e+01, 1.300000e+01, 10.3359375]> : tensor<4xf32>
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %k = "ml.const"() {value = dense<10.0> : tensor<f32>} : () -> tensor<f32>
  %y = "ml.add"(%r, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
