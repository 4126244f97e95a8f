// Branches between blocks, and functions as values.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
func.func @branches(%c: i1, %x: i32, %f: (i32) -> i32) -> i32 {
  %k = func.constant @callee : (i32) -> i32
  %l = constant {note} @callee : (i32) -> i32
  %y = func.call_indirect %k(%x) : (i32) -> i32
  %z = call_indirect %f(%y) {note} : (i32) -> i32
  cf.assert %c, "must \"be\" so"
  cf.cond_br %c, ^a(%x : i32), ^b
^a(%p: i32):
  cf.br ^c(%p, %x : i32, i32)
^b:
  cf.br ^a(%z : i32) {note}
^c(%q: i32, %r: i32):
  cf.cond_br %c, ^d, ^d {note}
^unused(%w: f64):
  cf.br ^d
^d:
  return %q : i32
}
func.func private @callee(i32) -> i32
func.func @loop(%n: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  cf.br ^head(%0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body(%i, %1 : index, index), ^end
^body(%j: index, %step: index):
  %next = arith.addi %j, %step : index
  cf.br ^head(%next : index)
^end:
  return
}

// CHECK:module {
// CHECK-NEXT:  func.func @branches(%arg0: i1, %arg1: i32, %arg2: (i32) -> i32) -> i32 {
// CHECK-NEXT:    %f = constant @callee : (i32) -> i32
// CHECK-NEXT:    %f_0 = constant {note} @callee : (i32) -> i32
// CHECK-NEXT:    %0 = call_indirect %f(%arg1) : (i32) -> i32
// CHECK-NEXT:    %1 = call_indirect %arg2(%0) {note} : (i32) -> i32
// CHECK-NEXT:    cf.assert %arg0, "must \22be\22 so"
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1(%arg1 : i32), ^bb2
// CHECK-NEXT:  ^bb1(%2: i32):  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT:    cf.br ^bb3(%2, %arg1 : i32, i32)
// CHECK-NEXT:  ^bb2:  // pred: ^bb0
// CHECK-NEXT:    cf.br ^bb1(%1 : i32) {note}
// CHECK-NEXT:  ^bb3(%3: i32, %4: i32):  // pred: ^bb1
// CHECK-NEXT:    cf.cond_br %arg0, ^bb5, ^bb5 {note}
// CHECK-NEXT:  ^bb4(%5: f64):  // no predecessors
// CHECK-NEXT:    cf.br ^bb5
// CHECK-NEXT:  ^bb5:  // 3 preds: ^bb3, ^bb3, ^bb4
// CHECK-NEXT:    return %3 : i32
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func private @callee(i32) -> i32
// CHECK-NEXT:  func.func @loop(%arg0: index) {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    cf.br ^bb1(%c0 : index)
// CHECK-NEXT:  ^bb1(%0: index):  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT:    %1 = arith.cmpi slt, %0, %arg0 : index
// CHECK-NEXT:    cf.cond_br %1, ^bb2(%0, %c1 : index, index), ^bb3
// CHECK-NEXT:  ^bb2(%2: index, %3: index):  // pred: ^bb1
// CHECK-NEXT:    %4 = arith.addi %2, %3 : index
// CHECK-NEXT:    cf.br ^bb1(%4 : index)
// CHECK-NEXT:  ^bb3:  // pred: ^bb1
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}
