// Branches and calls, interpreted and as machine code. If a value decides, both sides are executed and the results
// selected. If a shape decides, only the taken side is compiled, because the other would not fit.
// MLIR-OPT: accepts
// RUN: quern opt %s --lower-quant-ops --emit=interpret --function numbers --input 'dense<[1.2, 100.0, -3.3]> : tensor<3xf32>' --input true --input false | FileCheck %s --check-prefix=FIRST
// RUN: quern opt %s --lower-quant-ops --emit=run --function numbers --input 'dense<[1.2, 100.0, -3.3]> : tensor<3xf32>' --input true --input false | FileCheck %s --check-prefix=FIRST
// RUN: quern opt %s --lower-quant-ops --emit=interpret --function numbers --input 'dense<[1.2, 100.0, -3.3]> : tensor<3xf32>' --input false --input true | FileCheck %s --check-prefix=SECOND
// RUN: quern opt %s --lower-quant-ops --emit=run --function numbers --input 'dense<[1.2, 100.0, -3.3]> : tensor<3xf32>' --input false --input true | FileCheck %s --check-prefix=SECOND
// RUN: quern opt %s --lower-quant-ops --emit=interpret --function numbers --input 'dense<[1.2, 100.0, -3.3]> : tensor<3xf32>' --input false --input false | FileCheck %s --check-prefix=THIRD
// RUN: quern opt %s --lower-quant-ops --emit=run --function numbers --input 'dense<[1.2, 100.0, -3.3]> : tensor<3xf32>' --input false --input false | FileCheck %s --check-prefix=THIRD
// RUN: quern opt %s --lower-quant-ops --emit=interpret --function shapes --input 'dense<[1.2, 100.0]> : tensor<2xf32>' | FileCheck %s --check-prefix=TWO
// RUN: quern opt %s --lower-quant-ops --emit=run --function shapes --input 'dense<[1.2, 100.0]> : tensor<2xf32>' | FileCheck %s --check-prefix=TWO
// RUN: quern opt %s --lower-quant-ops --emit=interpret --function shapes --input 'dense<[1.2, 100.0, 0.3]> : tensor<3xf32>' | FileCheck %s --check-prefix=THREE
// RUN: quern opt %s --lower-quant-ops --emit=run --function shapes --input 'dense<[1.2, 100.0, 0.3]> : tensor<3xf32>' | FileCheck %s --check-prefix=THREE
// RUN: quern opt %s --lower-quant-ops --emit=run --function shapes --input 'dense<1.0> : tensor<4xf32>' 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: quern opt %s --emit=run --function loop --input 'dense<1.0> : tensor<2xf32>' --input false 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: quern opt %s --lower-quant-ops --emit=run --function calls --input 'dense<[1.2, 100.0]> : tensor<2xf32>' | FileCheck %s --check-prefix=CALLS
// RUN: quern opt %s --lower-quant-ops --emit=interpret --function calls --input 'dense<[1.2, 100.0]> : tensor<2xf32>' | FileCheck %s --check-prefix=CALLS
// RUN: quern opt %s --emit=run --function divide --input 'dense<[-7, 7, -128]> : tensor<3xi8>' | FileCheck %s --check-prefix=DIVIDE
// RUN: quern opt %s --emit=interpret --function divide --input 'dense<[-7, 7, -128]> : tensor<3xi8>' | FileCheck %s --check-prefix=DIVIDE
// RUN: quern opt %s --emit=run --function untaken --input 4xi8=1 --input false | FileCheck %s --check-prefix=UNTAKEN
// RUN: quern opt %s --emit=interpret --function untaken --input 4xi8=1 --input false | FileCheck %s --check-prefix=UNTAKEN
!q = !quant.uniform<i8:f32, 0.5>
!two = !quant.uniform<i8:f32:0, {0.5, 0.25}>
!three = !quant.uniform<i8:f32:0, {0.5, 0.25, 0.125}>

