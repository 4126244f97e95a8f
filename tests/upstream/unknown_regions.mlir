// A region of an unknown op may be isolated: no value enters or leaves it, or passes between two regions.
// SAME: --allow-unregistered-dialect --cse --canonicalize
func.func @around() -> i32 {
  %0 = arith.constant 1 : i32
  "foo.region"() ({
    %1 = arith.constant 1 : i32
    "foo.yield"(%1) : (i32) -> ()
  }) : () -> ()
  return %0 : i32
}
func.func @two_regions(%c: i1) {
  "foo.region"() ({
    %0 = arith.constant 1 : i32
    "foo.yield"(%0) : (i32) -> ()
  }, {
    %0 = arith.constant 1 : i32
    "foo.yield"(%0) : (i32) -> ()
  }) : () -> ()
  return
}
func.func @between(%x: i32, %c: i1) -> i32 {
  %0 = arith.addi %x, %x : i32
  %2 = "foo.region"() ({
    %1 = scf.if %c -> (i32) {
      %a = arith.constant 7 : i32
      %b = arith.addi %x, %a : i32
      scf.yield %b : i32
    } else {
      %a = arith.constant 7 : i32
      %b = arith.muli %x, %a : i32
      scf.yield %b : i32
    }
    %d = arith.addi %x, %x : i32
    %e = arith.addi %x, %x : i32
    "foo.yield"(%1, %d, %e) : (i32, i32, i32) -> ()
  }) : () -> i32
  %3 = arith.addi %0, %2 : i32
  return %3 : i32
}
func.func @folded_inside() {
  "foo.region"() ({
    %0 = arith.constant 1 : i32
    %1 = arith.addi %0, %0 : i32
    "foo.use"(%1) : (i32) -> ()
  }, {
    %0 = arith.constant 2 : i32
    "foo.use"(%0) : (i32) -> ()
  }) : () -> ()
  return
}
