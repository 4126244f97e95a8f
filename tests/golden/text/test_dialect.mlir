// The dialect `test` accepts any op and any result type without --allow-unregistered-dialect. A name
// that only starts with it, or has nothing after the dot, is an error.
// RUN: quern opt %s --split-input-file --verify-diagnostics | FileCheck %s
// MLIR-OPT: none

// CHECK-LABEL: func.func @any_op
// CHECK: %[[X:.*]]:2 = "test.make"() {note = "free"} : () -> (i8, tensor<?xf32>)
// CHECK: "test.region"(%[[X]]#0) ({
// CHECK:   "test.end"() : () -> ()
// CHECK: }) : (i8) -> ()
func.func @any_op() {
  %0:2 = "test.make"() {note = "free"} : () -> (i8, tensor<?xf32>)
  "test.region"(%0#0) ({
    "test.end"() : () -> ()
  }) : (i8) -> ()
  return
}

// -----

// expected-error @below {{operation being parsed with an unregistered dialect}}
"tester.op"() : () -> ()

// -----

// expected-error @below {{operation being parsed with an unregistered dialect}}
"test."() : () -> ()
