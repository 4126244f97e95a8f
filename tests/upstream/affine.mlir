// Maps are simplified when read, and printed with as few signs and parentheses as upstream.
// SAME: --mlir-print-local-scope
func.func @signs() attributes {
  minus = affine_map<(d0, d1) -> (d1 * -1, -d0 + d1, d0 - d1, 7 - d0)>,
  negative_factor = affine_map<(d0, d1) -> (d0 * -2, d0 - d1 * 3, d0 * -2 + d1 * -1, d0 * 4 - 9)>,
  of_a_sum = affine_map<(d0, d1) -> (-(d0 + d1), d0 - (d1 + 3), d0 - (d1 + 3) * 5, (d0 - d1) * -1)>,
  of_a_quotient = affine_map<(d0, d1) -> (-(d0 floordiv 3), d0 - d1 floordiv 3, d0 - d1 mod 3, -d0 mod 3)>,
  twice = affine_map<(d0) -> (-(-d0), d0 - (-4), d0 - 4 - 5)>,
  extreme = affine_map<(d0) -> (d0 - 9223372036854775807, d0 * -9223372036854775807)>
} { return }
func.func @order() attributes {
  dims = affine_map<(d0, d1, d2) -> (d1 + d0, d2 + d1 + d0, d1 * 2 + d0, d1 mod 2 + d0)>,
  symbols = affine_map<(d0)[s0, s1] -> (s1 + s0, s1 * s0, s0 + d0, s0 * d0, s0 * 2 + d0 + s1)>,
  numbers = affine_map<(d0, d1)[s0] -> (2 + d0, 3 * d0, 1 + d0 + 2 + d1, (d0 + 5) + s0, d0 * 2 * s0)>,
  symbolic_factor = affine_map<(d0, d1)[s0] -> ((s0 + 1) * (d0 + d1), d0 floordiv (s0 * 2), d0 mod (s0 + 1))>,
  nested = affine_map<(d0, d1)[s0] -> (d0 + (d1 + 2), d0 + (d1 + s0), d0 + (d1 - s0))>
} { return }
func.func @terms() attributes {
  equal = affine_map<(d0, d1) -> (d0 + d0, d0 * 3 + d0, d0 * 3 - d0 * 3, (d0 + d1) * 2 + (d0 + d1))>,
  factors = affine_map<(d0)[s0] -> (d0 * 2 * 3, (d0 * 2) * -1, d0 * s0 * 3)>,
  neutral = affine_map<(d0) -> (d0 + 0, d0 * 1, d0 * 0, d0 floordiv 1, d0 ceildiv 1, d0 mod 1)>,
  constants = affine_map<() -> (3 + 4, -7 floordiv 2, -7 ceildiv 2, -7 mod 3, 2 * -3)>
} { return }
func.func @divisions() attributes {
  multiples = affine_map<(d0) -> ((d0 * 8) floordiv 4, (d0 * 8) ceildiv 4, (d0 * 8) mod 4, (d0 * 3) mod 4)>,
  sums = affine_map<(d0, d1) -> ((d0 * 4 + d1) floordiv 4, (d0 * 4 + d1) mod 4, (d0 * 4 + 8) floordiv 4, (d0 * 4 + d1) ceildiv 4)>,
  repeated = affine_map<(d0) -> ((d0 mod 12) mod 4, (d0 mod 4) mod 12, (d0 floordiv 2) floordiv 3)>,
  remainder = affine_map<(d0, d1)[s0] -> (d0 - (d0 floordiv 4) * 4, d0 - (d0 floordiv s0) * s0, d0 * 4 + d1 - (d1 floordiv 4) * 4)>,
  known = affine_map<(d0, d1) -> (((d0 * 8) mod 12) mod 4, (d0 * 8 + d1 * 12) mod 4, (d0 * 6) floordiv 4)>
} { return }
