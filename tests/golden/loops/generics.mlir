// linalg.generic is vectorized for a level with 32-byte vectors.
// RUN: quern opt %s --lower-to-loops --config cpu=x86-64-v3 | FileCheck %s
#whole = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#window = affine_map<(d0, d1, d2) -> (d0 * 2 + d2, d1)>
#taps = affine_map<(d0, d1, d2) -> (d2)>
#kept = affine_map<(d0, d1, d2) -> (d0, d1)>

// The sum of a row and the op that reads it are one kernel, row by row. A row is summed in 16 lanes, its remainder from the end of the last vector;
// then the lanes are added by halves.
// CHECK-LABEL: func.func private @rows_0(%arg0: memref<74xf32>, %arg1: memref<2xf32>
// CHECK: %[[EMPTY:.*]] = arith.constant dense<-0.000000e+00> : vector<16xf32>
// CHECK: scf.for {{.*}} step %c16 iter_args(%[[LANES:.*]] = %[[EMPTY]])
// CHECK: %[[X:.*]] = vector.load %arg0
// CHECK: arith.addf %[[LANES]], %[[X]] : vector<16xf32>
// CHECK: %[[LAST:.*]] = vector.load %arg0
// CHECK: vector.shuffle %[[LAST]], {{.*}} [11, 12, 13, 14, 15, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16]
// CHECK: arith.addf {{.*}} : vector<8xf32>
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: arith.addf {{.*}} : vector<2xf32>
// CHECK: arith.addf {{.*}} : vector<1xf32>

// A value that is constant along a row is loaded once.
// CHECK: %[[ROW:.*]] = memref.load %arg1
// CHECK: scf.for
// CHECK: %[[X:.*]] = vector.load %arg0
// CHECK: %[[B:.*]] = vector.broadcast %[[ROW]] : f32 to vector<8xf32>
// CHECK: arith.subf %[[X]], %[[B]] : vector<8xf32>

// A window is summed in the order of its taps, for eight columns at once.
// CHECK-LABEL: func.func private @generic_1
// CHECK: scf.for
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[ZERO]]) -> (vector<8xf32>)
// CHECK: %[[X:.*]] = vector.load
// CHECK: arith.addf %[[SUM]], %[[X]] : vector<8xf32>

// No elements are contiguous in both operands, so the loop stays scalar.
// CHECK-LABEL: func.func private @generic_2
// CHECK-NOT: vector.
// CHECK: return
func.func @main(%x: tensor<2x37xf32>, %w: tensor<9x16xf32>) -> (tensor<2x37xf32>, tensor<4x16xf32>, tensor<37x2xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<2xf32>
  %sum = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x37xf32>) outs(%zeros : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  %empty = tensor.empty() : tensor<2x37xf32>
  %centred = linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<2x37xf32>, tensor<2xf32>) outs(%empty : tensor<2x37xf32>) {
  ^bb0(%in: f32, %mean: f32, %out: f32):
    %s = arith.subf %in, %mean : f32
    linalg.yield %s : f32
  } -> tensor<2x37xf32>
  %none = arith.constant dense<0.0> : tensor<4x16xf32>
  %size = tensor.empty() : tensor<2xf32>
  %pooled = linalg.generic {indexing_maps = [#window, #taps, #kept], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w, %size : tensor<9x16xf32>, tensor<2xf32>) outs(%none : tensor<4x16xf32>) {
  ^bb0(%in: f32, %tap: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  %other = tensor.empty() : tensor<37x2xf32>
  %swapped = linalg.generic {indexing_maps = [#turned, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x37xf32>) outs(%other : tensor<37x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<37x2xf32>
  return %centred, %pooled, %swapped : tensor<2x37xf32>, tensor<4x16xf32>, tensor<37x2xf32>
}
