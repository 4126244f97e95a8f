// D20, D21: upstream does not check whether a dimension known only at run time equals the number of scales,
// nor whether an unranked value has the dimension at all: its code reads past the end of the
// scales. Here it is a run-time error.
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
