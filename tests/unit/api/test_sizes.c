/* Run-time sizes: memory is planned for the largest size. The results for n are those of the same
 * model with n written in its types, and no byte after entry n is accessed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sizes_test.h"

#define WEIGHTS(shape)                                                                             \
  "  %w = \"ml.const\"() {value = dense<1> : tensor<" shape "xi8>} : () -> tensor<" shape "x!w>\n"

static const size_case cases[] = {
    {"relu", "Nx5", "Nx5", "  %y = \"ml.relu\"(%x) : (tensor<Nx5x!q>) -> tensor<Nx5x!q>\n"},
    {"flat", "N", "N", "  %y = \"ml.relu\"(%x) : (tensor<Nx!q>) -> tensor<Nx!q>\n"},
    {"large flat", "Nx3000", "Nx3000",
     "  %y = \"ml.sigmoid\"(%x) : (tensor<Nx3000x!q>) -> tensor<Nx3000x!q>\n"},
    {"add", "Nx9", "Nx9",
     "  %y = \"ml.add\"(%x, %x) : (tensor<Nx9x!q>, tensor<Nx9x!q>) -> tensor<Nx9x!q>\n"},
    {"broadcast", "Nx3x5", "Nx3x5",
     "  %k = \"ml.const\"() {value = dense<[[2], [-9], [4]]> : tensor<3x1xi8>} : () -> "
     "tensor<3x1x!q>\n"
     "  %y = \"ml.mul\"(%x, %k) : (tensor<Nx3x5x!q>, tensor<3x1x!q>) -> tensor<Nx3x5x!q>\n"},
    {"linear", "Nx37", "Nx6",
     WEIGHTS("6x37") "  %y = \"ml.linear\"(%x, %w) : (tensor<Nx37x!q>, tensor<6x37x!w>) -> "
                     "tensor<Nx6x!q>\n"},
    {"linear of rows", "Nx3x8", "Nx3x70",
     WEIGHTS("70x8") "  %y = \"ml.linear\"(%x, %w) : (tensor<Nx3x8x!q>, tensor<70x8x!w>) -> "
                     "tensor<Nx3x70x!q>\n"},
    {"conv", "Nx6x5x3", "Nx6x5x10",
     WEIGHTS(
         "10x3x3x3") "  %y = \"ml.conv\"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 1, "
                     "1, 1, 1>,\n"
                     "    dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<Nx6x5x3x!q>, "
                     "tensor<10x3x3x3x!w>) -> tensor<Nx6x5x10x!q>\n"},
    {"pointwise, unpadded", "Nx4x4x8", "Nx2x2x16",
     WEIGHTS(
         "16x1x1x8") "  %y = \"ml.conv\"(%x, %w) {strides = array<i64: 2, 2>, pad = array<i64: 0, "
                     "0, 0, 0>,\n"
                     "    dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<Nx4x4x8x!q>, "
                     "tensor<16x1x1x8x!w>) -> tensor<Nx2x2x16x!q>\n"},
    {"depthwise, odd height", "Nx7x7x20", "Nx7x7x20",
     WEIGHTS("1x3x3x20") "  %y = \"ml.depthwise_conv\"(%x, %w) {strides = array<i64: 1, 1>, pad = "
                         "array<i64: 1, 1, 1, "
                         "1>,\n    dilations = array<i64: 1, 1>} : (tensor<Nx7x7x20x!q>, "
                         "tensor<1x3x3x20x!w>) -> "
                         "tensor<Nx7x7x20x!q>\n"},
    {"depthwise, stride 2", "Nx8x8x4", "Nx3x3x4",
     WEIGHTS("1x3x3x4") "  %y = \"ml.depthwise_conv\"(%x, %w) {strides = array<i64: 2, 2>, pad = "
                        "array<i64: 0, 0, 0, "
                        "0>,\n    dilations = array<i64: 1, 1>} : (tensor<Nx8x8x4x!q>, "
                        "tensor<1x3x3x4x!w>) -> "
                        "tensor<Nx3x3x4x!q>\n"},
    {"floats, computed weights", "Nx6x5x8", "Nx6x5x8",
     WEIGHTS("8x3x3x8") "  %f = quant.dcast %x : tensor<Nx6x5x8x!q> to tensor<Nx6x5x8xf32>\n"
                        "  %v = \"ml.relu\"(%w) : (tensor<8x3x3x8x!w>) -> tensor<8x3x3x8x!w>\n"
                        "  %g = quant.dcast %v : tensor<8x3x3x8x!w> to tensor<8x3x3x8xf32>\n"
                        "  %d = \"ml.const\"() {value = dense<0.5> : tensor<1x2x2x8xf32>} : () -> "
                        "tensor<1x2x2x8xf32>\n"
                        "  %c = \"ml.conv\"(%f, %g) {strides = array<i64: 1, 1>, pad = array<i64: "
                        "1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : "
                        "(tensor<Nx6x5x8xf32>, tensor<8x3x3x8xf32>) -> tensor<Nx6x5x8xf32>\n"
                        "  %e = \"ml.depthwise_conv\"(%c, %d) {strides = array<i64: 1, 1>, pad = "
                        "array<i64: 0, 1, 0, 1>, dilations = array<i64: 1, 1>} : "
                        "(tensor<Nx6x5x8xf32>, tensor<1x2x2x8xf32>) -> tensor<Nx6x5x8xf32>\n"
                        "  %h = quant.qcast %e : tensor<Nx6x5x8xf32> to tensor<Nx6x5x8x!q>\n"
                        "  %y = \"ml.conv\"(%h, %v) {strides = array<i64: 1, 1>, pad = array<i64: "
                        "1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : "
                        "(tensor<Nx6x5x8x!q>, tensor<8x3x3x8x!w>) -> tensor<Nx6x5x8x!q>\n"},
    {"floats, one convolution feeds another", "Nx18x20x48", "Nx18x20x5",
     WEIGHTS(
         "5x1x1x48") "  %f = quant.dcast %x : tensor<Nx18x20x48x!q> to tensor<Nx18x20x48xf32>\n"
                     "  %d = \"ml.const\"() {value = dense<0.5> : tensor<1x3x3x48xf32>} : () -> "
                     "tensor<1x3x3x48xf32>\n"
                     "  %g = quant.dcast %w : tensor<5x1x1x48x!w> to tensor<5x1x1x48xf32>\n"
                     "  %c = \"ml.depthwise_conv\"(%f, %d) {strides = array<i64: 1, 1>, pad = "
                     "array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : "
                     "(tensor<Nx18x20x48xf32>, tensor<1x3x3x48xf32>) -> "
                     "tensor<Nx18x20x48xf32>\n"
                     "  %e = \"ml.conv\"(%c, %g) {strides = array<i64: 1, 1>, pad = array<i64: "
                     "0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : "
                     "(tensor<Nx18x20x48xf32>, tensor<5x1x1x48xf32>) -> tensor<Nx18x20x5xf32>\n"
                     "  %y = quant.qcast %e : tensor<Nx18x20x5xf32> to tensor<Nx18x20x5x!q>\n"},
    {"max pool", "Nx6x6x9", "Nx3x3x9",
     "  %y = \"ml.max_pool\"(%x) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 2, 2>,\n"
     "    pad = array<i64: 0, 0, 0, 0>} : (tensor<Nx6x6x9x!q>) -> tensor<Nx3x3x9x!q>\n"},
    {"avg pool", "Nx5x5x9", "Nx5x5x9",
     "  %y = \"ml.avg_pool\"(%x) {kernel_sizes = array<i64: 3, 3>, strides = array<i64: 1, 1>,\n"
     "    pad = array<i64: 1, 1, 1, 1>} : (tensor<Nx5x5x9x!q>) -> tensor<Nx5x5x9x!q>\n"},
    {"mean", "Nx4x4x9", "Nx9",
     "  %y = \"ml.reduce_mean\"(%x) {axes = array<i64: 1, 2>, keep_dims = false} : "
     "(tensor<Nx4x4x9x!q>) -> tensor<Nx9x!q>\n"},
    {"mean of one", "Nx1x1x9", "Nx9",
     "  %y = \"ml.reduce_mean\"(%x) {axes = array<i64: 1, 2>, keep_dims = false} : "
     "(tensor<Nx1x1x9x!q>) -> tensor<Nx9x!q>\n"},
    {"mean of the last", "Nx4x9", "Nx4",
     "  %y = \"ml.reduce_mean\"(%x) {axes = array<i64: 2>, keep_dims = false} : "
     "(tensor<Nx4x9x!q>) -> tensor<Nx4x!q>\n"},
    {"softmax", "Nx10", "Nx10",
     "  %t = \"ml.softmax\"(%x) {beta = 1.0 : f32} : (tensor<Nx10x!q>) -> "
     "tensor<Nx10x!quant.uniform<i8:f32, 0.00390625:-128>>\n"
     "  %y = \"ml.requantize\"(%t) : (tensor<Nx10x!quant.uniform<i8:f32, 0.00390625:-128>>) -> "
     "tensor<Nx10x!q>\n"},
    {"pad", "Nx3x5", "Nx6x9",
     "  %y = \"ml.pad\"(%x) {pad = array<i64: 0, 0, 1, 2, 3, 1>} : (tensor<Nx3x5x!q>) -> "
     "tensor<Nx6x9x!q>\n"},
    {"transpose", "Nx3x5", "Nx5x3",
     "  %y = \"ml.transpose\"(%x) {perm = array<i64: 0, 2, 1>} : (tensor<Nx3x5x!q>) -> "
     "tensor<Nx5x3x!q>\n"},
    {"reshape alone", "Nx3x5", "Nx15",
     "  %y = \"ml.reshape\"(%x) : (tensor<Nx3x5x!q>) -> tensor<Nx15x!q>\n"},
    {"concat", "Nx3", "Nx6",
     "  %r = \"ml.relu\"(%x) : (tensor<Nx3x!q>) -> tensor<Nx3x!q>\n"
     "  %y = \"ml.concat\"(%r, %x) {axis = 1 : i64} : (tensor<Nx3x!q>, tensor<Nx3x!q>) -> "
     "tensor<Nx6x!q>\n"},
    {"split and slice", "Nx8", "Nx2",
     "  %a, %b = \"ml.split\"(%x) {axis = 1 : i64} : (tensor<Nx8x!q>) -> (tensor<Nx4x!q>, "
     "tensor<Nx4x!q>)\n"
     "  %s = \"ml.add\"(%a, %b) : (tensor<Nx4x!q>, tensor<Nx4x!q>) -> tensor<Nx4x!q>\n"
     "  %y = \"ml.slice_by_index\"(%s) {begin = array<i64: 0, 1>, end = array<i64: N, 4>, stride = "
     "array<i64: 1, 2>} : (tensor<Nx4x!q>) -> tensor<Nx2x!q>\n"},
    {"softmax in float", "Nx10", "Nx10",
     "  %f = quant.dcast %x : tensor<Nx10x!q> to tensor<Nx10xf32>\n"
     "  %s = \"ml.softmax\"(%f) {beta = 1.0 : f32} : (tensor<Nx10xf32>) -> tensor<Nx10xf32>\n"
     "  %t = \"ml.tanh\"(%s) : (tensor<Nx10xf32>) -> tensor<Nx10xf32>\n"
     "  %y = quant.qcast %t : tensor<Nx10xf32> to tensor<Nx10x!q>\n"},
    {"pools and means in float", "Nx6x6x9", "Nx9",
     "  %f = quant.dcast %x : tensor<Nx6x6x9x!q> to tensor<Nx6x6x9xf32>\n"
     "  %p = \"ml.avg_pool\"(%f) {kernel_sizes = array<i64: 3, 3>, strides = array<i64: 1, 1>,\n"
     "    pad = array<i64: 1, 1, 1, 1>} : (tensor<Nx6x6x9xf32>) -> tensor<Nx6x6x9xf32>\n"
     "  %m = \"ml.max_pool\"(%p) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 2, 2>,\n"
     "    pad = array<i64: 0, 0, 0, 0>} : (tensor<Nx6x6x9xf32>) -> tensor<Nx3x3x9xf32>\n"
     "  %a = \"ml.reduce_mean\"(%m) {axes = array<i64: 1, 2>, keep_dims = false} : "
     "(tensor<Nx3x3x9xf32>) -> tensor<Nx9xf32>\n"
     "  %y = quant.qcast %a : tensor<Nx9xf32> to tensor<Nx9x!q>\n"},
    {"elements in float", "Nx2x3000", "Nx2",
     "  %f = quant.dcast %x : tensor<Nx2x3000x!q> to tensor<Nx2x3000xf32>\n"
     "  %k = \"ml.const\"() {value = dense<[[0.5], [-1.5]]> : tensor<2x1xf32>} : () -> "
     "tensor<2x1xf32>\n"
     "  %m = \"ml.mul\"(%f, %k) : (tensor<Nx2x3000xf32>, tensor<2x1xf32>) -> "
     "tensor<Nx2x3000xf32>\n"
     "  %s = \"ml.sigmoid\"(%m) : (tensor<Nx2x3000xf32>) -> tensor<Nx2x3000xf32>\n"
     "  %a = \"ml.add\"(%s, %f) : (tensor<Nx2x3000xf32>, tensor<Nx2x3000xf32>) -> "
     "tensor<Nx2x3000xf32>\n"
     "  %r = \"ml.reduce_mean\"(%a) {axes = array<i64: 2>, keep_dims = false} : "
     "(tensor<Nx2x3000xf32>) -> tensor<Nx2xf32>\n"
     "  %y = quant.qcast %r : tensor<Nx2xf32> to tensor<Nx2x!q>\n"},
    {"a chain", "Nx6x6x8", "Nx12",
     "  %w = \"ml.const\"() {value = dense<2> : tensor<12x3x3x8xi8>} : () -> "
     "tensor<12x3x3x8x!w>\n"
     "  %c = \"ml.conv\"(%x, %w) {strides = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 1>,\n"
     "    dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<Nx6x6x8x!q>, "
     "tensor<12x3x3x8x!w>) -> tensor<Nx3x3x12x!q>\n"
     "  %s = \"ml.sigmoid\"(%c) : (tensor<Nx3x3x12x!q>) -> tensor<Nx3x3x12x!q>\n"
     "  %m = \"ml.mul\"(%c, %s) : (tensor<Nx3x3x12x!q>, tensor<Nx3x3x12x!q>) -> "
     "tensor<Nx3x3x12x!q>\n"
     "  %y = \"ml.reduce_mean\"(%m) {axes = array<i64: 1, 2>, keep_dims = false} : "
     "(tensor<Nx3x3x12x!q>) -> tensor<Nx12x!q>\n"},
    {"second, elements", "1xNx5", "1xNx5",
     "  %k = \"ml.const\"() {value = dense<[[2], [-9], [4], [5], [1]]> : tensor<5x1xi8>} : () -> "
     "tensor<5x1x!q>\n"
     "  %t = \"ml.transpose\"(%k) {perm = array<i64: 1, 0>} : (tensor<5x1x!q>) -> tensor<1x5x!q>\n"
     "  %r = \"ml.relu\"(%x) : (tensor<1xNx5x!q>) -> tensor<1xNx5x!q>\n"
     "  %y = \"ml.mul\"(%r, %t) : (tensor<1xNx5x!q>, tensor<1x5x!q>) -> tensor<1xNx5x!q>\n"},
    {"second, of fewer dimensions", "1xNx3", "1x1xNx3",
     "  %r = \"ml.reshape\"(%x) : (tensor<1xNx3x!q>) -> tensor<Nx3x!q>\n"
     "  %e = \"ml.reshape\"(%x) : (tensor<1xNx3x!q>) -> tensor<1x1xNx3x!q>\n"
     "  %y = \"ml.add\"(%r, %e) : (tensor<Nx3x!q>, tensor<1x1xNx3x!q>) -> tensor<1x1xNx3x!q>\n"},
    {"second, flat", "1xN", "1xN",
     "  %y = \"ml.sigmoid\"(%x) : (tensor<1xNx!q>) -> tensor<1xNx!q>\n"},
    {"second, linear", "1xNx37", "1xNx70",
     "  %w = \"ml.const\"() {value = dense<1> : tensor<70x37xi8>} : () -> tensor<70x37x!w>\n"
     "  %y = \"ml.linear\"(%x, %w) : (tensor<1xNx37x!q>, tensor<70x37x!w>) -> tensor<1xNx70x!q>\n"},
    {"third, linear of rows", "1x1xNx3x8", "1x1xNx3x6",
     "  %w = \"ml.const\"() {value = dense<1> : tensor<6x8xi8>} : () -> tensor<6x8x!w>\n"
     "  %y = \"ml.linear\"(%x, %w) : (tensor<1x1xNx3x8x!q>, tensor<6x8x!w>) -> "
     "tensor<1x1xNx3x6x!q>\n"},
    {"second, softmax", "1xNx10", "1xNx10",
     "  %t = \"ml.softmax\"(%x) {beta = 1.0 : f32} : (tensor<1xNx10x!q>) -> "
     "tensor<1xNx10x!quant.uniform<i8:f32, 0.00390625:-128>>\n"
     "  %y = \"ml.requantize\"(%t) : (tensor<1xNx10x!quant.uniform<i8:f32, 0.00390625:-128>>) -> "
     "tensor<1xNx10x!q>\n"},
    {"second, means", "1xNx4x9", "Nx1",
     "  %m = \"ml.reduce_mean\"(%x) {axes = array<i64: 2>, keep_dims = true} : "
     "(tensor<1xNx4x9x!q>) -> tensor<1xNx1x9x!q>\n"
     "  %y = \"ml.reduce_mean\"(%m) {axes = array<i64: 0, 3>, keep_dims = false} : "
     "(tensor<1xNx1x9x!q>) -> tensor<Nx1x!q>\n"},
    {"second, pads", "1xNx5", "1xNx8",
     "  %y = \"ml.pad\"(%x) {pad = array<i64: 0, 0, 0, 0, 1, 2>} : (tensor<1xNx5x!q>) -> "
     "tensor<1xNx8x!q>\n"},
    {"second, transposed", "1xNx3x5", "Nx1x5x3",
     "  %t = \"ml.transpose\"(%x) {perm = array<i64: 0, 1, 3, 2>} : (tensor<1xNx3x5x!q>) -> "
     "tensor<1xNx5x3x!q>\n"
     "  %y = \"ml.transpose\"(%t) {perm = array<i64: 1, 0, 2, 3>} : (tensor<1xNx5x3x!q>) -> "
     "tensor<Nx1x5x3x!q>\n"},
    {"second, other shapes", "1xNx12", "1xNx1x12",
     "  %r = \"ml.reshape\"(%x) : (tensor<1xNx12x!q>) -> tensor<Nx3x4x!q>\n"
     "  %t = \"ml.transpose\"(%r) {perm = array<i64: 0, 2, 1>} : (tensor<Nx3x4x!q>) -> "
     "tensor<Nx4x3x!q>\n"
     "  %u = \"ml.reshape\"(%t) : (tensor<Nx4x3x!q>) -> tensor<1xNx12x!q>\n"
     "  %s = \"ml.squeeze\"(%u) {axes = array<i64: 0>} : (tensor<1xNx12x!q>) -> tensor<Nx12x!q>\n"
     "  %y = \"ml.expand_dims\"(%s) {axes = array<i64: 0, 2>} : (tensor<Nx12x!q>) -> "
     "tensor<1xNx1x12x!q>\n"},
    {"second, joined and cut", "1xNx8", "1xNx5",
     "  %a, %b = \"ml.split\"(%x) {axis = 2 : i64} : (tensor<1xNx8x!q>) -> (tensor<1xNx4x!q>, "
     "tensor<1xNx4x!q>)\n"
     "  %s = \"ml.add\"(%a, %b) : (tensor<1xNx4x!q>, tensor<1xNx4x!q>) -> tensor<1xNx4x!q>\n"
     "  %i = \"ml.slice_by_index\"(%s) {begin = array<i64: 0, 0, 1>, end = array<i64: 1, N, 4>, "
     "stride = array<i64: 1, 1, 2>} : (tensor<1xNx4x!q>) -> tensor<1xNx2x!q>\n"
     "  %l = \"ml.slice_by_index\"(%x) {begin = array<i64: 0, 0, 5>, end = array<i64: 1, N, 8>, "
     "stride = array<i64: 1, 1, 1>} : (tensor<1xNx8x!q>) -> tensor<1xNx3x!q>\n"
     "  %y = \"ml.concat\"(%l, %i) {axis = 2 : i64} : (tensor<1xNx3x!q>, tensor<1xNx2x!q>) -> "
     "tensor<1xNx5x!q>\n"},
    {"second, images", "1xNx90", "1xNx60",
     "  %w = \"ml.const\"() {value = dense<1> : tensor<10x3x3x3xi8>} : () -> tensor<10x3x3x3x!w>\n"
     "  %r = \"ml.reshape\"(%x) : (tensor<1xNx90x!q>) -> tensor<Nx6x5x3x!q>\n"
     "  %c = \"ml.conv\"(%r, %w) {strides = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>, "
     "dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<Nx6x5x3x!q>, tensor<10x3x3x3x!w>) "
     "-> tensor<Nx3x3x10x!q>\n"
     "  %p = \"ml.max_pool\"(%c) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 1, 1>, pad "
     "= array<i64: 0, 1, 0, 0>} : (tensor<Nx3x3x10x!q>) -> tensor<Nx3x2x10x!q>\n"
     "  %y = \"ml.reshape\"(%p) : (tensor<Nx3x2x10x!q>) -> tensor<1xNx60x!q>\n"},
    {"second, in float", "1xNx24", "1xNx6",
     "  %f = quant.dcast %x : tensor<1xNx24x!q> to tensor<1xNx24xf32>\n"
     "  %v = \"ml.const\"() {value = dense<0.125> : tensor<24x24xf32>} : () -> tensor<24x24xf32>\n"
     "  %g = \"ml.const\"() {value = dense<0.5> : tensor<6x24xf32>} : () -> tensor<6x24xf32>\n"
     "  %l = \"ml.linear\"(%f, %v) : (tensor<1xNx24xf32>, tensor<24x24xf32>) -> "
     "tensor<1xNx24xf32>\n"
     "  %h = \"ml.reshape\"(%l) : (tensor<1xNx24xf32>) -> tensor<1xNx4x6xf32>\n"
     "  %s = \"ml.softmax\"(%h) {beta = 1.0 : f32} : (tensor<1xNx4x6xf32>) -> tensor<1xNx4x6xf32>\n"
     "  %m = \"ml.reduce_mean\"(%h) {axes = array<i64: 3>, keep_dims = true} : "
     "(tensor<1xNx4x6xf32>) -> tensor<1xNx4x1xf32>\n"
     "  %d = \"ml.sub\"(%s, %m) : (tensor<1xNx4x6xf32>, tensor<1xNx4x1xf32>) -> "
     "tensor<1xNx4x6xf32>\n"
     "  %u = \"ml.reshape\"(%d) : (tensor<1xNx4x6xf32>) -> tensor<1xNx24xf32>\n"
     "  %a = \"ml.add\"(%u, %l) : (tensor<1xNx24xf32>, tensor<1xNx24xf32>) -> tensor<1xNx24xf32>\n"
     "  %t = \"ml.tanh\"(%a) : (tensor<1xNx24xf32>) -> tensor<1xNx24xf32>\n"
     "  %o = \"ml.linear\"(%t, %g) : (tensor<1xNx24xf32>, tensor<6x24xf32>) -> tensor<1xNx6xf32>\n"
     "  %y = quant.qcast %o : tensor<1xNx6xf32> to tensor<1xNx6x!q>\n"},
};

static void results_are_those_of_the_size(void **unused) {
  (void)unused;
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) check_size_case(&cases[c], c);
}

/* Threads divide the entries of the current size. */
static void threads_take_what_there_is(void **unused) {
  static uint8_t in[1 << 16], want[1 << 16], got[1 << 16];
  engines e;
  (void)unused;
  engines_open(&e);
  fill_bytes(in, sizeof in, 5);
  qn_model *model = load_sized(&e, &cases[2]);
  qn_executable *one = compile_for(&e, model, 0), *many = compile_for(&e, model, e.count - 1);
  assert_int_equal(qn_executable_set_threads(many, 2), QN_OK);
  assert_int_equal(qn_executable_set_size(one, 0, 5), QN_OK);
  assert_int_equal(qn_executable_set_size(many, 0, 5), QN_OK);
  run_guarded(&e, "one", one, in, want);
  run_guarded(&e, "many", many, in, got);
  assert_memory_equal(want, got, qn_executable_output(many, 0).bytes);
  qn_executable_destroy(one);
  qn_executable_destroy(many);
  qn_model_destroy(model);
  engines_close(&e);
}

