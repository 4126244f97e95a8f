// Each shape and quantization scheme in both directions, and pairs of casts.
// SAME: --lower-quant-ops
!a = !quant.uniform<i8:f32, 2.0:10>
!b = !quant.uniform<u8<2:200>:f32, 0.5:200>
!c = !quant.uniform<i8:f32:1, {2.0:10, 3.0:20}>
!d = !quant.uniform<u8<2:200>:f32:1, {2.0, 3.0}>
!e = !quant.uniform<u8:f32:{0:1,1:2}, {{2.0:120,3.0:127}, {4.0,5.0}}>
!f = !quant.uniform<i4<-7:7>:f16, 0.5>
func.func @s(%x: f32, %y: tensor<f32>, %z: tensor<3x?x5xf32>, %u: tensor<*xf32>) -> (!a, !b, tensor<!a>, tensor<3x?x5x!b>, tensor<*x!b>, tensor<*x!d>) {
  %0 = quant.qcast %x : f32 to !a
  %1 = quant.qcast %x : f32 to !b
  %2 = quant.qcast %y : tensor<f32> to tensor<!a>
  %3 = quant.qcast %z : tensor<3x?x5xf32> to tensor<3x?x5x!b>
  %4 = quant.qcast %u : tensor<*xf32> to tensor<*x!b>
  %5 = quant.qcast %u : tensor<*xf32> to tensor<*x!d>
  return %0, %1, %2, %3, %4, %5 : !a, !b, tensor<!a>, tensor<3x?x5x!b>, tensor<*x!b>, tensor<*x!d>
}
func.func @d(%x: !a, %y: !b, %z: tensor<3x?x5x!b>, %u: tensor<*x!a>, %v: tensor<*x!c>, %w: tensor<3x2x?x!c>) -> (f32, f32, tensor<3x?x5xf32>, tensor<*xf32>, tensor<*xf32>, tensor<3x2x?xf32>) {
  %0 = quant.dcast %x : !a to f32
  %1 = quant.dcast %y : !b to f32
  %2 = quant.dcast %z : tensor<3x?x5x!b> to tensor<3x?x5xf32>
  %3 = quant.dcast %u : tensor<*x!a> to tensor<*xf32>
  %4 = quant.dcast %v : tensor<*x!c> to tensor<*xf32>
  %5 = quant.dcast %w : tensor<3x2x?x!c> to tensor<3x2x?xf32>
  return %0, %1, %2, %3, %4, %5 : f32, f32, tensor<3x?x5xf32>, tensor<*xf32>, tensor<*xf32>, tensor<3x2x?xf32>
}
func.func @g(%x: tensor<?x4xf32>, %y: tensor<2x?x!e>, %z: tensor<4x?xf32>, %h: tensor<3xf16>, %i: tensor<3x!f>) -> (tensor<?x4x!e>, tensor<2x?xf32>, tensor<4x?x!d>, tensor<3x!f>, tensor<3xf16>) {
  %0 = quant.qcast %x : tensor<?x4xf32> to tensor<?x4x!e>
  %1 = quant.dcast %y : tensor<2x?x!e> to tensor<2x?xf32>
  %2 = quant.qcast %z : tensor<4x?xf32> to tensor<4x?x!d>
  %3 = quant.qcast %h : tensor<3xf16> to tensor<3x!f>
  %4 = quant.dcast %i : tensor<3x!f> to tensor<3xf16>
  return %0, %1, %2, %3, %4 : tensor<?x4x!e>, tensor<2x?xf32>, tensor<4x?x!d>, tensor<3x!f>, tensor<3xf16>
}
func.func @fold(%x: f32, %q: !a) -> (f32, !a, f32) {
  %0 = quant.qcast %x : f32 to !a
  %1 = quant.dcast %0 : !a to f32
  %2 = quant.dcast %q : !a to f32
  %3 = quant.qcast %2 : f32 to !a
  return %1, %3, %2 : f32, !a, f32
}
