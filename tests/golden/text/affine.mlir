// Maps print in one form, which reads back to the same map; invalid maps are reported at their location.
// RUN: quern opt %s --split-input-file --verify-diagnostics --mlir-print-local-scope | FileCheck %s
// MLIR-OPT: none

// CHECK-LABEL: func.func @forms
// CHECK-SAME: a = affine_map<(d0, d1) -> (-d1, d0 - d1 * 2, d0 - (d1 + 1), d1 - d0 floordiv 2)>
// CHECK-SAME: b = affine_map<(d0)[s0] -> (d0 + s0, (d0 * s0) * 6, d0 + s0 + d0)>
// CHECK-SAME: c = affine_map<(d0, d1) -> (d0 + d1 floordiv 4, d1 mod 4, d0 mod 3, 0)>
func.func @forms() attributes {
  a = affine_map<(d0, d1) -> (d1 * -1, d0 + d1 * -2, d0 - (d1 + 1), d1 * 1 - (d0 floordiv 2) + 0)>,
  b = affine_map<(i)[n] -> (n + i, i * 2 * n * 3, n + i + i)>,
  c = affine_map<(d0, d1) -> ((d0 * 4 + d1) floordiv 4, (d0 * 4 + d1) mod 4, d0 - d0 floordiv 3 * 3, (d0 * 6) mod 3)>
} { return }

// Additions associate to the left, so that text without parentheses reads back to the same map.
// CHECK-LABEL: func.func @one_map
// CHECK-SAME: a = affine_map<(d0, d1) -> (d0 * 2 + d1)>
// CHECK-SAME: b = affine_map<(d0, d1) -> (d0 * 2 + d1)>
func.func @one_map() attributes {
  a = affine_map<(d0, d1) -> (d0 + (d0 + d1))>,
  b = affine_map<(d0, d1) -> (d0 + d0 + d1)>
} { return }

// An expression that overflows 64 bits is not simplified.
// CHECK-LABEL: func.func @wide
// CHECK-SAME: affine_map<(d0) -> (d0 + 9223372036854775807 + 1, (d0 * 9223372036854775807) * 2)>
func.func @wide() attributes {
  a = affine_map<(d0) -> (d0 + 9223372036854775807 + 1, d0 * 9223372036854775807 * 2)>
} { return }

// -----

// expected-error @below {{non-affine expression: at least one of the operands has to be a constant or symbolic}}
func.func @product() attributes {a = affine_map<(d0, d1)[s0] -> ((d0 + s0) * d1)>} { return }

// -----

// expected-error @below {{non-affine expression}}
func.func @divisor() attributes {a = affine_map<(d0)[s0] -> (s0 floordiv (d0 + s0))>} { return }

// -----

// expected-error @below {{the divisor of an affine expression must be positive}}
func.func @zero() attributes {a = affine_map<(d0) -> (d0 mod 0)>} { return }
