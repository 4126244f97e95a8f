// Payloads in the resource section, used before the section; other resources are skipped.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
// MLIR-OPT: accepts
"t.use"() {a = dense_resource<weights> : tensor<2x2xi16>, b = dense_resource<"odd key"> : tensor<3xi8>,
           c = dense_resource<weights> : tensor<8xi8>} : () -> ()
{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module()",
      disable_threading: true
    }
  },
  dialect_resources: {
    builtin: {
      weights: "0x020000000100020003000400",
      "odd key": "0x010000007f80FF",
      unused: "0x0100000000"
    },
    other: { blob: "xyz", list: [1, 2] }
  }
#-}

// CHECK:module {
// CHECK-NEXT:  "t.use"() {a = dense_resource<weights> : tensor<2x2xi16>, b = dense_resource<"odd key"> : tensor<3xi8>, c = dense_resource<weights> : tensor<8xi8>} : () -> ()
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:{-#
// CHECK-NEXT:  dialect_resources: {
// CHECK-NEXT:    builtin: {
// CHECK-NEXT:      weights: "0x020000000100020003000400",
// CHECK-NEXT:      "odd key": "0x010000007F80FF"
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:#-}
