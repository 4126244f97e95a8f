// No conversion to integer is out of range: the clamp comes first, for every input. With
// upstream's ops the conversion of a large value is undefined, so it is left unchanged.
// RUN: quern opt %s --lower-quant-ops | FileCheck %s
// RUN: quern opt %s --lower-quant-ops=upstream-compatible --canonicalize | FileCheck %s --check-prefix=UPSTREAM
!q = !quant.uniform<i8:f32, 1.0>
// CHECK-LABEL: @any
// CHECK-DAG: %[[LOW:.*]] = arith.constant -1.280000e+02 : f32
// CHECK-DAG: %[[HIGH:.*]] = arith.constant 1.270000e+02 : f32
// CHECK: %[[MAX:.*]] = arith.maximumf %{{.*}}, %[[LOW]] : f32
// CHECK-NEXT: %[[MIN:.*]] = arith.minimumf %[[MAX]], %[[HIGH]] : f32
// CHECK-NEXT: arith.fptosi %[[MIN]] : f32 to i8
func.func @any(%x: f32) -> !q {
  %0 = quant.qcast %x : f32 to !q
  return %0 : !q
}
// UPSTREAM-LABEL: @large
// UPSTREAM: arith.fptosi
func.func @large() -> !q {
  %x = arith.constant 300.0 : f32
  %0 = quant.qcast %x : f32 to !q
  return %0 : !q
}
