// Each op has a fixed number of operands, results and regions, and a symbol has one definition.
// RUN: quern opt %s --split-input-file --verify-diagnostics >/dev/null
// MLIR-OPT: none

func.func @operands(%x: f32, %i: i8) {
  // expected-error @below {{'quant.qcast' op requires a single operand, but found 2}}
  %0 = "quant.qcast"(%x, %x) : (f32, f32) -> !quant.uniform<i8:f32, 1.0>
  // expected-error @below {{'arith.addi' op expected 2 operands, but found 1}}
  %1 = "arith.addi"(%i) : (i8) -> i8
  // expected-error @below {{'arith.constant' op requires zero operands, but found 1}}
  %2 = "arith.constant"(%i) {value = 1 : i8} : (i8) -> i8
  return
}

// -----

func.func @results(%x: f32, %s: tensor<3xindex>, %n: index) {
  // expected-error @below {{'quant.qcast' op requires one result, but found 0}}
  "quant.qcast"(%x) : (f32) -> ()
  // expected-error @below {{'shape.split_at' op expected 2 results, but found 1}}
  %0 = "shape.split_at"(%s, %n) : (tensor<3xindex>, index) -> tensor<?xindex>
  // expected-error @below {{'func.return' op requires zero results, but found 1}}
  %1 = "func.return"() : () -> i8
}

// -----

func.func @regions(%c: i1) {
  // expected-error @below {{'scf.if' op expected 2 regions, but found 1}}
  "scf.if"(%c) ({}) : (i1) -> ()
  // expected-error @below {{'arith.addi' op requires zero regions, but found 1}}
  %0 = "arith.addi"(%c, %c) ({}) : (i1, i1) -> i1
  return
}

// -----

func.func @names(%x: f32) {
  // expected-error @below {{cannot name an operation with no results}}
  %0 = "test.op"(%x) : (f32) -> ()
  // expected-error @below {{operation defines 1 results but was provided 2 to bind}}
  %1:2 = "test.op"(%x) : (f32) -> f32
  return
}

// -----

// expected-note @below {{see existing symbol definition here}}
func.func @twice() { return }
// expected-error @below {{redefinition of symbol named 'twice'}}
func.func @twice() { return }
