// A value beyond the storage range becomes the nearest end. Upstream wraps: 300 becomes 44.
// RUN: quern opt %s --lower-quant-ops --canonicalize | FileCheck %s
!i8 = !quant.uniform<i8:f32, 1.0>
!u8 = !quant.uniform<u8:f32, 1.0>
!i4 = !quant.uniform<i4:f32, 1.0>
!u16 = !quant.uniform<u16:f32, 0.5:10>
!i32 = !quant.uniform<i32:f32, 1.0>
// CHECK-LABEL: @above_i8
// CHECK: return %c127_i8
func.func @above_i8() -> i8 {
  %x = arith.constant 300.0 : f32
  %0 = quant.qcast %x : f32 to !i8
  %1 = quant.scast %0 : !i8 to i8
  return %1 : i8
}
// CHECK-LABEL: @below_i8
// CHECK: return %c-128_i8
func.func @below_i8() -> i8 {
  %x = arith.constant -300.0 : f32
  %0 = quant.qcast %x : f32 to !i8
  %1 = quant.scast %0 : !i8 to i8
  return %1 : i8
}
// CHECK-LABEL: @below_u8
// CHECK: return %c0_i8
func.func @below_u8() -> i8 {
  %x = arith.constant -5.0 : f32
  %0 = quant.qcast %x : f32 to !u8
  %1 = quant.scast %0 : !u8 to i8
  return %1 : i8
}
// CHECK-LABEL: @above_i4
// CHECK: return %c7_i4
func.func @above_i4() -> i4 {
  %x = arith.constant 9.0 : f32
  %0 = quant.qcast %x : f32 to !i4
  %1 = quant.scast %0 : !i4 to i4
  return %1 : i4
}
// CHECK-LABEL: @above_u16
// CHECK: return %c-1_i16
func.func @above_u16() -> i16 {
  %x = arith.constant 40000.0 : f32
  %0 = quant.qcast %x : f32 to !u16
  %1 = quant.scast %0 : !u16 to i16
  return %1 : i16
}
// CHECK-LABEL: @above_i32
// CHECK: return %c2147483647_i32
func.func @above_i32() -> i32 {
  %x = arith.constant 3.0e9 : f32
  %0 = quant.qcast %x : f32 to !i32
  %1 = quant.scast %0 : !i32 to i32
  return %1 : i32
}
// CHECK-LABEL: @below_i32
// CHECK: return %c-2147483648_i32
func.func @below_i32() -> i32 {
  %x = arith.constant -3.0e38 : f32
  %0 = quant.qcast %x : f32 to !i32
  %1 = quant.scast %0 : !i32 to i32
  return %1 : i32
}
