// The module sets the rounding of quant.qcast, the same at every stage: nearest even without
// quern.numerics, the dialect's default; half away from zero with a profile, as in TensorFlow Lite. An option of
// lower-quant-ops overrides it.
// RUN: quern opt %s --split-input-file --emit=interpret | FileCheck %s
// RUN: quern opt %s --split-input-file --canonicalize --emit=interpret | FileCheck %s
// RUN: quern opt %s --split-input-file --lower-quant-ops --emit=interpret | FileCheck %s
// RUN: quern opt %s --split-input-file --lower-quant-ops=rounding=module --emit=interpret | FileCheck %s
// RUN: quern opt %s --split-input-file --lower-quant-ops --canonicalize --emit=interpret | FileCheck %s
// RUN: quern opt %s --split-input-file --lower-to-integer --emit=interpret | FileCheck %s
// RUN: quern opt %s --split-input-file --lower-quant-ops=rounding=away --emit=interpret | FileCheck %s --check-prefix=AWAY
// RUN: quern opt %s --split-input-file --lower-quant-ops=rounding=even --emit=interpret | FileCheck %s --check-prefix=EVEN
// MLIR-OPT: none
// CHECK: dense<[10, 12, 12, 10, 8, 8, 13, 127, -128, 10]>
// CHECK-COUNT-2: dense<[11, 12, 13, 9, 8, 7, 13, 127, -128, 10]>
// AWAY-COUNT-3: dense<[11, 12, 13, 9, 8, 7, 13, 127, -128, 10]>
// EVEN-COUNT-3: dense<[10, 12, 12, 10, 8, 8, 13, 127, -128, 10]>
// At the integer stage the op states its rounding.
// RUN: quern opt %s --split-input-file --lower-to-integer | FileCheck %s --check-prefix=OP
// OP: "ml.quantize_float"(%{{.*}}) {max = 127 : i64, min = -128 : i64, rounding = "even", scale = 5.000000e-01 : f32, zero_point = 10 : i64}
// OP-COUNT-2: rounding = "away"
!q = !quant.uniform<i8:f32, 0.5:10>
module {
  func.func @main() -> tensor<10x!q> {
    %x = "ml.const"() {value = dense<[0.25, 0.75, 1.25, -0.25, -0.75, -1.25, 1.35, 300.0, 0xFF800000, 0x7FC00000]> : tensor<10xf32>} : () -> tensor<10xf32>
    %0 = quant.qcast %x : tensor<10xf32> to tensor<10x!q>
    return %0 : tensor<10x!q>
  }
}
// -----
!q = !quant.uniform<i8:f32, 0.5:10>
module attributes {quern.numerics = "litert-ref"} {
  func.func @main() -> tensor<10x!q> {
    %x = "ml.const"() {value = dense<[0.25, 0.75, 1.25, -0.25, -0.75, -1.25, 1.35, 300.0, 0xFF800000, 0x7FC00000]> : tensor<10xf32>} : () -> tensor<10xf32>
    %0 = quant.qcast %x : tensor<10xf32> to tensor<10x!q>
    return %0 : tensor<10x!q>
  }
}
// -----
!q = !quant.uniform<i8:f32, 0.5:10>
module attributes {quern.numerics = "tflm"} {
  func.func @main() -> tensor<10x!q> {
    %x = "ml.const"() {value = dense<[0.25, 0.75, 1.25, -0.25, -0.75, -1.25, 1.35, 300.0, 0xFF800000, 0x7FC00000]> : tensor<10xf32>} : () -> tensor<10xf32>
    %0 = quant.qcast %x : tensor<10xf32> to tensor<10x!q>
    return %0 : tensor<10x!q>
  }
}
