// Upstream's spellings: labels of entry blocks, modules inside functions, branch weights, conversions
// without a rule, remainders, and types and attributes that are kept as text.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null

// CHECK-LABEL: func.func @entry_label() -> i32 {
// CHECK-NEXT: %c1_i32 = arith.constant 1 : i32
func.func @entry_label() -> i32 {
^entry:
  %0 = arith.constant 1 : i32
  cf.br ^bb1(%0 : i32)
^bb1(%1: i32):
  return %1 : i32
}
// CHECK-LABEL: func.func @names_in_label(%arg0: i32, %arg1: f32 {t.x}) -> i32 {
// CHECK-NEXT: return %arg0 : i32
func.func @names_in_label(i32, f32 {t.x}) -> i32 {
^bb0(%a: i32, %b: f32):
  return %a : i32
}
// CHECK-LABEL: func.func @module_inside
// CHECK-NEXT: builtin.module {
// CHECK-NEXT: module @inner {
func.func @module_inside() {
  builtin.module {
    module @inner {
      func.func private @g()
    }
  }
  return
}
// CHECK: cf.cond_br %arg0 weights([90, 10]), ^bb1, ^bb2 {a}
func.func @weights(%c: i1) {
  cf.cond_br %c weights([90, 10]), ^a, ^b {a}
^a:
  return
^b:
  return
}
// CHECK-LABEL: func.func @remainder
// CHECK-NEXT: arith.remf %arg0, %arg0 : tensor<3xf32>
func.func @remainder(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = arith.remf %a, %a : tensor<3xf32>
  return %0 : tensor<3xf32>
}
// CHECK-LABEL: func.func @conversions
// CHECK-NEXT: %[[A:.*]]:2 = builtin.unrealized_conversion_cast %arg0 : !t.x to i32, f32 {a}
// CHECK-NEXT: builtin.unrealized_conversion_cast %[[A]]#0, %[[A]]#1 : i32, f32 to !t.x
// CHECK-NEXT: builtin.unrealized_conversion_cast to index
func.func @conversions(%a: !t.x) {
  %0:2 = builtin.unrealized_conversion_cast %a : !t.x to i32, f32 {a}
  %1 = builtin.unrealized_conversion_cast %0#0, %0#1 : i32, f32 to !t.x
  %2 = builtin.unrealized_conversion_cast to index
  return
}
// CHECK: func.func private @types(none, complex<f32>, complex<i8>, f8E4M3FN, tensor<2xcomplex<f64>>, vector<4xf8E5M2>, memref<2xf4E2M1FN>)
func.func private @types(none, complex<f32>, complex<i8>, f8E4M3FN, tensor<2xcomplex<f64>>, vector<4xf8E5M2>, memref<2xf4E2M1FN>)
// CHECK: func.func private @layouts(memref<4x4xf32, strided<[4, 1]>>, memref<4x4xf32, strided<[?, 1], offset: ?>>, memref<4xf32, strided<[-2], offset: 3>, 1 : i64>)
func.func private @layouts(memref<4x4xf32, strided<[4,1]>>, memref<4x4xf32, strided<[?, 1], offset: ?>>, memref<4xf32, strided<[-2], offset: 3>, 1>)
// CHECK: "t.sets"() {a = affine_set<(d0) : (d0 >= 0)>, b = affine_set<(d0, d1)[s0] : (d0 - d1 == 0, -d0 + s0 - 1 >= 0, -d1 + 5 >= 0)>, c = affine_set<() : (1 == 0)>}
"t.sets"() {a = affine_set<(x) : (x >= 0)>, b = affine_set<(d0, d1)[s0] : (d0 == d1, s0 - d0 - 1 >= 0, d1 <= 5)>, c = affine_set<() : (1 == 0)>} : () -> ()
// CHECK: "t.wide"() {a = 170141183460469231731687303715884105727 : i128, b = -170141183460469231731687303715884105728 : i128, c = -1 : i128, d = 340282366920938463463374607431768211455 : ui128, e = 18446744073709551616 : si66, f = 5 : i128, g = [36893488147419103231 : ui65]}
"t.wide"() {a = 170141183460469231731687303715884105727 : i128, b = -170141183460469231731687303715884105728 : i128,
            c = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF : i128, d = 340282366920938463463374607431768211455 : ui128,
            e = 18446744073709551616 : si66, f = 5 : i128, g = [0x1FFFFFFFFFFFFFFFF : ui65]} : () -> ()
// CHECK: "t.graph"() ({
// CHECK-NEXT: %[[A:.*]] = "x"(%[[B:.*]]) : (i32) -> i32
// CHECK-NEXT: %[[B]] = "y"(%[[A]]) : (i32) -> i32
// CHECK-NEXT: %[[C:.*]] = "z"(%[[C]]) : (i32) -> i32
"t.graph"() ({
  %0 = "x"(%1) : (i32) -> i32
  %1 = "y"(%0) : (i32) -> i32
  %2 = "z"(%2) : (i32) -> i32
}) : () -> ()
