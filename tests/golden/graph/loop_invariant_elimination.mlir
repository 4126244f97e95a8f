// Loop-carried values that never change become values from outside; others stay.
// RUN: quern opt %s --loop-invariant-elimination | FileCheck %s
// RUN: quern opt %s --loop-invariant-elimination --loop-invariant-elimination | FileCheck %s

// CHECK-LABEL: func.func @own_argument
// CHECK: %[[R:.*]] = scf.for %{{.*}} = %{{.*}} to %arg2 step %{{.*}} iter_args(%[[A:.*]] = %arg0) -> (tensor<4xf32>)
// CHECK-NEXT: %[[S:.*]] = "ml.add"(%[[A]], %arg1)
// CHECK-NEXT: scf.yield %[[S]] : tensor<4xf32>
// CHECK: return %[[R]], %arg1
func.func @own_argument(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %l = arith.constant 0 : index
  %s = arith.constant 1 : index
  %r:2 = scf.for %i = %l to %n step %s iter_args(%a = %x, %k = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = "ml.add"(%a, %k) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0, %k : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @initial_value
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %arg0) -> (tensor<4xf32>)
// CHECK-NEXT: %[[S:.*]] = "ml.sub"(%arg1, %[[A]])
// CHECK-NEXT: scf.yield %[[S]] : tensor<4xf32>
// CHECK: return %[[R]], %arg1
func.func @initial_value(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %l = arith.constant 0 : index
  %s = arith.constant 1 : index
  %r:2 = scf.for %i = %l to %n step %s iter_args(%k = %y, %a = %x) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = "ml.sub"(%k, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y, %0 : tensor<4xf32>, tensor<4xf32>
  }
  return %r#1, %r#0 : tensor<4xf32>, tensor<4xf32>
}
// The inner loop's value is removed first, then the outer loop's.
// CHECK-LABEL: func.func @nested
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %arg0) -> (tensor<4xf32>)
// CHECK-NEXT: scf.for {{.*}} iter_args(%[[B:.*]] = %[[A]]) -> (tensor<4xf32>)
// CHECK-NEXT: "ml.add"(%[[B]], %arg1)
func.func @nested(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %l = arith.constant 0 : index
  %s = arith.constant 1 : index
  %r:2 = scf.for %i = %l to %n step %s iter_args(%a = %x, %k = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    %q:2 = scf.for %j = %l to %n step %s iter_args(%b = %a, %m = %k) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = "ml.add"(%b, %m) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      scf.yield %0, %m : tensor<4xf32>, tensor<4xf32>
    }
    scf.yield %q#0, %q#1 : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @nothing_else
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: return %arg0
func.func @nothing_else(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %l = arith.constant 0 : index
  %s = arith.constant 1 : index
  %r = scf.for %i = %l to %n step %s iter_args(%a = %x) -> (tensor<4xf32>) {
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
// Unchanged: another value from outside replaces the initial one in the second iteration.
// CHECK-LABEL: func.func @another
// CHECK: iter_args(%{{.*}} = %arg0, %{{.*}} = %arg0)
func.func @another(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %l = arith.constant 0 : index
  %s = arith.constant 1 : index
  %r:2 = scf.for %i = %l to %n step %s iter_args(%a = %x, %k = %x) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = "ml.add"(%a, %k) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0, %y : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0 : tensor<4xf32>
}
// Unchanged: two values that swap, and one that is computed.
// CHECK-LABEL: func.func @swapped
// CHECK: iter_args(%{{.*}} = %arg0, %{{.*}} = %arg1)
func.func @swapped(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %l = arith.constant 0 : index
  %s = arith.constant 1 : index
  %r:2 = scf.for %i = %l to %n step %s iter_args(%a = %x, %k = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %k, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @computed
// CHECK: iter_args(%{{.*}} = %arg0)
func.func @computed(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %l = arith.constant 0 : index
  %s = arith.constant 1 : index
  %r = scf.for %i = %l to %n step %s iter_args(%a = %x) -> (tensor<4xf32>) {
    %0 = "ml.tanh"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
