// The zero point is subtracted in integers. If the float type can't hold the storage range, the computation
// uses f64.
// RUN: quern opt %s --lower-quant-ops --canonicalize | FileCheck %s
!w = !quant.uniform<i32:f32, 1.0:16777216>
!w1 = !quant.uniform<i32:f32, 1.0:1>
!h = !quant.uniform<u16:f16, 1.0:65535>
!b = !quant.uniform<u16:bf16, 1.0:257>
// CHECK-LABEL: @dequantize
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: return %[[ONE]]
func.func @dequantize() -> f32 {
  %s = arith.constant 16777217 : i32
  %0 = quant.scast %s : i32 to !w
  %1 = quant.dcast %0 : !w to f32
  return %1 : f32
}
// CHECK-LABEL: @quantize
// CHECK: return %c16777217_i32
func.func @quantize() -> i32 {
  %x = arith.constant 16777216.0 : f32
  %0 = quant.qcast %x : f32 to !w1
  %1 = quant.scast %0 : !w1 to i32
  return %1 : i32
}
// CHECK-LABEL: @halves
// CHECK: arith.subi %{{.*}}, %c65535_i32 : i32
// CHECK: arith.truncf %{{.*}} : f64 to f16
// CHECK: arith.subi %{{.*}}, %c257_i32 : i32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @halves(%x: i16) -> (f16, bf16) {
  %0 = quant.scast %x : i16 to !h
  %1 = quant.dcast %0 : !h to f16
  %2 = quant.scast %x : i16 to !b
  %3 = quant.dcast %2 : !b to bf16
  return %1, %3 : f16, bf16
}
