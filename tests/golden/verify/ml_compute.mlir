// Shapes and attributes of ml ops with arithmetic, and of their integer forms; one error per line.
// RUN: %opt %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=error:
// RUN: ! %opt %s 2>/dev/null
// MLIR-OPT: none
func.func @tensors(%x: tensor<*xf32>, %d: tensor<?xf32>, %z: tensor<0xf32>, %h: tensor<100000x100000xi8>, %r: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>, %c: tensor<2xindex>, %v: vector<4xf32>) {
  "ml.relu"(%x) : (tensor<*xf32>) -> tensor<*xf32>
  "ml.relu"(%d) : (tensor<?xf32>) -> tensor<?xf32>
  "ml.relu"(%z) : (tensor<0xf32>) -> tensor<0xf32>
  "ml.relu"(%r) : (tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
  "ml.relu"(%c) : (tensor<2xindex>) -> tensor<2xindex>
  "ml.relu"(%v) : (vector<4xf32>) -> vector<4xf32>
  return
}
func.func @conv(%x: tensor<1x8x8x4xf32>, %w: tensor<6x3x3x4xf32>, %g: tensor<6x3x3x2xf32>, %b: tensor<5xi32>, %k: tensor<1x3x3x8xf32>, %n: tensor<2x3x3x8xf32>, %t: tensor<1x8x8xf32>) {
  "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x8x6x6xf32>
  "ml.conv"(%x, %w) {strides = array<i64: 0, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x6x6x6xf32>
  "ml.conv"(%x, %w) {strides = array<i64: 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x6x6x6xf32>
  "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, -1, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x6x6x6xf32>
  "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 9223372036854775807, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x6x6x6xf32>
  "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 2147483647, 1>, groups = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x6x6x6xf32>
  "ml.conv"(%x, %g) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<6x3x3x2xf32>) -> tensor<1x6x6x6xf32>
  "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 3 : i64} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x6x6x6xf32>
  "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 0 : i64} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x6x6x6xf32>
  "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>) -> tensor<2x6x6x6xf32>
  "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x6x6x5xf32>
  "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>, tensor<5xi32>) -> tensor<1x6x6x6xf32>
  "ml.conv"(%t, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x8xf32>, tensor<6x3x3x4xf32>) -> tensor<1x6x6x6xf32>
  "ml.conv"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, activation = "gelu"} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x6x6x6xf32>
  "ml.conv"(%x) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x8x4xf32>) -> tensor<1x6x6x6xf32>
  "ml.conv"(%x, %w) {pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = "one"} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x6x6x6xf32>
  "ml.depthwise_conv"(%x, %n) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<2x3x3x8xf32>) -> tensor<1x6x6x8xf32>
  "ml.depthwise_conv"(%x, %k) {strides = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>, tensor<1x3x3x8xf32>) -> tensor<1x1x2x8xf32>
  return
}
func.func @matrix(%x: tensor<2x4xf32>, %w: tensor<3x4xf32>, %s: tensor<f32>, %c: tensor<3x5xf32>) {
  "ml.linear"(%x, %c) : (tensor<2x4xf32>, tensor<3x5xf32>) -> tensor<2x3xf32>
  "ml.linear"(%x, %w) : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  "ml.linear"(%x, %w) : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<3x3xf32>
  "ml.linear"(%x, %w) : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<6xf32>
  "ml.linear"(%s, %w) : (tensor<f32>, tensor<3x4xf32>) -> tensor<3xf32>
  return
}
func.func @pool(%x: tensor<1x8x8x4xf32>) {
  "ml.avg_pool"(%x) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 2, 2>, pad = array<i64: 2, 0, 0, 0>} : (tensor<1x8x8x4xf32>) -> tensor<1x5x4x4xf32>
  "ml.max_pool"(%x) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x8x8x4xf32>) -> tensor<1x5x4x4xf32>
  "ml.max_pool"(%x) {kernel_sizes = array<i64: 9, 2>, strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x8x8x4xf32>) -> tensor<1x1x4x4xf32>
  "ml.max_pool"(%x) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x5xf32>
  "ml.reduce_mean"(%x) {axes = array<i64: 4>, keep_dims = true} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x1xf32>
  "ml.reduce_mean"(%x) {axes = array<i64: 1, 1>, keep_dims = true} : (tensor<1x8x8x4xf32>) -> tensor<1x1x8x4xf32>
  "ml.reduce_mean"(%x) {axes = array<i64: 1, 2>, keep_dims = false} : (tensor<1x8x8x4xf32>) -> tensor<1x1x1x4xf32>
  "ml.reduce_mean"(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<1x8x8x4xf32>) -> tensor<1x4xf32>
  return
}
func.func @elementwise(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %z: tensor<2xf32>) {
  "ml.add"(%x, %z) : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  "ml.mul"(%x, %y) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  "ml.softmax"(%x) {beta = 1.0} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  "ml.softmax"(%x) {beta = 1} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
func.func @quantized(%a: tensor<2x4x!quant.uniform<i8:f32:2, {0.5, 0.5}>>, %b: tensor<2x4x!quant.uniform<i8:f32, 0.5:300>>, %c: tensor<2x4x!quant.uniform<i8:f32:1, {0.5, 0.5}>>) {
  "ml.relu"(%a) : (tensor<2x4x!quant.uniform<i8:f32:2, {0.5, 0.5}>>) -> tensor<2x4xf32>
  "ml.relu"(%c) : (tensor<2x4x!quant.uniform<i8:f32:1, {0.5, 0.5}>>) -> tensor<2x4xf32>
  return
}
func.func @integer(%x: tensor<1x4xi8>, %w: tensor<2x4xi8>, %b: tensor<2xi32>, %m: tensor<2xi32>, %r: tensor<2xf64>, %s: tensor<2xi32>, %three: tensor<3xi32>, %wide: tensor<2x4xi32>, %t: tensor<255xi8>, %row: tensor<1x9000xi8>) {
  %shift = "ml.const"() {value = dense<[3, -40]> : tensor<2xi32>} : () -> tensor<2xi32>
  "ml.integer_linear"(%x, %w, %b, %r, %s) {input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x4xi8>, tensor<2x4xi8>, tensor<2xi32>, tensor<2xf64>, tensor<2xi32>) -> tensor<1x2xi8>
  "ml.integer_linear"(%x, %w, %b, %m, %s) {input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "real", min = -128 : i64, max = 127 : i64} : (tensor<1x4xi8>, tensor<2x4xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2xi8>
  "ml.integer_linear"(%x, %w, %b, %m, %shift) {input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x4xi8>, tensor<2x4xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2xi8>
  "ml.integer_linear"(%x, %w, %b, %m, %three) {input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x4xi8>, tensor<2x4xi8>, tensor<2xi32>, tensor<2xi32>, tensor<3xi32>) -> tensor<1x2xi8>
  "ml.integer_linear"(%x, %wide, %b, %m, %s) {input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x4xi8>, tensor<2x4xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2xi8>
  "ml.integer_linear"(%x, %w, %b, %m, %s) {input_zero_point = 99999 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "down", min = -128 : i64, max = 128 : i64} : (tensor<1x4xi8>, tensor<2x4xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2xi8>
  "ml.integer_mul"(%x, %x) {a_zero_point = 0 : i64, b_zero_point = 0 : i64, multiplier = -1 : i64, shift = 64 : i64, output_zero_point = 0 : i64, min = 5 : i64, max = 4 : i64} : (tensor<1x4xi8>, tensor<1x4xi8>) -> tensor<1x4xi8>
  "ml.integer_mul"(%b, %b) {a_zero_point = 0 : i64, b_zero_point = 0 : i64, multiplier = 1 : i64, shift = 0 : i64, output_zero_point = 0 : i64, min = 0 : i64, max = 4 : i64} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  "ml.integer_softmax"(%row) {multiplier = 1 : i64, shift = 1 : i64, diff_min = -10 : i64, output_zero_point = -128 : i64} : (tensor<1x9000xi8>) -> tensor<1x9000xi8>
  "ml.integer_softmax"(%x) {multiplier = 1 : i64, shift = -1 : i64, diff_min = -10 : i64, output_zero_point = -128 : i64} : (tensor<1x4xi8>) -> tensor<1x4xi8>
  "ml.lut"(%x, %t) : (tensor<1x4xi8>, tensor<255xi8>) -> tensor<1x4xi8>
  "ml.quantize_float"(%x) {scale = 0.0, zero_point = 0 : i64, min = -128 : i64, max = 127 : i64, rounding = "up"} : (tensor<1x4xi8>) -> tensor<1x4xi8>
  "ml.integer_linear"(%x, %w, %b, %m, %s) {input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "double", min = -128 : i64, max = 128 : i64} : (tensor<1x4xi8>, tensor<2x4xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2xi8>
  "ml.integer_mul"(%x, %x) {a_zero_point = 0 : i64, b_zero_point = 0 : i64, multiplier = 1 : i64, shift = 0 : i64, output_zero_point = 0 : i64, min = 5 : i64, max = 4 : i64} : (tensor<1x4xi8>, tensor<1x4xi8>) -> tensor<1x4xi8>
  "ml.quantize_float"(%x) {scale = 0.0, zero_point = 0 : i64, min = -128 : i64, max = 127 : i64, rounding = "even"} : (tensor<1x4xi8>) -> tensor<1x4xi8>
  return
}

// CHECK: {{.*}}ml_compute.mlir:5:1: error: 'func.func' op block argument #3 has more than 2147483647 bytes
// CHECK-NEXT: {{.*}}ml_compute.mlir:6:3: error: 'ml.relu' op operand #0 must have at most 16 static dimensions, none of them 0, but got 'tensor<*xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:6:3: error: 'ml.relu' op result #0 must have at most 16 static dimensions, none of them 0, but got 'tensor<*xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:7:3: error: 'ml.relu' op operand #0 must have at most 16 static dimensions, none of them 0, but got 'tensor<?xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:7:3: error: 'ml.relu' op result #0 must have at most 16 static dimensions, none of them 0, but got 'tensor<?xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:8:3: error: 'ml.relu' op operand #0 must have at most 16 static dimensions, none of them 0, but got 'tensor<0xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:8:3: error: 'ml.relu' op result #0 must have at most 16 static dimensions, none of them 0, but got 'tensor<0xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:9:3: error: 'ml.relu' op operand #0 must have at most 16 static dimensions, none of them 0, but got 'tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:9:3: error: 'ml.relu' op result #0 must have at most 16 static dimensions, none of them 0, but got 'tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:10:3: error: 'ml.relu' op operand #0 must be tensor of numbers, but got 'tensor<2xindex>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:10:3: error: 'ml.relu' op result #0 must be tensor of numbers, but got 'tensor<2xindex>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:11:3: error: 'ml.relu' op operand #0 must be tensor of numbers, but got 'vector<4xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:11:3: error: 'ml.relu' op result #0 must be tensor of numbers, but got 'vector<4xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:15:3: error: 'ml.conv' op result is 'tensor<1x8x6x6xf32>', but from operands and attributes follows 'tensor<1x6x6x6xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:16:3: error: 'ml.conv' op attribute 'strides' has the value 0, out of [1, 2147483647]
// CHECK-NEXT: {{.*}}ml_compute.mlir:17:3: error: 'ml.conv' op attribute 'strides' has 1 values, but 2 are expected
// CHECK-NEXT: {{.*}}ml_compute.mlir:18:3: error: 'ml.conv' op attribute 'pad' has the value -1, out of [0, 2147483647]
// CHECK-NEXT: {{.*}}ml_compute.mlir:19:3: error: 'ml.conv' op attribute 'pad' has the value 9223372036854775807, out of [0, 2147483647]
// CHECK-NEXT: {{.*}}ml_compute.mlir:20:3: error: 'ml.conv' op the kernel covers 4294967295, but the padded input has only 8
// CHECK-NEXT: {{.*}}ml_compute.mlir:21:3: error: 'ml.conv' op the last dimension of the weights is 2, but 4 is expected
// CHECK-NEXT: {{.*}}ml_compute.mlir:22:3: error: 'ml.conv' op 3 groups do not divide 4 input and 6 output channels
// CHECK-NEXT: {{.*}}ml_compute.mlir:23:3: error: 'ml.conv' op attribute 'groups' is 0, out of [1, 2147483647]
// CHECK-NEXT: {{.*}}ml_compute.mlir:24:3: error: 'ml.conv' op result is 'tensor<2x6x6x6xf32>', but from operands and attributes follows 'tensor<1x6x6x6xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:25:3: error: 'ml.conv' op result is 'tensor<1x6x6x5xf32>', but from operands and attributes follows 'tensor<1x6x6x6xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:26:3: error: 'ml.conv' op the bias must have one value per output channel (6), but got 'tensor<5xi32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:27:3: error: 'ml.conv' op the input must have rank 4 or 5, but got 'tensor<1x8x8xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:28:3: error: 'ml.conv' op unknown activation 'gelu'; it is one of none,relu,relu6,relu_n1_to_1,finite
// CHECK-NEXT: {{.*}}ml_compute.mlir:29:3: error: 'ml.conv' op expected 2 to 3 operands, but found 1
// CHECK-NEXT: {{.*}}ml_compute.mlir:30:3: error: 'ml.conv' op requires attribute 'strides'
// CHECK-NEXT: {{.*}}ml_compute.mlir:30:3: error: 'ml.conv' op attribute 'groups' failed to satisfy constraint: 64-bit signless integer attribute
// CHECK-NEXT: {{.*}}ml_compute.mlir:31:3: error: 'ml.depthwise_conv' op the first dimension of depthwise weights is 2, but 1 is expected
// CHECK-NEXT: {{.*}}ml_compute.mlir:32:3: error: 'ml.depthwise_conv' op result is 'tensor<1x1x2x8xf32>', but from operands and attributes follows 'tensor<1x2x2x8xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:36:3: error: 'ml.linear' op the last dimension of the weights is 5, but 4 is expected
// CHECK-NEXT: {{.*}}ml_compute.mlir:37:3: error: 'ml.linear' op result is 'tensor<2x4xf32>', but from operands and attributes follows 'tensor<2x3xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:38:3: error: 'ml.linear' op result is 'tensor<3x3xf32>', but from operands and attributes follows 'tensor<2x3xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:39:3: error: 'ml.linear' op result is 'tensor<6xf32>', but from operands and attributes follows 'tensor<2x3xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:40:3: error: 'ml.linear' op the input must have a dimension
// CHECK-NEXT: {{.*}}ml_compute.mlir:44:3: error: 'ml.avg_pool' op padding of a pool must be less than its kernel size
// CHECK-NEXT: {{.*}}ml_compute.mlir:45:3: error: 'ml.max_pool' op result is 'tensor<1x5x4x4xf32>', but from operands and attributes follows 'tensor<1x4x4x4xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:46:3: error: 'ml.max_pool' op the kernel covers 9, but the padded input has only 8
// CHECK-NEXT: {{.*}}ml_compute.mlir:47:3: error: 'ml.max_pool' op result is 'tensor<1x4x4x5xf32>', but from operands and attributes follows 'tensor<1x4x4x4xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:48:3: error: 'ml.reduce_mean' op axis 4 is out of range or repeated
// CHECK-NEXT: {{.*}}ml_compute.mlir:49:3: error: 'ml.reduce_mean' op axis 1 is out of range or repeated
// CHECK-NEXT: {{.*}}ml_compute.mlir:50:3: error: 'ml.reduce_mean' op result is 'tensor<1x1x1x4xf32>', but from operands and attributes follows 'tensor<1x4xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:51:3: error: 'ml.reduce_mean' op result is 'tensor<1x4xf32>', but from operands and attributes follows 'tensor<1x1x1x4xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:55:3: error: 'ml.add' op 'tensor<2x3xf32>' and 'tensor<2xf32>' do not broadcast
// CHECK-NEXT: {{.*}}ml_compute.mlir:56:3: error: 'ml.mul' op result is 'tensor<3xf32>', but from operands and attributes follows 'tensor<2x3xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:57:3: error: 'ml.softmax' op result is 'tensor<3x2xf32>', but from operands and attributes follows 'tensor<2x3xf32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:58:3: error: 'ml.softmax' op attribute 'beta' failed to satisfy constraint: float attribute
// CHECK-NEXT: {{.*}}ml_compute.mlir:62:3: error: 'ml.relu' op quantized dimension must be less than tensor rank
// CHECK-NEXT: {{.*}}ml_compute.mlir:63:3: error: 'ml.relu' op quantized dimension size does not match number of scales
// CHECK-NEXT: {{.*}}ml_compute.mlir:68:3: error: 'ml.integer_linear' op the i32 multiplier must have one value per output channel (2), but got 'tensor<2xf64>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:69:3: error: 'ml.integer_linear' op the f64 multiplier must have one value per output channel (2), but got 'tensor<2xi32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:70:3: error: 'ml.integer_linear' op shift -40 of channel 1 is out of [-31, 32]
// CHECK-NEXT: {{.*}}ml_compute.mlir:71:3: error: 'ml.integer_linear' op the i32 shift must have one value per output channel (2), but got 'tensor<3xi32>'
// CHECK-NEXT: {{.*}}ml_compute.mlir:72:3: error: 'ml.integer_linear' op takes 8-bit tensors, and weights of 8 bits or i16
// CHECK-NEXT: {{.*}}ml_compute.mlir:73:3: error: 'ml.integer_linear' op attribute 'input_zero_point' is 99999, out of [-32768, 32767]
// CHECK-NEXT: {{.*}}ml_compute.mlir:73:3: error: 'ml.integer_linear' op unknown rounding 'down'; it is one of double,real,reduced,single,up,up_in_eights,even,once
// CHECK-NEXT: {{.*}}ml_compute.mlir:74:3: error: 'ml.integer_mul' op attribute 'multiplier' is -1, out of [0, 2147483647]
// CHECK-NEXT: {{.*}}ml_compute.mlir:74:3: error: 'ml.integer_mul' op attribute 'shift' is 64, out of [-31, 31]
// CHECK-NEXT: {{.*}}ml_compute.mlir:75:3: error: 'ml.integer_mul' op takes 8-bit tensors to an 8-bit tensor
// CHECK-NEXT: {{.*}}ml_compute.mlir:77:3: error: 'ml.integer_softmax' op needs a shift of 0 or more
// CHECK-NEXT: {{.*}}ml_compute.mlir:78:3: error: 'ml.lut' op takes an 8-bit tensor and a table of 256 bytes to the same shape
// CHECK-NEXT: {{.*}}ml_compute.mlir:79:3: error: 'ml.quantize_float' op unknown rounding 'up'; it is one of even,away
// CHECK-NEXT: {{.*}}ml_compute.mlir:80:3: error: 'ml.integer_linear' op clamps to [-128, 128], which is not within [-128, 127]
// CHECK-NEXT: {{.*}}ml_compute.mlir:81:3: error: 'ml.integer_mul' op clamps to [5, 4], which is not within [-128, 127]
// CHECK-NEXT: {{.*}}ml_compute.mlir:82:3: error: 'ml.quantize_float' op attribute 'scale' must be positive and finite in f32
// CHECK-NEXT: {{.*}}ml_compute.mlir:82:3: error: 'ml.quantize_float' op converts between f32 and 8-bit or i16 tensors
