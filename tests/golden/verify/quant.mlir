// Casts of the quant dialect: types, shapes, and quantized types that do not match their container.
// RUN: %opt %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
!q = !quant.uniform<i8:f32, 0.5>
!axis = !quant.uniform<i8:f32:1, {0.5, 0.25}>
!block = !quant.uniform<i8:f32:{0:2, 1:1}, {{0.5, 0.25}, {0.125, 1.0}}>
func.func @casts(%f: f32, %d: f64, %i: i8, %w: i16, %s: si8, %t: tensor<4xf32>, %q: !q, %u: tensor<*xf32>, %v: vector<4xf32>) {
  "quant.dcast"(%f) : (f32) -> f32
  "quant.qcast"(%i) : (i8) -> !q
  "quant.qcast"(%f) : (f32) -> f32
  "quant.qcast"(%v) : (vector<4xf32>) -> tensor<4x!q>
  "quant.scast"(%s) : (si8) -> !q
  "quant.qcast"(%t) : (tensor<4xf32>) -> tensor<5x!q>
  "quant.qcast"(%f) : (f32) -> tensor<4x!q>
  "quant.qcast"(%t) : (tensor<4xf32>) -> tensor<*x!q>
  "quant.scast"(%i) : (i8) -> i8
  "quant.scast"(%q) : (!q) -> !q
  "quant.qcast"(%d) : (f64) -> !q
  "quant.scast"(%w) : (i16) -> !q
  "quant.dcast"(%q) {axis = 1} : (!q) -> f64
  "quant.qcast"(%f) : (f32) -> !quant.any<i8:f32>
  "quant.qcast"(%f) : (f32) -> !quant.calibrated<f32<0.0:1.0>>
  return
}
func.func @per_axis(%f: f32, %t: tensor<4xf32>, %m: tensor<4x3xf32>, %d: tensor<4x?xf32>, %u: tensor<*xf32>) {
  "quant.qcast"(%f) : (f32) -> !axis
  "quant.qcast"(%t) : (tensor<4xf32>) -> tensor<4x!axis>
  "quant.qcast"(%m) : (tensor<4x3xf32>) -> tensor<4x3x!axis>
  %0 = "quant.qcast"(%d) : (tensor<4x?xf32>) -> tensor<4x?x!axis>
  %1 = "quant.qcast"(%u) : (tensor<*xf32>) -> tensor<*x!axis>
  return
}
func.func @sub_channel(%f: f32, %t: tensor<4xf32>, %odd: tensor<5x2xf32>, %wide: tensor<4x3xf32>, %cube: tensor<4x2x2xf32>, %empty: tensor<0x2xf32>, %u: tensor<*xf32>, %ok: tensor<4x2xf32>, %d: tensor<?x2xf32>) {
  "quant.qcast"(%f) : (f32) -> !block
  "quant.qcast"(%u) : (tensor<*xf32>) -> tensor<*x!block>
  "quant.qcast"(%t) : (tensor<4xf32>) -> tensor<4x!block>
  "quant.qcast"(%odd) : (tensor<5x2xf32>) -> tensor<5x2x!block>
  "quant.qcast"(%wide) : (tensor<4x3xf32>) -> tensor<4x3x!block>
  "quant.qcast"(%cube) : (tensor<4x2x2xf32>) -> tensor<4x2x2x!block>
  "quant.qcast"(%empty) : (tensor<0x2xf32>) -> tensor<0x2x!block>
  %0 = "quant.qcast"(%ok) : (tensor<4x2xf32>) -> tensor<4x2x!block>
  %1 = "quant.qcast"(%d) : (tensor<?x2xf32>) -> tensor<?x2x!block>
  return
}

