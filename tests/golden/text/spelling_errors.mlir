// Text that resembles upstream's spellings but is invalid.
// RUN: quern opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// MLIR-OPT: none
// expected-error @+1 {{expected '['}}
func.func private @f(memref<4x4xf32, strided<garbage>>)
// -----
// expected-error @+1 {{invalid memref stride}}
func.func private @f(memref<4x4xf32, strided<[0, 1]>>)
// -----
// expected-error @+1 {{expected a 64-bit signed integer or '?'}}
func.func private @f(memref<4x4xf32, strided<[1, x]>>)
// -----
func.func @f(%a: i32) {
// expected-error @+1 {{invalid block name in region with named arguments}}
^bb0(%b: i32):
  return
}
// -----
func.func @f(i32) {
  // expected-error @+1 {{expected a block with the arguments, which have no names}}
  return
}
// -----
// expected-error @+1 {{entry block must have 1 arguments to match function signature}}
func.func @f(i32) {
^bb0:
  return
}
// -----
// expected-error @+1 {{invalid element type for complex}}
func.func private @f(complex<tensor<2xf32>>)
// -----
// expected-error @+1 {{integer constant out of range for attribute}}
"t.x"() {a = 340282366920938463463374607431768211456 : i128} : () -> ()
// -----
// expected-error @+1 {{integer constant out of range for attribute}}
"t.x"() {a = 170141183460469231731687303715884105728 : si128} : () -> ()
// -----
// expected-error @+1 {{integer constant out of range for attribute}}
"t.x"() {a = -170141183460469231731687303715884105729 : i128} : () -> ()
// -----
// expected-error @+1 {{expected '== affine-expr' or '>= affine-expr' at end of affine constraint}}
#s = affine_set<(d0) : (d0)>
// -----
// expected-error @+1 {{expected at least one result for cast operation}}
"builtin.unrealized_conversion_cast"() : () -> ()
// -----
func.func @f(%x: f32, %i: i32) {
  // expected-error @+1 {{'arith.remf' op operand #0 must be floating-point-like}}
  %0 = "arith.remf"(%i, %i) : (i32, i32) -> i32
  return
}
// -----
func.func @f(%c: i1) {
  // expected-error @+1 {{'cf.cond_br' op attribute 'branch_weights' failed to satisfy constraint: i32 dense array attribute}}
  cf.cond_br %c, ^a, ^b {branch_weights = "odd"}
^a:
  return
^b:
  return
}
// -----
func.func @f(%c: i1) {
  // expected-error @+1 {{expects number of branch weights to match number of successors: 1 vs 2}}
  cf.cond_br %c weights([90]), ^a, ^b
^a:
  return
^b:
  return
}
// -----
// expected-error @+1 {{expected the number of strides to match the rank}}
func.func private @f(memref<?x?xf32, strided<[1]>>)
// -----
// expected-error @+1 {{element type bitwidth must be a multiple of 8}}
"t.x"() {a = array<i7: 1>} : () -> ()
// -----
// expected-error @+1 {{element type bitwidth must be a multiple of 8}}
"t.x"() {a = array<tf32>} : () -> ()
// -----
// expected-error @+1 {{expected 'true' or 'false' values for i1 type}}
"t.x"() {a = array<i1: 0>} : () -> ()
