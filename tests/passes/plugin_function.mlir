// A plug-in pass on functions gets one function at a time and can't change anything else.
// RUN: %quern opt %s --load-pass-plugin=%plugin --test-function="from=addi to=muli" 2>&1 | FileCheck %s
// RUN: %quern opt %s --load-pass-plugin=%plugin --pass-pipeline='builtin.module(func.func(test-function{from=addi to=muli},cse))' --stress-roundtrip 2>&1 | FileCheck %s
// RUN: code 3 %quern opt %s --load-pass-plugin=%plugin --test-function="from=@f to=@g" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: code 3 %quern opt %s --load-pass-plugin=%plugin --test-function="from=module to=wrong" 2>&1 | FileCheck %s --check-prefix=TEXT

// CHECK-COUNT-2: plugin_function.mlir:{{[0-9]+}}:1: remark: renaming
// CHECK: func.func @f
// CHECK: arith.muli
// CHECK: func.func @h
// CHECK: call @f
// CHECK: arith.muli
// NAME: error: pass 'test-function' has to give back the function 'f' and nothing else
// NAME: error: pass 'test-function' failed
// TEXT: error: pass 'test-function' failed
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}
func.func @h(%a: i32) -> i32 {
  %0 = call @f(%a) : (i32) -> i32
  %1 = arith.addi %0, %a : i32
  return %1 : i32
}
