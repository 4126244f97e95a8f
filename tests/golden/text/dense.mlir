// Dense elements: lists, splats, hexadecimal, every element type.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
"t.ints"() {a = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>, b = dense<-1> : tensor<3xi8>, c = dense<[255, 0]> : tensor<2xi8>,
            d = dense<[255, 0]> : tensor<2xui8>, e = dense<5> : tensor<i64>, f = dense<[-9223372036854775808, 0xFF]> : tensor<2xi64>,
            g = dense<[-8, 7]> : tensor<2xi4>, h = dense<[3, 4]> : tensor<2xindex>, i = dense<> : tensor<0xi32>,
            j = dense<7> : tensor<0x2xi8>, k = dense<[[]]> : tensor<1x0xi8>} : () -> ()
"t.bools"() {a = dense<[true, false, 1, 0]> : tensor<4xi1>, b = dense<true> : vector<3xi1>, c = dense<"0x05"> : tensor<8xi1>} : () -> ()
"t.floats"() {a = dense<[1.0, -2.5, 0x7F800000]> : tensor<3xf32>, b = dense<0.1> : tensor<2xf16>, c = dense<[1.0e10]> : tensor<1xbf16>,
              d = dense<[0.1, 1234567.0]> : tensor<2xf64>} : () -> ()
"t.hex"() {a = dense<"0x0102030405060708"> : tensor<2x2xi16>, b = dense<"0x0000803F"> : tensor<3xf32>, c = dense<"0xfF00"> : vector<2xui8>} : () -> ()
"t.nothing"() {a = dense<"0x0000803F"> : tensor<0xf32>, b = dense<"0x"> : tensor<2x0xi8>, c = dense<"0x"> : tensor<0xi1>, d = dense<"0xFF"> : tensor<0xi1>} : () -> ()
"t.lone_bytes"() {a = dense<"0xFF"> : tensor<16xi1>, b = dense<"0x00"> : tensor<3xi1>} : () -> ()

// CHECK:module {
// CHECK-NEXT{LITERAL}:  "t.ints"() {a = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>, b = dense<-1> : tensor<3xi8>, c = dense<[-1, 0]> : tensor<2xi8>, d = dense<[255, 0]> : tensor<2xui8>, e = dense<5> : tensor<i64>, f = dense<[-9223372036854775808, 255]> : tensor<2xi64>, g = dense<[-8, 7]> : tensor<2xi4>, h = dense<[3, 4]> : tensor<2xindex>, i = dense<> : tensor<0xi32>, j = dense<> : tensor<0x2xi8>, k = dense<> : tensor<1x0xi8>} : () -> ()
// CHECK-NEXT:  "t.bools"() {a = dense<[true, false, true, false]> : tensor<4xi1>, b = dense<true> : vector<3xi1>, c = dense<[true, false, true, false, false, false, false, false]> : tensor<8xi1>} : () -> ()
// CHECK-NEXT:  "t.floats"() {a = dense<[1.000000e+00, -2.500000e+00, 0x7F800000]> : tensor<3xf32>, b = dense<9.997550e-02> : tensor<2xf16>, c = dense<9.999220e+09> : tensor<1xbf16>, d = dense<[1.000000e-01, 0x4132D68700000000]> : tensor<2xf64>} : () -> ()
// CHECK-NEXT{LITERAL}:  "t.hex"() {a = dense<[[513, 1027], [1541, 2055]]> : tensor<2x2xi16>, b = dense<1.000000e+00> : tensor<3xf32>, c = dense<[255, 0]> : vector<2xui8>} : () -> ()
// CHECK-NEXT:  "t.nothing"() {a = dense<> : tensor<0xf32>, b = dense<> : tensor<2x0xi8>, c = dense<> : tensor<0xi1>, d = dense<> : tensor<0xi1>} : () -> ()
// CHECK-NEXT:  "t.lone_bytes"() {a = dense<true> : tensor<16xi1>, b = dense<false> : tensor<3xi1>} : () -> ()
// CHECK-NEXT:}