static void sizes_out_of_range_are_refused(void **unused) {
  engines e;
  (void)unused;
  engines_open(&e);
  qn_model *model = load_sized(&e, &cases[0]);
  for (size_t k = 0; k < e.count; k++) {
    static const int64_t wrong[] = {0, -1, BOUND + 1, INT64_MAX, INT64_MIN};
    qn_executable *x = compile_for(&e, model, k);
    assert_int_equal(qn_executable_set_size(x, 0, 3), QN_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
      e.messages[0] = '\0';
      assert_int_equal(qn_executable_set_size(x, 0, wrong[i]), QN_INVALID);
      assert_non_null(strstr(e.messages, "size \"n\" is from 1 to 7"));
      assert_int_equal(qn_executable_size(x, 0).size, 3);
    }
    qn_executable_destroy(x);
  }
  qn_model_destroy(model);
  engines_close(&e);
}

/* The lengths of kept tensors follow the current size. */
static void note_tensor(void *user, int64_t index, const void *data, size_t bytes) {
  size_t *seen = user;
  (void)data;
  assert_int_equal(index, 4);
  *seen += bytes;
}

static void kept_tensors_have_the_size(void **unused) {
  static const char text[] =
      HEAD "func.func @main(%x: tensor<7x5x!q> {quern.sizes = [\"n\"]}) -> tensor<7x5x!q> {\n"
           "  %t = \"ml.relu\"(%x) {quern.tensors = array<i64: 4>} : (tensor<7x5x!q>) -> "
           "tensor<7x5x!q>\n"
           "  %y = \"ml.relu6\"(%t) : (tensor<7x5x!q>) -> tensor<7x5x!q>\n"
           "  return %y : tensor<7x5x!q>\n}\n}\n";
  engines e;
  (void)unused;
  engines_open(&e);
  qn_model *model = load_text(&e, text);
  for (size_t k = 0; k < e.count; k++) {
    e.options[k].keep_tensors = 1;
    qn_executable *x = compile_for(&e, model, k);
    uint8_t in[35] = {0}, out[35];
    size_t seen = 0;
    assert_int_equal(qn_executable_set_size(x, 0, 3), QN_OK);
    assert_int_equal(qn_executable_invoke(x, (const void *[]){in}, (void *[]){out}), QN_OK);
    assert_int_equal(qn_executable_tensors(x, note_tensor, &seen), QN_OK);
    assert_int_equal(seen, 15);
    qn_executable_destroy(x);
  }
  qn_model_destroy(model);
  engines_close(&e);
}

