// Quantized types: defaults are dropped, doubles are exact, aliases and old spellings are read.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
// MLIR-OPT: accepts
!layer = !quant.uniform<i6 < -0x1A : 25 > : f32 , 0.7311 : 21>
"t.layer"() {a = !layer, b = !quant<uniform<u8:f32, 3.125e-2>>, c = !quant.uniform<u8:f32, 0x413C8A3B60000000:77>,
             d = !quant.uniform<i8<-128:127>:f64, 7654321.0:0>, e = !quant.uniform<u32<0:4294967295>:f32, 1.0>,
             f = !quant.uniform<i32:bf16, 0.013972910113632678:-3>, g = !quant.uniform<si8:f16, 1.0>,
             h = !quant.uniform<ui8:f32, 1.0:255>, i = !quant.uniform<u2:f32, 0.1>,
             j = !quant.uniform<i8:f32, 0.10000000149011612>, k = !quant.uniform<i4:f32, 1.0e-40>} : () -> ()
"t.axis"() {a = !quant.uniform<u8:f32:1, {8.0e+1:17,0.7311:200}>,
            b = !quant.uniform<i8<-127:127>:f32:0, {  8.0e+1 , 0.7311 : 0 , 3.5 }>,
            c = !quant.uniform<i8:f32:3, {
              0.125,
              0.25
            }>} : () -> ()
"t.blocks"() {a = !quant.uniform<u8:f32:{2:8, 0:1}, {{{6.0:9,7.0:200}}, {{8.0,9.0}}}>,
              b = !quant.uniform<i8:f32:{}, {{0.5:12,0.75:13}}>,
              c = !quant.uniform<i8:f16:{1:4,0:2}, {{0.1, 1234.0}}>,
              d = !quant.uniform<i8:f32:{0:2}, {7654321.0, 0.013972910113632678}>,
              e = !quant.uniform<i4:f32:{2:32}, {{{1.0}, {2.0}}}>} : () -> ()
"t.other"() {a = !quant.any<i8<-16:15>:f32>, b = !quant.any<u4>, c = !quant.any<i16<-32768:32767>>,
             d = !quant.calibrated<f32<-0.7311:2.625>>, e = !quant<calibrated<f64<-1.0:0x7FF0000000000000>>>} : () -> ()
func.func @tensors(%a: tensor<4x!layer>, %b: tensor<*x!layer>, %c: !layer) -> tensor<?x!layer> {
  %0 = "t.use"(%a, %b, %c) : (tensor<4x!layer>, tensor<*x!layer>, !layer) -> tensor<?x!layer>
  return %0 : tensor<?x!layer>
}

// CHECK:module {
// CHECK-NEXT:  "t.layer"() {a = !quant.uniform<i6<-26:25>:f32, 7.311000e-01:21>, b = !quant.uniform<u8:f32, 3.125000e-02>, c = !quant.uniform<u8:f32, 1870395.375:77>, d = !quant.uniform<i8:f64, 0x415D32EC40000000>, e = !quant.uniform<u32:f32, 1.000000e+00>, f = !quant.uniform<i32:bf16, 0.013972910113632678:-3>, g = !quant.uniform<si8:f16, 1.000000e+00>, h = !quant.uniform<ui8:f32, 1.000000e+00:255>, i = !quant.uniform<u2:f32, 1.000000e-01>, j = !quant.uniform<i8:f32, 0.10000000149011612>, k = !quant.uniform<i4:f32, 9.9999999999999992E-41>} : () -> ()
// CHECK-NEXT:  "t.axis"() {a = !quant.uniform<u8:f32:1, {8.000000e+01:17,7.311000e-01:200}>, b = !quant.uniform<i8<-127:127>:f32:0, {8.000000e+01,7.311000e-01,3.500000e+00}>, c = !quant.uniform<i8:f32:3, {1.250000e-01,2.500000e-01}>} : () -> ()
// CHECK-NEXT{LITERAL}:  "t.blocks"() {a = !quant.uniform<u8:f32:{2:8, 0:1}, {{{6.000000e+00:9, 7.000000e+00:200}}, {{8.000000e+00, 9.000000e+00}}}>, b = !quant.uniform<i8:f32:{}, {{5.000000e-01:12, 7.500000e-01:13}}>, c = !quant.uniform<i8:f16:{1:4, 0:2}, {{9.997550e-02, 1.234000e+03}}>, d = !quant.uniform<i8:f32:{0:2}, {0x415D32EC40000000, 0.0139729101}>, e = !quant.uniform<i4:f32:{2:32}, {{{1.000000e+00}, {2.000000e+00}}}>} : () -> ()
// CHECK-NEXT:  "t.other"() {a = !quant.any<i8<-16:15>:f32>, b = !quant.any<u4>, c = !quant.any<i16>, d = !quant.calibrated<f32<-7.311000e-01:2.625000e+00>>, e = !quant.calibrated<f64<-1.000000e+00:0x7FF0000000000000>>} : () -> ()
// CHECK-NEXT:  func.func @tensors(%arg0: tensor<4x!quant.uniform<i6<-26:25>:f32, 7.311000e-01:21>>, %arg1: tensor<*x!quant.uniform<i6<-26:25>:f32, 7.311000e-01:21>>, %arg2: !quant.uniform<i6<-26:25>:f32, 7.311000e-01:21>) -> tensor<?x!quant.uniform<i6<-26:25>:f32, 7.311000e-01:21>> {
// CHECK-NEXT:    %0 = "t.use"(%arg0, %arg1, %arg2) : (tensor<4x!quant.uniform<i6<-26:25>:f32, 7.311000e-01:21>>, tensor<*x!quant.uniform<i6<-26:25>:f32, 7.311000e-01:21>>, !quant.uniform<i6<-26:25>:f32, 7.311000e-01:21>) -> tensor<?x!quant.uniform<i6<-26:25>:f32, 7.311000e-01:21>>
// CHECK-NEXT:    return %0 : tensor<?x!quant.uniform<i6<-26:25>:f32, 7.311000e-01:21>>
// CHECK-NEXT:  }
// CHECK-NEXT:}
