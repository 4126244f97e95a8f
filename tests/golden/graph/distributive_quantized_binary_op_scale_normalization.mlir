// Quantized additions are computed in steps of one operand's scale; cases that forbid it.
// RUN: quern opt %s --distributive-quantized-binary-op-scale-normalization | FileCheck %s
// RUN: quern opt %s --distributive-quantized-binary-op-scale-normalization --emit=interpret --function sum --input 'dense<10> : tensor<2xi8>' --input 'dense<5> : tensor<2xi8>' | FileCheck %s --check-prefix=VALUE
// RUN: quern opt %s --emit=interpret --function sum --input 'dense<10> : tensor<2xi8>' --input 'dense<5> : tensor<2xi8>' | FileCheck %s --check-prefix=VALUE
!x = !quant.uniform<i8:f32, 0.2>
!y = !quant.uniform<i8:f32, 0.4:3>
!z = !quant.uniform<i8:f32, 0.8>
!per = !quant.uniform<i8:f32:0, {0.2, 0.6}>
!unit = !quant.uniform<i8:f32, 1.0>
!tiny = !quant.uniform<i8:f32, 5.0e-8>
!f = tensor<2xf32>

// 2 + (5 - 3) * 0.4 = 2.8, in steps of 0.8: 3.5, which rounds to even: 4.
// VALUE: dense<[4, 4]>
// CHECK-LABEL: func.func @sum
// CHECK: quant.dcast %{{.*}} : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
// CHECK: quant.dcast %{{.*}} : tensor<2x!quant.uniform<i8:f32, 1.000000e+00:3>>
// CHECK: ml.add
// CHECK: quant.qcast %{{.*}} to tensor<2x!quant.uniform<i8:f32, 2.000000e+00>>
func.func @sum(%a: tensor<2x!x>, %b: tensor<2x!y>) -> tensor<2x!z> {
  %0 = quant.dcast %a : tensor<2x!x> to !f
  %1 = quant.dcast %b : tensor<2x!y> to !f
  %2 = "ml.add"(%0, %1) : (!f, !f) -> !f
  %3 = quant.qcast %2 : !f to tensor<2x!z>
  return %3 : tensor<2x!z>
}
// The operand with one scale keeps its position, and a relu follows.
// CHECK-LABEL: func.func @difference
// CHECK: quant.dcast %{{.*}} : tensor<2x!quant.uniform<i8:f32, 1.000000e+00>>
// CHECK: i8:f32:0, {1.000000e+00,3.000000e+00}
// CHECK: "ml.sub"
// CHECK: ml.relu
// CHECK: quant.qcast
func.func @difference(%a: tensor<2x!x>, %b: tensor<2x!per>) -> tensor<2x!z> {
  %0 = quant.dcast %a : tensor<2x!x> to !f
  %1 = quant.dcast %b : tensor<2x!per> to !f
  %2 = "ml.sub"(%0, %1) : (!f, !f) -> !f
  %3 = "ml.relu"(%2) : (!f) -> !f
  %4 = quant.qcast %3 : !f to tensor<2x!z>
  return %4 : tensor<2x!z>
}
// CHECK-LABEL: func.func @two_vectors
// CHECK-NOT: quant.scast
func.func @two_vectors(%a: tensor<2x!per>, %b: tensor<2x!per>) -> tensor<2x!z> {
  %0 = quant.dcast %a : tensor<2x!per> to !f
  %1 = quant.dcast %b : tensor<2x!per> to !f
  %2 = "ml.add"(%0, %1) : (!f, !f) -> !f
  %3 = quant.qcast %2 : !f to tensor<2x!z>
  return %3 : tensor<2x!z>
}
// CHECK-LABEL: func.func @ratio_out_of_range
// CHECK-NOT: quant.scast
func.func @ratio_out_of_range(%a: tensor<2x!tiny>, %b: tensor<2x!tiny>) -> tensor<2x!z> {
  %0 = quant.dcast %a : tensor<2x!tiny> to !f
  %1 = quant.dcast %b : tensor<2x!tiny> to !f
  %2 = "ml.add"(%0, %1) : (!f, !f) -> !f
  %3 = quant.qcast %2 : !f to tensor<2x!z>
  return %3 : tensor<2x!z>
}
// CHECK-LABEL: func.func @sum_is_returned
// CHECK-NOT: quant.scast
func.func @sum_is_returned(%a: tensor<2x!x>, %b: tensor<2x!y>) -> (!f, tensor<2x!z>) {
  %0 = quant.dcast %a : tensor<2x!x> to !f
  %1 = quant.dcast %b : tensor<2x!y> to !f
  %2 = "ml.add"(%0, %1) : (!f, !f) -> !f
  %3 = quant.qcast %2 : !f to tensor<2x!z>
  return %2, %3 : !f, tensor<2x!z>
}
// Unchanged: a clamp at 6 would move in other steps, and next to a scale of 1 nothing is saved.
// CHECK-LABEL: func.func @clamped_and_unit
// CHECK-NOT: quant.scast
func.func @clamped_and_unit(%a: tensor<2x!x>, %b: tensor<2x!y>, %c: tensor<2x!unit>) -> (tensor<2x!z>, tensor<2x!z>) {
  %0 = quant.dcast %a : tensor<2x!x> to !f
  %1 = quant.dcast %b : tensor<2x!y> to !f
  %2 = "ml.add"(%0, %1) {activation = "relu6"} : (!f, !f) -> !f
  %3 = quant.qcast %2 : !f to tensor<2x!z>
  %4 = quant.dcast %c : tensor<2x!unit> to !f
  %5 = "ml.add"(%0, %4) : (!f, !f) -> !f
  %6 = quant.qcast %5 : !f to tensor<2x!z>
  return %3, %6 : tensor<2x!z>, tensor<2x!z>
}
