// A multiplier that the interpreter rejects is rejected by the kernels, too: both read it from the same lowering parameters.
// RUN: quern opt --lower-to-loops %s 2>&1 | FileCheck %s
// RUN: quern opt %s --emit=interpret --input 1x1xi8=3 2>&1 | FileCheck %s
// RUN: ! quern opt --lower-to-loops %s 2>/dev/null
// MLIR-OPT: none
func.func @main(%x: tensor<1x1xi8>) -> tensor<1x1xi8> {
  %w = "ml.const"() {value = dense<2> : tensor<1x1xi8>} : () -> tensor<1x1xi8>
  %b = "ml.const"() {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %m = "ml.const"() {value = dense<-5> : tensor<1xi32>} : () -> tensor<1xi32>
  %s = "ml.const"() {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  // CHECK: [[#@LINE+1]]:{{.*}}error: 'ml.integer_linear' op channel 0 has multiplier -5 and shift 0, out of range
  %y = "ml.integer_linear"(%x, %w, %b, %m, %s) {input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = "double", min = -128 : i64, max = 127 : i64} : (tensor<1x1xi8>, tensor<1x1xi8>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x1xi8>
  return %y : tensor<1x1xi8>
}
