// A rewrite that does not verify is undone, with a reason. A wrong rule is detected and disabled. Rules that
// undo each other are stopped.
// run: files=undone.rr validate=true report=true
// SPDX-License-Identifier: Apache-2.0
!x = !quant.uniform<u8:f32, 0.5:3>
!y = !quant.uniform<u8:f32, 0.25:3>
module attributes {quern.numerics = "litert-ref"} {
func.func @f(%x: tensor<1x4x!x>, %s: tensor<1x1x!x>) -> (tensor<1x4x!x>, tensor<1x4x!y>, tensor<1x4x!x>, tensor<1x4x!x>, tensor<1x4x!x>, tensor<1x4x!x>) {
  %0 = "ml.relu"(%x) : (tensor<1x4x!x>) -> tensor<1x4x!x>
  %1 = "ml.requantize"(%x) : (tensor<1x4x!x>) -> tensor<1x4x!y>
  %2 = "ml.add"(%x, %s) : (tensor<1x4x!x>, tensor<1x1x!x>) -> tensor<1x4x!x>
  %3 = "ml.sub"(%x, %x) : (tensor<1x4x!x>, tensor<1x4x!x>) -> tensor<1x4x!x>
  %4 = "ml.mul"(%x, %x) : (tensor<1x4x!x>, tensor<1x4x!x>) -> tensor<1x4x!x>
  %5 = "ml.relu6"(%x) : (tensor<1x4x!x>) -> tensor<1x4x!x>
  return %0, %1, %2, %3, %4, %5 : tensor<1x4x!x>, tensor<1x4x!y>, tensor<1x4x!x>, tensor<1x4x!x>, tensor<1x4x!x>, tensor<1x4x!x>
}
}
