// Sub-channel types that are simpler than they look.
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
