// A tensor concatenated with slices of itself becomes a mirror pad; other patterns stay.
// RUN: quern opt %s --use-reflection-padding | FileCheck %s
// RUN: quern opt %s --use-reflection-padding --use-reflection-padding | FileCheck %s

// CHECK-LABEL: func.func @one
// CHECK: "ml.mirror_pad"(%arg0) {mode = "reflect", pad = array<i64: 0, 0, 1, 1>}
// CHECK-NEXT: return
func.func @one(%x: tensor<2x4xf32>) -> tensor<2x6xf32> {
  %a = "ml.slice_by_index"(%x) {begin = array<i64: 0, 1>, end = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %b = "ml.slice_by_index"(%x) {begin = array<i64: 0, 2>, end = array<i64: 2, 3>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %y = "ml.concat"(%a, %x, %b) {axis = 1 : i64} : (tensor<2x1xf32>, tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x6xf32>
  return %y : tensor<2x6xf32>
}
// CHECK-LABEL: func.func @two
// CHECK: "ml.mirror_pad"(%arg0) {mode = "reflect", pad = array<i64: 0, 0, 2, 2>}
// CHECK-NEXT: return
func.func @two(%x: tensor<2x4xf32>) -> tensor<2x8xf32> {
  %a = "ml.slice_by_index"(%x) {begin = array<i64: 0, 2>, end = array<i64: 2, 3>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %b = "ml.slice_by_index"(%x) {begin = array<i64: 0, 1>, end = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %d = "ml.slice_by_index"(%x) {begin = array<i64: 0, 2>, end = array<i64: 2, 3>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %e = "ml.slice_by_index"(%x) {begin = array<i64: 0, 1>, end = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %y = "ml.concat"(%a, %b, %x, %d, %e) {axis = 1 : i64} : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x4xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}
// CHECK-LABEL: func.func @rows
// CHECK: "ml.mirror_pad"(%arg0) {mode = "reflect", pad = array<i64: 1, 1, 0, 0>}
// CHECK-NEXT: return
func.func @rows(%x: tensor<4x2xf32>) -> tensor<6x2xf32> {
  %a = "ml.slice_by_index"(%x) {begin = array<i64: 1, 0>, end = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<4x2xf32>) -> tensor<1x2xf32>
  %b = "ml.slice_by_index"(%x) {begin = array<i64: 2, 0>, end = array<i64: 3, 2>, stride = array<i64: 1, 1>} : (tensor<4x2xf32>) -> tensor<1x2xf32>
  %y = "ml.concat"(%a, %x, %b) {axis = 0 : i64} : (tensor<1x2xf32>, tensor<4x2xf32>, tensor<1x2xf32>) -> tensor<6x2xf32>
  return %y : tensor<6x2xf32>
}
// CHECK-LABEL: func.func @one_side
// CHECK: "ml.mirror_pad"(%arg0) {mode = "reflect", pad = array<i64: 0, 0, 0, 2>}
// CHECK-NEXT: return
func.func @one_side(%x: tensor<2x4xf32>) -> tensor<2x6xf32> {
  %d = "ml.slice_by_index"(%x) {begin = array<i64: 0, 2>, end = array<i64: 2, 3>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %e = "ml.slice_by_index"(%x) {begin = array<i64: 0, 1>, end = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %y = "ml.concat"(%x, %d, %e) {axis = 1 : i64} : (tensor<2x4xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x6xf32>
  return %y : tensor<2x6xf32>
}
// CHECK-LABEL: func.func @backward
// CHECK: "ml.mirror_pad"(%arg0) {mode = "reflect", pad = array<i64: 0, 0, 1, 1>}
// CHECK-NEXT: return
func.func @backward(%x: tensor<2x4xf32>) -> tensor<2x6xf32> {
  %a = "ml.slice_by_index"(%x) {begin = array<i64: 0, 1>, end = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %b = "ml.slice_by_index"(%x) {begin = array<i64: 0, 2>, end = array<i64: 2, 1>, stride = array<i64: 1, -1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %y = "ml.concat"(%a, %x, %b) {axis = 1 : i64} : (tensor<2x1xf32>, tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x6xf32>
  return %y : tensor<2x6xf32>
}
// Unchanged: not the mirrored element, slices of two elements, another tensor, no slice.
// CHECK-LABEL: func.func @wrong_order
// CHECK: ml.concat
// CHECK-NOT: ml.mirror_pad
// CHECK: return
func.func @wrong_order(%x: tensor<2x4xf32>) -> tensor<2x8xf32> {
  %a = "ml.slice_by_index"(%x) {begin = array<i64: 0, 1>, end = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %b = "ml.slice_by_index"(%x) {begin = array<i64: 0, 2>, end = array<i64: 2, 3>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %d = "ml.slice_by_index"(%x) {begin = array<i64: 0, 2>, end = array<i64: 2, 3>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %e = "ml.slice_by_index"(%x) {begin = array<i64: 0, 1>, end = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %y = "ml.concat"(%a, %b, %x, %d, %e) {axis = 1 : i64} : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x4xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}
// CHECK-LABEL: func.func @end_itself
// CHECK: ml.concat
// CHECK-NOT: ml.mirror_pad
// CHECK: return
func.func @end_itself(%x: tensor<2x4xf32>) -> tensor<2x6xf32> {
  %a = "ml.slice_by_index"(%x) {begin = array<i64: 0, 0>, end = array<i64: 2, 1>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %b = "ml.slice_by_index"(%x) {begin = array<i64: 0, 3>, end = array<i64: 2, 4>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %y = "ml.concat"(%a, %x, %b) {axis = 1 : i64} : (tensor<2x1xf32>, tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x6xf32>
  return %y : tensor<2x6xf32>
}
// CHECK-LABEL: func.func @thick
// CHECK: ml.concat
// CHECK-NOT: ml.mirror_pad
// CHECK: return
func.func @thick(%x: tensor<2x4xf32>) -> tensor<2x7xf32> {
  %a = "ml.slice_by_index"(%x) {begin = array<i64: 0, 1>, end = array<i64: 2, 3>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %b = "ml.slice_by_index"(%x) {begin = array<i64: 0, 2>, end = array<i64: 2, 3>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %y = "ml.concat"(%a, %x, %b) {axis = 1 : i64} : (tensor<2x2xf32>, tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x7xf32>
  return %y : tensor<2x7xf32>
}
// CHECK-LABEL: func.func @of_another
// CHECK: ml.concat
// CHECK-NOT: ml.mirror_pad
// CHECK: return
func.func @of_another(%x: tensor<2x4xf32>, %z: tensor<2x4xf32>) -> tensor<2x6xf32> {
  %a = "ml.slice_by_index"(%x) {begin = array<i64: 0, 1>, end = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %b = "ml.slice_by_index"(%z) {begin = array<i64: 0, 2>, end = array<i64: 2, 3>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %y = "ml.concat"(%a, %x, %b) {axis = 1 : i64} : (tensor<2x1xf32>, tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x6xf32>
  return %y : tensor<2x6xf32>
}
// CHECK-LABEL: func.func @no_slices
// CHECK: ml.concat
// CHECK-NOT: ml.mirror_pad
// CHECK: return
func.func @no_slices(%x: tensor<2x4xf32>) -> tensor<2x12xf32> {
  %y = "ml.concat"(%x, %x, %x) {axis = 1 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x12xf32>
  return %y : tensor<2x12xf32>
}
// Unchanged: a slice is returned or has another reader.
// CHECK-LABEL: func.func @slice_returned
// CHECK: ml.concat
// CHECK-NOT: ml.mirror_pad
// CHECK: return
func.func @slice_returned(%x: tensor<2x4xf32>) -> (tensor<2x6xf32>, tensor<2x1xf32>) {
  %a = "ml.slice_by_index"(%x) {begin = array<i64: 0, 1>, end = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %b = "ml.slice_by_index"(%x) {begin = array<i64: 0, 2>, end = array<i64: 2, 3>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %y = "ml.concat"(%a, %x, %b) {axis = 1 : i64} : (tensor<2x1xf32>, tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x6xf32>
  return %y, %a : tensor<2x6xf32>, tensor<2x1xf32>
}
// CHECK-LABEL: func.func @slice_used
// CHECK: ml.concat
// CHECK-NOT: ml.mirror_pad
// CHECK: return
func.func @slice_used(%x: tensor<2x4xf32>) -> (tensor<2x6xf32>, tensor<2x1xf32>) {
  %a = "ml.slice_by_index"(%x) {begin = array<i64: 0, 1>, end = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %b = "ml.slice_by_index"(%x) {begin = array<i64: 0, 2>, end = array<i64: 2, 3>, stride = array<i64: 1, 1>} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %z = "ml.tanh"(%b) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = "ml.concat"(%a, %x, %b) {axis = 1 : i64} : (tensor<2x1xf32>, tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x6xf32>
  return %y, %z : tensor<2x6xf32>, tensor<2x1xf32>
}
// Unchanged: the slice reverses or drops rows.
// CHECK-LABEL: func.func @rows_left_out
// CHECK: ml.concat
// CHECK-NOT: ml.mirror_pad
// CHECK: return
func.func @rows_left_out(%x: tensor<3x4xf32>) -> tensor<3x5xf32> {
  %a = "ml.slice_by_index"(%x) {begin = array<i64: 2, 1>, end = array<i64: -1, 2>, stride = array<i64: -1, 1>} : (tensor<3x4xf32>) -> tensor<3x1xf32>
  %y = "ml.concat"(%a, %x) {axis = 1 : i64} : (tensor<3x1xf32>, tensor<3x4xf32>) -> tensor<3x5xf32>
  return %y : tensor<3x5xf32>
}
// Unchanged: more slices than elements to mirror.
// CHECK-LABEL: func.func @too_many
// CHECK: ml.concat
// CHECK-NOT: ml.mirror_pad
// CHECK: return
func.func @too_many(%x: tensor<2x2xf32>) -> tensor<2x5xf32> {
  %a = "ml.slice_by_index"(%x) {begin = array<i64: 0, 1>, end = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  %b = "ml.slice_by_index"(%x) {begin = array<i64: 0, 0>, end = array<i64: 2, 1>, stride = array<i64: 1, 1>} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  %d = "ml.slice_by_index"(%x) {begin = array<i64: 0, 1>, end = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  %y = "ml.concat"(%d, %a, %x, %b) {axis = 1 : i64} : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x5xf32>
  return %y : tensor<2x5xf32>
}
