// Sequences of passes: each pass relies on the result of the one before. The sequence for 1-D
// convolutions is in compose_conv1d.mlir.
// RUN: quern opt %s --const-deduplication --dead-code-elimination --remove-redundant-ops | FileCheck %s --check-prefix=EQUAL
// RUN: quern opt %s --remove-redundant-ops | FileCheck %s --check-prefix=FIRST
// RUN: quern opt %s --fuse-squeeze-expand-dims --select-optimization --loop-invariant-elimination --noop-elimination --dead-code-elimination | FileCheck %s --check-prefix=NOOPS
// RUN: quern opt %s --fuse-matmul-weight-bias --fuse-linear-bias --fuse-conv-scale --fuse-conv-bias --fuse-conv-batchnorm --const-elimination --dead-code-elimination | FileCheck %s --check-prefix=COMPRESSED
// RUN: quern opt %s --cast-optimization --dead-code-elimination --remove-redundant-ops --dead-code-elimination | FileCheck %s --check-prefix=CASTS
// RUN: quern opt %s --add-fp16-cast --cast-optimization --const-elimination --dead-code-elimination | FileCheck %s --check-prefix=HALF
// RUN: quern opt %s --fuse-layernorm-or-instancenorm --reduce-transposes --dead-code-elimination | FileCheck %s --check-prefix=NORM
// RUN: quern opt %s --nullify-redundant-quantization-zero-point --const-elimination --dead-code-elimination | FileCheck %s --check-prefix=ZERO
// RUN: quern opt %s --int-op-canonicalization --dead-code-elimination | FileCheck %s --check-prefix=MOVED
// RUN: quern opt %s --distributive-quantized-binary-op-scale-normalization --dead-code-elimination | FileCheck %s --check-prefix=SUM
// RUN: quern opt %s --expand-dynamic-linear --dead-code-elimination | FileCheck %s --check-prefix=LINEAR
// RUN: quern opt %s --merge-consecutive-transposes --expand-high-rank-reshape-and-transpose | FileCheck %s --check-prefix=HIGH
// RUN: quern opt %s --const-elimination=skip_const_by_size=4 --divide-to-multiply | FileCheck %s --check-prefix=LIMIT
// RUN: quern opt %s --const-elimination --divide-to-multiply | FileCheck %s --check-prefix=UNLIMITED
!q = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.25>
!low = !quant.uniform<i8:f32, 0.5:-128>
!a = !quant.uniform<i8:f32, 0.2>
!b = !quant.uniform<i8:f32, 0.4>
!c = !quant.uniform<i8:f32, 0.8>

