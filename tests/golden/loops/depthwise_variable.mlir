// Depthwise convolutions whose weights are arguments: packed at run time, as bytes or as int16, for the column-wise
// or tap-wise variant, or, with many taps, as groups. golden.engines computes them at two levels.
// RUN: quern opt %s --lower-to-integer | FileCheck %s
module attributes {quern.numerics = "litert-ref"} {
  // CHECK-LABEL: @one
  // CHECK: "ml.integer_depthwise_conv"(%{{.*}}, %arg1, 
  func.func @one(%x: tensor<1x5x5x1x!quant.uniform<i8:f32, 0.05:3>>, %w: tensor<1x3x3x1x!quant.uniform<i8:f32, 0.02>>, %b: tensor<1xi32>) -> tensor<1x3x3x1x!quant.uniform<i8:f32, 0.4:-4>> {
    %y = "ml.depthwise_conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x5x5x1x!quant.uniform<i8:f32, 0.05:3>>, tensor<1x3x3x1x!quant.uniform<i8:f32, 0.02>>, tensor<1xi32>) -> tensor<1x3x3x1x!quant.uniform<i8:f32, 0.4:-4>>
    return %y : tensor<1x3x3x1x!quant.uniform<i8:f32, 0.4:-4>>
  }
  // CHECK-LABEL: @few
  // CHECK: "ml.integer_depthwise_conv"(%{{.*}}, %arg1, 
  func.func @few(%x: tensor<2x6x7x3x!quant.uniform<i8:f32, 0.05:3>>, %w: tensor<1x3x3x3x!quant.uniform<i8:f32, 0.02>>, %b: tensor<3xi32>) -> tensor<2x6x7x3x!quant.uniform<i8:f32, 0.4:-4>> {
    %y = "ml.depthwise_conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<2x6x7x3x!quant.uniform<i8:f32, 0.05:3>>, tensor<1x3x3x3x!quant.uniform<i8:f32, 0.02>>, tensor<3xi32>) -> tensor<2x6x7x3x!quant.uniform<i8:f32, 0.4:-4>>
    return %y : tensor<2x6x7x3x!quant.uniform<i8:f32, 0.4:-4>>
  }
  // CHECK-LABEL: @eight
  // CHECK: "ml.integer_depthwise_conv"(%{{.*}}, %arg1, 
  func.func @eight(%x: tensor<1x6x6x8x!quant.uniform<i8:f32, 0.05:3>>, %w: tensor<1x3x3x8x!quant.uniform<i8:f32, 0.02>>) -> tensor<1x3x3x8x!quant.uniform<i8:f32, 0.4:-4>> {
    %y = "ml.depthwise_conv"(%x, %w) {strides = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 1>, dilations = array<i64: 1, 1>} : (tensor<1x6x6x8x!quant.uniform<i8:f32, 0.05:3>>, tensor<1x3x3x8x!quant.uniform<i8:f32, 0.02>>) -> tensor<1x3x3x8x!quant.uniform<i8:f32, 0.4:-4>>
    return %y : tensor<1x3x3x8x!quant.uniform<i8:f32, 0.4:-4>>
  }
  // CHECK-LABEL: @vectors
  // CHECK: "ml.integer_depthwise_conv"(%{{.*}}, %arg1, 
  func.func @vectors(%x: tensor<1x5x9x32x!quant.uniform<i8:f32, 0.05:3>>, %w: tensor<1x3x3x32x!quant.uniform<i8:f32, 0.02>>, %b: tensor<32xi32>) -> tensor<1x5x9x32x!quant.uniform<i8:f32, 0.4:-4>> {
    %y = "ml.depthwise_conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x5x9x32x!quant.uniform<i8:f32, 0.05:3>>, tensor<1x3x3x32x!quant.uniform<i8:f32, 0.02>>, tensor<32xi32>) -> tensor<1x5x9x32x!quant.uniform<i8:f32, 0.4:-4>>
    return %y : tensor<1x5x9x32x!quant.uniform<i8:f32, 0.4:-4>>
  }
  // CHECK-LABEL: @rest
  // CHECK: "ml.integer_depthwise_conv"(%{{.*}}, %arg1, 
  func.func @rest(%x: tensor<1x4x5x100x!quant.uniform<i8:f32, 0.05:3>>, %w: tensor<1x3x3x100x!quant.uniform<i8:f32, 0.02>>, %b: tensor<100xi32>) -> tensor<1x2x3x100x!quant.uniform<i8:f32, 0.4:-4>> {
    %y = "ml.depthwise_conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x100x!quant.uniform<i8:f32, 0.05:3>>, tensor<1x3x3x100x!quant.uniform<i8:f32, 0.02>>, tensor<100xi32>) -> tensor<1x2x3x100x!quant.uniform<i8:f32, 0.4:-4>>
    return %y : tensor<1x2x3x100x!quant.uniform<i8:f32, 0.4:-4>>
  }
  // CHECK-LABEL: @many
  // CHECK: "ml.integer_depthwise_conv"(%{{.*}}, %arg1, 
  func.func @many(%x: tensor<1x5x5x160x!quant.uniform<i8:f32, 0.05:3>>, %w: tensor<1x5x5x160x!quant.uniform<i8:f32, 0.02>>, %b: tensor<160xi32>) -> tensor<1x5x5x160x!quant.uniform<i8:f32, 0.4:-4>> {
    %y = "ml.depthwise_conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>} : (tensor<1x5x5x160x!quant.uniform<i8:f32, 0.05:3>>, tensor<1x5x5x160x!quant.uniform<i8:f32, 0.02>>, tensor<160xi32>) -> tensor<1x5x5x160x!quant.uniform<i8:f32, 0.4:-4>>
    return %y : tensor<1x5x5x160x!quant.uniform<i8:f32, 0.4:-4>>
  }
  // CHECK-LABEL: @dilated
  // CHECK: "ml.integer_depthwise_conv"(%{{.*}}, %arg1, 
  func.func @dilated(%x: tensor<1x7x7x17x!quant.uniform<i8:f32, 0.05:3>>, %w: tensor<1x3x2x17x!quant.uniform<i8:f32, 0.02>>, %b: tensor<17xi32>) -> tensor<1x3x5x17x!quant.uniform<i8:f32, 0.4:-4>> {
    %y = "ml.depthwise_conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 2, 2>} : (tensor<1x7x7x17x!quant.uniform<i8:f32, 0.05:3>>, tensor<1x3x2x17x!quant.uniform<i8:f32, 0.02>>, tensor<17xi32>) -> tensor<1x3x5x17x!quant.uniform<i8:f32, 0.4:-4>>
    return %y : tensor<1x3x5x17x!quant.uniform<i8:f32, 0.4:-4>>
  }
  // CHECK-LABEL: @tall
  // CHECK: "ml.integer_depthwise_conv"(%{{.*}}, %arg1, 
  func.func @tall(%x: tensor<1x7x4x24x!quant.uniform<i8:f32, 0.05:3>>, %w: tensor<1x7x1x24x!quant.uniform<i8:f32, 0.02>>, %b: tensor<24xi32>) -> tensor<1x1x4x24x!quant.uniform<i8:f32, 0.4:-4>> {
    %y = "ml.depthwise_conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x7x4x24x!quant.uniform<i8:f32, 0.05:3>>, tensor<1x7x1x24x!quant.uniform<i8:f32, 0.02>>, tensor<24xi32>) -> tensor<1x1x4x24x!quant.uniform<i8:f32, 0.4:-4>>
    return %y : tensor<1x1x4x24x!quant.uniform<i8:f32, 0.4:-4>>
  }
  // CHECK-LABEL: @point
  // CHECK: "ml.integer_depthwise_conv"(%{{.*}}, %arg1, 
  func.func @point(%x: tensor<1x3x3x40x!quant.uniform<i8:f32, 0.05:3>>, %w: tensor<1x1x1x40x!quant.uniform<i8:f32, 0.02>>, %b: tensor<40xi32>) -> tensor<1x2x2x40x!quant.uniform<i8:f32, 0.4:-4>> {
    %y = "ml.depthwise_conv"(%x, %w, %b) {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x3x40x!quant.uniform<i8:f32, 0.05:3>>, tensor<1x1x1x40x!quant.uniform<i8:f32, 0.02>>, tensor<40xi32>) -> tensor<1x2x2x40x!quant.uniform<i8:f32, 0.4:-4>>
    return %y : tensor<1x2x2x40x!quant.uniform<i8:f32, 0.4:-4>>
  }
  // CHECK-LABEL: @wide_kernel
  // CHECK: "ml.integer_depthwise_conv"(%{{.*}}, %arg1, 
  func.func @wide_kernel(%x: tensor<1x3x12x16x!quant.uniform<i8:f32, 0.05:3>>, %w: tensor<1x2x9x16x!quant.uniform<i8:f32, 0.02>>, %b: tensor<16xi32>) -> tensor<1x2x4x16x!quant.uniform<i8:f32, 0.4:-4>> {
    %y = "ml.depthwise_conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x12x16x!quant.uniform<i8:f32, 0.05:3>>, tensor<1x2x9x16x!quant.uniform<i8:f32, 0.02>>, tensor<16xi32>) -> tensor<1x2x4x16x!quant.uniform<i8:f32, 0.4:-4>>
    return %y : tensor<1x2x4x16x!quant.uniform<i8:f32, 0.4:-4>>
  }
  // CHECK-LABEL: @unsigned
  // CHECK: "ml.integer_depthwise_conv"(%{{.*}}, %arg1, 
  func.func @unsigned(%x: tensor<1x6x6x64x!quant.uniform<u8:f32, 0.05:131>>, %w: tensor<1x3x3x64x!quant.uniform<u8:f32, 0.02:120>>, %b: tensor<64xi32>) -> tensor<1x4x4x64x!quant.uniform<u8:f32, 0.4:124>> {
    %y = "ml.depthwise_conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x6x64x!quant.uniform<u8:f32, 0.05:131>>, tensor<1x3x3x64x!quant.uniform<u8:f32, 0.02:120>>, tensor<64xi32>) -> tensor<1x4x4x64x!quant.uniform<u8:f32, 0.4:124>>
    return %y : tensor<1x4x4x64x!quant.uniform<u8:f32, 0.4:124>>
  }
  // CHECK-LABEL: @unsigned_few
  // CHECK: "ml.integer_depthwise_conv"(%{{.*}}, %arg1, 
  func.func @unsigned_few(%x: tensor<1x6x6x5x!quant.uniform<u8:f32, 0.05:131>>, %w: tensor<1x4x4x5x!quant.uniform<u8:f32, 0.02:1>>, %b: tensor<5xi32>) -> tensor<1x3x3x5x!quant.uniform<u8:f32, 0.4:124>> {
    %y = "ml.depthwise_conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x6x5x!quant.uniform<u8:f32, 0.05:131>>, tensor<1x4x4x5x!quant.uniform<u8:f32, 0.02:1>>, tensor<5xi32>) -> tensor<1x3x3x5x!quant.uniform<u8:f32, 0.4:124>>
    return %y : tensor<1x3x3x5x!quant.uniform<u8:f32, 0.4:124>>
  }
  // CHECK-LABEL: @large_kernel
  // CHECK: "ml.integer_depthwise_conv"(%{{.*}}, %arg1, 
  func.func @large_kernel(%x: tensor<1x13x13x4x!quant.uniform<i8:f32, 0.05:3>>, %w: tensor<1x12x12x4x!quant.uniform<i8:f32, 0.02>>, %b: tensor<4xi32>) -> tensor<1x2x2x4x!quant.uniform<i8:f32, 0.4:-4>> {
    %y = "ml.depthwise_conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x13x13x4x!quant.uniform<i8:f32, 0.05:3>>, tensor<1x12x12x4x!quant.uniform<i8:f32, 0.02>>, tensor<4xi32>) -> tensor<1x2x2x4x!quant.uniform<i8:f32, 0.4:-4>>
    return %y : tensor<1x2x2x4x!quant.uniform<i8:f32, 0.4:-4>>
  }
  // CHECK-LABEL: @multiplied
  // CHECK: "ml.integer_depthwise_conv"(%{{.*}}, %arg1, 
  func.func @multiplied(%x: tensor<1x5x5x6x!quant.uniform<i8:f32, 0.05:3>>, %w: tensor<1x3x3x12x!quant.uniform<i8:f32, 0.02>>, %b: tensor<12xi32>) -> tensor<1x3x3x12x!quant.uniform<i8:f32, 0.4:-4>> {
    %y = "ml.depthwise_conv"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x5x5x6x!quant.uniform<i8:f32, 0.05:3>>, tensor<1x3x3x12x!quant.uniform<i8:f32, 0.02>>, tensor<12xi32>) -> tensor<1x3x3x12x!quant.uniform<i8:f32, 0.4:-4>>
    return %y : tensor<1x3x3x12x!quant.uniform<i8:f32, 0.4:-4>>
  }
}
