// Infinities saturate; NaN becomes the zero point, the stored value of 0.0.
// RUN: quern opt %s --lower-quant-ops --canonicalize | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5:10>
!u = !quant.uniform<u8<20:200>:f64, 0.5:10>
// CHECK-LABEL: @infinite
// CHECK: return %c127_i8
func.func @infinite() -> i8 {
  %x = arith.constant 0x7F800000 : f32
  %0 = quant.qcast %x : f32 to !q
  %1 = quant.scast %0 : !q to i8
  return %1 : i8
}
// CHECK-LABEL: @minus_infinite
// CHECK: return %c-128_i8
func.func @minus_infinite() -> i8 {
  %x = arith.constant 0xFF800000 : f32
  %0 = quant.qcast %x : f32 to !q
  %1 = quant.scast %0 : !q to i8
  return %1 : i8
}
// CHECK-LABEL: @not_a_number
// CHECK: return %c10_i8
func.func @not_a_number() -> i8 {
  %x = arith.constant 0x7FC00000 : f32
  %0 = quant.qcast %x : f32 to !q
  %1 = quant.scast %0 : !q to i8
  return %1 : i8
}
// A zero point outside of the range is clamped like any other value.
// CHECK-LABEL: @clamped
// CHECK: return %c20_i8
func.func @clamped() -> i8 {
  %x = arith.constant 0x7FF8000000000000 : f64
  %0 = quant.qcast %x : f64 to !u
  %1 = quant.scast %0 : !u to i8
  return %1 : i8
}
// CHECK-LABEL: @infinite_f64
// CHECK: return %c-56_i8
func.func @infinite_f64() -> i8 {
  %x = arith.constant 0x7FF0000000000000 : f64
  %0 = quant.qcast %x : f64 to !u
  %1 = quant.scast %0 : !u to i8
  return %1 : i8
}
