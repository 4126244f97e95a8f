// Float remainders of very different magnitudes, in 64 bits, and by invalid divisors, and quotients of 16 bits: at the
// model stage, lowered, and as machine code.
// RUN: quern opt %s --emit=interpret --function reals --input "8xf32=7.5,-7.5,7.5,-6,1e30,5,5,-0.0" --input "8xf32=2,2,-2,3,7,inf,-inf,3" | FileCheck %s --check-prefix=REALS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function reals --input "8xf32=7.5,-7.5,7.5,-6,1e30,5,5,-0.0" --input "8xf32=2,2,-2,3,7,inf,-inf,3" | FileCheck %s --check-prefix=REALS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function reals --input "8xf32=7.5,-7.5,7.5,-6,1e30,5,5,-0.0" --input "8xf32=2,2,-2,3,7,inf,-inf,3" | FileCheck %s --check-prefix=REALS --match-full-lines
// RUN: quern opt %s --emit=interpret --function longs --input "6xi64=7,-7,7,9223372036854775807,-9223372036854775808,5" --input "6xi64=3,3,-3,10,-1,0" | FileCheck %s --check-prefix=LONGS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function longs --input "6xi64=7,-7,7,9223372036854775807,-9223372036854775808,5" --input "6xi64=3,3,-3,10,-1,0" | FileCheck %s --check-prefix=LONGS --match-full-lines
// RUN: quern opt %s --emit=interpret --function words --input 6xi16=-32768,-300,1,0,200,32767 --input 6xi16=3,-7,32767,5,0,-1 | FileCheck %s --check-prefix=WORDS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function words --input 6xi16=-32768,-300,1,0,200,32767 --input 6xi16=3,-7,32767,5,0,-1 | FileCheck %s --check-prefix=WORDS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function words --input 6xi16=-32768,-300,1,0,200,32767 --input 6xi16=3,-7,32767,5,0,-1 | FileCheck %s --check-prefix=WORDS --match-full-lines
// REALS: dense<[1.500000e+00, 5.000000e-01, -5.000000e-01, -0.000000e+00, 1.000000e+00, 5.000000e+00, 0xFF800000, -0.000000e+00]> : tensor<8xf32>
// LONGS: dense<[1, 2, -2, 7, 0, 5]> : tensor<6xi64>
// WORDS: dense<[-32768, 857, 32767, 0, 0, -32768]> : tensor<6x{{.*}}>
!x = !quant.uniform<i16:f32, 0.01>
!y = !quant.uniform<i16:f32, 0.05>
module attributes {quern.numerics = "litert-ref"} {
  func.func @reals(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %0 = "ml.floor_mod"(%x, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func @longs(%x: tensor<6xi64>, %y: tensor<6xi64>) -> tensor<6xi64> {
    %0 = "ml.floor_mod"(%x, %y) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    return %0 : tensor<6xi64>
  }
  func.func @words(%s: tensor<6xi16>, %t: tensor<6xi16>) -> tensor<6x!y> {
    %x = quant.scast %s : tensor<6xi16> to tensor<6x!x>
    %d = quant.scast %t : tensor<6xi16> to tensor<6x!x>
    %0 = "ml.real_div"(%x, %d) : (tensor<6x!x>, tensor<6x!x>) -> tensor<6x!y>
    return %0 : tensor<6x!y>
  }
}
