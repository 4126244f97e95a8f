// A convolution over one dimension, written as a 2-D one between expand_dims and squeeze; cases that must stay 2-D.
// RUN: quern opt %s --compose-conv1d | FileCheck %s
// RUN: quern opt %s --compose-conv1d --compose-conv1d | FileCheck %s
// RUN: quern opt %s --compose-conv1d --fuse-conv-scale --fuse-conv-bias --fuse-conv-batchnorm --const-elimination --dead-code-elimination | FileCheck %s --check-prefix=ALONE
// RUN: quern opt %s --compose-conv1d --emit=interpret --function numbers --input "1x3x1xf32=1,2,4" | FileCheck %s --check-prefix=NUMBERS
// RUN: quern opt %s --emit=interpret --function numbers --input "1x3x1xf32=1,2,4" | FileCheck %s --check-prefix=NUMBERS
!q = !quant.uniform<i8:f32, 0.5:1>
!p = !quant.uniform<i8:f32, 0.25:1>
!w = !quant.uniform<i8<-127:127>:f32:0, {0.125, 0.5}>

// CHECK-LABEL: func.func @columns
// CHECK-NEXT: %[[X:.*]] = "ml.expand_dims"(%arg0) {axes = array<i64: 1>} : (tensor<1x8x4xf32>) -> tensor<1x1x8x4xf32>
// CHECK-NEXT: %[[W:.*]] = "ml.reshape"(%arg1) : (tensor<5x3x1x4xf32>) -> tensor<5x1x3x4xf32>
// CHECK-NEXT: %[[Y:.*]] = "ml.conv"(%[[X]], %[[W]]) {dilations = array<i64: 1, 3>, groups = 1 : i64, pad = array<i64: 0, 0, 1, 2>, strides = array<i64: 1, 2>} : {{.*}} -> tensor<1x1x3x5xf32>
// CHECK-NEXT: "ml.squeeze"(%[[Y]]) {axes = array<i64: 1>}
// CHECK-NEXT: return
func.func @columns(%x: tensor<1x8x4xf32>, %w: tensor<5x3x1x4xf32>) -> tensor<1x3x5xf32> {
  %0 = "ml.expand_dims"(%x) {axes = array<i64: 2>} : (tensor<1x8x4xf32>) -> tensor<1x8x1x4xf32>
  %1 = "ml.conv"(%0, %w) {dilations = array<i64: 3, 1>, pad = array<i64: 1, 2, 0, 0>, strides = array<i64: 2, 5>, groups = 1 : i64} : (tensor<1x8x1x4xf32>, tensor<5x3x1x4xf32>) -> tensor<1x3x1x5xf32>
  %2 = "ml.squeeze"(%1) {axes = array<i64: 2>} : (tensor<1x3x1x5xf32>) -> tensor<1x3x5xf32>
  return %2 : tensor<1x3x5xf32>
}
// With channels first, the transposes are rewritten for three dimensions.
// CHECK-LABEL: func.func @channels_first
// CHECK-NEXT: %[[T:.*]] = "ml.transpose"(%arg0) {perm = array<i64: 0, 2, 1>} : (tensor<1x4x8xf32>) -> tensor<1x8x4xf32>
// CHECK-NEXT: %[[X:.*]] = "ml.expand_dims"(%[[T]]) {axes = array<i64: 1>}
// CHECK-NEXT: %[[Y:.*]] = "ml.conv"(%[[X]], %arg1)
// CHECK-NEXT: %[[S:.*]] = "ml.squeeze"(%[[Y]]) {axes = array<i64: 1>}
// CHECK-NEXT: "ml.transpose"(%[[S]]) {perm = array<i64: 0, 2, 1>} : (tensor<1x6x5xf32>) -> tensor<1x5x6xf32>
// CHECK-NEXT: return
func.func @channels_first(%x: tensor<1x4x8xf32>, %w: tensor<5x1x3x4xf32>) -> tensor<1x5x6xf32> {
  %0 = "ml.expand_dims"(%x) {axes = array<i64: 2>} : (tensor<1x4x8xf32>) -> tensor<1x4x1x8xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x4x1x8xf32>) -> tensor<1x1x8x4xf32>
  %2 = "ml.conv"(%1, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x1x8x4xf32>, tensor<5x1x3x4xf32>) -> tensor<1x1x6x5xf32>
  %3 = "ml.transpose"(%2) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x1x6x5xf32>) -> tensor<1x5x1x6xf32>
  %4 = "ml.squeeze"(%3) {axes = array<i64: 2>} : (tensor<1x5x1x6xf32>) -> tensor<1x5x6xf32>
  return %4 : tensor<1x5x6xf32>
}
// The dimension is inserted as the last one and dropped as the second.
// CHECK-LABEL: func.func @elsewhere
// CHECK-NEXT: ml.transpose
// CHECK-NEXT: ml.expand_dims
// CHECK-NEXT: ml.reshape
// CHECK-NEXT: ml.depthwise_conv
// CHECK-NEXT: ml.squeeze
// CHECK-NEXT: return
func.func @elsewhere(%x: tensor<1x4x8xf32>, %w: tensor<1x3x1x4xf32>) -> tensor<1x6x4xf32> {
  %0 = "ml.expand_dims"(%x) {axes = array<i64: 3>} : (tensor<1x4x8xf32>) -> tensor<1x4x8x1xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x4x8x1xf32>) -> tensor<1x8x1x4xf32>
  %2 = "ml.depthwise_conv"(%1, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x8x1x4xf32>, tensor<1x3x1x4xf32>) -> tensor<1x6x1x4xf32>
  %3 = "ml.transpose"(%2) {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x6x1x4xf32>) -> tensor<1x1x6x4xf32>
  %4 = "ml.squeeze"(%3) {axes = array<i64: 1>} : (tensor<1x1x6x4xf32>) -> tensor<1x6x4xf32>
  return %4 : tensor<1x6x4xf32>
}
// CHECK-LABEL: func.func @quantized
// CHECK: "ml.const"() {{.*}} -> tensor<2x1x3x4x!quant
// CHECK-NEXT: "ml.conv"({{.*}}) {activation = "relu"
// CHECK-NEXT: "ml.squeeze"({{.*}}) {axes = array<i64: 1>}
func.func @quantized(%x: tensor<1x8x4x!q>) -> tensor<1x6x2x!p> {
  %w = "ml.const"() {value = dense<3> : tensor<2x3x1x4xi8>} : () -> tensor<2x3x1x4x!w>
  %0 = "ml.expand_dims"(%x) {axes = array<i64: 2>} : (tensor<1x8x4x!q>) -> tensor<1x8x1x4x!q>
  %1 = "ml.conv"(%0, %w) {activation = "relu", dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x1x4x!q>, tensor<2x3x1x4x!w>) -> tensor<1x6x1x2x!p>
  %2 = "ml.squeeze"(%1) {axes = array<i64: 2>} : (tensor<1x6x1x2x!p>) -> tensor<1x6x2x!p>
  return %2 : tensor<1x6x2x!p>
}
// Ops after the squeeze move up to the convolution and fold into it: 10 - 3 (2 1 + 2), 10 - 3 (2 2 + 4).
// CHECK-LABEL: func.func @numbers
// CHECK: "ml.conv"
// CHECK-NEXT: "ml.mul"({{.*}}tensor<1x1x2x1xf32>
// CHECK-NEXT: "ml.sub"({{.*}}tensor<1x1x2x1xf32>
// CHECK-NEXT: "ml.batch_norm"({{.*}}) {axis = 3 : i64
// CHECK-NEXT: ml.squeeze
// CHECK-NEXT: return
// ALONE-LABEL: func.func @numbers
// ALONE-NEXT: ml.expand_dims
// ALONE-NEXT: "ml.const"() {value = dense<{{.*}}-6.000000e+00], [-3.000000e+00]
// ALONE-NEXT: "ml.const"() {value = dense<1.000000e+01>
// ALONE-NEXT: ml.conv
// ALONE-NEXT: ml.squeeze
// ALONE-NEXT: return
// NUMBERS: dense<{{\[\[\[}}-2.000000e+00], [-1.400000e+01]]]>
func.func @numbers(%x: tensor<1x3x1xf32>) -> tensor<1x2x1xf32> {
  %w = "ml.const"() {value = dense<[[[[2.0], [1.0]]]]> : tensor<1x1x2x1xf32>} : () -> tensor<1x1x2x1xf32>
  %k = "ml.const"() {value = dense<3.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %t = "ml.const"() {value = dense<10.0> : tensor<f32>} : () -> tensor<f32>
  %zero = "ml.const"() {value = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %one = "ml.const"() {value = dense<1.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "ml.expand_dims"(%x) {axes = array<i64: 1>} : (tensor<1x3x1xf32>) -> tensor<1x1x3x1xf32>
  %1 = "ml.conv"(%0, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x1x3x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
  %2 = "ml.squeeze"(%1) {axes = array<i64: 1>} : (tensor<1x1x2x1xf32>) -> tensor<1x2x1xf32>
  %3 = "ml.mul"(%2, %k) : (tensor<1x2x1xf32>, tensor<1xf32>) -> tensor<1x2x1xf32>
  %4 = "ml.sub"(%t, %3) : (tensor<f32>, tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
  %5 = "ml.batch_norm"(%4, %zero, %one) {axis = 2 : i64, epsilon = 0.0 : f64} : (tensor<1x2x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x1xf32>
  return %5 : tensor<1x2x1xf32>
}
// Unchanged: padding along the dimension of size 1, or a kernel wider than 1 along it.
// CHECK-LABEL: func.func @bordered
// CHECK: "ml.expand_dims"(%arg0) {axes = array<i64: 2>}
// CHECK: "ml.squeeze"({{.*}}) {axes = array<i64: 2>}
func.func @bordered(%x: tensor<1x8x4xf32>, %w: tensor<5x3x1x4xf32>) -> tensor<1x6x5xf32> {
  %0 = "ml.expand_dims"(%x) {axes = array<i64: 2>} : (tensor<1x8x4xf32>) -> tensor<1x8x1x4xf32>
  %1 = "ml.conv"(%0, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 1>, strides = array<i64: 1, 2>, groups = 1 : i64} : (tensor<1x8x1x4xf32>, tensor<5x3x1x4xf32>) -> tensor<1x6x1x5xf32>
  %2 = "ml.squeeze"(%1) {axes = array<i64: 2>} : (tensor<1x6x1x5xf32>) -> tensor<1x6x5xf32>
  return %2 : tensor<1x6x5xf32>
}
// CHECK-LABEL: func.func @wide
// CHECK: "ml.expand_dims"(%arg0) {axes = array<i64: 2>}
// CHECK: "ml.squeeze"({{.*}}) {axes = array<i64: 2>}
func.func @wide(%x: tensor<1x8x4xf32>, %w: tensor<5x3x2x4xf32>) -> tensor<1x6x5xf32> {
  %0 = "ml.expand_dims"(%x) {axes = array<i64: 2>} : (tensor<1x8x4xf32>) -> tensor<1x8x1x4xf32>
  %1 = "ml.conv"(%0, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 1>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x1x4xf32>, tensor<5x3x2x4xf32>) -> tensor<1x6x1x5xf32>
  %2 = "ml.squeeze"(%1) {axes = array<i64: 2>} : (tensor<1x6x1x5xf32>) -> tensor<1x6x5xf32>
  return %2 : tensor<1x6x5xf32>
}
// Unchanged: an intermediate value is returned or has a second reader.
// CHECK-LABEL: func.func @conv_returned
// CHECK: "ml.expand_dims"(%arg0) {axes = array<i64: 2>}
// CHECK: "ml.squeeze"({{.*}}) {axes = array<i64: 2>}
func.func @conv_returned(%x: tensor<1x8x4xf32>, %w: tensor<5x3x1x4xf32>) -> (tensor<1x6x5xf32>, tensor<1x6x1x5xf32>) {
  %0 = "ml.expand_dims"(%x) {axes = array<i64: 2>} : (tensor<1x8x4xf32>) -> tensor<1x8x1x4xf32>
  %1 = "ml.conv"(%0, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x1x4xf32>, tensor<5x3x1x4xf32>) -> tensor<1x6x1x5xf32>
  %2 = "ml.squeeze"(%1) {axes = array<i64: 2>} : (tensor<1x6x1x5xf32>) -> tensor<1x6x5xf32>
  return %2, %1 : tensor<1x6x5xf32>, tensor<1x6x1x5xf32>
}
// CHECK-LABEL: func.func @expanded_used
// CHECK: "ml.expand_dims"(%arg0) {axes = array<i64: 2>}
// CHECK: "ml.squeeze"({{.*}}) {axes = array<i64: 2>}
func.func @expanded_used(%x: tensor<1x8x4xf32>, %w: tensor<5x3x1x4xf32>) -> (tensor<1x6x5xf32>, tensor<1x8x1x4xf32>) {
  %0 = "ml.expand_dims"(%x) {axes = array<i64: 2>} : (tensor<1x8x4xf32>) -> tensor<1x8x1x4xf32>
  %1 = "ml.conv"(%0, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x1x4xf32>, tensor<5x3x1x4xf32>) -> tensor<1x6x1x5xf32>
  %2 = "ml.squeeze"(%1) {axes = array<i64: 2>} : (tensor<1x6x1x5xf32>) -> tensor<1x6x5xf32>
  %3 = "ml.relu"(%0) : (tensor<1x8x1x4xf32>) -> tensor<1x8x1x4xf32>
  return %2, %3 : tensor<1x6x5xf32>, tensor<1x8x1x4xf32>
}
// Unchanged: the squeeze drops the other dimension, which the kernel has reduced to size 1.
// CHECK-LABEL: func.func @other_dropped
// CHECK: "ml.expand_dims"(%arg0) {axes = array<i64: 2>}
// CHECK: "ml.squeeze"({{.*}}) {axes = array<i64: 1>}
func.func @other_dropped(%x: tensor<1x3x4xf32>, %w: tensor<5x3x1x4xf32>) -> tensor<1x1x5xf32> {
  %0 = "ml.expand_dims"(%x) {axes = array<i64: 2>} : (tensor<1x3x4xf32>) -> tensor<1x3x1x4xf32>
  %1 = "ml.conv"(%0, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x3x1x4xf32>, tensor<5x3x1x4xf32>) -> tensor<1x1x1x5xf32>
  %2 = "ml.squeeze"(%1) {axes = array<i64: 1>} : (tensor<1x1x1x5xf32>) -> tensor<1x1x5xf32>
  return %2 : tensor<1x1x5xf32>
}
// A two-dimensional constant and a non-constant value stay after the squeeze.
// CHECK-LABEL: func.func @other_terms
// CHECK: ml.squeeze
// CHECK-NEXT: ml.add
// CHECK-NEXT: ml.add
// CHECK-NEXT: return
func.func @other_terms(%x: tensor<1x8x4xf32>, %w: tensor<5x1x3x4xf32>, %k: tensor<5xf32>) -> tensor<1x6x5xf32> {
  %c = "ml.const"() {value = dense<1.0> : tensor<6x1xf32>} : () -> tensor<6x1xf32>
  %0 = "ml.expand_dims"(%x) {axes = array<i64: 1>} : (tensor<1x8x4xf32>) -> tensor<1x1x8x4xf32>
  %1 = "ml.conv"(%0, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x1x8x4xf32>, tensor<5x1x3x4xf32>) -> tensor<1x1x6x5xf32>
  %2 = "ml.squeeze"(%1) {axes = array<i64: 1>} : (tensor<1x1x6x5xf32>) -> tensor<1x6x5xf32>
  %3 = "ml.add"(%2, %c) : (tensor<1x6x5xf32>, tensor<6x1xf32>) -> tensor<1x6x5xf32>
  %4 = "ml.add"(%3, %k) : (tensor<1x6x5xf32>, tensor<5xf32>) -> tensor<1x6x5xf32>
  return %4 : tensor<1x6x5xf32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK-NEXT: "ml.expand_dims"(%arg1) {axes = array<i64: 1>}
func.func @in_branch(%c: i1, %x: tensor<1x8x4xf32>, %w: tensor<4x1x1x4xf32>) -> tensor<1x8x4xf32> {
  %y = scf.if %c -> (tensor<1x8x4xf32>) {
    %0 = "ml.expand_dims"(%x) {axes = array<i64: 2>} : (tensor<1x8x4xf32>) -> tensor<1x8x1x4xf32>
    %1 = "ml.conv"(%0, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x1x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x8x1x4xf32>
    %2 = "ml.squeeze"(%1) {axes = array<i64: 2>} : (tensor<1x8x1x4xf32>) -> tensor<1x8x4xf32>
    scf.yield %2 : tensor<1x8x4xf32>
  } else {
    scf.yield %x : tensor<1x8x4xf32>
  }
  return %y : tensor<1x8x4xf32>
}
// Per-channel constants of rank 3 fold, with channels last and with channels first.
// CHECK-LABEL: func.func @channels_of_three
// CHECK: %[[K:.*]] = "ml.const"() {value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>}
// CHECK: "ml.add"(%{{.*}}, %[[K]]) : (tensor<2x1x8x2xf32>, tensor<2xf32>)
// CHECK-NEXT: ml.squeeze
// CHECK-NEXT: return
func.func @channels_of_three(%x: tensor<2x8x1xf32>, %w: tensor<2x1x1x1xf32>) -> tensor<2x8x2xf32> {
  %k = "ml.const"() {value = dense<[[[1.0, 2.0]]]> : tensor<1x1x2xf32>} : () -> tensor<1x1x2xf32>
  %0 = "ml.expand_dims"(%x) {axes = array<i64: 1>} : (tensor<2x8x1xf32>) -> tensor<2x1x8x1xf32>
  %1 = "ml.conv"(%0, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<2x1x8x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x8x2xf32>
  %2 = "ml.squeeze"(%1) {axes = array<i64: 1>} : (tensor<2x1x8x2xf32>) -> tensor<2x8x2xf32>
  %3 = "ml.add"(%2, %k) : (tensor<2x8x2xf32>, tensor<1x1x2xf32>) -> tensor<2x8x2xf32>
  return %3 : tensor<2x8x2xf32>
}
// CHECK-LABEL: func.func @channels_in_the_middle
// CHECK: %[[K:.*]] = "ml.const"() {value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>}
// CHECK: "ml.sub"(%[[K]], %{{.*}}) : (tensor<2xf32>, tensor<2x1x8x2xf32>)
// CHECK-NEXT: ml.squeeze
// CHECK-NEXT: ml.transpose
// CHECK-NEXT: return
func.func @channels_in_the_middle(%x: tensor<2x8x1xf32>, %w: tensor<2x1x1x1xf32>) -> tensor<2x2x8xf32> {
  %k = "ml.const"() {value = dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>} : () -> tensor<1x2x1xf32>
  %0 = "ml.expand_dims"(%x) {axes = array<i64: 1>} : (tensor<2x8x1xf32>) -> tensor<2x1x8x1xf32>
  %1 = "ml.conv"(%0, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<2x1x8x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x8x2xf32>
  %2 = "ml.squeeze"(%1) {axes = array<i64: 1>} : (tensor<2x1x8x2xf32>) -> tensor<2x8x2xf32>
  %t = "ml.transpose"(%2) {perm = array<i64: 0, 2, 1>} : (tensor<2x8x2xf32>) -> tensor<2x2x8xf32>
  %3 = "ml.sub"(%k, %t) : (tensor<1x2x1xf32>, tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
  return %3 : tensor<2x2x8xf32>
}
