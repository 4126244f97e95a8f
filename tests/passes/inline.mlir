// Calls are replaced by bodies, callees first; private functions go with their last call. Those that
// call themselves stay, and one of those that call each other.
// RUN: %quern opt %s --inline | FileCheck %s
// CHECK-NOT: func.func private @first
// CHECK-NOT: func.func private @second
func.func private @first(%x: i32) -> i32 {
  %r = func.call @second(%x) : (i32) -> i32
  return %r : i32
}
func.func private @second(%x: i32) -> i32 {
  %r = arith.addi %x, %x : i32
  return %r : i32
}
// CHECK: func.func private @itself
func.func private @itself(%x: i32) -> i32 {
  %r = func.call @itself(%x) : (i32) -> i32
  return %r : i32
}
// CHECK-NOT: func.func private @even
func.func private @even(%x: i32) -> i32 {
  %r = func.call @odd(%x) : (i32) -> i32
  return %r : i32
}
// CHECK: func.func private @odd
// CHECK-NEXT: call @odd
func.func private @odd(%x: i32) -> i32 {
  %r = func.call @even(%x) : (i32) -> i32
  return %r : i32
}
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %arg0, %arg0
// CHECK-NEXT: call @itself(%[[SUM]])
func.func @main(%x: i32) -> i32 {
  %a = func.call @first(%x) : (i32) -> i32
  %b = func.call @itself(%a) : (i32) -> i32
  %c = func.call @even(%b) : (i32) -> i32
  return %c : i32
}
