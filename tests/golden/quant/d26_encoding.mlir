// Every tensor in the lowering has the encoding of the original tensor.
// RUN: quern opt %s --lower-quant-ops | FileCheck %s
// RUN: quern opt %s --lower-quant-ops=upstream-compatible | FileCheck %s --check-prefix=UPSTREAM
!q = !quant.uniform<i8:f32, 0.5:10>
// CHECK: %[[INIT:.*]] = tensor.empty() : tensor<4xi8, "sparse">
// CHECK: linalg.generic {{.*}} outs(%[[INIT]] : tensor<4xi8, "sparse">)
// UPSTREAM: tensor.splat %{{.*}} : tensor<4xf32, "sparse">
// UPSTREAM: arith.fptosi %{{.*}} : tensor<4xf32, "sparse"> to tensor<4xi8, "sparse">
func.func @f(%x: tensor<4xf32, "sparse">) -> tensor<4x!q, "sparse"> {
  %0 = quant.qcast %x : tensor<4xf32, "sparse"> to tensor<4x!q, "sparse">
  return %0 : tensor<4x!q, "sparse">
}
