// Constraints on tiles and kernel memory; one error per line.
// RUN: %opt %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
func.func @tiles(%m: memref<64xi8>, %w: memref<64xi32>, %x: index, %b: vector<64xi8>, %b2: vector<128xi8>, %s: vector<16xi32>, %s2: vector<32xi32>, %n: vector<8xi32>) {
  %0 = "quern.scratch"() : () -> memref<?xi8>
  %1 = "quern.scratch"() : () -> memref<65537xi8>
  scf.for %i = %x to %x step %x {
    %2 = "quern.scratch"() : () -> memref<4xi8>
  }
  %3 = "quern.tile_load"(%m, %x) {rows = 2, row_stride = 3} : (memref<64xi8>, index) -> vector<6xi8>
  %4 = "quern.tile_load"(%m, %x) {rows = 1, row_stride = 3} : (memref<64xi8>, index) -> vector<68xi8>
  %5 = "quern.tile_load"(%m, %x) {rows = 1, row_stride = 3} : (memref<64xi8>, index) -> vector<16xi32>
  %6 = "quern.tile_load"(%w, %x) {rows = 2, row_stride = 0} : (memref<64xi32>, index) -> vector<16xi32>
  %7 = "quern.tile_load"(%m, %x) {rows = 17, row_stride = 3} : (memref<64xi8>, index) -> vector<68xi8>
  %8 = "quern.tile_dot"(%n, %b, %b) {a_unsigned = true} : (vector<8xi32>, vector<64xi8>, vector<64xi8>) -> vector<8xi32>
  %9 = "quern.tile_dot"(%s, %b, %b) {a_unsigned = true} : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
  %10 = "quern.tile_dot"(%s2, %b, %b2) {a_unsigned = true} : (vector<32xi32>, vector<64xi8>, vector<128xi8>) -> vector<32xi32>
  "quern.tile_store"(%s, %w, %x) {row_stride = 15} : (vector<16xi32>, memref<64xi32>, index) -> ()
  "quern.tile_store"(%s, %m, %x) {row_stride = 16} : (vector<16xi32>, memref<64xi8>, index) -> ()
  "quern.prefetch"(%x, %x) : (index, index) -> ()
  "quern.prefetch"(%m, %s) : (memref<64xi8>, vector<16xi32>) -> ()
  %11 = "quern.opaque"(%s) : (vector<16xi32>) -> index
  return
}

// CHECK: {{.*}}tiles.mlir:6:8: error: 'quern.scratch' op result #0 must be static 1D memref of 1 to 65536 bytes, but got 'memref<?xi8>'
// CHECK: {{.*}}tiles.mlir:7:8: error: 'quern.scratch' op result #0 must be static 1D memref of 1 to 65536 bytes, but got 'memref<65537xi8>'
// CHECK: {{.*}}tiles.mlir:9:10: error: 'quern.scratch' op must be in the block of a function
// CHECK: {{.*}}tiles.mlir:11:8: error: 'quern.tile_load' op takes a 1D memref and an index to rows of 16 i32 or of 4, 8, ... 64 i8
// CHECK: {{.*}}tiles.mlir:12:8: error: 'quern.tile_load' op takes a 1D memref and an index to rows of 16 i32 or of 4, 8, ... 64 i8
// CHECK: {{.*}}tiles.mlir:13:8: error: 'quern.tile_load' op takes a 1D memref and an index to rows of 16 i32 or of 4, 8, ... 64 i8
// CHECK: {{.*}}tiles.mlir:14:8: error: 'quern.tile_load' op takes a 1D memref and an index to rows of 16 i32 or of 4, 8, ... 64 i8
// CHECK: {{.*}}tiles.mlir:15:8: error: 'quern.tile_load' op attribute 'rows' is 17, out of [1, 16]
// CHECK: {{.*}}tiles.mlir:16:8: error: 'quern.tile_dot' op takes rows of 16 i32, as many rows of 4, 8, ... 64 i8, and 16 i8 for each byte of such a row
// CHECK: {{.*}}tiles.mlir:17:8: error: 'quern.tile_dot' op takes rows of 16 i32, as many rows of 4, 8, ... 64 i8, and 16 i8 for each byte of such a row
// CHECK: {{.*}}tiles.mlir:18:9: error: 'quern.tile_dot' op takes rows of 16 i32, as many rows of 4, 8, ... 64 i8, and 16 i8 for each byte of such a row
// CHECK: {{.*}}tiles.mlir:19:3: error: 'quern.tile_store' op takes rows of 16 i32, a 1D memref of i32 and an index, and rows that don't overlap
// CHECK: {{.*}}tiles.mlir:20:3: error: 'quern.tile_store' op takes rows of 16 i32, a 1D memref of i32 and an index, and rows that don't overlap
// CHECK: {{.*}}tiles.mlir:21:3: error: 'quern.prefetch' op takes a 1D memref and an index
// CHECK: {{.*}}tiles.mlir:22:3: error: 'quern.prefetch' op takes a 1D memref and an index
// CHECK: {{.*}}tiles.mlir:23:9: error: 'quern.opaque' op takes an index to an index
