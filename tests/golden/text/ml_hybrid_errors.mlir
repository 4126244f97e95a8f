// Invalid combinations in products of bytes whose scales are known at run time only.
// RUN: quern opt %s --split-input-file --verify-diagnostics
// MLIR-OPT: none
func.func @no_rows(%x: tensor<4xf32>) {
  // expected-error@below {{'ml.quantize_rows' op an input of rank 1 has no rows of 1 dimensions}}
  %0:3 = "ml.quantize_rows"(%x) {rows = 1 : i64, scheme = "dynamic"} : (tensor<4xf32>) -> (tensor<4xui8>, tensor<4xf32>, tensor<4xi32>)
  return
}

// -----

func.func @signed_bytes(%x: tensor<2x4xf32>) {
  // expected-error@below {{'ml.quantize_rows' op the steps, if not f32, must be 'tensor<2x4xui8>', but is 'tensor<2x4xi8>'}}
  %0:3 = "ml.quantize_rows"(%x) {rows = 1 : i64, scheme = "dynamic"} : (tensor<2x4xf32>) -> (tensor<2x4xi8>, tensor<2xf32>, tensor<2xi32>)
  return
}

// -----

func.func @scales_of_other_rows(%x: tensor<2x4xui8>, %s: tensor<3xf32>, %z: tensor<3xi32>, %w: tensor<5x4xi8>, %c: tensor<5xf32>) {
  // expected-error@below {{'ml.hybrid_linear' op the scales must be 'tensor<2xf32>', but is 'tensor<3xf32>'}}
  %0 = "ml.hybrid_linear"(%x, %s, %z, %w, %c) {order = "scales"} : (tensor<2x4xui8>, tensor<3xf32>, tensor<3xi32>, tensor<5x4xi8>, tensor<5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @other_depth(%x: tensor<2x4xui8>, %s: tensor<2xf32>, %z: tensor<2xi32>, %w: tensor<5x3xi8>, %c: tensor<5xf32>) {
  // expected-error@below {{'ml.hybrid_linear' op 'tensor<2x4xui8>' has no rows for weights 'tensor<5x3xi8>'}}
  %0 = "ml.hybrid_linear"(%x, %s, %z, %w, %c) {order = "scales"} : (tensor<2x4xui8>, tensor<2xf32>, tensor<2xi32>, tensor<5x3xi8>, tensor<5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @window_too_large(%x: tensor<1x2x2x1xui8>, %s: tensor<1xf32>, %z: tensor<1xi32>, %w: tensor<5x3x3x1xi8>, %c: tensor<5xf32>) {
  // expected-error@below {{'ml.hybrid_conv' op the window does not fit 'tensor<1x2x2x1xui8>'}}
  %0 = "ml.hybrid_conv"(%x, %s, %z, %w, %c) {order = "scales", strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x2x2x1xui8>, tensor<1xf32>, tensor<1xi32>, tensor<5x3x3x1xi8>, tensor<5xf32>) -> tensor<1x1x1x5xf32>
  return
}

// -----

func.func @rows(%x: tensor<2x4x4xf32>) {
  // expected-error@below {{'ml.quantize_rows' op rows by row8 are the last dimension, and have a block}}
  %0:3 = "ml.quantize_rows"(%x) {block = 2 : i64, rows = 1 : i64, scheme = "row8"} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xi8>, tensor<2xf32>, tensor<2x2xi32>)
  return
}

// -----

func.func @sums(%x: tensor<2x5xf32>) {
  // expected-error@below {{'ml.quantize_rows' op the sums must be 'tensor<2x3xi32>', but is 'tensor<2x2xi32>'}}
  %0:3 = "ml.quantize_rows"(%x) {block = 2 : i64, rows = 1 : i64, scheme = "row8"} : (tensor<2x5xf32>) -> (tensor<2x5xi8>, tensor<2xf32>, tensor<2x2xi32>)
  return
}

// -----

func.func @other(%x: tensor<2x4xf32>) {
  // expected-error@below {{'ml.quantize_rows' op blocks belong to row8}}
  %0:3 = "ml.quantize_rows"(%x) {block = 2 : i64, rows = 1 : i64, scheme = "dynamic"} : (tensor<2x4xf32>) -> (tensor<2x4xui8>, tensor<2xf32>, tensor<2xi32>)
  return
}

// -----

func.func @scales(%x: tensor<2x4xi8>, %s: tensor<2xf32>, %t: tensor<2x2xi32>, %w: tensor<3x4xui8>, %c: tensor<3x1xf32>, %z: tensor<3x2xui8>) {
  // expected-error@below {{'ml.block_linear' op the weights' scales must be 'tensor<3x2xf32>', but is 'tensor<3x1xf32>'}}
  %0 = "ml.block_linear"(%x, %s, %t, %w, %c, %z) {block = 2 : i64} : (tensor<2x4xi8>, tensor<2xf32>, tensor<2x2xi32>, tensor<3x4xui8>, tensor<3x1xf32>, tensor<3x2xui8>) -> tensor<2x3xf32>
  return
}
