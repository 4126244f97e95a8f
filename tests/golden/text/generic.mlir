// The generic form: operands, results, properties, regions, blocks, uses before definitions.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
%r:3 = "t.three"() : () -> (i8, i16, i32)
%first, %rest:2 = "t.three"() : () -> (i8, i16, i32)
"t.use"(%r#2, %r#0, %r, %first, %rest#1) : (i32, i8, i8, i8, i32) -> ()
"t.props"() <{b = 1 : i8}> {a = 2 : i8} : () -> ()
"t.regions"() ({
  %x = "t.in"() : () -> i8
  "t.nested"(%x, %r#1) ({
    "t.deep"(%x) : (i8) -> ()
  }) : (i8, i16) -> ()
}, {
}, {
^bb0(%a: i8, %b: f32):
  %x = "t.same_name_again"(%a) : (i8) -> i8
}) {note} : () -> ()
"t.early"(%late, %many#1, %many#1) : (i8, i16, i16) -> ()
%late = "t.def"() : () -> i8
%many:2 = "t.def"() : () -> (i8, i16)
"t.cfg"() ({
  "t.br"(%late)[^loop] : (i8) -> ()
^loop(%i: i8):
  "t.cond"(%many#1, %i)[^loop, ^exit] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i16, i8) -> ()
^exit:
  "t.done"() : () -> ()
}) : () -> ()
%p = "t.a"(%q) : (i8) -> i8
%q = "t.b"(%p) : (i8) -> i8
"plain_name"() : () -> ()

// CHECK:module {
// CHECK-NEXT:  %0:3 = "t.three"() : () -> (i8, i16, i32)
// CHECK-NEXT:  %1:3 = "t.three"() : () -> (i8, i16, i32)
// CHECK-NEXT:  "t.use"(%0#2, %0#0, %0#0, %1#0, %1#2) : (i32, i8, i8, i8, i32) -> ()
// CHECK-NEXT:  "t.props"() {a = 2 : i8, b = 1 : i8} : () -> ()
// CHECK-NEXT:  "t.regions"() ({
// CHECK-NEXT:    %6 = "t.in"() : () -> i8
// CHECK-NEXT:    "t.nested"(%6, %0#1) ({
// CHECK-NEXT:      "t.deep"(%6) : (i8) -> ()
// CHECK-NEXT:    }) : (i8, i16) -> ()
// CHECK-NEXT:  }, {
// CHECK-NEXT:  }, {
// CHECK-NEXT:  ^bb0(%arg0: i8, %arg1: f32):
// CHECK-NEXT:    %6 = "t.same_name_again"(%arg0) : (i8) -> i8
// CHECK-NEXT:  }) {note} : () -> ()
// CHECK-NEXT:  "t.early"(%2, %3#1, %3#1) : (i8, i16, i16) -> ()
// CHECK-NEXT:  %2 = "t.def"() : () -> i8
// CHECK-NEXT:  %3:2 = "t.def"() : () -> (i8, i16)
// CHECK-NEXT:  "t.cfg"() ({
// CHECK-NEXT:    "t.br"(%2)[^bb1] : (i8) -> ()
// CHECK-NEXT:  ^bb1(%6: i8):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:    "t.cond"(%3#1, %6)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i16, i8) -> ()
// CHECK-NEXT:  ^bb2:  // pred: ^bb1
// CHECK-NEXT:    "t.done"() : () -> ()
// CHECK-NEXT:  }) : () -> ()
// CHECK-NEXT:  %4 = "t.a"(%5) : (i8) -> i8
// CHECK-NEXT:  %5 = "t.b"(%4) : (i8) -> i8
// CHECK-NEXT:  "plain_name"() : () -> ()
// CHECK-NEXT:}
