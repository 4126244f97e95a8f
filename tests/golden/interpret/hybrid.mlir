// Float activations and 8-bit weights give the bits of LiteRT's hybrid kernels. Each row of the input (each batch element of a
// convolution) is quantized by its own range. Sums that f32 may not hold are computed from halves of the weights. The same at
// every stage; a profile without such kernels rejects the op.
// RUN: quern opt %s --emit=interpret --function rows --input 3x4xf32=1,2.5,-3,0.1,0,0,0,0,0.5,0.25,0.125,7 --input 4096xf32=-1.5 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function rows --input 3x4xf32=1,2.5,-3,0.1,0,0,0,0,0.5,0.25,0.125,7 --input 4096xf32=-1.5 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function rows --input 3x4xf32=1,2.5,-3,0.1,0,0,0,0,0.5,0.25,0.125,7 --input 4096xf32=-1.5 | FileCheck %s --match-full-lines
// RUN: sed s/litert-ref/tflm/ %s | %opt - --pass lower-to-integer 2>&1 | FileCheck %s --check-prefix=MICRO
// RUN: sed 's/quern.numerics = "litert-ref"//' %s | %opt - --pass lower-to-integer 2>&1 | FileCheck %s --check-prefix=FLOAT
// CHECK: dense<[{{\[}}0.000000e+00, 0.000000e+00], [1.000000e+00, 0.000000e+00], [190.165359, 0.000000e+00]]> : tensor<3x2xf32>
// CHECK-NEXT: dense<[{{\[}}-97.6735305, -8.573530e-01], [0.000000e+00, 0.000000e+00], [190.894119, -6.650000e+00]]> : tensor<3x2xf32>
// CHECK-NEXT: dense<[{{\[}}[{{\[}}-96.6735305, -300.857361]]], [{{\[}}[1.000000e+00, -3.000000e+02]]], [{{\[}}[191.894119, -3.066500e+02]]]]> : tensor<3x1x1x2xf32>
// CHECK-NEXT: dense<[{{\[}}3.901440e+05, 3.901440e+05]]> : tensor<1x2xf32>
!w = !quant.uniform<i8:f32:0, {0.5, 0.25}>
!v = !quant.uniform<i8:f32, 0.5>
// MICRO: error: 'ml.linear' has no integer form: the profile tflm has no kernels of floats beside weights of 8 bits; in float it would not have the bits of tflm
// FLOAT-NOT: math.round
// FLOAT: "ml.linear"
module attributes {quern.numerics = "litert-ref"} {
  func.func @rows(%x: tensor<3x4xf32>, %y: tensor<4096xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x1x1x2xf32>, tensor<1x2xf32>) {
    %w = "ml.const"() {value = dense<[[127, -127, 3, 50], [1, 2, 3, -4]]> : tensor<2x4xi8>} : () -> tensor<2x4x!w>
    %b = "ml.const"() {value = dense<[1.0, -300.0]> : tensor<2xf32>} : () -> tensor<2xf32>
    %0 = "ml.linear"(%x, %w, %b) {activation = "relu"} : (tensor<3x4xf32>, tensor<2x4x!w>, tensor<2xf32>) -> tensor<3x2xf32>
    %1 = "ml.linear"(%x, %w) {asymmetric_inputs = true} : (tensor<3x4xf32>, tensor<2x4x!w>) -> tensor<3x2xf32>
    %i = "ml.reshape"(%x) : (tensor<3x4xf32>) -> tensor<3x2x2x1xf32>
    %k = "ml.reshape"(%w) : (tensor<2x4x!w>) -> tensor<2x2x2x1x!w>
    %2 = "ml.conv"(%i, %k, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<3x2x2x1xf32>, tensor<2x2x2x1x!w>, tensor<2xf32>) -> tensor<3x1x1x2xf32>
    %j = "ml.reshape"(%y) : (tensor<4096xf32>) -> tensor<1x4096xf32>
    %l = "ml.const"() {value = dense<-127> : tensor<2x4096xi8>} : () -> tensor<2x4096x!v>
    %3 = "ml.linear"(%j, %l) : (tensor<1x4096xf32>, tensor<2x4096x!v>) -> tensor<1x2xf32>
    return %0, %1, %2, %3 : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x1x1x2xf32>, tensor<1x2xf32>
  }
}
