// The variants of gelu at the model stage and lowered. With the sigmoid, it is
// x / (1 + e^(-1.702 x)): -0.1083378, 0, 0.3503884, 1.9356586; 8 bits give the nearest sixteenth.
// RUN: quern opt %s --emit=interpret --function forms --input "4xf32=-1.5,0,0.5,2" | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function forms --input "4xf32=-1.5,0,0.5,2" | FileCheck %s --match-full-lines
// RUN: quern opt %s --emit=interpret --function codes --input "4xi8=-48,0,16,64" | FileCheck %s --check-prefix=CODES --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function codes --input "4xi8=-48,0,16,64" | FileCheck %s --check-prefix=CODES --match-full-lines
// CHECK: dense<[-0.100210801, 0.000000e+00, 0.345731258, 1.95449972]> : tensor<4xf32>
// CHECK-NEXT: dense<[-0.100428432, 0.000000e+00, 3.457140e-01, 1.95459771]> : tensor<4xf32>
// CHECK-NEXT: dense<[-0.108337805, 0.000000e+00, 0.350388438, 1.93565857]> : tensor<4xf32>
// CODES: dense<[-5, -3, 3, 28]> : tensor<4xi8>
// Below 0 nothing cancels, and infinities are products: -5.5 gives -1.04442594e-7; 1 + erf(x / sqrt(2)) would lose every digit.
// RUN: quern opt %s --emit=interpret --function far --input "19xf32=-5.5,-13,-15,-inf,inf,nan,-0.0,0,5.5,-5.5,-13,-15,-inf,inf,nan,-0.0,0,5.5,-5.5" | FileCheck %s --check-prefix=FAR --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function far --input "19xf32=-5.5,-13,-15,-inf,inf,nan,-0.0,0,5.5,-5.5,-13,-15,-inf,inf,nan,-0.0,0,5.5,-5.5" | FileCheck %s --check-prefix=FAR --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --cpu baseline --function far --input "19xf32=-5.5,-13,-15,-inf,inf,nan,-0.0,0,5.5,-5.5,-13,-15,-inf,inf,nan,-0.0,0,5.5,-5.5" | FileCheck %s --check-prefix=FAR --match-full-lines
// RUN: quern opt %s --lower-to-integer | FileCheck %s --check-prefix=LOWERED
// LOWERED: quern.gelu %{{.*}} : f32
// FAR: dense<[-1.04442584E-7, -7.95231385E-38, -0.000000e+00, 0x7FC00000, 0x7F800000, 0x7FC00000, -0.000000e+00, 0.000000e+00, 5.500000e+00, -1.04442584E-7, -7.95231385E-38, -0.000000e+00, 0x7FC00000, 0x7F800000, 0x7FC00000, -0.000000e+00, 0.000000e+00, 5.500000e+00, -1.04442584E-7]> : tensor<19xf32>
!x = !quant.uniform<i8:f32, 0.03125>
!y = !quant.uniform<i8:f32, 0.0625:-3>

func.func @forms(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = "ml.gelu"(%x) {mode = "exact"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ml.gelu"(%x) {mode = "tanh_approximation"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "ml.gelu"(%x) {mode = "sigmoid_approximation"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func @codes(%x: tensor<4xi8>) -> tensor<4xi8> {
  %q = quant.scast %x : tensor<4xi8> to tensor<4x!x>
  %0 = "ml.gelu"(%q) {mode = "sigmoid_approximation"} : (tensor<4x!x>) -> tensor<4x!y>
  %1 = quant.scast %0 : tensor<4x!y> to tensor<4xi8>
  return %1 : tensor<4xi8>
}
func.func @far(%x: tensor<19xf32>) -> tensor<19xf32> {
  %0 = "ml.gelu"(%x) {mode = "exact"} : (tensor<19xf32>) -> tensor<19xf32>
  return %0 : tensor<19xf32>
}
