// Chains in bands of rows: each band of the last op reads the rows that it needs, and only the first and the last band
// are padded above and below. What enters a chain and what other ops read is whole.
// RUN: quern opt %s --compute-in-bands="chains=0-1:2" | FileCheck %s
// RUN: quern opt %s --compute-in-bands="chains=0-1:2" --emit=interpret --input 1x4x1x1xi8=1,-2,3,4 | FileCheck %s --check-prefix BITS
// RUN: quern opt %s --emit=interpret --input 1x4x1x1xi8=1,-2,3,4 | FileCheck %s --check-prefix BITS
// RUN: quern opt %s --compute-in-bands="chains=0-2:2" 2>&1 | FileCheck %s --check-prefix WHOLE
// RUN: quern opt %s --compute-in-bands="chains=0-1:5" 2>&1 | FileCheck %s --check-prefix MANY
// RUN: quern opt %s --compute-in-bands="chains=0-1" 2>&1 | FileCheck %s --check-prefix LIST
// WHOLE: ops 0 to 2 are no chain that can be computed in bands of rows
// MANY: ops 0 to 1 can't be computed in 5 bands of rows
// LIST: chains are a list of at most 64 of FIRST-LAST:BANDS
!x = !quant.uniform<i8:f32, 0.5>

// CHECK: quern.bands = ["{{.*}} in 2 bands of 2 rows, which repeat 0.0 % of the multiply-accumulates"]
// CHECK: %0 = "ml.slice_by_index"(%arg0) {begin = array<i64: 0, 0, 0, 0>, end = array<i64: 1, 3, 1, 1>
// CHECK-NEXT: %1 = "ml.max_pool"(%0) {kernel_sizes = array<i64: 3, 1>, pad = array<i64: 1, 0, 0, 0>, strides = array<i64: 1, 1>}
// CHECK-SAME: tensor<1x2x1x1x
// CHECK-NEXT: %2 = "ml.relu"(%1)
// CHECK-NEXT: %3 = "ml.slice_by_index"(%arg0) {begin = array<i64: 0, 1, 0, 0>, end = array<i64: 1, 4, 1, 1>
// CHECK-NEXT: %4 = "ml.max_pool"(%3) {kernel_sizes = array<i64: 3, 1>, pad = array<i64: 0, 1, 0, 0>
// CHECK-NEXT: %5 = "ml.relu"(%4)
// CHECK-NEXT: %6 = "ml.concat"(%2, %5) {axis = 1 : i64}
// CHECK-NEXT: %7 = "ml.reshape"(%6)
// BITS: dense<[1, 3, 4, 4]>
func.func @main(%x: tensor<1x4x1x1x!x>) -> tensor<4x!x> {
  %0 = "ml.max_pool"(%x) {kernel_sizes = array<i64: 3, 1>, pad = array<i64: 1, 1, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x1x1x!x>) -> tensor<1x4x1x1x!x>
  %1 = "ml.relu"(%0) : (tensor<1x4x1x1x!x>) -> tensor<1x4x1x1x!x>
  %2 = "ml.reshape"(%1) : (tensor<1x4x1x1x!x>) -> tensor<4x!x>
  return %2 : tensor<4x!x>
}
