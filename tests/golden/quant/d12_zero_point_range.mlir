// The zero point of a cast must be in the range of the storage type. Upstream accepts any and truncates it.
// RUN: quern opt %s --split-input-file --verify-diagnostics
// MLIR-OPT: none
!q = !quant.uniform<i8:f32, 1.0:200>
func.func @f(%x: f32) -> !q {
  // expected-error@+1 {{'quant.qcast' op zero point 200 out of storage type range [-128, 127]}}
  %0 = quant.qcast %x : f32 to !q
  return %0 : !q
}
// -----
!q = !quant.uniform<u8:f32:0, {1.0:255, 2.0:300}>
func.func @f(%x: tensor<2x!q>) -> tensor<2xf32> {
  // expected-error@+1 {{'quant.dcast' op zero point 300 out of storage type range [0, 255]}}
  %0 = quant.dcast %x : tensor<2x!q> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
