// Identities, known sizes, pairs of casts, and the position of constants.
// SAME: --canonicalize
!q = !quant.uniform<i8:f32, 0.5:3>
!wide = !quant.uniform<i16:f32, 0.5:3>

// Sizes are computed from the op that created the tensor.
func.func @sizes(%x: tensor<3x?xf32>, %n: index, %m: index, %u: tensor<*xf32>, %i: i32, %s: tensor<1xindex>) -> (index, index, index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %static = tensor.dim %x, %c0 : tensor<3x?xf32>
  %dynamic = tensor.dim %x, %c1 : tensor<3x?xf32>
  %empty = tensor.empty(%n, %m) : tensor<?x4x?xf32>
  %c2 = arith.constant 2 : index
  %last = tensor.dim %empty, %c2 : tensor<?x4x?xf32>
  %middle = tensor.dim %empty, %c1 : tensor<?x4x?xf32>
  %shape = tensor.from_elements %n, %m : tensor<2xindex>
  %reshaped = tensor.reshape %u(%shape) : (tensor<*xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %element = tensor.dim %reshaped, %c1 : tensor<?x?xf32>
  %narrow = tensor.from_elements %i : tensor<1xi32>
  %from_narrow = tensor.reshape %u(%narrow) : (tensor<*xf32>, tensor<1xi32>) -> tensor<?xf32>
  %cast = tensor.dim %from_narrow, %c0 : tensor<?xf32>
  %unknown = tensor.reshape %u(%s) : (tensor<*xf32>, tensor<1xindex>) -> tensor<?xf32>
  %extracted = tensor.dim %unknown, %c0 : tensor<?xf32>
  return %static, %dynamic, %last, %middle, %element, %cast, %extracted : index, index, index, index, index, index, index
}

// The smallest and the largest value of a type.
func.func @limits(%a: i8, %b: tensor<2xi4>, %c: i1, %d: index) -> (i8, i8, i8, i8, tensor<2xi4>, tensor<2xi4>, i1, i1, index) {
  %least = arith.constant -128 : i8
  %ones = arith.constant -1 : i8
  %zero = arith.constant 0 : i8
  %0 = arith.maxsi %a, %least : i8
  %1 = arith.minsi %a, %least : i8
  %2 = arith.maxui %a, %ones : i8
  %3 = arith.minui %a, %zero : i8
  %seven = arith.constant dense<7> : tensor<2xi4>
  %all = arith.constant dense<-1> : tensor<2xi4>
  %4 = arith.minsi %b, %seven : tensor<2xi4>
  %5 = arith.minui %b, %all : tensor<2xi4>
  %true = arith.constant true
  %false = arith.constant false
  %6 = arith.maxsi %c, %true : i1
  %7 = arith.maxui %c, %false : i1
  %most = arith.constant 9223372036854775807 : index
  %8 = arith.minsi %d, %most : index
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : i8, i8, i8, i8, tensor<2xi4>, tensor<2xi4>, i1, i1, index
}

// Floats keep the sign of zero.
func.func @floats(%x: f32, %t: tensor<3xf16>) -> (f32, f32, f32, f32, f32, f32, tensor<3xf16>) {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %ones = arith.constant dense<1.0> : tensor<3xf16>
  %0 = arith.addf %x, %zero : f32
  %1 = arith.addf %x, %minus_zero : f32
  %2 = arith.subf %x, %zero : f32
  %3 = arith.subf %x, %minus_zero : f32
  %4 = arith.mulf %x, %one : f32
  %5 = arith.divf %x, %one : f32
  %6 = arith.mulf %t, %ones : tensor<3xf16>
  return %0, %1, %2, %3, %4, %5, %6 : f32, f32, f32, f32, f32, f32, tensor<3xf16>
}

// Constants: equal elements become a splat; the first constants stay, later ones are inserted before them.
func.func @constants(%x: i8) -> (tensor<4xi8>, i8, i8, f16, i16) {
  %kept = arith.constant dense<[5, 5, 5, 5]> : tensor<4xi8>
  %also = arith.constant 9 : i8
  %sum = arith.addi %kept, %kept : tensor<4xi8>
  %0 = arith.muli %x, %also : i8
  %later = arith.constant 11 : i8
  %1 = arith.muli %0, %later : i8
  %again = arith.constant 11 : i8
  %2 = arith.subi %1, %again : i8
  %half = arith.constant 0.5 : f16
  %quarter = arith.mulf %half, %half : f16
  %last = arith.constant 3 : i16
  return %sum, %1, %2, %quarter, %last : tensor<4xi8>, i8, i8, f16, i16
}

// Pairs of casts are removed if their types match.
func.func @pairs(%x: tensor<4xf32>, %q: tensor<4x!q>, %s: tensor<4xi8>) -> (tensor<4xf32>, tensor<4x!q>, tensor<4xi8>, tensor<4x!wide>) {
  %0 = quant.qcast %x : tensor<4xf32> to tensor<4x!q>
  %1 = quant.dcast %0 : tensor<4x!q> to tensor<4xf32>
  %2 = quant.dcast %q : tensor<4x!q> to tensor<4xf32>
  %3 = quant.qcast %2 : tensor<4xf32> to tensor<4x!q>
  %4 = quant.scast %s : tensor<4xi8> to tensor<4x!q>
  %5 = quant.scast %4 : tensor<4x!q> to tensor<4xi8>
  %6 = quant.qcast %2 : tensor<4xf32> to tensor<4x!wide>
  return %1, %3, %5, %6 : tensor<4xf32>, tensor<4x!q>, tensor<4xi8>, tensor<4x!wide>
}
