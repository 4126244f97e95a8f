// Elementwise ops on floats that follow each other are one kernel, which reads its two operands and stores its result once.
// RUN: quern opt %s --compile --config cpu=x86-64-v3 | FileCheck %s
// MLIR-OPT: none
// CHECK-LABEL: func.func @main
// CHECK-NOT: quern.launch
// CHECK: "quern.launch"(%arg0, %arg1, %arg2, {{.*}}kernel = @generic_0
// CHECK-NOT: quern.launch
module {
  func.func @main(%x: tensor<16x64xf32>, %y: tensor<16x64xf32>) -> tensor<16x64xf32> {
    %0 = "ml.add"(%x, %y) : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
    %1 = "ml.sigmoid"(%0) : (tensor<16x64xf32>) -> tensor<16x64xf32>
    %2 = "ml.mul"(%1, %0) : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
    %3 = "ml.relu"(%2) : (tensor<16x64xf32>) -> tensor<16x64xf32>
    return %3 : tensor<16x64xf32>
  }
}
