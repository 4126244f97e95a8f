// --opt-bisect-limit numbers the runs of passes and stops after a limit.
// RUN: %quern opt %s --pass-pipeline='func.func(canonicalize),symbol-dce' --opt-bisect-limit=2 2>&1 | FileCheck %s --check-prefixes=TWO
// RUN: %quern opt %s --canonicalize --opt-bisect-limit=-1 2>&1 | FileCheck %s --check-prefixes=FREE
// RUN: code 2 %quern opt %s --canonicalize --opt-bisect-limit=some 2>&1 | FileCheck %s --check-prefixes=BAD

// TWO: BISECT: running pass (1) canonicalize on func.func @f
// TWO-NEXT: BISECT: running pass (2) canonicalize on func.func @g
// TWO-NEXT: BISECT: NOT running pass (3) symbol-dce on builtin.module
// TWO: func.func private @g
// FREE: BISECT: running pass (1) canonicalize on builtin.module
// BAD: error: --opt-bisect-limit takes a number, not 'some'
func.func @f() {
  return
}
func.func private @g()
