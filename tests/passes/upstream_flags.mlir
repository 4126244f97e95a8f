// Flags with upstream's names have upstream's effects.
// RUN: %quern opt %s -cse --dump-pass-pipeline --mlir-print-ir-before=cse --mlir-print-ir-after-all --mlir-disable-threading --verify-each=0 --mlir-pass-statistics --mlir-timing --mlir-timing-display=list -o %t 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: %quern opt %s -cse -canonicalize --mlir-print-ir-after-all --mlir-print-ir-after-change --mlir-print-ir-module-scope -o %t 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: %quern opt %s --verify-roundtrip --no-implicit-module --mlir-print-debuginfo | FileCheck %s --check-prefix=BARE --match-full-lines --strict-whitespace
// RUN: %quern opt %s --no-implicit-module --mlir-print-op-generic --mlir-print-local-scope | FileCheck %s --check-prefix=GENERIC
// RUN: %quern opt --show-dialects | FileCheck %s --check-prefix=DIALECTS

// REPORT: builtin.module(cse)
// REPORT: // -----// IR Dump Before CSE (cse) //----- //
// REPORT: // -----// IR Dump After CSE (cse) //----- //
// REPORT: ... Pass statistics report ...
// REPORT: ... Execution time report ...
// REPORT: Total

// CHANGE: // -----// IR Dump After CSE (cse) ('builtin.module' operation) //----- //
// CHANGE-NOT: IR Dump

//      BARE:func.func @f(%arg0: i32 loc("{{.*}}upstream_flags.mlir":{{[0-9]+}}:14)) -> i32 {
// BARE-NEXT:  %0 = arith.addi %arg0, %arg0 : i32 loc({{.*}})
// BARE-NEXT:  %1 = arith.addi %arg0, %arg0 : i32 loc({{.*}})

// GENERIC: "func.func"() ({
// GENERIC-NOT: module

// DIALECTS: Available Dialects: arith,builtin,cf,func,linalg,math,memref,ml,quant,quern,scf,shape,tensor,vector
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
