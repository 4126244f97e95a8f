// Equal ops in one block, in nested regions and after a branch; unused ops, alone and in chains.
// SAME: --cse
!q = !quant.uniform<i8:f32, 0.5:3>
func.func @casts(%x: tensor<4xf32>) -> (tensor<4x!q>, tensor<4x!q>) {
  %0 = quant.qcast %x : tensor<4xf32> to tensor<4x!q>
  %1 = quant.qcast %x : tensor<4xf32> to tensor<4x!q>
  return %0, %1 : tensor<4x!q>, tensor<4x!q>
}
func.func @unused(%x: tensor<4xf32>, %i: i32) {
  %0 = quant.qcast %x : tensor<4xf32> to tensor<4x!q>
  %1 = arith.constant dense<[1, 2]> : tensor<2xi8>
  %2 = arith.addi %i, %i : i32
  %3 = arith.muli %2, %2 : i32
  return
}
func.func @after_branch(%c: i1, %i: i32) -> i32 {
  %0 = arith.addi %i, %i : i32
  cf.cond_br %c, ^bb1, ^bb2(%0 : i32)
^bb1:
  %1 = arith.addi %i, %i : i32
  %2 = arith.muli %i, %1 : i32
  cf.br ^bb2(%2 : i32)
^bb2(%r: i32):
  %3 = arith.addi %i, %i : i32
  %4 = arith.muli %i, %3 : i32
  %5 = arith.addi %4, %r : i32
  return %5 : i32
}
func.func @nested(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant 2.0 : f32
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c0 = arith.constant 2.0 : f32
    %a = arith.mulf %in, %c0 : f32
    %b = arith.mulf %in, %c : f32
    %unused = arith.negf %in : f32
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
