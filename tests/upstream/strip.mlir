// Signatures, results and calls.
// SAME: --allow-unregistered-dialect --strip-func-quant-types
!q = !quant.uniform<i8:f32, 0.5:3>
!q1 = !quant.uniform<i16:f32, 0.25:-9>
func.func @arguments(%arg0: !q, %arg1: !q1, %arg2: f32) {
  "some.op"(%arg0) : (!q) -> tensor<4x!q>
  "some.op"(%arg1) : (!q1) -> tensor<?x!q1>
  "some.op"(%arg2) : (f32) -> tensor<4xf32>
}
func.func @results() -> (tensor<4x!q>, tensor<?x!q1>, tensor<*x!q>, tensor<4xf32>) {
  %0 = "some.op"() : () -> tensor<4x!q>
  %1 = "some.op"() : () -> tensor<?x!q1>
  %2 = "some.op"() : () -> tensor<*x!q>
  %3 = "some.op"() : () -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4x!q>, tensor<?x!q1>, tensor<*x!q>, tensor<4xf32>
}
func.func private @callee(tensor<4x!q>, tensor<?x!q1>) -> (tensor<*x!q>, tensor<4xf32>)
func.func @calls() {
  %0 = "some.op"() : () -> tensor<4x!q>
  %1 = "some.op"() : () -> tensor<?x!q1>
  %2:2 = func.call @callee(%0, %1) : (tensor<4x!q>, tensor<?x!q1>) -> (tensor<*x!q>, tensor<4xf32>)
  "some.op"(%2#0) : (tensor<*x!q>) -> ()
  "some.op"(%2#1) : (tensor<4xf32>) -> ()
  return
}
func.func @pass(%x: !q) -> !q { return %x : !q }
func.func @no_scales(%a: !quant.any<i8:f32>, %b: tensor<?x!quant.any<u4<1:12>>>) -> !quant.any<i8:f32> {
  %0 = "test.op"(%a, %b) : (!quant.any<i8:f32>, tensor<?x!quant.any<u4<1:12>>>) -> !quant.any<i8:f32>
  return %0 : !quant.any<i8:f32>
}
// Granularities, unsigned and narrow storage, shapes, an encoding, several uses of one value.
!axis = !quant.uniform<u8:f32:0, {0.5:3, 0.25:200}>
!blocks = !quant.uniform<i4:f16:{0:2, 1:3}, {{0.5:-3, 0.25}, {2.0:7, 1.0}}>
func.func private @kinds(!axis, tensor<2x?x!axis>, tensor<4x6x!blocks>, tensor<*x!axis>, tensor<!q, "layout">, f32, tensor<2xindex>) -> tensor<4x6x!blocks>
func.func @uses(%x: tensor<2x!axis>, %y: !q) -> (tensor<2x!axis>, tensor<2x!axis>) {
  "some.op"(%y, %x) : (!q, tensor<2x!axis>) -> ()
  "some.op"(%x, %x) : (tensor<2x!axis>, tensor<2x!axis>) -> ()
  return %x, %x : tensor<2x!axis>, tensor<2x!axis>
}
func.func @casts(%x: tensor<2xf32>) -> (tensor<2x!axis>, tensor<2xf32>) {
  %0 = quant.qcast %x : tensor<2xf32> to tensor<2x!axis>
  %1 = call @through(%0) : (tensor<2x!axis>) -> tensor<2x!axis>
  %2 = quant.dcast %1 : tensor<2x!axis> to tensor<2xf32>
  return %1, %2 : tensor<2x!axis>, tensor<2xf32>
}
func.func @through(%x: tensor<2x!axis>) -> tensor<2x!axis> { return %x : tensor<2x!axis> }
module @inner {
  func.func private @f(tensor<2x!axis>) -> !q
  func.func @g(%x: tensor<2x!axis>) -> !q {
    %0 = call @f(%x) : (tensor<2x!axis>) -> !q
    return %0 : !q
  }
}
