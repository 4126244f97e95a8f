// The pass that breaks the IR is reported, and the written reproducer fails in the same way.
// RUN: code 6 %quern opt %s --load-pass-plugin=%plugin --cse --test-break --canonicalize --reproducer=%t --print-ir-after-failure 2>&1 | FileCheck %s --check-prefixes=BREAK,NOTE,DUMP
// RUN: FileCheck %s --check-prefix=FILE < %t
// RUN: code 6 %quern opt --load-pass-plugin=%plugin --run-reproducer %t 2>&1 | FileCheck %s --check-prefix=BREAK
// RUN: %quern opt %s --load-pass-plugin=%plugin --test-break --verify-each=false | FileCheck %s --check-prefix=LEFT
// RUN: rm -f %t && %quern opt %s --cse --reproducer=%t && test ! -e %t
// RUN: code 134 %quern opt %s --load-pass-plugin=%plugin --test-abort --config=cpu=x86-64-v3 --reproducer=%t; FileCheck %s --check-prefix=ABORT < %t
// RUN: code 6 %quern opt %s --load-pass-plugin=%plugin --test-fail --test-needs --test-break --opt-level=2 --disable-pass=test-fail --reproducer=%t 2>&1 | FileCheck %s --check-prefix=BREAK
// RUN: FileCheck %s --check-prefix=CHOSEN < %t
// RUN: code 6 %quern opt --load-pass-plugin=%plugin --run-reproducer %t 2>&1 | FileCheck %s --check-prefix=BREAK
// RUN: code 4 %quern opt --load-pass-plugin=%plugin --run-reproducer --disable-pass=cse %t 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: code 4 %quern opt %s --load-pass-plugin=%plugin --test-break --test-fail --verify-each=false --stress-roundtrip --require-pass=cse --reproducer=%t 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: code 4 %quern opt --load-pass-plugin=%plugin --run-reproducer %t 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: code 3 %quern opt --run-reproducer %s 2>&1 | FileCheck %s --check-prefix=NONE

// BREAK: error: 'func.return' op type of return operand 0 ('i32') doesn't match function result type ('i64')
// BREAK: error: the module is not valid after pass 'test-break'
// DUMP: // -----// IR Dump After TestBreak Failed (test-break) //----- //
// DUMP: func.func @f(%{{.*}}: i32) -> i64
// NOTE: note: reproducer written
// FILE: func.func @f(%{{.*}}: i32) -> i32
// FILE: mlir_reproducer: {
// FILE-NEXT: pipeline: "builtin.module(cse,test-break,canonicalize)",
// LEFT: -> i64
// ABORT: pipeline: "builtin.module(test-abort)"
// ABORT: config: "cpu=x86-64-v3"
// CHOSEN: pipeline: "builtin.module(test-fail,test-rename,test-needs,test-break)"
// CHOSEN: disabled: "test-fail",
// CHOSEN-NEXT: opt_level: "2"
// OTHER: error: pass 'test-fail' failed
// NONE: error: is no reproducer: it holds no pipeline
func.func @f(%a: i32) -> i32 {
  return %a : i32
}
