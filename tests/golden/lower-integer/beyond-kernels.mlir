// Scales for which LiteRT's kernels shift or convert beyond what machines define (docs/arithmetic.md 2.9): rejected with a
// profile, computed as usual without one.
// RUN: %opt --pass lower-to-integer %s 2>&1 | FileCheck %s
// RUN: sed 's/ attributes {quern.numerics = "litert-ref"}//' %s | %opt --pass lower-to-integer - | FileCheck %s --check-prefix=NONE
// CHECK-DAG: error: 'ml.equal' has no integer form: operand 0 has the scale 1.5, and the kernels of litert-ref compare scales below 1 only
// CHECK-DAG: error: 'ml.not_equal' has no integer form: operand 1 has the scale 1.5
// CHECK-DAG: error: 'ml.floor_div' has no integer form: a divisor may be -1, and the kernels of litert-ref divide the minimum by -1 differently in vectors and in remaining elements
// CHECK-DAG: error: 'ml.sqrt' has no integer form: with scales 1e+18 and 1e-18 the kernels of litert-ref convert floats that 32 bits do not hold
// CHECK-DAG: error: 'ml.relu6' has no integer form: with scales 1e-12 and 1e-12 the kernels of litert-ref convert floats
// CHECK-DAG: error: 'ml.sub' has no integer form: its output multiplier {{[0-9.]+}} is not below 1, and the kernels of litert-ref define no other
// CHECK-DAG: error: 'ml.add' has no integer form: its output multiplier {{[0-9.]+}} is not below 1, and the kernels of litert-ref define no other
// CHECK-DAG: error: 'ml.real_div' has no integer form: its scales have the ratio 1e-07, below what the kernels of litert-ref can shift by
// CHECK-DAG: error: 'ml.real_div' has no integer form: its scales have the ratio 2e+09, above what the kernels of litert-ref can shift by
// CHECK-DAG: error: 'ml.tanh' has no integer form: the input scale 1e-18 is out of range for 16 bits
// CHECK-DAG: error: 'ml.linear' has no integer form: with the ratio 1.5e+06 of its scales in channel 0 the kernels of litert-ref convert floats that 32 bits may not hold
// CHECK-DAG: error: 'ml.mul' has no integer form: the bound 6 of its activation is 6e+12 steps of the scale 1e-12, which 32 bits do not hold
// CHECK-NOT: error
// NONE: return
!x = !quant.uniform<i8:f32, 0.5>
!one = !quant.uniform<i8:f32, 1.5>
!wide = !quant.uniform<i16:f32, 1.5>
!s = !quant.uniform<i16:f32, 0.5>
!big = !quant.uniform<i8:f32, 1.0e+18:-128>
!huge = !quant.uniform<i8:f32, 1.0e+11>
!vast = !quant.uniform<i8:f32, 1.0e+13>
!mid = !quant.uniform<i8:f32, 1.0e+09>
!small = !quant.uniform<i8:f32, 1.0e-18>
!tiny = !quant.uniform<i8:f32, 1.0e-12>
!far = !quant.uniform<i16:f32, 1.0e+05>
!near = !quant.uniform<i16:f32, 1.0e-03>
!ten = !quant.uniform<i16:f32, 1.0e+07>
!flat = !quant.uniform<i16:f32, 1.0e-18>
!unit = !quant.uniform<i16:f32, 3.0517578125e-05>
!coarse = !quant.uniform<i8:f32, 1.0e+03>
!fine = !quant.uniform<i8:f32, 1.0e-03>
!plain = !quant.uniform<i16:f32, 1.0>
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<4x!x>, %one: tensor<4x!one>, %wide: tensor<4x!wide>, %s: tensor<4x!s>, %big: tensor<4x!big>, %tiny: tensor<4x!tiny>, %far: tensor<4x!far>, %plain: tensor<4x!plain>, %ten: tensor<4x!ten>, %flat: tensor<4x!flat>, %coarse: tensor<1x4x!coarse>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4x!x>, tensor<4x!x>, tensor<4x!small>, tensor<4x!tiny>, tensor<4x!near>, tensor<4x!plain>, tensor<4x!unit>, tensor<1x1x!fine>, tensor<4x!huge>, tensor<4x!vast>, tensor<4x!mid>, tensor<4x!tiny>) {
    %a = "ml.equal"(%one, %x) : (tensor<4x!one>, tensor<4x!x>) -> tensor<4xi1>
    %b = "ml.not_equal"(%s, %wide) : (tensor<4x!s>, tensor<4x!wide>) -> tensor<4xi1>
    %below = "ml.less"(%x, %x) : (tensor<4x!x>, tensor<4x!x>) -> tensor<4xi1>
    %two = "ml.const"() {value = dense<[2, -2, 1, 5]> : tensor<4xi8>} : () -> tensor<4x!x>
    %c = "ml.floor_div"(%x, %two) : (tensor<4x!x>, tensor<4x!x>) -> tensor<4x!x>
    %d = "ml.floor_div"(%x, %x) : (tensor<4x!x>, tensor<4x!x>) -> tensor<4x!x>
    %e = "ml.sqrt"(%big) : (tensor<4x!big>) -> tensor<4x!small>
    %f = "ml.relu6"(%tiny) : (tensor<4x!tiny>) -> tensor<4x!tiny>
    %g = "ml.sub"(%far, %far) : (tensor<4x!far>, tensor<4x!far>) -> tensor<4x!near>
    %h = "ml.real_div"(%plain, %ten) : (tensor<4x!plain>, tensor<4x!ten>) -> tensor<4x!plain>
    %l = "ml.add"(%big, %big) : (tensor<4x!big>, tensor<4x!big>) -> tensor<4x!huge>
    %m = "ml.add"(%big, %big) : (tensor<4x!big>, tensor<4x!big>) -> tensor<4x!vast>
    %n = "ml.real_div"(%big, %x) : (tensor<4x!big>, tensor<4x!x>) -> tensor<4x!mid>
    %i = "ml.tanh"(%flat) : (tensor<4x!flat>) -> tensor<4x!unit>
    %w = "ml.const"() {value = dense<1> : tensor<1x4xi8>} : () -> tensor<1x4x!one>
    %k = "ml.linear"(%coarse, %w) : (tensor<1x4x!coarse>, tensor<1x4x!one>) -> tensor<1x1x!fine>
    %o = "ml.mul"(%tiny, %one) {activation = "relu6"} : (tensor<4x!tiny>, tensor<4x!one>) -> tensor<4x!tiny>
    return %a, %b, %below, %c, %d, %e, %f, %g, %h, %i, %k, %l, %m, %n, %o : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4x!x>, tensor<4x!x>, tensor<4x!small>, tensor<4x!tiny>, tensor<4x!near>, tensor<4x!plain>, tensor<4x!unit>, tensor<1x1x!fine>, tensor<4x!huge>, tensor<4x!vast>, tensor<4x!mid>, tensor<4x!tiny>
  }
}
