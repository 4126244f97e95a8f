// A payload that was elided reads back and prints the same. Its values are unknown, so
// no pass folds or executes it. Any other key must be in the resource section.
// RUN: quern opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s
// RUN: quern opt %s --canonicalize --split-input-file --emit=interpret --function=sum 2>&1 | FileCheck %s --check-prefix=RUNS
// MLIR-OPT: none

// CHECK-LABEL: func.func @sum
// CHECK: %[[C:.*]] = arith.constant dense_resource<__elided__> : tensor<4xi8>
// CHECK: %[[S:.*]] = arith.addi %[[C]], %[[C]] : tensor<4xi8>
// CHECK: return %[[S]]
// RUNS: elided_again.mlir:[[#@LINE+2]]:8: error: {{.*}}has an elided value
func.func @sum() -> tensor<4xi8> {
  %0 = arith.constant dense_resource<__elided__> : tensor<4xi8>
  %1 = arith.addi %0, %0 : tensor<4xi8>
  return %1 : tensor<4xi8>
}

// CHECK-LABEL: func.func @stored
// CHECK: %[[C:.*]] = arith.constant dense_resource<__elided__> : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
// CHECK: quant.scast %[[C]]
func.func @stored() -> tensor<2xi8> {
  %0 = arith.constant dense_resource<__elided__> : tensor<2x!quant.uniform<i8:f32, 0.5>>
  %1 = quant.scast %0 : tensor<2x!quant.uniform<i8:f32, 0.5>> to tensor<2xi8>
  return %1 : tensor<2xi8>
}

// CHECK: memref.global "private" constant @table : memref<8xi8> = dense_resource<__elided__>
memref.global "private" constant @table : memref<8xi8> = dense_resource<__elided__>

// -----

func.func @unknown_key() -> tensor<4xi8> {
  // expected-error @below {{resource 'weights' is not in the file's resource section}}
  %0 = arith.constant dense_resource<weights> : tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @dynamic() -> tensor<?xi8> {
  // expected-error @below {{elements literal type must have static shape}}
  %0 = arith.constant dense_resource<__elided__> : tensor<?xi8>
  return %0 : tensor<?xi8>
}
