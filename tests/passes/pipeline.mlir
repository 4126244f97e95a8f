// Pipelines are nested, resolved and printed; flags keep their order.
// RUN: %quern opt %s --pass-pipeline='builtin.module(func.func(canonicalize,cse),symbol-dce)' --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefixes=NESTED,OUT
// RUN: %quern opt %s -symbol-dce -canonicalize="upstream-compatible=true" --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: %quern opt %s --pass-pipeline=' any ( cse , canonicalize{ upstream-compatible } ) ' --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=ANY
// RUN: %quern opt %s --pass-pipeline='canonicalize{upstream-compatible=false}' --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=DEFAULT
// RUN: %quern opt %s --pass-pipeline='builtin.module()' | FileCheck %s --check-prefix=NONE
// RUN: %quern opt %s --canonicalize --disable-pass=canonicalize | FileCheck %s --check-prefix=NONE
// RUN: %quern opt - --symbol-dce -o %t < %s && FileCheck %s --check-prefix=OUTFILE < %t

// NESTED: builtin.module(func.func(canonicalize,cse),symbol-dce)
// FLAGS: builtin.module(symbol-dce,canonicalize{upstream-compatible=true})
// ANY: any(cse,canonicalize{upstream-compatible=true})
// DEFAULT: builtin.module(canonicalize)

// OUT-LABEL: func.func @f
// OUT: arith.constant
// OUT-NOT: arith.constant
// OUT-NOT: @unused
// NONE-LABEL: func.func @f
// NONE-COUNT-2: arith.constant
// NONE: @unused
// OUTFILE-NOT: @unused
func.func @f(%a: i32) -> i32 {
  %c = arith.constant 1 : i32
  %d = arith.constant 1 : i32
  %b = arith.addi %a, %c : i32
  return %b : i32
}
func.func private @unused()
