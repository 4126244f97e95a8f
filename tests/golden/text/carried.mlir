// Aliases in attributes and types that are kept as text are expanded: their definitions are not printed, and
// "#map" would be one of the printer's own.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: quern opt --allow-unregistered-dialect %s --mlir-print-op-generic | FileCheck %s
#map = affine_map<(d0) -> (d0 + 1)>
#own = affine_map<(d0, d1) -> (d1)>
#where = loc("file":1:2)
!t = tensor<4x!quant.uniform<i8:f32, 0.5>>
#twice = #t.pair<#own, [#own, "#own"]>
// CHECK: #map = affine_map<(d0) -> (d0 + 1)>
// CHECK-NOT: #own
// CHECK: "t.maps"() {a = #t.of<affine_map<(d0) -> (d0 + 1)>>, b = #map, c = #t.pair<affine_map<(d0, d1) -> (d1)>, [affine_map<(d0, d1) -> (d1)>, "#own"]>}
"t.maps"() {a = #t.of<#map>, b = #map, c = #twice} : () -> ()
// CHECK: "t.types"() {a = !t.box<tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>, !t.own<tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>>>}
"t.types"() {a = !t.box<!t, !t.own<!t>>} : () -> ()
// CHECK: "t.others"() {a = #t.at<loc("file":1:2)>, b = #t.no<%0#1, #t.map, #t<map>, x != y, "\"#map">}
"t.others"() {a = #t.at<#where>, b = #t.no<%0#1, #t.map, #t<map>, x != y, "\"#map">} : () -> ()
