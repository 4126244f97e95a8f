// One definition for all storage and expressed types: -0.5 rounds to 0, and then the zero point is
// added. Upstream's converter of constants gives 1 for some pairs of types and 0 for others.
// RUN: quern opt %s --lower-quant-ops --canonicalize | FileCheck %s
!a = !quant.uniform<i8:f32, 1.0:1>
!b = !quant.uniform<i8:f64, 1.0:1>
!c = !quant.uniform<i16:f32, 1.0:1>
!d = !quant.uniform<u32:f32, 1.0:1>
// CHECK-LABEL: @f32_i8
// CHECK: return %c1_i8
func.func @f32_i8() -> i8 {
  %x = arith.constant -0.5 : f32
  %0 = quant.qcast %x : f32 to !a
  %1 = quant.scast %0 : !a to i8
  return %1 : i8
}
// CHECK-LABEL: @f64_i8
// CHECK: return %c1_i8
func.func @f64_i8() -> i8 {
  %x = arith.constant -0.5 : f64
  %0 = quant.qcast %x : f64 to !b
  %1 = quant.scast %0 : !b to i8
  return %1 : i8
}
// CHECK-LABEL: @f32_i16
// CHECK: return %c1_i16
func.func @f32_i16() -> i16 {
  %x = arith.constant -0.5 : f32
  %0 = quant.qcast %x : f32 to !c
  %1 = quant.scast %0 : !c to i16
  return %1 : i16
}
// CHECK-LABEL: @f32_u32
// CHECK: return %c1_i32
func.func @f32_u32() -> i32 {
  %x = arith.constant -0.5 : f32
  %0 = quant.qcast %x : f32 to !d
  %1 = quant.scast %0 : !d to i32
  return %1 : i32
}
