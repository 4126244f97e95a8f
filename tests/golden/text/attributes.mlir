// Every attribute, sorted by name, in the printed spelling.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
#one = 1 : i8
#list = [#one, "x"]
"t.numbers"() {z = 1, y = -1 : i8, x = 255 : i8, w = 255 : ui8, v = -128 : si8, u = 0x7F : index, t = true,
               s = 1 : i1, r = 0 : i1, q = 0xFFFFFFFFFFFFFFFF : i64, p = 18446744073709551615 : ui64,
               o = -9223372036854775808, n = 3 : i70} : () -> ()
"t.floats"() {a = 1.0, b = -2.5 : f32, c = 0.1 : f16, d = 1.0e10 : bf16, e = 0x7F800000 : f32, f = 0xFFF8000000000001 : f64,
              g = -0.0, h = 1234567.0, i = [1.0, 1234567.0, 2.0 : f32, 0x7E00 : f16], j = 1.0e-45 : f32, k = 0.998,
              l = 1.0e39 : f32, m = 1. : tf32, n = 0.1 : f80, o = 123456.0 : f128} : () -> ()
"t.text"() {a = "plain", b = "tab\09 quote\22 back\\slash new\nline\t", c = "", d = "\C3\BC ü", "odd name" = 1, e_1.x$ = "y"} : () -> ()
"t.symbols"() {a = @f, b = @"with blank", c = @outer::@inner::@"1st", d = @_x.y$z} : () -> ()
"t.lists"() {a = [], b = [1, [2, 3 : i8], {}], c = {x, y = unit, z = {a = 1}}, d = #list, e = i32, f = [f32, !t.y]} : () -> ()
"t.arrays"() {a = array<i64: 1, -2>, b = array<i1: true, false>, c = array<f32: 0.5, 0x7FC00000>, d = array<i8>, e = array<ui8: 255>,
              f = array<f64: 1234567.0>} : () -> ()
"t.maps"() {a = affine_map<() -> ()>, b = affine_map<(i, j)[s] -> (i floordiv 2, j + s * 4, 0)>,
            c = affine_map<(d0, d1) -> ((d0 + d1) mod 3, d0 ceildiv 5 - 2, -d1, d0 - d1 * 2, 2 * (d0 + 1), d0 - (d1 + 1))>} : () -> ()
"t.carried"() {a = #d.x<a -> [b, "]"], {c}>, b = #d.plain, c = #d.y, d = strided<[1, 2], offset: ?>, f = loc("file":3:4), g = loc(fused["a", "b"])} : () -> ()

// CHECK:#map = affine_map<() -> ()>
// CHECK-NEXT:#map1 = affine_map<(d0, d1)[s0] -> (d0 floordiv 2, d1 + s0 * 4, 0)>
// CHECK-NEXT:#map2 = affine_map<(d0, d1) -> ((d0 + d1) mod 3, d0 ceildiv 5 - 2, -d1, d0 - d1 * 2, (d0 + 1) * 2, d0 - (d1 + 1))>
// CHECK-NEXT:module {
// CHECK-NEXT:  "t.numbers"() {n = 3 : i70, o = -9223372036854775808 : i64, p = 18446744073709551615 : ui64, q = -1 : i64, r = false, s = true, t = true, u = 127 : index, v = -128 : si8, w = 255 : ui8, x = -1 : i8, y = -1 : i8, z = 1 : i64} : () -> ()
// CHECK-NEXT:  "t.floats"() {a = 1.000000e+00 : f64, b = -2.500000e+00 : f32, c = 9.997550e-02 : f16, d = 9.999220e+09 : bf16, e = 0x7F800000 : f32, f = 0xFFF8000000000001 : f64, g = -0.000000e+00 : f64, h = 0x4132D68700000000 : f64, i = [1.000000e+00, 0x4132D68700000000 : f64, 2.000000e+00 : f32, 0x7E00 : f16], j = 1.401300e-45 : f32, k = 0.998 : f64, l = 0x7F800000 : f32, m = 1.000000e+00 : tf32, n = 1.000000e-01 : f80, o = 1.234560e+05 : f128} : () -> ()
// CHECK-NEXT:  "t.text"() {a = "plain", b = "tab\09 quote\22 back\\slash new\0Aline\09", c = "", d = "\C3\BC \C3\BC", e_1.x$ = "y", "odd name" = 1 : i64} : () -> ()
// CHECK-NEXT:  "t.symbols"() {a = @f, b = @"with blank", c = @outer::@inner::@"1st", d = @_x.y$z} : () -> ()
// CHECK-NEXT:  "t.lists"() {a = [], b = [1, [2, 3 : i8], {}], c = {x, y, z = {a = 1 : i64}}, d = [1 : i8, "x"], e = i32, f = [f32, !t.y]} : () -> ()
// CHECK-NEXT:  "t.arrays"() {a = array<i64: 1, -2>, b = array<i1: true, false>, c = array<f32: 5.000000e-01, 0x7FC00000>, d = array<i8>, e = array<ui8: 255>, f = array<f64: 0x4132D68700000000>} : () -> ()
// CHECK-NEXT:  "t.maps"() {a = #map, b = #map1, c = #map2} : () -> ()
// CHECK-NEXT:  "t.carried"() {a = #d.x<a -> [b, "]"], {c}>, b = #d.plain, c = #d.y, d = strided<[1, 2], offset: ?>, f = loc("file":3:4), g = loc(fused["a", "b"])} : () -> ()
// CHECK-NEXT:}
