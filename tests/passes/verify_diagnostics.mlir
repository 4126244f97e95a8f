// Each position, severity and syntax of an expected diagnostic.
// RUN: %quern opt -split-input-file -verify-diagnostics %s -load-pass-plugin=%plugin -test-rename
// RUN: %quern opt --split-input-file --verify-diagnostics %s --load-pass-plugin=%plugin --test-rename | FileCheck %s
// CHECK: func.func @here

// expected-remark@unknown {{renaming}}
func.func @here() {
  return
}

// -----

func.func @above() -> i32 {
  %c = arith.constant 1.0 : f32
  return %c : f32
  // expected-error@above {{type of return operand 0}}
}

// -----

func.func @below() -> i32 {
  %c = arith.constant 1.0 : f32
  // expected-error@below {{type of return operand 0}}
  return %c : f32
}

// -----

func.func @next() -> i32 {
  %c = arith.constant 1.0 : f32
  // expected-error@+1 {{doesn't match}}
  return %c : f32
}

// -----

func.func @itself() -> i32 {
  %c = arith.constant 1.0 : f32
  return %c : f32 // expected-error-re {{operand {{[0-9]+}} ('{{f(16|32)}}')}}
}

// -----

func.func @two() {
  "no.such"() : () -> ()
  "no.other"() : () -> ()
  // expected-error@-2 {{unregistered}} expected-error@-1 {{}}
  return
}
