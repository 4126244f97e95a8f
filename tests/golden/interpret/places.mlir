// argmin and argmax return the first of equal elements, signed and unsigned, in rows of up to 256 elements and longer, at the
// ends of rows, along other dimensions, and for 16 bits.
// RUN: quern opt %s --emit=interpret --input 2x5xi8=-128,127,3,127,-128,0,0,0,0,0 --input 2x5xui8=0,255,3,255,0,128,127,128,127,1 --input 2x3x2xi16=-32768,7,-32768,7,32767,-1,5,5,5,5,5,5 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --input 2x5xi8=-128,127,3,127,-128,0,0,0,0,0 --input 2x5xui8=0,255,3,255,0,128,127,128,127,1 --input 2x3x2xi16=-32768,7,-32768,7,32767,-1,5,5,5,5,5,5 | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --cpu baseline --input 2x5xi8=-128,127,3,127,-128,0,0,0,0,0 --input 2x5xui8=0,255,3,255,0,128,127,128,127,1 --input 2x3x2xi16=-32768,7,-32768,7,32767,-1,5,5,5,5,5,5 | FileCheck %s --match-full-lines
// CHECK: dense<[1, 0]> : tensor<2xi32>
// CHECK-NEXT: dense<[0, 0]> : tensor<2xi64>
// CHECK-NEXT: dense<[{{\[}}1], [0]]> : tensor<2x1xi32>
// CHECK-NEXT: dense<[0, 4]> : tensor<2xi32>
// CHECK-NEXT: dense<[{{\[}}2, 0], [0, 0]]> : tensor<2x2xi32>
// CHECK-NEXT: dense<[{{\[}}0, 2], [0, 0]]> : tensor<2x2xi32>
// CHECK-NEXT: dense<[255, 255]> : tensor<2xi32>
// CHECK-NEXT: dense<[300, 300]> : tensor<2xi32>
func.func @main(%s: tensor<2x5xi8>, %u: tensor<2x5xui8>, %w: tensor<2x3x2xi16>) -> (tensor<2xi32>, tensor<2xi64>, tensor<2x1xi32>, tensor<2xi32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %0 = "ml.reduce_argmax"(%s) {axis = 1 : i64, keep_dims = false} : (tensor<2x5xi8>) -> tensor<2xi32>
  %1 = "ml.reduce_argmin"(%s) {axis = 1 : i64, keep_dims = false} : (tensor<2x5xi8>) -> tensor<2xi64>
  %2 = "ml.reduce_argmax"(%u) {axis = 1 : i64, keep_dims = true} : (tensor<2x5xui8>) -> tensor<2x1xi32>
  %3 = "ml.reduce_argmin"(%u) {axis = 1 : i64, keep_dims = false} : (tensor<2x5xui8>) -> tensor<2xi32>
  %4 = "ml.reduce_argmax"(%w) {axis = 1 : i64, keep_dims = false} : (tensor<2x3x2xi16>) -> tensor<2x2xi32>
  %5 = "ml.reduce_argmin"(%w) {axis = 1 : i64, keep_dims = false} : (tensor<2x3x2xi16>) -> tensor<2x2xi32>
  %lows = "ml.const"() {value = dense<0> : tensor<2x255xi8>} : () -> tensor<2x255xi8>
  %one = "ml.const"() {value = dense<1> : tensor<2x1xi8>} : () -> tensor<2x1xi8>
  %row = "ml.concat"(%lows, %one) {axis = 1 : i64} : (tensor<2x255xi8>, tensor<2x1xi8>) -> tensor<2x256xi8>
  %6 = "ml.reduce_argmax"(%row) {axis = 1 : i64, keep_dims = false} : (tensor<2x256xi8>) -> tensor<2xi32>
  %more = "ml.const"() {value = dense<0> : tensor<2x300xi8>} : () -> tensor<2x300xi8>
  %long = "ml.concat"(%more, %one) {axis = 1 : i64} : (tensor<2x300xi8>, tensor<2x1xi8>) -> tensor<2x301xi8>
  %7 = "ml.reduce_argmax"(%long) {axis = 1 : i64, keep_dims = false} : (tensor<2x301xi8>) -> tensor<2xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xi32>, tensor<2xi64>, tensor<2x1xi32>, tensor<2xi32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<2xi32>, tensor<2xi32>
}
