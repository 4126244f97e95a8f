// A module of 200 ops and three functions, in which a pass breaks one op, is reduced to that op.
// RUN: awk -v n=200 'BEGIN { print "func.func @spare(%x: i32) -> i32 {\n  return %x : i32\n}\nfunc.func @f(%v0: i32) -> i32 {"; for (i = 1; i < n; i++) print "  %v" i " = " (i == 123 ? "arith.shli" : "arith.addi") " %v" i - 1 ", %v" int((i - 1) / 2) " : i32"; print "  %c = func.call @spare(%v" n - 1 ") : (i32) -> i32\n  return %c : i32\n}\nfunc.func @g(%x: i32) -> i32 {\n  %y = func.call @f(%x) : (i32) -> i32\n  return %y : i32\n}" }' >%t.mlir
// RUN: %quern reduce %t.mlir --load-pass-plugin=%plugin --cse --test-rename='from=arith.shli to=arith.addf' --canonicalize -o %t.small 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: FileCheck %s --check-prefix=SMALL --match-full-lines --strict-whitespace --input-file=%t.small
// RUN: code 6 %quern opt %t.small --load-pass-plugin=%plugin --cse --test-rename='from=arith.shli to=arith.addf' --canonicalize 2>%t.messages
// RUN: FileCheck %s --check-prefix=STILL --input-file=%t.messages
// A check on the module itself: an empty function with the right name suffices.
// RUN: %quern reduce %t.mlir --op --test '! grep -q @spare' 2>%t.messages | FileCheck %s --check-prefix=SPARE --match-full-lines --strict-whitespace
// A pass that crashes the process, and a pass that always fails: no op is needed.
// RUN: %quern reduce %t.mlir --load-pass-plugin=%plugin --test-abort 2>&1 >%t.small | FileCheck %s --check-prefix=ABORT
// RUN: %quern reduce %t.mlir --load-pass-plugin=%plugin --test-fail 2>%t.messages | FileCheck %s --check-prefix=EMPTY --match-full-lines --strict-whitespace
// RUN: code 3 %quern reduce %t.mlir --cse 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: code 2 %quern reduce %t.mlir --op --check /no/such/command 2>&1 | FileCheck %s --check-prefix=COMMAND

// SAYS: pass 'test-rename' breaks the IR; {{[0-9]+}} modules were tried
//      SMALL:module {
// SMALL-NEXT:  func.func @f(%arg0: i32) -> i32 {
// SMALL-NEXT:    %0 = arith.shli %arg0, %arg0 : i32
// SMALL-NEXT:    return %0 : i32
// SMALL-NEXT:  }
// SMALL-NEXT:}
// STILL: the module is not valid after pass 'test-rename'
//      SPARE:module {
// SPARE-NEXT:  func.func private @spare(i32) -> i32
// SPARE-NEXT:}
// ABORT: pass 'test-abort' ends the process with signal 6
//      EMPTY:module {
// EMPTY-NEXT:}
// NOTHING: error: nothing fails
// COMMAND: error: the check can't be run: /no/such/command
