// Passes of plug-ins may define keys of the configuration.
// RUN: %quern opt %s --load-pass-plugin=%plugin --test-config 2>&1 | FileCheck %s --check-prefix=DEFAULT
// RUN: %quern opt %s --load-pass-plugin=%plugin --test-config --config=cpu=x86-64,test-mode=slow,test-limit=9 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: code 2 %quern opt %s --load-pass-plugin=%plugin --test-config --config=test-mode=bogus,test-limit=x,absent=1 2>&1 | FileCheck %s --check-prefix=WRONG
// DEFAULT: remark: fast
// DEFAULT: remark: 7
// GIVEN: remark: slow
// GIVEN: remark: 9
// WRONG: <config>:1:1: error: 'test-mode' takes one of fast|slow, not 'bogus'
// WRONG: <config>:1:17: error: 'test-limit' takes an integer, not 'x'
// WRONG: there is no configuration key 'absent': cpu, features, keep-tensors, test-mode or test-limit
func.func @f() {
  return
}
