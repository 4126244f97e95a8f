// Casts of constants fold to the interpreter's result. A quantized constant is a storage
// cast of integers, which mlir-opt reads, too. The module sets the rounding. Upstream folds none.
// RUN: quern opt %s --canonicalize | FileCheck %s
// RUN: quern opt %s --canonicalize --upstream-compatible | FileCheck %s --check-prefix=UPSTREAM
// UPSTREAM-COUNT-3: quant.qcast
!q = !quant.uniform<u4:f16:0, {0.5:3, 1.0, 2.0:15}>
!b = !quant.uniform<i8:f32, 0.5:3>
module attributes {quern.numerics = "tflm"} {
  // CHECK-LABEL: @tensor
  // CHECK-DAG: %[[Q:.*]] = arith.constant dense<[4, 3, -1]> : tensor<3xi4>
  // CHECK-DAG: %[[D:.*]] = arith.constant dense<[5.000000e-01, 3.000000e+00, 0.000000e+00]> : tensor<3xf16>
  // CHECK: %[[S:.*]] = quant.scast %[[Q]] : tensor<3xi4> to tensor<3x!quant.uniform<
  // CHECK-NEXT: return %[[S]], %[[D]], %[[Q]]
  func.func @tensor() -> (tensor<3x!q>, tensor<3xf16>, tensor<3xi4>) {
    %x = arith.constant dense<[0.25, 3.0, 9.0]> : tensor<3xf16>
    %0 = quant.qcast %x : tensor<3xf16> to tensor<3x!q>
    %1 = quant.dcast %0 : tensor<3x!q> to tensor<3xf16>
    %2 = quant.scast %0 : tensor<3x!q> to tensor<3xi4>
    return %0, %1, %2 : tensor<3x!q>, tensor<3xf16>, tensor<3xi4>
  }
  // CHECK-LABEL: @scalar
  // CHECK: %[[C:.*]] = arith.constant 4 : i8
  // CHECK-NEXT: %[[S:.*]] = quant.scast %[[C]]
  // CHECK-NEXT: return %[[S]], %[[C]]
  func.func @scalar() -> (!b, i8) {
    %x = arith.constant 0.25 : f32
    %0 = quant.qcast %x : f32 to !b
    %1 = quant.scast %0 : !b to i8
    return %0, %1 : !b, i8
  }
  // A constant above 4 KiB is not folded.
  // CHECK-LABEL: @large
  // CHECK: quant.qcast
  func.func @large() -> tensor<5000x!b> {
    %x = arith.constant dense<0.25> : tensor<5000xf32>
    %0 = quant.qcast %x : tensor<5000xf32> to tensor<5000x!b>
    return %0 : tensor<5000x!b>
  }
}
