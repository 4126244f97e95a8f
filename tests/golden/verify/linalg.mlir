// linalg.generic and the ops in its body.
// RUN: %opt %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
#m0 = affine_map<(d0) -> (d0)>
func.func @f0(%a: tensor<4xf32>) { %0 = linalg.generic {indexing_maps = [#m0], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
^bb0(%i: f32, %o: f32): linalg.yield %i : f32 } -> tensor<4xf32>  return }
#m1 = affine_map<(d0) -> (d0)>
func.func @f1(%a: tensor<4xf32>) { %0 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
^bb0(%i: f32, %o: f32): linalg.yield %i : f32 } -> tensor<4xf32>  return }
#m2 = affine_map<(d0) -> (d0, d0)>
func.func @f2(%a: tensor<4xf32>) { %0 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
^bb0(%i: f32, %o: f32): linalg.yield %i : f32 } -> tensor<4xf32>  return }
#m3 = affine_map<(d0)[s0] -> (d0)>
func.func @f3(%a: tensor<4xf32>) { %0 = linalg.generic {indexing_maps = [#m3, #m3], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
^bb0(%i: f32, %o: f32): linalg.yield %i : f32 } -> tensor<4xf32>  return }
#m4 = affine_map<(d0) -> (d0)>
func.func @f4(%a: tensor<4xf32>, %b: tensor<5xf32>) { %0 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%b : tensor<5xf32>) {
^bb0(%i: f32, %o: f32): linalg.yield %i : f32 } -> tensor<5xf32>  return }
#m5 = affine_map<(d0) -> (d0)>
func.func @f5(%a: tensor<4xf32>, %b: tensor<5xf32>) { %0 = linalg.generic {indexing_maps = [#m5, #m5], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
^bb0(%i: f32, %o: i32): linalg.yield %i : f32 } -> tensor<4xf32>  return }
#m6 = affine_map<(d0) -> (d0)>
func.func @f6(%a: tensor<4xf32>, %b: tensor<5xf32>) { %0 = linalg.generic {indexing_maps = [#m6, #m6], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
^bb0(%i: f32): linalg.yield %i : f32 } -> tensor<4xf32>  return }
#m7 = affine_map<(d0) -> (d0)>
func.func @f7(%a: tensor<4xf32>, %b: tensor<5xf32>) { %0 = linalg.generic {indexing_maps = [#m7, #m7], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
^bb0(%i: f32, %o: f32): linalg.yield %i, %i : f32, f32 } -> tensor<4xf32>  return }
#m8 = affine_map<(d0) -> (d0)>
func.func @f8(%a: tensor<4xf32>, %b: i32) { %0 = linalg.generic {indexing_maps = [#m8, #m8], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
^bb0(%i: f32, %o: f32): linalg.yield %b : i32 } -> tensor<4xf32>  return }
#m9 = affine_map<(d0) -> (d0)>
func.func @f9(%a: tensor<4xf32>, %b: i32) { %0 = linalg.generic {indexing_maps = [#m9, #m9], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
^bb0(%i: f32, %o: f32): linalg.yield %i : f32 } -> tensor<?xf32>  return }
#m11 = affine_map<(d0, d1) -> (d0)>
func.func @f11(%a: tensor<4xf32>, %b: i32) { %0 = linalg.generic {indexing_maps = [#m11, #m11], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
^bb0(%i: f32, %o: f32): linalg.yield %i : f32 } -> tensor<4xf32>  return }
#m12 = affine_map<(d0) -> (d0)>
func.func @f12(%a: tensor<*xf32>, %b: i32) { %0 = linalg.generic {indexing_maps = [#m12, #m12], iterator_types = ["parallel"]} ins(%a : tensor<*xf32>) outs(%a : tensor<*xf32>) {
^bb0(%i: f32, %o: f32): linalg.yield %i : f32 } -> tensor<*xf32>  return }
#m13 = affine_map<(d0) -> (d0)>
func.func @f13(%a: tensor<4xf32>, %b: i32) { %0 = linalg.generic {indexing_maps = [#m13, #m13], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
^bb0(%i: f32, %o: f32): %9 = linalg.index 1 : index linalg.yield %i : f32 } -> tensor<4xf32>  return }
#m15 = affine_map<(d0) -> (d0)>
func.func @f15(%a: tensor<4xf32>, %b: i32) { %0 = linalg.generic {indexing_maps = [#m15, #m15], iterator_types = ["parallel"]} ins(%b : i32) outs(%a : tensor<4xf32>) {
^bb0(%i: i32, %o: f32): linalg.yield %o : f32 } -> tensor<4xf32>   return }
#m16 = affine_map<(d0) -> (d0 floordiv 3)>
#i16 = affine_map<(d0) -> (d0)>
func.func @f16(%a: tensor<4xf32>, %b: i32) { %0 = linalg.generic {indexing_maps = [#m16, #i16], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
^bb0(%i: f32, %o: f32): linalg.yield %o : f32 } -> tensor<4xf32>   return }
func.func @f17(%a: tensor<4xf32>, %b: i32) { linalg.yield %b : i32 }
// CHECK: {{.*}}linalg.mlir:6:41: error: 'linalg.generic' op expected the number of indexing_map (1) to be equal to the number of input/output operands (2)
// CHECK-NEXT: {{.*}}linalg.mlir:9:41: error: 'linalg.generic' op expected indexing_map #0 to have 2 dim(s) to match the number of loops
// CHECK-NEXT: {{.*}}linalg.mlir:12:41: error: 'linalg.generic' op expected operand #0 rank (1) to match the result rank of indexing_map (2)
// CHECK-NEXT: {{.*}}linalg.mlir:15:41: error: 'linalg.generic' op unexpected symbols in indexing_map #0
// CHECK-NEXT: {{.*}}linalg.mlir:18:60: error: 'linalg.generic' op inferred input/output operand #1 has shape's dimension #0 to be 4, but found 5
// CHECK-NEXT: {{.*}}linalg.mlir:21:60: error: 'linalg.generic' op expected type of bb argument #1 ('i32') to match element or self type of the corresponding operand ('f32')
// CHECK-NEXT: {{.*}}linalg.mlir:24:60: error: 'linalg.generic' op expected as many non-induction variable region arguments as the number of input/output operands
// CHECK-NEXT: {{.*}}linalg.mlir:28:25: error: 'linalg.yield' op expected number of yield values (2) to match the number of inits / outs operands of the enclosing LinalgOp (1)
// CHECK-NEXT: {{.*}}linalg.mlir:31:25: error: 'linalg.yield' op type of yield operand 1 ('i32') doesn't match the element type of the enclosing linalg.generic op ('f32')
// CHECK-NEXT: {{.*}}linalg.mlir:33:50: error: 'linalg.generic' op expected type of operand #1 ('tensor<4xf32>') to match type of corresponding result ('tensor<?xf32>')
// CHECK-NEXT: {{.*}}linalg.mlir:36:51: error: 'linalg.generic' op invalid indexing maps are non-invertible: none is d1 alone
// CHECK-NEXT: {{.*}}linalg.mlir:39:51: error: 'linalg.generic' op operand #0 must be a scalar or ranked tensor, but got 'tensor<*xf32>'
// CHECK-NEXT: {{.*}}linalg.mlir:43:30: error: 'linalg.index' op expected dim (1) to be lower than the number of loops (1) of the enclosing LinalgOp
// CHECK-NEXT: {{.*}}linalg.mlir:45:51: error: 'linalg.generic' op expected operand #0 rank (0) to match the result rank of indexing_map (1)
// CHECK-NEXT: {{.*}}linalg.mlir:51:46: error: 'linalg.yield' op expected parent op with LinalgOp interface
