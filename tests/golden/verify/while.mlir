// Types of the values that scf.while and scf.condition yield.
// RUN: %opt %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
func.func @ends(%x: i32, %c: i1) {
  "scf.while"(%x) ({
  ^bb0(%a: i32):
    "scf.yield"(%a) : (i32) -> ()
  }, {
  ^bb0:
    "scf.yield"(%x) : (i32) -> ()
  }) : (i32) -> ()
  "scf.while"(%x) ({
  ^bb0(%a: i64):
    "scf.condition"(%c) : (i1) -> ()
  }, {
  ^bb0:
    "scf.yield"(%x) : (i32) -> ()
  }) : (i32) -> ()
  %r = "scf.while"(%x) ({
  ^bb0(%a: i32):
    "scf.condition"(%x, %a) : (i32, i32) -> ()
  }, {
  ^bb0:
    "scf.yield"(%x) : (i32) -> ()
  }) : (i32) -> i32
  "scf.if"(%c) ({
    "scf.condition"(%c) : (i1) -> ()
  }, {
  }) : (i1) -> ()
  "func.return"() : () -> ()
}
// CHECK: {{.*}}while.mlir:6:3: error: 'scf.while' op expects region #0 to end in 'scf.condition'
// CHECK-NEXT: {{.*}}while.mlir:8:5: error: 'scf.yield' op yields other values than region #0 of its parent takes
// CHECK-NEXT: {{.*}}while.mlir:13:3: error: 'scf.while' op expects as many arguments of region #0 as operands, of their types
// CHECK-NEXT: {{.*}}while.mlir:18:5: error: 'scf.yield' op yields other values than region #0 of its parent takes
// CHECK-NEXT: {{.*}}while.mlir:20:8: error: 'scf.while' op expects as many arguments of region #1 as results, of their types
// CHECK-NEXT: {{.*}}while.mlir:22:5: error: 'scf.condition' op expects a 1-bit signless integer as operand #0
// CHECK-NEXT: {{.*}}while.mlir:28:5: error: 'scf.condition' op expects to be in the first region of 'scf.while'
