// Quantization of floats whose zero point is the least stored value, as of images: the clamp at 0 is also that of NaN, so nothing else
// looks for it, and no sum is rounded by its sign. The inputs are ties, their neighbours, values beyond both ends, and NaN.
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s
// RUN: quern opt %s --numerics litert-ref --emit=interpret --input 35xf32=0.05,-0.05,0.15,0.25,-0.25,0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,25.45,25.35,25.55,25.5,25.499998,30,-14,1e30,-1e30,inf,-inf,nan,-nan,0,-0.0,1e-40,-1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=AWAY
// RUN: quern opt %s --numerics litert-ref --emit=run --input 35xf32=0.05,-0.05,0.15,0.25,-0.25,0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,25.45,25.35,25.55,25.5,25.499998,30,-14,1e30,-1e30,inf,-inf,nan,-nan,0,-0.0,1e-40,-1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=AWAY
// RUN: quern opt %s --numerics litert-ref --emit=run --config cpu=x86-64 --input 35xf32=0.05,-0.05,0.15,0.25,-0.25,0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,25.45,25.35,25.55,25.5,25.499998,30,-14,1e30,-1e30,inf,-inf,nan,-nan,0,-0.0,1e-40,-1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=AWAY
// RUN(x86-64-v3): quern opt %s --numerics litert-ref --emit=run --config cpu=x86-64-v3 --input 35xf32=0.05,-0.05,0.15,0.25,-0.25,0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,25.45,25.35,25.55,25.5,25.499998,30,-14,1e30,-1e30,inf,-inf,nan,-nan,0,-0.0,1e-40,-1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=AWAY
// RUN(avx512vnni): quern opt %s --numerics litert-ref --emit=run --config cpu=avx512vnni --input 35xf32=0.05,-0.05,0.15,0.25,-0.25,0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,25.45,25.35,25.55,25.5,25.499998,30,-14,1e30,-1e30,inf,-inf,nan,-nan,0,-0.0,1e-40,-1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=AWAY
// RUN: quern opt %s --numerics onnx --emit=interpret --input 35xf32=0.05,-0.05,0.15,0.25,-0.25,0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,25.45,25.35,25.55,25.5,25.499998,30,-14,1e30,-1e30,inf,-inf,nan,-nan,0,-0.0,1e-40,-1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=EVEN
// RUN: quern opt %s --numerics onnx --emit=run --input 35xf32=0.05,-0.05,0.15,0.25,-0.25,0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,25.45,25.35,25.55,25.5,25.499998,30,-14,1e30,-1e30,inf,-inf,nan,-nan,0,-0.0,1e-40,-1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=EVEN
// RUN: quern opt %s --numerics onnx --emit=run --config cpu=x86-64 --input 35xf32=0.05,-0.05,0.15,0.25,-0.25,0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,25.45,25.35,25.55,25.5,25.499998,30,-14,1e30,-1e30,inf,-inf,nan,-nan,0,-0.0,1e-40,-1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=EVEN
// RUN(x86-64-v3): quern opt %s --numerics onnx --emit=run --config cpu=x86-64-v3 --input 35xf32=0.05,-0.05,0.15,0.25,-0.25,0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,25.45,25.35,25.55,25.5,25.499998,30,-14,1e30,-1e30,inf,-inf,nan,-nan,0,-0.0,1e-40,-1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=EVEN
// RUN(avx512vnni): quern opt %s --numerics onnx --emit=run --config cpu=avx512vnni --input 35xf32=0.05,-0.05,0.15,0.25,-0.25,0.35,0.45,0.55,0.65,-0.65,0.75,1.25,-1.25,2.35,25.45,25.35,25.55,25.5,25.499998,30,-14,1e30,-1e30,inf,-inf,nan,-nan,0,-0.0,1e-40,-1e-40,0.049999997,0.05000001,0.14999999,0.15000002 | FileCheck %s --check-prefix=EVEN
// MLIR-OPT: none
// CHECK: func.func private @quantize_0
// CHECK-NOT: arith.cmpf ord
// CHECK-NOT: arith.ori
// CHECK: func.func @main
// AWAY: dense<[-127, -128, -126, -125, -128, -124, -123, -122, -122, -128, -120, -115, -128, -105, 127, 126, 127, 127, 127, 127, -128, 127, -128, 127, -128, -128, -128, -128, -128, -128, -128, -128, -127, -127, -126]>
// EVEN: dense<[-128, -128, -126, -126, -128, -124, -124, -122, -122, -128, -120, -116, -128, -105, 126, 126, 127, 127, 127, 127, -128, 127, -128, 127, -128, -128, -128, -128, -128, -128, -128, -128, -127, -127, -126]>
module {
  func.func @main(%x: tensor<35xf32>) -> (tensor<35x!quant.uniform<i8:f32, 0.1:-128>>, tensor<35x!quant.uniform<i8:f32, 0.1:-128>>) {
    %0 = "quant.qcast"(%x) : (tensor<35xf32>) -> tensor<35x!quant.uniform<i8:f32, 0.1:-128>>
    %1 = "ml.relu6"(%0) : (tensor<35x!quant.uniform<i8:f32, 0.1:-128>>) -> tensor<35x!quant.uniform<i8:f32, 0.1:-128>>
    return %0, %1 : tensor<35x!quant.uniform<i8:f32, 0.1:-128>>, tensor<35x!quant.uniform<i8:f32, 0.1:-128>>
  }
}
