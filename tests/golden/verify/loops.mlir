// Memory, vectors and quern ops of the loops stage; one error per line.
// RUN: %opt %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
func.func @memory(%m: memref<16xi8>, %w: memref<4xi32>, %s: memref<2x2xi8>, %d: memref<?xi8>, %x: index, %i: i8, %v: vector<4xi8>, %t: tensor<4xi8>) {
  %c8 = arith.constant 8 : index
  "memref.load"(%m) : (memref<16xi8>) -> i8
  "memref.load"(%m, %i) : (memref<16xi8>, i8) -> i8
  "memref.load"(%m, %x) : (memref<16xi8>, index) -> i32
  "memref.load"(%t, %x) : (tensor<4xi8>, index) -> i8
  "memref.load"(%s, %x) : (memref<2x2xi8>, index) -> i8
  "memref.store"(%i) : (i8) -> ()
  "memref.store"(%i, %w, %x) : (i8, memref<4xi32>, index) -> ()
  "vector.load"(%m, %x) : (memref<16xi8>, index) -> i8
  "vector.load"(%m, %x) : (memref<16xi8>, index) -> vector<2x2xi8>
  "vector.store"(%v, %w, %x) : (vector<4xi8>, memref<4xi32>, index) -> ()
  "memref.view"(%w, %x) : (memref<4xi32>, index) -> memref<4xi8>
  "memref.view"(%m, %i) : (memref<16xi8>, i8) -> memref<4xi8>
  "memref.view"(%m, %x) : (memref<16xi8>, index) -> memref<?xi8>
  "memref.view"(%m, %x) : (memref<16xi8>, index) -> memref<5xi32>
  "memref.view"(%m, %c8) : (memref<16xi8>, index) -> memref<3xi32>
  "memref.view"(%d, %x) : (memref<?xi8>, index) -> memref<1000000000000xi32>
  "memref.get_global"() {name = @missing} : () -> memref<4xi8>
  "memref.get_global"() {name = @bytes} : () -> memref<5xi8>
  "memref.get_global"() {name = @bytes} : () -> i8
  return
}
"memref.global"() {sym_name = "bytes", type = memref<4xi8>, initial_value = dense<1> : tensor<4xi8>} : () -> ()
"memref.global"() {sym_name = "other_shape", type = memref<4xi8>, initial_value = dense<1> : tensor<5xi8>} : () -> ()
"memref.global"() {sym_name = "other_type", type = memref<4xi8>, initial_value = dense<1> : tensor<4xi32>} : () -> ()
"memref.global"() {sym_name = "dynamic", type = memref<?xi8>} : () -> ()
func.func @vectors(%i: i8, %v: vector<4xi8>, %w: vector<8xi8>, %g: vector<2x2xi8>, %h: vector<4xi16>) {
  "vector.broadcast"(%i) : (i8) -> vector<4xi16>
  "vector.broadcast"(%i) : (i8) -> vector<2x2xi8>
  "vector.bitcast"(%v) : (vector<4xi8>) -> vector<4xi16>
  "vector.bitcast"(%g) : (vector<2x2xi8>) -> vector<1xi32>
  "vector.shuffle"(%v, %h) {mask = array<i64: 0>} : (vector<4xi8>, vector<4xi16>) -> vector<1xi8>
  "vector.shuffle"(%v, %w) {mask = array<i64: 0, 12>} : (vector<4xi8>, vector<8xi8>) -> vector<2xi8>
  "vector.shuffle"(%v, %w) {mask = array<i64: 0, -1>} : (vector<4xi8>, vector<8xi8>) -> vector<2xi8>
  "vector.shuffle"(%v, %w) {mask = array<i64: 0>} : (vector<4xi8>, vector<8xi8>) -> vector<2xi8>
  "vector.extract"(%v) {static_position = array<i64: 4>} : (vector<4xi8>) -> i8
  "vector.extract"(%v) {static_position = array<i64: 3>} : (vector<4xi8>) -> i16
  "vector.reduction"(%v) {kind = #vector.kind<xor>} : (vector<4xi8>) -> i8
  "vector.reduction"(%v) {kind = #vector.kind<add>} : (vector<4xi8>) -> i32
  return
}
func.func @quern(%m: memref<16xi8>, %t: memref<256xi8>, %x: index, %b: vector<16xi8>, %h: vector<8xi16>, %s: vector<4xi32>, %f: vector<4xf32>, %n: vector<4xi16>) {
  "quern.launch"() {kernel = @kernel} : () -> ()
  "quern.launch"(%x, %x) {kernel = @kernel} : (index, index) -> ()
  "quern.launch"(%m, %m, %x) {kernel = @kernel} : (memref<16xi8>, memref<16xi8>, index) -> ()
  "quern.launch"(%t, %x) {kernel = @kernel} : (memref<256xi8>, index) -> ()
  "quern.dot"(%s, %b, %h) {a_unsigned = true} : (vector<4xi32>, vector<16xi8>, vector<8xi16>) -> vector<4xi32>
  "quern.dot"(%h, %b, %b) {a_unsigned = true} : (vector<8xi16>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  "quern.madd_u8s8"(%b, %b) : (vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  "quern.madd_s16"(%h, %h) : (vector<8xi16>, vector<8xi16>) -> vector<8xi32>
  "quern.pack"(%h, %b) {to_unsigned = true} : (vector<8xi16>, vector<16xi8>) -> vector<16xi8>
  "quern.pack"(%n, %n) {to_unsigned = true} : (vector<4xi16>, vector<4xi16>) -> vector<8xi8>
  "quern.pack"(%h, %h) {to_unsigned = false} : (vector<8xi16>, vector<8xi16>) -> vector<8xi8>
  "quern.pack"(%h, %h) : (vector<8xi16>, vector<8xi16>) -> vector<16xi8>
  "quern.round_to_int"(%s) : (vector<4xi32>) -> vector<4xi32>
  "quern.round_to_int"(%f) : (vector<4xf32>) -> vector<4xi16>
  "quern.lookup"(%m, %b) : (memref<16xi8>, vector<16xi8>) -> vector<16xi8>
  "quern.lookup"(%t, %h) : (memref<256xi8>, vector<8xi16>) -> vector<8xi16>
  "quern.shuffle"(%h, %h) : (vector<8xi16>, vector<8xi16>) -> vector<8xi16>
  "quern.rescale"(%h, %h, %h) : (vector<8xi16>, vector<8xi16>, vector<8xi16>) -> vector<8xi16>
  "quern.widen_half"(%h) : (vector<8xi16>) -> vector<4xf32>
  return
}
func.func private @kernel(%m: memref<16xi8>, %lo: index, %hi: index) {
  return
}

// CHECK: {{.*}}loops.mlir:7:3: error: 'memref.load' op incorrect number of indices, expected 1 but got 0
// CHECK-NEXT: {{.*}}loops.mlir:8:3: error: 'memref.load' op operand #1 must be index, but got 'i8'
// CHECK-NEXT: {{.*}}loops.mlir:9:3: error: 'memref.load' op moves 'i32' to or from a memref of 'i8'
// CHECK-NEXT: {{.*}}loops.mlir:10:3: error: 'memref.load' op operand #0 must be ranked memref, but got 'tensor<4xi8>'
// CHECK-NEXT: {{.*}}loops.mlir:11:3: error: 'memref.load' op incorrect number of indices, expected 2 but got 1
// CHECK-NEXT: {{.*}}loops.mlir:12:3: error: 'memref.store' op expected 2 or more operands, but found 1
// CHECK-NEXT: {{.*}}loops.mlir:13:3: error: 'memref.store' op moves 'i8' to or from a memref of 'i32'
// CHECK-NEXT: {{.*}}loops.mlir:14:3: error: 'vector.load' op moves 'i8', not a vector of one dimension
// CHECK-NEXT: {{.*}}loops.mlir:15:3: error: 'vector.load' op moves 'vector<2x2xi8>', not a vector of one dimension
// CHECK-NEXT: {{.*}}loops.mlir:16:3: error: 'vector.store' op moves 'vector<4xi8>' to or from a memref of 'i32'
// CHECK-NEXT: {{.*}}loops.mlir:17:3: error: 'memref.view' op operand #0 must be 1D memref of 8-bit signless integer, but got 'memref<4xi32>'
// CHECK-NEXT: {{.*}}loops.mlir:18:3: error: 'memref.view' op operand #1 must be index, but got 'i8'
// CHECK-NEXT: {{.*}}loops.mlir:19:3: error: 'memref.view' op result #0 must be static 1D memref, but got 'memref<?xi8>'
// CHECK-NEXT: {{.*}}loops.mlir:20:3: error: 'memref.view' op views bytes outside of its source
// CHECK-NEXT: {{.*}}loops.mlir:21:3: error: 'memref.view' op views bytes outside of its source
// CHECK-NEXT: {{.*}}loops.mlir:22:3: error: 'memref.view' op result #0 has more than 2147483647 bytes
// CHECK-NEXT: {{.*}}loops.mlir:25:3: error: 'memref.get_global' op result #0 must be memref, but got 'i8'
// CHECK-NEXT: {{.*}}loops.mlir:29:1: error: 'memref.global' op initial value should be a unit or elements attribute of the shape and element type of the memref
// CHECK-NEXT: {{.*}}loops.mlir:30:1: error: 'memref.global' op initial value should be a unit or elements attribute of the shape and element type of the memref
// CHECK-NEXT: {{.*}}loops.mlir:31:1: error: 'memref.global' op type should be static shaped memref, but got 'memref<?xi8>'
// CHECK-NEXT: {{.*}}loops.mlir:33:3: error: 'vector.broadcast' op source 'i8' is not the element type of 'vector<4xi16>'
// CHECK-NEXT: {{.*}}loops.mlir:34:3: error: 'vector.broadcast' op result #0 must be a vector of one dimension, but got 'vector<2x2xi8>'
// CHECK-NEXT: {{.*}}loops.mlir:35:3: error: 'vector.bitcast' op source/result bitwidth of the minor 1-D vectors must be equal
// CHECK-NEXT: {{.*}}loops.mlir:36:3: error: 'vector.bitcast' op operand #0 must be a vector of one dimension, but got 'vector<2x2xi8>'
// CHECK-NEXT: {{.*}}loops.mlir:37:3: error: 'vector.shuffle' op requires one element type for operands and result
// CHECK-NEXT: {{.*}}loops.mlir:38:3: error: 'vector.shuffle' op mask index #2 out of range
// CHECK-NEXT: {{.*}}loops.mlir:39:3: error: 'vector.shuffle' op mask index #2 out of range
// CHECK-NEXT: {{.*}}loops.mlir:40:3: error: 'vector.shuffle' op mask length 1 does not match the result's 2
// CHECK-NEXT: {{.*}}loops.mlir:41:3: error: 'vector.extract' op expected one position in the vector
// CHECK-NEXT: {{.*}}loops.mlir:42:3: error: 'vector.extract' op result #0 must be 'i8', but got 'i16'
// CHECK-NEXT: {{.*}}loops.mlir:43:3: error: 'vector.reduction' op kind must be #vector.kind<add, maxsi, maxui, minsi or minui>
// CHECK-NEXT: {{.*}}loops.mlir:44:3: error: 'vector.reduction' op reduces 'vector<4xi8>' to 'i32', but takes integers to their own type
// CHECK-NEXT: {{.*}}loops.mlir:48:3: error: 'quern.launch' op requires the count as last operand
// CHECK-NEXT: {{.*}}loops.mlir:49:3: error: 'quern.launch' op operand #0 must be memref, but got 'index'
// CHECK-NEXT: {{.*}}loops.mlir:52:3: error: 'quern.dot' op takes an accumulator of i32 like the result, and two vectors of i8 or i16 with as many elements for each of its lanes
// CHECK-NEXT: {{.*}}loops.mlir:53:3: error: 'quern.dot' op takes an accumulator of i32 like the result, and two vectors of i8 or i16 with as many elements for each of its lanes
// CHECK-NEXT: {{.*}}loops.mlir:54:3: error: 'quern.madd_u8s8' op takes vectors of 2 i8 per lane of a vector of i16
// CHECK-NEXT: {{.*}}loops.mlir:55:3: error: 'quern.madd_s16' op takes vectors of 2 i16 per lane of a vector of i32
// CHECK-NEXT: {{.*}}loops.mlir:56:3: error: 'quern.pack' op requires all operands to have the same type
// CHECK-NEXT: {{.*}}loops.mlir:57:3: error: 'quern.pack' op takes two vectors of i16 or i32, a multiple of 128 bits, to twice the elements of half the width
// CHECK-NEXT: {{.*}}loops.mlir:58:3: error: 'quern.pack' op takes two vectors of i16 or i32, a multiple of 128 bits, to twice the elements of half the width
// CHECK-NEXT: {{.*}}loops.mlir:59:3: error: 'quern.pack' op requires attribute 'to_unsigned'
// CHECK-NEXT: {{.*}}loops.mlir:60:3: error: 'quern.round_to_int' op takes f32 to i32 in the same shape, but got 'vector<4xi32>' to 'vector<4xi32>'
// CHECK-NEXT: {{.*}}loops.mlir:61:3: error: 'quern.round_to_int' op takes f32 to i32 in the same shape, but got 'vector<4xf32>' to 'vector<4xi16>'
// CHECK-NEXT: {{.*}}loops.mlir:62:3: error: 'quern.lookup' op takes memref<256xi8> and a vector of i8 to a vector of its type
// CHECK-NEXT: {{.*}}loops.mlir:63:3: error: 'quern.lookup' op takes memref<256xi8> and a vector of i8 to a vector of its type
// CHECK-NEXT: {{.*}}loops.mlir:64:3: error: 'quern.shuffle' op takes two vectors of a multiple of 16 i8 to a vector of their type
// CHECK-NEXT: {{.*}}loops.mlir:65:3: error: 'quern.rescale' op takes and returns vectors of i32 of one shape
// CHECK-NEXT: {{.*}}loops.mlir:66:3: error: 'quern.widen_half' op takes a vector of i16 to f32 in the same shape, but got 'vector<8xi16>' to 'vector<4xf32>'
// CHECK-NEXT: {{.*}}loops.mlir:23:3: error: 'memref.get_global' op 'missing' does not reference a valid global memref
// CHECK-NEXT: {{.*}}loops.mlir:24:3: error: 'memref.get_global' op result type 'memref<5xi8>' does not match type 'memref<4xi8>' of the global memref @bytes
// CHECK-NEXT: {{.*}}loops.mlir:50:3: error: 'quern.launch' op passes 2 buffers to a kernel of 3 parameters
// CHECK-NEXT: {{.*}}loops.mlir:51:3: error: 'quern.launch' op passes 'memref<256xi8>' as parameter 0, which is 'memref<16xi8>'
