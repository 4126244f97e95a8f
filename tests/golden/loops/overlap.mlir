// Elementary functions are computed for several vectors at once, so that their chains of ops overlap: four of exp, two of gelu,
// as a kernel of its own and after a matrix product.
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s
// MLIR-OPT: none
// CHECK-LABEL: func.func private @generic_0
// CHECK: math.exp %{{.*}} : vector<32xf32>
// CHECK-LABEL: func.func private @linear_1
// CHECK: quern.gelu{{.*}} vector<16xf32>
func.func @main(%x: tensor<4x64xf32>) -> (tensor<4x64xf32>, tensor<4x16xf32>) {
  %0 = "ml.exp"(%x) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %w = "ml.const"() {value = dense<0.25> : tensor<16x64xf32>} : () -> tensor<16x64xf32>
  %1 = "ml.linear"(%x, %w) : (tensor<4x64xf32>, tensor<16x64xf32>) -> tensor<4x16xf32>
  %2 = "ml.gelu"(%1) : (tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0, %2 : tensor<4x64xf32>, tensor<4x16xf32>
}
