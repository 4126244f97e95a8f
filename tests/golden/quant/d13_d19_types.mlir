// Types that upstream accepts wrongly, crashes on, or reads out of bounds for (D13 to D19).
// RUN: quern opt %s --split-input-file --verify-diagnostics
// MLIR-OPT: none
// D13: a scale that is no number
// expected-error@+1 {{scale nan out of expressed type range}}
!q = !quant.uniform<i8:f32, 0x7FF8000000000000>
// -----
// expected-error@+1 {{illegal min and max: (nan:1.000000e+00)}}
!q = !quant.calibrated<f32<0x7FF8000000000000:1.0>>
// -----
// D14: a scale that is zero
// expected-error@+1 {{scale 0.000000e+00 out of expressed type range}}
!q = !quant.uniform<i8:f80, 1.0e-4000>
// -----
// D15: storage that is no integer
// expected-error@+1 {{illegal storage type prefix}}
!q = !quant.uniform<f32:f32, 1.0>
// -----
// expected-error@+1 {{illegal storage type prefix}}
!q = !quant.uniform<index:f32, 1.0>
// -----
// expected-error@+1 {{illegal storage type prefix}}
!q = !quant.uniform<tensor<4xi8>:f32, 1.0>
// -----
// D17: a list of lists for one axis, an axis with two block sizes
// expected-error@+1 {{per-axis scales are a flat list}}
!q = !quant.uniform<i8:f32:0, {{1.0,2.0},{3.0,4.0}}>
// -----
// expected-error@+1 {{axis 0 has two block sizes}}
!q = !quant.uniform<i8:f32:{0:1, 0:2}, {{1.0,2.0}}>
// -----
// D18: types without scales in casts
!q = !quant.any<i8:f32>
func.func @f(%x: !q) -> f32 {
  // expected-error@+1 {{requires a uniform quantized type}}
  %0 = quant.dcast %x : !q to f32
  return %0 : f32
}
// -----
!q = !quant.calibrated<f32<-1.0:1.0>>
func.func @f(%x: f32) -> !q {
  // expected-error@+1 {{requires a uniform quantized type}}
  %0 = quant.qcast %x : f32 to !q
  return %0 : !q
}
// -----
// A type without storage has no bits to cast. (!quant.any has storage: d18_any.mlir)
!q = !quant.calibrated<f32<-1.0:1.0>>
func.func @f(%x: i8) -> !q {
  // expected-error@+1 {{storage type in quantized type expected to match integer type}}
  %0 = quant.scast %x : i8 to !q
  return %0 : !q
}
// -----
// D19: lists without end
// expected-error@+1 {{scales have more than 32 dimensions}}
!q = !quant.uniform<i8:f32:{}, {{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{1.0}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}>
