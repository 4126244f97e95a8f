// A name denotes a pipeline: in pipelines, as a flag, and in option lists.
// RUN: %quern opt %s --load-pass-plugin=%plugin --test-nested --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefixes=DUMP,ALL
// RUN: %quern opt %s --load-pass-plugin=%plugin --pass-pipeline='cse,test-pipeline,symbol-dce' --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: %quern opt %s --load-pass-plugin=%plugin --test-nested --opt-level=1 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: %quern opt %s --load-pass-plugin=%plugin --test-nested --disable-pass=test-pipeline 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: %quern opt %s --load-pass-plugin=%plugin --test-nested --opt-level=1 --require-pass=test-pipeline 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %quern opt %s --load-pass-plugin=%plugin --test-nested --print-ir-after=test-pipeline 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: code 2 %quern opt %s --load-pass-plugin=%plugin --test-nested=a=b 2>&1 | FileCheck %s --check-prefix=OPTIONS
// RUN: code 2 %quern opt %s --load-pass-plugin=%plugin --pass-pipeline='builtin.module(func.func(test-pipeline))' 2>&1 | FileCheck %s --check-prefix=PLACE
// DUMP: builtin.module(print-ir{label=first},test-rename{to=@h},func.func(cse),symbol-dce)
// ALL: // -----// IR Dump first //----- //
// ALL: remark: renaming
// ALL: func.func @h
// ALL-NOT: @unused
// LIST: builtin.module(cse,print-ir{label=first},test-rename{to=@h},func.func(cse),symbol-dce)
// LEVEL-NOT: renaming
// LEVEL: func.func @f
// LEVEL-NOT: @unused
// AFTER: IR Dump After PrintIR
// AFTER: IR Dump After TestRename
// AFTER: IR Dump After CSE
// AFTER-NOT: IR Dump After SymbolDCE
// OPTIONS: error: 'test-nested' is the name of a pipeline and takes no options
// PLACE: test-pipeline:1:{{[0-9]+}}: error: can't run pass 'test-rename', restricted to 'builtin.module'
func.func @f(%a: i32) -> i32 {
  return %a : i32
}
func.func private @unused()
