// The kernel of a convolution stores the real values of its results if they are many, where products are so fast that a kernel after it
// would wait for caches beyond L2. It prefetches them for later tiles. Few results, and other levels, keep a kernel of their own.
// RUN: quern opt %s --compile --config cpu=avx512vbmi | FileCheck %s
// RUN: quern opt %s --compile --config cpu=avx512vnni | FileCheck %s
// RUN: quern opt %s --compile --config cpu=avx512vbmi,keep-tensors=true | FileCheck %s --check-prefix=APART
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s --check-prefix=APART
// RUN: quern opt %s --compile --config cpu=x86-64-amx | FileCheck %s --check-prefix=APART
// RUN: quern run %s --engine interpreter --stage model --input random:1 | FileCheck %s --check-prefix=RESULT
// RUN: quern run %s --engine interpreter --stage loops --cpu avx512vbmi --input random:1 | FileCheck %s --check-prefix=RESULT
// MLIR-OPT: none
// CHECK: func.func private @conv_0
// CHECK: "quern.prefetch"(%arg4
// CHECK: vector.store {{.*}} : memref<69003xf32>, vector<51xf32>
// CHECK: func.func private @conv_1
// CHECK-NOT: vector.store {{.*}}f32>
// CHECK: func.func private @dequantize_2
// CHECK: func.func @main
// CHECK-NOT: kernel = @dequantize
// CHECK: kernel = @conv_0
// CHECK: kernel = @conv_1
// CHECK: kernel = @dequantize_2
// RESULT: 1x33x41x51xfloat32  -8.68  9.17  -0.0516974
// RESULT: 1x33x41x3xfloat32   -8.68  9.17  -0.0562898
// APART: func.func @main
// APART-COUNT-2: kernel = @dequantize
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x33x41x4x!quant.uniform<i8:f32, 0.05:3>>) -> (tensor<1x33x41x51xf32>, tensor<1x33x41x3xf32>) {
    %w = "ml.const"() {value = dense<[[[[-8, -52, 11, 76]]], [[[-78, -72, 47, -66]]], [[[3, 59, -76, 39]]], [[[-36, -81, -68, 21]]], [[[17, -73, -29, -67]]], [[[51, 18, -75, 54]]], [[[-59, -33, 71, 70]]], [[[59, -75, 57, 59]]], [[[11, -78, -34, -79]]], [[[52, -56, -16, 17]]], [[[-54, 48, -60, 56]]], [[[-12, 53, 84, -44]]], [[[-64, 58, 56, 73]]], [[[-42, 5, -66, 50]]], [[[-74, 54, -75, 68]]], [[[-38, 37, 84, 46]]], [[[19, -10, 29, 59]]], [[[26, 2, -14, -27]]], [[[-44, 88, -28, -70]]], [[[57, -14, 44, 36]]], [[[-3, 24, -17, 65]]], [[[-72, -60, 41, 17]]], [[[-48, -3, -52, 35]]], [[[17, -80, 81, -71]]], [[[52, 56, -10, -3]]], [[[87, -1, 62, 37]]], [[[58, 26, -73, -67]]], [[[-21, 31, 88, 80]]], [[[-74, -75, 89, -11]]], [[[75, 57, 84, 24]]], [[[-18, 8, 81, -2]]], [[[-85, 28, 0, -47]]], [[[66, -61, 36, -75]]], [[[-35, -17, -57, -27]]], [[[11, 10, 37, -70]]], [[[-48, 24, 12, 50]]], [[[-19, -55, 20, 50]]], [[[-19, 90, 16, 1]]], [[[84, 7, -31, -52]]], [[[-69, -45, -52, -31]]], [[[78, -31, -87, 34]]], [[[60, -44, -23, -18]]], [[[-89, -53, 17, 46]]], [[[4, 66, 54, -9]]], [[[-58, 86, 41, 68]]], [[[77, 83, -77, 26]]], [[[84, 53, 10, 11]]], [[[12, 10, -64, 33]]], [[[72, 12, -75, -42]]], [[[-73, -37, 22, -49]]], [[[-62, -3, 63, -77]]]]> : tensor<51x1x1x4xi8>} : () -> tensor<51x1x1x4x!quant.uniform<i8:f32, 0.02>>
    %b = "ml.const"() {value = dense<[-691, -900, 260, -591, 198, -693, -156, 356, -848, -756, 890, -475, 357, -130, -596, 399, -384, -189, 333, -155, 71, -649, -664, 838, 99, 54, 83, 90, -262, -725, -605, -691, 635, -199, 616, -358, 80, 797, 517, -570, 157, -853, -480, 181, -160, -600, 513, 212, -845, 652, 181]> : tensor<51xi32>} : () -> tensor<51xi32>
    %y = "ml.conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, activation = "none", quern.tensors = array<i64: 0>} : (tensor<1x33x41x4x!quant.uniform<i8:f32, 0.05:3>>, tensor<51x1x1x4x!quant.uniform<i8:f32, 0.02>>, tensor<51xi32>) -> tensor<1x33x41x51x!quant.uniform<i8:f32, 0.07:-4>>
    %f = quant.dcast %y : tensor<1x33x41x51x!quant.uniform<i8:f32, 0.07:-4>> to tensor<1x33x41x51xf32>
    %v = "ml.const"() {value = dense<[[[[-14, 74, -67, 88]]], [[[-24, 42, 3, -48]]], [[[1, -33, 46, 48]]]]> : tensor<3x1x1x4xi8>} : () -> tensor<3x1x1x4x!quant.uniform<i8:f32, 0.02>>
    %c = "ml.const"() {value = dense<[695, 129, -225]> : tensor<3xi32>} : () -> tensor<3xi32>
    %z = "ml.conv"(%x, %v, %c) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, activation = "none", quern.tensors = array<i64: 1>} : (tensor<1x33x41x4x!quant.uniform<i8:f32, 0.05:3>>, tensor<3x1x1x4x!quant.uniform<i8:f32, 0.02>>, tensor<3xi32>) -> tensor<1x33x41x3x!quant.uniform<i8:f32, 0.07:-4>>
    %g = quant.dcast %z : tensor<1x33x41x3x!quant.uniform<i8:f32, 0.07:-4>> to tensor<1x33x41x3xf32>
    return %f, %g : tensor<1x33x41x51xf32>, tensor<1x33x41x3xf32>
  }
}
