// Ops without an exact form in the profiles onnx and ort are rejected at their location, never approximated (docs/arithmetic.md 19, 20).
// RUN: %opt --pass lower-to-integer %s 2>&1 | FileCheck %s
// RUN: sed 's/"onnx"/"ort"/' %s | %opt --pass lower-to-integer - 2>&1 | FileCheck %s --check-prefix=ORT
// CHECK-DAG: units-unsupported.mlir:[[@LINE+29]]:{{.*}}error: 'ml.resize_bilinear' has no integer form: the profile onnx has no exact form of it on these types
// CHECK-DAG: error: 'ml.equal' has no integer form: it has an exact form of 8 bits only
// CHECK-DAG: error: 'ml.prelu' has no integer form: it has an exact form of 8 bits to 8 bits only
// CHECK-DAG: error: 'ml.max_pool' has no integer form: input and result have different quantization
// CHECK-DAG: error: 'ml.maximum' has no integer form: it has an exact form of 8 bits to 8 bits only
// CHECK-DAG: error: 'ml.real_div' has no integer form: quotients have an exact form of 8 bits to 8 bits only
// CHECK-DAG: error: 'ml.add' has no integer form: its scales 1e-20, 1 and 1 are too far apart for integers of 64 bits
// CHECK-DAG: error: 'ml.linear' has no integer form: the bias is not constant, and its scale 0.5 in channel 0 is not the product of the others
// CHECK-NOT: error
// ORT-DAG: error: 'ml.linear' has no integer form: the scales of channel 0 have the ratio 1000, beyond 2^8
// ORT-DAG: error: 'ml.prelu' has no integer form: it has an exact form of 8 bits to 8 bits only
!x = !quant.uniform<i8:f32, 0.5>
!y = !quant.uniform<i8:f32, 0.25:3>
!w = !quant.uniform<i16:f32, 1.0>
!e = !quant.uniform<i16:f32, 1.0e-20>
!k = !quant.uniform<i8:f32, 2.0>
!b = !quant.uniform<i32:f32, 0.5>
!t = !quant.uniform<i8:f32, 0.001>
module attributes {quern.numerics = "onnx"} {
  func.func @main(%x: tensor<1x2x2x2x!x>, %y: tensor<1x2x2x2x!y>, %w: tensor<2x!w>, %e: tensor<2x!e>, %r: tensor<3x2x!x>, %c: tensor<2x!b>) -> (tensor<1x4x4x2x!x>, tensor<2xi1>, tensor<2x!w>, tensor<1x1x1x2x!y>, tensor<2x!w>, tensor<2x!w>, tensor<2x!w>, tensor<3x2x!x>, tensor<3x2x!t>) {
    %m = "ml.const"() {value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>} : () -> tensor<2x2x!k>
    %1 = "ml.equal"(%w, %e) : (tensor<2x!w>, tensor<2x!e>) -> tensor<2xi1>
    %2 = "ml.prelu"(%w, %e) : (tensor<2x!w>, tensor<2x!e>) -> tensor<2x!w>
    %3 = "ml.max_pool"(%x) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x2x2x2x!x>) -> tensor<1x1x1x2x!y>
    %4 = "ml.maximum"(%w, %e) : (tensor<2x!w>, tensor<2x!e>) -> tensor<2x!w>
    %5 = "ml.real_div"(%w, %w) : (tensor<2x!w>, tensor<2x!w>) -> tensor<2x!w>
    %6 = "ml.add"(%e, %w) : (tensor<2x!e>, tensor<2x!w>) -> tensor<2x!w>
    %7 = "ml.linear"(%r, %m, %c) : (tensor<3x2x!x>, tensor<2x2x!k>, tensor<2x!b>) -> tensor<3x2x!x>
    %8 = "ml.linear"(%r, %m) : (tensor<3x2x!x>, tensor<2x2x!k>) -> tensor<3x2x!t>
    %0 = "ml.resize_bilinear"(%x) {sampling_mode = "asymmetric"} : (tensor<1x2x2x2x!x>) -> tensor<1x4x4x2x!x>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<1x4x4x2x!x>, tensor<2xi1>, tensor<2x!w>, tensor<1x1x1x2x!y>, tensor<2x!w>, tensor<2x!w>, tensor<2x!w>, tensor<3x2x!x>, tensor<3x2x!t>
  }
}
