// XNNPACK adds the zero point before it rounds. These are the cases with another result (docs/arithmetic.md 2.10).
// RUN: %opt --pass lower-to-integer %s 2>&1 | FileCheck %s
// RUN: sed 's/xnnpack/litert-ref/' %s | %opt --pass lower-to-integer - 2>&1 | FileCheck %s --check-prefix=KNOWN
// CHECK-DAG: error: 'ml.add' has no integer form: a bound of its activation is halfway between two steps of the scale 4
// CHECK-DAG: error: 'ml.mul' has no integer form: squares of a tensor of scale 0.5 are halfway between two steps of the scale 0.5
// CHECK-DAG: error: 'ml.elu' has no integer form: numbers of a tensor of scale 0.5 are halfway between two steps of the scale 1
// CHECK-NOT: error
// KNOWN-NOT: error
// KNOWN: return
!x = !quant.uniform<i8:f32, 0.5>
!odd = !quant.uniform<i8:f32, 4.0:11>
!even = !quant.uniform<i8:f32, 4.0:12>
!one = !quant.uniform<i8:f32, 1.0>
!far = !quant.uniform<i8:f32, 0.26>
module attributes {quern.numerics = "xnnpack"} {
  func.func @main(%x: tensor<4x!x>) -> (tensor<4x!odd>, tensor<4x!even>, tensor<4x!x>, tensor<4x!far>, tensor<4x!one>, tensor<4x!x>) {
    %a = "ml.add"(%x, %x) {activation = "relu6"} : (tensor<4x!x>, tensor<4x!x>) -> tensor<4x!odd>
    %b = "ml.add"(%x, %x) {activation = "relu6"} : (tensor<4x!x>, tensor<4x!x>) -> tensor<4x!even>
    %c = "ml.mul"(%x, %x) : (tensor<4x!x>, tensor<4x!x>) -> tensor<4x!x>
    %d = "ml.mul"(%x, %x) : (tensor<4x!x>, tensor<4x!x>) -> tensor<4x!far>
    %e = "ml.elu"(%x) : (tensor<4x!x>) -> tensor<4x!one>
    %f = "ml.elu"(%x) : (tensor<4x!x>) -> tensor<4x!x>
    return %a, %b, %c, %d, %e, %f : tensor<4x!odd>, tensor<4x!even>, tensor<4x!x>, tensor<4x!far>, tensor<4x!one>, tensor<4x!x>
  }
}
