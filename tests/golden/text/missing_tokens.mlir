// A missing token is reported right after the previous token, even if the next one is lines further down.
// RUN: quern opt %s --split-input-file --verify-diagnostics >/dev/null
// RUN: quern opt %s --split-input-file 2>&1 >/dev/null | FileCheck %s
// MLIR-OPT: none

// CHECK: missing_tokens.mlir:[[#@LINE+2]]:16: error: expected '->' in function type
// expected-error @below {{expected '->' in function type}}
"test.a"() : ()   // a comment
  // and another

"test.b"() : () -> ()

// -----

// CHECK: missing_tokens.mlir:[[#@LINE+2]]:20: error: expected '>' in tensor type
// expected-error @below {{expected '>' in tensor type}}
!t = tensor<4x?xf32

// -----

// CHECK: missing_tokens.mlir:[[#@LINE+2]]:12: error: expected '<' in vector type
// expected-error @below {{expected '<' in vector type}}
!v = vector   4xf32

// -----

// CHECK: missing_tokens.mlir:[[#@LINE+2]]:17: error: expected ',' or '>' in memref type
// expected-error @below {{expected ',' or '>' in memref type}}
!m = memref<4xi8

// -----

// CHECK: missing_tokens.mlir:[[#@LINE+2]]:18: error: expected '>' in tuple type
// expected-error @below {{expected '>' in tuple type}}
!u = tuple<i8, i8 f32>

// -----

// CHECK: missing_tokens.mlir:[[#@LINE+2]]:21: error: expected valid keyword
// expected-error @below {{expected valid keyword}}
!q = !quant.uniform<<i8>:f32, 1.0>
