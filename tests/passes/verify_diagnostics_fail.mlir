// Unexpected diagnostics, and expected ones that were not produced; exit code 1.
// RUN: code 1 %quern opt -verify-diagnostics %s 2>&1 | FileCheck %s
// RUN: code 1 %quern opt -verify-diagnostics=only-expected %s 2>&1 | FileCheck %s --check-prefix=ONLY
// RUN: code 2 %quern opt -verify-diagnostics=some %s 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: printf '// e''xpected-error@nowhere {{x}}\n' | code 3 %quern opt -verify-diagnostics 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: printf '// e''xpected-error {{x\n' | code 3 %quern opt -verify-diagnostics 2>&1 | FileCheck %s --check-prefix=BRACES
// RUN: printf '// e''xpected-error-re {{a{{(}}b}}\n' | code 3 %quern opt -verify-diagnostics 2>&1 | FileCheck %s --check-prefix=REGEX

// CHECK: verify_diagnostics_fail.mlir:[[# @LINE + 12]]:3: error: unexpected error: 'func.return' op type of return operand 0
// CHECK: verify_diagnostics_fail.mlir:[[# @LINE + 10]]: error: expected error "something else" was not produced
// CHECK: verify_diagnostics_fail.mlir:[[# @LINE + 11]]: error: expected note "never" was not produced
// ONLY-NOT: unexpected
// ONLY: error: expected error "something else" was not produced
// WHICH: error: --verify-diagnostics is all or only-expected, not 'some'
// PLACE: -:1: expected @+N, @-N, @above, @below or @unknown
// BRACES: -:1: expected '}}' after the text
// REGEX: -:1: the regular expression can't be read
func.func @f() -> i32 {
  %c = arith.constant 1.0 : f32
  // expected-error@+1 {{something else}}
  return %c : f32
} // expected-note {{never}}
