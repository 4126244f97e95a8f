// Floats of fewer than 16 bits: in quantized types, as literals in each format, in dense lists and as bits. No op computes
// with them.
// RUN: quern opt %s | FileCheck %s
// RUN: %opt --round-trip %s >/dev/null
// RUN: quern opt --lower-quant-ops %s 2>&1 >/dev/null | FileCheck %s --check-prefix=LOWERED
// RUN: quern opt --lower-quant-ops %s 2>/dev/null; test $? = 4

// CHECK: func.func private @expressed(!quant.uniform<i8:f8E4M3FN, 1.000000e+00>, !quant.uniform<i8:tf32, 1.000000e+00>, !quant.uniform<i8:f80, 1.000000e+00>)
func.func private @expressed(!quant.uniform<i8:f8E4M3FN, 1.0>, !quant.uniform<i8:tf32, 1.0>, !quant.uniform<i8:f80, 1.0>)
// CHECK: tensor<4x!quant.uniform<i8:f8E5M2:0, {1.500000e+00,2.000000e+00:3,1.000000e-01,1.000000e+02}>>, !quant.calibrated<f4E2M1FN<-1.000000e+00:2.000000e+00>>, !quant.any<i8:f6E3M2FN>
func.func private @schemes(tensor<4x!quant.uniform<i8:f8E5M2:0, {1.5, 2.0:3, 0.1, 100.0}>>, !quant.calibrated<f4E2M1FN<-1.0:2.0>>, !quant.any<i8:f6E3M2FN>)
// Scales of blocks are rounded to the expressed type.
// CHECK: {{.*}}@blocks(tensor<2x2x!quant.uniform<i8:f8E4M3:{0:1, 1:2}, {{[{][{]}}1.000000e+00}, {2.750000e+00:3}}>>)
func.func private @blocks(tensor<2x2x!quant.uniform<i8:f8E4M3:{0:1, 1:2}, {{1.03}, {2.7:3}}>>)
// Ties to even, overflow, NaN and signed zeros, rounded as each format defines.
// CHECK-LABEL: func.func @literals
func.func @literals() {
  // CHECK-NEXT: arith.constant 1.250000e+00 : f8E4M3FN
  %0 = arith.constant 1.3 : f8E4M3FN
  // CHECK-NEXT: dense<[1.000000e+00, 2.500000e+00, -9.375000e-02, 0x7F, 0x7C, 5.734400e+04]> : tensor<6xf8E5M2>
  %1 = arith.constant dense<[1.0, 2.5, -0.1, 0x7F, 0x7C, 60000.0]> : tensor<6xf8E5M2>
  // CHECK-NEXT: dense<[4.480000e+02, 0x7F, 4.480000e+02, -0.000000e+00]> : tensor<4xf8E4M3FN>
  %2 = arith.constant dense<[448.0, 500.0, 460.0, 0x80]> : tensor<4xf8E4M3FN>
  // CHECK-NEXT: dense<[4.000000e+00, 0.000000e+00, -6.000000e+00, 6.000000e+00]> : tensor<4xf4E2M1FN>
  %3 = arith.constant dense<[5.0, 0.2, 0xF, 100.0]> : tensor<4xf4E2M1FN>
  // CHECK-NEXT: dense<[4.000000e+00, 2.500000e-01, 0xFF, 4.000000e+00]> : tensor<4xf8E8M0FNU>
  %4 = arith.constant dense<[5.0, 0.2, 0xFF, 3.0]> : tensor<4xf8E8M0FNU>
  // CHECK-NEXT: dense<[1.757810e-02, 9.765620e-03, 0x80, 0x80]> : tensor<4xf8E4M3FNUZ>
  %5 = arith.constant dense<[0.017, 0.01, 0x80, 300.0]> : tensor<4xf8E4M3FNUZ>
  // CHECK-NEXT: dense<[1.562500e-02, 1.562500e-02, -0.000000e+00, 0x70]> : tensor<4xf8E3M4>
  %6 = arith.constant dense<[0.017, 0.01, -0.0, 16.0]> : tensor<4xf8E3M4>
  // CHECK-NEXT: dense<[1.000000e+00, 1.250000e+00, 1.500000e+00, 1.750000e+00]> : tensor<4xf8E5M2>
  %7 = arith.constant dense<"0x3c3d3e3f"> : tensor<4xf8E5M2>
  return
}
// CHECK-LABEL: func.func @cast
// CHECK-NEXT: quant.qcast %arg0 : tensor<4xf8E4M3FN> to tensor<4x!quant.uniform<i8:f8E4M3FN, 5.000000e-01:3>>
// LOWERED: error: 'quant.qcast' op can be lowered for f16, bf16, f32 and f64 only
func.func @cast(%x: tensor<4xf8E4M3FN>) -> tensor<4x!quant.uniform<i8:f8E4M3FN, 0.5:3>> {
  %0 = quant.qcast %x : tensor<4xf8E4M3FN> to tensor<4x!quant.uniform<i8:f8E4M3FN, 0.5:3>>
  return %0 : tensor<4x!quant.uniform<i8:f8E4M3FN, 0.5:3>>
}
