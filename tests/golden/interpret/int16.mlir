// Functions of 16-bit values, and of pairs that no 256-entry table covers: the same at every stage, and per profile
// for additions and for kernels that compute on stored values.
// RUN: quern opt %s --emit=interpret --function words --input 6xi16=-32768,-300,-1,0,200,32767 --input 6xi8=-128,-3,0,1,64,127 | FileCheck %s --check-prefix=WORDS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function words --input 6xi16=-32768,-300,-1,0,200,32767 --input 6xi8=-128,-3,0,1,64,127 | FileCheck %s --check-prefix=WORDS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function words --input 6xi16=-32768,-300,-1,0,200,32767 --input 6xi8=-128,-3,0,1,64,127 | FileCheck %s --check-prefix=WORDS --match-full-lines
// RUN: quern opt %s --emit=interpret --function sums --input 2x3xi8=-128,-3,0,1,64,127 | FileCheck %s --check-prefix=SUMS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --function sums --input 2x3xi8=-128,-3,0,1,64,127 | FileCheck %s --check-prefix=SUMS --match-full-lines
// RUN: %opt %s --pass lower-to-integer 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: sed s/litert-ref/tflm/ %s | %opt - --pass lower-to-integer | FileCheck %s --check-prefix=MICRO
// WORDS: dense<[4915, 45, 0, 0, 100, 16384]> : tensor<6x{{.*}}>
// WORDS-NEXT: dense<[16384, 150, 1, 0, 100, 16384]> : tensor<6x{{.*}}>
// WORDS-NEXT: dense<[0, 2, 40, 40, 352, 32511]> : tensor<6x{{.*}}>
// WORDS-NEXT: dense<[-32768, -32768, -24655, -24591, 33, 290]> : tensor<6x{{.*}}>
// WORDS-NEXT: dense<[32767, 0, 0, 0, 100, 16384]> : tensor<6x{{.*}}>
// WORDS-NEXT: dense<[false, false, false, true, true, false]> : tensor<6xi1>
// WORDS-NEXT: dense<[true, true, true, false, false, false]> : tensor<6xi1>
// WORDS-NEXT: dense<[-98, -100, -98, -98, -98, -98]> : tensor<6x{{.*}}>
// SUMS: dense<[95, 1]> : tensor<2x{{.*}}>
// SUMS-NEXT: dense<[-100, 127]> : tensor<2x{{.*}}>
// SUMS-NEXT: dense<[0, -64]> : tensor<2xi8>
// SUMS-NEXT: dense<[-43, 64]> : tensor<2xi8>
// BYTES: warning: 'ml.less' takes stored values for numbers, whatever their scale, as the kernels of litert-ref do
// BYTES-LABEL: @sums
// BYTES: arith.extui %{{.*}} : i8 to i32
// MICRO-LABEL: @sums
// MICRO: arith.extsi %{{.*}} : i8 to i32
!x = !quant.uniform<i16:f32, 0.01>
!y = !quant.uniform<i16:f32, 0.02>
!b = !quant.uniform<i8:f32, 0.25:-3>
!c = !quant.uniform<i8:f32, 0.5:-100>
module attributes {quern.numerics = "litert-ref"} {
  func.func @words(%s: tensor<6xi16>, %t: tensor<6xi8>) -> (tensor<6x!y>, tensor<6x!y>, tensor<6x!y>, tensor<6x!y>, tensor<6x!y>, tensor<6xi1>, tensor<6xi1>, tensor<6x!c>) {
    %x = quant.scast %s : tensor<6xi16> to tensor<6x!x>
    %b = quant.scast %t : tensor<6xi8> to tensor<6x!b>
    %y = "ml.leaky_relu"(%x) {alpha = -0.3 : f64} : (tensor<6x!x>) -> tensor<6x!y>
    %abs = "ml.abs"(%x) : (tensor<6x!x>) -> tensor<6x!y>
    %exp = "ml.exp"(%x) : (tensor<6x!x>) -> tensor<6x!y>
    %log = "ml.log"(%x) : (tensor<6x!x>) -> tensor<6x!y>
    %prelu = "ml.prelu"(%x, %b) : (tensor<6x!x>, tensor<6x!b>) -> tensor<6x!y>
    %equal = "ml.equal"(%x, %y) : (tensor<6x!x>, tensor<6x!y>) -> tensor<6xi1>
    %less = "ml.less"(%x, %y) : (tensor<6x!x>, tensor<6x!y>) -> tensor<6xi1>
    %div = "ml.real_div"(%b, %b) {activation = "relu6"} : (tensor<6x!b>, tensor<6x!b>) -> tensor<6x!c>
    return %y, %abs, %exp, %log, %prelu, %equal, %less, %div : tensor<6x!y>, tensor<6x!y>, tensor<6x!y>, tensor<6x!y>, tensor<6x!y>, tensor<6xi1>, tensor<6xi1>, tensor<6x!c>
  }
  func.func @sums(%t: tensor<2x3xi8>) -> (tensor<2x!c>, tensor<2x!c>, tensor<2xi8>, tensor<2xi8>) {
    %b = quant.scast %t : tensor<2x3xi8> to tensor<2x3x!b>
    %sum = "ml.reduce_sum"(%b) {axes = array<i64: 1>, keep_dims = false} : (tensor<2x3x!b>) -> tensor<2x!c>
    %prod = "ml.reduce_prod"(%b) {axes = array<i64: 1>, keep_dims = false} : (tensor<2x3x!b>) -> tensor<2x!c>
    %plain = "ml.reduce_prod"(%t) {axes = array<i64: 1>, keep_dims = false} : (tensor<2x3xi8>) -> tensor<2xi8>
    %mean = "ml.reduce_mean"(%t) {axes = array<i64: 1>, keep_dims = false} : (tensor<2x3xi8>) -> tensor<2xi8>
    return %sum, %prod, %plain, %mean : tensor<2x!c>, tensor<2x!c>, tensor<2xi8>, tensor<2xi8>
  }
}
