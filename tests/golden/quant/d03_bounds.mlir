// Narrowed storage ranges clamp before the conversion to integer, so that values far outside are correct,
// too. Upstream converts first: 1000 becomes -8.
// RUN: quern opt %s --lower-quant-ops --canonicalize | FileCheck %s
!q = !quant.uniform<i8<-8:7>:f32, 1.0>
!z = !quant.uniform<i8<-8:7>:f32, 2.0:100>
// CHECK-LABEL: @far_above
// CHECK: return %c7_i8
func.func @far_above() -> i8 {
  %x = arith.constant 1000.0 : f32
  %0 = quant.qcast %x : f32 to !q
  %1 = quant.scast %0 : !q to i8
  return %1 : i8
}
// CHECK-LABEL: @one_turn
// CHECK: return %c7_i8
func.func @one_turn() -> i8 {
  %x = arith.constant 258.0 : f32
  %0 = quant.qcast %x : f32 to !q
  %1 = quant.scast %0 : !q to i8
  return %1 : i8
}
// CHECK-LABEL: @above
// CHECK: return %c7_i8
func.func @above() -> i8 {
  %x = arith.constant 300.0 : f32
  %0 = quant.qcast %x : f32 to !q
  %1 = quant.scast %0 : !q to i8
  return %1 : i8
}
// CHECK-LABEL: @below
// CHECK: return %c-8_i8
func.func @below() -> i8 {
  %x = arith.constant -1.0e10 : f32
  %0 = quant.qcast %x : f32 to !q
  %1 = quant.scast %0 : !q to i8
  return %1 : i8
}
// A zero point may be outside of the narrowed range.
// CHECK-LABEL: @shifted
// CHECK: return %c5_i8
func.func @shifted() -> i8 {
  %x = arith.constant -190.0 : f32
  %0 = quant.qcast %x : f32 to !z
  %1 = quant.scast %0 : !z to i8
  return %1 : i8
}
