// Messages name the op and show the wrong number next to the right one.
// RUN: quern opt %s --split-input-file --verify-diagnostics
// MLIR-OPT: none
!q = !quant.uniform<u8:f32:{0:1, 1:2}, {{2.0}, {3.0}}>
func.func @f(%x: tensor<2x4xf32>) -> tensor<2x4x!q> {
  // expected-error@+1 {{'quant.qcast' op dimension size 2 of scales tensor at axis 1 should match (tensor dimension at axis / block sizes at axis) = 2, but the type has 1}}
  %0 = quant.qcast %x : tensor<2x4xf32> to tensor<2x4x!q>
  return %0 : tensor<2x4x!q>
}
// -----
!q = !quant.uniform<i8:f32, 1.0>
func.func @f(%x: !q) -> f64 {
  // expected-error@+1 {{'quant.dcast' op expressed type in quantized type expected to match float type}}
  %0 = quant.dcast %x : !q to f64
  return %0 : f64
}
// -----
!q = !quant.uniform<i8:f32, 1.0>
func.func @f(%x: !q) -> i16 {
  // expected-error@+1 {{'quant.scast' op storage type in quantized type expected to match integer type}}
  %0 = quant.scast %x : !q to i16
  return %0 : i16
}
