// Casts of the quant dialect. Each chunk is the example of an op in
// docs/dialects.md, which scripts/generated puts there; tests/documents/examples.sh runs it.
// SPDX-License-Identifier: Apache-2.0
// quant.qcast
func.func @main() -> tensor<4x!quant.uniform<i8:f32, 0.5:3>> {
  %x = arith.constant dense<[-0.75, 0.25, 0.75, 1000.0]> : tensor<4xf32>
  %y = quant.qcast %x : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  return %y : tensor<4x!quant.uniform<i8:f32, 0.5:3>>
}
// => dense<[1, 3, 5, 127]> : tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>
// -----
// quant.dcast
func.func @main() -> tensor<3xf32> {
  %x = "ml.const"() {value = dense<[3, 4, 127]> : tensor<3xi8>} : () -> tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  %y = quant.dcast %x : tensor<3x!quant.uniform<i8:f32, 0.5:3>> to tensor<3xf32>
  return %y : tensor<3xf32>
}
// => dense<[0.000000e+00, 5.000000e-01, 6.200000e+01]> : tensor<3xf32>
// -----
// quant.scast
func.func @main() -> tensor<3xi8> {
  %x = arith.constant dense<[3, 4, 127]> : tensor<3xi8>
  %q = quant.scast %x : tensor<3xi8> to tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  %y = quant.scast %q : tensor<3x!quant.uniform<i8:f32, 0.5:3>> to tensor<3xi8>
  return %y : tensor<3xi8>
}
// => dense<[3, 4, 127]> : tensor<3xi8>