/* An op that combines entries is reported at its location. */
static void other_ops_are_reported(void **unused) {
  static const struct {
    const char *argument, *body, *type, *said;
  } bad[] = {
      {"tensor<4x4x!q> {quern.sizes = [\"n\"]}",
       "  %y = \"ml.transpose\"(%x) {perm = array<i64: 1, 0>} : (tensor<4x4x!q>) -> "
       "tensor<4x4x!q>\n",
       "tensor<4x4x!q>", "test.mlir:5:8: error: 'ml.transpose' can't be computed for a size"},
      {"tensor<4x4x!q> {quern.sizes = [\"n\"]}",
       "  %y = \"ml.reduce_mean\"(%x) {axes = array<i64: 0>, keep_dims = false} : "
       "(tensor<4x4x!q>) -> tensor<4x!q>\n",
       "tensor<4x!q>", "it works along that dimension"},
      {"tensor<4x4x!q> {quern.sizes = [\"n\"]}",
       "  %y = \"ml.slice_by_index\"(%x) {begin = array<i64: 3, 0>, end = array<i64: -1, 4>, "
       "stride "
       "= array<i64: -1, 1>} : (tensor<4x4x!q>) -> tensor<4x4x!q>\n",
       "tensor<4x4x!q>", "it works along that dimension"},
      {"tensor<4x!q> {quern.sizes = [\"n\"]}",
       "  %y = \"ml.softmax\"(%x) {beta = 1.0 : f32} : (tensor<4x!q>) -> "
       "tensor<4x!quant.uniform<i8:f32, 0.00390625:-128>>\n",
       "tensor<4x!quant.uniform<i8:f32, 0.00390625:-128>>",
       "there is no dimension within that one"},
      {"tensor<4x4x!q> {quern.sizes = [\"n\"]}",
       "  %k = \"ml.const\"() {value = dense<1> : tensor<4x4xi8>} : () -> tensor<4x4x!q>\n"
       "  %y = \"ml.add\"(%x, %k) : (tensor<4x4x!q>, tensor<4x4x!q>) -> tensor<4x4x!q>\n",
       "tensor<4x4x!q>", "another operand has a fixed size there"},
      {"tensor<4x4x!q> {quern.sizes = [\"n\"]}",
       "  %y = \"ml.reshape\"(%x) : (tensor<4x4x!q>) -> tensor<2x8x!q>\n", "tensor<2x8x!q>",
       "its result has other entries"},
      {"tensor<4x4x!q> {quern.sizes = [\"\", \"n\"]}",
       "  %y = \"ml.relu\"(%x) : (tensor<4x4x!q>) -> tensor<4x4x!q>\n", "tensor<4x4x!q>",
       "dimension 1 can't have a size known at run time only: one dimension can, of which all "
       "before "
       "it are 1"},
      {"tensor<1x1x4x!q> {quern.sizes = [\"\", \"m\", \"n\"]}",
       "  %y = \"ml.relu\"(%x) : (tensor<1x1x4x!q>) -> tensor<1x1x4x!q>\n", "tensor<1x1x4x!q>",
       "dimension 2 can't have a size known at run time"},
      {"tensor<1x4x4x!q> {quern.sizes = [\"\", \"n\"]}",
       "  %y = \"ml.concat\"(%x, %x) {axis = 1 : i64} : (tensor<1x4x4x!q>, tensor<1x4x4x!q>) -> "
       "tensor<1x8x4x!q>\n",
       "tensor<1x8x4x!q>", "its result has other entries"},
      {"tensor<1x2x4x!q> {quern.sizes = [\"\", \"n\"]}",
       "  %y = \"ml.concat\"(%x, %x) {axis = 0 : i64} : (tensor<1x2x4x!q>, tensor<1x2x4x!q>) -> "
       "tensor<2x2x4x!q>\n",
       "tensor<2x2x4x!q>", "its result has other entries"},
      {"tensor<1x4x4x!q> {quern.sizes = [\"\", \"n\"]}",
       "  %y = \"ml.reduce_mean\"(%x) {axes = array<i64: 1>, keep_dims = false} : "
       "(tensor<1x4x4x!q>) -> tensor<1x4x!q>\n",
       "tensor<1x4x!q>", "it works along that dimension"},
      {"tensor<1x4x4x!q> {quern.sizes = [\"\", \"n\"]}",
       "  %y = \"ml.transpose\"(%x) {perm = array<i64: 0, 2, 1>} : (tensor<1x4x4x!q>) -> "
       "tensor<1x4x4x!q>\n",
       "tensor<1x4x4x!q>", "its result has other entries"},
      {"tensor<1x4x4x3x!q> {quern.sizes = [\"\", \"n\"]}",
       "  %y = \"ml.max_pool\"(%x) {kernel_sizes = array<i64: 1, 1>, strides = array<i64: 1, 1>, "
       "pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x3x!q>) -> tensor<1x4x4x3x!q>\n",
       "tensor<1x4x4x3x!q>", "it works along that dimension"},
      {"tensor<1x4x!q> {quern.sizes = [\"\", \"n\"]}",
       "  %y = \"ml.reduce_mean\"(%x) {axes = array<i64: 0>, keep_dims = false} : "
       "(tensor<1x4x!q>) -> tensor<4x!q>\n",
       "tensor<4x!q>", "there is no dimension within that one"},
      {"tensor<1x4x4x!q> {quern.sizes = [\"\", \"n\"]}",
       "  %k = \"ml.const\"() {value = dense<1> : tensor<4x1xi8>} : () -> tensor<4x1x!q>\n"
       "  %y = \"ml.add\"(%x, %k) : (tensor<1x4x4x!q>, tensor<4x1x!q>) -> tensor<1x4x4x!q>\n",
       "tensor<1x4x4x!q>", "another operand has a fixed size there"},
  };
  (void)unused;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    engines e;
    engines_open(&e);
    char text[2048];
    snprintf(text, sizeof text,
             HEAD "func.func @main(%%x: %s) -> %s {\n%s  return %%y : %s\n}\n}\n", bad[i].argument,
             bad[i].type, bad[i].body, bad[i].type);
    qn_model *model = load_text(&e, text);
    for (size_t k = 0; k < e.count; k++) {
      qn_executable *x;
      e.messages[0] = '\0';
      assert_int_equal(qn_compile(model, &e.options[k], &x), QN_UNSUPPORTED);
      if (!strstr(e.messages, bad[i].said)) fail_msg("'%s' is not in: %s", bad[i].said, e.messages);
    }
    qn_model_destroy(model);
    engines_close(&e);
  }
}

