// atan2 in all quadrants and on the axes, for infinities and NaN, in f32, f16 and f64; bit casts of numbers,
// also of a signalling NaN: at the model stage, lowered, and as machine code.
// RUN: quern opt %s --emit=interpret --function angle --input 8xf32=1,-1,0.0,-0.0,inf,-inf,3,nan --input 8xf32=-1,-2,-1,-0.0,-inf,5,-inf,0 | FileCheck %s --check-prefix=ANGLE --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function angle --input 8xf32=1,-1,0.0,-0.0,inf,-inf,3,nan --input 8xf32=-1,-2,-1,-0.0,-inf,5,-inf,0 | FileCheck %s --check-prefix=ANGLE --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function angle --input 8xf32=1,-1,0.0,-0.0,inf,-inf,3,nan --input 8xf32=-1,-2,-1,-0.0,-inf,5,-inf,0 | FileCheck %s --check-prefix=ANGLE --match-full-lines
// RUN: quern opt %s --emit=interpret --function others --input 3xf32=0.75,-7,0.0 --input 2xf32=-0.5,3 | FileCheck %s --check-prefix=OTHERS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function others --input 3xf32=0.75,-7,0.0 --input 2xf32=-0.5,3 | FileCheck %s --check-prefix=OTHERS --match-full-lines
// RUN: quern opt %s --emit=interpret --function there_and_back --input 4xi32=2139095041,-8388607,1065353216,1 | FileCheck %s --check-prefix=BITS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function there_and_back --input 4xi32=2139095041,-8388607,1065353216,1 | FileCheck %s --check-prefix=BITS --match-full-lines
// RUN: quern opt %s --emit=interpret --function unsigned --input 3xui8=200,7,128 | FileCheck %s --check-prefix=UNSIGNED --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function unsigned --input 3xui8=200,7,128 | FileCheck %s --check-prefix=UNSIGNED --match-full-lines
// ANGLE: dense<[2.3561945, -2.67794514, 3.14159274, -3.14159274, 2.3561945, -1.57079637, 3.14159274, 0x7FC00000]> : tensor<8xf32>
// OTHERS: dense<[2.15820313, 0.244995117, -1.64257813, -1.16601563, 3.140625, 0.000000e+00]> : tensor<6xf32>
// OTHERS-NEXT: dense<[2.15879893, 0.244978666, -1.64210379, -1.16590452, 3.14159274, 0.000000e+00]> : tensor<6xf32>
// BITS: dense<[0x7F800001, 0xFF800001, 1.000000e+00, 1.401300e-45]> : tensor<4xf32>
// BITS-NEXT: dense<[2139095041, -8388607, 1065353216, 1]> : tensor<4xi32>
// UNSIGNED: dense<[-56, 7, -128]> : tensor<3xi8>
func.func @angle(%y: tensor<8xf32>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "ml.atan2"(%y, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @others(%y: tensor<3xf32>, %x: tensor<2xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %column = "ml.reshape"(%y) : (tensor<3xf32>) -> tensor<3x1xf32>
  %a = arith.truncf %column : tensor<3x1xf32> to tensor<3x1xf16>
  %b = arith.truncf %x : tensor<2xf32> to tensor<2xf16>
  %h = "ml.atan2"(%a, %b) : (tensor<3x1xf16>, tensor<2xf16>) -> tensor<3x2xf16>
  %0 = arith.extf %h : tensor<3x2xf16> to tensor<3x2xf32>
  %c = arith.extf %column : tensor<3x1xf32> to tensor<3x1xf64>
  %d = arith.extf %x : tensor<2xf32> to tensor<2xf64>
  %w = "ml.atan2"(%c, %d) : (tensor<3x1xf64>, tensor<2xf64>) -> tensor<3x2xf64>
  %1 = arith.truncf %w : tensor<3x2xf64> to tensor<3x2xf32>
  %2 = "ml.reshape"(%0) : (tensor<3x2xf32>) -> tensor<6xf32>
  %3 = "ml.reshape"(%1) : (tensor<3x2xf32>) -> tensor<6xf32>
  return %2, %3 : tensor<6xf32>, tensor<6xf32>
}
func.func @there_and_back(%x: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0 = "ml.bitcast"(%x) : (tensor<4xi32>) -> tensor<4xf32>
  %1 = "ml.bitcast"(%0) : (tensor<4xf32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xf32>, tensor<4xi32>
}
func.func @unsigned(%x: tensor<3xui8>) -> tensor<3xi8> {
  %0 = "ml.bitcast"(%x) : (tensor<3xui8>) -> tensor<3xi8>
  return %0 : tensor<3xi8>
}
