// Tensors, shapes, branches and functions as values.
// RUN: %opt %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
func.func @f0(%a: tensor<f32>, %i: index) { %d = "tensor.dim"(%a, %i) : (tensor<f32>, index) -> index  return }
func.func @f1(%a: tensor<4xf32>, %i: i32) { %d = "tensor.dim"(%a, %i) : (tensor<4xf32>, i32) -> index  return }
func.func @f2(%a: tensor<4xf32>, %i: index) { %d = "tensor.dim"(%a, %i) : (tensor<4xf32>, index) -> i32  return }
func.func @f3(%a: i32, %i: index) { %d = "tensor.rank"(%a) : (i32) -> index  return }
func.func @f4(%a: i32, %i: index) { %d = "tensor.splat"(%a) : (i32) -> tensor<?xi32>  return }
func.func @f5(%a: i32, %i: index) { %d = "tensor.splat"(%a) : (i32) -> tensor<4xf32>  return }
func.func @f6(%a: i32, %i: index) { %d = "tensor.splat"(%a) : (i32) -> tensor<*xi32>  return }
func.func @f7(%a: tensor<4xi32>, %i: index) { %d = "tensor.splat"(%a) : (tensor<4xi32>) -> tensor<4xi32>  return }
func.func @f8(%a: i32, %i: index) { %d = "tensor.splat"() : () -> tensor<4xi32>  return }
func.func @f9(%a: i32, %i: index) { %d = "tensor.splat"(%a, %a) : (i32, i32) -> tensor<?xi32>  return }
func.func @f10(%a: i32, %i: index) { %d = "tensor.empty"() : () -> tensor<?xi32>  return }
func.func @f11(%a: i32, %i: index) { %d = "tensor.empty"() : () -> tensor<*xi32>  return }
func.func @f12(%a: i32, %i: index) { %d = "tensor.from_elements"(%a) : (i32) -> tensor<2xi32>  return }
func.func @f13(%a: i32, %i: index) { %d = "tensor.from_elements"(%a) : (i32) -> tensor<1xf32>  return }
func.func @f14(%a: i32, %i: index) { %d = "tensor.from_elements"(%a) : (i32) -> tensor<?xi32>  return }
func.func @f15(%a: tensor<*xf32>, %i: tensor<?xindex>) { %d = "tensor.reshape"(%a, %i) : (tensor<*xf32>, tensor<?xindex>) -> tensor<?xf32>  return }
func.func @f16(%a: tensor<*xf32>, %i: tensor<2xindex>) { %d = "tensor.reshape"(%a, %i) : (tensor<*xf32>, tensor<2xindex>) -> tensor<?xf32>  return }
func.func @f17(%a: tensor<*xf32>, %i: tensor<2xindex>) { %d = "tensor.reshape"(%a, %i) : (tensor<*xf32>, tensor<2xindex>) -> tensor<?x?xi32>  return }
func.func @f18(%a: tensor<4xf32>, %i: tensor<1xindex>) { %d = "tensor.reshape"(%a, %i) : (tensor<4xf32>, tensor<1xindex>) -> tensor<3xf32>  return }
func.func @f19(%a: tensor<4xf32>, %i: tensor<1xf32>) { %d = "tensor.reshape"(%a, %i) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>  return }
func.func @f20(%a: tensor<4xf32>, %i: tensor<1x1xindex>) { %d = "tensor.reshape"(%a, %i) : (tensor<4xf32>, tensor<1x1xindex>) -> tensor<4xf32>  return }
func.func @f21(%a: tensor<4xf32>) { %d = "tensor.cast"(%a) : (tensor<4xf32>) -> tensor<3xf32>  return }
func.func @f22(%a: tensor<4xf32>) { %d = "tensor.cast"(%a) : (tensor<4xf32>) -> tensor<?x?xf32>  return }
func.func @f23(%a: tensor<4xf32>, %i: index) { %d = "tensor.extract"(%a) : (tensor<4xf32>) -> f32  return }
func.func @f24(%a: tensor<4xf32>, %i: index) { %d = "tensor.extract"(%a, %i) : (tensor<4xf32>, index) -> i32  return }
func.func @f25(%a: tensor<*xf32>, %i: index) { %d = "tensor.extract"(%a, %i) : (tensor<*xf32>, index) -> f32  return }
func.func @f26(%a: i32, %i: index) { %d = "shape.shape_of"(%a) : (i32) -> tensor<?xindex>  return }
func.func @f27(%a: tensor<4xi32>, %i: index) { %d = "shape.shape_of"(%a) : (tensor<4xi32>) -> i32  return }
func.func @f28(%a: tensor<4xi32>, %i: index) { %d = "shape.shape_of"(%a) : (tensor<4xi32>) -> tensor<2xindex>  return }
func.func @f29(%a: tensor<4xi32>, %i: index) { %d = "shape.num_elements"(%a) : (tensor<4xi32>) -> index  return }
func.func @f30(%a: tensor<4xindex>, %i: index) { %d = "shape.num_elements"(%a) : (tensor<4xindex>) -> i32  return }
func.func @f31(%a: tensor<4xindex>, %i: i32) { %d:2 = "shape.split_at"(%a, %i) : (tensor<4xindex>, i32) -> (tensor<?xindex>, tensor<?xindex>)  return }
func.func @f32(%a: tensor<4xindex>, %i: index) { %d:2 = "shape.split_at"(%a, %i) : (tensor<4xindex>, index) -> (tensor<?xi32>, tensor<?xindex>)  return }
func.func @f33(%a: tensor<4xindex>, %i: index) { %d = "shape.const_shape"() {shape = dense<[1,2]>: tensor<2xi32>} : () -> (tensor<2xindex>)  return }
func.func @f34(%a: tensor<4xindex>, %i: index) { %d = "shape.const_shape"() {shape = dense<[1,2]>: tensor<2xindex>} : () -> (tensor<3xindex>)  return }
func.func @f35(%a: i32, %i: index) { "cf.br"(%a)[^b] : (i32) -> ()
^b: return }
func.func @f36(%a: i32, %i: index) { "cf.br"(%a)[^b] : (i32) -> ()
^b(%x : f32): return }
func.func @f37(%a: i32, %i: index) { "cf.br"(%a) : (i32) -> ()
^b(%x : f32): return }
func.func @f38(%a: i32, %i: index) { "cf.cond_br"(%a)[^b, ^b] {operandSegmentSizes = array<i32: 1,0,0>} : (i32) -> ()
^b: return }
func.func @f39(%a: i32, %i: index) { "cf.cond_br"(%a)[^b, ^b] {operandSegmentSizes = array<i32: 1,0,2>} : (i32) -> ()
^b: return }
func.func @f40(%a: i32, %i: index) { "cf.cond_br"(%a)[^b, ^b] {operandSegmentSizes = array<i32: 1,0>} : (i32) -> ()
^b: return }
func.func @f41(%a: i32, %i: index) { "cf.assert"(%a) {msg = "x"} : (i32) -> ()
 return }
