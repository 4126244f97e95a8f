// Rules match four dimensions; the ops they create have the rank that the consumers expect.
// run: files=../../../rules/cleanup.rr validate=true log=true
// SPDX-License-Identifier: Apache-2.0
module {
func.func @f(%x: tensor<1x2x3x4xf32>) -> tensor<6x4xf32> {
  %0 = "ml.reshape"(%x) : (tensor<1x2x3x4xf32>) -> tensor<24xf32>
  %1 = "ml.reshape"(%0) : (tensor<24xf32>) -> tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}
}
