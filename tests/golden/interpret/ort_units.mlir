// Kernels of onnxruntime (docs/arithmetic.md 20): expected values come from an oracle in rational arithmetic and
// include ties and scales of few bits. Every stage and the machine code of each level give them.
// RUN: quern opt %s --emit=interpret --input 2x16xi8=-85,-50,5,-50,120,-125,-95,73,-6,13,71,98,-110,104,33,11,0,12,38,-1,48,-89,-64,60,72,111,67,-7,45,-27,-52,-40 --input 2x16xi8=-99,-28,32,-2,42,45,41,-113,117,14,103,-59,-36,97,-81,-112,-33,45,-97,94,-41,-70,11,101,98,95,-50,-124,71,53,69,-128 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --input 2x16xi8=-85,-50,5,-50,120,-125,-95,73,-6,13,71,98,-110,104,33,11,0,12,38,-1,48,-89,-64,60,72,111,67,-7,45,-27,-52,-40 --input 2x16xi8=-99,-28,32,-2,42,45,41,-113,117,14,103,-59,-36,97,-81,-112,-33,45,-97,94,-41,-70,11,101,98,95,-50,-124,71,53,69,-128 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --input 2x16xi8=-85,-50,5,-50,120,-125,-95,73,-6,13,71,98,-110,104,33,11,0,12,38,-1,48,-89,-64,60,72,111,67,-7,45,-27,-52,-40 --input 2x16xi8=-99,-28,32,-2,42,45,41,-113,117,14,103,-59,-36,97,-81,-112,-33,45,-97,94,-41,-70,11,101,98,95,-50,-124,71,53,69,-128 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --cpu baseline --input 2x16xi8=-85,-50,5,-50,120,-125,-95,73,-6,13,71,98,-110,104,33,11,0,12,38,-1,48,-89,-64,60,72,111,67,-7,45,-27,-52,-40 --input 2x16xi8=-99,-28,32,-2,42,45,41,-113,117,14,103,-59,-36,97,-81,-112,-33,45,-97,94,-41,-70,11,101,98,95,-50,-124,71,53,69,-128 | FileCheck %s --match-full-lines
// RUN(x86-64-v3): quern opt %s --lower-to-integer --emit=run --cpu x86-64-v3 --input 2x16xi8=-85,-50,5,-50,120,-125,-95,73,-6,13,71,98,-110,104,33,11,0,12,38,-1,48,-89,-64,60,72,111,67,-7,45,-27,-52,-40 --input 2x16xi8=-99,-28,32,-2,42,45,41,-113,117,14,103,-59,-36,97,-81,-112,-33,45,-97,94,-41,-70,11,101,98,95,-50,-124,71,53,69,-128 | FileCheck %s --match-full-lines
// linear
// CHECK: dense<{{\[+}}72, 65, 75], [86, 90, 81]]> : tensor<2x3x{{.*}}>
// linear to f32
// CHECK-NEXT: dense<{{\[+}}-1.216200e+00, -2.95225024, -0.521219969], [2.330000e+00, 3.339750e+00, 9.850800e-01]]> : tensor<2x3x{{.*}}>
// linear, ties
// CHECK-NEXT: dense<{{\[+}}-8, 12], [-46, 51]]> : tensor<2x2x{{.*}}>
// linear, thirds
// CHECK-NEXT: dense<{{\[+}}-31, 22], [-128, 125]]> : tensor<2x2x{{.*}}>
// sum, ties
// CHECK-NEXT: dense<{{\[+}}-92, -39, 18, -26, 81, -40, -27, -20, 56, 14, 87, 20, -73, 100, -24, -50], [-16, 28, -30, 46, 4, -80, -26, 80, 85, 103, 8, -66, 58, 13, 8, -84]]> : tensor<2x16x{{.*}}>
// sum
// CHECK-NEXT: dense<{{\[+}}-128, -61, 14, -44, 95, -62, -45, -36, 62, 7, 103, 15, -105, 120, -41, -76], [-32, 27, -49, 50, -6, -114, -45, 94, 100, 123, 1, -95, 65, 7, 1, -119]]> : tensor<2x16x{{.*}}>
// product
// CHECK-NEXT: dense<{{\[+}}127, 24, 4, 5, 72, -78, -53, -128, -8, 3, 110, -92, 65, 127, -42, -20], [0, 9, -58, 1, -32, 98, -7, 92, 106, 127, -54, 13, 48, -19, -50, 78]]> : tensor<2x16x{{.*}}>
// average pool
// CHECK-NEXT: dense<{{\[+}}38, -19], [17, -24]], {{\[+}}23, 11], [-6, -16]]]]> : tensor<1x2x2x2x{{.*}}>
// mean
// CHECK-NEXT: dense<{{\[+}}9, -6]]]]> : tensor<1x1x1x2x{{.*}}>
// logistic
// CHECK-NEXT: dense<{{\[+}}-126, -83, 79, -16, 96, 100, 95, -127, 127, 34, 126, -117, -96, 126, -124, -127], [-92, 100, -126, 125, -102, -122, 25, 126, 126, 125, -111, -128, 120, 109, 119, -128]]> : tensor<2x16x{{.*}}>
// leaky_relu
// CHECK-NEXT: dense<{{\[+}}-33, -24, 16, -21, 29, 33, 28, -35, 123, -6, 105, -28, -25, 98, -31, -34], [-25, 33, -32, 94, -26, -29, -10, 103, 99, 95, -27, -36, 65, 42, 62, -36]]> : tensor<2x16x{{.*}}>
// softmax
// CHECK-NEXT: dense<{{\[+}}-128, -128, -126, -128, -125, -124, -125, -128, 2, -127, -63, -128, -128, -80, -128, -128], [-128, -124, -128, -82, -128, -128, -127, -62, -71, -79, -128, -128, -113, -122, -115, -128]]> : tensor<2x16x{{.*}}>
// concat
// CHECK-NEXT: dense<{{\[+}}-75, -29, 10, -12, 16, 18, 16, -84, 65, -2, 56, -49, -34, 52, -64, -84, -64, -41, -5, -41, 70, -90, -70, 39, -12, 0, 38, 55, -80, 59, 13, -1], [-32, 18, -74, 50, -38, -56, -4, 55, 53, 51, -43, -91, 35, 23, 34, -94, -8, -1, 16, -9, 23, -66, -50, 31, 38, 64, 35, -13, 21, -26, -42, -34]]> : tensor<2x32x{{.*}}>
// matmul
// CHECK-NEXT: dense<{{\[+}}33, 2], [12, 33]]> : tensor<2x2x{{.*}}>
// conv
// CHECK-NEXT: dense<{{\[+}}2, 2], [2, 13]], {{\[+}}2, 2], [38, 2]]]]> : tensor<1x2x2x2x{{.*}}>
!x = !quant.uniform<u8:f32, 0.019999999552965164:131>
!w = !quant.uniform<i8:f32:0, {0.009999999776482582:0, 0.012500000186264515:0, 0.003000000026077032:0}>
!b = !quant.uniform<i32:f32:0, {0.00019999999494757503:0, 0.0002500000118743628:0, 5.999999848427251e-05:0}>
!y = !quant.uniform<u8:f32, 0.25:77>
!yw = !quant.uniform<i16:f32, 0.001:0>
!x2 = !quant.uniform<u8:f32, 0.25:131>
!w2 = !quant.uniform<i8:f32, 0.5:0>
!ties = !quant.uniform<i8:f32, 2.0:5>
!thirds = !quant.uniform<i8:f32, 0.75:3>
!a = !quant.uniform<i8:f32, 0.5:3>
!c = !quant.uniform<i8:f32, 0.5:-1>
!s1 = !quant.uniform<i8:f32, 1.0:1>
!s2 = !quant.uniform<i8:f32, 0.7699999809265137:-9>
!p = !quant.uniform<i8:f32, 16.5:1>
!i = !quant.uniform<i8:f32, 0.5:3>
!g = !quant.uniform<i8:f32, 0.00390625:-128>
!xs = !quant.uniform<i8:f32, 0.05000000074505806:3>
!l = !quant.uniform<i8:f32, 0.03999999910593033:-20>
!m = !quant.uniform<i8:f32, 0.5:-1>
!pm = !quant.uniform<i8:f32, 170.25:1>
!wc = !quant.uniform<i8:f32:0, {0.019999999552965164:3, 0.029999999329447746:3}>
!yc = !quant.uniform<i8:f32, 3.0:2>
module attributes {quern.numerics = "ort"} {
  func.func @main(%s: tensor<2x16xi8>, %t: tensor<2x16xi8>) -> (tensor<2x3x!y>, tensor<2x3xf32>, tensor<2x2x!ties>, tensor<2x2x!thirds>, tensor<2x16x!s1>, tensor<2x16x!s2>, tensor<2x16x!p>, tensor<1x2x2x2x!i>, tensor<1x1x1x2x!i>, tensor<2x16x!g>, tensor<2x16x!l>, tensor<2x16x!g>, tensor<2x32x!s2>, tensor<2x2x!pm>, tensor<1x2x2x2x!yc>) {
    %x = quant.scast %s : tensor<2x16xi8> to tensor<2x16x!x>
    %w = "ml.const"() {value = dense<[[-119, 0, -43, -17, 110, -76, 7, -45, -53, 78, -89, -47, -98, -90, -57, 50], [20, -14, -85, 76, 76, -68, -113, -47, -91, 76, 5, 1, -54, 1, 119, -68], [68, -125, -48, 110, 95, -107, 87, 88, -12, -34, 122, 115, 45, -26, -75, 111]]> : tensor<3x16xi8>} : () -> tensor<3x16x!w>
    %b = "ml.const"() {value = dense<[1000, -2000, 333]> : tensor<3xi32>} : () -> tensor<3x!b>
    %0 = "ml.linear"(%x, %w, %b) : (tensor<2x16x!x>, tensor<3x16x!w>, tensor<3x!b>) -> tensor<2x3x!y>
    %1 = "ml.linear"(%x, %w, %b) : (tensor<2x16x!x>, tensor<3x16x!w>, tensor<3x!b>) -> tensor<2x3xf32>
    %x2 = quant.scast %s : tensor<2x16xi8> to tensor<2x16x!x2>
    %w2 = "ml.const"() {value = dense<[[-2, 0, 1, -2, -1, 2, -2, 1, 3, 1, 1, 0, 3, -2, -1, 1], [1, -3, -2, 1, 2, 1, 3, -1, -1, 2, -3, -2, -2, -1, -2, 2]]> : tensor<2x16xi8>} : () -> tensor<2x16x!w2>
    %2 = "ml.linear"(%x2, %w2) : (tensor<2x16x!x2>, tensor<2x16x!w2>) -> tensor<2x2x!ties>
    %3 = "ml.linear"(%x2, %w2) : (tensor<2x16x!x2>, tensor<2x16x!w2>) -> tensor<2x2x!thirds>
    %a = quant.scast %t : tensor<2x16xi8> to tensor<2x16x!a>
    %c = quant.scast %s : tensor<2x16xi8> to tensor<2x16x!c>
    %4 = "ml.add"(%a, %c) : (tensor<2x16x!a>, tensor<2x16x!c>) -> tensor<2x16x!s1>
    %5 = "ml.add"(%a, %c) : (tensor<2x16x!a>, tensor<2x16x!c>) -> tensor<2x16x!s2>
    %6 = "ml.mul"(%a, %c) : (tensor<2x16x!a>, tensor<2x16x!c>) -> tensor<2x16x!p>
    %q = "ml.reshape"(%a) : (tensor<2x16x!a>) -> tensor<1x4x4x2x!i>
    %7 = "ml.avg_pool"(%q) {kernel_sizes = array<i64: 3, 3>, strides = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>} : (tensor<1x4x4x2x!i>) -> tensor<1x2x2x2x!i>
    %8 = "ml.reduce_mean"(%q) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<1x4x4x2x!i>) -> tensor<1x1x1x2x!i>
    %xs = quant.scast %t : tensor<2x16xi8> to tensor<2x16x!xs>
    %9 = "ml.sigmoid"(%xs) : (tensor<2x16x!xs>) -> tensor<2x16x!g>
    %10 = "ml.leaky_relu"(%xs) {alpha = 0.10000000149011612 : f32} : (tensor<2x16x!xs>) -> tensor<2x16x!l>
    %11 = "ml.softmax"(%xs) {beta = 1.0 : f64} : (tensor<2x16x!xs>) -> tensor<2x16x!g>
    %12 = "ml.concat"(%a, %c) {axis = 1 : i64} : (tensor<2x16x!a>, tensor<2x16x!c>) -> tensor<2x32x!s2>
    %m = "ml.reshape"(%c) : (tensor<2x16x!c>) -> tensor<16x2x!m>
    %13 = "ml.matmul"(%a, %m) : (tensor<2x16x!a>, tensor<16x2x!m>) -> tensor<2x2x!pm>
    %wc = "ml.const"() {value = dense<[[[[88, -31], [-121, 54], [-101, 28]], [[-85, 112], [45, 125], [29, 57]], [[-32, 79], [-100, -89], [-36, 54]]], [[[-4, 88], [113, -26], [-20, 13]], [[37, -6], [26, 117], [59, -47]], [[-20, -26], [-90, -128], [74, -21]]]]> : tensor<2x3x3x2xi8>} : () -> tensor<2x3x3x2x!wc>
    %14 = "ml.conv"(%q, %wc) {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, groups = 1 : i64, activation = "relu"} : (tensor<1x4x4x2x!i>, tensor<2x3x3x2x!wc>) -> tensor<1x2x2x2x!yc>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 : tensor<2x3x!y>, tensor<2x3xf32>, tensor<2x2x!ties>, tensor<2x2x!thirds>, tensor<2x16x!s1>, tensor<2x16x!s2>, tensor<2x16x!p>, tensor<1x2x2x2x!i>, tensor<1x1x1x2x!i>, tensor<2x16x!g>, tensor<2x16x!l>, tensor<2x16x!g>, tensor<2x32x!s2>, tensor<2x2x!pm>, tensor<1x2x2x2x!yc>
  }
}
