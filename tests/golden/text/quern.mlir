// Ops of the quern dialect, which upstream has no ops for: kernels, dot products, lookups.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
func.func private @kernel(%in: memref<64xi8>, %out: memref<64xi8>, %from: index, %to: index) {
  %step = arith.constant 16 : index
  scf.for %i = %from to %to step %step {
    %x = vector.load %in[%i] : memref<64xi8>, vector<16xi8>
    vector.store %x, %out[%i] : memref<64xi8>, vector<16xi8>
  }
  return
}
func.func @main(%in: memref<64xi8>, %out: memref<64xi8>, %table: memref<256xi8>, %i: index, %f: vector<4xf32>) {
  %count = arith.constant 64 : index
  "quern.launch"(%in, %out, %count) {kernel = @kernel} : (memref<64xi8>, memref<64xi8>, index) -> ()
  %a = vector.load %in[%i] : memref<64xi8>, vector<16xi8>
  %acc = arith.constant dense<0> : vector<4xi32>
  %0 = "quern.dot"(%acc, %a, %a) {a_unsigned = true} : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  %1 = "quern.madd_u8s8"(%a, %a) : (vector<16xi8>, vector<16xi8>) -> vector<8xi16>
  %2 = "quern.madd_s16"(%1, %1) : (vector<8xi16>, vector<8xi16>) -> vector<4xi32>
  %3 = "quern.pack"(%0, %2) {to_unsigned = false} : (vector<4xi32>, vector<4xi32>) -> vector<8xi16>
  %4 = "quern.round_to_int"(%f) : (vector<4xf32>) -> vector<4xi32>
  %5 = "quern.lookup"(%table, %a) : (memref<256xi8>, vector<16xi8>) -> vector<16xi8>
  %6 = quern.scratch : () -> memref<64xi32>
  %7 = "quern.tile_load"(%table, %i) {rows = 2, row_stride = 8} : (memref<256xi8>, index) -> vector<8xi8>
  %8 = "quern.tile_load"(%table, %i) {row_stride = 64, rows = 1} : (memref<256xi8>, index) -> vector<64xi8>
  %sums = arith.constant dense<0> : vector<32xi32>
  %9 = "quern.tile_dot"(%sums, %7, %8) {a_unsigned = false} : (vector<32xi32>, vector<8xi8>, vector<64xi8>) -> vector<32xi32>
  "quern.tile_store"(%9, %6, %i) {row_stride = 16} : (vector<32xi32>, memref<64xi32>, index) -> ()
  quern.prefetch %table, %i : (memref<256xi8>, index) -> ()
  quern.boundary : () -> ()
  %10 = "quern.shuffle"(%a, %5) : (vector<16xi8>, vector<16xi8>) -> vector<16xi8>
  %11 = "quern.dot_blocks"(%0, %a, %5) {a_unsigned = false} : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  %12 = "quern.reload"(%6, %i) : (memref<64xi32>, index) -> vector<4xi32>
  %13 = "quern.rescale"(%0, %12, %12) : (vector<4xi32>, vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  %14 = "quern.dot_joined"(%0, %a, %5) {a_unsigned = true} : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  %16 = "quern.opaque"(%i) : (index) -> index
  %15 = "quern.widen_half"(%1) : (vector<8xi16>) -> vector<8xf32>
  return
}

// CHECK:module {
// CHECK-NEXT:  func.func private @kernel(%arg0: memref<64xi8>, %arg1: memref<64xi8>, %arg2: index, %arg3: index) {
// CHECK-NEXT:    %c16 = arith.constant 16 : index
// CHECK-NEXT:    scf.for %arg4 = %arg2 to %arg3 step %c16 {
// CHECK-NEXT:      %0 = vector.load %arg0[%arg4] : memref<64xi8>, vector<16xi8>
// CHECK-NEXT:      vector.store %0, %arg1[%arg4] : memref<64xi8>, vector<16xi8>
// CHECK-NEXT:    }
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @main(%arg0: memref<64xi8>, %arg1: memref<64xi8>, %arg2: memref<256xi8>, %arg3: index, %arg4: vector<4xf32>) {
// CHECK-NEXT:    %c64 = arith.constant 64 : index
// CHECK-NEXT:    "quern.launch"(%arg0, %arg1, %c64) {kernel = @kernel} : (memref<64xi8>, memref<64xi8>, index) -> ()
// CHECK-NEXT:    %0 = vector.load %arg0[%arg3] : memref<64xi8>, vector<16xi8>
// CHECK-NEXT:    %cst = arith.constant dense<0> : vector<4xi32>
// CHECK-NEXT:    %1 = "quern.dot"(%cst, %0, %0) {a_unsigned = true} : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
// CHECK-NEXT:    %2 = "quern.madd_u8s8"(%0, %0) : (vector<16xi8>, vector<16xi8>) -> vector<8xi16>
// CHECK-NEXT:    %3 = "quern.madd_s16"(%2, %2) : (vector<8xi16>, vector<8xi16>) -> vector<4xi32>
// CHECK-NEXT:    %4 = "quern.pack"(%1, %3) {to_unsigned = false} : (vector<4xi32>, vector<4xi32>) -> vector<8xi16>
// CHECK-NEXT:    %5 = "quern.round_to_int"(%arg4) : (vector<4xf32>) -> vector<4xi32>
// CHECK-NEXT:    %6 = "quern.lookup"(%arg2, %0) : (memref<256xi8>, vector<16xi8>) -> vector<16xi8>
// CHECK-NEXT:    %7 = "quern.scratch"() : () -> memref<64xi32>
// CHECK-NEXT:    %8 = "quern.tile_load"(%arg2, %arg3) {row_stride = 8 : i64, rows = 2 : i64} : (memref<256xi8>, index) -> vector<8xi8>
// CHECK-NEXT:    %9 = "quern.tile_load"(%arg2, %arg3) {row_stride = 64 : i64, rows = 1 : i64} : (memref<256xi8>, index) -> vector<64xi8>
// CHECK-NEXT:    %cst_0 = arith.constant dense<0> : vector<32xi32>
// CHECK-NEXT:    %10 = "quern.tile_dot"(%cst_0, %8, %9) {a_unsigned = false} : (vector<32xi32>, vector<8xi8>, vector<64xi8>) -> vector<32xi32>
// CHECK-NEXT:    "quern.tile_store"(%10, %7, %arg3) {row_stride = 16 : i64} : (vector<32xi32>, memref<64xi32>, index) -> ()
// CHECK-NEXT:    "quern.prefetch"(%arg2, %arg3) : (memref<256xi8>, index) -> ()
// CHECK-NEXT:    "quern.boundary"() : () -> ()
// CHECK-NEXT:    %11 = "quern.shuffle"(%0, %6) : (vector<16xi8>, vector<16xi8>) -> vector<16xi8>
// CHECK-NEXT:    %12 = "quern.dot_blocks"(%1, %0, %6) {a_unsigned = false} : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
// CHECK-NEXT:    %13 = "quern.reload"(%7, %arg3) : (memref<64xi32>, index) -> vector<4xi32>
// CHECK-NEXT:    %14 = "quern.rescale"(%1, %13, %13) : (vector<4xi32>, vector<4xi32>, vector<4xi32>) -> vector<4xi32>
// CHECK-NEXT:    %15 = "quern.dot_joined"(%1, %0, %6) {a_unsigned = true} : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
// CHECK-NEXT:    %16 = "quern.opaque"(%arg3) : (index) -> index
// CHECK-NEXT:    %17 = "quern.widen_half"(%2) : (vector<8xi16>) -> vector<8xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}
