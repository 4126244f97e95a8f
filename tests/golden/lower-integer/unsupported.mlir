// All ops without an integer form are reported in one run, each at its location.
// RUN: quern opt --pass-pipeline="builtin.module(lower-to-integer{fall-back=false})" %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: ! quern opt --pass-pipeline="builtin.module(lower-to-integer{fall-back=false})" %s 2>/dev/null
// MLIR-OPT: accepts
module attributes {quern.numerics = "tflm"} {
  func.func @main(%f: tensor<1x4xf32>, %q: tensor<1x4x!quant.uniform<i8:f32, 0.5>>, %r: tensor<1x4x!quant.uniform<i8:f32, 0.25>>, %h: tensor<1x4x!quant.uniform<i16:f32, 0.5>>) {
    // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.relu' has no integer form: the input is not quantized
    %0 = "ml.relu"(%f) : (tensor<1x4xf32>) -> tensor<1x4xf32>
    // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.add' has no integer form: the operation mixes tensors of 8 and 16 bits
    %1 = "ml.add"(%q, %h) : (tensor<1x4x!quant.uniform<i8:f32, 0.5>>, tensor<1x4x!quant.uniform<i16:f32, 0.5>>) -> tensor<1x4x!quant.uniform<i8:f32, 0.5>>
    // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.concat' has no integer form: operand 1 has another quantization than the result
    %2 = "ml.concat"(%q, %r) {axis = 0 : i64} : (tensor<1x4x!quant.uniform<i8:f32, 0.5>>, tensor<1x4x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x4x!quant.uniform<i8:f32, 0.5>>
    // CHECK: [[#@LINE+1]]:{{.*}}error: the profile tflm defines 'ml.tanh' only for output scale 0.0078125 and zero point 0
    %3 = "ml.tanh"(%q) : (tensor<1x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x4x!quant.uniform<i8:f32, 0.5>>
    // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.softmax' has no integer form: the result must have scale 1/256 and zero point -128
    %4 = "ml.softmax"(%q) {beta = 1.0 : f32} : (tensor<1x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x4x!quant.uniform<i8:f32, 0.5>>
    return
  }
}
