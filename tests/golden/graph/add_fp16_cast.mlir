// Ops on f32 compute on f16 between casts, unless a constant or result would not fit.
// RUN: quern opt %s --add-fp16-cast | FileCheck %s
// RUN: quern opt %s --add-fp16-cast --add-fp16-cast | FileCheck %s
// RUN: quern opt %s --add-fp16-cast=skip_ops_by_type=relu,ml.tanh | FileCheck %s --check-prefix=SKIPPED
// RUN: quern opt %s --add-fp16-cast --cast-optimization --const-elimination --dead-code-elimination | FileCheck %s --check-prefix=CHAIN

// CHECK-LABEL: func.func @chain(
// CHECK-NEXT: [[X:%.*]] = "ml.cast"(%arg0) : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT: [[R:%.*]] = "ml.relu"([[X]]) : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT: [[S:%.*]] = "ml.cast"([[R]]) : (tensor<4xf16>) -> tensor<4xf32>
// CHECK: ml.const{{.*}} tensor<f32>
// CHECK-NEXT: ml.const{{.*}}dense<1.000000e+01> : tensor<f16>
// CHECK-NEXT: "ml.add"({{.*}} -> tensor<4xf16>
// CHECK: return {{%.*}} : tensor<4xf32>
// SKIPPED-LABEL: func.func @chain(
// SKIPPED-NEXT: "ml.relu"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
// SKIPPED: "ml.add"({{.*}} -> tensor<4xf16>
// A chain of ops gets one cast before and one cast after.
// CHAIN-LABEL: func.func @chain(
// CHAIN-NEXT: "ml.cast"(%arg0) : (tensor<4xf32>) -> tensor<4xf16>
// CHAIN-NEXT: "ml.relu"
// CHAIN-NEXT: ml.const
// CHAIN-NEXT: "ml.add"
// CHAIN-NEXT: "ml.cast"{{.*}} -> tensor<4xf32>
// CHAIN-NEXT: return
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %k = "ml.const"() {value = dense<10.0> : tensor<f32>} : () -> tensor<f32>
  %y = "ml.add"(%r, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// Two readers share one cast, and each result of an op with several results gets its own cast.
// CHECK-LABEL: func.func @shared(
// CHECK-NEXT: ml.cast
// CHECK-NEXT: ml.relu
// CHECK-NEXT: ml.cast
// CHECK-NEXT: "ml.split"{{.*}} -> (tensor<2xf16>, tensor<2xf16>)
// CHECK-NEXT: ml.cast
// CHECK-NEXT: ml.cast
// CHECK-NEXT: return
func.func @shared(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>, tensor<2xf32>) {
  %r = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %s:2 = "ml.split"(%x) {axis = 0 : i64} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %r, %s#0, %s#1 : tensor<4xf32>, tensor<2xf32>, tensor<2xf32>
}
// An infinite constant stays infinite or saturates; a small nonzero constant must not become 0.
// CHECK-LABEL: func.func @constants(
// CHECK: ml.const{{.*}}dense<[0xFC00, -6.550400e+04, 5.960460e-08, 0.000000e+00]> : tensor<4xf16>
// CHECK: ml.add
func.func @constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<[0xFF800000, -2.0e38, 1.0e-10, 0.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "ml.add"(%x, %k) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @beyond(
// CHECK-NEXT: ml.const
// CHECK-NEXT: "ml.minimum"{{.*}} -> tensor<4xf32>
// CHECK-NEXT: return
func.func @beyond(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "ml.const"() {value = dense<88888.0> : tensor<f32>} : () -> tensor<f32>
  %y = "ml.minimum"(%x, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @integers(
// CHECK-NEXT: "ml.add"{{.*}} -> tensor<4xi32>
// CHECK-NEXT: return
func.func @integers(%x: tensor<4xi32>) -> tensor<4xi32> {
  %y = "ml.add"(%x, %x) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
// CHECK-LABEL: func.func @casts(
// CHECK-NEXT: "ml.cast"(%arg0) : (tensor<4xf32>) -> tensor<4xi32>
// CHECK-NEXT: return
func.func @casts(%x: tensor<4xf32>) -> tensor<4xi32> {
  %y = "ml.cast"(%x) : (tensor<4xf32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
// CHECK-LABEL: func.func @doubles(
// CHECK-NEXT: "ml.relu"{{.*}} -> tensor<4xf64>
// CHECK-NEXT: return
func.func @doubles(%x: tensor<4xf64>) -> tensor<4xf64> {
  %y = "ml.relu"(%x) : (tensor<4xf64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}
// A condition (i1) is not cast, but the operands of a comparison are.
// CHECK-LABEL: func.func @compared(
// CHECK: "ml.less"{{.*}} : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1>
// CHECK-NEXT: return
func.func @compared(%x: tensor<4xf32>) -> tensor<4xi1> {
  %y = "ml.less"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}
// A value from outside a branch is cast outside, once for both branches.
// CHECK-LABEL: func.func @in_branches(
// CHECK-NEXT: [[H:%.*]] = "ml.cast"(%arg1)
// CHECK-NEXT: scf.if
// CHECK-NEXT: "ml.relu"([[H]])
// CHECK: } else {
// CHECK-NEXT: "ml.tanh"([[H]])
func.func @in_branches(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %a = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %b = "ml.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
