// D20, D21: nothing checks whether a size that only the run tells is the number of scales, nor
// whether a value of unknown rank has the dimension at all: upstream's code reads behind the
// scales. Here it is an error of the run.
//
// CALL-UNDEFINED @dynamic dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32> -> tensor<?xi32>
// | upstream    undefined
// | ours        error: 'cf.assert' op failed: dimension size does not match the number of scales
// | definition  none
//
// CALL-UNDEFINED @unranked dense<[1.0, 2.0, 3.0]> : tensor<3xf32> -> tensor<*xi32>
// | upstream    undefined
// | ours        error: 'cf.assert' op failed: rank does not exceed the quantized dimension
// | definition  none
//

!q = !quant.uniform<i8:f32:0, {0.25, 0.5}>
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xi32> {
  %0 = quant.qcast %x : tensor<?xf32> to tensor<?x!q>
  %1 = quant.scast %0 : tensor<?x!q> to tensor<?xi8>
  %2 = arith.extsi %1 : tensor<?xi8> to tensor<?xi32>
  return %2 : tensor<?xi32>
}
!r = !quant.uniform<i8:f32:1, {0.25, 0.5}>
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xi32> {
  %0 = quant.qcast %x : tensor<*xf32> to tensor<*x!r>
  %1 = quant.scast %0 : tensor<*x!r> to tensor<*xi8>
  %2 = arith.extsi %1 : tensor<*xi8> to tensor<*xi32>
  return %2 : tensor<*xi32>
}
// -----
