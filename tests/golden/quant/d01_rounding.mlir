// A cast rounds to the nearest stored value, ties to even; an option chooses other roundings. Upstream
// always truncates.
// RUN: quern opt %s --lower-quant-ops --canonicalize | FileCheck %s --check-prefixes=CHECK,EVEN
// RUN: quern opt %s --lower-quant-ops=rounding=away --canonicalize | FileCheck %s --check-prefixes=CHECK,AWAY
// RUN: quern opt %s --lower-quant-ops=rounding=toward-zero --canonicalize | FileCheck %s --check-prefixes=CHECK,ZERO
// RUN: quern opt %s --lower-quant-ops=rounding=floor --canonicalize | FileCheck %s --check-prefixes=CHECK,FLOOR
// RUN: quern opt %s --lower-quant-ops="rounding=stochastic seed=1" --canonicalize | FileCheck %s --check-prefixes=CHECK,RANDOM
// RUN: quern opt %s --lower-quant-ops=upstream-compatible --canonicalize | FileCheck %s --check-prefixes=CHECK,ZERO
!q = !quant.uniform<i8:f32, 1.0>
// CHECK-LABEL: @half
// EVEN: return %c0_i8
// AWAY: return %c1_i8
// ZERO: return %c0_i8
// FLOOR: return %c0_i8
// RANDOM: return %{{c0_i8|c1_i8}}
func.func @half() -> i8 {
  %x = arith.constant 0.5 : f32
  %0 = quant.qcast %x : f32 to !q
  %1 = quant.scast %0 : !q to i8
  return %1 : i8
}
// CHECK-LABEL: @two_and_a_half
// EVEN: return %c2_i8
// AWAY: return %c3_i8
// ZERO: return %c2_i8
// FLOOR: return %c2_i8
// RANDOM: return %{{c2_i8|c3_i8}}
func.func @two_and_a_half() -> i8 {
  %x = arith.constant 2.5 : f32
  %0 = quant.qcast %x : f32 to !q
  %1 = quant.scast %0 : !q to i8
  return %1 : i8
}
// CHECK-LABEL: @minus_one_and_a_half
// EVEN: return %c-2_i8
// AWAY: return %c-2_i8
// ZERO: return %c-1_i8
// FLOOR: return %c-2_i8
// RANDOM: return %{{c-1_i8|c-2_i8}}
func.func @minus_one_and_a_half() -> i8 {
  %x = arith.constant -1.5 : f32
  %0 = quant.qcast %x : f32 to !q
  %1 = quant.scast %0 : !q to i8
  return %1 : i8
}
// CHECK-LABEL: @minus_two_and_a_half
// EVEN: return %c-2_i8
// AWAY: return %c-3_i8
// ZERO: return %c-2_i8
// FLOOR: return %c-3_i8
// RANDOM: return %{{c-2_i8|c-3_i8}}
func.func @minus_two_and_a_half() -> i8 {
  %x = arith.constant -2.5 : f32
  %0 = quant.qcast %x : f32 to !q
  %1 = quant.scast %0 : !q to i8
  return %1 : i8
}
// Stored values do not change, whatever the rounding.
// CHECK-LABEL: @three
// CHECK: return %c3_i8
func.func @three() -> i8 {
  %x = arith.constant 3.0 : f32
  %0 = quant.qcast %x : f32 to !q
  %1 = quant.scast %0 : !q to i8
  return %1 : i8
}
