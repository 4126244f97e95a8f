// Arithmetic on unsigned integers of more than 8 bits is not supported, and an error reports it.
// RUN: quern opt %s --emit=interpret --function cast 2>&1 | FileCheck %s
// RUN: quern opt %s --emit=interpret --function result 2>&1 | FileCheck %s
// RUN: quern opt %s --emit=interpret --function compare 2>&1 | FileCheck %s
// RUN: quern opt %s --emit=interpret --function greater 2>&1 | FileCheck %s
// CHECK: unsigned integers of other than 8 bits are not supported
func.func @cast() -> tensor<2xf32> {
  %x = "ml.const"() {value = dense<[1, 2]> : tensor<2xui16>} : () -> tensor<2xui16>
  %0 = "ml.cast"(%x) : (tensor<2xui16>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @result() -> tensor<2xui32> {
  %x = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ml.cast"(%x) : (tensor<2xf32>) -> tensor<2xui32>
  return %0 : tensor<2xui32>
}
func.func @compare() -> tensor<2xi1> {
  %x = "ml.const"() {value = dense<[1, 2]> : tensor<2xui16>} : () -> tensor<2xui16>
  %0 = "ml.less"(%x, %x) : (tensor<2xui16>, tensor<2xui16>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
func.func @greater() -> tensor<2xui32> {
  %x = "ml.const"() {value = dense<[1, 2]> : tensor<2xui32>} : () -> tensor<2xui32>
  %0 = "ml.maximum"(%x, %x) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
  return %0 : tensor<2xui32>
}
