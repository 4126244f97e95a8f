// Each granularity on each shape that supports it, in both directions, and pairs whose inner cast is used.
// SAME: --lower-quant-ops
!layer = !quant.uniform<i8:f32, 0.5:-3>
!layer_zero = !quant.uniform<i16:f64, 0.25>
!layer_bounds = !quant.uniform<u8<3:201>:f32, 2.0:200>
!layer_narrow = !quant.uniform<i4<-7:7>:bf16, 1.5:1>
!axis = !quant.uniform<i8:f32:1, {0.5:-3, 0.25, 2.0:7}>
!axis_zero = !quant.uniform<u16:f16:1, {0.5, 0.25, 2.0}>
!axis_bounds = !quant.uniform<i8<-100:100>:f64:1, {0.5:-3, 0.25:4, 2.0:7}>
!blocks = !quant.uniform<i8:f32:{0:2, 1:3}, {{0.5:-3, 0.25}, {2.0:7, 1.0}}>
!blocks_partial = !quant.uniform<u8<0:100>:f32:{1:2}, {{0.5:9, 0.25, 2.0:7}}>
!blocks_rest = !quant.uniform<i8:f16:{}, {{0.5:-3}}>
func.func @layer_scalar(%x: f32, %q: !layer) -> (!layer, f32) {
  %0 = quant.qcast %x : f32 to !layer
  %1 = quant.dcast %q : !layer to f32
  return %0, %1 : !layer, f32
}
func.func @layer_rank0(%x: tensor<f32>, %q: tensor<!layer>) -> (tensor<!layer>, tensor<f32>) {
  %0 = quant.qcast %x : tensor<f32> to tensor<!layer>
  %1 = quant.dcast %q : tensor<!layer> to tensor<f32>
  return %0, %1 : tensor<!layer>, tensor<f32>
}
func.func @layer_fixed(%x: tensor<2x3xf32>, %q: tensor<2x3x!layer>) -> (tensor<2x3x!layer>, tensor<2x3xf32>) {
  %0 = quant.qcast %x : tensor<2x3xf32> to tensor<2x3x!layer>
  %1 = quant.dcast %q : tensor<2x3x!layer> to tensor<2x3xf32>
  return %0, %1 : tensor<2x3x!layer>, tensor<2x3xf32>
}
func.func @layer_dynamic(%x: tensor<?x3xf32>, %q: tensor<?x3x!layer>) -> (tensor<?x3x!layer>, tensor<?x3xf32>) {
  %0 = quant.qcast %x : tensor<?x3xf32> to tensor<?x3x!layer>
  %1 = quant.dcast %q : tensor<?x3x!layer> to tensor<?x3xf32>
  return %0, %1 : tensor<?x3x!layer>, tensor<?x3xf32>
}
func.func @layer_unranked(%x: tensor<*xf32>, %q: tensor<*x!layer>) -> (tensor<*x!layer>, tensor<*xf32>) {
  %0 = quant.qcast %x : tensor<*xf32> to tensor<*x!layer>
  %1 = quant.dcast %q : tensor<*x!layer> to tensor<*xf32>
  return %0, %1 : tensor<*x!layer>, tensor<*xf32>
}
func.func @layer_zero_scalar(%x: f64, %q: !layer_zero) -> (!layer_zero, f64) {
  %0 = quant.qcast %x : f64 to !layer_zero
  %1 = quant.dcast %q : !layer_zero to f64
  return %0, %1 : !layer_zero, f64
}
func.func @layer_zero_rank0(%x: tensor<f64>, %q: tensor<!layer_zero>) -> (tensor<!layer_zero>, tensor<f64>) {
  %0 = quant.qcast %x : tensor<f64> to tensor<!layer_zero>
  %1 = quant.dcast %q : tensor<!layer_zero> to tensor<f64>
  return %0, %1 : tensor<!layer_zero>, tensor<f64>
}
func.func @layer_zero_fixed(%x: tensor<5xf64>, %q: tensor<5x!layer_zero>) -> (tensor<5x!layer_zero>, tensor<5xf64>) {
  %0 = quant.qcast %x : tensor<5xf64> to tensor<5x!layer_zero>
  %1 = quant.dcast %q : tensor<5x!layer_zero> to tensor<5xf64>
  return %0, %1 : tensor<5x!layer_zero>, tensor<5xf64>
}
func.func @layer_zero_dynamic(%x: tensor<?xf64>, %q: tensor<?x!layer_zero>) -> (tensor<?x!layer_zero>, tensor<?xf64>) {
  %0 = quant.qcast %x : tensor<?xf64> to tensor<?x!layer_zero>
  %1 = quant.dcast %q : tensor<?x!layer_zero> to tensor<?xf64>
  return %0, %1 : tensor<?x!layer_zero>, tensor<?xf64>
}
func.func @layer_zero_unranked(%x: tensor<*xf64>, %q: tensor<*x!layer_zero>) -> (tensor<*x!layer_zero>, tensor<*xf64>) {
  %0 = quant.qcast %x : tensor<*xf64> to tensor<*x!layer_zero>
  %1 = quant.dcast %q : tensor<*x!layer_zero> to tensor<*xf64>
  return %0, %1 : tensor<*x!layer_zero>, tensor<*xf64>
}
func.func @layer_bounds_scalar(%x: f32, %q: !layer_bounds) -> (!layer_bounds, f32) {
  %0 = quant.qcast %x : f32 to !layer_bounds
  %1 = quant.dcast %q : !layer_bounds to f32
  return %0, %1 : !layer_bounds, f32
}
func.func @layer_bounds_rank0(%x: tensor<f32>, %q: tensor<!layer_bounds>) -> (tensor<!layer_bounds>, tensor<f32>) {
  %0 = quant.qcast %x : tensor<f32> to tensor<!layer_bounds>
  %1 = quant.dcast %q : tensor<!layer_bounds> to tensor<f32>
  return %0, %1 : tensor<!layer_bounds>, tensor<f32>
}
func.func @layer_bounds_fixed(%x: tensor<1x2x3xf32>, %q: tensor<1x2x3x!layer_bounds>) -> (tensor<1x2x3x!layer_bounds>, tensor<1x2x3xf32>) {
  %0 = quant.qcast %x : tensor<1x2x3xf32> to tensor<1x2x3x!layer_bounds>
  %1 = quant.dcast %q : tensor<1x2x3x!layer_bounds> to tensor<1x2x3xf32>
  return %0, %1 : tensor<1x2x3x!layer_bounds>, tensor<1x2x3xf32>
}
func.func @layer_bounds_dynamic(%x: tensor<?x2x?xf32>, %q: tensor<?x2x?x!layer_bounds>) -> (tensor<?x2x?x!layer_bounds>, tensor<?x2x?xf32>) {
  %0 = quant.qcast %x : tensor<?x2x?xf32> to tensor<?x2x?x!layer_bounds>
  %1 = quant.dcast %q : tensor<?x2x?x!layer_bounds> to tensor<?x2x?xf32>
  return %0, %1 : tensor<?x2x?x!layer_bounds>, tensor<?x2x?xf32>
}
func.func @layer_bounds_unranked(%x: tensor<*xf32>, %q: tensor<*x!layer_bounds>) -> (tensor<*x!layer_bounds>, tensor<*xf32>) {
  %0 = quant.qcast %x : tensor<*xf32> to tensor<*x!layer_bounds>
  %1 = quant.dcast %q : tensor<*x!layer_bounds> to tensor<*xf32>
  return %0, %1 : tensor<*x!layer_bounds>, tensor<*xf32>
}
func.func @layer_narrow_scalar(%x: bf16, %q: !layer_narrow) -> (!layer_narrow, bf16) {
  %0 = quant.qcast %x : bf16 to !layer_narrow
  %1 = quant.dcast %q : !layer_narrow to bf16
  return %0, %1 : !layer_narrow, bf16
}
func.func @layer_narrow_rank0(%x: tensor<bf16>, %q: tensor<!layer_narrow>) -> (tensor<!layer_narrow>, tensor<bf16>) {
  %0 = quant.qcast %x : tensor<bf16> to tensor<!layer_narrow>
  %1 = quant.dcast %q : tensor<!layer_narrow> to tensor<bf16>
  return %0, %1 : tensor<!layer_narrow>, tensor<bf16>
}
func.func @layer_narrow_fixed(%x: tensor<4xbf16>, %q: tensor<4x!layer_narrow>) -> (tensor<4x!layer_narrow>, tensor<4xbf16>) {
  %0 = quant.qcast %x : tensor<4xbf16> to tensor<4x!layer_narrow>
  %1 = quant.dcast %q : tensor<4x!layer_narrow> to tensor<4xbf16>
  return %0, %1 : tensor<4x!layer_narrow>, tensor<4xbf16>
}
func.func @layer_narrow_dynamic(%x: tensor<?x4xbf16>, %q: tensor<?x4x!layer_narrow>) -> (tensor<?x4x!layer_narrow>, tensor<?x4xbf16>) {
  %0 = quant.qcast %x : tensor<?x4xbf16> to tensor<?x4x!layer_narrow>
  %1 = quant.dcast %q : tensor<?x4x!layer_narrow> to tensor<?x4xbf16>
  return %0, %1 : tensor<?x4x!layer_narrow>, tensor<?x4xbf16>
}
func.func @layer_narrow_unranked(%x: tensor<*xbf16>, %q: tensor<*x!layer_narrow>) -> (tensor<*x!layer_narrow>, tensor<*xbf16>) {
  %0 = quant.qcast %x : tensor<*xbf16> to tensor<*x!layer_narrow>
  %1 = quant.dcast %q : tensor<*x!layer_narrow> to tensor<*xbf16>
  return %0, %1 : tensor<*x!layer_narrow>, tensor<*xbf16>
}
func.func @axis_fixed(%x: tensor<2x3x4xf32>, %q: tensor<2x3x4x!axis>) -> (tensor<2x3x4x!axis>, tensor<2x3x4xf32>) {
  %0 = quant.qcast %x : tensor<2x3x4xf32> to tensor<2x3x4x!axis>
  %1 = quant.dcast %q : tensor<2x3x4x!axis> to tensor<2x3x4xf32>
  return %0, %1 : tensor<2x3x4x!axis>, tensor<2x3x4xf32>
}
func.func @axis_dynamic(%x: tensor<?x?x4xf32>, %q: tensor<?x?x4x!axis>) -> (tensor<?x?x4x!axis>, tensor<?x?x4xf32>) {
  %0 = quant.qcast %x : tensor<?x?x4xf32> to tensor<?x?x4x!axis>
  %1 = quant.dcast %q : tensor<?x?x4x!axis> to tensor<?x?x4xf32>
  return %0, %1 : tensor<?x?x4x!axis>, tensor<?x?x4xf32>
}
func.func @axis_unranked(%x: tensor<*xf32>, %q: tensor<*x!axis>) -> (tensor<*x!axis>, tensor<*xf32>) {
  %0 = quant.qcast %x : tensor<*xf32> to tensor<*x!axis>
  %1 = quant.dcast %q : tensor<*x!axis> to tensor<*xf32>
  return %0, %1 : tensor<*x!axis>, tensor<*xf32>
}
func.func @axis_zero_fixed(%x: tensor<1x3xf16>, %q: tensor<1x3x!axis_zero>) -> (tensor<1x3x!axis_zero>, tensor<1x3xf16>) {
  %0 = quant.qcast %x : tensor<1x3xf16> to tensor<1x3x!axis_zero>
  %1 = quant.dcast %q : tensor<1x3x!axis_zero> to tensor<1x3xf16>
  return %0, %1 : tensor<1x3x!axis_zero>, tensor<1x3xf16>
}
func.func @axis_zero_dynamic(%x: tensor<2x?xf16>, %q: tensor<2x?x!axis_zero>) -> (tensor<2x?x!axis_zero>, tensor<2x?xf16>) {
  %0 = quant.qcast %x : tensor<2x?xf16> to tensor<2x?x!axis_zero>
  %1 = quant.dcast %q : tensor<2x?x!axis_zero> to tensor<2x?xf16>
  return %0, %1 : tensor<2x?x!axis_zero>, tensor<2x?xf16>
}
func.func @axis_zero_unranked(%x: tensor<*xf16>, %q: tensor<*x!axis_zero>) -> (tensor<*x!axis_zero>, tensor<*xf16>) {
  %0 = quant.qcast %x : tensor<*xf16> to tensor<*x!axis_zero>
  %1 = quant.dcast %q : tensor<*x!axis_zero> to tensor<*xf16>
  return %0, %1 : tensor<*x!axis_zero>, tensor<*xf16>
}
func.func @axis_bounds_fixed(%x: tensor<2x3xf64>, %q: tensor<2x3x!axis_bounds>) -> (tensor<2x3x!axis_bounds>, tensor<2x3xf64>) {
  %0 = quant.qcast %x : tensor<2x3xf64> to tensor<2x3x!axis_bounds>
  %1 = quant.dcast %q : tensor<2x3x!axis_bounds> to tensor<2x3xf64>
  return %0, %1 : tensor<2x3x!axis_bounds>, tensor<2x3xf64>
}
func.func @axis_bounds_dynamic(%x: tensor<?x3xf64>, %q: tensor<?x3x!axis_bounds>) -> (tensor<?x3x!axis_bounds>, tensor<?x3xf64>) {
  %0 = quant.qcast %x : tensor<?x3xf64> to tensor<?x3x!axis_bounds>
  %1 = quant.dcast %q : tensor<?x3x!axis_bounds> to tensor<?x3xf64>
  return %0, %1 : tensor<?x3x!axis_bounds>, tensor<?x3xf64>
}
func.func @axis_bounds_unranked(%x: tensor<*xf64>, %q: tensor<*x!axis_bounds>) -> (tensor<*x!axis_bounds>, tensor<*xf64>) {
  %0 = quant.qcast %x : tensor<*xf64> to tensor<*x!axis_bounds>
  %1 = quant.dcast %q : tensor<*x!axis_bounds> to tensor<*xf64>
  return %0, %1 : tensor<*x!axis_bounds>, tensor<*xf64>
}
func.func @blocks_fixed(%x: tensor<4x6xf32>, %q: tensor<4x6x!blocks>) -> (tensor<4x6x!blocks>, tensor<4x6xf32>) {
  %0 = quant.qcast %x : tensor<4x6xf32> to tensor<4x6x!blocks>
  %1 = quant.dcast %q : tensor<4x6x!blocks> to tensor<4x6xf32>
  return %0, %1 : tensor<4x6x!blocks>, tensor<4x6xf32>
}
func.func @blocks_dynamic(%x: tensor<?x6xf32>, %q: tensor<?x6x!blocks>) -> (tensor<?x6x!blocks>, tensor<?x6xf32>) {
  %0 = quant.qcast %x : tensor<?x6xf32> to tensor<?x6x!blocks>
  %1 = quant.dcast %q : tensor<?x6x!blocks> to tensor<?x6xf32>
  return %0, %1 : tensor<?x6x!blocks>, tensor<?x6xf32>
}
func.func @blocks_partial_fixed(%x: tensor<5x6xf32>, %q: tensor<5x6x!blocks_partial>) -> (tensor<5x6x!blocks_partial>, tensor<5x6xf32>) {
  %0 = quant.qcast %x : tensor<5x6xf32> to tensor<5x6x!blocks_partial>
  %1 = quant.dcast %q : tensor<5x6x!blocks_partial> to tensor<5x6xf32>
  return %0, %1 : tensor<5x6x!blocks_partial>, tensor<5x6xf32>
}
func.func @blocks_partial_dynamic(%x: tensor<5x?xf32>, %q: tensor<5x?x!blocks_partial>) -> (tensor<5x?x!blocks_partial>, tensor<5x?xf32>) {
  %0 = quant.qcast %x : tensor<5x?xf32> to tensor<5x?x!blocks_partial>
  %1 = quant.dcast %q : tensor<5x?x!blocks_partial> to tensor<5x?xf32>
  return %0, %1 : tensor<5x?x!blocks_partial>, tensor<5x?xf32>
}
func.func @blocks_rest_fixed(%x: tensor<2x2xf16>, %q: tensor<2x2x!blocks_rest>) -> (tensor<2x2x!blocks_rest>, tensor<2x2xf16>) {
  %0 = quant.qcast %x : tensor<2x2xf16> to tensor<2x2x!blocks_rest>
  %1 = quant.dcast %q : tensor<2x2x!blocks_rest> to tensor<2x2xf16>
  return %0, %1 : tensor<2x2x!blocks_rest>, tensor<2x2xf16>
}
func.func @blocks_rest_dynamic(%x: tensor<?x?xf16>, %q: tensor<?x?x!blocks_rest>) -> (tensor<?x?x!blocks_rest>, tensor<?x?xf16>) {
  %0 = quant.qcast %x : tensor<?x?xf16> to tensor<?x?x!blocks_rest>
  %1 = quant.dcast %q : tensor<?x?x!blocks_rest> to tensor<?x?xf16>
  return %0, %1 : tensor<?x?x!blocks_rest>, tensor<?x?xf16>
}

