// An elementwise loop is fused into the loop that reads its result, if that is the only reader and visits each element once.
// RUN: quern opt %s --lower-to-integer --fuse-elementwise 2>/dev/null | FileCheck %s
// RUN: quern opt %s --lower-to-integer --fuse-elementwise --config keep-tensors=true 2>/dev/null | FileCheck %s --check-prefix=KEEP
// RUN: quern opt %s --emit=interpret --function chain --input 3x2xf32=-2,-0.5,0,0.25,1,3 --input 3x2xf32=1,-1,0.5,2,-3,0.125 2>/dev/null | FileCheck %s --check-prefix=BITS
// RUN: quern opt %s --lower-to-integer --fuse-elementwise --emit=interpret --function chain --input 3x2xf32=-2,-0.5,0,0.25,1,3 --input 3x2xf32=1,-1,0.5,2,-3,0.125 2>/dev/null | FileCheck %s --check-prefix=BITS
// RUN: quern opt %s --lower-to-integer --fuse-elementwise --emit=run --function chain --input 3x2xf32=-2,-0.5,0,0.25,1,3 --input 3x2xf32=1,-1,0.5,2,-3,0.125 2>/dev/null | FileCheck %s --check-prefix=BITS
func.func @chain(%x: tensor<3x2xf32>, %y: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = "ml.add"(%x, %y) {quern.tensors = array<i64: 1>} : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %1 = "ml.sigmoid"(%0) {quern.tensors = array<i64: 2>} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = "ml.mul"(%1, %0) {quern.tensors = array<i64: 3>} : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %3 = "ml.relu"(%2) {quern.tensors = array<i64: 4>} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return %3 : tensor<3x2xf32>
}
// CHECK-LABEL: @chain
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<3x2xf32>, tensor<3x2xf32>) outs(%0 : tensor<3x2xf32>) attrs = {quern.tensors = array<i64: 4>}
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[X]], %[[Y]]
// CHECK: %[[S:.*]] = arith.truncf
// CHECK-NEXT: arith.mulf %[[S]], %[[SUM]]
// CHECK: linalg.yield
// CHECK-NOT: linalg.generic
// CHECK: return
// KEEP-LABEL: @chain
// KEEP-COUNT-4: linalg.generic
// KEEP: return

// A broadcast row, and a reduction that reads the elements in memory order.
func.func @rows(%x: tensor<4x64xf32>, %row: tensor<64xf32>) -> tensor<4xf32> {
  %0 = "ml.sub"(%x, %row) : (tensor<4x64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
  %1 = "ml.square"(%0) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %2 = "ml.reduce_sum"(%1) {axes = array<i64: 1>, keep_dims = false} : (tensor<4x64xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
// CHECK-LABEL: @rows
// CHECK: linalg.generic {{.*}}"parallel", "reduction"{{.*}} ins(%arg0, %arg1 : tensor<4x64xf32>, tensor<64xf32>)
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
// CHECK: return

// Unchanged: two readers, a result that is also returned, and a reader that visits elements repeatedly. Nothing is computed twice.
func.func @apart(%x: tensor<4x64xf32>, %y: tensor<64xf32>) -> (tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x64xf32>, tensor<64xf32>) {
  %0 = "ml.exp"(%x) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %1 = "ml.square"(%0) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %2 = "ml.abs"(%0) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %3 = "ml.exp"(%y) : (tensor<64xf32>) -> tensor<64xf32>
  %4 = "ml.add"(%1, %3) : (tensor<4x64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
  %5 = "ml.exp"(%y) : (tensor<64xf32>) -> tensor<64xf32>
  %6 = "ml.square"(%5) : (tensor<64xf32>) -> tensor<64xf32>
  return %4, %2, %2, %6 : tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x64xf32>, tensor<64xf32>
}
// CHECK-LABEL: @apart
// CHECK-COUNT-5: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return

// Unchanged: a short broadcast row would break up the vectors of the next loop.
func.func @short(%x: tensor<9x3xf32>, %row: tensor<3xf32>) -> tensor<9x3xf32> {
  %0 = "ml.add"(%x, %row) : (tensor<9x3xf32>, tensor<3xf32>) -> tensor<9x3xf32>
  %1 = "ml.exp"(%0) : (tensor<9x3xf32>) -> tensor<9x3xf32>
  return %1 : tensor<9x3xf32>
}
// CHECK-LABEL: @short
// CHECK-COUNT-2: linalg.generic
// CHECK: return
// BITS: dense<{{\[\[}}0.000000e+00, 0.000000e+00], [0.311229676, 2.03546357], [0.000000e+00, 2.99347591]]> : tensor<3x2xf32>
