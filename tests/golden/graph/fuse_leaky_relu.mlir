// max(x, a * x) becomes a leaky ReLU; other functions stay.
// RUN: quern opt %s --fuse-leaky-relu | FileCheck %s
// RUN: quern opt %s --fuse-leaky-relu --fuse-leaky-relu | FileCheck %s

// CHECK-LABEL: func.func @order_0
// CHECK-NEXT: "ml.leaky_relu"(%arg0) {alpha = 2.500000e-01 : f64}
// CHECK-NEXT: return
func.func @order_0(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %p1 = "ml.mul"(%x, %a) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.maximum"(%p1, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @order_1
// CHECK-NEXT: "ml.leaky_relu"(%arg0) {alpha = 2.500000e-01 : f64}
// CHECK-NEXT: return
func.func @order_1(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %p1 = "ml.mul"(%x, %a) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.maximum"(%x, %p1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @order_2
// CHECK-NEXT: "ml.leaky_relu"(%arg0) {alpha = 2.500000e-01 : f64}
// CHECK-NEXT: return
func.func @order_2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %p1 = "ml.mul"(%a, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.maximum"(%p1, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @order_3
// CHECK-NEXT: "ml.leaky_relu"(%arg0) {alpha = 2.500000e-01 : f64}
// CHECK-NEXT: return
func.func @order_3(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %p1 = "ml.mul"(%a, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.maximum"(%x, %p1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @all_the_same
// CHECK-NEXT: "ml.leaky_relu"(%arg0) {alpha = 2.500000e-01 : f64}
// CHECK-NEXT: return
func.func @all_the_same(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<[0.25, 0.25, 0.25, 0.25]> : tensor<4xf32>} : () -> tensor<4xf32>
  %p1 = "ml.mul"(%x, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.maximum"(%p1, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @whole
// CHECK-NEXT: "ml.leaky_relu"(%arg0) {alpha = 1.000000e+00 : f64}
func.func @whole(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %p1 = "ml.mul"(%x, %a) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.maximum"(%p1, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// Unchanged: above 1 the other side changes, 0 times infinity is NaN, and a negative slope is not a leaky ReLU.
// CHECK-LABEL: func.func @too_large
// CHECK: ml.mul
// CHECK-NOT: ml.leaky_relu
// CHECK: return
func.func @too_large(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<1.3> : tensor<f32>} : () -> tensor<f32>
  %p1 = "ml.mul"(%x, %a) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.maximum"(%p1, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @zero
// CHECK: ml.mul
// CHECK-NOT: ml.leaky_relu
// CHECK: return
func.func @zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %p1 = "ml.mul"(%x, %a) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.maximum"(%p1, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @negative
// CHECK: ml.mul
// CHECK-NOT: ml.leaky_relu
// CHECK: return
func.func @negative(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<-0.25> : tensor<f32>} : () -> tensor<f32>
  %p1 = "ml.mul"(%x, %a) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.maximum"(%p1, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @differing
// CHECK: ml.mul
// CHECK-NOT: ml.leaky_relu
// CHECK: return
func.func @differing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<[0.25, 0.25, 0.5, 0.25]> : tensor<4xf32>} : () -> tensor<4xf32>
  %p1 = "ml.mul"(%x, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.maximum"(%p1, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @of_another
// CHECK: ml.mul
// CHECK-NOT: ml.leaky_relu
// CHECK: return
func.func @of_another(%x: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.const"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %p1 = "ml.mul"(%x, %a) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.maximum"(%p1, %z) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @of_constant
// CHECK: ml.mul
// CHECK-NOT: ml.leaky_relu
// CHECK: return
func.func @of_constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k2 = "ml.const"() {value = dense<0.1> : tensor<f32>} : () -> tensor<f32>
  %a = "ml.const"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %p1 = "ml.mul"(%x, %a) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.maximum"(%p1, %k2) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @product_returned
// CHECK: ml.mul
// CHECK-NOT: ml.leaky_relu
// CHECK: return
func.func @product_returned(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "ml.const"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %p1 = "ml.mul"(%x, %a) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.maximum"(%p1, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y, %p1 : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @higher_rank
// CHECK: ml.mul
// CHECK-NOT: ml.leaky_relu
// CHECK: return
func.func @higher_rank(%x: tensor<4xf32>) -> tensor<1x4xf32> {
  %a = "ml.const"() {value = dense<0.25> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %p1 = "ml.mul"(%x, %a) : (tensor<4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
  %y = "ml.maximum"(%p1, %x) : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}
// CHECK-LABEL: func.func @whole_numbers
// CHECK: ml.mul
// CHECK-NOT: ml.leaky_relu
// CHECK: return
func.func @whole_numbers(%x: tensor<4xi32>) -> tensor<4xi32> {
  %a = "ml.const"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %p1 = "ml.mul"(%x, %a) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %y = "ml.maximum"(%p1, %x) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK-NEXT: "ml.leaky_relu"(%arg1)
func.func @in_branch(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %a = "ml.const"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
    %p1 = "ml.mul"(%x, %a) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %g = "ml.maximum"(%p1, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
