// Padding with real values that are not integers, in the interpreter, lowered, and as machine code; invalid ml.pad attributes.
// RUN: quern opt %s --emit=interpret --input 3xf32=1,2,3 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --input 3xf32=1,2,3 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --input 3xf32=1,2,3 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --cpu baseline --input 3xf32=1,2,3 | FileCheck %s --match-full-lines
// RUN: sed 's/real_value = -0.0/value = 1 : i64, real_value = -0.0/' %s | quern opt - 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: sed 's/xf16/xi32/g' %s | quern opt - 2>&1 | FileCheck %s --check-prefix=WHOLE
// CHECK: dense<[2.500000e-01, 2.500000e-01, 1.000000e+00, 2.000000e+00, 3.000000e+00, 2.500000e-01]> : tensor<6xf32>
// CHECK-NEXT: dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, -0.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: dense<[0.0999755859, 1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xf32>
// BOTH: error: 'ml.pad' op has both a value and a real_value
// WHOLE: error: 'ml.pad' op has a real_value, but no floats
func.func @main(%x: tensor<3xf32>) -> (tensor<6xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = "ml.pad"(%x) {pad = array<i64: 2, 1>, real_value = 0.25 : f32} : (tensor<3xf32>) -> tensor<6xf32>
  %1 = "ml.pad"(%x) {pad = array<i64: 0, 1>, real_value = -0.0 : f32} : (tensor<3xf32>) -> tensor<4xf32>
  %h = "ml.cast"(%x) : (tensor<3xf32>) -> tensor<3xf16>
  %2 = "ml.pad"(%h) {pad = array<i64: 1, 0>, real_value = 0.1 : f32} : (tensor<3xf16>) -> tensor<4xf16>
  %3 = "ml.cast"(%2) : (tensor<4xf16>) -> tensor<4xf32>
  return %0, %1, %3 : tensor<6xf32>, tensor<4xf32>, tensor<4xf32>
}
