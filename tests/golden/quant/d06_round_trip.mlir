// Dequantize and quantize returns every stored value, whether the pair is folded or not.
// Truncation would lose those of the first functions.
// RUN: quern opt %s --lower-quant-ops --canonicalize | FileCheck %s
// RUN: quern opt %s --canonicalize | FileCheck %s
!a = !quant.uniform<i8:f32, 0.1>
!b = !quant.uniform<i16:f32, 0.007:3>
!c = !quant.uniform<u8:f64, 0.3:128>
// CHECK-LABEL: @first
// CHECK: return %c41_i8
func.func @first() -> i8 {
  %s = arith.constant 41 : i8
  %0 = quant.scast %s : i8 to !a
  %1 = quant.dcast %0 : !a to f32
  %2 = quant.qcast %1 : f32 to !a
  %3 = quant.scast %2 : !a to i8
  return %3 : i8
}
// CHECK-LABEL: @second
// CHECK: return %c-83_i8
func.func @second() -> i8 {
  %s = arith.constant -83 : i8
  %0 = quant.scast %s : i8 to !a
  %1 = quant.dcast %0 : !a to f32
  %2 = quant.qcast %1 : f32 to !a
  %3 = quant.scast %2 : !a to i8
  return %3 : i8
}
// CHECK-LABEL: @lowest
// CHECK: return %c-128_i8
func.func @lowest() -> i8 {
  %s = arith.constant -128 : i8
  %0 = quant.scast %s : i8 to !a
  %1 = quant.dcast %0 : !a to f32
  %2 = quant.qcast %1 : f32 to !a
  %3 = quant.scast %2 : !a to i8
  return %3 : i8
}
// CHECK-LABEL: @wide
// CHECK: return %c32767_i16
func.func @wide() -> i16 {
  %s = arith.constant 32767 : i16
  %0 = quant.scast %s : i16 to !b
  %1 = quant.dcast %0 : !b to f32
  %2 = quant.qcast %1 : f32 to !b
  %3 = quant.scast %2 : !b to i16
  return %3 : i16
}
// CHECK-LABEL: @wide_negative
// CHECK: return %c-32768_i16
func.func @wide_negative() -> i16 {
  %s = arith.constant -32768 : i16
  %0 = quant.scast %s : i16 to !b
  %1 = quant.dcast %0 : !b to f32
  %2 = quant.qcast %1 : f32 to !b
  %3 = quant.scast %2 : !b to i16
  return %3 : i16
}
// CHECK-LABEL: @unsigned
// CHECK: return %c-1_i8
func.func @unsigned() -> i8 {
  %s = arith.constant -1 : i8
  %0 = quant.scast %s : i8 to !c
  %1 = quant.dcast %0 : !c to f64
  %2 = quant.qcast %1 : f64 to !c
  %3 = quant.scast %2 : !c to i8
  return %3 : i8
}
