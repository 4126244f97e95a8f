/* Modules that single rules of profiles decide, for test_profile_fields.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
static const struct {
  const char *name, *text;
} profile_texts[] = {
    {"elu",
     "!d = !quant.uniform<i8:f32, 1.0e-06>\n"
     "!e = !quant.uniform<i8:f32, 3.3e-07>\n"
     "module {\n"
     "func.func @main(%x: tensor<256x!d>) -> tensor<256x!e> {\n"
     "  %y = \"ml.elu\"(%x) {alpha = 1.0 : f64} : (tensor<256x!d>) -> tensor<256x!e>\n"
     "  return %y : tensor<256x!e>\n"
     "}\n"
     "}\n"},
    {"leaky_relu",
     "!a = !quant.uniform<i8:f32, 0.0123:3>\n"
     "!b = !quant.uniform<i8:f32, 0.0371:-7>\n"
     "module {\n"
     "func.func @main(%x: tensor<256x!a>) -> tensor<256x!b> {\n"
     "  %y = \"ml.leaky_relu\"(%x) {alpha = 0.3 : f64} : (tensor<256x!a>) -> tensor<256x!b>\n"
     "  return %y : tensor<256x!b>\n"
     "}\n"
     "}\n"},
    {"leaky_relu_u8",
     "!u = !quant.uniform<u8:f32, 0.0123:131>\n"
     "!v = !quant.uniform<u8:f32, 0.0371:120>\n"
     "module {\n"
     "func.func @main(%x: tensor<256x!u>) -> tensor<256x!v> {\n"
     "  %y = \"ml.leaky_relu\"(%x) {alpha = 0.3 : f64} : (tensor<256x!u>) -> tensor<256x!v>\n"
     "  return %y : tensor<256x!v>\n"
     "}\n"
     "}\n"},
    {"requantize",
     "!a = !quant.uniform<i8:f32, 0.0123:3>\n"
     "!b = !quant.uniform<i8:f32, 0.0371:-7>\n"
     "module {\n"
     "func.func @main(%x: tensor<256x!a>) -> tensor<256x!b> {\n"
     "  %y = \"ml.requantize\"(%x) : (tensor<256x!a>) -> tensor<256x!b>\n"
     "  return %y : tensor<256x!b>\n"
     "}\n"
     "}\n"},
    {"recode",
     "!a = !quant.uniform<i8:f32, 0.0123:3>\n"
     "!v = !quant.uniform<u8:f32, 0.0371:120>\n"
     "module {\n"
     "func.func @main(%x: tensor<256x!a>) -> tensor<256x!v> {\n"
     "  %y = \"ml.requantize\"(%x) : (tensor<256x!a>) -> tensor<256x!v>\n"
     "  return %y : tensor<256x!v>\n"
     "}\n"
     "}\n"},
    {"softmax",
     "!a = !quant.uniform<i8:f32, 0.0123:3>\n"
     "!p = !quant.uniform<i8:f32, 0.00390625:-128>\n"
     "module {\n"
     "func.func @main(%x: tensor<4x16x!a>) -> tensor<4x16x!p> {\n"
     "  %y = \"ml.softmax\"(%x) {beta = 1.0 : f32} : (tensor<4x16x!a>) -> tensor<4x16x!p>\n"
     "  return %y : tensor<4x16x!p>\n"
     "}\n"
     "}\n"},
    {"softmax16",
     "!h = !quant.uniform<i16:f32, 0.00071>\n"
     "!t = !quant.uniform<i16:f32, 3.0517578125e-05>\n"
     "module {\n"
     "func.func @main(%x: tensor<4x16x!h>) -> tensor<4x16x!t> {\n"
     "  %y = \"ml.softmax\"(%x) {beta = 1.0 : f32} : (tensor<4x16x!h>) -> tensor<4x16x!t>\n"
     "  return %y : tensor<4x16x!t>\n"
     "}\n"
     "}\n"},
    {"mul",
     "!a = !quant.uniform<i8:f32, 0.0123:3>\n"
     "!b = !quant.uniform<i8:f32, 0.0371:-7>\n"
     "!c = !quant.uniform<i8:f32, 0.0517:11>\n"
     "module {\n"
     "func.func @main(%x: tensor<64x!a>, %z: tensor<64x!b>) -> tensor<64x!c> {\n"
     "  %y = \"ml.mul\"(%x, %z) : (tensor<64x!a>, tensor<64x!b>) -> tensor<64x!c>\n"
     "  return %y : tensor<64x!c>\n"
     "}\n"
     "}\n"},
    {"sub",
     "!a = !quant.uniform<i8:f32, 0.0123:3>\n"
     "!b = !quant.uniform<i8:f32, 0.0371:-7>\n"
     "!c = !quant.uniform<i8:f32, 0.0517:11>\n"
     "module {\n"
     "func.func @main(%x: tensor<64x!a>, %z: tensor<64x!b>) -> tensor<64x!c> {\n"
     "  %y = \"ml.sub\"(%x, %z) : (tensor<64x!a>, tensor<64x!b>) -> tensor<64x!c>\n"
     "  return %y : tensor<64x!c>\n"
     "}\n"
     "}\n"},
    {"add",
     "!a = !quant.uniform<i8:f32, 0.0123:3>\n"
     "!c = !quant.uniform<i8:f32, 0.0517:11>\n"
     "module {\n"
     "func.func @main(%x: tensor<64x!c>, %z: tensor<64x!c>) -> tensor<64x!a> {\n"
     "  %y = \"ml.add\"(%x, %z) : (tensor<64x!c>, tensor<64x!c>) -> tensor<64x!a>\n"
     "  return %y : tensor<64x!a>\n"
     "}\n"
     "}\n"},
    {"above_one",
     "!c = !quant.uniform<i8:f32, 0.0517:11>\n"
     "!f = !quant.uniform<i8:f32, 1.0e-08>\n"
     "module attributes {quern.fall_back} {\n"
     "func.func @main(%x: tensor<8x!c>, %z: tensor<8x!c>) -> tensor<8x!f> {\n"
     "  %y = \"ml.add\"(%x, %z) : (tensor<8x!c>, tensor<8x!c>) -> tensor<8x!f>\n"
     "  return %y : tensor<8x!f>\n"
     "}\n"
     "}\n"},
    {"linear",
     "!a = !quant.uniform<i8:f32, 0.0123:3>\n"
     "!b = !quant.uniform<i8:f32, 0.0371:-7>\n"
     "!w = !quant.uniform<i8<-127:127>:f32, 0.0093>\n"
     "module {\n"
     "func.func @main(%x: tensor<2x8x!a>) -> tensor<2x2x!b> {\n"
     "  %s = \"ml.const\"() {value = dense<[[1, -2, 3, -4, 5, -6, 7, -8], [11, 12, -13, 14, 15, -16, 17, 18]]> : tensor<2x8xi8>} : () -> tensor<2x8xi8>\n"
     "  %w = quant.scast %s : tensor<2x8xi8> to tensor<2x8x!w>\n"
     "  %y = \"ml.linear\"(%x, %w) : (tensor<2x8x!a>, tensor<2x8x!w>) -> tensor<2x2x!b>\n"
     "  return %y : tensor<2x2x!b>\n"
     "}\n"
     "}\n"},
    {"linear16",
     "!h = !quant.uniform<i16:f32, 0.00071>\n"
     "!k = !quant.uniform<i16:f32, 0.00137>\n"
     "!w = !quant.uniform<i8<-127:127>:f32, 0.0093>\n"
     "module {\n"
     "func.func @main(%x: tensor<2x8x!h>) -> tensor<2x2x!k> {\n"
     "  %s = \"ml.const\"() {value = dense<[[1, -2, 3, -4, 5, -6, 7, -8], [11, 12, -13, 14, 15, -16, 17, 18]]> : tensor<2x8xi8>} : () -> tensor<2x8xi8>\n"
     "  %w = quant.scast %s : tensor<2x8xi8> to tensor<2x8x!w>\n"
     "  %y = \"ml.linear\"(%x, %w) : (tensor<2x8x!h>, tensor<2x8x!w>) -> tensor<2x2x!k>\n"
     "  return %y : tensor<2x2x!k>\n"
     "}\n"
     "}\n"},
    {"grouped",
     "!a = !quant.uniform<i8:f32, 0.0123:3>\n"
     "!b = !quant.uniform<i8:f32, 0.0371:-7>\n"
     "!w = !quant.uniform<i8<-127:127>:f32, 0.0093>\n"
     "module {\n"
     "func.func @main(%x: tensor<1x4x4x4x!a>) -> tensor<1x4x4x4x!b> {\n"
     "  %s = \"ml.const\"() {value = dense<37> : tensor<4x1x1x2xi8>} : () -> tensor<4x1x1x2xi8>\n"
     "  %w = quant.scast %s : tensor<4x1x1x2xi8> to tensor<4x1x1x2x!w>\n"
     "  %y = \"ml.conv\"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x4x4x4x!a>, tensor<4x1x1x2x!w>) -> tensor<1x4x4x4x!b>\n"
     "  return %y : tensor<1x4x4x4x!b>\n"
     "}\n"
     "}\n"},
    {"leaky_f32",
     "module {\n"
     "func.func @main() -> tensor<4xf32> {\n"
     "  %x = \"ml.const\"() {value = dense<[-0.0, 0.0, -1.0, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>\n"
     "  %y = \"ml.leaky_relu\"(%x) {alpha = -0.3 : f64} : (tensor<4xf32>) -> tensor<4xf32>\n"
     "  return %y : tensor<4xf32>\n"
     "}\n"
     "}\n"},
    {"relu_f32",
     "module {\n"
     "func.func @main() -> tensor<2xf32> {\n"
     "  %x = \"ml.const\"() {value = dense<[0x7F800000, 1.0]> : tensor<2xf32>} : () -> tensor<2xf32>\n"
     "  %z = \"ml.const\"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>\n"
     "  %y = \"ml.add\"(%x, %z) {activation = \"relu\"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n"
     "  return %y : tensor<2xf32>\n"
     "}\n"
     "}\n"},
    {"maximum_f32",
     "module {\n"
     "func.func @main() -> tensor<2x2xf32> {\n"
     "  %x = \"ml.const\"() {value = dense<[[-0.0], [0x7FC00000]]> : tensor<2x1xf32>} : () -> tensor<2x1xf32>\n"
     "  %z = \"ml.const\"() {value = dense<[[0.0, -0.0], [1.0, -0.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>\n"
     "  %y = \"ml.maximum\"(%x, %z) : (tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>\n"
     "  return %y : tensor<2x2xf32>\n"
     "}\n"
     "}\n"},
};
