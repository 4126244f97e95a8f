// Ops on numbers of any type: floats are real arithmetic, plain integers wrap; division by 0 gives 0,
// casts saturate. Each result at the model stage equals the lowered result.
// RUN: quern opt %s --emit=interpret --function reals --input "4xf32=-2.5,-0.0,0.5,4" --input "4xf32=2,3,-0.75,0.3" | FileCheck %s --check-prefix=REALS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function reals --input "4xf32=-2.5,-0.0,0.5,4" --input "4xf32=2,3,-0.75,0.3" | FileCheck %s --check-prefix=REALS --match-full-lines
// RUN: quern opt %s --emit=interpret --function error --input "4xf32=-2.5,-0.0,0.5,4" | FileCheck %s --check-prefix=ERROR --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function error --input "4xf32=-2.5,-0.0,0.5,4" | FileCheck %s --check-prefix=ERROR --match-full-lines
// RUN: quern opt %s --emit=interpret --function whole --input "5xi32=-7,7,7,-2147483648,5" --input "5xi32=2,2,-2,-1,0" | FileCheck %s --check-prefix=WHOLE --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function whole --input "5xi32=-7,7,7,-2147483648,5" --input "5xi32=2,2,-2,-1,0" | FileCheck %s --check-prefix=WHOLE --match-full-lines
// RUN: quern opt %s --emit=interpret --function logic --input "5xi32=-7,7,7,0,5" --input "5xi32=2,2,-2,0,5" | FileCheck %s --check-prefix=LOGIC --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function logic --input "5xi32=-7,7,7,0,5" --input "5xi32=2,2,-2,0,5" | FileCheck %s --check-prefix=LOGIC --match-full-lines
// RUN: quern opt %s --emit=interpret --function casts --input "5xf32=-1.9,1.9,200.5,-3000000000,1e30" | FileCheck %s --check-prefix=CASTS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function casts --input "5xf32=-1.9,1.9,200.5,-3000000000,1e30" | FileCheck %s --check-prefix=CASTS --match-full-lines
// RUN: quern opt %s --emit=interpret --function reduced --input "2x3xi32=3,9,9,-4,-5,3" | FileCheck %s --check-prefix=REDUCED --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function reduced --input "2x3xi32=3,9,9,-4,-5,3" | FileCheck %s --check-prefix=REDUCED --match-full-lines
// RUN: quern opt %s --emit=interpret --function smooth --input "3xf32=0.5,1,2.5" | FileCheck %s --check-prefix=SMOOTH --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function smooth --input "3xf32=0.5,1,2.5" | FileCheck %s --check-prefix=SMOOTH --match-full-lines
// SMOOTH: dense<[-0.693147182, 0.000000e+00, 0.91629076]> : tensor<3xf32>
// SMOOTH-NEXT: dense<[0.47942555, 0.841470957, 0.598472118]> : tensor<3xf32>
// SMOOTH-NEXT: dense<[0.87758255, 0.540302277, -0.801143586]> : tensor<3xf32>
// SMOOTH-NEXT: dense<[1.64872122, 2.71828175, 12.1824942]> : tensor<3xf32>
// SMOOTH-NEXT: dense<[0.707106769, 1.000000e+00, 9.88211727]> : tensor<3xf32>
// SMOOTH-NEXT: dense<[0.345731258, 0.841344714, 2.48447585]> : tensor<3xf32>
// RUN: quern opt %s --emit=interpret --function pairs --input "4xi8=3,-3,23,5" --input "4xi8=-1,-9,31,0" | FileCheck %s --check-prefix=PAIRS --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --function pairs --input "4xi8=3,-3,23,5" --input "4xi8=-1,-9,31,0" | FileCheck %s --check-prefix=PAIRS --match-full-lines
// PAIRS: dense<[true, true, false, true]> : tensor<4xi1>
// PAIRS-NEXT: dense<[5, 11, 5, 3]> : tensor<4xi8>
// PAIRS-NEXT: dense<[3, 9, 23, 5]> : tensor<4xi8>
// RUN: quern opt %s --emit=interpret --function root --input 2xf32=2,9 | FileCheck %s --check-prefix=ROOT
// RUN: quern opt %s --emit=run --function root --input 2xf32=2,9 | FileCheck %s --check-prefix=ROOT
// ROOT: dense<[1.41421354, 3.000000e+00]> : tensor<2xf32>
// REALS: dense<[2.500000e+00, 0.000000e+00, 5.000000e-01, 4.000000e+00]> : tensor<4xf32>
// REALS-NEXT: dense<[2.500000e+00, 0.000000e+00, -5.000000e-01, -4.000000e+00]> : tensor<4xf32>
// REALS-NEXT: dense<[6.250000e+00, 0.000000e+00, 2.500000e-01, 1.600000e+01]> : tensor<4xf32>
// REALS-NEXT: dense<[-3.000000e+00, -0.000000e+00, 0.000000e+00, 4.000000e+00]> : tensor<4xf32>
// REALS-NEXT: dense<[-2.000000e+00, -0.000000e+00, 1.000000e+00, 4.000000e+00]> : tensor<4xf32>
// REALS-NEXT: dense<[-2.000000e+00, -0.000000e+00, 0.000000e+00, 4.000000e+00]> : tensor<4xf32>
// REALS-NEXT: dense<[0x7FC00000, -0.000000e+00, 0.707106769, 2.000000e+00]> : tensor<4xf32>
// REALS-NEXT: dense<[0x7FC00000, 0xFF800000, 1.41421354, 5.000000e-01]> : tensor<4xf32>
// REALS-NEXT: dense<[8.208500e-02, 1.000000e+00, 1.64872122, 54.5981483]> : tensor<4xf32>
// REALS-NEXT: dense<[-1.000000e+00, -0.000000e+00, 5.000000e-01, 1.000000e+00]> : tensor<4xf32>
// REALS-NEXT: dense<[-0.208333328, -0.000000e+00, 0.291666657, 4.000000e+00]> : tensor<4xf32>
// REALS-NEXT: dense<[-6.250000e-01, -0.000000e+00, 5.000000e-01, 4.000000e+00]> : tensor<4xf32>
// REALS-NEXT: dense<[-0.917914986, -0.000000e+00, 5.000000e-01, 4.000000e+00]> : tensor<4xf32>
// REALS-NEXT: dense<[-0.0150842965, -0.000000e+00, 3.457140e-01, 3.999930e+00]> : tensor<4xf32>
// REALS-NEXT: dense<[2.000000e+00, 3.000000e+00, 5.000000e-01, 4.000000e+00]> : tensor<4xf32>
// REALS-NEXT: dense<[-2.500000e+00, -0.000000e+00, -7.500000e-01, 3.000000e-01]> : tensor<4xf32>
// REALS-NEXT: dense<[2.025000e+01, 9.000000e+00, 1.562500e+00, 13.6900005]> : tensor<4xf32>
// REALS-NEXT: dense<[-1.250000e+00, -0.000000e+00, -0.666666686, 13.333333]> : tensor<4xf32>
// REALS-NEXT: dense<[-2.000000e+00, -0.000000e+00, -1.000000e+00, 1.300000e+01]> : tensor<4xf32>
// REALS-NEXT: dense<[-5.000000e+00, -0.000000e+00, 5.000000e-01, 4.000000e+00]> : tensor<4xf32>
// WHOLE: dense<[7, 7, 7, -2147483648, 5]> : tensor<5xi32>
// WHOLE-NEXT: dense<[7, -7, -7, -2147483648, -5]> : tensor<5xi32>
// WHOLE-NEXT: dense<[49, 49, 49, 0, 25]> : tensor<5xi32>
// WHOLE-NEXT: dense<[2, 7, 7, -1, 5]> : tensor<5xi32>
// WHOLE-NEXT: dense<[-7, 2, -2, -2147483648, 0]> : tensor<5xi32>
// WHOLE-NEXT: dense<[81, 25, 81, 1, 25]> : tensor<5xi32>
// WHOLE-NEXT: dense<[-3, 3, -3, -2147483648, 0]> : tensor<5xi32>
// WHOLE-NEXT: dense<[-4, 3, -4, -2147483648, 0]> : tensor<5xi32>
// WHOLE-NEXT: dense<[1, 1, -1, 0, 5]> : tensor<5xi32>
// WHOLE-NEXT: dense<[0, 6, 5, 6, 5]> : tensor<5xi32>
// ERROR: dense<[-9.995930e-01, -0.000000e+00, 0.520499885, 1.000000e+00]> : tensor<4xf32>
// LOGIC: dense<[false, false, false, true, true]> : tensor<5xi1>
// LOGIC-NEXT: dense<[true, true, true, false, false]> : tensor<5xi1>
// LOGIC-NEXT: dense<[true, false, false, false, false]> : tensor<5xi1>
// LOGIC-NEXT: dense<[true, false, false, true, true]> : tensor<5xi1>
// LOGIC-NEXT: dense<[false, true, true, false, false]> : tensor<5xi1>
// LOGIC-NEXT: dense<[false, true, true, true, true]> : tensor<5xi1>
// LOGIC-NEXT: dense<[true, false, false, false, false]> : tensor<5xi1>
// LOGIC-NEXT: dense<[true, false, false, true, true]> : tensor<5xi1>
// LOGIC-NEXT: dense<[true, true, true, false, false]> : tensor<5xi1>
// LOGIC-NEXT: dense<[true, true, true, false, false]> : tensor<5xi1>
// LOGIC-NEXT: dense<[-7, 2, -2, 0, 5]> : tensor<5xi32>
// LOGIC-NEXT: dense<[1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00]> : tensor<5xf32>
// CASTS: dense<[-1, 1, 127, -128, 127]> : tensor<5xi8>
// CASTS-NEXT: dense<[0, 1, 200, 0, 255]> : tensor<5xui8>
// CASTS-NEXT: dense<[-1, 1, 200, -3000000000, 9223372036854774784]> : tensor<5xi64>
// CASTS-NEXT: dense<[0.000000e+00, 1.000000e+00, 2.000000e+02, 0.000000e+00, 2.550000e+02]> : tensor<5xf32>
// CASTS-NEXT: dense<[-1, 1, 127, -128, 127]> : tensor<5xi32>
// REDUCED: dense<[9, 3]> : tensor<2xi32>
// REDUCED-NEXT: dense<[{{\[}}-4, -5, 3]]> : tensor<1x3xi32>
// REDUCED-NEXT: dense<15> : tensor<i32>
// REDUCED-NEXT: dense<[1, 2]> : tensor<2xi64>
// REDUCED-NEXT: dense<[{{\[}}1, 1, 1]]> : tensor<1x3xi32>
func.func @reals(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %abs = "ml.abs"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %neg = "ml.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %square = "ml.square"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %floor = "ml.floor"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %ceil = "ml.ceil"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %round = "ml.round"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %sqrt = "ml.sqrt"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %rsqrt = "ml.rsqrt"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %exp = "ml.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %relu_n1_to_1 = "ml.relu_n1_to_1"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %hard_swish = "ml.hard_swish"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %leaky = "ml.leaky_relu"(%x) {alpha = 0.25 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  %elu = "ml.elu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %gelu = "ml.gelu"(%x) {mode = "tanh_approximation"} : (tensor<4xf32>) -> tensor<4xf32>
  %maximum = "ml.maximum"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %minimum = "ml.minimum"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %squared_difference = "ml.squared_difference"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %real_div = "ml.real_div"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %floor_div = "ml.floor_div"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %prelu = "ml.prelu"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %abs, %neg, %square, %floor, %ceil, %round, %sqrt, %rsqrt, %exp, %relu_n1_to_1, %hard_swish, %leaky, %elu, %gelu, %maximum, %minimum, %squared_difference, %real_div, %floor_div, %prelu : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func @whole(%x: tensor<5xi32>, %y: tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>) {
  %abs = "ml.abs"(%x) : (tensor<5xi32>) -> tensor<5xi32>
  %neg = "ml.neg"(%x) : (tensor<5xi32>) -> tensor<5xi32>
  %square = "ml.square"(%x) : (tensor<5xi32>) -> tensor<5xi32>
  %maximum = "ml.maximum"(%x, %y) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  %minimum = "ml.minimum"(%x, %y) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  %squared_difference = "ml.squared_difference"(%x, %y) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  %real_div = "ml.real_div"(%x, %y) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  %floor_div = "ml.floor_div"(%x, %y) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  %floor_mod = "ml.floor_mod"(%x, %y) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  %sum = "ml.add"(%x, %y) {activation = "relu6"} : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  return %abs, %neg, %square, %maximum, %minimum, %squared_difference, %real_div, %floor_div, %floor_mod, %sum : tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>
}
func.func @logic(%x: tensor<5xi32>, %y: tensor<5xi32>) -> (tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi32>, tensor<5xf32>) {
  %equal = "ml.equal"(%x, %y) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
  %not_equal = "ml.not_equal"(%x, %y) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
  %less = "ml.less"(%x, %y) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
  %less_equal = "ml.less_equal"(%x, %y) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
  %greater = "ml.greater"(%x, %y) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
  %greater_equal = "ml.greater_equal"(%x, %y) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
  %and = "ml.logical_and"(%less, %not_equal) : (tensor<5xi1>, tensor<5xi1>) -> tensor<5xi1>
  %or = "ml.logical_or"(%less, %equal) : (tensor<5xi1>, tensor<5xi1>) -> tensor<5xi1>
  %xor = "ml.logical_xor"(%less_equal, %greater_equal) : (tensor<5xi1>, tensor<5xi1>) -> tensor<5xi1>
  %not = "ml.logical_not"(%equal) : (tensor<5xi1>) -> tensor<5xi1>
  %chosen = "ml.select"(%less, %x, %y) : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  %real = "ml.cast"(%xor) : (tensor<5xi1>) -> tensor<5xf32>
  return %equal, %not_equal, %less, %less_equal, %greater, %greater_equal, %and, %or, %xor, %not, %chosen, %real : tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi32>, tensor<5xf32>
}
func.func @casts(%x: tensor<5xf32>) -> (tensor<5xi8>, tensor<5xui8>, tensor<5xi64>, tensor<5xf32>, tensor<5xi32>) {
  %a = "ml.cast"(%x) : (tensor<5xf32>) -> tensor<5xi8>
  %b = "ml.cast"(%x) : (tensor<5xf32>) -> tensor<5xui8>
  %c = "ml.cast"(%x) : (tensor<5xf32>) -> tensor<5xi64>
  %d = "ml.cast"(%b) : (tensor<5xui8>) -> tensor<5xf32>
  %e = "ml.cast"(%a) : (tensor<5xi8>) -> tensor<5xi32>
  return %a, %b, %c, %d, %e : tensor<5xi8>, tensor<5xui8>, tensor<5xi64>, tensor<5xf32>, tensor<5xi32>
}
func.func @reduced(%x: tensor<2x3xi32>) -> (tensor<2xi32>, tensor<1x3xi32>, tensor<i32>, tensor<2xi64>, tensor<1x3xi32>) {
  %max = "ml.reduce_max"(%x) {axes = array<i64: 1>, keep_dims = false} : (tensor<2x3xi32>) -> tensor<2xi32>
  %min = "ml.reduce_min"(%x) {axes = array<i64: 0>, keep_dims = true} : (tensor<2x3xi32>) -> tensor<1x3xi32>
  %sum = "ml.reduce_sum"(%x) {axes = array<i64: 0, 1>, keep_dims = false} : (tensor<2x3xi32>) -> tensor<i32>
  %most = "ml.reduce_argmax"(%x) {axis = 1 : i64, keep_dims = false} : (tensor<2x3xi32>) -> tensor<2xi64>
  %least = "ml.reduce_argmin"(%x) {axis = 0 : i64, keep_dims = true} : (tensor<2x3xi32>) -> tensor<1x3xi32>
  return %max, %min, %sum, %most, %least : tensor<2xi32>, tensor<1x3xi32>, tensor<i32>, tensor<2xi64>, tensor<1x3xi32>
}
func.func @root(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = math.sqrt %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @smooth(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %log = "ml.log"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %sin = "ml.sin"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %cos = "ml.cos"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %exp = "ml.exp"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %pow = "ml.pow"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %gelu = "ml.gelu"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %log, %sin, %cos, %exp, %pow, %gelu : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
func.func @pairs(%x: tensor<4xi8>, %y: tensor<4xi8>) -> (tensor<4xi1>, tensor<4xi8>, tensor<4xi8>) {
  %a = quant.scast %x : tensor<4xi8> to tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  %b = quant.scast %y : tensor<4xi8> to tensor<4x!quant.uniform<i8:f32, 0.25:-5>>
  %less = "ml.less"(%a, %b) : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>, tensor<4x!quant.uniform<i8:f32, 0.25:-5>>) -> tensor<4xi1>
  %square = "ml.squared_difference"(%a, %b) : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>, tensor<4x!quant.uniform<i8:f32, 0.25:-5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  %slope = "ml.prelu"(%a, %b) : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>, tensor<4x!quant.uniform<i8:f32, 0.25:-5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  %c = quant.scast %square : tensor<4x!quant.uniform<i8:f32, 0.5:3>> to tensor<4xi8>
  %d = quant.scast %slope : tensor<4x!quant.uniform<i8:f32, 0.5:3>> to tensor<4xi8>
  return %less, %c, %d : tensor<4xi1>, tensor<4xi8>, tensor<4xi8>
}
func.func @error(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ml.erf"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
