// A slice that is not a view is concatenated with its operand: both are parts of one buffer.
// RUN: quern opt %s --emit=interpret --function f --input 'dense<[[1, -2, 3, -4, 5, -6, 7]]> : tensor<1x7xi8>' | FileCheck %s
// RUN: quern opt %s --emit=run --engine jit --function f --input 'dense<[[1, -2, 3, -4, 5, -6, 7]]> : tensor<1x7xi8>' | FileCheck %s
// CHECK{LITERAL}: dense<[[1, 3, 5, 1, 0, 3, 0, 5, 0, 7]]> : tensor<1x10xi8>
!q = !quant.uniform<i8:f32, 0.5>
module attributes {quern.numerics = "litert-ref"} {
func.func @f(%s: tensor<1x7xi8>) -> tensor<1x10xi8> {
  %x = quant.scast %s : tensor<1x7xi8> to tensor<1x7x!q>
  %a = "ml.relu"(%x) : (tensor<1x7x!q>) -> tensor<1x7x!q>
  %b = "ml.slice_by_index"(%a) {begin = array<i64: 0, 0>, end = array<i64: 1, 5>, stride = array<i64: 1, 2>} : (tensor<1x7x!q>) -> tensor<1x3x!q>
  %c = "ml.concat"(%b, %a) {axis = 1 : i64} : (tensor<1x3x!q>, tensor<1x7x!q>) -> tensor<1x10x!q>
  %r = quant.scast %c : tensor<1x10x!q> to tensor<1x10xi8>
  return %r : tensor<1x10xi8>
}
}
