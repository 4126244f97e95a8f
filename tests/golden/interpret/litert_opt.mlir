// LiteRT's optimized kernels round differently from its reference kernels. Products are a quarter of the input, so that -10
// and -6 become -2.5 and -1.5 after the first of two roundings. These ties go up in matrix products, in convolutions without
// groups, in the first eight of nine depthwise channels, and in means of whole blocks of sixteen channels.
// RUN: quern opt %s --emit=interpret --input 1x4xi8=-10,10,-9,-6 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --input 1x4xi8=-10,10,-9,-6 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --input 1x4xi8=-10,10,-9,-6 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --cpu baseline --input 1x4xi8=-10,10,-9,-6 | FileCheck %s --match-full-lines
// RUN: %opt --pass lower-to-integer %s | FileCheck %s --check-prefix=INTEGER
// RUN: sed 's/1, 1, 1, 16>/1, 1, 1, 18>/; s/x16x/x18x/g' %s | %opt - --pass lower-to-integer 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: sed 's/0.251/1.0/' %s | %opt - --pass lower-to-integer 2>&1 | FileCheck %s --check-prefix=RECODE
// CHECK: dense<{{\[\[}}-2, 3, -2, -1]]> : tensor<1x4x{{.*}}>
// CHECK-NEXT: dense<{{\[\[\[\[}}-2, 3, -2, -1]]]]> : tensor<1x1x1x4x{{.*}}>
// CHECK-NEXT: dense<{{\[\[\[\[}}-3, 3, -2, -2]]]]> : tensor<1x1x1x4x{{.*}}>
// CHECK-NEXT: dense<{{\[\[\[\[}}-2, -2, -2, -2, -2, -2, -2, -2, -3]]]]> : tensor<1x1x1x9x{{.*}}>
// CHECK-NEXT: dense<{{\[\[\[\[}}2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]]]]> : tensor<1x1x1x16x{{.*}}>
// CHECK-NEXT: dense<{{\[\[}}-10, 10, -9, -6]]> : tensor<1x4x{{.*}}>
// INTEGER: "ml.integer_linear"{{.*}}rounding = "up"
// INTEGER: "ml.integer_conv"{{.*}}rounding = "up"
// INTEGER: "ml.integer_conv"{{.*}}rounding = "double"
// INTEGER: "ml.integer_depthwise_conv"{{.*}}rounding = "up_in_eights"
// INTEGER: "ml.integer_mean"{{.*}}output_zero_point = 5{{.*}}rounding = "up"
// PLACE: error: 'ml.reduce_mean' has no integer form: with 18 channels, the kernels of litert-opt round elements in vectors and remaining elements differently
// RECODE: error: 'ml.requantize' has no integer form: with a scale ratio of 0.25, the kernels of litert-opt round elements in vectors and remaining elements differently
!x = !quant.uniform<i8:f32, 0.25>
!w = !quant.uniform<i8:f32, 1.0>
!c = !quant.uniform<i8:f32:0, {1.0, 1.0, 1.0, 1.0}>
!d = !quant.uniform<i8:f32:3, {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}>
!y = !quant.uniform<i8:f32, 1.0>
!m = !quant.uniform<i8:f32, 0.25:5>
!r = !quant.uniform<i8:f32, 0.251>
module attributes {quern.numerics = "litert-opt"} {
  func.func @main(%s: tensor<1x4xi8>) -> (tensor<1x4x!y>, tensor<1x1x1x4x!y>, tensor<1x1x1x4x!y>, tensor<1x1x1x9x!y>, tensor<1x1x1x16x!m>, tensor<1x4x!r>) {
    %x = quant.scast %s : tensor<1x4xi8> to tensor<1x4x!x>
    %image = "ml.reshape"(%x) : (tensor<1x4x!x>) -> tensor<1x1x1x4x!x>
    %first = "ml.slice_by_index"(%image) {begin = array<i64: 0, 0, 0, 0>, end = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1, 1, 1>} : (tensor<1x1x1x4x!x>) -> tensor<1x1x1x1x!x>
    %nine = "ml.tile"(%first) {reps = array<i64: 1, 1, 1, 9>} : (tensor<1x1x1x1x!x>) -> tensor<1x1x1x9x!x>
    %row = "ml.reshape"(%x) : (tensor<1x4x!x>) -> tensor<1x1x4x1x!x>
    %rows = "ml.tile"(%row) {reps = array<i64: 1, 1, 1, 16>} : (tensor<1x1x4x1x!x>) -> tensor<1x1x4x16x!x>
    %unit = "ml.const"() {value = dense<[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]> : tensor<4x4xi8>} : () -> tensor<4x4x!w>
    %one = "ml.const"() {value = dense<[[[[1, 0, 0, 0]]], [[[0, 1, 0, 0]]], [[[0, 0, 1, 0]]], [[[0, 0, 0, 1]]]]> : tensor<4x1x1x4xi8>} : () -> tensor<4x1x1x4x!c>
    %two = "ml.const"() {value = dense<[[[[1, 0]]], [[[0, 1]]], [[[1, 0]]], [[[0, 1]]]]> : tensor<4x1x1x2xi8>} : () -> tensor<4x1x1x2x!c>
    %each = "ml.const"() {value = dense<1> : tensor<1x1x1x9xi8>} : () -> tensor<1x1x1x9x!d>
    %linear = "ml.linear"(%x, %unit) : (tensor<1x4x!x>, tensor<4x4x!w>) -> tensor<1x4x!y>
    %conv = "ml.conv"(%image, %one) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x1x1x4x!x>, tensor<4x1x1x4x!c>) -> tensor<1x1x1x4x!y>
    %grouped = "ml.conv"(%image, %two) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x1x1x4x!x>, tensor<4x1x1x2x!c>) -> tensor<1x1x1x4x!y>
    %depthwise = "ml.depthwise_conv"(%nine, %each) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x1x9x!x>, tensor<1x1x1x9x!d>) -> tensor<1x1x1x9x!y>
    %mean = "ml.reduce_mean"(%rows) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<1x1x4x16x!x>) -> tensor<1x1x1x16x!m>
    %recoded = "ml.requantize"(%x) : (tensor<1x4x!x>) -> tensor<1x4x!r>
    return %linear, %conv, %grouped, %depthwise, %mean, %recoded : tensor<1x4x!y>, tensor<1x1x1x4x!y>, tensor<1x1x1x4x!y>, tensor<1x1x1x9x!y>, tensor<1x1x1x16x!m>, tensor<1x4x!r>
  }
}