// Two convolutions with equal weights in two constants become one.
// FIRST-LABEL: func.func @equal_weights
// EQUAL-LABEL: func.func @equal_weights
// EQUAL-COUNT-1: ml.const
// EQUAL-NEXT: %[[Y:.*]] = "ml.conv"
// EQUAL-NEXT: %[[R:.*]] = "ml.relu"(%[[Y]])
// EQUAL-NEXT: "ml.add"(%[[R]], %[[R]])
// EQUAL-NEXT: return
func.func @equal_weights(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x32xf32> {
  %w = "ml.const"() {value = dense<0.5> : tensor<32x1x1x4xf32>} : () -> tensor<32x1x1x4xf32>
  %v = "ml.const"() {value = dense<0.5> : tensor<32x1x1x4xf32>} : () -> tensor<32x1x1x4xf32>
  %0 = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x4x4x4xf32>, tensor<32x1x1x4xf32>) -> tensor<1x4x4x32xf32>
  %1 = "ml.conv"(%x, %v) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x4x4x4xf32>, tensor<32x1x1x4xf32>) -> tensor<1x4x4x32xf32>
  %2 = "ml.relu"(%0) : (tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32>
  %3 = "ml.relu"(%1) : (tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32>
  %4 = "ml.add"(%2, %3) : (tensor<1x4x4x32xf32>, tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32>
  return %4 : tensor<1x4x4x32xf32>
}
// A reshape to the same shape between dimensions that come back, and a select with a constant condition.
// NOOPS-LABEL: func.func @nothing_left
// NOOPS-NEXT: return %arg0
func.func @nothing_left(%x: tensor<2x1x3xf32>) -> tensor<2x1x3xf32> {
  %0 = "ml.squeeze"(%x) {axes = array<i64: 1>} : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
  %1 = "ml.expand_dims"(%0) {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
  %true = "ml.const"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %t = "ml.tanh"(%1) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  %2 = "ml.select"(%true, %1, %t) : (tensor<i1>, tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  %3 = "ml.reshape"(%2) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  return %3 : tensor<2x1x3xf32>
}
// Compressed operands stay compressed, and the ops stay separate.
// COMPRESSED-LABEL: func.func @compressed_product
// COMPRESSED: quant.dcast
// COMPRESSED: ml.matmul
// COMPRESSED-NEXT: ml.add
// COMPRESSED-LABEL: func.func @compressed_conv
// COMPRESSED: quant.dcast
// COMPRESSED: ml.conv
// COMPRESSED-NEXT: ml.mul
// COMPRESSED-NEXT: ml.add
// COMPRESSED-NEXT: ml.batch_norm
// COMPRESSED-LABEL: func.func @compressed_bias
// COMPRESSED: quant.dcast
// COMPRESSED: ml.linear
// COMPRESSED-NEXT: ml.add
func.func @compressed_product(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %c = "ml.const"() {value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>} : () -> tensor<2x2x!w>
  %w = quant.dcast %c : tensor<2x2x!w> to tensor<2x2xf32>
  %k = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.matmul"(%x, %w) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "ml.add"(%0, %k) : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
func.func @compressed_conv(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %c = "ml.const"() {value = dense<3> : tensor<2x1x1x2xi8>} : () -> tensor<2x1x1x2x!w>
  %w = quant.dcast %c : tensor<2x1x1x2x!w> to tensor<2x1x1x2xf32>
  %k = "ml.const"() {value = dense<[3.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = "ml.mul"(%0, %k) : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %2 = "ml.add"(%1, %k) : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %3 = "ml.batch_norm"(%2, %k, %k) {axis = 3 : i64, epsilon = 0.0 : f64} : (tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  return %3 : tensor<1x4x4x2xf32>
}
func.func @compressed_bias(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %c = "ml.const"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2x!w>
  %k = quant.dcast %c : tensor<2x!w> to tensor<2xf32>
  %w = "ml.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %0 = "ml.linear"(%x, %w) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "ml.add"(%0, %k) : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
// Casts there and back cancel, after which their readers are equal.
// CASTS-LABEL: func.func @same_after_casts
// CASTS-NEXT: %[[R:.*]] = "ml.relu"(%arg0)
// CASTS-NEXT: "ml.add"(%[[R]], %[[R]])
// CASTS-NEXT: return
func.func @same_after_casts(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = "ml.cast"(%x) : (tensor<4xf16>) -> tensor<4xf32>
  %1 = "ml.cast"(%0) : (tensor<4xf32>) -> tensor<4xf16>
  %2 = "ml.relu"(%1) : (tensor<4xf16>) -> tensor<4xf16>
  %3 = "ml.relu"(%x) : (tensor<4xf16>) -> tensor<4xf16>
  %4 = "ml.add"(%2, %3) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return %4 : tensor<4xf16>
}
// One cast in, one cast out.
// HALF-LABEL: func.func @halves
// HALF: %[[X:.*]] = "ml.cast"(%arg0)
// HALF-NOT: ml.cast
// HALF: "ml.add"(%[[X]], {{.*}}xf16>
// HALF-NEXT: %[[T:.*]] = "ml.tanh"
// HALF-NEXT: %[[Y:.*]] = "ml.cast"(%[[T]])
// HALF-NEXT: return %[[Y]]
func.func @halves(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "ml.add"(%x, %k) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "ml.tanh"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// A written-out normalization with channels last becomes one op with an axis; no transpose is left.
// NORM-LABEL: func.func @norm_of_columns
// NORM-NOT: ml.transpose
// NORM: "ml.instance_norm"(%arg0, {{.*}}) {axis = 3 : i64
// NORM-NEXT: return
func.func @norm_of_columns(%x: tensor<2x4x4x3xf32>) -> tensor<2x4x4x3xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x4x4x3xf32>) -> tensor<2x1x1x3xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x4x4x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x4x4x3xf32>
  %q = "ml.square"(%d) : (tensor<2x4x4x3xf32>) -> tensor<2x4x4x3xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x4x4x3xf32>) -> tensor<2x1x1x3xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x1x1x3xf32>, tensor<f32>) -> tensor<2x1x1x3xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xf32>
  %s = "ml.mul"(%r, %ga) : (tensor<2x1x1x3xf32>, tensor<3xf32>) -> tensor<2x1x1x3xf32>
  %a = "ml.mul"(%x, %s) : (tensor<2x4x4x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x4x4x3xf32>
  %e = "ml.mul"(%m, %s) : (tensor<2x1x1x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xf32>
  %f = "ml.sub"(%be, %e) : (tensor<3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xf32>
  %y = "ml.add"(%a, %f) : (tensor<2x4x4x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x4x4x3xf32>
  return %y : tensor<2x4x4x3xf32>
}
// Without its zero point the constant is compressed as before.
// ZERO-LABEL: func.func @low_constant
// ZERO-NEXT: "ml.const"() {value = dense<[0, -128, -1]> : tensor<3xi8>}
// ZERO-NEXT: quant.dcast %{{.*}} : tensor<3x!quant.uniform<u8:f32, 5.000000e-01>>
// ZERO-NEXT: return
func.func @low_constant() -> tensor<3xf32> {
  %c = "ml.const"() {value = dense<[-128, 0, 127]> : tensor<3xi8>} : () -> tensor<3x!low>
  %0 = quant.dcast %c : tensor<3x!low> to tensor<3xf32>
  return %0 : tensor<3xf32>
}
// MOVED-LABEL: func.func @moved
// MOVED-NEXT: "ml.reshape"(%arg0)
// MOVED-NEXT: return
func.func @moved(%x: tensor<6x!q>) -> tensor<2x3x!q> {
  %0 = quant.dcast %x : tensor<6x!q> to tensor<6xf32>
  %1 = "ml.reshape"(%0) : (tensor<6xf32>) -> tensor<2x3xf32>
  %2 = quant.qcast %1 : tensor<2x3xf32> to tensor<2x3x!q>
  return %2 : tensor<2x3x!q>
}
// The original dequantizes are gone.
// SUM-LABEL: func.func @sum
// SUM-COUNT-2: quant.dcast
// SUM-NOT: quant.dcast
// SUM: quant.qcast
func.func @sum(%x: tensor<2x!a>, %y: tensor<2x!b>) -> tensor<2x!c> {
  %0 = quant.dcast %x : tensor<2x!a> to tensor<2xf32>
  %1 = quant.dcast %y : tensor<2x!b> to tensor<2xf32>
  %2 = "ml.add"(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = quant.qcast %2 : tensor<2xf32> to tensor<2x!c>
  return %3 : tensor<2x!c>
}
// A compressed bias of zeros is removed with the ops that made it.
// LINEAR-LABEL: func.func @computed_weights
// LINEAR-NEXT: "ml.matmul"(%arg0, %arg1) {{.*}}transpose_y = true
// LINEAR-NEXT: return
func.func @computed_weights(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %c = "ml.const"() {value = dense<3> : tensor<4xi8>} : () -> tensor<4x!q>
  %k = quant.dcast %c : tensor<4x!q> to tensor<4xf32>
  %0 = "ml.linear"(%x, %w, %k) : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// Two permutations of six dimensions become one before they are split into shorter ones.
// HIGH-LABEL: func.func @two_of_six
// HIGH-COUNT-1: ml.transpose
// HIGH-NOT: ml.transpose
// HIGH: return
func.func @two_of_six(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = "ml.reshape"(%x) : (tensor<64xf32>) -> tensor<2x2x2x2x2x2xf32>
  %1 = "ml.transpose"(%0) {perm = array<i64: 1, 0, 2, 3, 4, 5>} : (tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 3, 4, 5, 0, 1, 2>} : (tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
  %3 = "ml.transpose"(%2) {perm = array<i64: 0, 1, 2, 4, 3, 5>} : (tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
  %4 = "ml.reshape"(%3) : (tensor<2x2x2x2x2x2xf32>) -> tensor<64xf32>
  return %4 : tensor<64xf32>
}
// A divisor that is too large to be computed is not constant.
// LIMIT-LABEL: func.func @divided
// LIMIT: ml.real_div
// UNLIMITED-LABEL: func.func @divided
// UNLIMITED: ml.mul
// UNLIMITED-NEXT: return
func.func @divided(%x: tensor<8xf32>) -> tensor<8xf32> {
  %k = "ml.const"() {value = dense<[1.0, 2.0, 4.0, 8.0, 1.0, 2.0, 4.0, 8.0]> : tensor<8xf32>} : () -> tensor<8xf32>
  %0 = "ml.square"(%k) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "ml.real_div"(%x, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
