// Sub-channel types that have a simpler equal type.
// SAME: --allow-unregistered-dialect --normalize-quant-types
!q1 = !quant.uniform<i8:f32:{}, {{0.5:7}}>
!q2 = !quant.uniform<i8:f32:{0:1,1:4}, {{0.5:7}}>
!q3 = !quant.uniform<i8:f32:{0:1,1:4}, {{0.5:7}, {1.5:7}}>
func.func private @callee(tensor<?x?x!q1>, tensor<?x?x!q2>) -> (tensor<?x?x!q3>, tensor<?x?x!q2>)
func.func @f(%a: tensor<?x?x!q1>, %b: tensor<?x?x!q2>, %s: !q1) -> (tensor<?x?x!q3>, tensor<?x?x!q2>) {
  %0 = "some.op"(%a) ({
  ^bb0(%x: tensor<?x?x!q3>):
    "some.use"(%x) {t = tensor<?x?x!q3>} : (tensor<?x?x!q3>) -> ()
  }) : (tensor<?x?x!q1>) -> tensor<?x?x!q1>
  %3:2 = func.call @callee(%0, %b) : (tensor<?x?x!q1>, tensor<?x?x!q2>) -> (tensor<?x?x!q3>, tensor<?x?x!q2>)
  return %3#0, %3#1 : tensor<?x?x!q3>, tensor<?x?x!q2>
}
// One scale, one axis, or several; the order of blocks; scalars, unranked and other values.
!one = !quant.uniform<u8<0:100>:f16:{1:4}, {{{0.5:7}}}>
!axis2 = !quant.uniform<i8:f32:{2:1, 0:5}, {{{0.5:7, 0.25, 2.0:-1}}}>
!both = !quant.uniform<i8:f32:{0:1, 1:1}, {{0.5:7, 0.25}, {1.0, 2.0}}>
!layer = !quant.uniform<i8:f32, 0.5:7>
func.func private @kinds(tensor<?x4x2x!one>, tensor<5x?x3x!axis2>, tensor<2x2x!both>, tensor<*x!layer>, !one, f32) -> tensor<?x4x2x!one>
func.func @regions(%a: tensor<?x?x!q3>, %c: i1) -> tensor<?x?x!q3> {
  %0 = scf.if %c -> (tensor<?x?x!q3>) {
    %1 = "some.op"(%a) : (tensor<?x?x!q3>) -> tensor<?x?x!q3>
    scf.yield %1 : tensor<?x?x!q3>
  } else {
    scf.yield %a : tensor<?x?x!q3>
  }
  return %0 : tensor<?x?x!q3>
}
func.func @casts(%x: tensor<2x4x2xf16>, %q: tensor<2x4x2x!one>) -> (tensor<2x4x2x!one>, tensor<2x4x2xf16>) {
  %0 = quant.qcast %x : tensor<2x4x2xf16> to tensor<2x4x2x!one>
  %1 = quant.dcast %q : tensor<2x4x2x!one> to tensor<2x4x2xf16>
  return %0, %1 : tensor<2x4x2x!one>, tensor<2x4x2xf16>
}
