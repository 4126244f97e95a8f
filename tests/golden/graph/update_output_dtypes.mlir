// Results get other element types; types that stay, and results that can't change.
// RUN: quern opt %s --split-input-file --update-output-dtypes=types=-,f16 | FileCheck %s
// RUN: quern opt %s --split-input-file --update-output-dtypes=types=-,f16 --update-output-dtypes=types=-,f16 | FileCheck %s
// RUN: quern opt %s --split-input-file --update-output-dtypes | FileCheck %s --check-prefix=UNSAID
// RUN: quern opt %s --split-input-file --update-output-dtypes=types=i32,f16 2>&1 | FileCheck %s --check-prefix=WARNED
// RUN: quern opt %s --split-input-file --update-output-dtypes=types=f33 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: quern opt %s --split-input-file --update-output-dtypes=types=-,-,f16 2>&1 | FileCheck %s --check-prefix=COUNT
// UNSAID-NOT: ml.cast
// WARNED: warning: result 0 is an argument and keeps its type
// WORD: error: 'f33' is no element type
// COUNT: error: there is no result 2 that could be 'f16'

// CHECK-LABEL: func.func @second(
// CHECK-SAME: -> (tensor<4xf32>, tensor<4xf16> {quern.name = "y"})
// CHECK: [[C:%.*]] = "ml.cast"{{.*}} : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT: return {{.*}}, [[C]] : tensor<4xf32>, tensor<4xf16>
func.func @second(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32> {quern.name = "y"}) {
  %a = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "ml.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
// -----
// CHECK-LABEL: func.func @argument(
// CHECK-NEXT: "ml.relu"
// CHECK-NEXT: return {{.*}} : tensor<4xf32>, tensor<4xf32>
func.func @argument(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}
// -----
// CHECK-LABEL: func.func @has_it(
// CHECK-NEXT: "ml.relu"
// CHECK-NEXT: return
func.func @has_it(%x: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>) {
  %a = "ml.relu"(%x) : (tensor<4xf16>) -> tensor<4xf16>
  return %x, %a : tensor<4xf16>, tensor<4xf16>
}
// -----
// There is no main function here.
// CHECK-LABEL: func.func @one_3(
// CHECK-NOT: ml.cast
// CHECK-LABEL: func.func @two_3(
// CHECK-NOT: ml.cast
func.func @one_3(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %a, %a : tensor<4xf32>, tensor<4xf32>
}
func.func @two_3(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "ml.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %a, %a : tensor<4xf32>, tensor<4xf32>
}