// CHECK: {{.*}}quant.mlir:9:3: error: 'quant.dcast' op operand #0 must be scalar or tensor of quantized type, but got 'f32'
// CHECK-NEXT: {{.*}}quant.mlir:10:3: error: 'quant.qcast' op operand #0 must be scalar or tensor of floating-point, but got 'i8'
// CHECK-NEXT: {{.*}}quant.mlir:11:3: error: 'quant.qcast' op result #0 must be scalar or tensor of quantized type, but got 'f32'
// CHECK-NEXT: {{.*}}quant.mlir:12:3: error: 'quant.qcast' op operand #0 must be scalar or tensor of floating-point, but got 'vector<4xf32>'
// CHECK-NEXT: {{.*}}quant.mlir:13:3: error: 'quant.scast' op operand #0 must be scalar or tensor of signless integer or quantized type, but got 'si8'
// CHECK-NEXT: {{.*}}quant.mlir:14:3: error: 'quant.qcast' op failed to verify that input and result are both scalars or both tensors with matching shape
// CHECK-NEXT: {{.*}}quant.mlir:15:3: error: 'quant.qcast' op failed to verify that input and result are both scalars or both tensors with matching shape
// CHECK-NEXT: {{.*}}quant.mlir:16:3: error: 'quant.qcast' op failed to verify that input and result are both scalars or both tensors with matching shape
// CHECK-NEXT: {{.*}}quant.mlir:17:3: error: 'quant.scast' op failed to verify that input must be integer and result must be quantized, or vice versa
// CHECK-NEXT: {{.*}}quant.mlir:18:3: error: 'quant.scast' op failed to verify that input must be integer and result must be quantized, or vice versa
// CHECK-NEXT: {{.*}}quant.mlir:19:3: error: 'quant.qcast' op expressed type in quantized type expected to match float type
// CHECK-NEXT: {{.*}}quant.mlir:20:3: error: 'quant.scast' op storage type in quantized type expected to match integer type
// CHECK-NEXT: {{.*}}quant.mlir:21:3: error: 'quant.dcast' op expressed type in quantized type expected to match float type
// CHECK-NEXT: {{.*}}quant.mlir:22:3: error: 'quant.qcast' op requires a uniform quantized type, but got '!quant.any<i8:f32>'
// CHECK-NEXT: {{.*}}quant.mlir:23:3: error: 'quant.qcast' op requires a uniform quantized type, but got '!quant.calibrated<f32<0.000000e+00:1.000000e+00>>'
// CHECK-NEXT: {{.*}}quant.mlir:27:3: error: 'quant.qcast' op scalar types may not use per-axis quantization
// CHECK-NEXT: {{.*}}quant.mlir:28:3: error: 'quant.qcast' op quantized dimension must be less than tensor rank
// CHECK-NEXT: {{.*}}quant.mlir:29:3: error: 'quant.qcast' op quantized dimension size does not match number of scales
// CHECK-NEXT: {{.*}}quant.mlir:35:3: error: 'quant.qcast' op scalar types may not use sub-channel quantization
// CHECK-NEXT: {{.*}}quant.mlir:36:3: error: 'quant.qcast' op tensor containing the sub-channel quantized type must be ranked
// CHECK-NEXT: {{.*}}quant.mlir:37:3: error: 'quant.qcast' op quantized dimension 1 must be less than tensor rank 1
// CHECK-NEXT: {{.*}}quant.mlir:38:3: error: 'quant.qcast' op tensor dimension size 5 at axis 0 must be divisible by the corresponding block size 2
// CHECK-NEXT: {{.*}}quant.mlir:39:3: error: 'quant.qcast' op dimension size 3 of scales tensor at axis 1 should match (tensor dimension at axis / block sizes at axis) = 3, but the type has 2
// CHECK-NEXT: {{.*}}quant.mlir:40:3: error: 'quant.qcast' op Rank of scales 2 must match the rank of the tensor 3
// CHECK-NEXT: {{.*}}quant.mlir:41:3: error: 'quant.qcast' op tensor dimension size of zero is not allowed with sub-channel quantization
