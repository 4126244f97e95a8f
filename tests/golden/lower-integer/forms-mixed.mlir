// The profile has no integer form for mixed signed and unsigned storage. The float fallback is used if allowed,
// with a warning.
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer)' %s 2>&1 | FileCheck %s
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer{force=ml.mul})' %s 2>&1 | FileCheck %s --check-prefix=FORCED
// RUN: ! quern opt --pass-pipeline='builtin.module(lower-to-integer{force=ml.mul})' %s 2>/dev/null
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer{fall-back=false})' %s 2>&1 | FileCheck %s --check-prefix=FORCED
// RUN: ! quern opt --pass-pipeline='builtin.module(lower-to-integer{fall-back=false})' %s 2>/dev/null
!x = !quant.uniform<i8:f32, 0.5>
!u = !quant.uniform<u8:f32, 0.5:128>
func.func @main(%a: tensor<4x!x>, %b: tensor<4x!u>) -> tensor<4x!x> {
  // CHECK-DAG: remark: 'ml.mul' has no integer form: the operation mixes signed and unsigned storage; it is computed in float
  // CHECK-DAG: arith.mulf
  // FORCED: error: 'ml.mul' has no integer form: the operation mixes signed and unsigned storage
  %0 = "ml.mul"(%a, %b) : (tensor<4x!x>, tensor<4x!u>) -> tensor<4x!x>
  return %0 : tensor<4x!x>
}
