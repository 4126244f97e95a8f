// Rows that are joined: one error per line.
// RUN: %opt %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
func.func @f(%x: tensor<1x4x5x3xui8>, %y: tensor<4x5x3xi8>, %z: tensor<1x4x5x3xi16>, %w: tensor<1x4x5x30xi8>) {
  "ml.rows_to_depth"(%x) {rows = 3 : i64, step = 2 : i64, pad = array<i64: 1, 0, 0, 1>, value = 7 : i64} : (tensor<1x4x5x3xui8>) -> tensor<1x2x6x3xui8>
  "ml.rows_to_depth"(%y) {rows = 3 : i64, step = 2 : i64, pad = array<i64: 1, 0, 0, 1>, value = 7 : i64} : (tensor<4x5x3xi8>) -> tensor<2x6x9xi8>
  "ml.rows_to_depth"(%z) {rows = 3 : i64, step = 2 : i64, pad = array<i64: 1, 0, 0, 1>, value = 7 : i64} : (tensor<1x4x5x3xi16>) -> tensor<1x2x6x9xi16>
  "ml.rows_to_depth"(%w) {rows = 3 : i64, step = 2 : i64, pad = array<i64: 1, 0, 0, 1>, value = 7 : i64} : (tensor<1x4x5x30xi8>) -> tensor<1x2x6x90xi8>
  "ml.rows_to_depth"(%x) {rows = 5 : i64, step = 1 : i64, pad = array<i64: 0, 0, 0, 1>, value = 7 : i64} : (tensor<1x4x5x3xui8>) -> tensor<1x1x6x15xui8>
  "ml.rows_to_depth"(%x) {rows = 17 : i64, step = 1 : i64, pad = array<i64: 16, 0, 0, 0>, value = 7 : i64} : (tensor<1x4x5x3xui8>) -> tensor<1x4x5x51xui8>
  "ml.rows_to_depth"(%x) {rows = 3 : i64, step = 0 : i64, pad = array<i64: 1, 0, 0, 1>, value = 7 : i64} : (tensor<1x4x5x3xui8>) -> tensor<1x2x6x9xui8>
  "ml.rows_to_depth"(%x) {rows = 3 : i64, step = 2 : i64, pad = array<i64: 17, 0, 0, 1>, value = 7 : i64} : (tensor<1x4x5x3xui8>) -> tensor<1x10x6x9xui8>
  "ml.rows_to_depth"(%x) {rows = 3 : i64, step = 2 : i64, pad = array<i64: 1, 1>, value = 7 : i64} : (tensor<1x4x5x3xui8>) -> tensor<1x2x6x9xui8>
  "ml.rows_to_depth"(%x) {rows = 3 : i64, step = 2 : i64, pad = array<i64: 1, 0, 0, 1>, value = -1 : i64} : (tensor<1x4x5x3xui8>) -> tensor<1x2x6x9xui8>
  "ml.rows_to_depth"(%x) {rows = 3 : i64, step = 2 : i64, pad = array<i64: 1, 0, 0, 1>, value = 9223372036854775807 : i64} : (tensor<1x4x5x3xui8>) -> tensor<1x2x6x9xui8>
  "ml.rows_to_depth"(%x) {rows = 3 : i64, step = 2 : i64, pad = array<i64: 1, 0, 0, 1>} : (tensor<1x4x5x3xui8>) -> tensor<1x2x6x9xui8>
  "ml.rows_to_depth"(%w) {rows = 2 : i64, step = 2 : i64, pad = array<i64: 0, 0, 0, 0>, value = 9223372036854775807 : i64} : (tensor<1x4x5x30xi8>) -> tensor<1x2x5x60xi8>
  return
}

// CHECK: {{.*}}ml_rows_to_depth.mlir:6:3: error: 'ml.rows_to_depth' op result is 'tensor<1x2x6x3xui8>', but from operands and attributes follows 'tensor<1x2x6x9xui8>'
// CHECK-NEXT: {{.*}}ml_rows_to_depth.mlir:7:3: error: 'ml.rows_to_depth' op the input must have rank 4, but got 'tensor<4x5x3xi8>'
// CHECK-NEXT: {{.*}}ml_rows_to_depth.mlir:8:3: error: 'ml.rows_to_depth' op moves bytes, but got 'tensor<1x4x5x3xi16>'
// CHECK-NEXT: {{.*}}ml_rows_to_depth.mlir:9:3: error: 'ml.rows_to_depth' op 3 rows of 30 channels are more than 64 channels
// CHECK-NEXT: {{.*}}ml_rows_to_depth.mlir:10:3: error: 'ml.rows_to_depth' op joins 5 rows, but the padded input has only 4
// CHECK-NEXT: {{.*}}ml_rows_to_depth.mlir:11:3: error: 'ml.rows_to_depth' op attribute 'rows' is 17, out of [1, 16]
// CHECK-NEXT: {{.*}}ml_rows_to_depth.mlir:12:3: error: 'ml.rows_to_depth' op attribute 'step' is 0, out of [1, 2147483647]
// CHECK-NEXT: {{.*}}ml_rows_to_depth.mlir:13:3: error: 'ml.rows_to_depth' op pads 17 and 0 rows, more than 16
// CHECK-NEXT: {{.*}}ml_rows_to_depth.mlir:14:3: error: 'ml.rows_to_depth' op attribute 'pad' has 2 values, but 4 are expected
// CHECK-NEXT: {{.*}}ml_rows_to_depth.mlir:15:3: error: 'ml.rows_to_depth' op pads with -1, which is not a value of 'ui8'
// CHECK-NEXT: {{.*}}ml_rows_to_depth.mlir:16:3: error: 'ml.rows_to_depth' op pads with 9223372036854775807, which is not a value of 'ui8'
// CHECK-NEXT: {{.*}}ml_rows_to_depth.mlir:17:3: error: 'ml.rows_to_depth' op requires attribute 'value'
// CHECK-NEXT: {{.*}}ml_rows_to_depth.mlir:18:3: error: 'ml.rows_to_depth' op pads with 9223372036854775807, which is not a value of 'i8'
