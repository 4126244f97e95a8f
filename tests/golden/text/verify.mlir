// Well-formed text with invalid ops: the verifier reports the errors.
// RUN: %opt --allow-unregistered-dialect %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: quern opt --allow-unregistered-dialect %s 2>/dev/null; test $? = 3
// MLIR-OPT: none
func.func @f(%a: i32, %b: f32) -> i32 {
  %0 = "arith.addi"(%a, %b) : (i32, f32) -> i32
  return %b : f32
}

// CHECK: {{.*}}verify.mlir:6:8: error: 'arith.addi' op requires the same type for all operands and results
// CHECK-NEXT: {{.*}}verify.mlir:7:3: error: 'func.return' op type of return operand 0 ('f32') doesn't match function result type ('i32') in function @f
