// Constants with equal bits are merged if type and block are equal, too. The threshold counts elements.
// RUN: quern opt %s --const-deduplication=const_threshold=2 | FileCheck %s
// RUN: quern opt %s --const-deduplication | FileCheck %s --check-prefix=LARGE

// CHECK-LABEL: func.func @same
// CHECK-COUNT-1: ml.const
// CHECK-NOT: ml.const
// CHECK: return %[[C:.*]], %[[C]]
// LARGE-LABEL: func.func @same
// LARGE-COUNT-2: ml.const
func.func @same() -> (tensor<2xf32>, tensor<2xf32>) {
  %a = "ml.const"() {value = dense<[1.0, 0x7FC00001]> : tensor<2xf32>} : () -> tensor<2xf32>
  %b = "ml.const"() {value = dense<[1.0, 0x7FC00001]> : tensor<2xf32>} : () -> tensor<2xf32>
  return %a, %b : tensor<2xf32>, tensor<2xf32>
}
// LARGE-LABEL: func.func @large
// LARGE-COUNT-1: ml.const
// LARGE-NOT: ml.const
// LARGE: return
func.func @large() -> (tensor<100xf32>, tensor<100xf32>) {
  %a = "ml.const"() {value = dense<1.0> : tensor<100xf32>} : () -> tensor<100xf32>
  %b = "ml.const"() {value = dense<1.0> : tensor<100xf32>} : () -> tensor<100xf32>
  return %a, %b : tensor<100xf32>, tensor<100xf32>
}
// Not merged: values that differ in the last bit or in the sign of zero.
// CHECK-LABEL: func.func @bits
// CHECK-COUNT-4: ml.const
func.func @bits() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = "ml.const"() {value = dense<0x3F800000> : tensor<2xf32>} : () -> tensor<2xf32>
  %b = "ml.const"() {value = dense<0x3F800001> : tensor<2xf32>} : () -> tensor<2xf32>
  %c = "ml.const"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %d = "ml.const"() {value = dense<-0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  return %a, %b, %c, %d : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
// CHECK-LABEL: func.func @types
// CHECK-COUNT-2: ml.const
func.func @types() -> (tensor<2x1xf32>, tensor<2xf32>) {
  %a = "ml.const"() {value = dense<1.0> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
  %b = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  return %a, %b : tensor<2x1xf32>, tensor<2xf32>
}
// CHECK-LABEL: func.func @scales
// CHECK-COUNT-2: ml.const
func.func @scales() -> (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  %a = "ml.const"() {value = dense<1> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %b = "ml.const"() {value = dense<1> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return %a, %b : tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.25>>
}
// CHECK-LABEL: func.func @one_element
// CHECK-COUNT-2: ml.const
func.func @one_element() -> (tensor<1xf32>, tensor<1xf32>) {
  %a = "ml.const"() {value = dense<1.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %b = "ml.const"() {value = dense<1.0> : tensor<1xf32>} : () -> tensor<1xf32>
  return %a, %b : tensor<1xf32>, tensor<1xf32>
}
// CHECK-LABEL: func.func @branches
// CHECK-COUNT-2: ml.const
func.func @branches(%c: i1) -> tensor<2xf32> {
  %r = scf.if %c -> (tensor<2xf32>) {
    %a = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
    scf.yield %a : tensor<2xf32>
  } else {
    %b = "ml.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
    scf.yield %b : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}
// Compressed constants are merged if they read one constant, or equal constants.
// CHECK-LABEL: func.func @compressed
// CHECK: %[[D:.*]] = quant.dcast
// CHECK-NEXT: return %[[D]], %[[D]]
func.func @compressed() -> (tensor<2xf32>, tensor<2xf32>) {
  %a = "ml.const"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %b = "ml.const"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %0 = quant.dcast %a : tensor<2x!quant.uniform<i8:f32, 0.5>> to tensor<2xf32>
  %1 = quant.dcast %b : tensor<2x!quant.uniform<i8:f32, 0.5>> to tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
// CHECK-LABEL: func.func @halves
// CHECK: %[[D:.*]] = "ml.cast"
// CHECK-NEXT: return %[[D]], %[[D]]
func.func @halves() -> (tensor<2xf32>, tensor<2xf32>) {
  %a = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf16>} : () -> tensor<2xf16>
  %0 = "ml.cast"(%a) : (tensor<2xf16>) -> tensor<2xf32>
  %1 = "ml.cast"(%a) : (tensor<2xf16>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
// Not merged: other scales, and casts of values that are not constant (cse merges these).
// CHECK-LABEL: func.func @no_compressed
// CHECK-COUNT-4: quant.dcast
func.func @no_compressed(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = "ml.const"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %b = "ml.const"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  %0 = quant.dcast %a : tensor<2x!quant.uniform<i8:f32, 0.5>> to tensor<2xf32>
  %1 = quant.dcast %b : tensor<2x!quant.uniform<i8:f32, 0.25>> to tensor<2xf32>
  %2 = quant.dcast %x : tensor<2x!quant.uniform<i8:f32, 0.5>> to tensor<2xf32>
  %3 = quant.dcast %x : tensor<2x!quant.uniform<i8:f32, 0.5>> to tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
