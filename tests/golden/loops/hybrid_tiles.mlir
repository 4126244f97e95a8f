// Products of quantized rows and 8-bit weights use AMX where there is a matrix unit and they have enough rows; else they
// multiply vectors.
// RUN: quern opt %s --lower-to-integer --lower-to-loops --config cpu=x86-64-amx | FileCheck %s
// RUN: quern opt %s --lower-to-integer --lower-to-loops --config cpu=avx512vbmi | FileCheck %s --check-prefix=VECTORS
// RUN: quern opt %s --lower-to-integer --lower-to-loops --config cpu=x86-64-amx --explain 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// MLIR-OPT: none
// CHECK-LABEL: func.func private @hybrid_
// CHECK: "quern.tile_dot"
// CHECK: arith.muli
// CHECK: arith.sitofp
// CHECK-LABEL: func.func private @hybrid_
// CHECK-NOT: quern.tile_dot
// CHECK-LABEL: func.func @main
// VECTORS-NOT: quern.tile_dot
// VECTORS-LABEL: func.func @main
// EXPLAIN: 'ml.hybrid_linear' of 128 pixels, 32 channels and 64 weights each is made in tiles of bytes, 32 pixels by 32 channels: about {{[0-9]+}} cycles on x86-64-amx
// EXPLAIN-NOT: 'ml.hybrid_linear' of 1 pixels
// EXPLAIN-LABEL: func.func @main
!w = !quant.uniform<i8:f32, 0.5>
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<128x64xf32>, %one: tensor<1x64xf32>) -> (tensor<128x32xf32>, tensor<1x32xf32>) {
    %w = "ml.const"() {value = dense<3> : tensor<32x64xi8>} : () -> tensor<32x64x!w>
    %0 = "ml.linear"(%x, %w) {asymmetric_inputs = true} : (tensor<128x64xf32>, tensor<32x64x!w>) -> tensor<128x32xf32>
    %1 = "ml.linear"(%one, %w) {asymmetric_inputs = true} : (tensor<1x64xf32>, tensor<32x64x!w>) -> tensor<1x32xf32>
    return %0, %1 : tensor<128x32xf32>, tensor<1x32xf32>
  }
}
