// Named pipelines, upstream's spelling of pass names, and the results of sequences of passes.
// RUN: quern opt %s --pass-pipeline='builtin.module(func.func(common::fuse_conv_bias,merge_consecutive_relus))' --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: quern opt %s --graph-default | FileCheck %s
// RUN: quern opt %s --graph-default --graph-default | FileCheck %s
// RUN: quern opt %s --graph-exact | FileCheck %s --check-prefix=EXACT
// RUN: quern opt %s --pass-pipeline='builtin.module(func.func(common::fuse_conv_bia))' 2>&1 | FileCheck %s --check-prefix=NEAR
// NAMES: builtin.module(func.func(fuse-conv-bias,merge-consecutive-relus))
// NEAR: error: {{.*}}'common::fuse_conv_bia'

// CHECK-LABEL: func.func @cleaned
// CHECK-NEXT: %[[W:.*]] = "ml.const"
// CHECK-NEXT: %[[B:.*]] = "ml.const"
// CHECK-NEXT: %[[Y:.*]] = "ml.linear"(%arg0, %[[W]], %[[B]])
// CHECK-NEXT: %[[R:.*]] = "ml.relu"(%[[Y]])
// CHECK-NEXT: return %[[R]], %[[R]]
// EXACT-LABEL: func.func @cleaned
// EXACT: ml.linear
// EXACT-NEXT: ml.add
// EXACT-NEXT: ml.relu
// EXACT-NEXT: return
func.func @cleaned(%x: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %k = "ml.const"() {value = dense<[5.0, 7.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %t = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<1x2xf32>) -> tensor<2x1xf32>
  %u = "ml.transpose"(%t) {perm = array<i64: 1, 0>} : (tensor<2x1xf32>) -> tensor<1x2xf32>
  %0 = "ml.linear"(%u, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %1 = "ml.add"(%0, %k) : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %2 = "ml.relu"(%1) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %3 = "ml.relu"(%1) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %2, %3 : tensor<1x2xf32>, tensor<1x2xf32>
}
