// The table of docs/passes.md: the results of each rounding for the same numbers.
// RUN: quern opt %s --lower-quant-ops --emit=interpret | FileCheck %s --check-prefix=EVEN
// RUN: quern opt %s --lower-quant-ops=rounding=away --emit=interpret | FileCheck %s --check-prefix=AWAY
// RUN: quern opt %s --lower-quant-ops=rounding=toward-zero --emit=interpret | FileCheck %s --check-prefix=ZERO
// RUN: quern opt %s --lower-quant-ops=rounding=floor --emit=interpret | FileCheck %s --check-prefix=FLOOR
// RUN: quern opt %s --lower-quant-ops="rounding=stochastic seed=1" --emit=interpret | FileCheck %s --check-prefix=RANDOM
// RUN: quern opt %s --lower-quant-ops="rounding=stochastic seed=2" --emit=interpret | FileCheck %s --check-prefix=OTHER
// RUN: quern opt %s --upstream-compatible --lower-quant-ops --emit=interpret 2>&1 | FileCheck %s --check-prefix=UPSTREAM
!q = !quant.uniform<i8:f32, 1.0>
// EVEN: dense<[0, 2, 2, -2, -2, 3, 127, 0]>
// AWAY: dense<[1, 2, 3, -2, -3, 3, 127, 0]>
// ZERO: dense<[0, 1, 2, -1, -2, 2, 127, 0]>
// FLOOR: dense<[0, 1, 2, -2, -3, 2, 127, 0]>
// RANDOM: dense<[0, 2, 2, -2, -3, 2, 127, 0]>
// OTHER: dense<[1, 1, 2, -1, -2, 3, 127, 0]>
// UPSTREAM: converts a value out of range
func.func @main() -> tensor<8xi8> {
  %x = arith.constant dense<[0.5, 1.5, 2.5, -1.5, -2.5, 2.7, 300.0, 0x7FC00000]> : tensor<8xf32>
  %0 = quant.qcast %x : tensor<8xf32> to tensor<8x!q>
  %1 = quant.scast %0 : tensor<8x!q> to tensor<8xi8>
  return %1 : tensor<8xi8>
}
