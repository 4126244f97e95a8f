// The remainder has the dividend's sign and is exact. Conversions without a rule are only supported between equal types.
// RUN: quern opt %s --emit=interpret --function=remainders | FileCheck %s
// RUN: quern opt %s --emit=interpret --function=same | FileCheck %s --check-prefix=SAME
// RUN: quern opt %s --emit=interpret --function=other 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: ! quern opt %s --emit=interpret --function=other 2>/dev/null
// RUN: quern opt %s --emit=run --function=remainders 2>&1 | FileCheck %s --check-prefix=CODE
// CHECK: dense<[5.000000e-01, -5.000000e-01, 1.000000e+00, -0.000000e+00]> : tensor<4xf32>
// CHECK: 2.500000e-01 : f16
// SAME: 7 : i32
// OTHER: converts between types by an undefined rule
// CODE: 'arith.remf' op has no machine code
func.func @remainders() -> (tensor<4xf32>, f16) {
  %a = arith.constant dense<[5.5, -5.5, 1.0e10, -4.0]> : tensor<4xf32>
  %b = arith.constant dense<[1.0, 1.0, 3.0, 2.0]> : tensor<4xf32>
  %0 = arith.remf %a, %b : tensor<4xf32>
  %c = arith.constant 1.25 : f16
  %d = arith.constant -5.0e-1 : f16
  %1 = arith.remf %c, %d : f16
  return %0, %1 : tensor<4xf32>, f16
}
func.func @same() -> i32 {
  %a = arith.constant 7 : i32
  %0 = builtin.unrealized_conversion_cast %a : i32 to i32
  return %0 : i32
}
func.func @other() -> index {
  %a = arith.constant 7 : i32
  %0 = builtin.unrealized_conversion_cast %a : i32 to index
  return %0 : index
}