func.func @f42(%a: i32, %i: (i32) -> i32) { "func.call_indirect"(%i, %i) : ((i32) -> i32, (i32) -> i32) -> (i32)
 return }
func.func @f43(%a: i32, %i: (i32) -> i32) { "func.call_indirect"(%a, %i) : (i32, (i32) -> i32) -> (i32)
 return }
func.func @f44(%a: i32, %i: (i32) -> i32) { "func.call_indirect"(%i) : ((i32) -> i32) -> (i32)
 return }
func.func @f45(%a: i32, %i: (i32) -> i32) { "func.call_indirect"(%i, %a) : ((i32) -> i32, i32) -> (f32)
 return }
func.func @f46(%a: i32, %i: (i32) -> i32) { "func.call_indirect"() : () -> (f32)
 return }
func.func @f47(%a: i32, %i: (i32) -> i32) { func.constant @nix : (i32) -> i32
 return }
func.func @f48(%a: i32, %i: (i32) -> i32) { func.constant @f0 : (i32) -> i32
 return }
func.func @f49(%a: i32, %i: (i32) -> i32) { "linalg.index"() {dim = 0 : i64} : () -> index
 return }
// CHECK: {{.*}}dynamic.mlir:5:50: error: 'tensor.dim' op operand #0 must be non-0-ranked or unranked tensor, but got 'tensor<f32>'
// CHECK-NEXT: {{.*}}dynamic.mlir:6:50: error: 'tensor.dim' op operand #1 must be index, but got 'i32'
// CHECK-NEXT: {{.*}}dynamic.mlir:7:52: error: 'tensor.dim' op result #0 must be index, but got 'i32'
// CHECK-NEXT: {{.*}}dynamic.mlir:8:42: error: 'tensor.rank' op operand #0 must be tensor of any type values, but got 'i32'
// CHECK-NEXT: {{.*}}dynamic.mlir:9:42: error: 'tensor.splat' op incorrect number of dynamic sizes, has 0, expected 1
// CHECK-NEXT: {{.*}}dynamic.mlir:10:42: error: 'tensor.splat' op failed to verify that operand type matches element type of result
// CHECK-NEXT: {{.*}}dynamic.mlir:11:42: error: 'tensor.splat' op result #0 must be ranked tensor of any type values, but got 'tensor<*xi32>'
// CHECK-NEXT: {{.*}}dynamic.mlir:12:52: error: 'tensor.splat' op failed to verify that operand type matches element type of result
// CHECK-NEXT: {{.*}}dynamic.mlir:13:42: error: 'tensor.splat' op expected 1 or more operands, but found 0
// CHECK-NEXT: {{.*}}dynamic.mlir:14:42: error: 'tensor.splat' op operand #1 must be variadic of index, but got 'i32'
// CHECK-NEXT: {{.*}}dynamic.mlir:15:43: error: 'tensor.empty' op incorrect number of dynamic sizes, has 0, expected 1
// CHECK-NEXT: {{.*}}dynamic.mlir:16:43: error: 'tensor.empty' op result #0 must be ranked tensor of any type values, but got 'tensor<*xi32>'
// CHECK-NEXT: {{.*}}dynamic.mlir:17:43: error: 'tensor.from_elements' op failed to verify that operand types match result element type
// CHECK-NEXT: {{.*}}dynamic.mlir:18:43: error: 'tensor.from_elements' op failed to verify that operand types match result element type
// CHECK-NEXT: {{.*}}dynamic.mlir:19:43: error: 'tensor.from_elements' op result #0 must be statically shaped tensor of any type values, but got 'tensor<?xi32>'
// CHECK-NEXT: {{.*}}dynamic.mlir:20:63: error: 'tensor.reshape' op cannot use shape operand with dynamic length to reshape to statically-ranked tensor type
// CHECK-NEXT: {{.*}}dynamic.mlir:21:63: error: 'tensor.reshape' op length of shape operand differs from the result's tensor rank
// CHECK-NEXT: {{.*}}dynamic.mlir:22:63: error: 'tensor.reshape' op element types of source and destination tensor types should be the same
// CHECK-NEXT: {{.*}}dynamic.mlir:23:63: error: 'tensor.reshape' op source and destination tensor should have the same number of elements
// CHECK-NEXT: {{.*}}dynamic.mlir:24:61: error: 'tensor.reshape' op operand #1 must be 1D tensor of signless integer or index values, but got 'tensor<1xf32>'
// CHECK-NEXT: {{.*}}dynamic.mlir:25:65: error: 'tensor.reshape' op operand #1 must be 1D tensor of signless integer or index values, but got 'tensor<1x1xindex>'
// CHECK-NEXT: {{.*}}dynamic.mlir:26:42: error: 'tensor.cast' op operand type 'tensor<4xf32>' and result type 'tensor<3xf32>' are cast incompatible
// CHECK-NEXT: {{.*}}dynamic.mlir:27:42: error: 'tensor.cast' op operand type 'tensor<4xf32>' and result type 'tensor<?x?xf32>' are cast incompatible
// CHECK-NEXT: {{.*}}dynamic.mlir:28:53: error: 'tensor.extract' op incorrect number of indices for extract_element
// CHECK-NEXT: {{.*}}dynamic.mlir:29:53: error: 'tensor.extract' op failed to verify that result type matches element type of tensor
// CHECK-NEXT: {{.*}}dynamic.mlir:30:53: error: 'tensor.extract' op operand #0 must be ranked tensor of any type values, but got 'tensor<*xf32>'
// CHECK-NEXT: {{.*}}dynamic.mlir:31:43: error: 'shape.shape_of' op operand #0 must be shaped of any type values or , but got 'i32'
// CHECK-NEXT: {{.*}}dynamic.mlir:32:53: error: 'shape.shape_of' op result #0 must be shape or extent tensor, but got 'i32'
// CHECK-NEXT: {{.*}}dynamic.mlir:33:53: error: 'shape.shape_of' op inferred type(s) 'tensor<1xindex>' are incompatible with return type(s) of operation 'tensor<2xindex>'
// CHECK-NEXT: {{.*}}dynamic.mlir:34:53: error: 'shape.num_elements' op operand #0 must be shape or extent tensor, but got 'tensor<4xi32>'
// CHECK-NEXT: {{.*}}dynamic.mlir:35:55: error: 'shape.num_elements' op result #0 must be size or index, but got 'i32'
// CHECK-NEXT: {{.*}}dynamic.mlir:36:55: error: 'shape.split_at' op operand #1 must be size or index, but got 'i32'
// CHECK-NEXT: {{.*}}dynamic.mlir:37:57: error: 'shape.split_at' op result #0 must be shape or extent tensor, but got 'tensor<?xi32>'
// CHECK-NEXT: {{.*}}dynamic.mlir:38:55: error: 'shape.const_shape' op attribute 'shape' failed to satisfy constraint: index elements attribute
// CHECK-NEXT: {{.*}}dynamic.mlir:39:55: error: 'shape.const_shape' op inferred type(s) 'tensor<2xindex>' are incompatible with return type(s) of operation 'tensor<3xindex>'
// CHECK-NEXT: {{.*}}dynamic.mlir:40:38: error: 'cf.br' op has 1 operands for successor #0, but target block has 0
// CHECK-NEXT: {{.*}}dynamic.mlir:42:38: error: 'cf.br' op type mismatch for bb argument #0 of successor #0
// CHECK-NEXT: {{.*}}dynamic.mlir:44:38: error: 'cf.br' op requires 1 successor but found 0
// CHECK-NEXT: {{.*}}dynamic.mlir:46:38: error: 'cf.cond_br' op operand #0 must be 1-bit signless integer, but got 'i32'
// CHECK-NEXT: {{.*}}dynamic.mlir:48:38: error: 'cf.cond_br' op operand count (1) does not match with the total size (3) specified in attribute 'operandSegmentSizes'
// CHECK-NEXT: {{.*}}dynamic.mlir:50:38: error: 'cf.cond_br' op has 1 operands for successor #0, but target block has 0
// CHECK-NEXT: {{.*}}dynamic.mlir:52:38: error: 'cf.assert' op operand #0 must be 1-bit signless integer, but got 'i32'
// CHECK-NEXT: {{.*}}dynamic.mlir:54:45: error: 'func.call_indirect' op failed to verify that callee input types match argument types
// CHECK-NEXT: {{.*}}dynamic.mlir:56:45: error: 'func.call_indirect' op operand #0 must be function type, but got 'i32'
// CHECK-NEXT: {{.*}}dynamic.mlir:58:45: error: 'func.call_indirect' op failed to verify that callee input types match argument types
// CHECK-NEXT: {{.*}}dynamic.mlir:60:45: error: 'func.call_indirect' op failed to verify that callee result types match result types
// CHECK-NEXT: {{.*}}dynamic.mlir:62:45: error: 'func.call_indirect' op expected 1 or more operands, but found 0
// CHECK-NEXT: {{.*}}dynamic.mlir:68:45: error: 'linalg.index' op expected parent op with LinalgOp interface
// CHECK-NEXT: {{.*}}dynamic.mlir:64:45: error: 'func.constant' op 'nix' does not reference a valid function
// CHECK-NEXT: {{.*}}dynamic.mlir:66:45: error: 'func.constant' op reference to function with mismatched type
