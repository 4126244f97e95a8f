"builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg1: i1):
    "cf.cond_br"(%arg1)[^bb1, ^bb2] {operandSegmentSizes = array<i64: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    "func.return"() : () -> ()
  ^bb2:
    "func.return"() : () -> ()
  }) {function_type = (i1) -> (), sym_name = "f"} : () -> ()
}) : () -> ()
