// The tensor and shape dialects on static, dynamic and unranked shapes.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
func.func @sizes(%a: tensor<?x4xf32>, %u: tensor<*xf32>, %i: index) -> (index, index, index, index) {
  %d = tensor.dim %a, %i : tensor<?x4xf32>
  %e = tensor.dim {note} %u, %i : tensor<*xf32>
  %r = tensor.rank %u {note} : tensor<*xf32>
  %s = shape.shape_of %u : tensor<*xf32> -> tensor<?xindex>
  %t = shape.shape_of %a {note} : tensor<?x4xf32> -> tensor<2xindex>
  %n = shape.num_elements %s : tensor<?xindex> -> index
  %h:2 = "shape.split_at"(%s, %i) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  %head, %tail = "shape.split_at"(%h#1, %d) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  %m = shape.num_elements %tail : tensor<?xindex> -> index
  %c = shape.const_shape [1, 2] : tensor<2xindex>
  %z = shape.const_shape [] : tensor<0xindex>
  return %e, %r, %n, %m : index, index, index, index
}
func.func @make(%x: f32, %n: index) -> tensor<?x4x?xf32> {
  %0 = tensor.splat %x[%n, %n] : tensor<?x4x?xf32>
  %1 = tensor.splat %x {note} : tensor<4xf32>
  %2 = tensor.empty(%n) : tensor<?x4xi8>
  %3 = tensor.empty() {note} : tensor<4x!quant.uniform<i8:f32, 2.000000e+00>>
  %4 = tensor.from_elements %n, %n : tensor<2xindex>
  %5 = tensor.from_elements %x {note} : tensor<f32>
  %6 = tensor.from_elements : tensor<0xf32>
  %7 = tensor.extract %5[] : tensor<f32>
  %8 = tensor.extract %0[%n, %n, %n] {note} : tensor<?x4x?xf32>
  return %0 : tensor<?x4x?xf32>
}
func.func @recast(%u: tensor<*xf32>, %s: tensor<2xi32>) -> tensor<?x4xf32> {
  %0 = tensor.reshape %u(%s) : (tensor<*xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<?x4xf32>
  %2 = tensor.cast %0 {note} : tensor<?x?xf32> to tensor<*xf32>
  return %1 : tensor<?x4xf32>
}

// CHECK:module {
// CHECK-NEXT:  func.func @sizes(%arg0: tensor<?x4xf32>, %arg1: tensor<*xf32>, %arg2: index) -> (index, index, index, index) {
// CHECK-NEXT:    %dim = tensor.dim %arg0, %arg2 : tensor<?x4xf32>
// CHECK-NEXT:    %dim_0 = tensor.dim {note} %arg1, %arg2 : tensor<*xf32>
// CHECK-NEXT:    %rank = tensor.rank %arg1 {note} : tensor<*xf32>
// CHECK-NEXT:    %0 = shape.shape_of %arg1 : tensor<*xf32> -> tensor<?xindex>
// CHECK-NEXT:    %1 = shape.shape_of %arg0 {note} : tensor<?x4xf32> -> tensor<2xindex>
// CHECK-NEXT:    %2 = shape.num_elements %0 : tensor<?xindex> -> index
// CHECK-NEXT:    %head, %tail = "shape.split_at"(%0, %arg2) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
// CHECK-NEXT:    %head_1, %tail_2 = "shape.split_at"(%tail, %dim) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
// CHECK-NEXT:    %3 = shape.num_elements %tail_2 : tensor<?xindex> -> index
// CHECK-NEXT:    %4 = shape.const_shape [1, 2] : tensor<2xindex>
// CHECK-NEXT:    %5 = shape.const_shape [] : tensor<0xindex>
// CHECK-NEXT:    return %dim_0, %rank, %2, %3 : index, index, index, index
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @make(%arg0: f32, %arg1: index) -> tensor<?x4x?xf32> {
// CHECK-NEXT:    %splat = tensor.splat %arg0[%arg1, %arg1] : tensor<?x4x?xf32>
// CHECK-NEXT:    %splat_0 = tensor.splat %arg0 {note} : tensor<4xf32>
// CHECK-NEXT:    %0 = tensor.empty(%arg1) : tensor<?x4xi8>
// CHECK-NEXT:    %1 = tensor.empty() {note} : tensor<4x!quant.uniform<i8:f32, 2.000000e+00>>
// CHECK-NEXT:    %from_elements = tensor.from_elements %arg1, %arg1 : tensor<2xindex>
// CHECK-NEXT:    %from_elements_1 = tensor.from_elements %arg0 {note} : tensor<f32>
// CHECK-NEXT:    %from_elements_2 = tensor.from_elements  : tensor<0xf32>
// CHECK-NEXT:    %extracted = tensor.extract %from_elements_1[] : tensor<f32>
// CHECK-NEXT:    %extracted_3 = tensor.extract %splat[%arg1, %arg1, %arg1] {note} : tensor<?x4x?xf32>
// CHECK-NEXT:    return %splat : tensor<?x4x?xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @recast(%arg0: tensor<*xf32>, %arg1: tensor<2xi32>) -> tensor<?x4xf32> {
// CHECK-NEXT:    %reshape = tensor.reshape %arg0(%arg1) : (tensor<*xf32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK-NEXT:    %cast = tensor.cast %reshape : tensor<?x?xf32> to tensor<?x4xf32>
// CHECK-NEXT:    %cast_0 = tensor.cast %reshape {note} : tensor<?x?xf32> to tensor<*xf32>
// CHECK-NEXT:    return %cast : tensor<?x4xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
