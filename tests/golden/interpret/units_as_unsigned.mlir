// Kernels of onnxruntime add the zero point before they round, and f32 has more digits for small sums. So int8 that it converts to
// uint8 has other results (docs/arithmetic.md 20.2 to 20.4): 0.5 + 2^-22 rounds to 1, but 0.5 + 2^-22 - 128 is -127.5 in f32, which
// rounds to -128.
// RUN: quern opt %s --emit=interpret --input 1x1x2x1xi8=1,0 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --input 1x1x2x1xi8=1,0 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --input 1x1x2x1xi8=1,0 | FileCheck %s --match-full-lines
// CHECK: {{.*}}[-128], [-128]{{.*}}
// CHECK-NEXT: {{.*}}[-127], [-128]{{.*}}
// CHECK-NEXT: {{.*}}[-128], [-128]{{.*}}
// CHECK-NEXT: {{.*}}[-127], [-128]{{.*}}
!a = !quant.uniform<i8:f32, 0.5000002384185791015625>
!b = !quant.uniform<i8:f32, 1.0>
!y = !quant.uniform<i8:f32, 1.0:-128>
module attributes {quern.numerics = "ort"} {
  func.func @main(%s: tensor<1x1x2x1xi8>) -> (tensor<1x1x2x1x!y>, tensor<1x1x2x1x!y>, tensor<1x1x2x1x!y>, tensor<1x1x2x1x!y>) {
    %a = quant.scast %s : tensor<1x1x2x1xi8> to tensor<1x1x2x1x!a>
    %b = "ml.const"() {value = dense<1> : tensor<1x1x2x1xi8>} : () -> tensor<1x1x2x1x!b>
    %0 = "ml.mul"(%a, %b) : (tensor<1x1x2x1x!a>, tensor<1x1x2x1x!b>) -> tensor<1x1x2x1x!y>
    %1 = "ml.mul"(%a, %b) {quern.as_unsigned} : (tensor<1x1x2x1x!a>, tensor<1x1x2x1x!b>) -> tensor<1x1x2x1x!y>
    %2 = "ml.avg_pool"(%a) {kernel_sizes = array<i64: 1, 1>, strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x1x2x1x!a>) -> tensor<1x1x2x1x!y>
    %3 = "ml.avg_pool"(%a) {kernel_sizes = array<i64: 1, 1>, strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, quern.as_unsigned} : (tensor<1x1x2x1x!a>) -> tensor<1x1x2x1x!y>
    return %0, %1, %2, %3 : tensor<1x1x2x1x!y>, tensor<1x1x2x1x!y>, tensor<1x1x2x1x!y>, tensor<1x1x2x1x!y>
  }
}
