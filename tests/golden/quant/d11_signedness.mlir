// Storage types i8, si8, u8 and ui8 print as written, are cast to and from i8, and are lowered on i8.
// RUN: quern opt %s | FileCheck %s --check-prefix=SAME
// RUN: quern opt %s --lower-quant-ops --strip-func-quant-types --canonicalize | FileCheck %s
// MLIR-OPT: none
!s = !quant.uniform<si8:f32, 2.0>
!u = !quant.uniform<ui8:f32, 2.0:200>
// SAME: @f(%arg0: !quant.uniform<si8:f32, 2.000000e+00>, %arg1: !quant.uniform<ui8:f32, 2.000000e+00:200>)
// SAME: quant.scast %arg0 : !quant.uniform<si8:f32, 2.000000e+00> to i8
// CHECK: @f(%arg0: i8, %arg1: i8) -> (i8, f32)
// CHECK: %[[WIDE:.*]] = arith.extui %arg1 : i8 to i32
// CHECK: arith.subi %[[WIDE]], %c200_i32 : i32
// CHECK: return %arg0,
func.func @f(%a: !s, %b: !u) -> (i8, f32) {
  %0 = quant.scast %a : !s to i8
  %1 = quant.dcast %b : !u to f32
  return %0, %1 : i8, f32
}
