// Aliases that can't be expanded in text that is kept as it was read.
// RUN: quern opt --allow-unregistered-dialect %s --split-input-file --verify-diagnostics
// MLIR-OPT: none
// expected-error @+1 {{undefined symbol alias id 'never'}}
"t.undefined"() {a = #t.of<[#never]>} : () -> ()

// -----

#set = affine_set<(d0) : (d0 >= 0)>
// expected-error @+1 {{brackets of an alias in this body don't balance}}
"t.set"() {a = #t.of<#set>} : () -> ()
