// Rows of five elements, each with its own constant, are merged with the surrounding loop. In the kernel the constant is repeated
// for each element of a row; the constant that another loop reads stays unchanged. Results equal the interpreter's.
// RUN: quern opt %s --lower-to-loops --config cpu=x86-64-v3 | FileCheck %s --check-prefix=LOOPS
// RUN: quern opt %s --emit=interpret --function main --input 2x3x5xf32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,-1,-2,-3,-4,-5,-6,-7,-8,-9,-10,-11,-12,-13,-14,-15 | FileCheck %s --match-full-lines
// RUN: quern opt %s --emit=run --function main --input 2x3x5xf32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,-1,-2,-3,-4,-5,-6,-7,-8,-9,-10,-11,-12,-13,-14,-15 | FileCheck %s --match-full-lines
// CHECK: dense<{{\[}}{{\[}}[1.050000e+01, 1.100000e+01, 1.150000e+01, 1.200000e+01, 1.250000e+01], [2.300000e+01, 2.350000e+01, 2.400000e+01, 2.450000e+01, 2.500000e+01], [3.550000e+01, 3.600000e+01, 3.650000e+01, 3.700000e+01, 3.750000e+01]], {{\[}}[8.000000e+00, 6.000000e+00, 4.000000e+00, 2.000000e+00, 0.000000e+00], [8.000000e+00, 6.000000e+00, 4.000000e+00, 2.000000e+00, 0.000000e+00], [8.000000e+00, 6.000000e+00, 4.000000e+00, 2.000000e+00, 0.000000e+00]]]> : tensor<2x3x5xf32>
// LOOPS-LABEL: func.func private @generic_0(%arg0: memref<30xf32>, %arg1: memref<2xf32>, %arg2: memref<15xf32>
// LOOPS: vector.load %arg2[{{.*}}] : memref<15xf32>, vector<8xf32>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#outer = affine_map<(d0, d1, d2) -> (d0)>
#rows = affine_map<(d0, d1, d2) -> (d1)>
func.func @main(%x: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %a = arith.constant dense<[0.5, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %empty = tensor.empty() : tensor<2x3x5xf32>
  %y = linalg.generic {indexing_maps = [#all, #outer, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %a, %b : tensor<2x3x5xf32>, tensor<2xf32>, tensor<3xf32>) outs(%empty : tensor<2x3x5xf32>) {
  ^bb0(%in: f32, %factor: f32, %offset: f32, %out: f32):
    %p = arith.mulf %in, %factor : f32
    %s = arith.addf %p, %offset : f32
    linalg.yield %s : f32
  } -> tensor<2x3x5xf32>
  return %y : tensor<2x3x5xf32>
}
