// Shapes and attributes of ml constants and data movement; one error per line.
// RUN: %opt %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
func.func @shapes(%x: tensor<2x1x3xi8>, %y: tensor<2x4xi8>, %w: tensor<2x1x3xi16>, %u: tensor<2x1x3xui8>) {
  "ml.const"() {value = dense<1> : tensor<3xi8>} : () -> tensor<4xi8>
  "ml.const"() {value = 1 : i8} : () -> tensor<4xi8>
  "ml.const"() {value = dense<1> : tensor<4xi16>} : () -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  "ml.reshape"(%x) : (tensor<2x1x3xi8>) -> tensor<7xi8>
  "ml.reshape"(%x) : (tensor<2x1x3xi8>) -> tensor<6xi16>
  "ml.reshape"(%x) : (tensor<2x1x3xi8>) -> tensor<6xui8>
  "ml.squeeze"(%x) {axes = array<i64: 0>} : (tensor<2x1x3xi8>) -> tensor<1x3xi8>
  "ml.squeeze"(%x) {axes = array<i64: 1, 1>} : (tensor<2x1x3xi8>) -> tensor<2x3xi8>
  "ml.squeeze"(%x) {axes = array<i64: 1>} : (tensor<2x1x3xi8>) -> tensor<3x2xi8>
  "ml.expand_dims"(%y) {axes = array<i64: 3>} : (tensor<2x4xi8>) -> tensor<2x4x1xi8>
  "ml.transpose"(%y) {perm = array<i64: 0, 0>} : (tensor<2x4xi8>) -> tensor<2x2xi8>
  "ml.transpose"(%y) {perm = array<i64: 0, 2>} : (tensor<2x4xi8>) -> tensor<2x4xi8>
  "ml.transpose"(%y) {perm = array<i64: 1, 0>} : (tensor<2x4xi8>) -> tensor<2x4xi8>
  "ml.transpose"(%y) {perm = array<i64: 1>} : (tensor<2x4xi8>) -> tensor<4x2xi8>
  "ml.pad"(%y) {pad = array<i64: 1, 1, 0, 0>} : (tensor<2x4xi8>) -> tensor<3x4xi8>
  "ml.pad"(%y) {pad = array<i64: 1, 1>} : (tensor<2x4xi8>) -> tensor<4x4xi8>
  "ml.pad"(%y) {pad = array<i64: -1, 1, 0, 0>} : (tensor<2x4xi8>) -> tensor<2x4xi8>
  "ml.pad"(%y) {pad = array<i64: 0, 9223372036854775807, 0, 0>} : (tensor<2x4xi8>) -> tensor<2x4xi8>
  "ml.concat"() {axis = 0 : i64} : () -> tensor<2x4xi8>
  "ml.concat"(%y, %y) {axis = 2 : i64} : (tensor<2x4xi8>, tensor<2x4xi8>) -> tensor<4x4xi8>
  "ml.concat"(%y, %y) {axis = 0 : i64} : (tensor<2x4xi8>, tensor<2x4xi8>) -> tensor<5x4xi8>
  "ml.concat"(%y, %y) {axis = 1 : i64} : (tensor<2x4xi8>, tensor<2x4xi8>) -> tensor<4x4xi8>
  "ml.split"(%y) {axis = 1 : i64} : (tensor<2x4xi8>) -> ()
  "ml.split"(%y) {axis = 1 : i64} : (tensor<2x4xi8>) -> (tensor<2x1xi8>, tensor<2x2xi8>)
  "ml.slice_by_index"(%y) {begin = array<i64: 0, 0>, end = array<i64: 2, 5>, stride = array<i64: 1, 1>} : (tensor<2x4xi8>) -> tensor<2x5xi8>
  "ml.slice_by_index"(%y) {begin = array<i64: 0, 2>, end = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<2x4xi8>) -> tensor<2x1xi8>
  "ml.slice_by_index"(%y) {begin = array<i64: 0, 0>, end = array<i64: 2, 4>, stride = array<i64: 1, 0>} : (tensor<2x4xi8>) -> tensor<2x4xi8>
  "ml.slice_by_index"(%y) {begin = array<i64: 0, 3>, end = array<i64: 2, -1>, stride = array<i64: 1, -2>} : (tensor<2x4xi8>) -> tensor<2x3xi8>
  "ml.slice_by_index"(%y) {begin = array<i64: 0>, end = array<i64: 2, 4>, stride = array<i64: 1, 1>} : (tensor<2x4xi8>) -> tensor<2x4xi8>
  return
}

