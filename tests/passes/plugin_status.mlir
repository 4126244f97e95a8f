// A plug-in pass that returns an invalid status, or a status that contradicts its reports, fails with an error that names the pass.
// RUN: code 3 %quern opt %s --load-pass-plugin=%plugin --test-77 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: code 3 %quern opt %s --load-pass-plugin=%plugin --test-hide 2>&1 | FileCheck %s --check-prefixes=HIDDEN,OK
// RUN: code 3 %quern opt %s --load-pass-plugin=%plugin --test-hide=how=odd 2>&1 | FileCheck %s --check-prefixes=HIDDEN,OK
// RUN: code 3 %quern opt %s --load-pass-plugin=%plugin --test-hide=how=text 2>&1 | FileCheck %s --check-prefixes=TEXT,OK
// RUN: code 2 %quern opt %s --load-pass-plugin=%plugin --test-hide=how=bogus 2>&1 | FileCheck %s --check-prefix=CHOICE
// ODD: error: pass 'test-77' ended with 77, which is not a status
// HIDDEN: error: hidden
// TEXT: error: custom op 'garbage' is unknown
// OK: error: pass 'test-hide' reported an error and ended as if there was none
// CHOICE: takes one of plain|text|odd, not 'bogus'
func.func @f(%a: i32) -> i32 {
  return %a : i32
}
