// Bisection finds the first pass after which a check fails.
// RUN: code 1 %quern reduce %s --pipeline='func.func(canonicalize,cse),symbol-dce,canonicalize' --pass-bisect --check 'grep -q @unused' | FileCheck %s --check-prefix=DCE
// RUN: code 1 %quern reduce %s --canonicalize --symbol-dce --pass-bisect --check 'grep -q arith.constant' | FileCheck %s --check-prefix=FIRST
// RUN: code 1 %quern reduce %s --load-pass-plugin=%plugin --cse --test-break --canonicalize --pass-bisect --check true 2>%t | FileCheck %s --check-prefix=BREAK
// RUN: %quern reduce %s --canonicalize --pass-bisect --check true | FileCheck %s --check-prefix=GOOD
// RUN: code 3 %quern reduce %s --canonicalize --pass-bisect --check false 2>&1 | FileCheck %s --check-prefix=ALWAYS
// RUN: code 2 %quern reduce %s --canonicalize --pass-bisect --check /no/such/command 2>&1 | FileCheck %s --check-prefix=COMMAND
// RUN: code 2 %quern reduce %s --pass-bisect --canonicalize 2>&1 | FileCheck %s --check-prefix=USAGE

// DCE: the check first fails after pass 'symbol-dce' (run 7) on builtin.module
// FIRST: the check first fails after pass 'canonicalize' (run 1) on builtin.module
// BREAK: the check first fails after pass 'test-break' (run 2) on builtin.module
// GOOD: the check succeeds after all 1 runs of passes
// ALWAYS: error: the check fails without any pass
// COMMAND: error: the check can't be run: /no/such/command
// USAGE: error: --pass-bisect needs --check and goes without --op
func.func @f() -> i32 {
  %c = arith.constant 1 : i32
  %r = "func.call"() {callee = @g} : () -> i32
  return %r : i32
}
func.func private @g() -> i32
func.func private @unused()
