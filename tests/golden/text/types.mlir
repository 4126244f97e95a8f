// Every type of the IR, in spellings other than the printed one.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
!byte = i8
!pair = tuple<!byte, tuple<>>
"t.scalars"() {a = i1, b = si8, c = ui16, d = i24, e = index, f = none, g = f16, h = bf16, i = tf32,
               j = f32, k = f64, l = f80, m = f128} : () -> ()
"t.shaped"() {a = tensor<f32>, b = tensor<4x?x0xi8>, c = tensor < * x f32 >, d = memref<16xi8>,
              e = memref<?x4xf32, strided<[4, 1], offset: ?>>, f = memref<4xf32, affine_map<(d0) -> (d0 * 2)>>,
              g = memref<4xi8, 3 : i32>, h = memref<4xi8, strided<[2]>, 1>, i = memref<*xf32>,
              j = vector<4xf32>, k = vector<2x3xi1>, l = vector<i8>, m = tensor<4xi8, "rows">,
              n = tensor<2xvector<4xi8>>} : () -> ()
"t.compound"() {a = !pair, b = () -> (), c = (i8) -> i8, d = (i8, f32) -> (i8, (i8) -> ()),
                e = tuple<i8, f32>, f = () -> (() -> ())} : () -> ()
"t.opaque"() {a = !foo.bar, b = !foo.bar<1, "a>b", [2, {x -> y}]>, c = !foo.baz<i8>, d = !byte} : () -> ()

// CHECK:#map = affine_map<(d0) -> (d0 * 2)>
// CHECK-NEXT:module {
// CHECK-NEXT:  "t.scalars"() {a = i1, b = si8, c = ui16, d = i24, e = index, f = none, g = f16, h = bf16, i = tf32, j = f32, k = f64, l = f80, m = f128} : () -> ()
// CHECK-NEXT:  "t.shaped"() {a = tensor<f32>, b = tensor<4x?x0xi8>, c = tensor<*xf32>, d = memref<16xi8>, e = memref<?x4xf32, strided<[4, 1], offset: ?>>, f = memref<4xf32, #map>, g = memref<4xi8, 3 : i32>, h = memref<4xi8, strided<[2]>, 1 : i64>, i = memref<*xf32>, j = vector<4xf32>, k = vector<2x3xi1>, l = vector<i8>, m = tensor<4xi8, "rows">, n = tensor<2xvector<4xi8>>} : () -> ()
// CHECK-NEXT:  "t.compound"() {a = tuple<i8, tuple<>>, b = () -> (), c = (i8) -> i8, d = (i8, f32) -> (i8, (i8) -> ()), e = tuple<i8, f32>, f = () -> (() -> ())} : () -> ()
// CHECK-NEXT:  "t.opaque"() {a = !foo.bar, b = !foo.bar<1, "a>b", [2, {x -> y}]>, c = !foo.baz<i8>, d = i8} : () -> ()
// CHECK-NEXT:}
