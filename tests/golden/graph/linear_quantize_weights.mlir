// Weights are stored in 8 bits; cases that stay floats.
// RUN: quern opt %s --linear-quantize-weights | FileCheck %s
// RUN: quern opt %s --linear-quantize-weights --linear-quantize-weights | FileCheck %s
// RUN: quern opt %s --linear-quantize-weights="granularity=per_tensor" | FileCheck %s --check-prefix=TENSOR
// RUN: quern opt %s --linear-quantize-weights="mode=linear" | FileCheck %s --check-prefix=AFFINE
// RUN: quern opt %s --linear-quantize-weights="weight_threshold=4" | FileCheck %s --check-prefix=SMALL
// RUN: quern opt %s --linear-quantize-weights="weight_threshold=3" | FileCheck %s --check-prefix=LARGE
// SMALL-LABEL: func.func @rows
// SMALL-NOT: quant.dcast
// SMALL: ml.linear
// LARGE-LABEL: func.func @rows
// LARGE: quant.dcast
!q = !quant.uniform<i8:f32, 0.5:1>

// 0.25 is half a step of 0.5 and rounds to even; so does 63.5 in steps of 1.
// CHECK-LABEL: func.func @rows
// CHECK-NEXT: %[[Q:.*]] = "ml.const"() {value = dense<{{\[\[}}127, -3], [127, 0]]> : tensor<2x2xi8>} : () -> tensor<2x2x!quant.uniform<i8<-127:127>:f32:0, {1.000000e+00,5.000000e-01}>>
// CHECK-NEXT: %[[W:.*]] = quant.dcast %[[Q]]
// CHECK-NEXT: "ml.linear"(%arg0, %[[W]])
// CHECK-NEXT: return
// TENSOR-LABEL: func.func @rows
// TENSOR-NEXT: "ml.const"() {value = dense<{{\[\[}}127, -3], [64, 0]]> : tensor<2x2xi8>} : () -> tensor<2x2x!quant.uniform<i8<-127:127>:f32, 1.000000e+00>>
func.func @rows(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %w = "ml.const"() {value = dense<[[127.0, -3.0], [63.5, 0.25]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// With the asymmetric option, a stored 0 need not be the real 0.
// CHECK-LABEL: func.func @lowest_to_highest
// CHECK: quant.dcast
// AFFINE-LABEL: func.func @lowest_to_highest
// AFFINE-NEXT: "ml.const"() {value = dense<{{\[\[}}-128, 127], [-128, 127]]> : tensor<2x2xi8>} : () -> tensor<2x2x!quant.uniform<i8:f32:0, {1.000000e+00:-127,5.000000e-01:-128}>>
func.func @lowest_to_highest(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %w = "ml.const"() {value = dense<[[-1.0, 254.0], [0.0, 127.5]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @zeros
// CHECK-NEXT: "ml.const"() {value = dense<{{\[\[}}0, 0], [-127, 1]]> : tensor<2x2xi8>} : () -> tensor<2x2x!quant.uniform<i8<-127:127>:f32:0, {1.000000e+00,2.000000e+00}>>
func.func @zeros(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %w = "ml.const"() {value = dense<[[0.0, 0.0], [-254.0, 2.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @convolution
// CHECK-NEXT: "ml.const"() {value = dense<{{\[\[\[\[}}127, 1]]], {{\[\[\[}}127, -2]]]]> : tensor<2x1x1x2xi8>} : () -> tensor<2x1x1x2x!quant.uniform<i8<-127:127>:f32:0, {1.000000e+00,2.000000e+00}>>
// CHECK: "ml.conv"({{.*}}activation = "relu"
func.func @convolution(%x: tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32> {
  %w = "ml.const"() {value = dense<[[[[127.0, 1.0]]], [[[254.0, -4.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %y = "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, activation = "relu"} : (tensor<1x1x1x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  return %y : tensor<1x1x1x2xf32>
}
// CHECK-LABEL: func.func @depthwise
// CHECK-NEXT: "ml.const"() {value = dense<127> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2x!quant.uniform<i8<-127:127>:f32:3, {1.000000e+00,2.000000e+00}>>
func.func @depthwise(%x: tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32> {
  %w = "ml.const"() {value = dense<[[[[127.0, 254.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %y = "ml.depthwise_conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  return %y : tensor<1x1x1x2xf32>
}
// CHECK-LABEL: func.func @with_bias
// CHECK: %[[W:.*]] = quant.dcast
// CHECK-NEXT: "ml.linear"(%arg0, %[[W]], %arg1)
func.func @with_bias(%x: tensor<1x2xf32>, %b: tensor<2xf32>) -> tensor<1x2xf32> {
  %w = "ml.const"() {value = dense<127.0> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %y = "ml.linear"(%x, %w, %b) : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @read_by_two
// CHECK: %[[F:.*]] = "ml.const"() {value = dense<1.270000e+02> : tensor<2x2xf32>}
// CHECK: quant.dcast
// CHECK: "ml.tanh"(%[[F]])
func.func @read_by_two(%x: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<2x2xf32>) {
  %w = "ml.const"() {value = dense<127.0> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %z = "ml.tanh"(%w) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y, %z : tensor<1x2xf32>, tensor<2x2xf32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK: quant.dcast
// CHECK-NEXT: {{.*}}"ml.linear"
func.func @in_branch(%c: i1, %x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %y = scf.if %c -> (tensor<1x2xf32>) {
    %w = "ml.const"() {value = dense<127.0> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
    %g = "ml.linear"(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    scf.yield %g : tensor<1x2xf32>
  } else {
    scf.yield %x : tensor<1x2xf32>
  }
  return %y : tensor<1x2xf32>
}
// Unchanged: weights that are not constant, not finite, of another float type, or with subnormal steps.
// CHECK-LABEL: func.func @computed
// CHECK-NOT: quant.dcast
// CHECK: "ml.linear"(
// CHECK-NEXT: return
func.func @computed(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>) -> tensor<1x2xf32> {
  %y = "ml.linear"(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @infinite
// CHECK-NOT: quant.dcast
// CHECK: "ml.linear"(
// CHECK-NEXT: return
func.func @infinite(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %w = "ml.const"() {value = dense<[[1.0, 0x7F800000], [1.0, 1.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @tiny
// CHECK-NOT: quant.dcast
// CHECK: "ml.linear"(
// CHECK-NEXT: return
func.func @tiny(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %w = "ml.const"() {value = dense<1.0e-38> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @half_precision
// CHECK-NOT: quant.dcast
// CHECK: "ml.linear"(
// CHECK-NEXT: return
func.func @half_precision(%x: tensor<1x2xf16>) -> tensor<1x2xf16> {
  %w = "ml.const"() {value = dense<1.0> : tensor<2x2xf16>} : () -> tensor<2x2xf16>
  %y = "ml.linear"(%x, %w) : (tensor<1x2xf16>, tensor<2x2xf16>) -> tensor<1x2xf16>
  return %y : tensor<1x2xf16>
}
// CHECK-LABEL: func.func @compressed
// CHECK-COUNT-1: quant.dcast
// CHECK-NOT: quant.dcast
// CHECK: return
func.func @compressed(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %q = "ml.const"() {value = dense<3> : tensor<2x2xi8>} : () -> tensor<2x2x!q>
  %w = "quant.dcast"(%q) : (tensor<2x2x!q>) -> tensor<2x2xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
