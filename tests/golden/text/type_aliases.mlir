// Types with several scales print as aliases only with the option; upstream writes them out at each use.
// RUN: quern opt %s --print-type-aliases | FileCheck %s --match-full-lines
// RUN: quern opt %s --print-type-aliases --generic | FileCheck %s --check-prefix=GENERIC
// RUN: quern opt %s | FileCheck %s --check-prefix=FULL
// RUN: quern opt %s --print-type-aliases --print-local-scope | FileCheck %s --check-prefix=FULL
// RUN: %opt --round-trip %s >/dev/null
// CHECK: !q = !quant.uniform<i8:f32:{0:1, 1:2}, {{[{][{]}}1.000000e+00, 2.000000e+00}, {3.000000e+00, 4.000000e+00}}>
// CHECK-NEXT: !q1 = !quant.uniform<i8:f32:0, {2.000000e+00,3.000000e+00:-1}>
// CHECK-NEXT: module {
// FULL-NOT: !q {{.*}}
// FULL: module {
// CHECK-NEXT: func.func @main(%arg0: tensor<2x4xf32>) -> tensor<2x4x!q> {
// FULL-NEXT: func.func @main(%arg0: tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {
// GENERIC: !q = !quant.uniform<i8:f32:0, {2.0
// GENERIC-NEXT: !q1 = !quant.uniform<i8:f32:{0:1, 1:2}, {
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{1.0, 2.0}, {3.0, 4.0}}>> {
  // CHECK: %0 = quant.qcast %arg0 : tensor<2x4xf32> to tensor<2x4x!q1>
  // CHECK: %1 = quant.dcast %0 : tensor<2x4x!q1> to tensor<2x4xf32>
  // FULL: %1 = quant.dcast %0 : tensor<2x4x!quant.uniform<i8:f32:0, {2.000000e+00,3.000000e+00:-1}>> to tensor<2x4xf32>
  // GENERIC: %1 = "quant.dcast"(%0) : (tensor<2x4x!q>) -> tensor<2x4xf32>
  %0 = quant.qcast %x : tensor<2x4xf32> to tensor<2x4x!quant.uniform<i8:f32:0, {2.0, 3.0:-1}>>
  %1 = quant.dcast %0 : tensor<2x4x!quant.uniform<i8:f32:0, {2.0, 3.0:-1}>> to tensor<2x4xf32>
  // A type with one scale is written out.
  // CHECK: %2 = quant.qcast %1 : tensor<2x4xf32> to tensor<2x4x!quant.uniform<u8:f32, 5.000000e-01:128>>
  %2 = quant.qcast %1 : tensor<2x4xf32> to tensor<2x4x!quant.uniform<u8:f32, 0.5:128>>
  %3 = quant.dcast %2 : tensor<2x4x!quant.uniform<u8:f32, 0.5:128>> to tensor<2x4xf32>
  // CHECK: %4 = quant.qcast %3 : tensor<2x4xf32> to tensor<2x4x!q>
  // CHECK-NEXT: return %4 : tensor<2x4x!q>
  %4 = quant.qcast %3 : tensor<2x4xf32> to tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{1.0, 2.0}, {3.0, 4.0}}>>
  return %4 : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{1.0, 2.0}, {3.0, 4.0}}>>
}
