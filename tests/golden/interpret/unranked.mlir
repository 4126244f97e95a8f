// A quantized cast with a scale per index of dimension 1, on tensors of any rank: flattened around that
// dimension, computed, and restored. A tensor without such a dimension, or with another number of
// channels, is a run-time error.
// RUN: quern opt %s --emit=interpret --input 2x2x2xf32=1,2,3,4,5,6,7,-800 | FileCheck %s --check-prefix=RANK3 --match-full-lines
// RUN: quern opt %s --emit=interpret --input 1x2xf32=1.3,-1.3 | FileCheck %s --check-prefix=RANK2 --match-full-lines
// RUN: quern opt %s --emit=interpret --input 4xf32=1 2>&1 | FileCheck %s --check-prefix=RANK1
// RUN: quern opt %s --emit=interpret --input 2x3xf32=1 2>&1 | FileCheck %s --check-prefix=SIZE
// RANK3: dense<{{\[\[\[}}12, 14], [5, 6{{\]\]}}, {{\[\[}}20, 22], [9, -128{{\]\]\]}}> : tensor<2x2x2xi8>
// RANK2: dense<{{\[\[}}13, 1{{\]\]}}> : tensor<1x2xi8>
// RANK1: error: 'shape.split_at' op splits a shape of rank 1 at 2
// SIZE: error: 'tensor.reshape' op makes 4 elements of 6
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#channel = affine_map<(d0, d1, d2) -> (d1)>
func.func @main(%x: tensor<*xf32>) -> tensor<*xi8> {
  %axis = arith.constant 1 : index
  %after = arith.constant 2 : index
  %shape = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %outer:2 = "shape.split_at"(%shape, %axis) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  %left = shape.num_elements %outer#0 : tensor<?xindex> -> index
  %inner:2 = "shape.split_at"(%shape, %after) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  %right = shape.num_elements %inner#1 : tensor<?xindex> -> index
  %flat = tensor.from_elements %left, %after, %right : tensor<3xindex>
  %y = tensor.reshape %x(%flat) : (tensor<*xf32>, tensor<3xindex>) -> tensor<?x2x?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?x2x?xf32>
  %m = tensor.dim %y, %after : tensor<?x2x?xf32>
  %scales = arith.constant dense<[0.5, 1.0]> : tensor<2xf32>
  %zeros = arith.constant dense<[10, 2]> : tensor<2xi8>
  %to = tensor.empty(%n, %m) : tensor<?x2x?xi8>
  %z = linalg.generic {indexing_maps = [#id, #channel, #channel, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y, %scales, %zeros : tensor<?x2x?xf32>, tensor<2xf32>, tensor<2xi8>) outs(%to : tensor<?x2x?xi8>) {
  ^bb0(%in: f32, %scale: f32, %zero: i8, %out: i8):
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %0 = arith.divf %in, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.sitofp %zero : i8 to f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<?x2x?xi8>
  %r = tensor.reshape %z(%shape) : (tensor<?x2x?xi8>, tensor<?xindex>) -> tensor<*xi8>
  return %r : tensor<*xi8>
}
