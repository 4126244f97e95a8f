// Locations of ops and block arguments; aliases are printed after their uses.
// RUN: %opt --allow-unregistered-dialect --locations %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --locations --round-trip %s >/dev/null
"t.a"() : () -> () loc("model.tflite":0:0)
"t.b"() : () -> () loc(unknown)
"t.c"() : () -> () loc("conv"("model.tflite":0:5))
"t.d"() : () -> () loc(fused["a", "b"("f":1:2)])
"t.e"() : () -> () loc(fused<"meta">["a", "b"])
"t.f"() : () -> () loc(callsite("f" at callsite("g" at "main":3:1)))
"t.g"() : () -> () loc("range":1:2 to :9)
"t.h"() ({
^bb0(%a: i8 loc("arg"), %b: i8):
  "t.i"() : () -> () loc(#inner)
}) : () -> () loc(#outer)
func.func @f(%x: i8 loc("x"), %y: i8) {
  return loc(#inner)
} loc("f")
#inner = loc("deep":7:8)
#outer = loc("outer"(#inner))

// CHECK:module {
// CHECK-NEXT:  "t.a"() : () -> () loc("model.tflite":0:0)
// CHECK-NEXT:  "t.b"() : () -> () loc(unknown)
// CHECK-NEXT:  "t.c"() : () -> () loc("conv"("model.tflite":0:5))
// CHECK-NEXT:  "t.d"() : () -> () loc(fused["a", "b"("f":1:2)])
// CHECK-NEXT:  "t.e"() : () -> () loc(fused["a", "b"])
// CHECK-NEXT:  "t.f"() : () -> () loc(callsite("f" at callsite("g" at "main":3:1)))
// CHECK-NEXT:  "t.g"() : () -> () loc("range":1:2)
// CHECK-NEXT:  "t.h"() ({
// CHECK-NEXT:  ^bb0(%arg0: i8 loc("arg"), %arg1: i8 loc("{{.*}}locations.mlir":12:25)):
// CHECK-NEXT:    "t.i"() : () -> () loc("deep":7:8)
// CHECK-NEXT:  }) : () -> () loc("outer"("deep":7:8))
// CHECK-NEXT:  func.func @f(%arg0: i8 loc("x"), %arg1: i8 loc("{{.*}}locations.mlir":15:31)) {
// CHECK-NEXT:    return loc("deep":7:8)
// CHECK-NEXT:  } loc("f")
// CHECK-NEXT:} loc("{{.*}}locations.mlir":0:0)
