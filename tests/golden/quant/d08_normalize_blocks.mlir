// Only scales that change with every index become per-axis; blocks of more than one element stay blocks.
// RUN: quern opt %s --normalize-quant-types | FileCheck %s
!blocks = !quant.uniform<i8:f32:{0:2}, {{2.0}, {3.0}}>
!single = !quant.uniform<i8:f32:{0:1, 1:3}, {{2.0}, {3.0:4}}>
!one = !quant.uniform<i8:f32:{0:4, 1:3}, {{2.0:1}}>
!grid = !quant.uniform<i8:f32:{0:1, 1:1}, {{2.0, 3.0}, {4.0, 5.0}}>
// CHECK: @blocks(%arg0: tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{\{\{}}2.000000e+00}, {3.000000e+00}}>>)
func.func @blocks(%x: tensor<4x3x!blocks>) -> tensor<4x3xf32> {
  %0 = quant.dcast %x : tensor<4x3x!blocks> to tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
// CHECK: @single(%arg0: tensor<2x3x!quant.uniform<i8:f32:0, {2.000000e+00,3.000000e+00:4}>>)
// CHECK: quant.dcast %arg0 : tensor<2x3x!quant.uniform<i8:f32:0, {2.000000e+00,3.000000e+00:4}>> to tensor<2x3xf32>
func.func @single(%x: tensor<2x3x!single>) -> tensor<2x3xf32> {
  %0 = quant.dcast %x : tensor<2x3x!single> to tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// CHECK: @one(tensor<4x3x!quant.uniform<i8:f32, 2.000000e+00:1>>)
func.func private @one(tensor<4x3x!one>)
// CHECK: @grid(tensor<2x2x!quant.uniform<i8:f32:{0:1, 1:1}
func.func private @grid(tensor<2x2x!grid>)
