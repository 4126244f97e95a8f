// A function that is not defined for a type is rejected by both engines.
// RUN: ! quern opt %s --emit=interpret --input 1.0 2>/dev/null
// RUN: quern opt %s --emit=interpret --input 1.0 2>&1 | FileCheck %s
// RUN: quern opt %s --emit=run --input 1.0 2>&1 | FileCheck %s
// CHECK: error: 'math.cos' op is not defined for elements of this type
func.func @main(%x: f64) -> f64 {
  %0 = math.cos %x : f64
  return %0 : f64
}
