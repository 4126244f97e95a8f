// The user chooses the form of each op: integers, or dequantize, float ops, quantize.
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer{forbid=ml.add,ml.relu6})' %s | FileCheck %s
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer)' %s | FileCheck %s --check-prefix=NEEDLESS
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer{forbid=ml.softmax,ml.relu force=ml.relu})' %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: ! quern opt --pass-pipeline='builtin.module(lower-to-integer{forbid=ml.softmax,ml.relu force=ml.relu})' %s 2>/dev/null
// RUN: quern opt --pass-pipeline='builtin.module(lower-to-integer{forbid=ml.pad,arith.addf})' %s 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: ! quern opt --pass-pipeline='builtin.module(lower-to-integer{forbid=ml.pad,arith.addf})' %s 2>/dev/null
// RUN: quern list integer-forms | FileCheck %s --check-prefix=LIST
!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.25>
func.func @main(%a: tensor<2x4x!x>, %b: tensor<4x!y>) -> tensor<2x4x!y> {
  %0 = "ml.add"(%a, %b) {activation = "relu", quern.tensors = array<i64: 7>} : (tensor<2x4x!x>, tensor<4x!y>) -> tensor<2x4x!y>
  %1 = "ml.relu6"(%0) : (tensor<2x4x!y>) -> tensor<2x4x!y>
  %2 = "ml.sigmoid"(%1) : (tensor<2x4x!y>) -> tensor<2x4x!y>
  return %2 : tensor<2x4x!y>
}

// CHECK: %[[A:.*]] = "ml.dequantize_float"(%arg0) {scale = 5.000000e-01 : f32, zero_point = 3 : i64} : (tensor<2x4xi8>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[B:.*]] = "ml.dequantize_float"(%arg1)
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<2x4xf32>
// CHECK-NEXT: %[[S:.*]] = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%[[A]], %[[B]] : tensor<2x4xf32>, tensor<4xf32>) outs(%[[E]] : tensor<2x4xf32>) {
// CHECK-NEXT: ^bb0(%[[I:.*]]: f32, %[[J:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[I]], %[[J]] : f32
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[BELOW:.*]] = arith.cmpf olt, %[[SUM]], %[[ZERO]] : f32
// CHECK-NEXT: %[[MAX:.*]] = arith.select %[[BELOW]], %[[ZERO]], %[[SUM]] : f32
// CHECK-NEXT: linalg.yield %[[MAX]] : f32
// CHECK: %[[Q:.*]] = "ml.quantize_float"(%[[S]]) {max = 127 : i64, min = -128 : i64, quern.tensors = array<i64: 7>, rounding = "even", scale = 2.500000e-01 : f32, zero_point = 0 : i64}
// CHECK-NEXT: "ml.dequantize_float"(%[[Q]])
// CHECK: arith.select
// CHECK: arith.select
// CHECK: "ml.quantize_float"
// CHECK: "ml.lut"

// NEEDLESS-NOT: dequantize_float
// NEEDLESS: ml.integer_add
// NEEDLESS-NOT: dequantize_float

// BOTH: error: 'ml.relu' is both forced and forbidden
// NAMES: error: 'forbid' names 'ml.pad', which is not an op of 'quern list integer-forms'
// NAMES: error: 'forbid' names 'arith.addf', which is not an op of 'quern list integer-forms'

// LIST: {{^}}ml.conv {{.*}}integer, else float {{.*}}ml.integer_conv {{.*}}weights per layer or per channel{{.*}} yes
// LIST: {{^}}ml.add {{.*}}integer, else float {{.*}}ml.integer_add {{.*}}one sign of storage{{.*}} yes
// LIST: {{^}}ml.concat {{.*}}integer, else float {{.*}}ml.concat {{.*}} yes
