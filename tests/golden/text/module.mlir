// Modules, nested ones, symbol names, attributes.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
module @"odd name" attributes {quern.numerics = "litert-ref", llvm.data_layout = ""} {
  module @inner {
    module {
    }
    func.func private @f()
  }
  builtin.module attributes {x.a} {
  }
  func.func @main() {
    func.return
  }
}

// CHECK:module @"odd name" attributes {llvm.data_layout = "", quern.numerics = "litert-ref"} {
// CHECK-NEXT:  module @inner {
// CHECK-NEXT:    module {
// CHECK-NEXT:    }
// CHECK-NEXT:    func.func private @f()
// CHECK-NEXT:  }
// CHECK-NEXT:  module attributes {x.a} {
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @main() {
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}
