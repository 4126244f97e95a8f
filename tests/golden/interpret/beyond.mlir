// The interpreter reports a conversion whose result is undefined and does not compute it; CPUs may return any value.
// RUN: quern opt %s --emit=interpret --function up_to 2>&1 | FileCheck %s --check-prefix=FITS --match-full-lines
// RUN: quern opt %s --emit=interpret --function above 2>&1 | FileCheck %s --check-prefix=ABOVE
// RUN: quern opt %s --emit=interpret --function no_number 2>&1 | FileCheck %s --check-prefix=NAN
// RUN: quern opt %s --emit=interpret --function no_half 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: quern opt %s --emit=interpret --function left 2>&1 | FileCheck %s --check-prefix=LEFT
// FITS: dense<[1073741824, -1073741824]> : vector<2xi32>
func.func @up_to() -> vector<2xi32> {
  %x = arith.constant dense<[1.073741824e+09, -1.073741824e+09]> : vector<2xf32>
  %y = "quern.round_to_int"(%x) : (vector<2xf32>) -> vector<2xi32>
  return %y : vector<2xi32>
}
// ABOVE: error: 'quern.round_to_int' op rounds 1.07374e+09, which is beyond 2^30
func.func @above() -> vector<2xi32> {
  %x = arith.constant dense<[0.5, 1.073741952e+09]> : vector<2xf32>
  %y = "quern.round_to_int"(%x) : (vector<2xf32>) -> vector<2xi32>
  return %y : vector<2xi32>
}
// NAN: error: 'quern.round_to_int' op rounds nan, which is beyond 2^30
func.func @no_number() -> vector<1xi32> {
  %x = arith.constant dense<0x7FC00000> : vector<1xf32>
  %y = "quern.round_to_int"(%x) : (vector<1xf32>) -> vector<1xi32>
  return %y : vector<1xi32>
}
// HALF: error: 'quern.widen_half' op widens 0xFC01, which is a NaN
func.func @no_half() -> vector<2xf32> {
  %x = arith.constant dense<[31744, -1023]> : vector<2xi16>
  %y = "quern.widen_half"(%x) : (vector<2xi16>) -> vector<2xf32>
  return %y : vector<2xf32>
}
// LEFT: error: 'quern.rescale' op shifts by 0, not by -31 to -1
func.func @left() -> vector<2xi32> {
  %x = arith.constant dense<5> : vector<2xi32>
  %shift = arith.constant dense<[-1, 0]> : vector<2xi32>
  %y = "quern.rescale"(%x, %x, %shift) : (vector<2xi32>, vector<2xi32>, vector<2xi32>) -> vector<2xi32>
  return %y : vector<2xi32>
}
