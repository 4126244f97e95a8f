// GELU written with the error function becomes ml.gelu; similar functions stay.
// RUN: quern opt %s --fuse-gelu-exact | FileCheck %s
// RUN: quern opt %s --fuse-gelu-exact --fuse-gelu-exact | FileCheck %s

// CHECK-LABEL: func.func @half_of_sum_divided
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "exact"}
// CHECK-NEXT: return
func.func @half_of_sum_divided(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.real_div"(%x, %r) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @half_of_sum_multiplied
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "exact"}
// CHECK-NEXT: return
func.func @half_of_sum_multiplied(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<0.707106769> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.mul"(%r, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%one, %e) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %u = "ml.mul"(%h, %t) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%x, %u) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @half_of_product_divided
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "exact"}
// CHECK-NEXT: return
func.func @half_of_product_divided(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.real_div"(%x, %r) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%x, %t) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @half_of_product_multiplied
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "exact"}
// CHECK-NEXT: return
func.func @half_of_product_multiplied(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<0.707106769> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.mul"(%r, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%one, %e) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%h, %u) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @half_of_x_divided
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "exact"}
// CHECK-NEXT: return
func.func @half_of_x_divided(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.real_div"(%x, %r) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%x, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%t, %u) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @half_of_x_multiplied
// CHECK-NEXT: "ml.gelu"(%arg0) {mode = "exact"}
// CHECK-NEXT: return
func.func @half_of_x_multiplied(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<0.707106769> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.mul"(%r, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%one, %e) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %u = "ml.mul"(%h, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %t) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @x_is_used
// CHECK-NEXT: "ml.gelu"
// CHECK-NEXT: "ml.tanh"
func.func @x_is_used(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.real_div"(%x, %r) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %z = "ml.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK-NEXT: "ml.gelu"(%arg1)
// CHECK-NEXT: scf.yield
func.func @in_branch(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
    %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    %r = "ml.const"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
    %s = "ml.real_div"(%x, %r) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %u = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %g = "ml.mul"(%u, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
// Unchanged: constants near GELU's, but not equal.
// CHECK-LABEL: func.func @other_root
// CHECK: ml.erf
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @other_root(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<1.43> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.real_div"(%x, %r) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @other_one
// CHECK: ml.erf
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @other_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0005> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.real_div"(%x, %r) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%x, %t) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @other_half
// CHECK: ml.erf
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @other_half(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.4996> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.real_div"(%x, %r) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%x, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%t, %u) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// Unchanged: the root is the dividend instead of the divisor.
// CHECK-LABEL: func.func @root_divided
// CHECK: ml.erf
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @root_divided(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.real_div"(%r, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// Unchanged: an intermediate value has another reader or is returned.
// CHECK-LABEL: func.func @sum_is_used
// CHECK: ml.erf
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @sum_is_used(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.real_div"(%x, %r) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %z = "ml.tanh"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @half_is_returned
// CHECK: ml.erf
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @half_is_returned(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.real_div"(%x, %r) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%x, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%t, %u) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y, %u : tensor<4xf32>, tensor<4xf32>
}
// Unchanged: the factors are of two different tensors.
// CHECK-LABEL: func.func @of_another
// CHECK: ml.erf
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @of_another(%x: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.real_div"(%x, %r) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %z) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @product_with_argument
// CHECK: ml.erf
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @product_with_argument(%x: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %unused = "ml.tanh"(%z) : (tensor<4xf32>) -> tensor<4xf32>
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.real_div"(%x, %r) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%z, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%t, %u) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// Unchanged: the result has a higher rank than x.
// CHECK-LABEL: func.func @higher_rank
// CHECK: ml.erf
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @higher_rank(%x: tensor<4xf32>) -> tensor<1x4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.real_div"(%x, %r) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
  %y = "ml.mul"(%u, %x) : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}
// Unchanged: an activation is between the ops.
// CHECK-LABEL: func.func @activated
// CHECK: ml.erf
// CHECK-NOT: ml.gelu
// CHECK: return
func.func @activated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %one = "ml.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %r = "ml.const"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %s = "ml.real_div"(%x, %r) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = "ml.erf"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "ml.add"(%e, %one) {activation = "relu"} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = "ml.mul"(%t, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = "ml.mul"(%u, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
