// IR dumps, timing and statistics.
// RUN: %quern opt %s --pass-pipeline='builtin.module(func.func(canonicalize),symbol-dce)' --print-ir-before=canonicalize --print-ir-after-all -o %t 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %quern opt %s --cse --canonicalize --symbol-dce --print-ir-after-change -o %t 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: %quern opt %s --pass-pipeline='func.func(cse)' --print-ir-after=cse --print-ir-module-scope --generic -o %t 2>&1 | FileCheck %s --check-prefix=SCOPE
// RUN: %quern opt %s --pass-pipeline='func.func(cse),symbol-dce,func.func(cse)' --pass-stats --timing -o %t 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: %quern opt %s --pass-pipeline='builtin.module(builtin.module(func.func(cse)),func.func(cse,canonicalize))' --timing=json -o %t 2>&1 | python3 -m json.tool | FileCheck %s --check-prefix=JSON
// RUN: %quern opt %s --pass-pipeline='func.func(cse),symbol-dce,func.func(cse)' --timing --timing-display=list -o %t 2>&1 | FileCheck %s --check-prefix=LIST

// ALL: // -----// IR Dump Before Canonicalizer (canonicalize) //----- //
// ALL-NEXT: func.func @f() -> i32 {
// ALL-NEXT: arith.constant 1
// ALL: // -----// IR Dump After Canonicalizer (canonicalize) //----- //
// ALL-NEXT: func.func @f() -> i32 {
// ALL-NEXT: arith.constant 2
// ALL-NEXT: return
// ALL: // -----// IR Dump After SymbolDCE (symbol-dce) //----- //
// ALL-NEXT: module {
// CHANGE-NOT: (cse)
// CHANGE: IR Dump After Canonicalizer (canonicalize)
// CHANGE-NOT: (symbol-dce)
// SCOPE: // -----// IR Dump After CSE (cse) ('func.func' operation: @f) //----- //
// SCOPE-NEXT: "builtin.module"()
// REPORT: ... Pass statistics report ...
// REPORT: 'func.func' Pipeline
// REPORT-NEXT: CSE
// REPORT-NEXT: (S) 1 runs, 0 changed the IR, 0 skipped
// REPORT-NEXT: SymbolDCE
// REPORT-NEXT: (S) 1 runs, 0 changed the IR, 0 skipped
// REPORT-NEXT: 'func.func' Pipeline
// REPORT-NEXT: CSE
// REPORT-NEXT: (S) 0 runs, 0 changed the IR, 1 skipped
// REPORT: ... Execution time report ...
// REPORT: ----Wall Time----  ----Name----
// REPORT-NEXT: {{[0-9.]+ \( *[0-9.]+%\)}}  Parser
// REPORT-NEXT: {{[0-9.]+ \( *[0-9.]+%\)}}  'func.func' Pipeline
// REPORT-NEXT: {{[0-9.]+ \( *[0-9.]+%\)}}    CSE
// REPORT: {{[0-9.]+ \( *[0-9.]+%\)}}  Output
// REPORT-NEXT: Rest
// REPORT: 100.0%)  Total
// JSON: "name": "Parser"
// JSON: "name": "'builtin.module' Pipeline"
// JSON: "name": "'func.func' Pipeline"
// JSON: "name": "CSE"
// JSON: "name": "'func.func' Pipeline"
// JSON: "name": "CSE"
// JSON: "name": "Canonicalizer"
// JSON: "name": "Output"
// JSON: "name": "Total"
// LIST: ----Wall Time----  ----Name----
// LIST-NOT: Pipeline
// LIST-DAG: ){{ *}}Parser
// LIST-DAG: ){{ *}}SymbolDCE
// LIST-DAG: ){{ *}}CSE
// LIST-NOT: CSE
// LIST: ){{ *}}Total
func.func @f() -> i32 {
  %c = arith.constant 1 : i32
  %d = arith.addi %c, %c : i32
  return %d : i32
}
