// Results of the lowering for each shape and granularity equal the results of the casts, where
// the interpreter supports them.
// MLIR-OPT: accepts
// RUN: quern opt %s --emit=interpret --function axis --input 'dense<[[1.3, 100.0], [2.6, -1000.0]]> : tensor<2x2xf32>' | FileCheck %s --check-prefix=AXIS
// RUN: quern opt %s --lower-quant-ops --emit=interpret --function axis --input 'dense<[[1.3, 100.0], [2.6, -1000.0]]> : tensor<2x2xf32>' | FileCheck %s --check-prefix=AXIS
// RUN: quern opt %s --lower-quant-ops --canonicalize --cse --emit=interpret --function axis --input 'dense<1.0> : tensor<3x2xf32>' 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: quern opt %s --emit=interpret --function unranked --input 'dense<[[1.3, 100.0], [2.6, -1000.0]]> : tensor<2x2xf32>' | FileCheck %s --check-prefix=UNRANKED
// RUN: quern opt %s --lower-quant-ops --canonicalize --cse --emit=interpret --function unranked --input 'dense<[[1.3, 100.0], [2.6, -1000.0]]> : tensor<2x2xf32>' | FileCheck %s --check-prefix=UNRANKED
// RUN: quern opt %s --lower-quant-ops --emit=interpret --function rank --input 'dense<1.0> : tensor<2xf32>' 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: quern opt %s --emit=interpret --function flat --input 'dense<[1.3, 100.0, -0.3]> : tensor<3xf32>' | FileCheck %s --check-prefix=FLAT
// RUN: quern opt %s --lower-quant-ops --emit=interpret --function flat --input 'dense<[1.3, 100.0, -0.3]> : tensor<3xf32>' | FileCheck %s --check-prefix=FLAT
// RUN: quern opt %s --lower-quant-ops=upstream-compatible --emit=interpret --function flat --input 'dense<[1.25, 3.0, -0.3]> : tensor<3xf32>' | FileCheck %s --check-prefix=FOLDED
// RUN: quern opt %s --lower-quant-ops --emit=interpret --function blocks --input 'dense<[[1.5, 2.5, 100.0, -4.0], [1.0, 0.3, -1000.0, 7.0]]> : tensor<2x4xf32>' | FileCheck %s --check-prefix=BLOCKS
// RUN: quern opt %s --lower-quant-ops --emit=interpret --function point --input 'dense<1.3> : tensor<f32>' | FileCheck %s --check-prefix=POINT
!a = !quant.uniform<i8:f32:0, {0.5:10, 1.0:-3}>
!b = !quant.uniform<u8:f32:{0:1, 1:2}, {{1.0:5, 2.0}, {0.25, 4.0:200}}>
!c = !quant.uniform<i8:f32:1, {0.5, 1.0}>
!l = !quant.uniform<i4<-7:7>:f32, 0.5>
// AXIS: {{\[\[}}13, 127], [0, -128]]
// AXIS-NEXT: {{\[\[}}1.500000e+00, 5.850000e+01], [3.000000e+00, -1.250000e+02]]
// SIZE: 'cf.assert' op failed: dimension size does not match the number of scales
func.func @axis(%x: tensor<?x2xf32>) -> (tensor<?x2xi8>, tensor<?x2xf32>) {
  %0 = quant.qcast %x : tensor<?x2xf32> to tensor<?x2x!a>
  %1 = quant.scast %0 : tensor<?x2x!a> to tensor<?x2xi8>
  %2 = quant.dcast %0 : tensor<?x2x!a> to tensor<?x2xf32>
  return %1, %2 : tensor<?x2xi8>, tensor<?x2xf32>
}
// UNRANKED: {{\[\[}}1.500000e+00, 5.850000e+01], [3.000000e+00, -1.250000e+02]]
func.func @unranked(%x: tensor<2x2xf32>) -> tensor<*xf32> {
  %u = tensor.cast %x : tensor<2x2xf32> to tensor<*xf32>
  %0 = quant.qcast %u : tensor<*xf32> to tensor<*x!a>
  %1 = quant.dcast %0 : tensor<*x!a> to tensor<*xf32>
  return %1 : tensor<*xf32>
}
// RANK: 'cf.assert' op failed: rank does not exceed the quantized dimension
func.func @rank(%x: tensor<2xf32>) -> tensor<*xf32> {
  %u = tensor.cast %x : tensor<2xf32> to tensor<*xf32>
  %0 = quant.qcast %u : tensor<*xf32> to tensor<*x!c>
  %1 = quant.dcast %0 : tensor<*x!c> to tensor<*xf32>
  return %1 : tensor<*xf32>
}
// FLAT: [1.500000e+00, 3.500000e+00, -5.000000e-01]
// FOLDED: [1.250000e+00, 3.000000e+00, -3.000000e-01]
func.func @flat(%x: tensor<?xf32>) -> tensor<*xf32> {
  %u = tensor.cast %x : tensor<?xf32> to tensor<*xf32>
  %0 = quant.qcast %u : tensor<*xf32> to tensor<*x!l>
  %1 = quant.dcast %0 : tensor<*x!l> to tensor<*xf32>
  return %1 : tensor<*xf32>
}
// BLOCKS: {{\[\[}}7, 7, 50, 0], [4, 1, 0, -54]]
// BLOCKS-NEXT: {{\[\[}}2.000000e+00, 2.000000e+00, 1.000000e+02, 0.000000e+00], [1.000000e+00, 2.500000e-01, -8.000000e+02, 8.000000e+00]]
func.func @blocks(%x: tensor<2x4xf32>) -> (tensor<2x4xi8>, tensor<2x4xf32>) {
  %0 = quant.qcast %x : tensor<2x4xf32> to tensor<2x4x!b>
  %1 = quant.scast %0 : tensor<2x4x!b> to tensor<2x4xi8>
  %2 = quant.dcast %0 : tensor<2x4x!b> to tensor<2x4xf32>
  return %1, %2 : tensor<2x4xi8>, tensor<2x4xf32>
}
// POINT: dense<1.500000e+00> : tensor<f32>
func.func @point(%x: tensor<f32>) -> tensor<f32> {
  %0 = quant.qcast %x : tensor<f32> to tensor<!l>
  %1 = quant.dcast %0 : tensor<!l> to tensor<f32>
  return %1 : tensor<f32>
}
