// Types, shapes and attributes of arith and math ops; one error per line.
// RUN: %opt %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
func.func @arith(%i: i32, %j: i8, %f: f32, %x: index, %v: vector<4xi32>, %w: vector<8xi32>, %t: tensor<4xi32>, %b: i1, %m: memref<4xi32>, %u: ui8) {
  "arith.addi"(%f, %f) : (f32, f32) -> f32
  "arith.addf"(%i, %i) : (i32, i32) -> i32
  "arith.addi"(%u, %u) : (ui8, ui8) -> ui8
  "arith.addi"(%m, %m) : (memref<4xi32>, memref<4xi32>) -> memref<4xi32>
  "arith.addi"(%i, %j) : (i32, i8) -> i32
  "math.fma"(%i, %i, %i) : (i32, i32, i32) -> i32
  "math.ctlz"(%f) : (f32) -> f32
  "arith.constant"() {value = 1 : i32} : () -> i8
  "arith.constant"() {value = dense<1> : tensor<4xi32>} : () -> vector<4xi32>
  "arith.constant"() {value = "text"} : () -> i32
  "arith.constant"() {value = 1 : ui8} : () -> ui8
  "arith.constant"() : () -> i32
  "arith.cmpi"(%i, %j) {predicate = 0 : i64} : (i32, i8) -> i1
  "arith.cmpi"(%i, %i) {predicate = 10 : i64} : (i32, i32) -> i1
  "arith.cmpi"(%i, %i) {predicate = 0 : i32} : (i32, i32) -> i1
  "arith.cmpi"(%v, %v) {predicate = 0 : i64} : (vector<4xi32>, vector<4xi32>) -> i1
  "arith.cmpi"(%f, %f) {predicate = 0 : i64} : (f32, f32) -> i1
  "arith.cmpf"(%f, %f) {predicate = 16 : i64} : (f32, f32) -> i1
  "arith.select"(%b, %i, %j) : (i1, i32, i8) -> i32
  "arith.select"(%i, %i, %i) : (i32, i32, i32) -> i32
  %ok = "arith.select"(%b, %w, %w) : (i1, vector<8xi32>, vector<8xi32>) -> vector<8xi32>
  "arith.extsi"(%i) : (i32) -> i32
  "arith.trunci"(%j) : (i8) -> i32
  "arith.sitofp"(%f) : (f32) -> f32
  "arith.fptosi"(%f) : (f32) -> f32
  "arith.extsi"(%v) : (vector<4xi32>) -> vector<8xi64>
  "arith.extsi"(%v) : (vector<4xi32>) -> tensor<4xi64>
  "arith.index_cast"(%x) : (index) -> index
  "arith.index_cast"(%i) : (i32) -> i64
  "arith.bitcast"(%i) : (i32) -> f64
  "arith.truncf"(%f) : (f32) -> f64
  "arith.extsi"(%u) : (ui8) -> i32
  return
}

// CHECK: {{.*}}arith.mlir:6:3: error: 'arith.addi' op operand #0 must be signless-integer-like, but got 'f32'
// CHECK-NEXT: {{.*}}arith.mlir:7:3: error: 'arith.addf' op operand #0 must be floating-point-like, but got 'i32'
// CHECK-NEXT: {{.*}}arith.mlir:8:3: error: 'arith.addi' op operand #0 must be signless-integer-like, but got 'ui8'
// CHECK-NEXT: {{.*}}arith.mlir:9:3: error: 'arith.addi' op operand #0 must be signless-integer-like, but got 'memref<4xi32>'
// CHECK-NEXT: {{.*}}arith.mlir:10:3: error: 'arith.addi' op requires the same type for all operands and results
// CHECK-NEXT: {{.*}}arith.mlir:11:3: error: 'math.fma' op operand #0 must be floating-point-like, but got 'i32'
// CHECK-NEXT: {{.*}}arith.mlir:12:3: error: 'math.ctlz' op operand #0 must be signless-integer-like, but got 'f32'
// CHECK-NEXT: {{.*}}arith.mlir:13:3: error: 'arith.constant' op failed to verify that all of {value, result} have same type
// CHECK-NEXT: {{.*}}arith.mlir:14:3: error: 'arith.constant' op failed to verify that all of {value, result} have same type
// CHECK-NEXT: {{.*}}arith.mlir:15:3: error: 'arith.constant' op failed to verify that all of {value, result} have same type
// CHECK-NEXT: {{.*}}arith.mlir:16:3: error: 'arith.constant' op integer return type must be signless
// CHECK-NEXT: {{.*}}arith.mlir:17:3: error: 'arith.constant' op requires attribute 'value'
// CHECK-NEXT: {{.*}}arith.mlir:18:3: error: 'arith.cmpi' op requires all operands to have the same type
// CHECK-NEXT: {{.*}}arith.mlir:19:3: error: 'arith.cmpi' op attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: 0 to 9
// CHECK-NEXT: {{.*}}arith.mlir:20:3: error: 'arith.cmpi' op attribute 'predicate' failed to satisfy constraint: 64-bit signless integer attribute
// CHECK-NEXT: {{.*}}arith.mlir:21:3: error: 'arith.cmpi' op failed to verify that result type has i1 element type and same shape as operands
// CHECK-NEXT: {{.*}}arith.mlir:22:3: error: 'arith.cmpi' op operand #0 must be signless-integer-like, but got 'f32'
// CHECK-NEXT: {{.*}}arith.mlir:23:3: error: 'arith.cmpf' op attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: 0 to 15
// CHECK-NEXT: {{.*}}arith.mlir:24:3: error: 'arith.select' op failed to verify that all of {true_value, false_value, result} have same type
// CHECK-NEXT: {{.*}}arith.mlir:25:3: error: 'arith.select' op expected condition type to be i1 or of the result's shape, but got 'i32'
// CHECK-NEXT: {{.*}}arith.mlir:27:3: error: 'arith.extsi' op operand type 'i32' and result type 'i32' are cast incompatible
// CHECK-NEXT: {{.*}}arith.mlir:28:3: error: 'arith.trunci' op operand type 'i8' and result type 'i32' are cast incompatible
// CHECK-NEXT: {{.*}}arith.mlir:29:3: error: 'arith.sitofp' op operand type 'f32' and result type 'f32' are cast incompatible
// CHECK-NEXT: {{.*}}arith.mlir:30:3: error: 'arith.fptosi' op operand type 'f32' and result type 'f32' are cast incompatible
// CHECK-NEXT: {{.*}}arith.mlir:31:3: error: 'arith.extsi' op operand type 'vector<4xi32>' and result type 'vector<8xi64>' are cast incompatible
// CHECK-NEXT: {{.*}}arith.mlir:32:3: error: 'arith.extsi' op operand type 'vector<4xi32>' and result type 'tensor<4xi64>' are cast incompatible
// CHECK-NEXT: {{.*}}arith.mlir:33:3: error: 'arith.index_cast' op operand type 'index' and result type 'index' are cast incompatible
// CHECK-NEXT: {{.*}}arith.mlir:34:3: error: 'arith.index_cast' op operand type 'i32' and result type 'i64' are cast incompatible
// CHECK-NEXT: {{.*}}arith.mlir:35:3: error: 'arith.bitcast' op operand type 'i32' and result type 'f64' are cast incompatible
// CHECK-NEXT: {{.*}}arith.mlir:36:3: error: 'arith.truncf' op operand type 'f32' and result type 'f64' are cast incompatible
// CHECK-NEXT: {{.*}}arith.mlir:37:3: error: 'arith.extsi' op operand type 'ui8' and result type 'i32' are cast incompatible
