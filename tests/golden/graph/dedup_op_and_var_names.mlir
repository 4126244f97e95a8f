// Equal names of arguments, or of results, become distinct; other names stay.
// RUN: quern opt %s --split-input-file --dedup-op-and-var-names | FileCheck %s
// RUN: quern opt %s --split-input-file --dedup-op-and-var-names --dedup-op-and-var-names | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: {quern.name = "castop"}, %arg1: tensor<f32> {quern.name = "castop_1"}, %arg2: tensor<f32> {quern.name = "castop_2"}
// CHECK-SAME: %arg3: tensor<f32> {quern.name = "castop_3"}, %arg4: tensor<f32> {quern.name = "castop_2_1"}
func.func @main(%a: tensor<f32> {quern.name = "castop"}, %b: tensor<f32> {quern.name = "castop"}, %c: tensor<f32> {quern.name = "castop_2"}, %d: tensor<f32> {quern.name = "castop"}, %e: tensor<f32> {quern.name = "castop_2"}) -> tensor<f32> {
  return %a : tensor<f32>
}
// -----
// A result may have the same name as an argument.
// CHECK-LABEL: func.func @main_1(
// CHECK-SAME: {quern.name = "x"}) -> (tensor<f32> {quern.name = "x"}, tensor<f32> {quern.name = "x_1"})
func.func @main_1(%a: tensor<f32> {quern.name = "x"}) -> (tensor<f32> {quern.name = "x"}, tensor<f32> {quern.name = "x"}) {
  return %a, %a : tensor<f32>, tensor<f32>
}
// -----
// CHECK-LABEL: func.func @main_2(
// CHECK-SAME: {quern.name = "x"}, %arg1: tensor<f32> {quern.name = "y"}, %arg2: tensor<f32>) ->
func.func @main_2(%a: tensor<f32> {quern.name = "x"}, %b: tensor<f32> {quern.name = "y"}, %c: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
// -----
// CHECK-LABEL: func.func @one_3(
// CHECK-SAME: {quern.name = "x"}, %arg1: tensor<f32> {quern.name = "x"}
func.func @one_3(%a: tensor<f32> {quern.name = "x"}, %b: tensor<f32> {quern.name = "x"}) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @two_3(%a: tensor<f32> {quern.name = "x"}, %b: tensor<f32> {quern.name = "x"}) -> tensor<f32> {
  return %a : tensor<f32>
}
// -----
// CHECK-LABEL: func.func @main_4(
// CHECK-SAME: %arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32>
func.func @main_4(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
