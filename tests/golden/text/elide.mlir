// Payloads with more elements than the limit are elided.
// RUN: %opt --allow-unregistered-dialect --elide-above 4 %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
// MLIR-OPT: none
"t.a"() {a = dense<[1, 2, 3, 4]> : tensor<4xi8>, b = dense<[1, 2, 3, 4, 5]> : tensor<5xi8>, c = dense<1> : tensor<9xi8>} : () -> ()

// CHECK:module {
// CHECK-NEXT:  "t.a"() {a = dense<[1, 2, 3, 4]> : tensor<4xi8>, b = dense_resource<__elided__> : tensor<5xi8>, c = dense<1> : tensor<9xi8>} : () -> ()
// CHECK-NEXT:}
