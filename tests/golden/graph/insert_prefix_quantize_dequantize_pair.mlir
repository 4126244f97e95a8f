// Operands with a known range are quantized and dequantized before additions, products and pools.
// RUN: quern opt %s --insert-prefix-quantize-dequantize-pair=ranges=0=-1.0:0.5,3=0:2 | FileCheck %s
// RUN: quern opt %s --insert-prefix-quantize-dequantize-pair=ranges=0=-1.0:0.5,3=0:2 --insert-prefix-quantize-dequantize-pair=ranges=0=-1.0:0.5,3=0:2 | FileCheck %s
// RUN: quern opt %s --insert-prefix-quantize-dequantize-pair="ranges=0=-0.5:1.5e0 mode=linear dtype=uint8" | FileCheck %s --check-prefix=AFFINE
// RUN: quern opt %s --insert-prefix-quantize-dequantize-pair | FileCheck %s --check-prefix=UNSAID
// RUN: quern opt %s --insert-prefix-quantize-dequantize-pair=ranges=0=1:-1 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: quern opt %s --insert-prefix-quantize-dequantize-pair=ranges=x=1:2 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: quern opt %s --insert-prefix-quantize-dequantize-pair=ranges=0=0:1e39 2>&1 | FileCheck %s --check-prefix=HUGE
// UNSAID-LABEL: func.func @argument(
// UNSAID-NEXT: ml.linear
// ORDER: error: '0=1:-1' is not NUMBER=LOW:HIGH, the range of a tensor
// NUMBER: error: 'x=1:2' is not NUMBER=LOW:HIGH
// HUGE: error: '0=0:1e39' is not NUMBER=LOW:HIGH

// CHECK-LABEL: func.func @argument(
// CHECK-NEXT: [[Q:%.*]] = quant.qcast %arg0 : tensor<1x4xf32> to tensor<1x4x!quant.uniform<i8:f32, 0.0078740157186985015>>
// CHECK-NEXT: [[D:%.*]] = quant.dcast [[Q]]
// CHECK-NEXT: "ml.linear"([[D]], %arg1)
// CHECK-NEXT: return
// AFFINE-LABEL: func.func @argument(
// AFFINE: !quant.uniform<u8:f32, 0.0078431377187371254:64>
func.func @argument(%x: tensor<1x4xf32> {quern.index = 0 : i64}, %w: tensor<2x4xf32>) -> tensor<1x2xf32> {
  %y = "ml.linear"(%x, %w) {quern.tensors = array<i64: 3>} : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// The range contains 0 only.
// The relu reads the original value, and both products read one pair.
// CHECK-LABEL: func.func @shared(
// CHECK-NEXT: quant.qcast
// CHECK-NEXT: [[D:%.*]] = quant.dcast
// CHECK-NEXT: "ml.linear"([[D]], %arg1)
// CHECK-NEXT: "ml.linear"([[D]], %arg1)
// CHECK-NEXT: "ml.relu"(%arg0)
func.func @shared(%x: tensor<1x4xf32> {quern.index = 0 : i64}, %w: tensor<2x4xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x4xf32>) {
  %y = "ml.linear"(%x, %w) {quern.tensors = array<i64: 3>} : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  %z = "ml.linear"(%x, %w) {quern.tensors = array<i64: 3>} : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  %a = "ml.relu"(%x) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %y, %z, %a : tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x4xf32>
}
// CHECK-LABEL: func.func @result_of_an_op(
// CHECK: "ml.tanh"{{.*}}quern.tensors = array<i64: 3>
// CHECK-NEXT: quant.qcast
// CHECK-NEXT: quant.dcast
// CHECK-NEXT: ml.linear
func.func @result_of_an_op(%v: tensor<1x4xf32>, %w: tensor<2x4xf32>) -> tensor<1x2xf32> {
  %x = "ml.tanh"(%v) {quern.tensors = array<i64: 3>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @no_range(
// CHECK-NEXT: ml.linear
// CHECK-NEXT: return
func.func @no_range(%x: tensor<1x4xf32> {quern.index = 7 : i64}, %w: tensor<2x4xf32>) -> tensor<1x2xf32> {
  %y = "ml.linear"(%x, %w) {quern.tensors = array<i64: 3>} : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @activation(
// CHECK-NEXT: ml.relu
// CHECK-NEXT: return
func.func @activation(%x: tensor<1x4xf32> {quern.index = 0 : i64}) -> tensor<1x4xf32> {
  %y = "ml.relu"(%x) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}
// CHECK-LABEL: func.func @integers(
// CHECK-NEXT: ml.add
// CHECK-NEXT: return
func.func @integers(%x: tensor<1x4xi32> {quern.index = 0 : i64}) -> tensor<1x4xi32> {
  %y = "ml.add"(%x, %x) : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  return %y : tensor<1x4xi32>
}
// CHECK-LABEL: func.func @quantized_already(
// CHECK-NEXT: quant.qcast
// CHECK-NEXT: quant.dcast
// CHECK-NEXT: ml.linear
// CHECK-NEXT: return
func.func @quantized_already(%v: tensor<1x4xf32> {quern.index = 0 : i64}, %w: tensor<2x4xf32>) -> tensor<1x2xf32> {
  %q = quant.qcast %v : tensor<1x4xf32> to tensor<1x4x!quant.uniform<i8:f32, 0.5>>
  %x = quant.dcast %q : tensor<1x4x!quant.uniform<i8:f32, 0.5>> to tensor<1x4xf32>
  %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
// Both branches read one pair, which is outside of them.
// CHECK-LABEL: func.func @in_branch(
// CHECK-NEXT: quant.qcast
// CHECK-NEXT: [[D:%.*]] = quant.dcast
// CHECK-NEXT: scf.if
// CHECK-NEXT: "ml.linear"([[D]],
func.func @in_branch(%c: i1, %x: tensor<1x4xf32> {quern.index = 0 : i64}, %w: tensor<2x4xf32>, %z: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %r = scf.if %c -> (tensor<1x2xf32>) {
    %y = "ml.linear"(%x, %w) : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
    scf.yield %y : tensor<1x2xf32>
  } else {
    scf.yield %z : tensor<1x2xf32>
  }
  return %r : tensor<1x2xf32>
}
