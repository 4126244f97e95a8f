// print-ir prints the IR at each of its positions in the pipeline and changes nothing.
// RUN: %quern opt %s --pass-pipeline='builtin.module(print-ir,canonicalize,print-ir,func.func(cse,print-ir{label="after cse"}),print-ir)' 2>&1 >/dev/null | FileCheck %s
// RUN: %quern opt %s --print-ir 2>/dev/null | FileCheck %s --check-prefix=SAME
// CHECK: // -----// IR Dump //----- //
// CHECK-NEXT: module {
// CHECK: arith.addi
// CHECK: // -----// IR Dump //----- //
// CHECK-NEXT: module {
// CHECK-NOT: arith.addi
// CHECK: // -----// IR Dump after cse //----- //
// CHECK-NEXT: func.func @f
// CHECK: // -----// IR Dump //----- //
// CHECK-NEXT: module {
// SAME: arith.addi
func.func @f(%a: i32) -> i32 {
  %c = arith.constant 0 : i32
  %b = arith.addi %a, %c : i32
  return %b : i32
}
