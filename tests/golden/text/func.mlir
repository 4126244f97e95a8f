// Functions: declarations, visibilities, attributes of arguments and results, calls.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
func.func private @declared(i32, tensor<*xf32> {x.y = 1 : i8}) -> (f32 {x.z}, i8)
func.func private @no_arguments()
func.func nested @higher((i8) -> i8) -> ((i8) -> i8)
func.func public @one(%x: i32 {x.name = "in"}, %c: i1) -> i32 attributes {x.note = "n"} {
  %0, %1 = func.call @two(%x) : (i32) -> (i32, f32)
  %2:2 = call @two(%0) {x.hint} : (i32) -> (i32, f32)
  scf.if %c {
    call @no_arguments() : () -> ()
    %3 = arith.addi %x, %0 : i32
  }
  return %2#0 : i32
}
func.func @two(%x: i32) -> (i32, f32) {
  %c = arith.constant 1.5 : f32
  func.return {x.tag} %x, %c : i32, f32
}
func.func @"name with blanks"() {
  return
}

// CHECK:module {
// CHECK-NEXT:  func.func private @declared(i32, tensor<*xf32> {x.y = 1 : i8}) -> (f32 {x.z}, i8)
// CHECK-NEXT:  func.func private @no_arguments()
// CHECK-NEXT:  func.func nested @higher((i8) -> i8) -> ((i8) -> i8)
// CHECK-NEXT:  func.func public @one(%arg0: i32 {x.name = "in"}, %arg1: i1) -> i32 attributes {x.note = "n"} {
// CHECK-NEXT:    %0:2 = call @two(%arg0) : (i32) -> (i32, f32)
// CHECK-NEXT:    %1:2 = call @two(%0#0) {x.hint} : (i32) -> (i32, f32)
// CHECK-NEXT:    scf.if %arg1 {
// CHECK-NEXT:      func.call @no_arguments() : () -> ()
// CHECK-NEXT:      %2 = arith.addi %arg0, %0#0 : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    return %1#0 : i32
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @two(%arg0: i32) -> (i32, f32) {
// CHECK-NEXT:    %cst = arith.constant 1.500000e+00 : f32
// CHECK-NEXT:    return {x.tag} %arg0, %cst : i32, f32
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @"name with blanks"() {
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}
