// Casts without an op of their own at the integer stage are lowered to arith, math and linalg.generic
// on whole bytes. Narrower integers are widened before and narrowed after. u4 is stored in i8.
// RUN: quern opt %s --lower-to-integer | FileCheck %s
// RUN: quern opt %s --emit=interpret --input 'dense<[0.25, 3.0, 9.0]> : tensor<3xf16>' --input 'dense<[-8, -1, 7]> : tensor<3xi4>' | FileCheck %s --check-prefix=RESULT
// RUN: quern opt %s --lower-to-integer --emit=interpret --input 'dense<[0.25, 3.0, 9.0]> : tensor<3xf16>' --input 'dense<[-8, -1, 7]> : tensor<3xi4>' | FileCheck %s --check-prefix=RESULT
// RESULT: dense<[2, 7, -1]> : tensor<3xi4>
// RESULT: dense<[3.000000e+00, 6.500000e+00, 2.500000e+00]> : tensor<3xf16>
// RESULT: dense<[3.000000e+00, 6.500000e+00, -1.000000e+00]> : tensor<3xf16>
!q = !quant.uniform<u4:f16:0, {0.5:2, 0.75:3, 0.5:2}>
!p = !quant.uniform<u4:f16, 0.5:2>
func.func @main(%x: tensor<3xf16>, %i: tensor<3xi4>) -> (tensor<3xi4>, tensor<3xf16>, tensor<3xf16>) {
  // CHECK-DAG: %[[LOW:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-DAG: %[[HIGH:.*]] = arith.constant 1.500000e+01 : f32
  // CHECK-DAG: %[[ZEROS:.*]] = "ml.const"() {value = dense<[2.000000e+00, 3.000000e+00, 2.000000e+00]> : tensor<3xf32>}
  // CHECK-DAG: %[[SCALES:.*]] = "ml.const"() {value = dense<[5.000000e-01, 7.500000e-01, 5.000000e-01]> : tensor<3xf32>}
  // CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<3xi8>
  // CHECK-NEXT: %[[Q:.*]] = linalg.generic {{.*}} ins(%arg0, %[[SCALES]], %[[ZEROS]] : tensor<3xf16>, tensor<3xf32>, tensor<3xf32>) outs(%[[EMPTY]] : tensor<3xi8>) {
  // CHECK: arith.extf
  // CHECK: math.roundeven
  // CHECK: arith.fptoui %{{.*}} : f32 to i8
  // CHECK: arith.trunci %[[Q]] : tensor<3xi8> to tensor<3xi4>
  %0 = quant.qcast %x : tensor<3xf16> to tensor<3x!q>
  %1 = quant.scast %0 : tensor<3x!q> to tensor<3xi4>
  // CHECK: %[[WIDE:.*]] = arith.extui %arg1 : tensor<3xi4> to tensor<3xi8>
  // CHECK: linalg.generic {{.*}} ins(%[[WIDE]] : tensor<3xi8>) outs
  %2 = quant.scast %i : tensor<3xi4> to tensor<3x!p>
  %3 = quant.dcast %2 : tensor<3x!p> to tensor<3xf16>
  // CHECK: "ml.const"() {value = dense<[8, 15, 0]> : tensor<3xi8>} : () -> tensor<3xi8>
  %4 = "ml.const"() {value = dense<[-8, -1, 0]> : tensor<3xi4>} : () -> tensor<3x!p>
  %5 = quant.dcast %4 : tensor<3x!p> to tensor<3xf16>
  return %1, %3, %5 : tensor<3xi4>, tensor<3xf16>, tensor<3xf16>
}