/* Under cmsis-nn-single, products of equal shapes are rounded once, and broadcasts twice: whether a
 * product is one or the other must not depend on the number of entries. */
static void rounding_by_count_is_refused(void **unused) {
  static const char text[] =
      "!q = !quant.uniform<i8:f32, 0.5:-3>\n"
      "module attributes {quern.numerics = \"%s\"} {\n"
      "func.func @main(%%x: tensor<4x4x!q> {quern.sizes = [\"n\"]}) -> tensor<4x4x!q> {\n"
      "  %%k = \"ml.const\"() {value = dense<1> : tensor<%s>} : () -> tensor<%s>\n"
      "  %%y = \"ml.mul\"(%%x, %%k) : (tensor<4x4x!q>, tensor<%s>) -> tensor<4x4x!q>\n"
      "  return %%y : tensor<4x4x!q>\n}\n}\n";
  static const struct {
    const char *profile, *stored, *type;
    qn_status status;
  } roundings[] = {{"litert-ref", "1x4xi8", "1x4x!q", QN_OK},
                   {"cmsis-nn", "1x4xi8", "1x4x!q", QN_OK},
                   {"cmsis-nn-single", "1x4xi8", "1x4x!q", QN_UNSUPPORTED},
                   {"cmsis-nn-single", "4xi8", "4x!q", QN_UNSUPPORTED},
                   {"cmsis-nn-single", "1xi8", "1x!q", QN_OK}}; /* never equal */
  (void)unused;
  for (size_t i = 0; i < sizeof roundings / sizeof roundings[0]; i++) {
    engines e;
    engines_open(&e);
    char filled[1024];
    snprintf(filled, sizeof filled, text, roundings[i].profile, roundings[i].stored,
             roundings[i].type, roundings[i].type);
    qn_model *model = load_text(&e, filled);
    for (size_t k = 0; k < e.count; k++) {
      qn_executable *x = NULL;
      e.messages[0] = '\0';
      assert_int_equal(qn_compile(model, &e.options[k], &x), roundings[i].status);
      if (roundings[i].status != QN_OK)
        assert_non_null(strstr(e.messages, "the profile rounds one entry otherwise than several"));
      qn_executable_destroy(x);
    }
    qn_model_destroy(model);
    engines_close(&e);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results_are_those_of_the_size),
      cmocka_unit_test(threads_take_what_there_is),
      cmocka_unit_test(sizes_out_of_range_are_refused),
      cmocka_unit_test(kept_tensors_have_the_size),
      cmocka_unit_test(other_ops_are_reported),
      cmocka_unit_test(rounding_by_count_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
