// Consecutive ReLUs become one; cases that must stay.
// RUN: quern opt %s --merge-consecutive-relus | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5:3>
!p = !quant.uniform<i8:f32, 0.25:3>

// CHECK-LABEL: func.func @four
// CHECK-COUNT-1: ml.relu
// CHECK-NOT: ml.relu
// CHECK: return
func.func @four(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ml.relu"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "ml.relu"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "ml.relu"(%2) : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
// CHECK-LABEL: func.func @quantized
// CHECK: %[[R:.*]] = "ml.relu"
// CHECK-NEXT: return %[[R]]
func.func @quantized(%x: tensor<4x!q>) -> tensor<4x!p> {
  %0 = "ml.relu"(%x) : (tensor<4x!q>) -> tensor<4x!p>
  %1 = "ml.relu"(%0) : (tensor<4x!p>) -> tensor<4x!p>
  return %1 : tensor<4x!p>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK-COUNT-1: ml.relu
// CHECK-NOT: ml.relu
// CHECK: return
func.func @in_branch(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    %0 = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "ml.relu"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
// Unchanged: the second ReLU requantizes.
// CHECK-LABEL: func.func @other_scale
// CHECK-COUNT-2: ml.relu
func.func @other_scale(%x: tensor<4x!q>) -> tensor<4x!p> {
  %0 = "ml.relu"(%x) : (tensor<4x!q>) -> tensor<4x!q>
  %1 = "ml.relu"(%0) : (tensor<4x!q>) -> tensor<4x!p>
  return %1 : tensor<4x!p>
}
// CHECK-LABEL: func.func @both_returned
// CHECK-COUNT-2: ml.relu
func.func @both_returned(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ml.relu"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @used_twice
// CHECK-COUNT-2: ml.relu
func.func @used_twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ml.relu"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "ml.sub"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
// CHECK-LABEL: func.func @relu_of_relu6
// CHECK: ml.relu6
// CHECK-NEXT: "ml.relu"
func.func @relu_of_relu6(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ml.relu6"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ml.relu"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
