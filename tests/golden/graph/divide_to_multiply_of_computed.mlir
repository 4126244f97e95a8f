// A divisor is constant once const-elimination has computed it; that pass has a size limit.
// RUN: quern opt %s --divide-to-multiply | FileCheck %s --check-prefix=KEPT
// RUN: quern opt %s --const-elimination="skip_const_by_size=32" --divide-to-multiply | FileCheck %s --check-prefix=KEPT
// RUN: quern opt %s --const-elimination="skip_const_by_size=64" --divide-to-multiply | FileCheck %s
// KEPT: ml.real_div
// CHECK-NOT: ml.real_div
// CHECK: ml.mul
func.func @computed(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = "ml.const"() {value = dense<2.0> : tensor<64xf32>} : () -> tensor<64xf32>
  %b = "ml.add"(%a, %a) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %y = "ml.real_div"(%x, %b) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}
