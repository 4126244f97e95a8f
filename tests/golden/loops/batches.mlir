// A batch runs in groups whose tensors stay in L2: a loop over parts of the arguments, which are bytes.
// RUN: quern opt %s --compile --config cpu=x86-64-v3 --explain 2>&1 | FileCheck %s
// CHECK: lower-to-loops: 12 batch elements run in groups of 6
// CHECK: func.func private @generic_0(%arg0: memref<98304xf32>, %arg1: memref<98304xf32>,
// CHECK: func.func @main(%arg0: memref<786432xi8>
// CHECK-SAME: quern.shape = array<i64: 12, 128, 128>
// CHECK: scf.for %[[I:.*]] = %c0 to %c2 step %c1 {
// CHECK-NEXT: %[[AT:.*]] = arith.muli %[[I]], %c393216 : index
// CHECK-NEXT: %[[X:.*]] = memref.view %arg0[%[[AT]]][] : memref<786432xi8> to memref<98304xf32>
// CHECK-NEXT: %[[Y:.*]] = memref.view %arg1[%[[AT]]][] : memref<786432xi8> to memref<98304xf32>
// CHECK-NEXT: "quern.launch"(%[[X]], %[[Y]],
// CHECK-NEXT: {{^ *}$}}
module {
  func.func @main(%x: tensor<12x128x128xf32>) -> tensor<12x128x128xf32> {
    %0 = "ml.tanh"(%x) : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    return %0 : tensor<12x128x128xf32>
  }
}
