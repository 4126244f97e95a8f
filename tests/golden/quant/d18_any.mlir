// !quant.any has storage, so its bits can be cast and stripped, as in upstream. Calibrated types have no
// storage and stay (upstream's strip-func-quant-types crashes on them).
// RUN: quern opt %s --strip-func-quant-types --allow-unregistered-dialect | FileCheck %s
// RUN: quern opt %s --emit=interpret --function bits --input 'dense<[-6, 5]> : tensor<2xi4>' --allow-unregistered-dialect | FileCheck %s --check-prefix=BITS
// RUN: quern opt %s --strip-func-quant-types --allow-unregistered-dialect --emit=interpret --function bits --input 'dense<[-6, 5]> : tensor<2xi4>' | FileCheck %s --check-prefix=BITS
// BITS: dense<[-6, 5]> : tensor<2xi4>
// RUN: quern opt %s --lower-to-integer --allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix=INTEGER
// INTEGER: a result has a quantized type without scale, which the integer stage can't hold
!a = !quant.any<i8:f32>
!u = !quant.any<u4<1:12>>
!c = !quant.calibrated<f32<-1.0:1.0>>
// CHECK: func.func private @declared(i8) -> tensor<?xi4>
func.func private @declared(!a) -> tensor<?x!u>
// CHECK: func.func @use(%[[A:.*]]: i8, %[[C:.*]]: !quant.calibrated<f32<-1.000000e+00:1.000000e+00>>) -> i8
func.func @use(%a: !a, %c: !c) -> !a {
  // CHECK-NEXT: %[[Q:.*]] = quant.scast %[[A]] : i8 to !quant.any<i8:f32>
  // CHECK-NEXT: %[[R:.*]] = "test.op"(%[[Q]], %[[C]])
  // CHECK-NEXT: %[[S:.*]] = quant.scast %[[R]] : !quant.any<i8:f32> to i8
  // CHECK-NEXT: return %[[S]] : i8
  %0 = "test.op"(%a, %c) : (!a, !c) -> !a
  return %0 : !a
}
func.func @bits(%i: tensor<2xi4>) -> tensor<2xi4> {
  %0 = quant.scast %i : tensor<2xi4> to tensor<2x!u>
  %1 = quant.scast %0 : tensor<2x!u> to tensor<2xi4>
  return %1 : tensor<2xi4>
}
