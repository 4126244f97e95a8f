// Normalizations with and without parameters, with channels first and last, at the model stage and lowered.
// RUN: quern opt %s --emit=interpret --function batch --input "1x2x2xf32=1,2,3,4" | FileCheck %s --check-prefix=BATCH
// RUN: quern opt %s --lower-to-integer --emit=interpret --function batch --input "1x2x2xf32=1,2,3,4" | FileCheck %s --check-prefix=BATCH
// RUN: quern opt %s --emit=interpret --function layer --input "2x2xf32=1,3,-4,4" | FileCheck %s --check-prefix=LAYER
// RUN: quern opt %s --lower-to-integer --emit=interpret --function layer --input "2x2xf32=1,3,-4,4" | FileCheck %s --check-prefix=LAYER
// RUN: quern opt %s --emit=interpret --function instance --input "1x2x2xf32=1,3,-4,4" | FileCheck %s --check-prefix=INSTANCE
// RUN: quern opt %s --lower-to-integer --emit=interpret --function instance --input "1x2x2xf32=1,3,-4,4" | FileCheck %s --check-prefix=INSTANCE

// BATCH: dense<{{\[\[\[}}0.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00]]]> : tensor<1x2x2xf32>
// BATCH-NEXT: dense<{{\[\[\[}}3.000000e+00, 6.000000e+00], [1.000000e+00, -1.000000e+00]]]> : tensor<1x2x2xf32>
func.func @batch(%x: tensor<1x2x2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2x2xf32>) {
  %m = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "ml.const"() {value = dense<4.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %g = "ml.const"() {value = dense<[6.0, -4.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %b = "ml.const"() {value = dense<[3.0, 3.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.batch_norm"(%x, %m, %v) {axis = 2 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  %1 = "ml.batch_norm"(%x, %m, %v, %g, %b) {axis = 1 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  return %0, %1 : tensor<1x2x2xf32>, tensor<1x2x2xf32>
}
// LAYER: dense<{{\[\[}}-1.000000e+00, 1.000000e+00], [-1.000000e+00, 1.000000e+00]]> : tensor<2x2xf32>
// LAYER-NEXT: dense<{{\[\[}}-1.000000e+00, 5.000000e+00], [-1.000000e+00, 5.000000e+00]]> : tensor<2x2xf32>
func.func @layer(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %g = "ml.const"() {value = dense<[2.0, 4.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %b = "ml.const"() {value = dense<[1.0, 1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.layer_norm"(%x) {axes = array<i64: 1>, epsilon = 0.0 : f64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "ml.layer_norm"(%x, %g, %b) {axes = array<i64: 1>, epsilon = 0.0 : f64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}
// INSTANCE: dense<{{\[\[\[}}-1.000000e+00, 3.000000e+00], [-1.000000e+00, 3.000000e+00]]]> : tensor<1x2x2xf32>
// INSTANCE-NEXT: dense<{{\[\[\[}}1.000000e+00, -1.000000e+00], [-1.000000e+00, 1.000000e+00]]]> : tensor<1x2x2xf32>
func.func @instance(%x: tensor<1x2x2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2x2xf32>) {
  %g = "ml.const"() {value = dense<[2.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %b = "ml.const"() {value = dense<[1.0, 1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.instance_norm"(%x, %g, %b) {axis = 1 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  %1 = "ml.instance_norm"(%x) {axis = 2 : i64, epsilon = 0.0 : f64} : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %0, %1 : tensor<1x2x2xf32>, tensor<1x2x2xf32>
}
