// A PReLU with one slope becomes a leaky ReLU; cases that must stay.
// RUN: quern opt %s --prelu-to-lrelu | FileCheck %s
// RUN: quern opt %s --prelu-to-lrelu --prelu-to-lrelu | FileCheck %s
!q = !quant.uniform<i8:f32, 0.5>

// CHECK-LABEL: func.func @equal
// CHECK-NEXT: "ml.leaky_relu"(%arg0) {alpha = 1.500000e+00 : f64}
// CHECK-NEXT: return
func.func @equal(%x: tensor<1x3x2xf32>) -> tensor<1x3x2xf32> {
  %a = "ml.const"() {value = dense<[1.5, 1.5]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.prelu"(%x, %a) : (tensor<1x3x2xf32>, tensor<2xf32>) -> tensor<1x3x2xf32>
  return %y : tensor<1x3x2xf32>
}
// CHECK-LABEL: func.func @differing
// CHECK: ml.prelu
// CHECK-NEXT: return
func.func @differing(%x: tensor<1x3x2xf32>) -> tensor<1x3x2xf32> {
  %a = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.prelu"(%x, %a) : (tensor<1x3x2xf32>, tensor<2xf32>) -> tensor<1x3x2xf32>
  return %y : tensor<1x3x2xf32>
}
// CHECK-LABEL: func.func @signs_of_zero
// CHECK: ml.prelu
// CHECK-NEXT: return
func.func @signs_of_zero(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = "ml.const"() {value = dense<[0.0, -0.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "ml.prelu"(%x, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
// CHECK-LABEL: func.func @not_finite
// CHECK: ml.prelu
// CHECK-NEXT: return
func.func @not_finite(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<0x7F800000> : tensor<1xf32>} : () -> tensor<1xf32>
  %y = "ml.prelu"(%x, %a) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @computed
// CHECK: ml.prelu
// CHECK-NEXT: return
func.func @computed(%x: tensor<4xf32>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %y = "ml.prelu"(%x, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @larger
// CHECK: ml.prelu
// CHECK-NEXT: return
func.func @larger(%x: tensor<4xf32>) -> tensor<3x4xf32> {
  %a = "ml.const"() {value = dense<0.5> : tensor<3x4xf32>} : () -> tensor<3x4xf32>
  %y = "ml.prelu"(%x, %a) : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
// CHECK-LABEL: func.func @quantized
// CHECK: ml.prelu
// CHECK-NEXT: return
func.func @quantized(%x: tensor<4x!q>) -> tensor<4x!q> {
  %a = "ml.const"() {value = dense<4> : tensor<4xi8>} : () -> tensor<4x!q>
  %y = "ml.prelu"(%x, %a) : (tensor<4x!q>, tensor<4x!q>) -> tensor<4x!q>
  return %y : tensor<4x!q>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK-NEXT: "ml.leaky_relu"(%arg1)
func.func @in_branch(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %a = "ml.const"() {value = dense<0.5> : tensor<1xf32>} : () -> tensor<1xf32>
    %g = "ml.prelu"(%x, %a) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
// A multiplication by this slope turns -0 into +0, and so does ml.leaky_relu.
// CHECK-LABEL: func.func @with_sign
// CHECK: ml.prelu
// CHECK-NEXT: return
func.func @with_sign(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<-0.5> : tensor<1xf32>} : () -> tensor<1xf32>
  %y = "ml.prelu"(%x, %a) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