// FIRST: dense<[1.000000e+00, 6.350000e+01, -3.500000e+00]>
// SECOND: dense<[2.000000e+00, 6.350000e+01, -2.500000e+00]>
// THIRD: dense<[4.840000e+00, 1.020100e+04, 5.290000e+00]>
func.func @numbers(%x: tensor<3xf32>, %first: i1, %second: i1) -> tensor<3xf32> {
  %one = arith.constant dense<1.0> : tensor<3xf32>
  cf.cond_br %first, ^quantize(%x : tensor<3xf32>), ^more
^more:
  %s = arith.addf %x, %one : tensor<3xf32>
  cf.cond_br %second, ^quantize(%s : tensor<3xf32>), ^square
^square:
  %t = arith.mulf %s, %s : tensor<3xf32>
  return %t : tensor<3xf32>
^quantize(%y: tensor<3xf32>):
  %0 = quant.qcast %y : tensor<3xf32> to tensor<3x!q>
  %1 = quant.dcast %0 : tensor<3x!q> to tensor<3xf32>
  return %1 : tensor<3xf32>
}

// TWO: dense<[1.000000e+00, 3.175000e+01]>
// THREE: dense<[1.000000e+00, 3.175000e+01, 2.500000e-01]>
// FOUR: 'cf.assert' op failed: dimension size does not match the number of scales
func.func @shapes(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %is_two = arith.cmpi eq, %size, %c2 : index
  cf.cond_br %is_two, ^two, ^three
^two:
  %0 = quant.qcast %x : tensor<?xf32> to tensor<?x!two>
  %1 = quant.dcast %0 : tensor<?x!two> to tensor<?xf32>
  cf.br ^end(%1 : tensor<?xf32>)
^three:
  %2 = quant.qcast %x : tensor<?xf32> to tensor<?x!three>
  %3 = quant.dcast %2 : tensor<?x!three> to tensor<?xf32>
  cf.br ^end(%3 : tensor<?xf32>)
^end(%r: tensor<?xf32>):
  return %r : tensor<?xf32>
}

// LOOP: 'cf.br' op leads into a loop, which has no machine code outside of a model
func.func @loop(%x: tensor<2xf32>, %again: i1) -> tensor<2xf32> {
  cf.br ^head(%x : tensor<2xf32>)
^head(%y: tensor<2xf32>):
  %z = arith.addf %y, %y : tensor<2xf32>
  cf.cond_br %again, ^head(%z : tensor<2xf32>), ^end
^end:
  return %z : tensor<2xf32>
}

// CALLS: dense<[1.000000e+00, 6.350000e+01]>
func.func @calls(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @round(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @round(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = quant.qcast %x : tensor<2xf32> to tensor<2x!q>
  %1 = quant.dcast %0 : tensor<2x!q> to tensor<2xf32>
  return %1 : tensor<2xf32>
}

// DIVIDE: dense<[-3, 3, -64]>
// DIVIDE-NEXT: dense<[-1, 1, -2]>
func.func @divide(%x: tensor<3xi8>) -> (tensor<3xi8>, tensor<3xi8>) {
  %two = arith.constant dense<2> : tensor<3xi8>
  %three = arith.constant dense<3> : tensor<3xi8>
  %0 = arith.divsi %x, %two : tensor<3xi8>
  %1 = arith.remsi %x, %three : tensor<3xi8>
  return %0, %1 : tensor<3xi8>, tensor<3xi8>
}
// An undefined op on the side that is not taken does not matter.
// UNTAKEN: 4 : index
func.func @untaken(%x: tensor<4xi8>, %c: i1) -> index {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<4xi8>
  cf.cond_br %c, ^far, ^near
^far:
  %width = arith.constant 64 : index
  %s = arith.shrsi %n, %width : index
  cf.br ^end(%s : index)
^near:
  cf.br ^end(%n : index)
^end(%r: index):
  return %r : index
}
