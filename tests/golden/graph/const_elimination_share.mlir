// Two functions: each may grow by half of the module's limit. 1 MiB is within that share, 3 MiB are not.
// RUN: quern opt %s --const-elimination --dead-code-elimination | FileCheck %s
// CHECK-LABEL: func.func @within
// CHECK-NOT: ml.tile
func.func @within() -> tensor<256x1024xf32> {
  %c = "ml.const"() {value = dense<0.5> : tensor<1x1024xf32>} : () -> tensor<1x1024xf32>
  %0 = "ml.tile"(%c) {reps = array<i64: 256, 1>} : (tensor<1x1024xf32>) -> tensor<256x1024xf32>
  return %0 : tensor<256x1024xf32>
}
// CHECK-LABEL: func.func @beyond
// CHECK: ml.tile
func.func @beyond() -> tensor<768x1024xf32> {
  %c = "ml.const"() {value = dense<0.5> : tensor<1x1024xf32>} : () -> tensor<1x1024xf32>
  %0 = "ml.tile"(%c) {reps = array<i64: 768, 1>} : (tensor<1x1024xf32>) -> tensor<768x1024xf32>
  return %0 : tensor<768x1024xf32>
}
