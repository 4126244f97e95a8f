// Functions on tensors also run as machine code, compiled for the shapes of the inputs: static, dynamic
// and unranked. Results and failed assertions equal the interpreter's.
// RUN: quern opt %s --lower-quant-ops --emit=interpret --function static --input 2x2xf32=1,2.5,-3,1000 | FileCheck %s --check-prefix=STATIC --match-full-lines
// RUN: quern opt %s --lower-quant-ops --emit=run --function static --input 2x2xf32=1,2.5,-3,1000 | FileCheck %s --check-prefix=STATIC --match-full-lines
// RUN: quern opt %s --lower-quant-ops --emit=run --cpu baseline --function static --input 2x2xf32=1,2.5,-3,1000 | FileCheck %s --check-prefix=STATIC --match-full-lines
// RUN: quern opt %s --lower-quant-ops --emit=run --function dynamic --input 2x2xf32=1,2.5,-3,1000 | FileCheck %s --check-prefix=STATIC --match-full-lines
// RUN: quern opt %s --lower-quant-ops --emit=run --engine interpreter --function dynamic --input 2x2xf32=1,2.5,-3,1000 | FileCheck %s --check-prefix=STATIC --match-full-lines
// RUN: quern opt %s --lower-quant-ops --emit=run --function dynamic --input 2x3xf32=1 2>&1 | FileCheck %s --check-prefix=CHANNELS
// RUN: quern opt %s --lower-quant-ops --emit=run --function unranked --input 2x2x1xf32=1,2.5,-3,1000 | FileCheck %s --check-prefix=UNRANKED --match-full-lines
// RUN: quern opt %s --lower-quant-ops --emit=run --function unranked --input 2xf32=1 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: quern opt %s --lower-quant-ops --emit=run --function scalar --input "-7 : i8" | FileCheck %s --check-prefix=SCALAR --match-full-lines
// RUN: quern opt %s --lower-quant-ops --strip-func-quant-types --emit=run --function static --input 2x2xf32=1,2.5,-3,1000 | FileCheck %s --check-prefix=STRIPPED --match-full-lines
// RUN: quern opt %s --emit=run --function scalar --input "-7 : i8" 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: quern opt %s --emit=run --function half --input 2xf32=1 | FileCheck %s --check-prefix=HALF --match-full-lines
// RUN: quern opt %s --emit=run --function wide --input 2xf32=1 2>&1 | FileCheck %s --check-prefix=WIDE
// STATIC: dense<{{\[\[}}2, 7], [-6, 127{{\]\]}}> : tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:-3}>>
// STRIPPED: dense<{{\[\[}}2, 7], [-6, 127{{\]\]}}> : tensor<2x2xi8>
// CHANNELS: error: 'cf.assert' op failed: dimension size does not match the number of scales
// UNRANKED: dense<{{\[\[\[}}2], [7{{\]\]}}, {{\[\[}}-6], [127{{\]\]\]}}> : tensor<2x2x1x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:-3}>>
// RANK: error: 'cf.assert' op failed: rank does not exceed the quantized dimension
// SCALAR: -8.500000e+00 : f32
// CAST: error: 'quant.dcast' op has no machine code outside of a model: run lower-quant-ops first
// HALF: dense<[1.000000e+00, 1.000000e+00]> : tensor<2xf16>
// WIDE: error: 'func.func' op has elements of type 'tensor<2xf80>', which has no machine code
!axis = !quant.uniform<i8:f32:1, {0.5, 0.25:-3}>
!q = !quant.uniform<i8:f32, 0.5:10>
func.func @static(%x: tensor<2x2xf32>) -> tensor<2x2x!axis> {
  %0 = quant.qcast %x : tensor<2x2xf32> to tensor<2x2x!axis>
  return %0 : tensor<2x2x!axis>
}
func.func @dynamic(%x: tensor<?x?xf32>) -> tensor<?x?x!axis> {
  %0 = quant.qcast %x : tensor<?x?xf32> to tensor<?x?x!axis>
  return %0 : tensor<?x?x!axis>
}
func.func @unranked(%x: tensor<*xf32>) -> tensor<*x!axis> {
  %0 = quant.qcast %x : tensor<*xf32> to tensor<*x!axis>
  return %0 : tensor<*x!axis>
}
func.func @scalar(%x: i8) -> f32 {
  %0 = quant.scast %x : i8 to !q
  %1 = quant.dcast %0 : !q to f32
  return %1 : f32
}
func.func @half(%x: tensor<2xf16>) -> tensor<2xf16> {
  return %x : tensor<2xf16>
}
func.func @wide(%x: tensor<2xf80>) -> tensor<2xf80> {
  return %x : tensor<2xf80>
}
