// Results with a known range are quantized and dequantized after additions, products and pools, or their activation.
// RUN: quern opt %s --insert-suffix-quantize-dequantize-pair=ranges=3=-1.0:0.5,4=0:2 | FileCheck %s
// RUN: quern opt %s --insert-suffix-quantize-dequantize-pair=ranges=3=-1.0:0.5,4=0:2 --insert-suffix-quantize-dequantize-pair=ranges=3=-1.0:0.5,4=0:2 | FileCheck %s
// RUN: quern opt %s --insert-prefix-quantize-dequantize-pair=ranges=0=-1:1,3=-2:2 --insert-suffix-quantize-dequantize-pair=ranges=0=-1:1,3=-2:2 --linear-quantize-weights=granularity=per_tensor --apply-rules=files=$(dirname %s)/../../../rules/integer.rr --dead-code-elimination | FileCheck %s --check-prefix=WHOLE

// CHECK-LABEL: func.func @result(
// CHECK-NEXT: [[Y:%.*]] = "ml.linear"(%arg0, %arg1)
// CHECK-NEXT: [[Q:%.*]] = quant.qcast [[Y]]
// CHECK-NEXT: [[D:%.*]] = quant.dcast [[Q]]
// CHECK-NEXT: return [[D]]
func.func @result(%x: tensor<1x4xf32> {quern.index = 0 : i64}, %w: tensor<2x4xf32>) -> tensor<1x2xf32> {
  %y = "ml.linear"(%x, %w) {quern.tensors = array<i64: 3>} : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @after_activation(
// CHECK-NEXT: ml.linear
// CHECK-NEXT: [[A:%.*]] = "ml.relu"
// CHECK-NEXT: [[Q:%.*]] = quant.qcast [[A]]
// CHECK-NEXT: quant.dcast
// CHECK-NEXT: return
func.func @after_activation(%x: tensor<1x4xf32> {quern.index = 0 : i64}, %w: tensor<2x4xf32>) -> tensor<1x2xf32> {
  %y = "ml.linear"(%x, %w) {quern.tensors = array<i64: 3>} : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  %a = "ml.relu"(%y) {quern.tensors = array<i64: 4>} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %a : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @two_readers(
// CHECK-NEXT: ml.linear
// CHECK-NEXT: quant.qcast
// CHECK-NEXT: [[D:%.*]] = quant.dcast
// CHECK-NEXT: "ml.relu"([[D]])
// CHECK-NEXT: return [[D]],
func.func @two_readers(%x: tensor<1x4xf32> {quern.index = 0 : i64}, %w: tensor<2x4xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %y = "ml.linear"(%x, %w) {quern.tensors = array<i64: 3>} : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  %a = "ml.relu"(%y) {quern.tensors = array<i64: 4>} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %y, %a : tensor<1x2xf32>, tensor<1x2xf32>
}
// CHECK-LABEL: func.func @no_range(
// CHECK-NOT: quant.qcast
// CHECK: return
func.func @no_range(%x: tensor<1x4xf32> {quern.index = 0 : i64}, %w: tensor<2x4xf32>) -> tensor<1x2xf32> {
  %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @activation_alone(
// CHECK-NOT: quant.qcast
// CHECK: return
func.func @activation_alone(%y: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %a = "ml.relu"(%y) {quern.tensors = array<i64: 4>} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %a : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @integers(
// CHECK-NOT: quant.qcast
// CHECK: return
func.func @integers(%x: tensor<1x4xi32>) -> tensor<1x4xi32> {
  %y = "ml.add"(%x, %x) {quern.tensors = array<i64: 3>} : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  return %y : tensor<1x4xi32>
}
// CHECK-LABEL: func.func @unused(
// CHECK-NOT: quant.qcast
// CHECK: return
func.func @unused(%x: tensor<1x4xf32> {quern.index = 0 : i64}, %w: tensor<2x4xf32>) -> tensor<1x4xf32> {
  %y = "ml.linear"(%x, %w) {quern.tensors = array<i64: 3>} : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %x : tensor<1x4xf32>
}
// CHECK-LABEL: func.func @in_branch(
// CHECK: scf.if
// CHECK-NEXT: ml.linear
// CHECK-NEXT: quant.qcast
// CHECK-NEXT: [[D:%.*]] = quant.dcast
// CHECK-NEXT: scf.yield [[D]]
func.func @in_branch(%c: i1, %x: tensor<1x4xf32>, %w: tensor<2x4xf32>, %z: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %r = scf.if %c -> (tensor<1x2xf32>) {
    %y = "ml.linear"(%x, %w) {quern.tensors = array<i64: 3>} : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
    scf.yield %y : tensor<1x2xf32>
  } else {
    scf.yield %z : tensor<1x2xf32>
  }
  return %r : tensor<1x2xf32>
}
// A float graph becomes a quantized one.
// WHOLE-LABEL: func.func @whole(
// WHOLE: quant.qcast %arg0
// WHOLE: "ml.conv"({{.*}}!quant.uniform<i8:f32, 0.0078740157186985015>>{{.*}} -> tensor<1x4x4x3x!quant.uniform<i8:f32, 0.015748031437397003>>
// WHOLE-NEXT: quant.dcast
// WHOLE-NEXT: return
func.func @whole(%x: tensor<1x4x4x2xf32> {quern.index = 0 : i64}) -> tensor<1x4x4x3xf32> {
  %w = "ml.const"() {value = dense<[[[[0.1, 0.5]]], [[[-0.7, 0.25]]], [[[0.3, -0.125]]]]> : tensor<3x1x1x2xf32>} : () -> tensor<3x1x1x2xf32>
  %b = "ml.const"() {value = dense<[0.5, 0.25, -1.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %y = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, groups = 1 : i64, quern.tensors = array<i64: 3>} : (tensor<1x4x4x2xf32>, tensor<3x1x1x2xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  return %y : tensor<1x4x4x3xf32>
}
