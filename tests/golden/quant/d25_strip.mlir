// Stripping follows values through calls of function values, branches, scf and attributes.
// RUN: quern opt %s --allow-unregistered-dialect --strip-func-quant-types | FileCheck %s
!q = !quant.uniform<u8:f32, 1.0>
// CHECK: func.func private @g(i8 {some.type = i8}) -> i8 attributes {some.types = [i8, tensor<4xi8>]}
func.func private @g(%a: !q {some.type = !q}) -> !q attributes {some.types = [!q, tensor<4x!q>]}
// CHECK: func.func @f(%[[P:.*]]: i1, %[[A:.*]]: i8, %[[B:.*]]: tensor<4xi8>, %[[FN:.*]]: (i8) -> i8) -> (tensor<4xi8>, i8)
func.func @f(%p: i1, %a: !q, %b: tensor<4x!q>, %fn: (!q) -> !q) -> (tensor<4x!q>, !q) {
  // CHECK-NEXT: %[[G:.*]] = constant @g : (i8) -> i8
  // CHECK-NEXT: %[[R:.*]] = call_indirect %[[G]](%[[A]]) : (i8) -> i8
  // CHECK-NEXT: %[[S:.*]] = call_indirect %[[FN]](%[[R]]) : (i8) -> i8
  // CHECK-NEXT: cf.cond_br %[[P]], ^bb1(%[[S]] : i8), ^bb2(%[[B]], %[[A]] : tensor<4xi8>, i8)
  %g = func.constant @g : (!q) -> !q
  %0 = func.call_indirect %g(%a) : (!q) -> !q
  %1 = func.call_indirect %fn(%0) : (!q) -> !q
  cf.cond_br %p, ^bb1(%1 : !q), ^bb2(%b, %a : tensor<4x!q>, !q)
^bb1(%x: !q):
  // CHECK: ^bb1(%[[X:.*]]: i8):
  // CHECK-NEXT: %[[XQ:.*]] = quant.scast %[[X]] : i8 to !quant.uniform<u8:f32, 1.000000e+00>
  // CHECK-NEXT: %[[Y:.*]] = "some.op"(%[[XQ]])
  // CHECK-NEXT: %[[YS:.*]] = quant.scast %[[Y]] : tensor<4x!quant.uniform<u8:f32, 1.000000e+00>> to tensor<4xi8>
  // CHECK-NEXT: cf.br ^bb2(%[[YS]], %[[X]] : tensor<4xi8>, i8)
  %y = "some.op"(%x) : (!q) -> tensor<4x!q>
  cf.br ^bb2(%y, %x : tensor<4x!q>, !q)
^bb2(%r: tensor<4x!q>, %s: !q):
  // CHECK: ^bb2(%[[T:.*]]: tensor<4xi8>, %[[U:.*]]: i8):
  // CHECK-NEXT: %[[IF:.*]] = scf.if %[[P]] -> (i8) {
  // CHECK: scf.yield %{{.*}} : i8
  // CHECK: scf.yield %[[U]] : i8
  %z = scf.if %p -> (!q) {
    %v = "some.op"() : () -> !q
    scf.yield %v : !q
  } else {
    scf.yield %s : !q
  }
  // CHECK: return %[[T]], %[[IF]] : tensor<4xi8>, i8
  return %r, %z : tensor<4x!q>, !q
}
// The cast of this pass is inserted directly after a region's result, before existing casts.
// CHECK-LABEL: func.func @cast_is_next
// CHECK: %[[R:.*]] = scf.if
// CHECK: %[[Q:.*]] = quant.scast %[[R]] : i8 to !quant.uniform<u8:f32, 1.000000e+00>
// CHECK-NEXT: %[[S:.*]] = quant.scast %[[Q]] : !quant.uniform<u8:f32, 1.000000e+00> to i8
// CHECK-NEXT: cf.br ^bb1
// CHECK: return %[[S]] : i8
func.func @cast_is_next(%p: i1, %a: i8, %b: i8) -> i8 {
  %0 = scf.if %p -> (!q) {
    %1 = quant.scast %a : i8 to !q
    scf.yield %1 : !q
  } else {
    %1 = quant.scast %b : i8 to !q
    scf.yield %1 : !q
  }
  %2 = quant.scast %0 : !q to i8
  cf.br ^bb1
^bb1:
  return %2 : i8
}
// Casts of a loop's result, an indirect call's results, a block argument, and one result among several.
// CHECK-LABEL: func.func @casts_of_carriers
// CHECK: %[[L:.*]] = scf.for
// CHECK: %[[LQ:.*]] = quant.scast %[[L]] : i8 to !quant
// CHECK-NEXT: quant.scast %[[LQ]] : !quant{{.*}} to i8
// CHECK: %[[C:.*]]:2 = call_indirect
// CHECK-NEXT: %[[C0:.*]] = quant.scast %[[C]]#0 : i8 to !quant
// CHECK-NEXT: %[[C1:.*]] = quant.scast %[[C]]#1 : i8 to !quant
// CHECK-NEXT: quant.dcast %[[C1]]
// CHECK-NEXT: quant.dcast %[[C0]]
func.func @casts_of_carriers(%n: index, %a: i8, %fn: (!q) -> (!q, !q), %x: !q) -> (i8, f32, f32, i8) {
  %z = arith.constant 0 : index
  %s = arith.constant 1 : index
  %i = quant.scast %a : i8 to !q
  %0 = scf.for %k = %z to %n step %s iter_args(%p = %i) -> (!q) {
    scf.yield %p : !q
  }
  %1 = quant.scast %0 : !q to i8
  %c:2 = func.call_indirect %fn(%x) : (!q) -> (!q, !q)
  %d1 = quant.dcast %c#1 : !q to f32
  %d0 = quant.dcast %c#0 : !q to f32
  cf.br ^bb1(%x : !q)
^bb1(%y: !q):
  %2 = quant.scast %y : !q to i8
  return %1, %d0, %d1, %2 : i8, f32, f32, i8
}
