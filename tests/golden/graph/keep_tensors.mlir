// With keep-tensors, an op that makes a compared tensor of the model is removed only if a new
// op makes that tensor. Without it, an op that replaces another takes over its tensors; so does
// the first of two equal ops.
// RUN: quern opt %s --graph-exact --config=keep-tensors=true | FileCheck %s --check-prefix=KEEP
// RUN: quern opt %s --graph-exact | FileCheck %s --check-prefix=GO
// RUN: quern opt %s --dead-code-elimination --cse --config=keep-tensors=true | FileCheck %s --check-prefix=CSE

// KEEP-LABEL: func.func @main
// KEEP: "ml.relu"({{.*}}quern.tensors = array<i64: 1>
// KEEP: "ml.relu"({{.*}}quern.tensors = array<i64: 2>
// KEEP: "ml.reshape"({{.*}}quern.tensors = array<i64: 4>{{.*}}(tensor<4xf32>) -> tensor<2x1x2xf32>
// KEEP: "ml.sigmoid"({{.*}}quern.tensors = array<i64: 5>
// KEEP: "ml.sigmoid"({{.*}}quern.tensors = array<i64: 6>
// KEEP: "ml.tanh"({{.*}}quern.tensors = array<i64: 7>
// GO-LABEL: func.func @main
// GO: %[[Y:.*]] = "ml.relu"({{.*}}quern.tensors = array<i64: 1>
// GO: %[[R:.*]] = "ml.reshape"(%[[Y]]) {quern.tensors = array<i64: 4>}
// GO: %[[S:.*]] = "ml.sigmoid"({{.*}}quern.tensors = array<i64: 5>
// GO-NOT: ml.sigmoid
// GO-NOT: ml.tanh
// GO: return %[[R]], %[[S]], %[[S]]
// CSE: quern.tensors = array<i64: 5>
// CSE: quern.tensors = array<i64: 6>
// CSE: quern.tensors = array<i64: 7>
func.func @main(%x: tensor<4xf32>) -> (tensor<2x1x2xf32>, tensor<4xf32>, tensor<4xf32>) {
  %y = "ml.relu"(%x) {quern.tensors = array<i64: 1>} : (tensor<4xf32>) -> tensor<4xf32>
  %z = "ml.relu"(%y) {quern.tensors = array<i64: 2>} : (tensor<4xf32>) -> tensor<4xf32>
  %a = "ml.reshape"(%z) : (tensor<4xf32>) -> tensor<2x2xf32>
  %b = "ml.reshape"(%a) {quern.tensors = array<i64: 4>} : (tensor<2x2xf32>) -> tensor<2x1x2xf32>
  %s = "ml.sigmoid"(%x) {quern.tensors = array<i64: 5>} : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.sigmoid"(%x) {quern.tensors = array<i64: 6>} : (tensor<4xf32>) -> tensor<4xf32>
  %u = "ml.tanh"(%x) {quern.tensors = array<i64: 7>} : (tensor<4xf32>) -> tensor<4xf32>
  return %b, %s, %t : tensor<2x1x2xf32>, tensor<4xf32>, tensor<4xf32>
}
