// Quantization of floats by the reciprocal of the scale in two parts, where the target has fused multiply-adds; by a division elsewhere.
// The inputs are ties of both signs, their neighbours, values beyond both ends, and NaN. 35 elements are vectors and a remainder.
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s
// RUN: quern opt %s --compile --config cpu=x86-64 | FileCheck %s --check-prefix=DIVIDES
// RUN: quern opt %s --numerics litert-ref --emit=interpret --input 35xf32=0.05,-0.05,0.15,-0.15,0.25,-0.25,0.35,-0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,12.65,-12.65,12.75,12.85,-12.85,13.5,-14,1e30,-1e30,inf,-inf,nan,0,-0.0,1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=AWAY
// RUN: quern opt %s --numerics litert-ref --emit=run --input 35xf32=0.05,-0.05,0.15,-0.15,0.25,-0.25,0.35,-0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,12.65,-12.65,12.75,12.85,-12.85,13.5,-14,1e30,-1e30,inf,-inf,nan,0,-0.0,1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=AWAY
// RUN: quern opt %s --numerics litert-ref --emit=run --config cpu=x86-64 --input 35xf32=0.05,-0.05,0.15,-0.15,0.25,-0.25,0.35,-0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,12.65,-12.65,12.75,12.85,-12.85,13.5,-14,1e30,-1e30,inf,-inf,nan,0,-0.0,1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=AWAY
// RUN(x86-64-v3): quern opt %s --numerics litert-ref --emit=run --config cpu=x86-64-v3 --input 35xf32=0.05,-0.05,0.15,-0.15,0.25,-0.25,0.35,-0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,12.65,-12.65,12.75,12.85,-12.85,13.5,-14,1e30,-1e30,inf,-inf,nan,0,-0.0,1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=AWAY
// RUN(avx512vnni): quern opt %s --numerics litert-ref --emit=run --config cpu=avx512vnni --input 35xf32=0.05,-0.05,0.15,-0.15,0.25,-0.25,0.35,-0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,12.65,-12.65,12.75,12.85,-12.85,13.5,-14,1e30,-1e30,inf,-inf,nan,0,-0.0,1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=AWAY
// RUN: quern opt %s --numerics onnx --emit=interpret --input 35xf32=0.05,-0.05,0.15,-0.15,0.25,-0.25,0.35,-0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,12.65,-12.65,12.75,12.85,-12.85,13.5,-14,1e30,-1e30,inf,-inf,nan,0,-0.0,1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=EVEN
// RUN: quern opt %s --numerics onnx --emit=run --input 35xf32=0.05,-0.05,0.15,-0.15,0.25,-0.25,0.35,-0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,12.65,-12.65,12.75,12.85,-12.85,13.5,-14,1e30,-1e30,inf,-inf,nan,0,-0.0,1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=EVEN
// RUN: quern opt %s --numerics onnx --emit=run --config cpu=x86-64 --input 35xf32=0.05,-0.05,0.15,-0.15,0.25,-0.25,0.35,-0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,12.65,-12.65,12.75,12.85,-12.85,13.5,-14,1e30,-1e30,inf,-inf,nan,0,-0.0,1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=EVEN
// RUN(x86-64-v3): quern opt %s --numerics onnx --emit=run --config cpu=x86-64-v3 --input 35xf32=0.05,-0.05,0.15,-0.15,0.25,-0.25,0.35,-0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,12.65,-12.65,12.75,12.85,-12.85,13.5,-14,1e30,-1e30,inf,-inf,nan,0,-0.0,1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=EVEN
// RUN(avx512vnni): quern opt %s --numerics onnx --emit=run --config cpu=avx512vnni --input 35xf32=0.05,-0.05,0.15,-0.15,0.25,-0.25,0.35,-0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,12.65,-12.65,12.75,12.85,-12.85,13.5,-14,1e30,-1e30,inf,-inf,nan,0,-0.0,1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=EVEN
// MLIR-OPT: none
// CHECK: func.func private @quantize_0
// CHECK-NOT: arith.divf
// CHECK: math.fma
// DIVIDES: func.func private @quantize_0
// DIVIDES: arith.divf
// AWAY: dense<[-6, -8, -5, -9, -4, -10, -3, -11, -2, -1, -1, -13, 1, 6, -20, 16, 119, -128, 121, 122, -128, 127, -128, 127, -128, 127, -128, -7, -7, -7, -7, -7, -6, -6, -5]>
// EVEN: dense<[-7, -7, -5, -9, -5, -9, -3, -11, -3, -1, -1, -13, 1, 5, -19, 16, 119, -128, 121, 121, -128, 127, -128, 127, -128, 127, -128, -7, -7, -7, -7, -7, -6, -6, -5]>
module {
  func.func @main(%x: tensor<35xf32>) -> (tensor<35x!quant.uniform<i8:f32, 0.1:-7>>, tensor<35x!quant.uniform<i8:f32, 0.1:-7>>) {
    %0 = "quant.qcast"(%x) : (tensor<35xf32>) -> tensor<35x!quant.uniform<i8:f32, 0.1:-7>>
    %1 = "ml.relu"(%0) : (tensor<35x!quant.uniform<i8:f32, 0.1:-7>>) -> tensor<35x!quant.uniform<i8:f32, 0.1:-7>>
    return %0, %1 : tensor<35x!quant.uniform<i8:f32, 0.1:-7>>, tensor<35x!quant.uniform<i8:f32, 0.1:-7>>
  }
}
