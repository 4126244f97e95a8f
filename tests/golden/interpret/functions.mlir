// Elementary functions of one operand and functions built from them, in f32, f16 and f64; the sign of integers. The same
// in machine code.
// RUN: quern opt %s --emit=interpret --function real --input 5xf32=-0.75,-0.0,0.3,1,0.9999 | FileCheck %s --check-prefix=REAL --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function real --input 5xf32=-0.75,-0.0,0.3,1,0.9999 | FileCheck %s --check-prefix=REAL --match-full-lines
// RUN: quern opt %s --emit=interpret --function large --input 5xf32=-inf,1e30,-20,inf,nan | FileCheck %s --check-prefix=LARGE --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function large --input 5xf32=-inf,1e30,-20,inf,nan | FileCheck %s --check-prefix=LARGE --match-full-lines
// RUN: quern opt %s --emit=interpret --function others --input 4xf32=-0.75,0.0,0.3,1 --input 4xi32=-7,0,1,9 | FileCheck %s --check-prefix=OTHERS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function others --input 4xf32=-0.75,0.0,0.3,1 --input 4xi32=-7,0,1,9 | FileCheck %s --check-prefix=OTHERS --match-full-lines
// REAL: dense<[-0.848062098, -0.000000e+00, 0.304692656, 1.57079637, 1.5566529]> : tensor<5xf32>
// REAL-NEXT: dense<[2.41885829, 1.57079637, 1.26610363, 0.000000e+00, 0.0141434269]> : tensor<5xf32>
// REAL-NEXT: dense<[-0.972955048, -0.000000e+00, 0.309519619, 0x7F800000, 4.95163584]> : tensor<5xf32>
// REAL-NEXT: dense<[-1.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<5xf32>
// LARGE: dense<[0x7FC00000, 1.29358613, -2.23716092, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>
// LARGE-NEXT: dense<[-1.57079637, 1.57079637, -1.5208379, 1.57079637, 0x7FC00000]> : tensor<5xf32>
// LARGE-NEXT: dense<[0xFF800000, 0x7F800000, 0xCD675844, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
// LARGE-NEXT: dense<[0x7F800000, 0x7F800000, 0x4D675844, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
// LARGE-NEXT: dense<[0.000000e+00, 0x7F800000, 9.53674316E-7, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
// LARGE-NEXT: dense<[0.000000e+00, 1.000000e+30, 2.06115369E-9, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
// LARGE-NEXT: dense<[-1.000000e+00, 1.000000e+00, -0.952380955, 1.000000e+00, 0x7FC00000]> : tensor<5xf32>
// LARGE-NEXT: dense<[-0.000000e+00, 1.000000e+30, -4.12230747E-8, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
// OTHERS: dense<[-0.236083984, 0.000000e+00, 0.170654297, 0.631347656]> : tensor<4xf32>
// OTHERS-NEXT: dense<[0.409315974, 0.693147182, 0.851784348, 1.19989753]> : tensor<4xf32>
// OTHERS-NEXT: dense<[-1, 0, 1, 1]> : tensor<4xi32>
func.func @real(%x: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %0 = "ml.asin"(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %1 = "ml.acos"(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %2 = "ml.atanh"(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %3 = "ml.sign"(%x) : (tensor<5xf32>) -> tensor<5xf32>
  return %0, %1, %2, %3 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}
func.func @large(%x: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %0 = "ml.tan"(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %1 = "ml.atan"(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %2 = "ml.sinh"(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %3 = "ml.cosh"(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %4 = "ml.exp2"(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %5 = "ml.softplus"(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %6 = "ml.softsign"(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %7 = "ml.silu"(%x) : (tensor<5xf32>) -> tensor<5xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}
func.func @others(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi32>) {
  %h = arith.truncf %x : tensor<4xf32> to tensor<4xf16>
  %a = "ml.silu"(%h) : (tensor<4xf16>) -> tensor<4xf16>
  %b = "ml.atan"(%a) : (tensor<4xf16>) -> tensor<4xf16>
  %0 = arith.extf %b : tensor<4xf16> to tensor<4xf32>
  %w = arith.extf %x : tensor<4xf32> to tensor<4xf64>
  %c = "ml.sin"(%w) : (tensor<4xf64>) -> tensor<4xf64>
  %d = "ml.softplus"(%c) : (tensor<4xf64>) -> tensor<4xf64>
  %1 = arith.truncf %d : tensor<4xf64> to tensor<4xf32>
  %2 = "ml.sign"(%i) : (tensor<4xi32>) -> tensor<4xi32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xi32>
}
