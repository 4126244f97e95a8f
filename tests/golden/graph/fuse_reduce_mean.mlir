// A sum divided by its number of terms becomes a mean; other quotients stay.
// RUN: quern opt %s --fuse-reduce-mean | FileCheck %s
// RUN: quern opt %s --fuse-reduce-mean --fuse-reduce-mean | FileCheck %s

// CHECK-LABEL: func.func @multiplied
// CHECK-NEXT: "ml.reduce_mean"(%arg0) {axes = array<i64: 1, 2>, keep_dims = true} :
// CHECK-NEXT: return
func.func @multiplied(%x: tensor<2x5x6xf32>) -> tensor<2x1x1xf32> {
  %k = "ml.const"() {value = dense<0.0333333351> : tensor<f32>} : () -> tensor<f32>
  %t = "ml.reduce_sum"(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x5x6xf32>) -> tensor<2x1x1xf32>
  %y = "ml.mul"(%k, %t) : (tensor<f32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  return %y : tensor<2x1x1xf32>
}
// CHECK-LABEL: func.func @divided
// CHECK-NEXT: "ml.reduce_mean"(%arg0) {axes = array<i64: 0>, keep_dims = false} :
// CHECK-NEXT: return
func.func @divided(%x: tensor<2x5x6xf32>) -> tensor<5x6xf32> {
  %k = "ml.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %t = "ml.reduce_sum"(%x) {axes = array<i64: 0>, keep_dims = false} : (tensor<2x5x6xf32>) -> tensor<5x6xf32>
  %y = "ml.real_div"(%t, %k) : (tensor<5x6xf32>, tensor<f32>) -> tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK-NEXT: "ml.reduce_mean"(%arg1)
func.func @in_branch(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %k = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    %t = "ml.reduce_sum"(%x) {axes = array<i64>, keep_dims = true} : (tensor<4xf32>) -> tensor<4xf32>
    %g = "ml.real_div"(%t, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @other_factor
// CHECK: ml.reduce_sum
// CHECK-NOT: ml.reduce_mean
// CHECK: return
func.func @other_factor(%x: tensor<2x5x6xf32>) -> tensor<2x1x1xf32> {
  %k = "ml.const"() {value = dense<0.0333> : tensor<f32>} : () -> tensor<f32>
  %t = "ml.reduce_sum"(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x5x6xf32>) -> tensor<2x1x1xf32>
  %y = "ml.mul"(%t, %k) : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
  return %y : tensor<2x1x1xf32>
}
// CHECK-LABEL: func.func @other_divisor
// CHECK: ml.reduce_sum
// CHECK-NOT: ml.reduce_mean
// CHECK: return
func.func @other_divisor(%x: tensor<2x5x6xf32>) -> tensor<2x1x1xf32> {
  %k = "ml.const"() {value = dense<31.0> : tensor<f32>} : () -> tensor<f32>
  %t = "ml.reduce_sum"(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x5x6xf32>) -> tensor<2x1x1xf32>
  %y = "ml.real_div"(%t, %k) : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
  return %y : tensor<2x1x1xf32>
}
// Unchanged: the sum is the divisor.
// CHECK-LABEL: func.func @sum_divides
// CHECK: ml.reduce_sum
// CHECK-NOT: ml.reduce_mean
// CHECK: return
func.func @sum_divides(%x: tensor<2x5x6xf32>) -> tensor<2x1x1xf32> {
  %k = "ml.const"() {value = dense<30.0> : tensor<f32>} : () -> tensor<f32>
  %t = "ml.reduce_sum"(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x5x6xf32>) -> tensor<2x1x1xf32>
  %y = "ml.real_div"(%k, %t) : (tensor<f32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  return %y : tensor<2x1x1xf32>
}
// Unchanged: the sum is returned or has two readers.
// CHECK-LABEL: func.func @returned
// CHECK: ml.reduce_sum
// CHECK-NOT: ml.reduce_mean
// CHECK: return
func.func @returned(%x: tensor<2x5x6xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %k = "ml.const"() {value = dense<0.0333333351> : tensor<f32>} : () -> tensor<f32>
  %t = "ml.reduce_sum"(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x5x6xf32>) -> tensor<2x1x1xf32>
  %y = "ml.mul"(%t, %k) : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
  return %y, %t : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}
// CHECK-LABEL: func.func @used_twice
// CHECK: ml.reduce_sum
// CHECK-NOT: ml.reduce_mean
// CHECK: return
func.func @used_twice(%x: tensor<2x5x6xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %k = "ml.const"() {value = dense<0.0333333351> : tensor<f32>} : () -> tensor<f32>
  %t = "ml.reduce_sum"(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x5x6xf32>) -> tensor<2x1x1xf32>
  %y = "ml.mul"(%t, %k) : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
  %z = "ml.tanh"(%t) : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  return %y, %z : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}
// CHECK-LABEL: func.func @activated
// CHECK: ml.reduce_sum
// CHECK-NOT: ml.reduce_mean
// CHECK: return
func.func @activated(%x: tensor<2x5x6xf32>) -> tensor<2x1x1xf32> {
  %k = "ml.const"() {value = dense<0.0333333351> : tensor<f32>} : () -> tensor<f32>
  %t = "ml.reduce_sum"(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x5x6xf32>) -> tensor<2x1x1xf32>
  %y = "ml.mul"(%t, %k) {activation = "relu"} : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
  return %y : tensor<2x1x1xf32>
}
// CHECK-LABEL: func.func @larger
// CHECK: ml.reduce_sum
// CHECK-NOT: ml.reduce_mean
// CHECK: return
func.func @larger(%x: tensor<2x5x6xf32>) -> tensor<2x2x1x1xf32> {
  %k = "ml.const"() {value = dense<0.0333333351> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %t = "ml.reduce_sum"(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x5x6xf32>) -> tensor<2x1x1xf32>
  %y = "ml.mul"(%t, %k) : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x2x1x1xf32>
  return %y : tensor<2x2x1x1xf32>
}
// Unchanged: the factor is 0 instead of a small inverse, or 3 % away from the inverse.
// CHECK-LABEL: func.func @many_terms
// CHECK: ml.reduce_sum
// CHECK-NOT: ml.reduce_mean
// CHECK: return
func.func @many_terms(%x: tensor<2000000xf32>) -> tensor<1xf32> {
  %k = "ml.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %t = "ml.reduce_sum"(%x) {axes = array<i64: 0>, keep_dims = true} : (tensor<2000000xf32>) -> tensor<1xf32>
  %y = "ml.mul"(%t, %k) : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}
// CHECK-LABEL: func.func @three_parts_off
// CHECK: ml.reduce_sum
// CHECK-NOT: ml.reduce_mean
// CHECK: return
func.func @three_parts_off(%x: tensor<30000xf32>) -> tensor<1xf32> {
  %k = "ml.const"() {value = dense<3.43e-5> : tensor<f32>} : () -> tensor<f32>
  %t = "ml.reduce_sum"(%x) {axes = array<i64: 0>, keep_dims = true} : (tensor<30000xf32>) -> tensor<1xf32>
  %y = "ml.mul"(%t, %k) : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}
// Unchanged: a quotient of integers rounds toward zero.
// CHECK-LABEL: func.func @whole_numbers
// CHECK: ml.reduce_sum
// CHECK-NOT: ml.reduce_mean
// CHECK: return
func.func @whole_numbers(%x: tensor<4xi32>) -> tensor<1xi32> {
  %k = "ml.const"() {value = dense<4> : tensor<i32>} : () -> tensor<i32>
  %t = "ml.reduce_sum"(%x) {axes = array<i64: 0>, keep_dims = true} : (tensor<4xi32>) -> tensor<1xi32>
  %y = "ml.real_div"(%t, %k) : (tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
  return %y : tensor<1xi32>
}
