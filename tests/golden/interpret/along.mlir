// Ops along an axis: cumulative sums, the largest elements, slices added at indices (an index outside is clamped),
// and functions of rows. Every stage gives the same result.
// RUN: quern opt %s --emit=interpret --function whole --input 2x4xi32=3,-1,3,7,5,5,5,5 --input 3x1xi32=1,9,1 --input 3xi32=10,20,30 | FileCheck %s --check-prefix=WHOLE --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function whole --input 2x4xi32=3,-1,3,7,5,5,5,5 --input 3x1xi32=1,9,1 --input 3xi32=10,20,30 | FileCheck %s --check-prefix=WHOLE --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function whole --input 2x4xi32=3,-1,3,7,5,5,5,5 --input 3x1xi32=1,9,1 --input 3xi32=10,20,30 | FileCheck %s --check-prefix=WHOLE --match-full-lines
// RUN: quern opt %s --emit=interpret --function real --input 1x1x2x3xf32=3,4,0,0,0,0 | FileCheck %s --check-prefix=REAL --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function real --input 1x1x2x3xf32=3,4,0,0,0,0 | FileCheck %s --check-prefix=REAL --match-full-lines
// WHOLE: dense<[{{\[}}3, 2, 5, 12], [5, 10, 15, 20]]> : tensor<2x4xi32>
// WHOLE-NEXT: dense<[{{\[}}0, 0, 0, 0], [3, -1, 3, 7]]> : tensor<2x4xi32>
// WHOLE-NEXT: dense<[{{\[}}3, 0, 2], [0, 1, 2]]> : tensor<2x3xi64>
// WHOLE-NEXT: dense<[0, 40, 0, 20]> : tensor<4xi32>
// REAL: dense<{{\[}}{{\[}}{{\[}}[6.000000e-01, 8.000000e-01, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00]]]]> : tensor<1x1x2x3xf32>
// REAL-NEXT: dense<{{\[}}{{\[}}{{\[}}[-1.32656264, -0.326562643, -4.32656288], [-1.09861231, -1.09861231, -1.09861231]]]]> : tensor<1x1x2x3xf32>
// REAL-NEXT: dense<{{\[}}{{\[}}{{\[}}[1.27920437, 1.08866215, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00]]]]> : tensor<1x1x2x3xf32>
func.func @whole(%x: tensor<2x4xi32>, %i: tensor<3x1xi32>, %u: tensor<3xi32>) -> (tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x3xi64>, tensor<4xi32>) {
  %0 = "ml.cumsum"(%x) {axis = 1 : i64} : (tensor<2x4xi32>) -> tensor<2x4xi32>
  %1 = "ml.cumsum"(%x) {axis = 0 : i64, exclusive = true} : (tensor<2x4xi32>) -> tensor<2x4xi32>
  %2 = "ml.top_indices"(%x) {k = 3 : i64} : (tensor<2x4xi32>) -> tensor<2x3xi64>
  %3 = "ml.scatter_nd"(%i, %u) : (tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>
  return %0, %1, %2, %3 : tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x3xi64>, tensor<4xi32>
}
func.func @real(%x: tensor<1x1x2x3xf32>) -> (tensor<1x1x2x3xf32>, tensor<1x1x2x3xf32>, tensor<1x1x2x3xf32>) {
  %0 = "ml.l2_norm"(%x) : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
  %1 = "ml.log_softmax"(%x) : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
  %2 = "ml.local_response_norm"(%x) {radius = 1 : i64, offset = 1.0 : f64, alpha = 0.5 : f64, beta = 0.5 : f64} : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
  return %0, %1, %2 : tensor<1x1x2x3xf32>, tensor<1x1x2x3xf32>, tensor<1x1x2x3xf32>
}
