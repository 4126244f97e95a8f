// dequantize(quantize(x)) rounds and saturates, so it is not x: the pair stays and is computed, unless
// an option selects upstream's behaviour.
// RUN: quern opt %s --canonicalize | FileCheck %s --check-prefix=KEPT
// RUN: quern opt %s --lower-quant-ops --canonicalize | FileCheck %s --check-prefix=VALUE
// RUN: quern opt %s --canonicalize --upstream-compatible | FileCheck %s --check-prefix=UPSTREAM
// RUN: quern opt %s --lower-quant-ops --canonicalize --upstream-compatible | FileCheck %s --check-prefix=UPSTREAM
!q = !quant.uniform<i8:f32, 1.0>
// KEPT-LABEL: @pair
// KEPT: quant.qcast
// KEPT: quant.dcast
// UPSTREAM-LABEL: @pair
// UPSTREAM-NEXT: return %arg0
func.func @pair(%x: f32) -> f32 {
  %0 = quant.qcast %x : f32 to !q
  %1 = quant.dcast %0 : !q to f32
  return %1 : f32
}
// KEPT-LABEL: @saturates
// KEPT: %[[C:.*]] = arith.constant 1.270000e+02 : f32
// KEPT-NEXT: return %[[C]]
// VALUE-LABEL: @saturates
// VALUE: %[[C:.*]] = arith.constant 1.270000e+02 : f32
// VALUE-NEXT: return %[[C]]
// UPSTREAM-LABEL: @saturates
// UPSTREAM: %[[C:.*]] = arith.constant 1.000000e+03 : f32
// UPSTREAM-NEXT: return %[[C]]
func.func @saturates() -> f32 {
  %x = arith.constant 1000.0 : f32
  %0 = quant.qcast %x : f32 to !q
  %1 = quant.dcast %0 : !q to f32
  return %1 : f32
}
// The opposite pair is the identity and is removed.
// KEPT-LABEL: @identity
// KEPT-NEXT: return %arg0
func.func @identity(%q: !q) -> !q {
  %0 = quant.dcast %q : !q to f32
  %1 = quant.qcast %0 : f32 to !q
  return %1 : !q
}
// Unchanged: the float has too few bits to be the identity.
!h = !quant.uniform<i16:bf16, 1.0>
// KEPT-LABEL: @lossy
// KEPT: quant.dcast
// KEPT: quant.qcast
func.func @lossy(%q: !h) -> !h {
  %0 = quant.dcast %q : !h to bf16
  %1 = quant.qcast %0 : bf16 to !h
  return %1 : !h
}
// Unchanged: the real value of a stored value is infinite, because 100 * 1000 exceeds f16.
!o = !quant.uniform<i8:f16, 1000.0>
// KEPT-LABEL: @overflows
// KEPT: quant.dcast
// KEPT: quant.qcast
func.func @overflows(%q: !o) -> !o {
  %0 = quant.dcast %q : !o to f16
  %1 = quant.qcast %0 : f16 to !o
  return %1 : !o
}
