// A normalization written out in elementary ops becomes one op; similar graphs stay.
// RUN: quern opt %s --fuse-layernorm-or-instancenorm | FileCheck %s
// RUN: quern opt %s --fuse-layernorm-or-instancenorm --fuse-layernorm-or-instancenorm | FileCheck %s

// CHECK-LABEL: func.func @layer_1
// CHECK-NOT: ml.rsqrt
// CHECK: "ml.layer_norm"(%arg0, %{{.*}}, %{{.*}}) {axes = array<i64: 2>, epsilon = 9.9
// CHECK-NEXT: return
func.func @layer_1(%x: tensor<3x5x6xf32>) -> tensor<3x5x6xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<6xf32>} : () -> tensor<6xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<6xf32>} : () -> tensor<6xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2>, keep_dims = true} : (tensor<3x5x6xf32>) -> tensor<3x5x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<3x5x6xf32>, tensor<3x5x1xf32>) -> tensor<3x5x6xf32>
  %q = "ml.square"(%d) : (tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2>, keep_dims = true} : (tensor<3x5x6xf32>) -> tensor<3x5x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<3x5x1xf32>, tensor<f32>) -> tensor<3x5x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<3x5x1xf32>) -> tensor<3x5x1xf32>
  %s = "ml.mul"(%r, %ga) : (tensor<3x5x1xf32>, tensor<6xf32>) -> tensor<3x5x6xf32>
  %a = "ml.mul"(%x, %s) : (tensor<3x5x6xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %e = "ml.mul"(%m, %s) : (tensor<3x5x1xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %f = "ml.sub"(%be, %e) : (tensor<6xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %y = "ml.add"(%a, %f) : (tensor<3x5x6xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  return %y : tensor<3x5x6xf32>
}
// CHECK-LABEL: func.func @layer_2
// CHECK-NOT: ml.rsqrt
// CHECK: "ml.layer_norm"(%arg0, %{{.*}}, %{{.*}}) {axes = array<i64: 1, 2>, epsilon = 9.9
// CHECK-NEXT: return
func.func @layer_2(%x: tensor<3x5x6xf32>) -> tensor<3x5x6xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<5x6xf32>} : () -> tensor<5x6xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<5x6xf32>} : () -> tensor<5x6xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<3x5x6xf32>) -> tensor<3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<3x5x6xf32>, tensor<3x1x1xf32>) -> tensor<3x5x6xf32>
  %q = "ml.square"(%d) : (tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<3x5x6xf32>) -> tensor<3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<3x1x1xf32>, tensor<f32>) -> tensor<3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
  %s = "ml.mul"(%r, %ga) : (tensor<3x1x1xf32>, tensor<5x6xf32>) -> tensor<3x5x6xf32>
  %a = "ml.mul"(%x, %s) : (tensor<3x5x6xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %e = "ml.mul"(%m, %s) : (tensor<3x1x1xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %f = "ml.sub"(%be, %e) : (tensor<5x6xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %y = "ml.add"(%a, %f) : (tensor<3x5x6xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  return %y : tensor<3x5x6xf32>
}
// CHECK-LABEL: func.func @layer_3
// CHECK-NOT: ml.rsqrt
// CHECK: "ml.layer_norm"(%arg0, %{{.*}}, %{{.*}}) {axes = array<i64: 0, 1, 2>, epsilon = 9.9
// CHECK-NEXT: return
func.func @layer_3(%x: tensor<3x5x6xf32>) -> tensor<3x5x6xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3x5x6xf32>} : () -> tensor<3x5x6xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3x5x6xf32>} : () -> tensor<3x5x6xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 0, 1, 2>, keep_dims = true} : (tensor<3x5x6xf32>) -> tensor<1x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<3x5x6xf32>, tensor<1x1x1xf32>) -> tensor<3x5x6xf32>
  %q = "ml.square"(%d) : (tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 0, 1, 2>, keep_dims = true} : (tensor<3x5x6xf32>) -> tensor<1x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<1x1x1xf32>, tensor<f32>) -> tensor<1x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %s = "ml.mul"(%r, %ga) : (tensor<1x1x1xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %a = "ml.mul"(%x, %s) : (tensor<3x5x6xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %e = "ml.mul"(%m, %s) : (tensor<1x1x1xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %f = "ml.sub"(%be, %e) : (tensor<3x5x6xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %y = "ml.add"(%a, %f) : (tensor<3x5x6xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  return %y : tensor<3x5x6xf32>
}
// CHECK-LABEL: func.func @one_number
// CHECK: "ml.layer_norm"(%arg0, %{{.*}}, %{{.*}}) {axes = array<i64: 2>, {{.*}} : (tensor<3x5x6xf32>, tensor<6xf32>, tensor<6xf32>)
func.func @one_number(%x: tensor<3x5x6xf32>) -> tensor<3x5x6xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2>, keep_dims = true} : (tensor<3x5x6xf32>) -> tensor<3x5x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<3x5x6xf32>, tensor<3x5x1xf32>) -> tensor<3x5x6xf32>
  %q = "ml.square"(%d) : (tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2>, keep_dims = true} : (tensor<3x5x6xf32>) -> tensor<3x5x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<3x5x1xf32>, tensor<f32>) -> tensor<3x5x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<3x5x1xf32>) -> tensor<3x5x1xf32>
  %n = "ml.mul"(%d, %r) : (tensor<3x5x6xf32>, tensor<3x5x1xf32>) -> tensor<3x5x6xf32>
  %o = "ml.mul"(%ga, %n) : (tensor<1xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %y = "ml.add"(%be, %o) : (tensor<1xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  return %y : tensor<3x5x6xf32>
}
// Channels first, normalized over the channels: (n + 3) * 2 is n * 2 + 6.
// CHECK-LABEL: func.func @middle_axis
// CHECK-DAG: dense<2.000000e+00> : tensor<3xf32>
// CHECK-DAG: dense<6.000000e+00> : tensor<3xf32>
// CHECK: "ml.layer_norm"(%arg0, %{{.*}}, %{{.*}}) {axes = array<i64: 1>
func.func @middle_axis(%x: tensor<2x3x1x5xf32>) -> tensor<2x3x1x5xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 1>, keep_dims = true} : (tensor<2x3x1x5xf32>) -> tensor<2x1x1x5xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x1x5xf32>, tensor<2x1x1x5xf32>) -> tensor<2x3x1x5xf32>
  %q = "ml.square"(%d) : (tensor<2x3x1x5xf32>) -> tensor<2x3x1x5xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 1>, keep_dims = true} : (tensor<2x3x1x5xf32>) -> tensor<2x1x1x5xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x1x1x5xf32>, tensor<f32>) -> tensor<2x1x1x5xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x1x1x5xf32>) -> tensor<2x1x1x5xf32>
  %n = "ml.mul"(%r, %d) : (tensor<2x1x1x5xf32>, tensor<2x3x1x5xf32>) -> tensor<2x3x1x5xf32>
  %o = "ml.add"(%n, %be) : (tensor<2x3x1x5xf32>, tensor<3x1x1xf32>) -> tensor<2x3x1x5xf32>
  %y = "ml.mul"(%o, %ga) : (tensor<2x3x1x5xf32>, tensor<3x1x1xf32>) -> tensor<2x3x1x5xf32>
  return %y : tensor<2x3x1x5xf32>
}
// CHECK-LABEL: func.func @instance_first
// CHECK-NOT: reduce_
// CHECK: "ml.instance_norm"(%arg0, %{{.*}}, %{{.*}}) {axis = 1 : i64, epsilon = 9.9
// CHECK-NEXT: return
func.func @instance_first(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<1x3x1x1xf32>} : () -> tensor<1x3x1x1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<1x3x1x1xf32>} : () -> tensor<1x3x1x1xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %s = "ml.mul"(%r, %ga) : (tensor<2x3x1x1xf32>, tensor<1x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %a = "ml.mul"(%x, %s) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %e = "ml.mul"(%m, %s) : (tensor<2x3x1x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %f = "ml.sub"(%be, %e) : (tensor<1x3x1x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %y = "ml.add"(%a, %f) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @instance_last
// CHECK-NOT: reduce_
// CHECK: "ml.instance_norm"(%arg0, %{{.*}}, %{{.*}}) {axis = 3 : i64, epsilon = 9.9
// CHECK-NEXT: return
func.func @instance_last(%x: tensor<2x4x4x3xf32>) -> tensor<2x4x4x3xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x4x4x3xf32>) -> tensor<2x1x1x3xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x4x4x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x4x4x3xf32>
  %q = "ml.square"(%d) : (tensor<2x4x4x3xf32>) -> tensor<2x4x4x3xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x4x4x3xf32>) -> tensor<2x1x1x3xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x1x1x3xf32>, tensor<f32>) -> tensor<2x1x1x3xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xf32>
  %s = "ml.mul"(%r, %ga) : (tensor<2x1x1x3xf32>, tensor<3xf32>) -> tensor<2x1x1x3xf32>
  %a = "ml.mul"(%x, %s) : (tensor<2x4x4x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x4x4x3xf32>
  %e = "ml.mul"(%m, %s) : (tensor<2x1x1x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xf32>
  %f = "ml.sub"(%be, %e) : (tensor<3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xf32>
  %y = "ml.add"(%a, %f) : (tensor<2x4x4x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x4x4x3xf32>
  return %y : tensor<2x4x4x3xf32>
}
// CHECK-LABEL: func.func @instance_power
// CHECK-NOT: reduce_
// CHECK: "ml.instance_norm"(%arg0, %{{.*}}, %{{.*}}) {axis = 1 : i64, epsilon = 9.9
// CHECK-NEXT: return
func.func @instance_power(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %d1 = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %hf = "ml.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %rt = "ml.pow"(%ve, %hf) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %n = "ml.real_div"(%d1, %rt) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %o = "ml.mul"(%n, %ga) : (tensor<2x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %y = "ml.add"(%o, %be) : (tensor<2x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @instance_root
// CHECK-NOT: reduce_
// CHECK: "ml.instance_norm"(%arg0, %{{.*}}, %{{.*}}) {axis = 1 : i64, epsilon = 9.9
// CHECK-NEXT: return
func.func @instance_root(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.mul"(%d, %d) : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %rt = "ml.sqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %n = "ml.real_div"(%d, %rt) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %o = "ml.mul"(%n, %ga) : (tensor<2x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %y = "ml.add"(%o, %be) : (tensor<2x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @instance_negated
// CHECK-NEXT: "ml.instance_norm"(%arg0) {axis = 1 : i64, epsilon = 9.9
// CHECK-NEXT: return
func.func @instance_negated(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %mo = "ml.const"() {value = dense<-1.0> : tensor<f32>} : () -> tensor<f32>
  %a = "ml.mul"(%x, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %e = "ml.mul"(%m, %r) : (tensor<2x3x1x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %f = "ml.mul"(%e, %mo) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %y = "ml.add"(%a, %f) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @instance_plain
// CHECK-NEXT: "ml.instance_norm"(%arg0) {axis = 3 : i64, epsilon = 9.9
// CHECK-NEXT: return
func.func @instance_plain(%x: tensor<2x4x4x3xf32>) -> tensor<2x4x4x3xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x4x4x3xf32>) -> tensor<2x1x1x3xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x4x4x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x4x4x3xf32>
  %q = "ml.mul"(%d, %d) : (tensor<2x4x4x3xf32>, tensor<2x4x4x3xf32>) -> tensor<2x4x4x3xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x4x4x3xf32>) -> tensor<2x1x1x3xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x1x1x3xf32>, tensor<f32>) -> tensor<2x1x1x3xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xf32>
  %y = "ml.mul"(%d, %r) : (tensor<2x4x4x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x4x4x3xf32>
  return %y : tensor<2x4x4x3xf32>
}
// CHECK-LABEL: func.func @instance_affine
// CHECK-NOT: reduce_
// CHECK: "ml.instance_norm"(%arg0, %{{.*}}, %{{.*}}) {axis = 1 : i64, epsilon = 9.9
// CHECK-NEXT: return
func.func @instance_affine(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %n = "ml.mul"(%d, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %o = "ml.mul"(%ga, %n) : (tensor<3x1x1xf32>, tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %y = "ml.add"(%be, %o) : (tensor<3x1x1xf32>, tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @instance_shifted
// CHECK-NOT: reduce_
// CHECK: "ml.instance_norm"(%arg0, %{{.*}}, %{{.*}}) {axis = 1 : i64, epsilon = 9.9
// CHECK-NEXT: return
func.func @instance_shifted(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.mul"(%d, %d) : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %n = "ml.mul"(%r, %d) : (tensor<2x3x1x1xf32>, tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %o = "ml.add"(%n, %be) : (tensor<2x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %y = "ml.mul"(%o, %ga) : (tensor<2x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @instance_sums
// CHECK-NOT: reduce_
// CHECK: "ml.instance_norm"(%arg0, %{{.*}}, %{{.*}}) {axis = 1 : i64, epsilon = 9.9
// CHECK-NEXT: return
func.func @instance_sums(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %c1 = "ml.const"() {value = dense<0.0625> : tensor<f32>} : () -> tensor<f32>
  %c2 = "ml.const"() {value = dense<0.0625> : tensor<f32>} : () -> tensor<f32>
  %t0 = "ml.reduce_sum"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %m = "ml.mul"(%t0, %c1) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %m2 = "ml.square"(%m) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %xx = "ml.square"(%x) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %u0 = "ml.reduce_sum"(%xx) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %u = "ml.mul"(%u0, %c2) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %v = "ml.sub"(%u, %m2) : (tensor<2x3x1x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %s = "ml.mul"(%r, %ga) : (tensor<2x3x1x1xf32>, tensor<3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %a = "ml.mul"(%x, %s) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %e = "ml.mul"(%m, %s) : (tensor<2x3x1x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %f = "ml.sub"(%be, %e) : (tensor<3x1x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %y = "ml.add"(%a, %f) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @instance_sums_squared
// CHECK-NOT: reduce_
// CHECK: "ml.instance_norm"(%arg0, %{{.*}}, %{{.*}}) {axis = 3 : i64, epsilon = 9.9
// CHECK-NEXT: return
func.func @instance_sums_squared(%x: tensor<2x4x4x3xf32>) -> tensor<2x4x4x3xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %c1 = "ml.const"() {value = dense<0.0625> : tensor<f32>} : () -> tensor<f32>
  %c2 = "ml.const"() {value = dense<0.0625> : tensor<f32>} : () -> tensor<f32>
  %t0 = "ml.reduce_sum"(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x4x4x3xf32>) -> tensor<2x1x1x3xf32>
  %m = "ml.mul"(%t0, %c1) : (tensor<2x1x1x3xf32>, tensor<f32>) -> tensor<2x1x1x3xf32>
  %m2 = "ml.mul"(%m, %m) : (tensor<2x1x1x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xf32>
  %xx = "ml.mul"(%x, %x) : (tensor<2x4x4x3xf32>, tensor<2x4x4x3xf32>) -> tensor<2x4x4x3xf32>
  %u0 = "ml.reduce_sum"(%xx) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<2x4x4x3xf32>) -> tensor<2x1x1x3xf32>
  %u = "ml.mul"(%u0, %c2) : (tensor<2x1x1x3xf32>, tensor<f32>) -> tensor<2x1x1x3xf32>
  %v = "ml.sub"(%u, %m2) : (tensor<2x1x1x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x1x1x3xf32>, tensor<f32>) -> tensor<2x1x1x3xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xf32>
  %s = "ml.mul"(%r, %ga) : (tensor<2x1x1x3xf32>, tensor<3xf32>) -> tensor<2x1x1x3xf32>
  %a = "ml.mul"(%x, %s) : (tensor<2x4x4x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x4x4x3xf32>
  %e = "ml.mul"(%m, %s) : (tensor<2x1x1x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xf32>
  %f = "ml.sub"(%be, %e) : (tensor<3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xf32>
  %y = "ml.add"(%a, %f) : (tensor<2x4x4x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x4x4x3xf32>
  return %y : tensor<2x4x4x3xf32>
}
// CHECK-LABEL: func.func @x_is_used
// CHECK-NEXT: "ml.instance_norm"
// CHECK-NEXT: "ml.tanh"(%arg0)
func.func @x_is_used(%x: tensor<2x3x4x4xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>) {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %y = "ml.mul"(%d, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %z = "ml.tanh"(%x) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  return %y, %z : tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK-NEXT: "ml.instance_norm"(%arg1)
// CHECK-NEXT: scf.yield
func.func @in_branch(%c: i1, %x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %y = scf.if %c -> (tensor<2x3x4x4xf32>) {
    %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
    %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
    %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
    %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
    %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
    %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
    %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
    %g = "ml.mul"(%d, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
    scf.yield %g : tensor<2x3x4x4xf32>
  } else {
    scf.yield %x : tensor<2x3x4x4xf32>
  }
  return %y : tensor<2x3x4x4xf32>
}
// Unchanged: an intermediate value has another reader or is returned.
// CHECK-LABEL: func.func @m_is_used
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @m_is_used(%x: tensor<2x3x4x4xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %y = "ml.mul"(%d, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %z = "ml.tanh"(%m) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  return %y, %z : tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>
}
// CHECK-LABEL: func.func @d_is_used
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @d_is_used(%x: tensor<2x3x4x4xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>) {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %y = "ml.mul"(%d, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %z = "ml.tanh"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  return %y, %z : tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @q_is_used
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @q_is_used(%x: tensor<2x3x4x4xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>) {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %y = "ml.mul"(%d, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %z = "ml.tanh"(%q) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  return %y, %z : tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @v_is_used
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @v_is_used(%x: tensor<2x3x4x4xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %y = "ml.mul"(%d, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %z = "ml.tanh"(%v) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  return %y, %z : tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>
}
// CHECK-LABEL: func.func @ve_is_used
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @ve_is_used(%x: tensor<2x3x4x4xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %y = "ml.mul"(%d, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %z = "ml.tanh"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  return %y, %z : tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>
}
// CHECK-LABEL: func.func @r_is_used
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @r_is_used(%x: tensor<2x3x4x4xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %y = "ml.mul"(%d, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %z = "ml.tanh"(%r) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  return %y, %z : tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>
}
// CHECK-LABEL: func.func @scale_returned
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @scale_returned(%x: tensor<2x3x4x4xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %s = "ml.mul"(%r, %ga) : (tensor<2x3x1x1xf32>, tensor<3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %a = "ml.mul"(%x, %s) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %e = "ml.mul"(%m, %s) : (tensor<2x3x1x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %f = "ml.sub"(%be, %e) : (tensor<3x1x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %y = "ml.add"(%a, %f) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  return %y, %s : tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>
}
// Unchanged: a single parameter does not show whether it is gamma or beta.
// CHECK-LABEL: func.func @only_shifted
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @only_shifted(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %n = "ml.mul"(%d, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %y = "ml.add"(%n, %be) : (tensor<2x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// Unchanged: mean and variance are over different axes.
// CHECK-LABEL: func.func @other_axes
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @other_axes(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x4x1xf32>, tensor<f32>) -> tensor<2x3x4x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x4x1xf32>) -> tensor<2x3x4x1xf32>
  %n = "ml.mul"(%d, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x4x1xf32>) -> tensor<2x3x4x4xf32>
  %o = "ml.mul"(%ga, %n) : (tensor<3x1x1xf32>, tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %y = "ml.add"(%be, %o) : (tensor<3x1x1xf32>, tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @other_axes_of_sums
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @other_axes_of_sums(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %c1 = "ml.const"() {value = dense<0.0625> : tensor<f32>} : () -> tensor<f32>
  %c2 = "ml.const"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %t0 = "ml.reduce_sum"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %m = "ml.mul"(%t0, %c1) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %m2 = "ml.square"(%m) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %xx = "ml.square"(%x) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %u0 = "ml.reduce_sum"(%xx) {axes = array<i64: 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x1xf32>
  %u = "ml.mul"(%u0, %c2) : (tensor<2x3x4x1xf32>, tensor<f32>) -> tensor<2x3x4x1xf32>
  %v = "ml.sub"(%u, %m2) : (tensor<2x3x4x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x4x1xf32>, tensor<f32>) -> tensor<2x3x4x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x4x1xf32>) -> tensor<2x3x4x1xf32>
  %s = "ml.mul"(%r, %ga) : (tensor<2x3x4x1xf32>, tensor<3x1x1xf32>) -> tensor<2x3x4x1xf32>
  %a = "ml.mul"(%x, %s) : (tensor<2x3x4x4xf32>, tensor<2x3x4x1xf32>) -> tensor<2x3x4x4xf32>
  %e = "ml.mul"(%m, %s) : (tensor<2x3x1x1xf32>, tensor<2x3x4x1xf32>) -> tensor<2x3x4x1xf32>
  %f = "ml.sub"(%be, %e) : (tensor<3x1x1xf32>, tensor<2x3x4x1xf32>) -> tensor<2x3x4x1xf32>
  %y = "ml.add"(%a, %f) : (tensor<2x3x4x4xf32>, tensor<2x3x4x1xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// Unchanged: a sum is not divided by the number of its terms.
// CHECK-LABEL: func.func @other_part
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @other_part(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %c1 = "ml.const"() {value = dense<0.06> : tensor<f32>} : () -> tensor<f32>
  %c2 = "ml.const"() {value = dense<0.0625> : tensor<f32>} : () -> tensor<f32>
  %t0 = "ml.reduce_sum"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %m = "ml.mul"(%t0, %c1) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %m2 = "ml.square"(%m) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %xx = "ml.square"(%x) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %u0 = "ml.reduce_sum"(%xx) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %u = "ml.mul"(%u0, %c2) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %v = "ml.sub"(%u, %m2) : (tensor<2x3x1x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %s = "ml.mul"(%r, %ga) : (tensor<2x3x1x1xf32>, tensor<3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %a = "ml.mul"(%x, %s) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %e = "ml.mul"(%m, %s) : (tensor<2x3x1x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %f = "ml.sub"(%be, %e) : (tensor<3x1x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %y = "ml.add"(%a, %f) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @other_part_of_squares
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @other_part_of_squares(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %c1 = "ml.const"() {value = dense<0.0625> : tensor<f32>} : () -> tensor<f32>
  %c2 = "ml.const"() {value = dense<0.06> : tensor<f32>} : () -> tensor<f32>
  %t0 = "ml.reduce_sum"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %m = "ml.mul"(%t0, %c1) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %m2 = "ml.square"(%m) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %xx = "ml.square"(%x) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %u0 = "ml.reduce_sum"(%xx) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %u = "ml.mul"(%u0, %c2) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %v = "ml.sub"(%u, %m2) : (tensor<2x3x1x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %s = "ml.mul"(%r, %ga) : (tensor<2x3x1x1xf32>, tensor<3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %a = "ml.mul"(%x, %s) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %e = "ml.mul"(%m, %s) : (tensor<2x3x1x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %f = "ml.sub"(%be, %e) : (tensor<3x1x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %y = "ml.add"(%a, %f) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// Unchanged: the parameters are along neither the channels nor all reduced axes.
// CHECK-LABEL: func.func @channels_along_columns
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @channels_along_columns(%x: tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x4x4x4xf32>) -> tensor<2x4x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x4x4x4xf32>, tensor<2x4x1x1xf32>) -> tensor<2x4x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x4x4x4xf32>) -> tensor<2x4x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x4x1x1xf32>, tensor<f32>) -> tensor<2x4x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x4x1x1xf32>) -> tensor<2x4x1x1xf32>
  %n = "ml.mul"(%d, %r) : (tensor<2x4x4x4xf32>, tensor<2x4x1x1xf32>) -> tensor<2x4x4x4xf32>
  %o = "ml.mul"(%ga, %n) : (tensor<4xf32>, tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  %y = "ml.add"(%be, %o) : (tensor<4xf32>, tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  return %y : tensor<2x4x4x4xf32>
}
// CHECK-LABEL: func.func @part_of_axes
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @part_of_axes(%x: tensor<3x5x6xf32>) -> tensor<3x5x6xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<6xf32>} : () -> tensor<6xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<6xf32>} : () -> tensor<6xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<3x5x6xf32>) -> tensor<3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<3x5x6xf32>, tensor<3x1x1xf32>) -> tensor<3x5x6xf32>
  %q = "ml.square"(%d) : (tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<3x5x6xf32>) -> tensor<3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<3x1x1xf32>, tensor<f32>) -> tensor<3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
  %n = "ml.mul"(%d, %r) : (tensor<3x5x6xf32>, tensor<3x1x1xf32>) -> tensor<3x5x6xf32>
  %o = "ml.mul"(%ga, %n) : (tensor<6xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %y = "ml.add"(%be, %o) : (tensor<6xf32>, tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  return %y : tensor<3x5x6xf32>
}
// Unchanged: a factor near -1, an epsilon that is a vector, or one that is negative.
// CHECK-LABEL: func.func @other_factor
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @other_factor(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %mo = "ml.const"() {value = dense<-1.001> : tensor<f32>} : () -> tensor<f32>
  %a = "ml.mul"(%x, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %e = "ml.mul"(%m, %r) : (tensor<2x3x1x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %f = "ml.mul"(%e, %mo) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %y = "ml.add"(%a, %f) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @negative_epsilon
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @negative_epsilon(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<-1.0> : tensor<f32>} : () -> tensor<f32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %y = "ml.mul"(%d, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @activated
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @activated(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) {activation = "relu"} : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %n = "ml.mul"(%d, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %o = "ml.mul"(%ga, %n) : (tensor<3x1x1xf32>, tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %y = "ml.add"(%be, %o) : (tensor<3x1x1xf32>, tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @mean_of_another
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @mean_of_another(%x: tensor<2x3x4x4xf32>, %z: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %ga = "ml.const"() {value = dense<2.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %be = "ml.const"() {value = dense<3.0> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %m = "ml.reduce_mean"(%z) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.square"(%d) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %y = "ml.mul"(%d, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// CHECK-LABEL: func.func @no_square
// CHECK: ml.sub
// CHECK-NOT: _norm
// CHECK: return
func.func @no_square(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %eps = "ml.const"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %m = "ml.reduce_mean"(%x) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %d = "ml.sub"(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %q = "ml.mul"(%d, %x) : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %v = "ml.reduce_mean"(%q) {axes = array<i64: 2, 3>, keep_dims = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x1x1xf32>
  %ve = "ml.add"(%v, %eps) : (tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
  %r = "ml.rsqrt"(%ve) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %y = "ml.mul"(%d, %r) : (tensor<2x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
