// A pass that runs alone adds the passes that it requires before it. The compiler's own pipeline has a name.
// RUN: %quern opt %s --lower-to-loops --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefixes=ALONE,LOOPS
// RUN: %quern opt %s --compile --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefixes=NAMED,LOOPS
// RUN: %quern opt %s --lower-to-integer --lower-to-loops --disable-pass=lower-to-integer 2>&1 | FileCheck %s --check-prefix=DISABLED
// RUN: %quern opt %s --lower-to-integer --lower-to-loops --print-ir-after=lower-to-integer 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: %quern list pipelines | FileCheck %s --check-prefix=LIST
// RUN: %quern compile %s -o - --emit loops > %t && %quern opt %s --compile | diff - %t

// ALONE: builtin.module(lower-to-integer,materialize-padding,fold-zero-points,lower-to-loops)
// NAMED: builtin.module({{.*}}lower-to-integer,tabulate-bytes,fold-clamps,use-unsigned,materialize-padding,fold-zero-points,remove-unread-channels,rows-to-depth,fuse-elementwise,simplify-integer,fold-constants,lower-to-loops,canonicalize,cse)
// LOOPS: quern.launch
// DISABLED: error: pass 'lower-to-integer' is disabled, but 'materialize-padding', which runs, requires it
// ONCE: IR Dump After LowerToInteger
// ONCE-NOT: IR Dump After LowerToInteger
// LIST: compile{{ +}}exact{{.*}}model-to-integer,integer-to-loops
!q = !quant.uniform<i8:f32, 0.5:3>
func.func @main(%x: tensor<4x!q>) -> tensor<4x!q> {
  %y = "ml.relu"(%x) : (tensor<4x!q>) -> tensor<4x!q>
  return %y : tensor<4x!q>
}
