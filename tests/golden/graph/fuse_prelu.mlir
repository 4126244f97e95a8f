// A ReLU for each side of zero becomes a PReLU; other patterns stay.
// RUN: quern opt %s --fuse-prelu | FileCheck %s
// RUN: quern opt %s --fuse-prelu --fuse-prelu | FileCheck %s

// CHECK-LABEL: func.func @channels_last
// CHECK-NEXT: %[[A:.*]] = "ml.const"() {value = dense<[-2.500000e-01, -5.000000e-01, 1.000000e+00, -2.000000e+00]>
// CHECK-NEXT: "ml.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @channels_last(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %a = "ml.const"() {value = dense<[0.25, 0.5, -1.0, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %m1 = "ml.const"() {value = dense<-1.0> : tensor<f32>} : () -> tensor<f32>
  %n = "ml.mul"(%x, %m1) : (tensor<1x2x3x4xf32>, tensor<f32>) -> tensor<1x2x3x4xf32>
  %u = "ml.relu"(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %d = "ml.relu"(%n) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %e = "ml.mul"(%a, %d) : (tensor<4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%u, %e) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @channels_first
// CHECK-NEXT: %[[A:.*]] = "ml.const"() {value = dense<{{\[\[\[}}-2.500000e-01]], {{\[\[}}-5.000000e-01]]]>
// CHECK-NEXT: "ml.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @channels_first(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %a = "ml.const"() {value = dense<[[[0.25]], [[0.5]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
  %m1 = "ml.const"() {value = dense<-1.0> : tensor<f32>} : () -> tensor<f32>
  %n = "ml.mul"(%m1, %x) : (tensor<f32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %u = "ml.relu"(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %d = "ml.relu"(%n) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %e = "ml.mul"(%d, %a) : (tensor<1x2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%e, %u) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @channels_first_of_four
// CHECK: ml.prelu
// CHECK-NEXT: return
func.func @channels_first_of_four(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %a = "ml.const"() {value = dense<[[[[0.25]], [[0.5]]]]> : tensor<1x2x1x1xf32>} : () -> tensor<1x2x1x1xf32>
  %n = "ml.neg"(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %u = "ml.relu"(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %d = "ml.relu"(%n) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %e = "ml.mul"(%a, %d) : (tensor<1x2x1x1xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%u, %e) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @one_slope
// CHECK-NEXT: %[[A:.*]] = "ml.const"() {value = dense<-2.500000e-01>
// CHECK-NEXT: "ml.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @one_slope(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %a = "ml.const"() {value = dense<0.25> : tensor<1xf32>} : () -> tensor<1xf32>
  %n = "ml.neg"(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %u = "ml.relu"(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %d = "ml.relu"(%n) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %e = "ml.mul"(%d, %a) : (tensor<1x2x3x4xf32>, tensor<1xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%e, %u) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}
// Unchanged: not the negated x, a slope that is not a number, a result larger than x.
// CHECK-LABEL: func.func @by_two
// CHECK: ml.add
// CHECK-NOT: ml.prelu
// CHECK: return
func.func @by_two(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %a = "ml.const"() {value = dense<0.25> : tensor<4xf32>} : () -> tensor<4xf32>
  %m1 = "ml.const"() {value = dense<-1.01> : tensor<f32>} : () -> tensor<f32>
  %n = "ml.mul"(%x, %m1) : (tensor<1x2x3x4xf32>, tensor<f32>) -> tensor<1x2x3x4xf32>
  %u = "ml.relu"(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %d = "ml.relu"(%n) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %e = "ml.mul"(%a, %d) : (tensor<4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%u, %e) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @not_finite
// CHECK: ml.add
// CHECK-NOT: ml.prelu
// CHECK: return
func.func @not_finite(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %a = "ml.const"() {value = dense<0x7F800000> : tensor<1xf32>} : () -> tensor<1xf32>
  %m1 = "ml.const"() {value = dense<-1.0> : tensor<f32>} : () -> tensor<f32>
  %n = "ml.mul"(%x, %m1) : (tensor<1x2x3x4xf32>, tensor<f32>) -> tensor<1x2x3x4xf32>
  %u = "ml.relu"(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %d = "ml.relu"(%n) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %e = "ml.mul"(%a, %d) : (tensor<1xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%u, %e) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @larger
// CHECK: ml.add
// CHECK-NOT: ml.prelu
// CHECK: return
func.func @larger(%x: tensor<1x2x1x4xf32>) -> tensor<1x2x3x4xf32> {
  %a = "ml.const"() {value = dense<0.25> : tensor<3x4xf32>} : () -> tensor<3x4xf32>
  %n = "ml.neg"(%x) : (tensor<1x2x1x4xf32>) -> tensor<1x2x1x4xf32>
  %u = "ml.relu"(%x) : (tensor<1x2x1x4xf32>) -> tensor<1x2x1x4xf32>
  %d = "ml.relu"(%n) : (tensor<1x2x1x4xf32>) -> tensor<1x2x1x4xf32>
  %e = "ml.mul"(%a, %d) : (tensor<3x4xf32>, tensor<1x2x1x4xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%u, %e) : (tensor<1x2x1x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}
// Unchanged: another reader, returned, two different tensors, or computed slopes.
// CHECK-LABEL: func.func @negative_used
// CHECK: ml.add
// CHECK-NOT: ml.prelu
// CHECK: return
func.func @negative_used(%x: tensor<1x2x3x4xf32>) -> (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) {
  %a = "ml.const"() {value = dense<0.25> : tensor<4xf32>} : () -> tensor<4xf32>
  %m1 = "ml.const"() {value = dense<-1.0> : tensor<f32>} : () -> tensor<f32>
  %n = "ml.mul"(%x, %m1) : (tensor<1x2x3x4xf32>, tensor<f32>) -> tensor<1x2x3x4xf32>
  %u = "ml.relu"(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %d = "ml.relu"(%n) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %e = "ml.mul"(%a, %d) : (tensor<4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%u, %e) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %z = "ml.tanh"(%n) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return %y, %z : tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @relu_returned
// CHECK: ml.add
// CHECK-NOT: ml.prelu
// CHECK: return
func.func @relu_returned(%x: tensor<1x2x3x4xf32>) -> (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) {
  %a = "ml.const"() {value = dense<0.25> : tensor<4xf32>} : () -> tensor<4xf32>
  %n = "ml.neg"(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %u = "ml.relu"(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %d = "ml.relu"(%n) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %e = "ml.mul"(%a, %d) : (tensor<4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%u, %e) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return %y, %u : tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @of_two
// CHECK: ml.add
// CHECK-NOT: ml.prelu
// CHECK: return
func.func @of_two(%x: tensor<1x2x3x4xf32>, %z: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %a = "ml.const"() {value = dense<0.25> : tensor<4xf32>} : () -> tensor<4xf32>
  %n = "ml.neg"(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %u = "ml.relu"(%z) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %d = "ml.relu"(%n) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %e = "ml.mul"(%a, %d) : (tensor<4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%u, %e) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @computed_slope
// CHECK: ml.add
// CHECK-NOT: ml.prelu
// CHECK: return
func.func @computed_slope(%x: tensor<1x2x3x4xf32>, %b: tensor<4xf32>) -> tensor<1x2x3x4xf32> {
  %a = "ml.const"() {value = dense<0.25> : tensor<4xf32>} : () -> tensor<4xf32>
  %n = "ml.neg"(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %u = "ml.relu"(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %d = "ml.relu"(%n) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %e = "ml.mul"(%b, %d) : (tensor<4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %y = "ml.add"(%u, %e) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK: "ml.prelu"(%arg1
func.func @in_branch(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %a = "ml.const"() {value = dense<0.25> : tensor<4xf32>} : () -> tensor<4xf32>
    %n = "ml.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %u = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %d = "ml.relu"(%n) : (tensor<4xf32>) -> tensor<4xf32>
    %e = "ml.mul"(%a, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %g = "ml.add"(%u, %e) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
