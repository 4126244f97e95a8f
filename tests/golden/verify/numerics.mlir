// A module's numerics is a known name and applies to the whole module.
// RUN: quern opt %s --split-input-file --verify-diagnostics
// MLIR-OPT: none
// expected-error@+1 {{unknown numerics profile 'exactly'; profiles: litert-ref tflm}}
module attributes {quern.numerics = "exactly"} {
}
// -----
// expected-error@+1 {{unknown numerics profile ''}}
module attributes {quern.numerics = 3 : i64} {
}
// -----
module attributes {quern.numerics = "tflm"} {
  // expected-error@+1 {{'builtin.module' op has 'quern.numerics', which only the top-level module takes}}
  module attributes {quern.numerics = "litert-ref"} {
  }
}
