// Functions, calls, loops and branches.
// RUN: %opt %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
func.func @declared(i32)
func.func private @one(i32) -> i8
"func.func"() ({
^bb0(%a: i8):
  "func.return"() : () -> ()
}) {sym_name = "argument", function_type = (i32) -> ()} : () -> ()
"func.func"() ({
^bb0:
  "func.return"() : () -> ()
}) {sym_name = "arguments", function_type = (i32) -> ()} : () -> ()
"func.func"() ({
}) {sym_name = "attributes", function_type = (i32) -> (), arg_attrs = [], sym_visibility = "private"} : () -> ()
"func.func"() ({
}) {sym_name = "no_function", function_type = i32, sym_visibility = "private"} : () -> ()
func.func @results(%i: i32) -> i32 {
  "func.return"() : () -> ()
}
func.func @calls(%i: i32, %j: i8) {
  "func.call"(%i) {callee = @missing} : (i32) -> ()
  "func.call"() {callee = @one} : () -> i8
  "func.call"(%j) {callee = @one} : (i8) -> i8
  "func.call"(%i) {callee = @one} : (i32) -> ()
  "func.call"(%i) {callee = @one} : (i32) -> i32
  "func.call"(%i) {callee = @table} : (i32) -> i32
  "quern.launch"(%i) {kernel = @one} : (i32) -> ()
  "func.return"() : () -> ()
}
"memref.global"() {sym_name = "table", type = memref<4xi8>} : () -> ()
func.func @loops(%x: index, %i: i32, %f: f32, %b: i1) {
  "scf.for"(%x, %x) ({
  }) : (index, index) -> ()
  "scf.for"(%x, %x, %i) ({
  ^bb0(%k: index):
    "scf.yield"() : () -> ()
  }) : (index, index, i32) -> ()
  "scf.for"(%f, %f, %f) ({
  ^bb0(%k: f32):
    "scf.yield"() : () -> ()
  }) : (f32, f32, f32) -> ()
  "scf.for"(%x, %x, %x, %i) ({
  ^bb0(%k: index, %c: i32):
    "scf.yield"(%c) : (i32) -> ()
  }) : (index, index, index, i32) -> ()
  "scf.for"(%x, %x, %x, %i) ({
  ^bb0(%k: index):
    "scf.yield"(%i) : (i32) -> ()
  }) : (index, index, index, i32) -> i32
  "scf.for"(%x, %x, %x, %i) ({
  ^bb0(%k: index, %c: f32):
    "scf.yield"(%i) : (i32) -> ()
  }) : (index, index, index, i32) -> i32
  "scf.for"(%x, %x, %x, %i) ({
  ^bb0(%k: index, %c: i32):
    "scf.yield"() : () -> ()
  }) : (index, index, index, i32) -> i32
  "scf.for"(%x, %x, %x, %i) ({
  ^bb0(%k: index, %c: i32):
    "scf.yield"(%k) : (index) -> ()
  }) : (index, index, index, i32) -> i32
  "scf.if"(%i) ({
    "scf.yield"() : () -> ()
  }, {
  }) : (i32) -> ()
  "scf.if"(%b) ({
    "scf.yield"(%i) : (i32) -> ()
  }, {
  }) : (i1) -> i32
  "scf.if"(%b) ({
  }, {
  }) : (i1) -> ()
  "scf.if"(%b) ({
    "func.return"() : () -> ()
  }, {
  }) : (i1) -> ()
  "scf.yield"() : () -> ()
}

// CHECK: {{.*}}control.mlir:5:1: error: 'func.func' op symbol declaration cannot have public visibility
// CHECK-NEXT: {{.*}}control.mlir:7:1: error: 'func.func' op type of entry block argument #0 ('i8') must match the type of the corresponding argument in function signature ('i32')
// CHECK-NEXT: {{.*}}control.mlir:11:1: error: 'func.func' op entry block must have 1 arguments to match function signature
// CHECK-NEXT: {{.*}}control.mlir:15:1: error: 'func.func' op attribute 'arg_attrs' has 0 entries, but 1 are expected
// CHECK-NEXT: {{.*}}control.mlir:17:1: error: 'func.func' op attribute 'function_type' must be a function type
// CHECK-NEXT: {{.*}}control.mlir:20:3: error: 'func.return' op has 0 operands, but enclosing function (@results) returns 1
// CHECK-NEXT: {{.*}}control.mlir:29:3: error: 'quern.launch' op operand #0 must be index, but got 'i32'
// CHECK-NEXT: {{.*}}control.mlir:34:3: error: 'scf.for' op expected 3 or more operands, but found 2
// CHECK-NEXT: {{.*}}control.mlir:36:3: error: 'scf.for' op failed to verify that all of {lowerBound, upperBound, step} have same type
// CHECK-NEXT: {{.*}}control.mlir:40:3: error: 'scf.for' op operand #0 must be signless integer or index, but got 'f32'
// CHECK-NEXT: {{.*}}control.mlir:44:3: error: 'scf.for' op mismatch in number of loop-carried values and defined values
// CHECK-NEXT: {{.*}}control.mlir:46:5: error: 'scf.yield' op yields 1 values, but its parent defines 0
// CHECK-NEXT: {{.*}}control.mlir:48:3: error: 'scf.for' op expects the induction variable and 1 loop-carried values as arguments of its body
// CHECK-NEXT: {{.*}}control.mlir:52:3: error: 'scf.for' op types mismatch between loop-carried value 0, its argument and the defined value
// CHECK-NEXT: {{.*}}control.mlir:58:5: error: 'scf.yield' op yields 0 values, but its parent defines 1
// CHECK-NEXT: {{.*}}control.mlir:62:5: error: 'scf.yield' op type of yielded value 0 ('index') doesn't match the result ('i32')
// CHECK-NEXT: {{.*}}control.mlir:64:3: error: 'scf.if' op operand #0 must be 1-bit signless integer, but got 'i32'
// CHECK-NEXT: {{.*}}control.mlir:68:3: error: 'scf.if' op must have an else block if defining values
// CHECK-NEXT: {{.*}}control.mlir:72:3: error: 'scf.if' op expects region #0 to have 1 block
// CHECK-NEXT: {{.*}}control.mlir:76:5: error: 'func.return' op expects parent op 'func.func'
// CHECK-NEXT: {{.*}}control.mlir:79:3: error: 'scf.yield' op expects parent op to be one of 'scf.for, scf.if, scf.while'
// CHECK-NEXT: {{.*}}control.mlir:23:3: error: 'func.call' op 'missing' does not reference a valid function
// CHECK-NEXT: {{.*}}control.mlir:24:3: error: 'func.call' op incorrect number of operands for callee
// CHECK-NEXT: {{.*}}control.mlir:25:3: error: 'func.call' op operand type mismatch: expected operand type 'i32', but provided 'i8' for operand number 0
// CHECK-NEXT: {{.*}}control.mlir:26:3: error: 'func.call' op incorrect number of results for callee
// CHECK-NEXT: {{.*}}control.mlir:27:3: error: 'func.call' op result type mismatch at index 0: expected 'i8', but has 'i32'
// CHECK-NEXT: {{.*}}control.mlir:28:3: error: 'func.call' op 'table' does not reference a valid function
