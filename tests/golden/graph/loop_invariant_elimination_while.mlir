// Loop-carried values of while loops that never change. mlir-opt prints scf.while in its custom form, ours is generic.
// MLIR-OPT: accepts
// RUN: quern opt %s --loop-invariant-elimination | FileCheck %s
// RUN: quern opt %s --loop-invariant-elimination --loop-invariant-elimination | FileCheck %s

// Both regions of the while loop yield the value unchanged.
// CHECK-LABEL: func.func @while_argument
// CHECK: %[[R:.*]] = "scf.while"(%arg0) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<2xi32>):
// CHECK: tensor.extract
// CHECK: "scf.condition"(%{{.*}}, %[[A]]) : (i1, tensor<2xi32>)
// CHECK: ^bb0(%[[B:.*]]: tensor<2xi32>):
// CHECK-NEXT: %[[S:.*]] = "ml.add"(%[[B]], %arg1)
// CHECK-NEXT: scf.yield %[[S]] : tensor<2xi32>
// CHECK: return %[[R]], %arg1
func.func @while_argument(%a: tensor<2xi32>, %b: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %i = arith.constant 0 : index
  %r:2 = "scf.while"(%a, %b) ({
  ^bb0(%x: tensor<2xi32>, %y: tensor<2xi32>):
    %l = "ml.less"(%x, %y) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c = tensor.extract %l[%i] : tensor<2xi1>
    "scf.condition"(%c, %x, %y) : (i1, tensor<2xi32>, tensor<2xi32>) -> ()
  }, {
  ^bb0(%x: tensor<2xi32>, %y: tensor<2xi32>):
    %s = "ml.add"(%x, %y) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    scf.yield %s, %y : tensor<2xi32>, tensor<2xi32>
  }) : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %r#0, %r#1 : tensor<2xi32>, tensor<2xi32>
}
// The loop yields the initial value, from outside, at another position.
// CHECK-LABEL: func.func @while_initial
// CHECK: "scf.while"(%arg0)
// CHECK: return %arg1, %{{.*}}
func.func @while_initial(%a: tensor<2xi32>, %b: tensor<2xi32>, %c: i1) -> (tensor<2xi32>, tensor<2xi32>) {
  %r:2 = "scf.while"(%a, %b) ({
  ^bb0(%x: tensor<2xi32>, %y: tensor<2xi32>):
    "scf.condition"(%c, %y, %x) : (i1, tensor<2xi32>, tensor<2xi32>) -> ()
  }, {
  ^bb0(%y: tensor<2xi32>, %x: tensor<2xi32>):
    %s = "ml.add"(%x, %y) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    scf.yield %s, %b : tensor<2xi32>, tensor<2xi32>
  }) : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %r#0, %r#1 : tensor<2xi32>, tensor<2xi32>
}
// Unchanged: another value from outside in the second iteration, and two values that swap.
// CHECK-LABEL: func.func @while_another
// CHECK: "scf.while"(%arg0, %arg0)
func.func @while_another(%a: tensor<2xi32>, %b: tensor<2xi32>, %c: i1) -> tensor<2xi32> {
  %r:2 = "scf.while"(%a, %a) ({
  ^bb0(%x: tensor<2xi32>, %y: tensor<2xi32>):
    "scf.condition"(%c, %x, %y) : (i1, tensor<2xi32>, tensor<2xi32>) -> ()
  }, {
  ^bb0(%x: tensor<2xi32>, %y: tensor<2xi32>):
    %s = "ml.add"(%x, %y) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    scf.yield %s, %b : tensor<2xi32>, tensor<2xi32>
  }) : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %r#0 : tensor<2xi32>
}
// CHECK-LABEL: func.func @while_swapped
// CHECK: "scf.while"(%arg0, %arg1)
func.func @while_swapped(%a: tensor<2xi32>, %b: tensor<2xi32>, %c: i1) -> tensor<2xi32> {
  %r:2 = "scf.while"(%a, %b) ({
  ^bb0(%x: tensor<2xi32>, %y: tensor<2xi32>):
    "scf.condition"(%c, %x, %y) : (i1, tensor<2xi32>, tensor<2xi32>) -> ()
  }, {
  ^bb0(%x: tensor<2xi32>, %y: tensor<2xi32>):
    scf.yield %y, %x : tensor<2xi32>, tensor<2xi32>
  }) : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %r#0 : tensor<2xi32>
}
