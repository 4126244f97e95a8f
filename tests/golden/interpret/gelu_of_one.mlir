// The op that ml.gelu of floats is lowered to, on one number.
// MLIR-OPT: none
// RUN: quern opt %s --emit=interpret --input -5.5 | FileCheck %s --match-full-lines
// RUN: quern opt %s --emit=run --input -5.5 | FileCheck %s --match-full-lines
// CHECK: -1.04442584E-7 : f32
func.func @main(%x: f32) -> f32 {
  %0 = "quern.gelu"(%x) : (f32) -> f32
  return %0 : f32
}
