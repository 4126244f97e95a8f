// An unranked tensor must have the quantized dimension, with as many channels as there are scales.
// RUN: quern opt %s --lower-quant-ops | FileCheck %s
!q = !quant.uniform<i8:f32:1, {1.0, 2.0}>
// CHECK: %[[AXIS:.*]] = arith.constant 1 : index
// CHECK: %[[RANK:.*]] = tensor.rank %[[X:.*]] : tensor<*xf32>
// CHECK: %[[DEEP:.*]] = arith.cmpi ugt, %[[RANK]], %[[AXIS]] : index
// CHECK: cf.assert %[[DEEP]], "rank does not exceed the quantized dimension"
// CHECK: tensor.extract
// CHECK: cf.assert %{{.*}}, "dimension size does not match the number of scales"
// CHECK: shape.split_at
func.func @f(%x: tensor<*xf32>) -> tensor<*x!q> {
  %0 = quant.qcast %x : tensor<*xf32> to tensor<*x!q>
  return %0 : tensor<*x!q>
}
