// A function can opt out of function passes by an attribute; required passes still run.
// RUN: %quern opt %s --pass-pipeline='func.func(canonicalize)' | FileCheck %s --check-prefixes=CHECK,SKIP
// RUN: %quern opt %s --pass-pipeline='func.func(canonicalize)' --require-pass=canonicalize | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: %quern opt %s --canonicalize | FileCheck %s --check-prefixes=CHECK,ALL
// CHECK-LABEL: func.func @f
// CHECK-NOT: arith.addi
// CHECK-LABEL: func.func @g
// SKIP: arith.addi
// ALL-NOT: arith.addi
func.func @f(%a: i32) -> i32 {
  %c = arith.constant 0 : i32
  %b = arith.addi %a, %c : i32
  return %b : i32
}
func.func @g(%a: i32) -> i32 attributes {quern.skip_optimization} {
  %c = arith.constant 0 : i32
  %b = arith.addi %a, %c : i32
  return %b : i32
}
