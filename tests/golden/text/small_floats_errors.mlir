// The range of scales is that of the expressed type, whatever its format.
// RUN: quern opt --split-input-file --verify-diagnostics %s
// MLIR-OPT: none
// expected-error@+1 {{scale 5.000000e+02 out of expressed type range [1.953125e-03, 4.480000e+02]}}
func.func private @f(!quant.uniform<i8:f8E4M3FN, 500.0>)
// -----
// expected-error@+1 {{scale 4.000000e-01 out of expressed type range [5.000000e-01, 6.000000e+00]}}
func.func private @f(!quant.uniform<i8:f4E2M1FN, 0.4>)
// -----
// expected-error@+1 {{hexadecimal float constant out of range for attribute}}
func.func private @f() attributes {a = 0x40 : f6E2M3FN}
