// Syntax errors: every error is reported in one run, at its line and column, without errors that only
// follow from another.
// RUN: %opt --allow-unregistered-dialect %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: quern opt --allow-unregistered-dialect %s 2>/dev/null; test $? = 3
// MLIR-OPT: none
func.func @names(%a: i32, %a: i32) {
  return
}
func.func @values(%a: i32) -> i32 {
  %0 = arith.addi %a, %missing : i32
  %1 = arith.addi %a, %a : f32
  %2 = arith.addi %1, %a : i32
  %a = arith.addi %a, %a : i32
  %3:2 = arith.addi %a, %a : i32
  %4 = arith.addi %3#1, %a : i32
  %5 = "arith.addi"(%a, %a) : (i32) -> i32
  "t.use"(%later) : (i8) -> ()
  %later = arith.addi %a, %a : i32
  return %a#1 : i32
}
func.func @tokens() {
  %0 = arith.constant $ : i32
  %1 = arith.constant "x
  %2 = arith.constant 300 : i8
  %3 = arith.constant 1 : f32
  arith.addi %0 %0 : i32
  arith.addq %0, %0 : i32
  t.custom
  "ml.relu" : () -> ()
  shape.split_at
  ) ] }
}
func.func @more(%a: i32) {
  "t.br"(%a)[^nowhere] : (i32) -> ()
^here:
  "t.x"() : () -> ()
^here:
  return
}
!a = i32
!a = i8
!b = !unknown
!c.d = i8
#m = affine_map<(d0) -> (d1)>
"t.attributes"() {a = 1, a = 2} : () -> ()
"t.attributes"() {a = dense<[1, 2]> : tensor<3xi8>} : () -> ()
"t.attributes"() {a = dense<[1, [2]]> : tensor<2xi8>} : () -> ()
"t.attributes"() {a = dense<[1, 2.0]> : tensor<2xi8>} : () -> ()
"t.attributes"() {a = dense<[1, 2]> : tensor<2xf32>} : () -> ()
"t.attributes"() {a = dense<"0x12"> : tensor<2xf32>} : () -> ()
"t.attributes"() {a = dense<1> : tensor<?xi8>} : () -> ()
"t.attributes"() {a = dense<1> : tensor<2x!quant.any<i8>>} : () -> ()
"t.attributes"() {a = dense_resource<none> : tensor<2xi8>} : () -> ()
"t.attributes"() {a = #nothing, b = "a\z"} : () -> ()
"t.attributes"() {a = 99999999999999999999, b = tensor<4x} : () -> ()
"t.attributes"() {a = memref<4x!quant.any<i8>>} : () -> ()
"t.attributes"() {a = vector<4x!quant.any<i8>>} : () -> ()
"t.attributes"() {a = tensor<4xmemref<i8>>} : () -> ()
"t.attributes"() {a = !d.x<[1>} : () -> ()
"t.good"() : () -> ()
"t.end"() ({

// CHECK: {{.*}}errors.mlir:6:27: error: redefinition of SSA value '%a'
// CHECK-NEXT: {{.*}}errors.mlir:6:18: note: previously defined here
// CHECK-NEXT: {{.*}}errors.mlir:11:19: error: use of value '%a' expects different type than prior uses: 'f32' vs 'i32'
// CHECK-NEXT: {{.*}}errors.mlir:9:19: note: prior use here
// CHECK-NEXT: {{.*}}errors.mlir:13:3: error: redefinition of SSA value '%a'
// CHECK-NEXT: {{.*}}errors.mlir:9:19: note: previously defined here
// CHECK-NEXT: {{.*}}errors.mlir:14:10: error: operation defines 1 results but was provided 2 to bind
// CHECK-NEXT: {{.*}}errors.mlir:16:31: error: expected 2 operand types but had 1
// CHECK-NEXT: {{.*}}errors.mlir:18:3: error: definition of SSA value '%later' has type 'i32'
// CHECK-NEXT: {{.*}}errors.mlir:17:11: note: previously used here with type 'i8'
// CHECK-NEXT: {{.*}}errors.mlir:19:10: error: reference to invalid result number
// CHECK-NEXT: {{.*}}errors.mlir:10:23: error: use of undeclared SSA value name
// CHECK-NEXT: {{.*}}errors.mlir:22:23: error: unexpected character
// CHECK-NEXT: {{.*}}errors.mlir:23:23: error: expected '"' in string literal
// CHECK-NEXT: {{.*}}errors.mlir:24:23: error: integer constant out of range for attribute
// CHECK-NEXT: {{.*}}errors.mlir:25:23: error: unexpected decimal integer literal for a floating point value
// CHECK-NEXT: {{.*}}errors.mlir:25:23: note: add a trailing dot to make the literal a float
// CHECK-NEXT: {{.*}}errors.mlir:26:16: error: expected ','
// CHECK-NEXT: {{.*}}errors.mlir:27:3: error: custom op 'arith.addq' is unknown
// CHECK-NEXT: {{.*}}errors.mlir:28:3: error: custom op 't.custom' is unknown
// CHECK-NEXT: {{.*}}errors.mlir:29:12: error: expected '('
// CHECK-NEXT: {{.*}}errors.mlir:30:3: error: op 'shape.split_at' has no custom form: write "shape.split_at"(...)
// CHECK-NEXT: {{.*}}errors.mlir:31:8: error: expected operation name in quotes
// CHECK-NEXT: {{.*}}errors.mlir:37:1: error: redefinition of block '^here'
// CHECK-NEXT: {{.*}}errors.mlir:35:1: note: previously defined here
// CHECK-NEXT: {{.*}}errors.mlir:34:14: error: reference to an undefined block
// CHECK-NEXT: {{.*}}errors.mlir:41:1: error: redefinition of type alias id 'a'
// CHECK-NEXT: {{.*}}errors.mlir:42:6: error: undefined symbol alias id 'unknown'
// CHECK-NEXT: {{.*}}errors.mlir:43:1: error: type names with a '.' are reserved for dialect-defined names
// CHECK-NEXT: {{.*}}errors.mlir:44:26: error: use of undeclared identifier
// CHECK-NEXT: {{.*}}errors.mlir:45:26: error: duplicate key 'a' in dictionary attribute
// CHECK-NEXT: {{.*}}errors.mlir:46:23: error: inferred shape of elements literal ([2]) does not match type ([3])
// CHECK-NEXT: {{.*}}errors.mlir:47:33: error: tensor literal is invalid; ranks are not consistent between elements
// CHECK-NEXT: {{.*}}errors.mlir:48:33: error: expected integer elements, but parsed floating-point
// CHECK-NEXT: {{.*}}errors.mlir:49:30: error: unexpected decimal integer literal for a floating point value
// CHECK-NEXT: {{.*}}errors.mlir:49:30: note: add a trailing dot to make the literal a float
// CHECK-NEXT: {{.*}}errors.mlir:50:23: error: elements hex data size is invalid for provided type: 'tensor<2xf32>'
// CHECK-NEXT: {{.*}}errors.mlir:51:23: error: elements literal type must have static shape
// CHECK-NEXT: {{.*}}errors.mlir:52:23: error: dense elements of type '!quant.any<i8>' are not supported
// CHECK-NEXT: {{.*}}errors.mlir:53:23: error: resource 'none' is not in the file's resource section
// CHECK-NEXT: {{.*}}errors.mlir:54:23: error: undefined symbol alias id 'nothing'
// CHECK-NEXT: {{.*}}errors.mlir:55:23: error: integer constant out of range for attribute
// CHECK-NEXT: {{.*}}errors.mlir:56:32: error: invalid memref element type
// CHECK-NEXT: {{.*}}errors.mlir:57:32: error: failed to verify 'elementType': VectorElementTypeInterface instance
// CHECK-NEXT: {{.*}}errors.mlir:58:32: error: invalid tensor element type: 'memref<i8>'
// CHECK-NEXT: {{.*}}errors.mlir:59:27: error: unbalanced '[' character in pretty dialect name
// CHECK-NEXT: {{.*}}errors.mlir:{{[0-9]+}}:13: error: expected '}'