// CHECK: {{.*}}ml_shape.mlir:6:3: error: 'ml.const' op value must be dense elements of the result type or its storage
// CHECK-NEXT: {{.*}}ml_shape.mlir:7:3: error: 'ml.const' op value must be dense elements of the result type or its storage
// CHECK-NEXT: {{.*}}ml_shape.mlir:8:3: error: 'ml.const' op value must be dense elements of the result type or its storage
// CHECK-NEXT: {{.*}}ml_shape.mlir:9:3: error: 'ml.reshape' op has 6 elements as operand, but 7 as result
// CHECK-NEXT: {{.*}}ml_shape.mlir:10:3: error: 'ml.reshape' op moves elements of 'tensor<2x1x3xi8>' to 'tensor<6xi16>'
// CHECK-NEXT: {{.*}}ml_shape.mlir:11:3: error: 'ml.reshape' op moves elements of 'tensor<2x1x3xi8>' to 'tensor<6xui8>'
// CHECK-NEXT: {{.*}}ml_shape.mlir:12:3: error: 'ml.squeeze' op axis 0 is not a dimension of size 1 or is repeated
// CHECK-NEXT: {{.*}}ml_shape.mlir:13:3: error: 'ml.squeeze' op axis 1 is not a dimension of size 1 or is repeated
// CHECK-NEXT: {{.*}}ml_shape.mlir:14:3: error: 'ml.squeeze' op result is 'tensor<3x2xi8>', but from operands and attributes follows 'tensor<2x3xi8>'
// CHECK-NEXT: {{.*}}ml_shape.mlir:15:3: error: 'ml.expand_dims' op axis 3 is not a dimension of size 1 or is repeated
// CHECK-NEXT: {{.*}}ml_shape.mlir:16:3: error: 'ml.transpose' op attribute 'perm' is not a permutation
// CHECK-NEXT: {{.*}}ml_shape.mlir:17:3: error: 'ml.transpose' op attribute 'perm' is not a permutation
// CHECK-NEXT: {{.*}}ml_shape.mlir:18:3: error: 'ml.transpose' op result is 'tensor<2x4xi8>', but from operands and attributes follows 'tensor<4x2xi8>'
// CHECK-NEXT: {{.*}}ml_shape.mlir:19:3: error: 'ml.transpose' op attribute 'perm' has 1 values, but 2 are expected
// CHECK-NEXT: {{.*}}ml_shape.mlir:20:3: error: 'ml.pad' op result is 'tensor<3x4xi8>', but from operands and attributes follows 'tensor<4x4xi8>'
// CHECK-NEXT: {{.*}}ml_shape.mlir:21:3: error: 'ml.pad' op attribute 'pad' has 2 values, but 4 are expected
// CHECK-NEXT: {{.*}}ml_shape.mlir:22:3: error: 'ml.pad' op attribute 'pad' has the value -1, out of [0, 2147483647]
// CHECK-NEXT: {{.*}}ml_shape.mlir:23:3: error: 'ml.pad' op attribute 'pad' has the value 9223372036854775807, out of [0, 2147483647]
// CHECK-NEXT: {{.*}}ml_shape.mlir:24:3: error: 'ml.concat' op requires an operand
// CHECK-NEXT: {{.*}}ml_shape.mlir:25:3: error: 'ml.concat' op axis 2 is out of range
// CHECK-NEXT: {{.*}}ml_shape.mlir:26:3: error: 'ml.concat' op result is 'tensor<5x4xi8>', but from operands and attributes follows 'tensor<4x4xi8>'
// CHECK-NEXT: {{.*}}ml_shape.mlir:27:3: error: 'ml.concat' op result is 'tensor<4x4xi8>', but from operands and attributes follows 'tensor<2x8xi8>'
// CHECK-NEXT: {{.*}}ml_shape.mlir:28:3: error: 'ml.split' op requires a result
// CHECK-NEXT: {{.*}}ml_shape.mlir:29:3: error: 'ml.split' op has parts of 3 along the axis, but the whole is 4
// CHECK-NEXT: {{.*}}ml_shape.mlir:30:3: error: 'ml.slice_by_index' op slices nothing, or outside of its input, in dimension 1
// CHECK-NEXT: {{.*}}ml_shape.mlir:31:3: error: 'ml.slice_by_index' op slices nothing, or outside of its input, in dimension 1
// CHECK-NEXT: {{.*}}ml_shape.mlir:32:3: error: 'ml.slice_by_index' op slices nothing, or outside of its input, in dimension 1
// CHECK-NEXT: {{.*}}ml_shape.mlir:33:3: error: 'ml.slice_by_index' op result is 'tensor<2x3xi8>', but from operands and attributes follows 'tensor<2x2xi8>'
// CHECK-NEXT: {{.*}}ml_shape.mlir:34:3: error: 'ml.slice_by_index' op attribute 'begin' has 1 values, but 2 are expected
