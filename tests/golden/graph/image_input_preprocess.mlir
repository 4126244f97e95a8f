// Image arguments change from channels last to channels first.
// RUN: quern opt %s --split-input-file --image-input-preprocess=inputs=image | FileCheck %s
// RUN: quern opt %s --split-input-file --image-input-preprocess=inputs=image --image-input-preprocess=inputs=image | FileCheck %s
// RUN: quern opt %s --split-input-file --image-input-preprocess=inputs=0 | FileCheck %s
// RUN: quern opt %s --split-input-file --image-input-preprocess | FileCheck %s --check-prefix=UNSAID
// RUN: quern opt %s --split-input-file --image-input-preprocess=inputs=image --graph-exact | FileCheck %s --check-prefix=MET
// RUN: quern opt %s --split-input-file --image-input-preprocess=inputs=photo 2>&1 | FileCheck %s --check-prefix=ABSENT
// UNSAID-NOT: perm = array<i64: 0, 2, 3, 1>
// ABSENT: error: there is no argument 'photo'

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<1x3x8x6xf32> {quern.name = "image"}, %arg1: tensor<1x8x6x3xf32> {quern.name = "other"}
// CHECK-NEXT: [[T:%.*]] = "ml.transpose"(%arg0) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x3x8x6xf32>) -> tensor<1x8x6x3xf32>
// CHECK-NEXT: "ml.add"([[T]], %arg1)
// CHECK-NEXT: return
func.func @main(%x: tensor<1x8x6x3xf32> {quern.name = "image"}, %y: tensor<1x8x6x3xf32> {quern.name = "other"}) -> tensor<1x8x6x3xf32> {
  %0 = "ml.add"(%x, %y) : (tensor<1x8x6x3xf32>, tensor<1x8x6x3xf32>) -> tensor<1x8x6x3xf32>
  return %0 : tensor<1x8x6x3xf32>
}
// -----
// The model's own transpose is removed.
// CHECK-LABEL: func.func @main_1(
// MET-LABEL: func.func @main_1(
// MET-SAME: tensor<1x3x8x6xf32>
// MET-NEXT: "ml.relu"(%arg0)
// MET-NEXT: return
func.func @main_1(%x: tensor<1x8x6x3xf32> {quern.name = "image"}) -> tensor<1x3x8x6xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x8x6x3xf32>) -> tensor<1x3x8x6xf32>
  %1 = "ml.relu"(%0) : (tensor<1x3x8x6xf32>) -> tensor<1x3x8x6xf32>
  return %1 : tensor<1x3x8x6xf32>
}
// -----
// The image has its channels first already.
// CHECK-LABEL: func.func @main_2(
// CHECK-SAME: tensor<3x8x6xf32>
// CHECK-NEXT: "ml.transpose"
// CHECK-NEXT: "ml.relu"
// CHECK-NEXT: return
func.func @main_2(%x: tensor<3x8x6xf32> {quern.name = "image"}) -> tensor<8x6x3xf32> {
  %0 = "ml.transpose"(%x) {perm = array<i64: 1, 2, 0>} : (tensor<3x8x6xf32>) -> tensor<8x6x3xf32>
  %1 = "ml.relu"(%0) : (tensor<8x6x3xf32>) -> tensor<8x6x3xf32>
  return %1 : tensor<8x6x3xf32>
}
