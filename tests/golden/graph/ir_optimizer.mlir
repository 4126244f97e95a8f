// The four passes of the IR optimizer: they fold transposes and reshapes, and remove redundant casts.
// RUN: quern opt %s --transpose-pair-folding | FileCheck %s --check-prefix=T
// RUN: quern opt %s --reshape-pair-folding | FileCheck %s --check-prefix=R
// RUN: quern opt %s --identity-reshape-removal | FileCheck %s --check-prefix=I
// RUN: quern opt %s --redundant-cast-removal | FileCheck %s --check-prefix=C
!q = !quant.uniform<i8:f32, 0.5:3>
!p = !quant.uniform<i8:f32, 0.25:3>
!axis = !quant.uniform<i8:f32:0, {0.5, 0.25}>
!first = tensor<1x4x2x3xf32>
!last = tensor<1x2x3x4xf32>

// T-LABEL: func.func @through
// T-NEXT: %[[A:.*]] = "ml.relu"(%arg0) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
// T-NEXT: %[[B:.*]] = quant.qcast %[[A]] : tensor<1x2x3x4xf32> to tensor<1x2x3x4x!quant
// T-NEXT: return %[[B]]
func.func @through(%x: !last) -> tensor<1x2x3x4x!q> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 3, 1, 2>} : (!last) -> !first
  %1 = "ml.relu"(%0) : (!first) -> !first
  %2 = quant.qcast %1 : !first to tensor<1x4x2x3x!q>
  %3 = "ml.transpose"(%2) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x4x2x3x!q>) -> tensor<1x2x3x4x!q>
  return %3 : tensor<1x2x3x4x!q>
}
// T-LABEL: func.func @nothing_between
// T-NEXT: return %arg0
func.func @nothing_between(%x: !last) -> !last {
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 3, 1, 2>} : (!last) -> !first
  %1 = "ml.transpose"(%0) {perm = array<i64: 0, 2, 3, 1>} : (!first) -> !last
  return %1 : !last
}
// T-LABEL: func.func @no_inverse
// T-COUNT-2: ml.transpose
func.func @no_inverse(%x: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 2, 0>} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %1 = "ml.relu"(%0) : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 1, 2, 0>} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %2 : tensor<2x2x2xf32>
}
// T-LABEL: func.func @branch
// T-COUNT-2: ml.transpose
func.func @branch(%x: !last) -> (!first, !last) {
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 3, 1, 2>} : (!last) -> !first
  %1 = "ml.relu"(%0) : (!first) -> !first
  %2 = "ml.transpose"(%1) {perm = array<i64: 0, 2, 3, 1>} : (!first) -> !last
  return %1, %2 : !first, !last
}
// Unchanged: softmax depends on the axis; two operands; scales per index.
// T-LABEL: func.func @not_elementwise
// T-COUNT-2: ml.transpose
func.func @not_elementwise(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "ml.softmax"(%0) {beta = 1.0 : f32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}
// T-LABEL: func.func @two_operands
// T-COUNT-2: ml.transpose
func.func @two_operands(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "ml.add"(%0, %0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = "ml.transpose"(%1) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}
// T-LABEL: func.func @per_channel
// T-COUNT-2: ml.transpose
func.func @per_channel(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = quant.qcast %0 : tensor<2x2xf32> to tensor<2x2x!axis>
  %2 = quant.dcast %1 : tensor<2x2x!axis> to tensor<2x2xf32>
  %3 = "ml.transpose"(%2) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}

// R-LABEL: func.func @restored
// R-NEXT: "ml.tanh"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
// R-NEXT: return
func.func @restored(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ml.reshape"(%x) : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = "ml.tanh"(%0) : (tensor<6xf32>) -> tensor<6xf32>
  %2 = "ml.reshape"(%1) : (tensor<6xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
// R-LABEL: func.func @other_shape
// R-COUNT-2: ml.reshape
func.func @other_shape(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = "ml.reshape"(%x) : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = "ml.tanh"(%0) : (tensor<6xf32>) -> tensor<6xf32>
  %2 = "ml.reshape"(%1) : (tensor<6xf32>) -> tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}
// R-LABEL: func.func @flat_is_returned
// R-COUNT-2: ml.reshape
func.func @flat_is_returned(%x: tensor<2x3xf32>) -> (tensor<6xf32>, tensor<2x3xf32>) {
  %0 = "ml.reshape"(%x) : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = "ml.tanh"(%0) : (tensor<6xf32>) -> tensor<6xf32>
  %2 = "ml.reshape"(%1) : (tensor<6xf32>) -> tensor<2x3xf32>
  return %0, %2 : tensor<6xf32>, tensor<2x3xf32>
}
// R-LABEL: func.func @read_anew
// R-COUNT-2: ml.reshape
func.func @read_anew(%x: tensor<2x3x!q>) -> tensor<2x3x!p> {
  %0 = "ml.reshape"(%x) : (tensor<2x3x!q>) -> tensor<6x!q>
  %1 = "ml.reshape"(%0) : (tensor<6x!q>) -> tensor<2x3x!p>
  return %1 : tensor<2x3x!p>
}

// I-LABEL: func.func @identity
// I-NEXT: return %arg0
func.func @identity(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ml.reshape"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// I-LABEL: func.func @no_identity
// I-COUNT-3: ml.reshape
func.func @no_identity(%x: tensor<1x3xf32>, %y: tensor<3x!q>) -> (tensor<3xf32>, tensor<3x1xf32>, tensor<3x!p>) {
  %0 = "ml.reshape"(%x) : (tensor<1x3xf32>) -> tensor<3xf32>
  %1 = "ml.reshape"(%x) : (tensor<1x3xf32>) -> tensor<3x1xf32>
  %2 = "ml.reshape"(%y) : (tensor<3x!q>) -> tensor<3x!p>
  return %0, %1, %2 : tensor<3xf32>, tensor<3x1xf32>, tensor<3x!p>
}

// C-LABEL: func.func @there_and_back
// C-NOT: quant.scast
// C-NOT: quant.qcast
// C: return %arg0, %arg0
func.func @there_and_back(%x: tensor<3x!q>) -> (tensor<3x!q>, tensor<3x!q>) {
  %0 = quant.scast %x : tensor<3x!q> to tensor<3xi8>
  %1 = quant.scast %0 : tensor<3xi8> to tensor<3x!q>
  %2 = quant.dcast %x : tensor<3x!q> to tensor<3xf32>
  %3 = quant.qcast %2 : tensor<3xf32> to tensor<3x!q>
  return %1, %3 : tensor<3x!q>, tensor<3x!q>
}
// C-LABEL: func.func @narrower
// C: quant.qcast
// C: arith.extsi
// C: quant.scast
// C: quant.scast
func.func @narrower(%x: tensor<3xf32>, %i: i32, %y: tensor<3x!q>) -> (tensor<3xf32>, i32, tensor<3x!p>) {
  %0 = quant.qcast %x : tensor<3xf32> to tensor<3x!q>
  %1 = quant.dcast %0 : tensor<3x!q> to tensor<3xf32>
  %2 = arith.trunci %i : i32 to i8
  %3 = arith.extsi %2 : i8 to i32
  %4 = quant.scast %y : tensor<3x!q> to tensor<3xi8>
  %5 = quant.scast %4 : tensor<3xi8> to tensor<3x!p>
  return %1, %3, %5 : tensor<3xf32>, i32, tensor<3x!p>
}
// Casts to the same type go, also there and back through a wider type, but not through a narrower one.
// C-LABEL: func.func @numbers_same
// C-NEXT: return %arg0
func.func @numbers_same(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ml.cast"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// C-LABEL: func.func @numbers_back
// C-NEXT: return %arg0, %arg1
func.func @numbers_back(%h: tensor<4xf16>, %i: tensor<4xui8>) -> (tensor<4xf16>, tensor<4xui8>) {
  %0 = "ml.cast"(%h) : (tensor<4xf16>) -> tensor<4xf32>
  %1 = "ml.cast"(%0) : (tensor<4xf32>) -> tensor<4xf16>
  %2 = "ml.cast"(%i) : (tensor<4xui8>) -> tensor<4xi16>
  %3 = "ml.cast"(%2) : (tensor<4xi16>) -> tensor<4xui8>
  return %1, %3 : tensor<4xf16>, tensor<4xui8>
}
// C-LABEL: func.func @numbers_lost
// C-COUNT-4: ml.cast
func.func @numbers_lost(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0 = "ml.cast"(%x) : (tensor<4xf32>) -> tensor<4xf16>
  %1 = "ml.cast"(%0) : (tensor<4xf16>) -> tensor<4xf32>
  %2 = "ml.cast"(%i) : (tensor<4xi32>) -> tensor<4xf32>
  %3 = "ml.cast"(%2) : (tensor<4xf32>) -> tensor<4xi32>
  return %1, %3 : tensor<4xf32>, tensor<4xi32>
}
