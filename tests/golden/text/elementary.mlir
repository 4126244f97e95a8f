// Elementary functions, and their results in each supported type.
// RUN: quern opt %s | FileCheck %s
// RUN: quern opt %s --emit=interpret --input 1.0 --input 0.5 | FileCheck %s --check-prefix=VALUES
// CHECK-LABEL: func.func @main
// VALUES: 2.71828175
// VALUES-NEXT: 2.000000e+00
// VALUES-NEXT: 0.000000e+00
// VALUES-NEXT: 0.761594176
// VALUES-NEXT: 0.842700779
// VALUES-NEXT: 0.841470957 : f32
// VALUES-NEXT: 0.540302277
// VALUES-NEXT: 7.070310e-01 : f16
// VALUES-NEXT: 0.707106769
// VALUES-NEXT: 1.41421354
func.func @main(%x: f32, %h: f32) -> (f32, f32, f32, f32, f32, f32, f32, f16, f32, f32) {
  // CHECK: math.exp %arg0 : f32
  %0 = math.exp %x : f32
  // CHECK: math.exp2 %arg0 : f32
  %1 = math.exp2 %x : f32
  // CHECK: math.log %arg0 : f32
  %2 = math.log %x : f32
  // CHECK: math.tanh %arg0 : f32
  %3 = math.tanh %x : f32
  // CHECK: math.erf %arg0 : f32
  %4 = math.erf %x : f32
  // CHECK: math.sin %arg0 : f32
  %5 = math.sin %x : f32
  // CHECK: math.cos %arg0 : f32
  %6 = math.cos %x : f32
  // CHECK: math.powf {{.*}} : f16
  %n = arith.truncf %h : f32 to f16
  %7 = math.powf %n, %n : f16
  // CHECK: math.sqrt %arg1 : f32
  %8 = math.sqrt %h : f32
  // CHECK: math.rsqrt %arg1 : f32
  %9 = math.rsqrt %h : f32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : f32, f32, f32, f32, f32, f32, f32, f16, f32, f32
}

// RUN: quern opt %s --emit=interpret --function more --input 0.5 | FileCheck %s --check-prefix=MORE
// CHECK-LABEL: func.func @more
func.func @more(%x: f32) -> (f32, f32, f32, f32, f32, f32, f32) {
  // CHECK: math.tan %arg0 : f32
  %0 = math.tan %x : f32
  // CHECK: math.asin %arg0 : f32
  %1 = math.asin %x : f32
  // CHECK: math.acos %arg0 : f32
  %2 = math.acos %x : f32
  // CHECK: math.atan %arg0 : f32
  %3 = math.atan %x : f32
  // CHECK: math.sinh %arg0 : f32
  %4 = math.sinh %x : f32
  // CHECK: math.cosh %arg0 : f32
  %5 = math.cosh %x : f32
  // CHECK: math.atanh %arg0 : f32
  %6 = math.atanh %x : f32
  return %0, %1, %2, %3, %4, %5, %6 : f32, f32, f32, f32, f32, f32, f32
}

// RUN: quern opt %s --emit=interpret --function angle --input -1.0 --input -0.0 | FileCheck %s --check-prefix=ANGLE
// CHECK-LABEL: func.func @angle
func.func @angle(%y: f32, %x: f32) -> f32 {
  // CHECK: math.atan2 %arg0, %arg1 : f32
  %0 = math.atan2 %y, %x : f32
  return %0 : f32
}
// ANGLE: -1.57079637 : f32
// MORE: 0.546302497 : f32
// MORE-NEXT: 0.52359879 : f32
// MORE-NEXT: 1.04719758 : f32
// MORE-NEXT: 0.463647604 : f32
// MORE-NEXT: 0.521095276 : f32
// MORE-NEXT: 1.12762594 : f32
// MORE-NEXT: 0.549306154 : f32
