// x for x >= 0, else alpha (e^(x / alpha) - 1). alpha defaults to 1; 8 bits give the nearest code. The same in machine code.
// RUN: quern opt %s --emit=interpret --function reals --input 7xf32=-inf,-20,-1.5,-0.0,0.5,2,nan | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function reals --input 7xf32=-inf,-20,-1.5,-0.0,0.5,2,nan | FileCheck %s --match-full-lines
// RUN: quern opt %s --emit=interpret --function codes --input 4xi8=-48,-16,0,64 | FileCheck %s --check-prefix=CODES --match-full-lines
// RUN: quern opt %s --lower-to-integer --tabulate-bytes --emit=run --function codes --input 4xi8=-48,-16,0,64 | FileCheck %s --check-prefix=CODES --match-full-lines
// CHECK: dense<[-1.000000e+00, -1.000000e+00, -0.776869833, -0.000000e+00, 5.000000e-01, 2.000000e+00, 0x7FC00000]> : tensor<7xf32>
// CHECK-NEXT: dense<[-5.000000e-01, -5.000000e-01, -0.475106478, -0.000000e+00, 5.000000e-01, 2.000000e+00, 0x7FC00000]> : tensor<7xf32>
// e^-3 - 1 is -0.950 and e^-1 - 1 is -0.632; in sixteenths -15.2 and -10.1
// CODES: dense<[-15, -10, 0, 64]> : tensor<4x{{.*}}>
func.func @reals(%x: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %0 = "ml.celu"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  %1 = "ml.celu"(%x) {alpha = 0.5 : f64} : (tensor<7xf32>) -> tensor<7xf32>
  return %0, %1 : tensor<7xf32>, tensor<7xf32>
}
func.func @codes(%x: tensor<4x!quant.uniform<i8:f32, 0.0625>>) -> tensor<4x!quant.uniform<i8:f32, 0.0625>> {
  %0 = "ml.celu"(%x) : (tensor<4x!quant.uniform<i8:f32, 0.0625>>) -> tensor<4x!quant.uniform<i8:f32, 0.0625>>
  return %0 : tensor<4x!quant.uniform<i8:f32, 0.0625>>
}
