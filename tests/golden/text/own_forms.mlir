// Ops of our own dialects have a short form that is read everywhere and printed on request.
// MLIR-OPT: none
// RUN: quern opt %s --print-custom | FileCheck %s --match-full-lines --strict-whitespace
// RUN: quern opt %s | FileCheck %s --check-prefix=GENERIC
// RUN: quern opt %s --print-custom --generic | FileCheck %s --check-prefix=GENERIC
// RUN: quern opt %s --verify-roundtrip >/dev/null
!q = !quant.uniform<i8:f32, 0.5>
func.func private @kernel(%in: memref<64xi8>, %out: memref<64xi8>, %from: index, %to: index) {
  return
}
func.func @launch(%in: memref<64xi8>, %out: memref<64xi8>, %count: index) {
  quern.launch %in, %out, %count {kernel = @kernel} : (memref<64xi8>, memref<64xi8>, index) -> ()
  return
}
func.func @model(%x: tensor<1x4x!q>) -> tensor<2x4x!q> {
  %c = ml.const {value = dense<7> : tensor<1x4xi8>} : () -> tensor<1x4x!q>
  %y = ml.relu %x : (tensor<1x4x!q>) -> tensor<1x4x!q>
  %p:2 = ml.split %y {axis = 1 : i64} : (tensor<1x4x!q>) -> (tensor<1x1x!q>, tensor<1x3x!q>)
  %z = "ml.concat"(%p#0, %p#1) {axis = 1 : i64} : (tensor<1x1x!q>, tensor<1x3x!q>) -> tensor<1x4x!q>
  %w = ml.concat %z, %c {axis = 0 : i64} : (tensor<1x4x!q>, tensor<1x4x!q>) -> tensor<2x4x!q>
  return %w : tensor<2x4x!q>
}

// CHECK:    quern.launch %arg0, %arg1, %arg2 {kernel = @kernel} : (memref<64xi8>, memref<64xi8>, index) -> ()
// CHECK:    %0 = ml.const {value = dense<7> : tensor<1x4xi8>} : () -> tensor<1x4x!quant.uniform<i8:f32, 5.000000e-01>>
// CHECK-NEXT:    %1 = ml.relu %arg0 : (tensor<1x4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<1x4x!quant.uniform<i8:f32, 5.000000e-01>>
// CHECK-NEXT:    %2:2 = ml.split %1 {axis = 1 : i64} : (tensor<1x4x!quant.uniform<i8:f32, 5.000000e-01>>) -> (tensor<1x1x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1x3x!quant.uniform<i8:f32, 5.000000e-01>>)
// CHECK-NEXT:    %3 = ml.concat %2#0, %2#1 {axis = 1 : i64} : (tensor<1x1x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1x3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<1x4x!quant.uniform<i8:f32, 5.000000e-01>>
// CHECK-NEXT:    %4 = ml.concat %3, %0 {axis = 0 : i64} : (tensor<1x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1x4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x4x!quant.uniform<i8:f32, 5.000000e-01>>

// GENERIC: "quern.launch"(%arg0, %arg1, %arg2) {kernel = @kernel}
// GENERIC: %0 = "ml.const"() {value = dense<7>
// GENERIC-NEXT: %1 = "ml.relu"(%arg0) :
// GENERIC-NEXT: %2:2 = "ml.split"(%1)
