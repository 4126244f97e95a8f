// The two operands of an 8-bit addition are rounded twice, once with the division in the left shift, or the second time down, as
// LiteRT's vector kernels do (docs/arithmetic.md 6.1). Scales with ties distinguish the three, in the interpreter, lowered, and as
// machine code with and without fused multiply-adds.
// RUN: quern opt %s --emit=interpret --input 4xi8=1,1,-127,-127 --input 4xi8=-128,-116,20,30 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --input 4xi8=1,1,-127,-127 --input 4xi8=-128,-116,20,30 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --input 4xi8=1,1,-127,-127 --input 4xi8=-128,-116,20,30 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --cpu baseline --input 4xi8=1,1,-127,-127 --input 4xi8=-128,-116,20,30 | FileCheck %s --match-full-lines
// RUN: %opt --pass lower-to-integer %s | FileCheck %s --check-prefix=INTEGER
// RUN: quern opt --lower-to-integer %s | sed 's/a_shift = [^,}]*/a_shift = 12 : i64/' | quern opt - --lower-to-loops 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: sed 's/"single"/"thrice"/' %s | quern opt - 2>&1 | FileCheck %s --check-prefix=WORD
// CHECK: dense<[-95, -86, -49, -41]> : tensor<4x{{.*}}>
// CHECK-NEXT: dense<[-96, -87, -49, -41]> : tensor<4x{{.*}}>
// CHECK-NEXT: dense<[-96, -87, -49, -41]> : tensor<4x{{.*}}>
// CHECK-NEXT: dense<[-128, -128, 7, 42]> : tensor<4x{{.*}}>
// CHECK-NEXT: dense<[-128, -128, 7, 42]> : tensor<4x{{.*}}>
// CHECK-NEXT: dense<[-128, -128, 6, 41]> : tensor<4x{{.*}}>
// INTEGER: "ml.integer_add"
// INTEGER-NOT: terms
// INTEGER: "ml.integer_add"{{.*}}terms = "single"
// INTEGER: "ml.integer_add"{{.*}}terms = "down"
// FAR: error: 'ml.integer_add' op terms that are rounded once are shifted beyond 31 bits
// WORD: error: 'ml.add' op unknown terms 'thrice'; it is one of double,single,down
!a = !quant.uniform<i8:f32, 1.0>
!b = !quant.uniform<i8:f32, 1.5>
!c = !quant.uniform<i8:f32, 7.0>
!y = !quant.uniform<i8:f32, 2.0>
module attributes {quern.numerics = "litert-opt"} {
  func.func @main(%s: tensor<4xi8>, %t: tensor<4xi8>) -> (tensor<4x!y>, tensor<4x!y>, tensor<4x!y>, tensor<4x!y>, tensor<4x!y>, tensor<4x!y>) {
    %a = quant.scast %s : tensor<4xi8> to tensor<4x!a>
    %b = quant.scast %t : tensor<4xi8> to tensor<4x!b>
    %c = quant.scast %t : tensor<4xi8> to tensor<4x!c>
    %0 = "ml.add"(%a, %b) : (tensor<4x!a>, tensor<4x!b>) -> tensor<4x!y>
    %1 = "ml.add"(%a, %b) {terms = "single"} : (tensor<4x!a>, tensor<4x!b>) -> tensor<4x!y>
    %2 = "ml.add"(%a, %b) {terms = "down"} : (tensor<4x!a>, tensor<4x!b>) -> tensor<4x!y>
    %3 = "ml.add"(%a, %c) : (tensor<4x!a>, tensor<4x!c>) -> tensor<4x!y>
    %4 = "ml.add"(%a, %c) {terms = "single"} : (tensor<4x!a>, tensor<4x!c>) -> tensor<4x!y>
    %5 = "ml.add"(%a, %c) {terms = "down"} : (tensor<4x!a>, tensor<4x!c>) -> tensor<4x!y>
    return %0, %1, %2, %3, %4, %5 : tensor<4x!y>, tensor<4x!y>, tensor<4x!y>, tensor<4x!y>, tensor<4x!y>, tensor<4x!y>
  }
}
