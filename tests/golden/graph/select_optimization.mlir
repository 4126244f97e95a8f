// A select with a constant condition becomes its operand; other selects stay.
// RUN: quern opt %s --select-optimization | FileCheck %s
// RUN: quern opt %s --select-optimization --select-optimization | FileCheck %s
// RUN: quern opt %s --select-optimization="infinities=true" | FileCheck %s --check-prefix=INF
// RUN: quern opt %s --select-optimization="infinities=true" --select-optimization="infinities=true" | FileCheck %s --check-prefix=INF

// CHECK-LABEL: func.func @holds
// CHECK-NEXT: return %arg0
func.func @holds(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = "ml.const"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %y = "ml.select"(%c, %a, %b) : (tensor<i1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @fails
// CHECK-NEXT: return %arg1
func.func @fails(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = "ml.const"() {value = dense<[[false, false, false], [false, false, false]]> : tensor<2x3xi1>} : () -> tensor<2x3xi1>
  %y = "ml.select"(%c, %a, %b) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @whole_numbers
// CHECK-NEXT: return %arg0
func.func @whole_numbers(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %c = "ml.const"() {value = dense<[true, true, true, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %y = "ml.select"(%c, %a, %b) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK-NEXT: scf.yield %arg1
func.func @in_branch(%d: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.if %d -> (tensor<4xf32>) {
    %c = "ml.const"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %g = "ml.select"(%c, %x, %x) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @mixed
// CHECK: ml.select
// CHECK: return
func.func @mixed(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = "ml.const"() {value = dense<[true, false, true]> : tensor<3xi1>} : () -> tensor<3xi1>
  %y = "ml.select"(%c, %a, %b) : (tensor<3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
// Unchanged: the chosen operand, or both, would have to broadcast.
// CHECK-LABEL: func.func @smaller
// CHECK: ml.select
// CHECK: return
func.func @smaller(%a: tensor<3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = "ml.const"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %y = "ml.select"(%c, %a, %b) : (tensor<i1>, tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @larger_condition
// CHECK: ml.select
// CHECK: return
func.func @larger_condition(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %c = "ml.const"() {value = dense<true> : tensor<2x3xi1>} : () -> tensor<2x3xi1>
  %y = "ml.select"(%c, %a, %b) : (tensor<2x3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @computed
// CHECK: ml.select
// CHECK: return
func.func @computed(%c: tensor<3xi1>, %a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = "ml.select"(%c, %a, %b) : (tensor<3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
// With the option, a select between an infinite constant and a tensor becomes an addition.
// CHECK-LABEL: func.func @infinite_first
// CHECK: ml.select
// CHECK: return
// INF-LABEL: func.func @infinite_first
// INF: %[[K:.*]] = "ml.const"() {value = dense<-0.000000e+00> : tensor<f32>}
// INF-NEXT: %[[S:.*]] = "ml.select"(%{{.*}}, %{{.*}}, %[[K]]) : (tensor<3xi1>, tensor<f32>, tensor<f32>) -> tensor<3xf32>
// INF-NEXT: "ml.add"(%[[S]], %arg0)
func.func @infinite_first(%b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = "ml.const"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<[true, false, true]> : tensor<3xi1>} : () -> tensor<3xi1>
  %y = "ml.select"(%c, %a, %b) : (tensor<3xi1>, tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @infinite_second
// CHECK: ml.select
// CHECK: return
// INF-LABEL: func.func @infinite_second
// INF: %[[K:.*]] = "ml.const"() {value = dense<-0.000000e+00> : tensor<f32>}
// INF-NEXT: %[[S:.*]] = "ml.select"(%{{.*}}, %[[K]], %{{.*}}) :
// INF-NEXT: "ml.add"(%[[S]], %arg0)
func.func @infinite_second(%b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = "ml.const"() {value = dense<[[0xFF800000, 0x7F800000, 0x7F800000]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %c = "ml.const"() {value = dense<[true, false, true]> : tensor<3xi1>} : () -> tensor<3xi1>
  %y = "ml.select"(%c, %b, %a) : (tensor<3xi1>, tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @with_nan
// CHECK: ml.select
// CHECK: return
// INF-LABEL: func.func @with_nan
// INF-NOT: ml.add
// INF: return
func.func @with_nan(%b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = "ml.const"() {value = dense<0x7FC00000> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<[true, false, true]> : tensor<3xi1>} : () -> tensor<3xi1>
  %y = "ml.select"(%c, %a, %b) : (tensor<3xi1>, tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @large
// CHECK: ml.select
// CHECK: return
// INF-LABEL: func.func @large
// INF-NOT: ml.add
// INF: return
func.func @large(%b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = "ml.const"() {value = dense<3.0e38> : tensor<f32>} : () -> tensor<f32>
  %c = "ml.const"() {value = dense<[true, false, true]> : tensor<3xi1>} : () -> tensor<3xi1>
  %y = "ml.select"(%c, %a, %b) : (tensor<3xi1>, tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @both_known
// CHECK: ml.select
// CHECK: return
// INF-LABEL: func.func @both_known
// INF-NOT: ml.add
// INF: return
func.func @both_known(%b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = "ml.const"() {value = dense<0x7F800000> : tensor<f32>} : () -> tensor<f32>
  %k = "ml.const"() {value = dense<0.0> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %c = "ml.const"() {value = dense<[true, false, true]> : tensor<3xi1>} : () -> tensor<3xi1>
  %y = "ml.select"(%c, %a, %k) : (tensor<3xi1>, tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
