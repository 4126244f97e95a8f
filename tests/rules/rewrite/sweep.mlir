// The rule library chooses the size of pieces by estimated time: an addition of 40 wide rows is split into
// five pieces of 8, not into ten of 4 or twenty of 2.
// run: files=../../../rules/splitting.rr only=split-add-rows report=true log=true
// SPDX-License-Identifier: Apache-2.0
!x = !quant.uniform<i8:f32, 0.5:3>
module attributes {quern.numerics = "litert-ref"} {
func.func @main(%a: tensor<1x40x72x1x!x>, %b: tensor<1x40x72x1x!x>) -> tensor<1x40x72x1x!x> {
  %0 = "ml.add"(%a, %b) : (tensor<1x40x72x1x!x>, tensor<1x40x72x1x!x>) -> tensor<1x40x72x1x!x>
  return %0 : tensor<1x40x72x1x!x>
}
}
