"builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg0: tensor<4xf32>):
    "linalg.generic"(%arg0) ({
    ^bb0(%in: f32):
      "linalg.yield"() : () -> ()
    }) {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 9>} : (tensor<4xf32>) -> ()
    "func.return"() : () -> ()
  }) {function_type = (tensor<4xf32>) -> (), sym_name = "main"} : () -> ()
}) : () -> ()
