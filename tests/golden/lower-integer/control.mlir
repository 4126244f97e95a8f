// Ops in branches and loops get the same integer form as ops outside. Yielded values
// keep their types; values that stay inside may become unsigned.
// On AArch64 all stay signed, as its products want them.
// RUN(x86-64): quern opt %s --model-to-integer --prepare-integer | FileCheck %s
// RUN(armv8): quern opt %s --model-to-integer --prepare-integer | FileCheck %s --check-prefix=SIGNED
// SIGNED: scf.for {{.*}} iter_args(%[[A:.*]] = {{.*}}) -> (tensor<1x8xi8>) {
// SIGNED-NEXT: "ml.integer_add"(%[[A]], {{.*}} -> tensor<1x8xi8>
// CHECK: scf.if {{.*}} -> (tensor<1x8xi8>) {
// CHECK-NEXT: "ml.integer_add"
// CHECK-NEXT: scf.yield {{.*}} : tensor<1x8xi8>
// CHECK: "ml.lut"
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = {{.*}}) -> (tensor<1x8xi8>) {
// CHECK-NEXT: %[[SUM:.*]] = "ml.integer_add"(%[[A]], {{.*}} -> tensor<1x8xui8>
// CHECK-NEXT: "ml.integer_add"(%[[A]], %[[SUM]]) {{.*}} -> tensor<1x8xi8>
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
