// --explain lists for every matrix product its tile shape with the estimated cost, and the cost of other shapes. For
// each other micro-kernel it lists the cost, or why the kernel does not support the product.
// RUN: quern opt %s --lower-to-loops --config cpu=x86-64-amx --explain 2>&1 | FileCheck %s
// RUN: quern opt %s --lower-to-loops --config cpu=avxvnni --explain 2>&1 | FileCheck %s --check-prefix=VNNI
// RUN: quern opt %s --lower-to-loops --config cpu=rv64v --explain 2>&1 | FileCheck %s --check-prefix=RVV
// RUN: quern opt %s --lower-to-loops --config cpu=x86-64-amx --explain=lower-to-loops@25 2>&1 | FileCheck %s --check-prefix=ONE
// CHECK: remark: lower-to-loops: 'ml.integer_conv' of 49 pixels, 64 channels and 576 weights each is made in tiles of bytes, 32 pixels by 32 channels across rows: about {{[0-9]+}} cycles on x86-64-amx, 32 by 16 {{[0-9]+}}, 16 by 48 {{[0-9]+}}, 16 by 64 {{[0-9]+}}; in vectors of bytes, {{[0-9]+}} pixels by {{[0-9]+}} channels, {{[0-9]+}}; no vectors of bytes in groups: no products of bytes are summed in 16 bits; no vectors of bytes that saturate: no products of bytes saturate; no vectors of 16-bit pairs: products of bytes take these weights; no single bytes: no products take single bytes; no single bytes in groups: no products of single bytes are summed in 16 bits; no blocks of bytes: the target has no products of them; no bytes across a vector: the target has no products of them{{$}}
// CHECK: remark: lower-to-loops: 'ml.integer_conv' of 81 pixels, 8 channels and 64 weights each is made in vectors of bytes, {{.*}}; no tiles of bytes: there are too few channels
// CHECK: remark: lower-to-loops: 'ml.integer_linear' of 2 pixels, {{.*}}; no tiles of bytes: there are too few pixels
// VNNI: remark: lower-to-loops: 'ml.integer_conv' of 49 pixels, {{.*}} made in vectors of bytes, {{[0-9]+}} pixels by {{[0-9]+}} channels{{.*}} cycles on avxvnni, {{[^;]*}}; no vectors of bytes in groups: {{[^;]*}}; no vectors of bytes that saturate: {{[^;]*}}; no vectors of 16-bit pairs: {{[^;]*}}; no single bytes: {{[^;]*}}; no single bytes in groups: {{[^;]*}}; no blocks of bytes: {{[^;]*}}; no bytes across a vector: {{[^;]*}}; no tiles of bytes: there is no unit for them{{$}}
// RVV: remark: lower-to-loops: 'ml.integer_conv' of 49 pixels, {{.*}} made in single bytes in groups, 4 pixels by 16 channels: {{.*}}; in single bytes, 4 pixels by 16 channels, {{.*}}
// ONE-NOT: integer_linear
// ONE: 25:{{[0-9]+}}: remark: lower-to-loops: 'ml.integer_conv' of 81 pixels
// ONE-NOT: remark: lower-to-loops: 'ml.integer_
func.func @main(%x: tensor<1x9x9x64xi8>, %v: tensor<2x64xi8>) -> (tensor<1x7x7x64xi8>, tensor<1x9x9x8xi8>, tensor<2x48xi8>) {
  %w0 = "ml.const"() {value = dense<1> : tensor<64x3x3x64xi8>} : () -> tensor<64x3x3x64xi8>
  %b0 = "ml.const"() {value = dense<5> : tensor<64xi32>} : () -> tensor<64xi32>
  %m0 = "ml.const"() {value = dense<1073741824> : tensor<64xi32>} : () -> tensor<64xi32>
  %s0 = "ml.const"() {value = dense<-7> : tensor<64xi32>} : () -> tensor<64xi32>
  %y0 = "ml.integer_conv"(%x, %w0, %b0, %m0, %s0) {dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 0 : i64, pad = array<i64: 0, 0, 0, 0>, rounding = "double", strides = array<i64: 1, 1>, weight_zero_point = 0 : i64} : (tensor<1x9x9x64xi8>, tensor<64x3x3x64xi8>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) -> tensor<1x7x7x64xi8>
  %w1 = "ml.const"() {value = dense<1> : tensor<8x1x1x64xi8>} : () -> tensor<8x1x1x64xi8>
  %b1 = "ml.const"() {value = dense<5> : tensor<8xi32>} : () -> tensor<8xi32>
  %m1 = "ml.const"() {value = dense<1073741824> : tensor<8xi32>} : () -> tensor<8xi32>
  %s1 = "ml.const"() {value = dense<-7> : tensor<8xi32>} : () -> tensor<8xi32>
  %y1 = "ml.integer_conv"(%x, %w1, %b1, %m1, %s1) {dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 0 : i64, pad = array<i64: 0, 0, 0, 0>, rounding = "double", strides = array<i64: 1, 1>, weight_zero_point = 0 : i64} : (tensor<1x9x9x64xi8>, tensor<8x1x1x64xi8>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) -> tensor<1x9x9x8xi8>
  %w2 = "ml.const"() {value = dense<1> : tensor<48x64xi8>} : () -> tensor<48x64xi8>
  %b2 = "ml.const"() {value = dense<5> : tensor<48xi32>} : () -> tensor<48xi32>
  %m2 = "ml.const"() {value = dense<1073741824> : tensor<48xi32>} : () -> tensor<48xi32>
  %s2 = "ml.const"() {value = dense<-7> : tensor<48xi32>} : () -> tensor<48xi32>
  %y2 = "ml.integer_linear"(%v, %w2, %b2, %m2, %s2) {input_zero_point = 0 : i64, max = 127 : i64, min = -128 : i64, output_zero_point = 0 : i64, rounding = "double", weight_zero_point = 0 : i64} : (tensor<2x64xi8>, tensor<48x64xi8>, tensor<48xi32>, tensor<48xi32>, tensor<48xi32>) -> tensor<2x48xi8>
  return %y0, %y1, %y2 : tensor<1x7x7x64xi8>, tensor<1x9x9x8xi8>, tensor<2x48xi8>
}
