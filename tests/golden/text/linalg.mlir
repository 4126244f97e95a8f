// linalg.generic and affine maps, which are printed once, at the top.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
#by_row = affine_map<(d0, d1) -> (d0)>
#same = affine_map<(a, b) -> (a, b)>
#blocks = affine_map<(d0, d1) -> (d0 floordiv 2, 0)>
#trait = {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
func.func @generic(%a: tensor<?x4xf32>, %s: tensor<?xf32>, %b: tensor<2x1xi8>, %x: f32) -> tensor<?x4xf32> {
  %g = linalg.generic {indexing_maps = [#same, #by_row, #blocks, affine_map<(d0, d1) -> ()>, #same], iterator_types = ["parallel", "parallel"]} ins(%a, %s, %b, %x : tensor<?x4xf32>, tensor<?xf32>, tensor<2x1xi8>, f32) outs(%a : tensor<?x4xf32>) attrs = {note = 1 : i32} {
  ^bb0(%in: f32, %scale: f32, %zero: i8, %y: f32, %out: f32):
    %i = linalg.index 1 : index
    %c = arith.constant 2.0 : f32
    %0 = arith.addf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<?x4xf32>
  %h:2 = linalg.generic {doc = "both", library_call = "both", indexing_maps = [#same, #by_row], iterator_types = ["parallel", "reduction"]} outs(%g, %s : tensor<?x4xf32>, tensor<?xf32>) {
  ^bb0(%p: f32, %q: f32):
    %c = arith.constant 2.0 : f32
    linalg.yield %p, %c : f32, f32
  } -> (tensor<?x4xf32>, tensor<?xf32>)
  %k = linalg.generic #trait ins(%g : tensor<?x4xf32>) outs(%h#0 : tensor<?x4xf32>) {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  } -> tensor<?x4xf32>
  return %k : tensor<?x4xf32>
}

// CHECK:#map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT:#map1 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT:#map2 = affine_map<(d0, d1) -> (d0 floordiv 2, 0)>
// CHECK-NEXT:#map3 = affine_map<(d0, d1) -> ()>
// CHECK-NEXT:module {
// CHECK-NEXT:  func.func @generic(%arg0: tensor<?x4xf32>, %arg1: tensor<?xf32>, %arg2: tensor<2x1xi8>, %arg3: f32) -> tensor<?x4xf32> {
// CHECK-NEXT:    %0 = linalg.generic {indexing_maps = [#map, #map1, #map2, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1, %arg2, %arg3 : tensor<?x4xf32>, tensor<?xf32>, tensor<2x1xi8>, f32) outs(%arg0 : tensor<?x4xf32>) attrs =  {note = 1 : i32} {
// CHECK-NEXT:    ^bb0(%in: f32, %in_0: f32, %in_1: i8, %in_2: f32, %out: f32):
// CHECK-NEXT:      %3 = linalg.index 1 : index
// CHECK-NEXT:      %cst = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %4 = arith.addf %in, %in_0 : f32
// CHECK-NEXT:      linalg.yield %4 : f32
// CHECK-NEXT:    } -> tensor<?x4xf32>
// CHECK-NEXT:    %1:2 = linalg.generic {doc = "both", indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"], library_call = "both"} outs(%0, %arg1 : tensor<?x4xf32>, tensor<?xf32>) {
// CHECK-NEXT:    ^bb0(%out: f32, %out_0: f32):
// CHECK-NEXT:      %cst = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      linalg.yield %out, %cst : f32, f32
// CHECK-NEXT:    } -> (tensor<?x4xf32>, tensor<?xf32>)
// CHECK-NEXT:    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<?x4xf32>) outs(%1#0 : tensor<?x4xf32>) {
// CHECK-NEXT:    ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:      linalg.yield %in : f32
// CHECK-NEXT:    } -> tensor<?x4xf32>
// CHECK-NEXT:    return %2 : tensor<?x4xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
