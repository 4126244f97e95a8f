// In graph regions values may depend on each other in cycles; passes leave such cycles unchanged.
// RUN: quern opt --allow-unregistered-dialect --canonicalize --cse %s | FileCheck %s
// MLIR-OPT: accepts
// CHECK: module {
%c0 = arith.constant 0 : i32
%0 = arith.addi %1, %c0 : i32
%1 = arith.addi %0, %c0 : i32
%2 = arith.addi %2, %c0 : i32
%3 = arith.bitcast %4 : i32 to f32
%4 = arith.bitcast %3 : f32 to i32
%5 = arith.muli %6, %c0 : i32
%6 = arith.addi %7, %c0 : i32
%7 = arith.addi %6, %c0 : i32
%8 = arith.select %t, %8, %8 : i32
%t = arith.constant true
"t.use"(%0, %2, %4, %5, %7, %8) : (i32, i32, i32, i32, i32, i32) -> ()
"t.graph"() ({
  %a = arith.addi %b, %c0 : i32
  %b = arith.addi %a, %c0 : i32
  %d = arith.extsi %e : i8 to i32
  %e = arith.trunci %d : i32 to i8
  "t.use"(%b, %d) : (i32, i32) -> ()
}) : () -> ()
// CHECK-LABEL: func.func @unreached
func.func @unreached(%c0: i32) {
  return
^bb1:
  %0 = arith.addi %1, %z : i32
  cf.br ^bb2
^bb2:
  %z = arith.constant 0 : i32
  %1 = arith.addi %0, %z : i32
  "t.use"(%1) : (i32) -> ()
  cf.br ^bb1
}