// A pair is folded to the value from before the lowering.
func.func @chain(%q: tensor<2x!layer>) -> (tensor<2x!layer>, tensor<2xf32>, tensor<2xf32>, tensor<2x!layer>) {
  %0 = quant.dcast %q : tensor<2x!layer> to tensor<2xf32>
  %1 = quant.qcast %0 : tensor<2xf32> to tensor<2x!layer>
  %2 = quant.dcast %1 : tensor<2x!layer> to tensor<2xf32>
  %3 = quant.qcast %2 : tensor<2xf32> to tensor<2x!layer>
  return %1, %0, %2, %3 : tensor<2x!layer>, tensor<2xf32>, tensor<2xf32>, tensor<2x!layer>
}
func.func @unused(%x: f32) -> f32 {
  %0 = quant.qcast %x : f32 to !layer
  %1 = quant.dcast %0 : !layer to f32
  return %1 : f32
}
func.func @other_type(%q: !layer) -> !layer_bounds {
  %0 = quant.dcast %q : !layer to f32
  %1 = quant.qcast %0 : f32 to !layer_bounds
  return %1 : !layer_bounds
}
// Casts in regions of other ops, through blocks, and of storage do not move.
func.func @places(%c: i1, %x: f32, %q: !layer, %s: i8) -> (f32, !layer) {
  %0 = scf.if %c -> (f32) {
    %2 = quant.dcast %q : !layer to f32
    scf.yield %2 : f32
  } else {
    scf.yield %x : f32
  }
  %1 = quant.scast %s : i8 to !layer
  cf.br ^bb1(%1 : !layer)
^bb1(%p: !layer):
  %3 = quant.dcast %p : !layer to f32
  %4 = arith.addf %0, %3 : f32
  %5 = quant.qcast %4 : f32 to !layer
  return %4, %5 : f32, !layer
}
