// Casts of a function share their constants, zero points of 0 need no op, and equal zero points of
// all channels are one scalar. Long types need not be repeated in the text, either.
// RUN: quern opt %s --lower-quant-ops | FileCheck %s
// RUN: quern opt %s --print-type-aliases | FileCheck %s --check-prefix=ALIAS
!q = !quant.uniform<i8:f32:0, {2.0, 3.0}>
!z = !quant.uniform<i8:f32:0, {2.0:5, 3.0:5}>
// ALIAS: !q = !quant.uniform<i8:f32:0, {2.000000e+00,3.000000e+00}>
// ALIAS-NEXT: !q1 = !quant.uniform<i8:f32:0, {2.000000e+00:5,3.000000e+00:5}>
// ALIAS: func.func @shared(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> (tensor<2x!q>, tensor<2x!q>)
// ALIAS: func.func @equal(%arg0: tensor<2x!q1>) -> tensor<2xf32>
// CHECK-LABEL: @shared
// CHECK: arith.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK-NOT: arith.constant dense
// CHECK-NOT: arith.addf
// CHECK: linalg.generic {{.*}} ins(%{{[^,]*}}, %cst : tensor<2xf32>, tensor<2xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{[^,]*}}, %cst : tensor<2xf32>, tensor<2xf32>)
// CHECK: return
func.func @shared(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2x!q>, tensor<2x!q>) {
  %0 = quant.qcast %x : tensor<2xf32> to tensor<2x!q>
  %1 = quant.qcast %y : tensor<2xf32> to tensor<2x!q>
  return %0, %1 : tensor<2x!q>, tensor<2x!q>
}
// CHECK-LABEL: @equal
// CHECK: arith.constant 5 : i32
// CHECK: arith.subi
func.func @equal(%x: tensor<2x!z>) -> tensor<2xf32> {
  %0 = quant.dcast %x : tensor<2x!z> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
