// Calls are replaced by bodies, callees first; a private function is removed with its last call. Recursive
// functions, one function of each call cycle, and functions with unknown ops stay. Inlining stops
// at chains of calls that double in each function.
// RUN: %quern opt %s --inline --allow-unregistered-dialect | FileCheck %s
// RUN: %quern opt %s --inline --allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix=QUIET --implicit-check-not=warning
// RUN: awk 'BEGIN { print "func.func @f0(%a: i32) -> i32 {\n%r = arith.addi %a, %a : i32\nreturn %r : i32\n}"; for (i = 1; i < 30; i++) printf "func.func @f%d(%%a: i32) -> i32 {\n%%x = call @f%d(%%a) : (i32) -> i32\n%%r = call @f%d(%%x) : (i32) -> i32\nreturn %%r : i32\n}\n", i, i - 1, i - 1 }' | %quern opt --inline -o %t 2>&1 | FileCheck %s --check-prefix=DOUBLES
// QUIET: module
// DOUBLES: warning: this call and more are left: inlining has added {{[0-9]+}} ops
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
// CHECK: func.func private @unknown
func.func private @unknown(%x: i32) -> i32 {
  %r = "what.ever"(%x) : (i32) -> i32
  return %r : i32
}
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %arg0, %arg0
// CHECK-NEXT: call @itself(%[[SUM]])
func.func @main(%x: i32) -> i32 {
  %a = func.call @first(%x) : (i32) -> i32
  %b = func.call @itself(%a) : (i32) -> i32
  %c = func.call @even(%b) : (i32) -> i32
  %d = func.call @unknown(%c) : (i32) -> i32
  return %d : i32
}
