// Passes of a plug-in work like built-in passes; a plug-in of another API version is rejected.
// RUN: %quern opt %s --load-pass-plugin=%plugin --test-rename="to=@h" 2>&1 | FileCheck %s --check-prefix=RENAME
// RUN: %quern opt %s --load-pass-plugin %plugin --help-all | FileCheck %s --check-prefix=HELP
// RUN: code 2 %quern opt %s --load-pass-plugin=%old 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: code 2 %quern opt %s --load-pass-plugin=%none 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: code 2 %quern opt %s --load-pass-plugin=%plugin --load-pass-plugin=%plugin 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: code 2 %quern opt %s --load-pass-plugin=%t.so 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: code 4 %quern opt %s --load-pass-plugin=%plugin --test-fail 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: code 2 %quern opt %s --load-pass-plugin=%plugin --test-cycle-a 2>&1 | FileCheck %s --check-prefix=CYCLE
// RUN: code 4 %quern opt %s --load-pass-plugin=%plugin --test-needs --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=NEEDS
// RUN: %quern opt %s --load-pass-plugin=%plugin --test-needs --opt-level=2 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: code 4 %quern opt %s --load-pass-plugin=%plugin --test-needs --opt-level=2 --require-pass=test-needs 2>&1 | FileCheck %s --check-prefix=NEEDED

// RENAME: remark: renaming
// RENAME: func.func @h
// HELP: --test-rename {{ *}}replace text
// OLD: test_plugin_old.so: error: the plug-in is made for version 77 of the pass interface, this is version 3
// NOTHING: test_plugin_none.so: error: the plug-in describes nothing
// TWICE: error: there is a pass 'test-rename' already
// TWICE: error: there is a pass 'test-fail' already
// TWICE: test_plugin.so: error: parts of it are rejected
// ABSENT: error: {{.*}}cannot open shared object file
// FAIL: error: this never works
// FAIL: error: pass 'test-fail' failed
// NEEDED: error: pass 'test-needs' failed
// CYCLE: <pipeline>:1:1: error: passes require each other: test-cycle-a <- test-cycle-b <- test-cycle-a
// NEEDS: builtin.module(test-rename,test-needs)
// NEEDS: remark: renaming
// LEVEL-NOT: renaming
// LEVEL: func.func @f
func.func @f(%a: i32) -> i32 {
  return %a : i32
}
