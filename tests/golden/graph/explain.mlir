// --explain lists what each pass did to which op, and why a pass did not apply.
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>) {
  %a = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "ml.relu"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "ml.mul"(%b, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %e = "ml.sigmoid"(%c) {quern.tensors = array<i64: 7>} : (tensor<4xf32>) -> tensor<4xf32>
  %f = "ml.reshape"(%e) : (tensor<4xf32>) -> tensor<2x2xf32>
  %h = "ml.relu"(%a) {quern.tensors = array<i64: 9>} : (tensor<4xf32>) -> tensor<4xf32>
  return %c, %e, %f, %h : tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>
}
// RUN: quern opt %s --dead-code-elimination --merge-consecutive-relus --explain 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: quern opt %s --merge-consecutive-relus --explain=merge-consecutive-relus@3 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: quern opt %s --merge-consecutive-relus --explain=merge-consecutive-relus@5:8 2>&1 | FileCheck %s --check-prefix=USES
// RUN: quern opt %s --merge-consecutive-relus --explain=merge-consecutive-relus@7 2>&1 | FileCheck %s --check-prefix=BEGINS
// RUN: quern opt %s --fuse-conv-bias --explain=fuse-conv-bias@6 2>&1 | FileCheck %s --check-prefix=EITHER
// RUN: quern opt %s --noop-elimination --explain=noop-elimination@8 2>&1 | FileCheck %s --check-prefix=COND
// RUN: quern opt %s --dead-code-elimination --merge-consecutive-relus --config=keep-tensors=true --explain=merge-consecutive-relus@9 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: quern opt %s --topological-reorder --explain=topological-reorder@3 2>&1 | FileCheck %s --check-prefix=WALKS
// RUN: quern opt %s --merge-consecutive-relus --explain=merge-consecutive-relus@99 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: quern compile %s -o - --emit integer --fall-back --explain 2>&1 | FileCheck %s --check-prefix=COMPILE
// ALL: :6:8: remark: dead-code-elimination: 'ml.mul' goes: nothing uses it
// ALL: :9:8: remark: merge-consecutive-relus: 'ml.relu' gives way to the result of 'ml.relu' (relu-of-relu)
// KIND: :3:8: remark: merge-consecutive-relus: 'relu-of-relu' does not apply to 'ml.relu': an argument of a block stands where the rule has 'ml.relu'
// USES: :5:8: remark: merge-consecutive-relus: 'relu-of-relu' does not apply to 'ml.relu': 'ml.relu' at 4:8 has 2 uses, which may have no other than this
// BEGINS: :7:8: remark: merge-consecutive-relus: no rule begins at 'ml.sigmoid', but at 'ml.relu'
// EITHER: :6:8: remark: fuse-conv-bias: no rule begins at 'ml.mul', but at 'ml.add', 'ml.sub'
// COND: :8:8: remark: noop-elimination: 'same-reshape' does not apply to 'ml.reshape': it was looked at, and a condition does not hold
// KEPT: :9:8: remark: merge-consecutive-relus: 'relu-of-relu' does not apply to 'ml.relu': a tensor of the model that has to stay would go
// WALKS: remark: topological-reorder: the pass has no rules that could be asked about '3'
// NOBODY: remark: merge-consecutive-relus: no op here is called '99'
// COMPILE: :4:8: remark: cse: 'ml.relu' gives way to an equal one before it
