// ml.reexpress of wide integers rounds once, as the op specifies, in machine code and in the interpreter;
// if f64 can't decide the rounding, no other result is computed.
// RUN: quern opt %s --emit=run --engine interpreter --function even --input '8xi32=-3,-1,1,3,5,7,2147483647,-2147483648' | FileCheck %s --check-prefix=EVEN
// RUN: quern opt %s --emit=run --engine jit --function even --input '8xi32=-3,-1,1,3,5,7,2147483647,-2147483648' | FileCheck %s --check-prefix=EVEN
// RUN: quern opt %s --emit=run --engine interpreter --function floor --input '8xi32=-3,-1,1,3,5,7,2147483647,-2147483648' | FileCheck %s --check-prefix=FLOOR
// RUN: quern opt %s --emit=run --engine jit --function floor --input '8xi32=-3,-1,1,3,5,7,2147483647,-2147483648' | FileCheck %s --check-prefix=FLOOR
// RUN: quern opt %s --emit=run --engine interpreter --function zero --input '8xi32=-3,-1,1,3,5,7,2147483647,-2147483648' | FileCheck %s --check-prefix=ZERO
// RUN: quern opt %s --emit=run --engine jit --function zero --input '8xi32=-3,-1,1,3,5,7,2147483647,-2147483648' | FileCheck %s --check-prefix=ZERO
// RUN: quern opt %s --emit=run --engine interpreter --function third --input '6xi32=16777501,16777217,2147483647,-2147483648,300,900' | FileCheck %s --check-prefix=THIRD
// RUN: quern opt %s --emit=run --engine jit --function third --input '6xi32=16777501,16777217,2147483647,-2147483648,300,900' | FileCheck %s --check-prefix=THIRD
// RUN: quern opt %s --emit=run --engine jit --function undecided --input '2xi32=1,2' 2>&1 | FileCheck %s --check-prefix=UNDECIDED
// EVEN{LITERAL}: dense<[-2, 0, 0, 2, 2, 4, 127, -128]> : tensor<8xi8>
// FLOOR{LITERAL}: dense<[-2, -1, 0, 1, 2, 3, 127, -128]> : tensor<8xi8>
// ZERO{LITERAL}: dense<[-1, 0, 0, 1, 2, 3, 127, -128]> : tensor<8xi8>
// THIRD{LITERAL}: dense<[5592500, 5592406, 715827882, -715827883, 100, 300]> : tensor<6xi32>
// UNDECIDED: error: 'ml.reexpress' has no integer form: f64 does not decide all roundings for these scales
!acc = !quant.uniform<i32:f32, 0.5>
!q = !quant.uniform<i8:f32, 1.0>
!third = !quant.uniform<i32:f32, 1.5>
!odd = !quant.uniform<i32:f32, 0.1>
func.func @even(%x: tensor<8xi32>) -> tensor<8xi8> {
  %a = quant.scast %x : tensor<8xi32> to tensor<8x!acc>
  %0 = "ml.reexpress"(%a) {mode = "checked", rounding = "even", overflow = "saturate"} : (tensor<8x!acc>) -> tensor<8x!q>
  %1 = quant.scast %0 : tensor<8x!q> to tensor<8xi8>
  return %1 : tensor<8xi8>
}
func.func @floor(%x: tensor<8xi32>) -> tensor<8xi8> {
  %a = quant.scast %x : tensor<8xi32> to tensor<8x!acc>
  %0 = "ml.reexpress"(%a) {mode = "checked", rounding = "floor", overflow = "saturate"} : (tensor<8x!acc>) -> tensor<8x!q>
  %1 = quant.scast %0 : tensor<8x!q> to tensor<8xi8>
  return %1 : tensor<8xi8>
}
func.func @zero(%x: tensor<8xi32>) -> tensor<8xi8> {
  %a = quant.scast %x : tensor<8xi32> to tensor<8x!acc>
  %0 = "ml.reexpress"(%a) {mode = "checked", rounding = "toward-zero", overflow = "saturate"} : (tensor<8x!acc>) -> tensor<8x!q>
  %1 = quant.scast %0 : tensor<8x!q> to tensor<8xi8>
  return %1 : tensor<8xi8>
}
func.func @third(%x: tensor<6xi32>) -> tensor<6xi32> {
  %a = quant.scast %x : tensor<6xi32> to tensor<6x!acc>
  %0 = "ml.reexpress"(%a) {mode = "checked", rounding = "even", overflow = "saturate"} : (tensor<6x!acc>) -> tensor<6x!third>
  %1 = quant.scast %0 : tensor<6x!third> to tensor<6xi32>
  return %1 : tensor<6xi32>
}
func.func @undecided(%x: tensor<2xi32>) -> tensor<2xi8> {
  %a = quant.scast %x : tensor<2xi32> to tensor<2x!odd>
  %0 = "ml.reexpress"(%a) {mode = "checked", rounding = "even", overflow = "saturate"} : (tensor<2x!odd>) -> tensor<2x!q>
  %1 = quant.scast %0 : tensor<2x!q> to tensor<2xi8>
  return %1 : tensor<2xi8>
}
