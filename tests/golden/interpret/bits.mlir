// Bitwise ops on signed and unsigned integers, shifts by negative or too large counts, and powers, which give the type's
// lowest value on overflow: at the model stage, lowered, and as machine code.
// RUN: quern opt %s --emit=interpret --function xor --input 6xi16=5,-3,-32768,32767,0,255 --input 6xi16=1,2,-1,-32768,0,-256 | FileCheck %s --check-prefix=XOR --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function xor --input 6xi16=5,-3,-32768,32767,0,255 --input 6xi16=1,2,-1,-32768,0,-256 | FileCheck %s --check-prefix=XOR --match-full-lines
// RUN: quern opt %s --emit=interpret --function shift --input 6xi32=-7,-7,7,-2147483648,2147483647,5 --input 6xi32=1,-1,40,31,30,0 | FileCheck %s --check-prefix=SHIFT --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function shift --input 6xi32=-7,-7,7,-2147483648,2147483647,5 --input 6xi32=1,-1,40,31,30,0 | FileCheck %s --check-prefix=SHIFT --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function shift --input 6xi32=-7,-7,7,-2147483648,2147483647,5 --input 6xi32=1,-1,40,31,30,0 | FileCheck %s --check-prefix=SHIFT --match-full-lines
// RUN: quern opt %s --emit=interpret --function bytes --input 4xui8=250,250,7,255 --input 4xui8=1,255,2,0 | FileCheck %s --check-prefix=BYTES --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function bytes --input 4xui8=250,250,7,255 --input 4xui8=1,255,2,0 | FileCheck %s --check-prefix=BYTES --match-full-lines
// RUN: quern opt %s --emit=interpret --function power --input 12xi32=2,2,-2,-2,3,-1,-1,0,0,1,-1,5 --input 12xi32=30,31,31,32,21,2147483647,-2147483648,0,-1,-7,-3,-1 | FileCheck %s --check-prefix=POWER --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function power --input 12xi32=2,2,-2,-2,3,-1,-1,0,0,1,-1,5 --input 12xi32=30,31,31,32,21,2147483647,-2147483648,0,-1,-7,-3,-1 | FileCheck %s --check-prefix=POWER --match-full-lines
// XOR: dense<[4, -1, 32767, -1, 0, -1]> : tensor<6xi16>
// SHIFT: dense<[-4, -7, 0, -1, 1, 5]> : tensor<6xi32>
// BYTES: dense<[125, 1, 1, 255]> : tensor<4xui8>
// POWER: dense<[1073741824, -2147483648, -2147483648, -2147483648, -2147483648, -1, 1, 1, -2147483648, 1, -1, 0]> : tensor<12xi32>
module attributes {quern.numerics = "litert-ref"} {
  func.func @xor(%x: tensor<6xi16>, %y: tensor<6xi16>) -> tensor<6xi16> {
    %0 = "ml.bitwise_xor"(%x, %y) : (tensor<6xi16>, tensor<6xi16>) -> tensor<6xi16>
    return %0 : tensor<6xi16>
  }
  func.func @shift(%x: tensor<6xi32>, %y: tensor<6xi32>) -> tensor<6xi32> {
    %0 = "ml.right_shift"(%x, %y) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    return %0 : tensor<6xi32>
  }
  func.func @bytes(%x: tensor<4xui8>, %y: tensor<4xui8>) -> tensor<4xui8> {
    %0 = "ml.right_shift"(%x, %y) : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
    return %0 : tensor<4xui8>
  }
  func.func @power(%x: tensor<12xi32>, %y: tensor<12xi32>) -> tensor<12xi32> {
    %0 = "ml.pow"(%x, %y) : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi32>
    return %0 : tensor<12xi32>
  }
}
