// Division by a constant becomes multiplication by its inverse; cases that must stay a division.
// RUN: quern opt %s --divide-to-multiply | FileCheck %s
// RUN: quern opt %s --divide-to-multiply --divide-to-multiply | FileCheck %s

// CHECK-LABEL: func.func @number
// CHECK-NEXT: %[[K:.*]] = "ml.const"() {value = dense<1.250000e-01>
// CHECK-NEXT: "ml.mul"(%arg0, %[[K]])
// CHECK-NEXT: return
func.func @number(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<8.0> : tensor<f32>} : () -> tensor<f32>
  %y = "ml.real_div"(%x, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @vector
// CHECK-NEXT: %[[K:.*]] = "ml.const"() {value = dense<[1.000000e+00, -5.000000e-01, 2.500000e-01, 2.000000e+00]>
// CHECK-NEXT: "ml.mul"(%arg0, %[[K]]) {activation = "relu6"}
func.func @vector(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<[1.0, -2.0, 4.0, 0.5]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.real_div"(%x, %k) {activation = "relu6"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @half_precision
// CHECK: ml.mul
func.func @half_precision(%x: tensor<4xf16>) -> tensor<4xf16> {
  %k = "ml.const"() {value = dense<3.0> : tensor<f16>} : () -> tensor<f16>
  %y = "ml.real_div"(%x, %k) : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  return %y : tensor<4xf16>
}
// Unchanged: the inverse is infinite (also by overflow) or loses digits.
// CHECK-LABEL: func.func @by_zero
// CHECK: ml.real_div
// CHECK-NOT: ml.mul
// CHECK: return
func.func @by_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<[1.0, 0.0, 4.0, 0.5]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.real_div"(%x, %k) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @by_subnormal
// CHECK: ml.real_div
// CHECK-NOT: ml.mul
// CHECK: return
func.func @by_subnormal(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<1.0e-39> : tensor<f32>} : () -> tensor<f32>
  %y = "ml.real_div"(%x, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @by_largest
// CHECK: ml.real_div
// CHECK-NOT: ml.mul
// CHECK: return
func.func @by_largest(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<3.0e38> : tensor<f32>} : () -> tensor<f32>
  %y = "ml.real_div"(%x, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @by_infinity
// CHECK: ml.real_div
// CHECK-NOT: ml.mul
// CHECK: return
func.func @by_infinity(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<0x7F800000> : tensor<f32>} : () -> tensor<f32>
  %y = "ml.real_div"(%x, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @by_nan
// CHECK: ml.real_div
// CHECK-NOT: ml.mul
// CHECK: return
func.func @by_nan(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<0x7FC00000> : tensor<f32>} : () -> tensor<f32>
  %y = "ml.real_div"(%x, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @half_overflow
// CHECK: ml.real_div
// CHECK-NOT: ml.mul
// CHECK: return
func.func @half_overflow(%x: tensor<4xf16>) -> tensor<4xf16> {
  %k = "ml.const"() {value = dense<1.0e-5> : tensor<f16>} : () -> tensor<f16>
  %y = "ml.real_div"(%x, %k) : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  return %y : tensor<4xf16>
}
// CHECK-LABEL: func.func @whole_numbers
// CHECK: ml.real_div
// CHECK-NOT: ml.mul
// CHECK: return
func.func @whole_numbers(%x: tensor<4xi32>) -> tensor<4xi32> {
  %k = "ml.const"() {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %y = "ml.real_div"(%x, %k) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
// CHECK-LABEL: func.func @computed
// CHECK: ml.real_div
// CHECK-NOT: ml.mul
// CHECK: return
func.func @computed(%x: tensor<4xf32>, %k: tensor<4xf32>) -> tensor<4xf32> {
  %y = "ml.real_div"(%x, %k) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @constant_divided
// CHECK: ml.real_div
// CHECK-NOT: ml.mul
// CHECK: return
func.func @constant_divided(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %y = "ml.real_div"(%k, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK: "ml.mul"(%arg1
func.func @in_branch(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %k = "ml.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
    %g = "ml.real_div"(%x, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
