// Invalid pipelines and flags are reported with their position; exit code 2.
// RUN: code 2 %quern opt %s --pass-pipeline='builtin.module(canonicalise,symbol-dce(cse),func.func(symbol-dce),cse{a=1})' 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: code 2 %quern opt %s --canonicalize="upstream-compatible=maybe" --canonicalize="upstream-compatible=true upstream-compatible=true" 2>&1 | FileCheck %s --check-prefix=VALUES
// RUN: code 2 %quern opt %s --pass-pipeline='builtin.module(cse' 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: code 2 %quern opt %s --pass-pipeline='builtin.module(cse))' 2>&1 | FileCheck %s --check-prefix=CLOSED
// RUN: code 2 %quern opt %s --pass-pipeline='cse,' 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: code 2 %quern opt %s --pass-pipeline=cse --canonicalize 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: code 2 %quern opt %s --cse --config=cpu=z80,speed=9 --disable-pass=csa 2>&1 | FileCheck %s --check-prefix=CONFIG
// RUN: code 3 %quern opt %s --upstream-compatible --lower-quant-ops=rounding=floor 2>&1 | FileCheck %s --check-prefix=ROUNDING
// RUN: code 2 %quern opt %s --no-such-pass 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: code 2 %quern opt %s --verify-each=perhaps 2>&1 | FileCheck %s --check-prefix=SWITCH
// RUN: code 2 %quern opt %s --pass-pipeline=$(printf %018d 0 | tr 0 'x' | awk '{gsub(/x/, "any("); print}') 2>&1 | FileCheck %s --check-prefix=DEEP

// NAMES: <pipeline>:1:16: error: 'canonicalise' does not refer to a registered pass; did you mean 'canonicalize'?
// NAMES: <pipeline>:1:29: error: 'symbol-dce' is no op that a pipeline can run on
// NAMES: <pipeline>:1:55: error: can't run pass 'symbol-dce', restricted to 'builtin.module', in a pipeline on 'func.func'
// NAMES: <pipeline>:1:71: error: pass 'cse' has no option 'a'
// NAMES-NEXT: builtin.module(
// NAMES-NEXT: {{^ *\^$}}
// VALUES: error: option 'upstream-compatible' of pass 'canonicalize' takes true or false, not 'maybe'
// VALUES: error: option 'upstream-compatible' is given twice
// OPEN: <pipeline>:1:15: error: expected ')' at the end of the pipeline
// CLOSED: <pipeline>:1:20: error: unexpected text after the pipeline
// EMPTY: <pipeline>:1:5: error: expected the name of a pass
// BOTH: error: --pass-pipeline and flags of passes don't go together
// CONFIG: <disabled passes>:1:1: error: there is no pass 'csa'; did you mean 'cse'?
// CONFIG: <config>:1:9: error: there is no configuration key 'speed'
// CONFIG: z80
// ROUNDING: error: 'upstream-compatible' truncates; it goes with no 'rounding'
// FLAG: error: unknown option '--no-such-pass'
// SWITCH: error: --verify-each takes true or false, not 'perhaps'
// DEEP: error: pipelines are nested deeper than 16
func.func private @f()
