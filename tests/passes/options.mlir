// Flags that mlir-opt has, too, with one or two dashes; standard input and output.
// RUN: %quern opt -allow-unregistered-dialect -mlir-print-op-generic -mlir-print-debuginfo - < %s | FileCheck %s --check-prefix=GENERIC
// RUN: %quern opt --allow-unregistered-dialect --mlir-elide-elementsattrs-if-larger 2 --mlir-print-local-scope %s | FileCheck %s --check-prefix=ELIDED
// RUN: %quern opt --allow-unregistered-dialect --stress-roundtrip --canonicalize --cse %s | FileCheck %s --check-prefix=STRESS
// RUN: %quern list passes | FileCheck %s --check-prefix=LIST

// GENERIC: "func.func"()
// GENERIC: loc("-":[[# @LINE + 7]]:
// ELIDED: dense_resource<__elided__>
// STRESS: "some.op"
// LIST: canonicalize
// LIST: runs on: any
// LIST: numerics: exact
func.func @f() {
  "some.op"() {v = dense<[1, 2, 3]> : tensor<3xi8>} : () -> ()
  return
}
