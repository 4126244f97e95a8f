// A state is an argument and a result of a call, in both engines, at any position among the others.
// RUN: quern opt %s --emit=interpret --input 4xf32=1,-2,3,4 --input 4xf32=10,20,30,40 | FileCheck %s --match-full-lines
// RUN: quern opt %s --emit=run --input 4xf32=1,-2,3,4 --input 4xf32=10,20,30,40 | FileCheck %s --match-full-lines
// RUN: quern opt %s --emit=run --function alone --input 4xf32=1,-2,3,4 | FileCheck %s --check-prefix=ALONE --match-full-lines
// CHECK: dense<[1.000000e+00, 0.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: dense<[1.100000e+01, 2.000000e+01, 3.300000e+01, 4.400000e+01]> : tensor<4xf32>
// ALONE: dense<[1.000000e+00, 0.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
func.func @main(%s: tensor<4xf32> {quern.role = "state"}, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32> {quern.role = "state"}) {
  %a = "ml.relu"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "ml.add"(%a, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
func.func @alone(%s: tensor<4xf32> {quern.role = "state"}) -> (tensor<4xf32> {quern.role = "state"}) {
  %a = "ml.relu"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
