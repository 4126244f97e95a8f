// Data movement on stored values: accepted types and ranks. An index outside of its dimension is clamped
// to the nearest valid one. The lowered form gives the same result.
// RUN: quern opt %s --emit=interpret --function arranged --input "1x2x2x4xi8=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16" --input "3xi32=0,1,9" | FileCheck %s --check-prefix=ARRANGED --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function arranged --input "1x2x2x4xi8=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16" --input "3xi32=0,1,9" | FileCheck %s --check-prefix=ARRANGED --match-full-lines
// RUN: quern opt %s --emit=interpret --function resized --input "1x2x2x1xi8=0,10,-20,31" --input "1x2x2x1xf32=0,10,-20,31" | FileCheck %s --check-prefix=RESIZED --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function resized --input "1x2x2x1xi8=0,10,-20,31" --input "1x2x2x1xf32=0,10,-20,31" | FileCheck %s --check-prefix=RESIZED --match-full-lines
// RUN: quern opt %s --lower-to-integer | FileCheck %s --check-prefix=NOTHING
// ARRANGED: dense<[{{\[}}[{{\[}}[1, 2, 3, 4], [5, 6, 7, 8]], [{{\[}}9, 10, 11, 12], [13, 14, 15, 16]]], [{{\[}}[1, 2, 3, 4], [5, 6, 7, 8]], [{{\[}}9, 10, 11, 12], [13, 14, 15, 16]]]]]> : tensor<1x2x2x2x4xi8>
// ARRANGED-NEXT: dense<[{{\[}}[{{\[}}1, 2, 3, 4], [5, 6, 7, 8], [1, 2, 3, 4], [5, 6, 7, 8]], [{{\[}}9, 10, 11, 12], [13, 14, 15, 16], [9, 10, 11, 12], [13, 14, 15, 16]]]]> : tensor<1x2x4x4xi8>
// ARRANGED-NEXT: dense<[{{\[}}[{{\[}}12, 11, 10, 9], [16, 15, 14, 13]], [{{\[}}4, 3, 2, 1], [8, 7, 6, 5]]]]> : tensor<1x2x2x4xi8>
// ARRANGED-NEXT: dense<[{{\[}}[{{\[}}3, 2, 1, 2, 3, 4, 3], [7, 6, 5, 6, 7, 8, 7]], [{{\[}}11, 10, 9, 10, 11, 12, 11], [15, 14, 13, 14, 15, 16, 15]]]]> : tensor<1x2x2x7xi8>
// ARRANGED-NEXT: dense<[{{\[}}[{{\[}}2, 1, 1, 2, 3, 4, 4], [6, 5, 5, 6, 7, 8, 8]], [{{\[}}10, 9, 9, 10, 11, 12, 12], [14, 13, 13, 14, 15, 16, 16]]]]> : tensor<1x2x2x7xi8>
// ARRANGED-NEXT: dense<[{{\[}}[{{\[}}1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]]]]> : tensor<1x1x1x16xi8>
// ARRANGED-NEXT: dense<[{{\[}}[{{\[}}1], [2], [5], [6]], [{{\[}}3], [4], [7], [8]], [{{\[}}9], [10], [13], [14]], [{{\[}}11], [12], [15], [16]]]]> : tensor<1x4x4x1xi8>
// ARRANGED-NEXT: dense<[{{\[}}[{{\[}}1, 2, 3, 4], [5, 6, 7, 8]]], [{{\[}}[9, 10, 11, 12], [13, 14, 15, 16]]]]> : tensor<2x1x2x4xi8>
// ARRANGED-NEXT: dense<[{{\[}}[{{\[}}1, 2, 3, 4], [5, 6, 7, 8]]]]> : tensor<1x1x2x4xi8>
// ARRANGED-NEXT: dense<[{{\[}}[{{\[}}1, 2, 4], [5, 6, 8]], [{{\[}}9, 10, 12], [13, 14, 16]]]]> : tensor<1x2x2x3xi8>
// ARRANGED-NEXT: dense<[{{\[}}13, 14, 15, 16]]> : tensor<1x4xi8>
// ARRANGED-NEXT: dense<[{{\[}}[{{\[}}5, 6, 7, 8]], [{{\[}}13, 14, 15, 16]], [{{\[}}13, 14, 15, 16]]]]> : tensor<1x3x1x4xi8>
// RESIZED: dense<[{{\[}}[{{\[}}0], [7], [10]], [{{\[}}-13], [12], [24]], [{{\[}}-20], [14], [31]]]]> : tensor<1x3x3x1x{{.*}}>
// RESIZED-NEXT: dense<[{{\[}}[{{\[}}0.000000e+00], [6.66666698], [1.000000e+01]], [{{\[}}-13.333334], [11.5555563], [2.400000e+01]], [{{\[}}-2.000000e+01], [14.0000019], [3.100000e+01]]]]> : tensor<1x3x3x1xf32>
// RESIZED-NEXT: dense<[{{\[}}[{{\[}}0], [5], [10]], [{{\[}}-10], [5], [21]], [{{\[}}-20], [6], [31]]]]> : tensor<1x3x3x1x{{.*}}>
// RESIZED-NEXT: dense<[{{\[}}[{{\[}}0.000000e+00], [5.000000e+00], [1.000000e+01]], [{{\[}}-1.000000e+01], [5.250000e+00], [2.050000e+01]], [{{\[}}-2.000000e+01], [5.500000e+00], [3.100000e+01]]]]> : tensor<1x3x3x1xf32>
// RESIZED-NEXT: dense<[{{\[}}[{{\[}}0], [5], [10]], [{{\[}}-10], [5], [21]], [{{\[}}-20], [6], [31]]]]> : tensor<1x3x3x1x{{.*}}>
// RESIZED-NEXT: dense<[{{\[}}[{{\[}}0.000000e+00], [5.000000e+00], [1.000000e+01]], [{{\[}}-1.000000e+01], [5.250000e+00], [2.050000e+01]], [{{\[}}-2.000000e+01], [5.49999952], [3.100000e+01]]]]> : tensor<1x3x3x1xf32>
func.func @arranged(%x: tensor<1x2x2x4xi8>, %i: tensor<3xi32>) -> (tensor<1x2x2x2x4xi8>, tensor<1x2x4x4xi8>, tensor<1x2x2x4xi8>, tensor<1x2x2x7xi8>, tensor<1x2x2x7xi8>, tensor<1x1x1x16xi8>, tensor<1x4x4x1xi8>, tensor<2x1x2x4xi8>, tensor<1x1x2x4xi8>, tensor<1x2x2x3xi8>, tensor<1x4xi8>, tensor<1x3x1x4xi8>) {
  %stack = "ml.stack"(%x, %x) {axis = 1 : i64} : (tensor<1x2x2x4xi8>, tensor<1x2x2x4xi8>) -> tensor<1x2x2x2x4xi8>
  %tile = "ml.tile"(%x) {reps = array<i64: 1, 1, 2, 1>} : (tensor<1x2x2x4xi8>) -> tensor<1x2x4x4xi8>
  %reverse = "ml.reverse"(%x) {axes = array<i64: 1, 3>} : (tensor<1x2x2x4xi8>) -> tensor<1x2x2x4xi8>
  %reflect = "ml.mirror_pad"(%x) {mode = "reflect", pad = array<i64: 0, 0, 0, 0, 0, 0, 2, 1>} : (tensor<1x2x2x4xi8>) -> tensor<1x2x2x7xi8>
  %symmetric = "ml.mirror_pad"(%x) {mode = "symmetric", pad = array<i64: 0, 0, 0, 0, 0, 0, 2, 1>} : (tensor<1x2x2x4xi8>) -> tensor<1x2x2x7xi8>
  %depth = "ml.space_to_depth"(%x) {block_shape = array<i64: 2>} : (tensor<1x2x2x4xi8>) -> tensor<1x1x1x16xi8>
  %space = "ml.depth_to_space"(%x) {block_shape = array<i64: 2>} : (tensor<1x2x2x4xi8>) -> tensor<1x4x4x1xi8>
  %batch = "ml.space_to_batch"(%x) {block_shape = array<i64: 2, 1>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x2x2x4xi8>) -> tensor<2x1x2x4xi8>
  %back = "ml.batch_to_space"(%batch) {block_shape = array<i64: 2, 1>, crops = array<i64: 0, 1, 0, 0>} : (tensor<2x1x2x4xi8>) -> tensor<1x1x2x4xi8>
  %gather = "ml.gather"(%x, %i) {axis = 3 : i64} : (tensor<1x2x2x4xi8>, tensor<3xi32>) -> tensor<1x2x2x3xi8>
  %v = "ml.reshape"(%i) : (tensor<3xi32>) -> tensor<1x3xi32>
  %nd = "ml.gather_nd"(%x, %v) : (tensor<1x2x2x4xi8>, tensor<1x3xi32>) -> tensor<1x4xi8>
  %near = "ml.resize_nearest_neighbor"(%x) {sampling_mode = "half_pixel"} : (tensor<1x2x2x4xi8>) -> tensor<1x3x1x4xi8>
  return %stack, %tile, %reverse, %reflect, %symmetric, %depth, %space, %batch, %back, %gather, %nd, %near : tensor<1x2x2x2x4xi8>, tensor<1x2x4x4xi8>, tensor<1x2x2x4xi8>, tensor<1x2x2x7xi8>, tensor<1x2x2x7xi8>, tensor<1x1x1x16xi8>, tensor<1x4x4x1xi8>, tensor<2x1x2x4xi8>, tensor<1x1x2x4xi8>, tensor<1x2x2x3xi8>, tensor<1x4xi8>, tensor<1x3x1x4xi8>
}
func.func @resized(%x: tensor<1x2x2x1xi8>, %y: tensor<1x2x2x1xf32>) -> (tensor<1x3x3x1x!quant.uniform<i8:f32, 0.5>>, tensor<1x3x3x1xf32>, tensor<1x3x3x1x!quant.uniform<i8:f32, 0.5>>, tensor<1x3x3x1xf32>, tensor<1x3x3x1x!quant.uniform<i8:f32, 0.5>>, tensor<1x3x3x1xf32>) {
  %q = quant.scast %x : tensor<1x2x2x1xi8> to tensor<1x2x2x1x!quant.uniform<i8:f32, 0.5>>
  %s0 = "ml.resize_bilinear"(%q) {sampling_mode = "asymmetric"} : (tensor<1x2x2x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x3x3x1x!quant.uniform<i8:f32, 0.5>>
  %f0 = "ml.resize_bilinear"(%y) {sampling_mode = "asymmetric"} : (tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32>
  %s1 = "ml.resize_bilinear"(%q) {sampling_mode = "align_corners"} : (tensor<1x2x2x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x3x3x1x!quant.uniform<i8:f32, 0.5>>
  %f1 = "ml.resize_bilinear"(%y) {sampling_mode = "align_corners"} : (tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32>
  %s2 = "ml.resize_bilinear"(%q) {sampling_mode = "half_pixel"} : (tensor<1x2x2x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x3x3x1x!quant.uniform<i8:f32, 0.5>>
  %f2 = "ml.resize_bilinear"(%y) {sampling_mode = "half_pixel"} : (tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32>
  return %s0, %f0, %s1, %f1, %s2, %f2 : tensor<1x3x3x1x!quant.uniform<i8:f32, 0.5>>, tensor<1x3x3x1xf32>, tensor<1x3x3x1x!quant.uniform<i8:f32, 0.5>>, tensor<1x3x3x1xf32>, tensor<1x3x3x1x!quant.uniform<i8:f32, 0.5>>, tensor<1x3x3x1xf32>
}
// An op that changes nothing stays an op, so that the model's tensor exists.
// NOTHING-LABEL: @nothing
// NOTHING: "ml.reshape"(%arg0) {quern.tensors = array<i64: 2>}
func.func @nothing(%x: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %y = "ml.tile"(%x) {quern.tensors = array<i64: 2>, reps = array<i64: 1, 1>} : (tensor<2x3xi8>) -> tensor<2x3xi8>
  return %y : tensor<2x3xi8>
}
