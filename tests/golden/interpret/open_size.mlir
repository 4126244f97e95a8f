// A size of -1 in a constant shape is computed from the others: in the interpreter, in machine code compiled for the shapes of
// a call, and if a pass created it.
// RUN: quern opt %s --function=rest --emit=interpret --input 3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 | FileCheck %s --check-prefix=REST --match-full-lines
// RUN: quern opt %s --function=rest --emit=run --input 3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 | FileCheck %s --check-prefix=REST --match-full-lines
// RUN: quern opt %s --canonicalize --function=rest --emit=run --cpu baseline --input 3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 | FileCheck %s --check-prefix=REST --match-full-lines
// RUN: quern opt %s --function=made --emit=interpret --input 3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --input n=2 | FileCheck %s --check-prefix=MADE --match-full-lines
// RUN: quern opt %s --remove-symbolic-reshape --dead-code-elimination --function=made --emit=interpret --input 3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --input n=2 | FileCheck %s --check-prefix=MADE --match-full-lines
// RUN: quern opt %s --remove-symbolic-reshape --dead-code-elimination --function=made --emit=run --input 3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --input n=2 | FileCheck %s --check-prefix=MADE --match-full-lines
// RUN: quern opt %s --canonicalize | FileCheck %s --check-prefix=SIZES
// RUN: quern opt %s --function=rest --emit=interpret --input 3x3xf32=1 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: quern opt %s --function=rest --emit=run --input 3x3xf32=1 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: quern opt %s --function=two --emit=interpret --input 3x4xf32=1 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: quern opt %s --function=beside_none --emit=interpret --input 3x4xf32=1 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: quern opt %s --function=below --emit=interpret --input 3x4xf32=1 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: quern opt %s --function=beyond --emit=interpret --input 3x4xf32=1 2>&1 | FileCheck %s --check-prefix=BEYOND
// REST: dense<{{\[\[\[}}2.000000e+00, 4.000000e+00], [6.000000e+00, 8.000000e+00{{\]\]}}, {{\[\[}}1.000000e+01, 1.200000e+01], [1.400000e+01, 1.600000e+01{{\]\]}}, {{\[\[}}1.800000e+01, 2.000000e+01], [2.200000e+01, 2.400000e+01{{\]\]\]}}> : tensor<3x2x2xf32>
// REST-NEXT: 3 : index
// MADE: dense<{{\[\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00{{\]\]}}, {{\[\[}}5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00{{\]\]}}, {{\[\[}}9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01{{\]\]\]}}> : tensor<3x2x2xf32>
// NONE: error: 'tensor.reshape' op leaves a size open, but 9 is not a multiple of 4
// TWO: error: 'tensor.reshape' op leaves two sizes open
// BESIDE: error: 'tensor.reshape' op leaves a size open beside one of 0
// BELOW: error: 'tensor.reshape' op has the size -2
// BEYOND: error: 'tensor.reshape' op has more elements than an index can count
// The size of a dynamic dimension is not read from the shape operand.
// SIZES-LABEL: func.func @rest(
// SIZES: tensor.dim
func.func @rest(%x: tensor<?x?xf32>) -> (tensor<?x2x2xf32>, index) {
  %s = arith.constant dense<[-1, 2, 2]> : tensor<3xindex>
  %c0 = arith.constant 0 : index
  %y = tensor.reshape %x(%s) : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x2x2xf32>
  %z = arith.addf %y, %y : tensor<?x2x2xf32>
  %n = tensor.dim %y, %c0 : tensor<?x2x2xf32>
  return %z, %n : tensor<?x2x2xf32>, index
}
func.func @made(%x: tensor<?x4xf32>, %n: index) -> tensor<?x?x2xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %x, %c0 : tensor<?x4xf32>
  %s = tensor.from_elements %d, %n, %c2 : tensor<3xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x4xf32>, tensor<3xindex>) -> tensor<?x?x2xf32>
  return %y : tensor<?x?x2xf32>
}
func.func @two(%x: tensor<?x?xf32>) -> tensor<?x?x4xf32> {
  %s = arith.constant dense<[-1, -1, 4]> : tensor<3xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x4xf32>
  return %y : tensor<?x?x4xf32>
}
func.func @beside_none(%x: tensor<?x?xf32>) -> tensor<?x0xf32> {
  %s = arith.constant dense<[-1, 0]> : tensor<2xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x0xf32>
  return %y : tensor<?x0xf32>
}
func.func @below(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = arith.constant dense<[-2, 4]> : tensor<2xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
func.func @beyond(%x: tensor<?x?xf32>) -> tensor<?x?x?xf32> {
  %s = arith.constant dense<[-1, 9223372036854775807, 2]> : tensor<3xindex>
  %y = tensor.reshape %x(%s) : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  return %y : tensor<?x?x?xf32>
}
