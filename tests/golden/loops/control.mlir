// Branches and loops in @main: both branches write one buffer, a loop has one buffer for its carried value, and
// views precede them.
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s
// CHECK: func.func @main(%arg0: memref<1xi1>
// CHECK: %[[C:.*]] = memref.load %arg0
// CHECK: scf.if %[[C]] {
// CHECK-NEXT: "quern.launch"(%arg1, %arg2, %arg3,
// CHECK-NEXT: } else {
// CHECK-NEXT: "quern.launch"(%arg1, {{.*}}, %arg3,
// CHECK-NEXT: {{^ *}$}}
// The initial value is copied, because the first result is still used. An iteration reads the old value to its
// end, so the new value has another buffer.
// CHECK-NEXT: "quern.launch"(%arg3, %arg4, {{.*}}kernel = @copy
// CHECK-NEXT: %[[NEW:.*]] = memref.view %arg5
// CHECK-NEXT: scf.for
// CHECK-NEXT: "quern.launch"(%arg4, %arg2, %[[NEW]],
// CHECK-NEXT: "quern.launch"(%[[NEW]], %arg4, {{.*}}kernel = @copy
// CHECK-NEXT: {{^ *}$}}
// CHECK-NEXT: return
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%c: tensor<1xi1>, %x: tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>, %y: tensor<1x8x!quant.uniform<i8:f32, 0.25:-3>>) -> (tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>, tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %b = tensor.extract %c[%zero] : tensor<1xi1>
    %r = scf.if %b -> (tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>) {
      %0 = "ml.add"(%x, %y) : (tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>, tensor<1x8x!quant.uniform<i8:f32, 0.25:-3>>) -> tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>
      scf.yield %0 : tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>
    } else {
      %1 = "ml.relu"(%x) : (tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>
      scf.yield %1 : tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>
    }
    %s = scf.for %i = %zero to %three step %one iter_args(%a = %r) -> (tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>) {
      %2 = "ml.add"(%a, %y) : (tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>, tensor<1x8x!quant.uniform<i8:f32, 0.25:-3>>) -> tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>
      %3 = "ml.add"(%a, %2) : (tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>, tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>
      scf.yield %3 : tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>
    }
    return %r, %s : tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>, tensor<1x8x!quant.uniform<i8:f32, 0.5:3>>
  }
}
