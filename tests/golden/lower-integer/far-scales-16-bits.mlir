// Logistic and tanh of 16 bits whose input has a scale that the multiplier can't express, however far it is: computed in float.
// RUN: %opt --pass lower-to-integer %s 2>&1 | FileCheck %s
// CHECK-DAG: remark: 'ml.tanh' has no integer form: the input scale 3 is out of range for 16 bits; it is computed in float
// CHECK-DAG: remark: 'ml.sigmoid' has no integer form: the input scale 1e+10 is out of range for 16 bits; it is computed in float
!three = !quant.uniform<i16:f32, 3.0>
!far = !quant.uniform<i16:f32, 1.0e+10>
!unit = !quant.uniform<i16:f32, 3.0517578125e-05>
module {
  func.func @main(%x: tensor<4x!three>, %y: tensor<4x!far>) -> (tensor<4x!unit>, tensor<4x!unit>) {
    %a = "ml.tanh"(%x) : (tensor<4x!three>) -> tensor<4x!unit>
    %b = "ml.sigmoid"(%y) : (tensor<4x!far>) -> tensor<4x!unit>
    return %a, %b : tensor<4x!unit>, tensor<4x!unit>
  }
}
