// Names of arguments and results become identifiers; valid names stay.
// RUN: quern opt %s --split-input-file --sanitize-input-output-names | FileCheck %s
// RUN: quern opt %s --split-input-file --sanitize-input-output-names --sanitize-input-output-names | FileCheck %s
// RUN: quern opt %s --split-input-file --pass-pipeline=common::sanitize_input_output_names | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<4xf32> {quern.name = "x_0"}, %arg1: tensor<4xf32> {quern.name = "state_workaround"}
// CHECK-SAME: %arg2: tensor<4xf32> {quern.name = "var_1st"}
// CHECK-SAME: -> (tensor<4xf32> {quern.name = "out_1"})
func.func @main(%x: tensor<4xf32> {quern.name = "x/0"}, %s: tensor<4xf32> {quern.name = "state"}, %f: tensor<4xf32> {quern.name = "1st"}) -> (tensor<4xf32> {quern.name = "out/1"}) {
  return %x : tensor<4xf32>
}
// -----
// Valid names and missing names stay.
// CHECK-LABEL: func.func @main_1(
// CHECK-SAME: %arg0: tensor<4xf32> {quern.name = "_ok2"}, %arg1: tensor<4xf32>, %arg2: tensor<4xf32> {quern.name = "_ok2"}
func.func @main_1(%x: tensor<4xf32> {quern.name = "_ok2"}, %n: tensor<4xf32>, %y: tensor<4xf32> {quern.name = "_ok2"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// -----
// A later valid name stays; two names that become equal are made distinct.
// CHECK-LABEL: func.func @main_2(
// CHECK-SAME: %arg0: tensor<4xf32> {quern.name = "x_0_0"}, %arg1: tensor<4xf32> {quern.name = "x_0"}, %arg2: tensor<4xf32> {quern.name = "x_0_1"}
func.func @main_2(%x: tensor<4xf32> {quern.name = "x/0"}, %y: tensor<4xf32> {quern.name = "x_0"}, %z: tensor<4xf32> {quern.name = "x:0"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// -----
// Two functions, neither of which is the model's main function.
// CHECK-LABEL: func.func @one_3(
// CHECK-SAME: {quern.name = "x/0"}
func.func @one_3(%x: tensor<4xf32> {quern.name = "x/0"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @two_3(%x: tensor<4xf32> {quern.name = "x/0"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// -----
// Locations are not changed.
// CHECK-LABEL: func.func @main_4(
// CHECK: ml.relu
func.func @main_4(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("relu/1")
  return %a : tensor<4xf32>
}
