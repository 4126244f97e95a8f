// Ops of the model dialect that compute element by element. Each chunk is the example of an op in
// docs/dialects.md, which scripts/generated puts there; tests/documents/examples.sh runs it.
// SPDX-License-Identifier: Apache-2.0
// ml.add
module attributes {quern.numerics = "litert-ref"} {
  func.func @main() -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
    %a = "ml.const"() {value = dense<[1, 2, 3, -4]> : tensor<4xi8>} : () -> tensor<4x!quant.uniform<i8:f32, 0.5:0>>
    %b = "ml.const"() {value = dense<[4, 4, 3, 127]> : tensor<4xi8>} : () -> tensor<4x!quant.uniform<i8:f32, 0.25:0>>
    %y = "ml.add"(%a, %b) : (tensor<4x!quant.uniform<i8:f32, 0.5:0>>, tensor<4x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
    return %y : tensor<4x!quant.uniform<i8:f32, 0.5>>
  }
}
// => dense<[3, 4, 5, 60]> : tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>
// -----
// ml.sub
module attributes {quern.numerics = "litert-ref"} {
  func.func @main() -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
    %a = "ml.const"() {value = dense<[1, 2, 3, -4]> : tensor<4xi8>} : () -> tensor<4x!quant.uniform<i8:f32, 0.5:0>>
    %b = "ml.const"() {value = dense<[4, 4, 3, 127]> : tensor<4xi8>} : () -> tensor<4x!quant.uniform<i8:f32, 0.25:0>>
    %y = "ml.sub"(%a, %b) : (tensor<4x!quant.uniform<i8:f32, 0.5:0>>, tensor<4x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
    return %y : tensor<4x!quant.uniform<i8:f32, 0.5>>
  }
}
// => dense<[-1, 0, 2, -68]> : tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>
// -----
// ml.mul
module attributes {quern.numerics = "litert-ref"} {
  func.func @main() -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
    %a = "ml.const"() {value = dense<[1, 2, 30, -4]> : tensor<4xi8>} : () -> tensor<4x!quant.uniform<i8:f32, 0.5:0>>
    %b = "ml.const"() {value = dense<[4, 4, 30, 127]> : tensor<4xi8>} : () -> tensor<4x!quant.uniform<i8:f32, 0.25:0>>
    %y = "ml.mul"(%a, %b) : (tensor<4x!quant.uniform<i8:f32, 0.5:0>>, tensor<4x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
    return %y : tensor<4x!quant.uniform<i8:f32, 0.5>>
  }
}
// => dense<[1, 2, 127, -127]> : tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>
// -----
// ml.reexpress
func.func @main() -> tensor<3x!quant.uniform<i16:f32, 0.25>> {
  %x = "ml.const"() {value = dense<[3, 4, 127]> : tensor<3xi8>} : () -> tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  %y = "ml.reexpress"(%x) {mode = "exact"} : (tensor<3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i16:f32, 0.25>>
  return %y : tensor<3x!quant.uniform<i16:f32, 0.25>>
}
// => dense<[0, 2, 248]> : tensor<3x!quant.uniform<i16:f32, 2.500000e-01>>
// -----
// ml.sigmoid
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.sigmoid"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[0.182425529, 5.000000e-01, 0.622459352, 0.880797088]> : tensor<4xf32>
// -----
// ml.tanh
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-0.905148268, 0.000000e+00, 0.462117165, 0.964027583]> : tensor<4xf32>
// -----
// ml.relu
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[0.000000e+00, 0.000000e+00, 5.000000e-01, 2.000000e+00]> : tensor<4xf32>
// -----
// ml.relu6
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 8.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.relu6"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[0.000000e+00, 0.000000e+00, 5.000000e-01, 6.000000e+00]> : tensor<4xf32>
// -----
// ml.hard_swish
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.hard_swish"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-3.750000e-01, 0.000000e+00, 0.291666657, 1.66666663]> : tensor<4xf32>
// -----
// ml.elu
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.elu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-0.776869833, 0.000000e+00, 5.000000e-01, 2.000000e+00]> : tensor<4xf32>
// -----
// ml.celu
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.celu"(%x) {alpha = 0.5} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-0.475106478, 0.000000e+00, 5.000000e-01, 2.000000e+00]> : tensor<4xf32>
// -----
// ml.gelu
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.gelu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-0.100210801, 0.000000e+00, 0.345731258, 1.95449972]> : tensor<4xf32>
// -----
// ml.relu_n1_to_1
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.relu_n1_to_1"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-1.000000e+00, 0.000000e+00, 5.000000e-01, 1.000000e+00]> : tensor<4xf32>
// -----
// ml.abs
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.abs"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[1.500000e+00, 0.000000e+00, 5.000000e-01, 2.000000e+00]> : tensor<4xf32>
// -----
// ml.exp
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[0.223130167, 1.000000e+00, 1.64872122, 7.3890562]> : tensor<4xf32>
// -----
// ml.sin
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.sin"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-0.997494995, 0.000000e+00, 0.47942555, 0.909297406]> : tensor<4xf32>
// -----
// ml.cos
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.cos"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[7.073720e-02, 1.000000e+00, 0.87758255, -0.416146845]> : tensor<4xf32>
// -----
// ml.tan
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.tan"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-14.1014204, 0.000000e+00, 0.546302497, -2.18503976]> : tensor<4xf32>
// -----
// ml.asin
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-0.5, 0.0, 0.25, 1.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.asin"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-0.52359879, 0.000000e+00, 0.252680242, 1.57079637]> : tensor<4xf32>
// -----
// ml.acos
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-0.5, 0.0, 0.25, 1.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.acos"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[2.09439516, 1.57079637, 1.31811607, 0.000000e+00]> : tensor<4xf32>
// -----
// ml.atan
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.atan"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-0.982793748, 0.000000e+00, 0.463647604, 1.10714877]> : tensor<4xf32>
// -----
// ml.atan2
func.func @main() -> tensor<4xf32> {
  %y = "ml.const"() {value = dense<[1.0, 0.0, -0.0, -2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %x = "ml.const"() {value = dense<[1.0, -3.0, -3.0, 0.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %angle = "ml.atan2"(%y, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %angle : tensor<4xf32>
}
// => dense<[0.785398185, 3.14159274, -3.14159274, -1.57079637]> : tensor<4xf32>
// -----
// ml.sinh
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.sinh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-2.12927938, 0.000000e+00, 0.521095276, 3.62686038]> : tensor<4xf32>
// -----
// ml.cosh
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.cosh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[2.3524096, 1.000000e+00, 1.12762594, 3.76219559]> : tensor<4xf32>
// -----
// ml.atanh
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-0.5, 0.0, 0.25, 1.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.atanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-0.549306154, 0.000000e+00, 0.255412817, 0x7F800000]> : tensor<4xf32>
// -----
// ml.exp2
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.exp2"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[0.353553385, 1.000000e+00, 1.41421354, 4.000000e+00]> : tensor<4xf32>
// -----
// ml.sign
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.sign"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-1.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<4xf32>
// -----
// ml.softplus
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.softplus"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[0.201413289, 0.693147182, 0.974076986, 2.12692809]> : tensor<4xf32>
// -----
// ml.softsign
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.softsign"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-6.000000e-01, 0.000000e+00, 0.333333343, 0.666666686]> : tensor<4xf32>
// -----
// ml.silu
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.silu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-0.273638308, 0.000000e+00, 0.311229676, 1.76159418]> : tensor<4xf32>
// -----
// ml.neg
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[1.500000e+00, -0.000000e+00, -5.000000e-01, -2.000000e+00]> : tensor<4xf32>
// -----
// ml.square
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.square"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[2.250000e+00, 0.000000e+00, 2.500000e-01, 4.000000e+00]> : tensor<4xf32>
// -----
// ml.floor
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.floor"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-2.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00]> : tensor<4xf32>
// -----
// ml.ceil
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.ceil"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-1.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<4xf32>
// -----
// ml.round
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.round"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-2.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00]> : tensor<4xf32>
// -----
// ml.leaky_relu
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, 0.0, 0.5, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.leaky_relu"(%x) {alpha = 0.25 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-3.750000e-01, 0.000000e+00, 5.000000e-01, 2.000000e+00]> : tensor<4xf32>
// -----
// ml.log
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.log"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-0.693147182, 0.000000e+00, 0.693147182, 1.38629436]> : tensor<4xf32>
// -----
// ml.sqrt
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[0.25, 1.0, 2.0, 4.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.sqrt"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[5.000000e-01, 1.000000e+00, 1.41421354, 2.000000e+00]> : tensor<4xf32>
// -----
// ml.rsqrt
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[0.25, 1.0, 2.0, 4.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.rsqrt"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[2.000000e+00, 1.000000e+00, 0.707106769, 5.000000e-01]> : tensor<4xf32>
// -----
// ml.requantize
module attributes {quern.numerics = "litert-ref"} {
  func.func @main() -> tensor<3x!quant.uniform<ui8:f32, 0.25:0>> {
    %x = "ml.const"() {value = dense<[3, 5, 127]> : tensor<3xi8>} : () -> tensor<3x!quant.uniform<i8:f32, 0.5:3>>
    %y = "ml.requantize"(%x) : (tensor<3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<ui8:f32, 0.25:0>>
    return %y : tensor<3x!quant.uniform<ui8:f32, 0.25:0>>
  }
}
// => dense<[0, 4, 248]> : tensor<3x!quant.uniform<ui8:f32, 2.500000e-01>>
// -----
// ml.bitwise_xor
func.func @main() -> tensor<4xi8> {
  %a = "ml.const"() {value = dense<[5, -3, 100, 2]> : tensor<4xi8>} : () -> tensor<4xi8>
  %b = "ml.const"() {value = dense<[1, 2, -128, 2]> : tensor<4xi8>} : () -> tensor<4xi8>
  %y = "ml.bitwise_xor"(%a, %b) : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// => dense<[4, -1, -28, 0]> : tensor<4xi8>
// -----
// ml.right_shift
func.func @main() -> tensor<4xi8> {
  %a = "ml.const"() {value = dense<[5, -3, 100, -2]> : tensor<4xi8>} : () -> tensor<4xi8>
  %b = "ml.const"() {value = dense<[1, 1, -4, 60]> : tensor<4xi8>} : () -> tensor<4xi8>
  %y = "ml.right_shift"(%a, %b) : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// => dense<[2, -2, 100, -1]> : tensor<4xi8>
// -----
// ml.floor_mod
func.func @main() -> tensor<4xi32> {
  %a = "ml.const"() {value = dense<[7, -7, 7, 6]> : tensor<4xi32>} : () -> tensor<4xi32>
  %b = "ml.const"() {value = dense<[2, 2, -2, 3]> : tensor<4xi32>} : () -> tensor<4xi32>
  %y = "ml.floor_mod"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
// => dense<[1, 1, -1, 0]> : tensor<4xi32>
// -----
// ml.shift
func.func @main() -> tensor<4xi32> {
  %a = "ml.const"() {value = dense<[5, -5, 3, -1]> : tensor<4xi32>} : () -> tensor<4xi32>
  %b = "ml.const"() {value = dense<[2, -1, 31, -40]> : tensor<4xi32>} : () -> tensor<4xi32>
  %y = "ml.shift"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
// => dense<[20, -3, -2147483648, -1]> : tensor<4xi32>
// -----
// ml.bitwise_and
func.func @main() -> tensor<4xi32> {
  %a = "ml.const"() {value = dense<[5, -5, 255, 6]> : tensor<4xi32>} : () -> tensor<4xi32>
  %b = "ml.const"() {value = dense<[3, 15, 16, -2]> : tensor<4xi32>} : () -> tensor<4xi32>
  %y = "ml.bitwise_and"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
// => dense<[1, 11, 16, 6]> : tensor<4xi32>
// -----
// ml.maximum
func.func @main() -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<[1.0, -2.0, 7.5, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "ml.const"() {value = dense<[2.0, -3.0, 2.0, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.maximum"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[2.000000e+00, -2.000000e+00, 7.500000e+00, 3.000000e+00]> : tensor<4xf32>
// -----
// ml.minimum
func.func @main() -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<[1.0, -2.0, 7.5, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "ml.const"() {value = dense<[2.0, -3.0, 2.0, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.minimum"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[1.000000e+00, -3.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xf32>
// -----
// ml.squared_difference
func.func @main() -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<[1.0, -2.0, 7.5, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "ml.const"() {value = dense<[2.0, -3.0, 2.0, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.squared_difference"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[1.000000e+00, 1.000000e+00, 3.025000e+01, 0.000000e+00]> : tensor<4xf32>
// -----
// ml.real_div
func.func @main() -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<[1.0, -2.0, 7.5, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "ml.const"() {value = dense<[2.0, -3.0, 2.0, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.real_div"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[5.000000e-01, 0.666666686, 3.750000e+00, 1.000000e+00]> : tensor<4xf32>
// -----
// ml.floor_div
func.func @main() -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<[1.0, -2.0, 7.5, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "ml.const"() {value = dense<[2.0, -3.0, 2.0, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.floor_div"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[0.000000e+00, 0.000000e+00, 3.000000e+00, 1.000000e+00]> : tensor<4xf32>
// -----
// ml.pow
func.func @main() -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<[1.0, 2.0, 4.0, 9.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "ml.const"() {value = dense<[2.0, 3.0, -1.0, 0.5]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.pow"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[1.000000e+00, 8.000000e+00, 2.500000e-01, 3.000000e+00]> : tensor<4xf32>
// -----
// ml.prelu
func.func @main() -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<[1.0, -2.0, -4.0, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "ml.const"() {value = dense<[0.5]> : tensor<1xf32>} : () -> tensor<1xf32>
  %y = "ml.prelu"(%a, %b) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[1.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00]> : tensor<4xf32>
// -----
// ml.equal
func.func @main() -> tensor<4xi1> {
  %a = "ml.const"() {value = dense<[1.0, -2.0, 7.5, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "ml.const"() {value = dense<[2.0, -3.0, 2.0, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.equal"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}
// => dense<[false, false, false, true]> : tensor<4xi1>
// -----
// ml.not_equal
func.func @main() -> tensor<4xi1> {
  %a = "ml.const"() {value = dense<[1.0, -2.0, 7.5, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "ml.const"() {value = dense<[2.0, -3.0, 2.0, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.not_equal"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}
// => dense<[true, true, true, false]> : tensor<4xi1>
// -----
// ml.less
func.func @main() -> tensor<4xi1> {
  %a = "ml.const"() {value = dense<[1.0, -2.0, 7.5, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "ml.const"() {value = dense<[2.0, -3.0, 2.0, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.less"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}
// => dense<[true, false, false, false]> : tensor<4xi1>
// -----
// ml.less_equal
func.func @main() -> tensor<4xi1> {
  %a = "ml.const"() {value = dense<[1.0, -2.0, 7.5, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "ml.const"() {value = dense<[2.0, -3.0, 2.0, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.less_equal"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}
// => dense<[true, false, false, true]> : tensor<4xi1>
// -----
// ml.greater
func.func @main() -> tensor<4xi1> {
  %a = "ml.const"() {value = dense<[1.0, -2.0, 7.5, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "ml.const"() {value = dense<[2.0, -3.0, 2.0, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.greater"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}
// => dense<[false, true, true, false]> : tensor<4xi1>
// -----
// ml.greater_equal
func.func @main() -> tensor<4xi1> {
  %a = "ml.const"() {value = dense<[1.0, -2.0, 7.5, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "ml.const"() {value = dense<[2.0, -3.0, 2.0, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.greater_equal"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}
// => dense<[false, true, true, true]> : tensor<4xi1>
// -----
// ml.logical_and
func.func @main() -> tensor<4xi1> {
  %a = "ml.const"() {value = dense<[true, true, false, false]> : tensor<4xi1>} : () -> tensor<4xi1>
  %b = "ml.const"() {value = dense<[true, false, true, false]> : tensor<4xi1>} : () -> tensor<4xi1>
  %y = "ml.logical_and"(%a, %b) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}
// => dense<[true, false, false, false]> : tensor<4xi1>
// -----
// ml.logical_or
func.func @main() -> tensor<4xi1> {
  %a = "ml.const"() {value = dense<[true, true, false, false]> : tensor<4xi1>} : () -> tensor<4xi1>
  %b = "ml.const"() {value = dense<[true, false, true, false]> : tensor<4xi1>} : () -> tensor<4xi1>
  %y = "ml.logical_or"(%a, %b) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}
// => dense<[true, true, true, false]> : tensor<4xi1>
// -----
// ml.logical_xor
func.func @main() -> tensor<4xi1> {
  %a = "ml.const"() {value = dense<[true, true, false, false]> : tensor<4xi1>} : () -> tensor<4xi1>
  %b = "ml.const"() {value = dense<[true, false, true, false]> : tensor<4xi1>} : () -> tensor<4xi1>
  %y = "ml.logical_xor"(%a, %b) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}
// => dense<[false, true, true, false]> : tensor<4xi1>
// -----
// ml.logical_not
func.func @main() -> tensor<2xi1> {
  %x = "ml.const"() {value = dense<[true, false]> : tensor<2xi1>} : () -> tensor<2xi1>
  %y = "ml.logical_not"(%x) : (tensor<2xi1>) -> tensor<2xi1>
  return %y : tensor<2xi1>
}
// => dense<[false, true]> : tensor<2xi1>
// -----
// ml.cast
func.func @main() -> tensor<3xi32> {
  %x = "ml.const"() {value = dense<[-1.5, 2.5, 300.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %y = "ml.cast"(%x) : (tensor<3xf32>) -> tensor<3xi32>
  return %y : tensor<3xi32>
}
// => dense<[-1, 2, 300]> : tensor<3xi32>
// -----
// ml.bitcast
func.func @main() -> tensor<3xi32> {
  %x = "ml.const"() {value = dense<[1.0, -0.0, 0x7FC00001]> : tensor<3xf32>} : () -> tensor<3xf32>
  %y = "ml.bitcast"(%x) : (tensor<3xf32>) -> tensor<3xi32>
  return %y : tensor<3xi32>
}
// => dense<[1065353216, -2147483648, 2143289345]> : tensor<3xi32>
// -----
// ml.select
func.func @main() -> tensor<4xf32> {
  %c = "ml.const"() {value = dense<[true, false, true, false]> : tensor<4xi1>} : () -> tensor<4xi1>
  %a = "ml.const"() {value = dense<[1.0, -2.0, 7.5, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "ml.const"() {value = dense<[2.0, -3.0, 2.0, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.select"(%c, %a, %b) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[1.000000e+00, -3.000000e+00, 7.500000e+00, 3.000000e+00]> : tensor<4xf32>
// -----
// ml.erf
func.func @main() -> tensor<4xf32> {
  %x = "ml.const"() {value = dense<[-1.5, -0.0, 0.5, 4.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.erf"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// => dense<[-0.966105163, -0.000000e+00, 0.520499885, 1.000000e+00]> : tensor<4xf32>
