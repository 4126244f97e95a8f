// Constants added to linear layers fold into their bias; cases that forbid it.
// RUN: quern opt %s --fuse-linear-bias | FileCheck %s

// CHECK-LABEL: func.func @less
// CHECK: %[[B:.*]] = "ml.const"() {value = dense<[-4.000000e+00, -6.000000e+00]>
// CHECK: "ml.linear"(%arg0, %{{.*}}, %[[B]]) :
func.func @less(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>) -> tensor<1x2xf32> {
  %b = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %k = "ml.const"() {value = dense<[[5.0, 7.0]]> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
  %0 = "ml.linear"(%x, %w, %b) : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %1 = "ml.sub"(%0, %k) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  return %1 : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @from_constant
// CHECK: dense<{{\[\[}}-1.000000e+00, -2.000000e+00], [-3.000000e+00, -4.000000e+00]]>
// CHECK: dense<[4.000000e+00, 6.000000e+00]>
// CHECK: ml.linear
// CHECK-NEXT: return
func.func @from_constant(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %b = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %k = "ml.const"() {value = dense<[5.0, 7.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.linear"(%x, %w, %b) : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %1 = "ml.sub"(%k, %0) : (tensor<2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  return %1 : tensor<1x2xf32>
}
// Unchanged: the result would lose a row, both product and sum are read, or the bias is not constant.
// CHECK-LABEL: func.func @larger
// CHECK: ml.add
func.func @larger(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %k = "ml.const"() {value = dense<1.0> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %0 = "ml.linear"(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %1 = "ml.add"(%0, %k) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
// CHECK-LABEL: func.func @used_twice
// CHECK: ml.add
func.func @used_twice(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %k = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.linear"(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %1 = "ml.add"(%0, %k) : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  return %0, %1 : tensor<1x2xf32>, tensor<1x2xf32>
}
// CHECK-LABEL: func.func @unknown_bias
// CHECK: ml.add
func.func @unknown_bias(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>, %b: tensor<2xf32>) -> tensor<1x2xf32> {
  %k = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.linear"(%x, %w, %b) : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %1 = "ml.add"(%0, %k) : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  return %1 : tensor<1x2xf32>
}
