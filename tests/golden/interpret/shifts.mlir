// Shifts by any count and bitwise ops on integers: at the model stage, lowered, and as machine code.
// RUN: quern opt %s --emit=interpret --input 8xi32=1,-5,-5,-5,7,2147483647,-1,3 --input 8xi32=31,-1,-31,-32,32,1,-2147483648,2147483647 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --input 8xi32=1,-5,-5,-5,7,2147483647,-1,3 --input 8xi32=31,-1,-31,-32,32,1,-2147483648,2147483647 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --input 8xi32=1,-5,-5,-5,7,2147483647,-1,3 --input 8xi32=31,-1,-31,-32,32,1,-2147483648,2147483647 | FileCheck %s --match-full-lines
// RUN: sed 's/i32/f32/g' %s | %opt - 2>&1 | FileCheck %s --check-prefix=REAL
// CHECK: dense<[-2147483648, -3, -1, -1, 0, -2, -1, 0]> : tensor<8xi32>
// CHECK-NEXT: dense<[1, -5, -31, -32, 0, 1, -2147483648, 3]> : tensor<8xi32>
// CHECK-NEXT: dense<[4294967296, -21474836480, -21474836480, -21474836480, 30064771072, 9223372032559808512, -4294967296, 12884901888]> : tensor<8xi64>
// REAL: error: 'ml.shift' op takes plain signless integers
module {
  func.func @main(%x: tensor<8xi32>, %n: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi64>) {
    %shifted = "ml.shift"(%x, %n) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
    %both = "ml.bitwise_and"(%x, %n) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
    %wide = "ml.cast"(%x) : (tensor<8xi32>) -> tensor<8xi64>
    %by = "ml.const"() {value = dense<32> : tensor<1xi64>} : () -> tensor<1xi64>
    %far = "ml.shift"(%wide, %by) : (tensor<8xi64>, tensor<1xi64>) -> tensor<8xi64>
    return %shifted, %both, %far : tensor<8xi32>, tensor<8xi32>, tensor<8xi64>
  }
}
