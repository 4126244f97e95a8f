// GELU written with tanh becomes ml.gelu; similar functions stay.
// RUN: quern opt %s --fuse-gelu-tanh-approximation | FileCheck %s
// RUN: quern opt %s --fuse-gelu-tanh-approximation --fuse-gelu-tanh-approximation | FileCheck %s

// CHECK-LABEL: func.func @half_of_sum
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "tanh_approximation"}
// CHECK-NEXT: return
func.func @half_of_sum(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %k = "ml.const"() {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %three = "ml.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %q = "ml.pow"(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.mul"(%q, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %v = "ml.add"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "ml.mul"(%v, %c) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @half_of_sum_turned
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "tanh_approximation"}
// CHECK-NEXT: return
func.func @half_of_sum_turned(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %k = "ml.const"() {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %three = "ml.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %q = "ml.pow"(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.mul"(%k, %q) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %v = "ml.add"(%w, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "ml.mul"(%c, %v) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %e = "ml.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%one, %e) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %u = "ml.mul"(%h, %t) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%x, %u) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @half_of_product
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "tanh_approximation"}
// CHECK-NEXT: return
func.func @half_of_product(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %k = "ml.const"() {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %three = "ml.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %q = "ml.pow"(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.mul"(%q, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %v = "ml.add"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "ml.mul"(%v, %c) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%x, %t) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @half_of_product_turned
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "tanh_approximation"}
// CHECK-NEXT: return
func.func @half_of_product_turned(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %k = "ml.const"() {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %three = "ml.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %q = "ml.pow"(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.mul"(%k, %q) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %v = "ml.add"(%w, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "ml.mul"(%c, %v) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %e = "ml.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%one, %e) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%h, %u) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @half_of_x
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "tanh_approximation"}
// CHECK-NEXT: return
func.func @half_of_x(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %k = "ml.const"() {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %three = "ml.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %q = "ml.pow"(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.mul"(%q, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %v = "ml.add"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "ml.mul"(%v, %c) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%x, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%t, %u) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @half_of_x_turned
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "tanh_approximation"}
// CHECK-NEXT: return
func.func @half_of_x_turned(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %k = "ml.const"() {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %three = "ml.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %q = "ml.pow"(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.mul"(%k, %q) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %v = "ml.add"(%w, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "ml.mul"(%c, %v) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %e = "ml.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%one, %e) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %u = "ml.mul"(%h, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %t) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// 0.04471 differs from 0.044715 by more than the relative tolerance of 1e-4.
// CHECK-LABEL: func.func @short_constants
// CHECK: ml.pow
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @short_constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<0.79788> : tensor<f32>} : () -> tensor<f32>
  %k = "ml.const"() {value = dense<0.04471> : tensor<f32>} : () -> tensor<f32>
  %three = "ml.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %q = "ml.pow"(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.mul"(%q, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %v = "ml.add"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "ml.mul"(%v, %c) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @rounded_scale
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "tanh_approximation"}
// CHECK-NEXT: return
func.func @rounded_scale(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<0.79788> : tensor<f32>} : () -> tensor<f32>
  %k = "ml.const"() {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %three = "ml.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %q = "ml.pow"(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.mul"(%q, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %v = "ml.add"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "ml.mul"(%v, %c) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @other_factor
// CHECK: ml.pow
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @other_factor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %k = "ml.const"() {value = dense<0.044> : tensor<f32>} : () -> tensor<f32>
  %three = "ml.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %q = "ml.pow"(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.mul"(%q, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %v = "ml.add"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "ml.mul"(%v, %c) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @square
// CHECK: ml.pow
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %k = "ml.const"() {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %three = "ml.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %q = "ml.pow"(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.mul"(%q, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %v = "ml.add"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "ml.mul"(%v, %c) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%x, %t) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// Unchanged: the sum has two readers.
// CHECK-LABEL: func.func @two_ends
// CHECK: ml.pow
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @two_ends(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %k = "ml.const"() {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %three = "ml.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %q = "ml.pow"(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.mul"(%q, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %v = "ml.add"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "ml.mul"(%v, %c) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%x, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%t, %u) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %z = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}
// The op that follows is not part of the pattern.
// CHECK-LABEL: func.func @trailing_product
// CHECK: "ml.gelu"
// CHECK-NEXT: "ml.mul"
// CHECK-NEXT: return
func.func @trailing_product(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %k = "ml.const"() {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %three = "ml.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %q = "ml.pow"(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.mul"(%q, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %v = "ml.add"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "ml.mul"(%v, %c) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%x, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%t, %u) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %z = "ml.mul"(%y, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
// CHECK-LABEL: func.func @tangent_returned
// CHECK: ml.pow
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @tangent_returned(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %k = "ml.const"() {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %three = "ml.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %q = "ml.pow"(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.mul"(%q, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %v = "ml.add"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "ml.mul"(%v, %c) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y, %e : tensor<4xf32>, tensor<4xf32>
}
// Unchanged: the tanh is added to a tensor other than x.
// CHECK-LABEL: func.func @added_to_another
// CHECK: ml.pow
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @added_to_another(%x: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %k = "ml.const"() {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %three = "ml.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %q = "ml.pow"(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = "ml.mul"(%q, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %v = "ml.add"(%z, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "ml.mul"(%v, %c) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// In f16, 0.044715 rounds to 0.04471.
// CHECK-LABEL: func.func @half_precision
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "tanh_approximation"}
// CHECK-NEXT: return
func.func @half_precision(%x: tensor<4xf16>) -> tensor<4xf16> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f16>} : () -> tensor<f16>
  %one = "ml.const"() {value = dense<1.0> : tensor<f16>} : () -> tensor<f16>
  %c = "ml.const"() {value = dense<0.79785> : tensor<f16>} : () -> tensor<f16>
  %k = "ml.const"() {value = dense<0.04471> : tensor<f16>} : () -> tensor<f16>
  %three = "ml.const"() {value = dense<3.0> : tensor<f16>} : () -> tensor<f16>
  %q = "ml.pow"(%x, %three) : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %w = "ml.mul"(%q, %k) : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %v = "ml.add"(%x, %w) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %s = "ml.mul"(%v, %c) : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %e = "ml.tanh"(%s) : (tensor<4xf16>) -> tensor<4xf16>
  %t = "ml.add"(%e, %one) : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %u = "ml.mul"(%t, %h) : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %y = "ml.mul"(%u, %x) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return %y : tensor<4xf16>
}
