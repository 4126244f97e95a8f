// A number of channels that is known at run time only is checked against the scales.
// RUN: quern opt %s --lower-quant-ops | FileCheck %s
!axis = !quant.uniform<i8:f32:0, {1.0, 2.0, 3.0}>
!blocks = !quant.uniform<i8:f32:{1:4}, {{1.0, 2.0}}>
// CHECK-LABEL: @axis
// CHECK-DAG: %[[AXIS:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[COUNT:.*]] = arith.constant 3 : index
// CHECK: %[[DIM:.*]] = tensor.dim %arg0, %[[AXIS]] : tensor<?x4xf32>
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[DIM]], %[[COUNT]] : index
// CHECK: cf.assert %[[SAME]], "dimension size does not match the number of scales"
func.func @axis(%x: tensor<?x4xf32>) -> tensor<?x4x!axis> {
  %0 = quant.qcast %x : tensor<?x4xf32> to tensor<?x4x!axis>
  return %0 : tensor<?x4x!axis>
}
// CHECK-LABEL: @blocks
// CHECK: %[[SIZE:.*]] = arith.constant 8 : index
// CHECK: %[[DIM:.*]] = tensor.dim
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[DIM]], %[[SIZE]] : index
// CHECK: cf.assert %[[SAME]]
func.func @blocks(%x: tensor<1x?x!blocks>) -> tensor<1x?xf32> {
  %0 = quant.dcast %x : tensor<1x?x!blocks> to tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}
// CHECK-LABEL: @known
// CHECK-NOT: cf.assert
func.func @known(%x: tensor<3x?xf32>) -> tensor<3x?x!axis> {
  %0 = quant.qcast %x : tensor<3x?xf32> to tensor<3x?x!axis>
  return %0 : tensor<3x?x!axis>
}
