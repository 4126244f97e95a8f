// The casts of the quant dialect, on scalars and tensors.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
!q = !quant.uniform<i8:f32, 0.5:3>
!c = !quant.uniform<i8:f32:0, {0.5,0.25}>
func.func @casts(%x: f32, %t: tensor<2x?xf32>, %s: i8, %n: tensor<*xf32>) {
  %0 = quant.qcast %x : f32 to !q
  %1 = quant.dcast %0 : !q to f32
  %2 = quant.scast %s : i8 to !q
  %3 = quant.scast %2 {x.tag} : !q to i8
  %4 = quant.qcast %t : tensor<2x?xf32> to tensor<2x?x!c>
  %5 = "quant.dcast"(%4) : (tensor<2x?x!c>) -> tensor<2x?xf32>
  %6 = quant.scast %4 : tensor<2x?x!c> to tensor<2x?xi8>
  %7 = quant.qcast %n : tensor<*xf32> to tensor<*x!q>
  return
}

// CHECK:module {
// CHECK-NEXT:  func.func @casts(%arg0: f32, %arg1: tensor<2x?xf32>, %arg2: i8, %arg3: tensor<*xf32>) {
// CHECK-NEXT:    %0 = quant.qcast %arg0 : f32 to !quant.uniform<i8:f32, 5.000000e-01:3>
// CHECK-NEXT:    %1 = quant.dcast %0 : !quant.uniform<i8:f32, 5.000000e-01:3> to f32
// CHECK-NEXT:    %2 = quant.scast %arg2 : i8 to !quant.uniform<i8:f32, 5.000000e-01:3>
// CHECK-NEXT:    %3 = quant.scast %2 {x.tag} : !quant.uniform<i8:f32, 5.000000e-01:3> to i8
// CHECK-NEXT:    %4 = quant.qcast %arg1 : tensor<2x?xf32> to tensor<2x?x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
// CHECK-NEXT:    %5 = quant.dcast %4 : tensor<2x?x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>> to tensor<2x?xf32>
// CHECK-NEXT:    %6 = quant.scast %4 : tensor<2x?x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>> to tensor<2x?xi8>
// CHECK-NEXT:    %7 = quant.qcast %arg3 : tensor<*xf32> to tensor<*x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}
