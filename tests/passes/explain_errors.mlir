// An error names the pass or node that --explain does not know.
// RUN: code 2 %quern opt %s --explain=what@3 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: code 2 %quern opt %s --explain=graph-exact@3 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: code 2 %quern opt %s --explain=cse 2>&1 | FileCheck %s --check-prefix=NODE
// RUN: code 2 %quern compile %s -o - --emit loops --explain=cse@ 2>&1 | FileCheck %s --check-prefix=NODE2
// RUN: code 2 %quern run %s --disable-pass=graph-exct 2>&1 | FileCheck %s --check-prefix=DISABLED

// PASS: error: there is no pass 'what' that could explain
// PIPELINE: error: there is no pass 'graph-exact' that could explain
// NODE: error: what to explain is PASS@NODE, a pass and an op, not 'cse'
// NODE2: error: what to explain is PASS@NODE, a pass and an op, not 'cse@'
// DISABLED: error: there is no pass 'graph-exct'; did you mean 'graph-exact'?
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
