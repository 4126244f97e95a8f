// The form of each op is chosen by the user: its integers, or dequantize, float op, quantize.
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer{forbid=ml.add,ml.relu6})' %s | FileCheck %s
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer{fall-back=true})' %s | FileCheck %s --check-prefix=NEEDLESS
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer{forbid=ml.softmax,ml.relu force=ml.relu})' %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: ! quern opt --pass-pipeline='builtin.module(lower-to-integer{forbid=ml.softmax,ml.relu force=ml.relu})' %s 2>/dev/null
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer{forbid=ml.sigmoid})' %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: ! quern opt --pass-pipeline='builtin.module(lower-to-integer{forbid=ml.sigmoid})' %s 2>/dev/null
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer{forbid=ml.pad,arith.addf})' %s 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: ! quern opt --pass-pipeline='builtin.module(lower-to-integer{forbid=ml.pad,arith.addf})' %s 2>/dev/null
// RUN: quern list integer-forms | FileCheck %s --check-prefix=LIST
!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.25>
func.func @main(%a: tensor<4x!x>, %b: tensor<4x!y>) -> tensor<4x!y> {
  %0 = "ml.add"(%a, %b) {activation = "relu", quern.tensors = array<i64: 7>} : (tensor<4x!x>, tensor<4x!y>) -> tensor<4x!y>
  %1 = "ml.relu6"(%0) : (tensor<4x!y>) -> tensor<4x!y>
  %2 = "ml.sigmoid"(%1) : (tensor<4x!y>) -> tensor<4x!y>
  return %2 : tensor<4x!y>
}

// CHECK: %[[A:.*]] = "ml.dequantize_float"(%arg0) {scale = 5.000000e-01 : f32, zero_point = 3 : i64} : (tensor<4xi8>) -> tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = "ml.dequantize_float"(%arg1)
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[B]] : tensor<4xf32>
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[R:.*]] = arith.maximumf %[[S]], %[[ZERO]]
// CHECK-NEXT: %[[Q:.*]] = "ml.quantize_float"(%[[R]]) {max = 127 : i64, min = -128 : i64, quern.tensors = array<i64: 7>, rounding = "even", scale = 2.500000e-01 : f32, zero_point = 0 : i64}
// CHECK-NEXT: "ml.dequantize_float"(%[[Q]])
// CHECK: arith.maximumf
// CHECK: arith.minimumf
// CHECK: "ml.quantize_float"
// CHECK: "ml.lut"

// NEEDLESS-NOT: dequantize_float
// NEEDLESS: ml.integer_add
// NEEDLESS-NOT: dequantize_float

// BOTH: error: 'ml.relu' is both forced and forbidden
// NONE: error: 'ml.sigmoid' has no form: the integer form is forbidden, and no fall-back, as there is no float op for it
// NAMES: error: 'forbid' names 'ml.pad', which is no op of 'quern list integer-forms'
// NAMES: error: 'forbid' names 'arith.addf', which is no op of 'quern list integer-forms'

// LIST: {{^}}ml.conv {{.*}}integer {{.*}}ml.integer_conv {{.*}}none
// LIST: {{^}}ml.add {{.*}}integer {{.*}}ml.integer_add {{.*}}arith.addf
// LIST: {{^}}ml.requantize {{.*}}ml.lut {{.*}}(the casts alone)
