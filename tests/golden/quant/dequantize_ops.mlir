// A function of a hypothetical dialect is lowered step by step to upstream's ops: floats between casts,
// casts as arithmetic, stored integers in the signature. The values are the same at each step.
// RUN: quern opt %s --dequantize-ops | FileCheck %s
// RUN: quern opt %s --dequantize-ops --lower-quant-ops --strip-func-quant-types --symbol-dce --canonicalize | sed '/func.func @stays/,$d' | (cat; echo '}') | if command -v mlir-opt-22 >/dev/null; then mlir-opt-22; else cat; fi | FileCheck %s --check-prefix=UPSTREAM --implicit-check-not=quant. --implicit-check-not=ml.
// RUN: quern opt %s --dequantize-ops --emit=interpret --function multiply_add --input 3xi8=1,2,3 --input 3xi8=4,5,-6 --input 3xi8=7,8,9 | FileCheck %s --check-prefix=VALUES
// RUN: quern opt %s --dequantize-ops --lower-quant-ops --emit=run --function multiply_add --input 3xi8=1,2,3 --input 3xi8=4,5,-6 --input 3xi8=7,8,9 | FileCheck %s --check-prefix=VALUES
// RUN: quern opt %s --emit=run --function multiply_add --input 3xi8=1,2,3 --input 3xi8=4,5,-6 --input 3xi8=7,8,9 2>/dev/null | FileCheck %s --check-prefix=VALUES
// RUN: quern opt %s --dequantize-ops=ops=ml.mul | FileCheck %s --check-prefix=ONE
// RUN: quern opt %s --dequantize-ops=ops=ml.pad 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: quern opt %s --dequantize-ops=ops=ml.reexpress 2>&1 | FileCheck %s --check-prefix=NAMED
!q = !quant.uniform<i8:f32:0, {2.0, 3.0, 4.0}>

// CHECK-LABEL: func.func @multiply_add
// CHECK: %[[A:.*]] = quant.dcast %arg0 : tensor<3x!quant.uniform<i8:f32:0, {2.000000e+00,3.000000e+00,4.000000e+00}>> to tensor<3xf32>
// CHECK: %[[B:.*]] = quant.dcast %arg1
// CHECK: %[[E:.*]] = tensor.empty() : tensor<3xf32>
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : tensor<3xf32>, tensor<3xf32>) outs(%[[E]] : tensor<3xf32>)
// CHECK: arith.mulf
// CHECK: %[[Q:.*]] = quant.qcast %[[P]]
// CHECK: quant.dcast %[[Q]]
// CHECK: arith.addf
// CHECK: quant.qcast
// UPSTREAM-LABEL: func.func @multiply_add(%arg0: tensor<3xi8>, %arg1: tensor<3xi8>, %arg2: tensor<3xi8>) -> tensor<3xi8>
// UPSTREAM: arith.mulf
// UPSTREAM: arith.fptosi
// UPSTREAM: arith.addf
// UPSTREAM: arith.fptosi
// ONE: arith.mulf
// ONE: "ml.add"
// 2 * 8 + 14 in steps of 2, 6 * 15 + 24 in steps of 3, 12 * -24 + 36 in steps of 4.
// VALUES: dense<[15, 38, -63]>
// NAME: error: 'ops' names 'ml.pad', which has no float form
func.func @multiply_add(%a: tensor<3x!q>, %b: tensor<3x!q>, %c: tensor<3x!q>) -> tensor<3x!q> {
  %0 = "ml.mul"(%a, %b) : (tensor<3x!q>, tensor<3x!q>) -> tensor<3x!q>
  %1 = "ml.add"(%0, %c) : (tensor<3x!q>, tensor<3x!q>) -> tensor<3x!q>
  return %1 : tensor<3x!q>
}

// CHECK-LABEL: func.func @stays
func.func @stays(%a: tensor<3x!q>) -> tensor<3x!q> {
  // NAMED: [[#@LINE+2]]:{{.*}}error: 'ml.reexpress' has no float form, as quant.qcast does not report what the result can't hold
  // CHECK: ml.reexpress
  %0 = "ml.reexpress"(%a) {mode = "checked", rounding = "even", overflow = "error"} : (tensor<3x!q>) -> tensor<3x!q>
  return %0 : tensor<3x!q>
}
