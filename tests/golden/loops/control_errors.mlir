// Ops that are unsupported in branches and loops of machine code are all reported in one run, each at its location.
// RUN: quern opt %s --lower-to-loops 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: ! quern opt %s --lower-to-loops 2>/dev/null
// MLIR-OPT: accepts
#map = affine_map<(d0) -> (d0)>
module {
  func.func @main(%n: tensor<1xi32>, %x: tensor<4xf32>) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c9 = arith.constant 9 : index
    // CHECK: [[#@LINE+1]]:{{.*}}error: an index is outside of the tensor
    %m = tensor.extract %n[%c9] : tensor<1xi32>
    %k = tensor.extract %n[%c0] : tensor<1xi32>
    %i = arith.index_cast %k : i32 to index
    // CHECK: [[#@LINE+1]]:{{.*}}error: an index into a tensor must be a constant
    %e = tensor.extract %x[%i] : tensor<4xf32>
    %b = arith.cmpi slt, %i, %c1 : index
    // CHECK: [[#@LINE+1]]:{{.*}}error: the step of a loop must be a constant above 0
    %0 = scf.for %j = %c0 to %c9 step %i iter_args(%a = %x) -> (tensor<4xf32>) {
      scf.yield %a : tensor<4xf32>
    }
    // CHECK: [[#@LINE+1]]:{{.*}}error: a loop with another step than 1 needs a constant upper bound that it can't wrap beyond
    %1 = scf.for %j = %c0 to %i step %c2 iter_args(%a = %0) -> (tensor<4xf32>) {
      // CHECK: [[#@LINE+1]]:{{.*}}error: scalar operands can't be lowered to loops
      %s = arith.select %b, %a, %x : tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    }
    // CHECK: [[#@LINE+2]]:{{.*}}error: a kernel can't read what is computed outside of its body
    %z = tensor.empty() : tensor<1xi32>
    %g = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%n : tensor<1xi32>) outs(%z : tensor<1xi32>) {
    ^bb0(%in: i32, %out: i32):
      %p = arith.muli %in, %k : i32
      linalg.yield %p : i32
    } -> tensor<1xi32>
    return %1 : tensor<4xf32>
  }
}
