// A float depthwise convolution runs in the kernel of the 1x1 convolution after it, in chunks of rows, if the tensor between
// them exceeds L2. Its rows are in kernel-local scratch, and the kernel prefetches the inputs of the next rows.
// It stays separate if the tensor has another reader, is small, or if the 1x1 convolution has stride 2.
// RUN: quern opt %s --lower-to-loops --config cpu=x86-64-v3 | FileCheck %s
// RUN: quern opt %s --lower-to-loops --config cpu=generic | FileCheck %s --check-prefix=PLAIN --implicit-check-not=quern.scratch
// RUN: quern opt %s --lower-to-loops --config cpu=x86-64-v3,keep-tensors=true | FileCheck %s --check-prefix=PLAIN --implicit-check-not=quern.scratch
// RUN: quern opt %s --lower-to-loops --config cpu=x86-64-v3 --explain 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY
// MLIR-OPT: none
// WHY: fused_producer.mlir:[[#@LINE+22]]:8: remark: lower-to-loops: 'ml.depthwise_conv' has no kernel: 'ml.conv', which reads it, makes its rows
// PLAIN: func.func private @depthwise_0

// CHECK-LABEL: func.func private @conv_0(
// CHECK-SAME: memref<81600xf32>
// CHECK: "quern.scratch"() : () -> memref<4608xf32>
// CHECK: scf.for
// CHECK: math.fma
// CHECK: "quern.prefetch"(%arg0,
// CHECK-LABEL: func.func private @depthwise_1(
// CHECK-NOT: quern.scratch
// CHECK-LABEL: func.func private @conv_2(
// CHECK-NOT: quern.scratch
// CHECK-LABEL: func.func private @depthwise_3(
// CHECK-NOT: quern.scratch
// CHECK-LABEL: func.func private @conv_4(
// CHECK-NOT: quern.scratch
// CHECK-LABEL: func.func @main
// CHECK: "quern.launch"{{.*}}kernel = @conv_0, {{.*}}quern.followers = ["{{[0-9:]*}} (ml.depthwise_conv)"], quern.macs = 3096576
func.func @main(%x: tensor<1x34x50x48xf32>, %s: tensor<1x10x10x48xf32>) -> (tensor<1x32x48x33xf32>, tensor<1x32x48x48xf32>, tensor<1x16x24x33xf32>, tensor<1x8x8x33xf32>) {
  %d = "ml.const"() {value = dense<0.25> : tensor<1x3x3x48xf32>} : () -> tensor<1x3x3x48xf32>
  %w = "ml.const"() {value = dense<0.5> : tensor<33x1x1x48xf32>} : () -> tensor<33x1x1x48xf32>
  %0 = "ml.depthwise_conv"(%x, %d) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x34x50x48xf32>, tensor<1x3x3x48xf32>) -> tensor<1x32x48x48xf32>
  %1 = "ml.conv"(%0, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x32x48x48xf32>, tensor<33x1x1x48xf32>) -> tensor<1x32x48x33xf32>

  %2 = "ml.depthwise_conv"(%x, %d) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, activation = "relu"} : (tensor<1x34x50x48xf32>, tensor<1x3x3x48xf32>) -> tensor<1x32x48x48xf32>
  %3 = "ml.conv"(%2, %w) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x32x48x48xf32>, tensor<33x1x1x48xf32>) -> tensor<1x16x24x33xf32>

  %4 = "ml.depthwise_conv"(%s, %d) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x10x10x48xf32>, tensor<1x3x3x48xf32>) -> tensor<1x8x8x48xf32>
  %5 = "ml.conv"(%4, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x8x48xf32>, tensor<33x1x1x48xf32>) -> tensor<1x8x8x33xf32>
  return %1, %2, %3, %5 : tensor<1x32x48x33xf32>, tensor<1x32x48x48xf32>, tensor<1x16x24x33xf32>, tensor<1x8x8x33xf32>
}
