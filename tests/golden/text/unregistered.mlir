// Unknown ops are errors unless they are allowed.
// RUN: %opt %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: quern opt %s 2>/dev/null; test $? = 3
// MLIR-OPT: none
"foo.bar"() : () -> ()
"foo"() : () -> ()
"arith.foo"() : () -> ()
%0 = "foo.baz"() : () -> i8
%1 = "foo.baz"(%0) : (i8) -> i8

// CHECK: {{.*}}unregistered.mlir:5:1: error: operation being parsed with an unregistered dialect. If this is intended, please use --allow-unregistered-dialect
// CHECK-NEXT: {{.*}}unregistered.mlir:6:1: error: operation being parsed with an unregistered dialect. If this is intended, please use --allow-unregistered-dialect
// CHECK-NEXT: {{.*}}unregistered.mlir:7:1: error: unregistered operation 'arith.foo' found in dialect ('arith') that does not allow unknown operations
// CHECK-NEXT: {{.*}}unregistered.mlir:8:6: error: operation being parsed with an unregistered dialect. If this is intended, please use --allow-unregistered-dialect
// CHECK-NEXT: {{.*}}unregistered.mlir:9:6: error: operation being parsed with an unregistered dialect. If this is intended, please use --allow-unregistered-dialect
