// A recurrent cell on floats with 8-bit weights widens its weights in registers (without a profile) or multiplies bytes (hybrid): no
// time step dequantizes or packs them, and no memory is prepared.
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,FLOAT
// RUN: sed 's/^module {/module attributes {quern.numerics = "litert-ref"} {/' %s | quern opt - --compile --config cpu=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,BYTES
// MLIR-OPT: none
// CHECK-NOT: kernel = @{{dequantize|pack}}
// FLOAT-COUNT-5: kernel = @narrow_
// BYTES-COUNT-5: kernel = @hybrid_
// CHECK-NOT: kernel = @{{dequantize|pack}}
!k = !quant.uniform<i8<-127:127>:f32, 0.0625>
module {
  func.func @main(%x: tensor<1x4x24xf32>, %h: tensor<1x32xf32>, %c: tensor<1x32xf32>) -> (tensor<1x4x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) {
    %w = "ml.const"() {value = dense<7> : tensor<32x24xi8>} : () -> tensor<32x24x!k>
    %r = "ml.const"() {value = dense<5> : tensor<32x32xi8>} : () -> tensor<32x32x!k>
    %b = "ml.const"() {value = dense<0.5> : tensor<32xf32>} : () -> tensor<32xf32>
    %y, %n, %m = "ml.lstm"(%x, %h, %c, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b) {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0>, time_major = false, cell_clip = 10.0 : f32} : (tensor<1x4x24xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<32x24x!k>, tensor<32x24x!k>, tensor<32x24x!k>, tensor<32x24x!k>, tensor<32x32x!k>, tensor<32x32x!k>, tensor<32x32x!k>, tensor<32x32x!k>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<1x4x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>)
    return %y, %n, %m : tensor<1x4x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>
  }
}
