// What upstream has no op for. Each chunk is the example of an op in
// docs/dialects.md, which scripts/generated puts there; tests/documents/examples.sh runs it.
// SPDX-License-Identifier: Apache-2.0
// quern.dot
func.func @main() -> vector<2xi32> {
  %acc = arith.constant dense<[100, 200]> : vector<2xi32>
  %a = arith.constant dense<[1, 2, 3, -1, 5, 6, 7, 8]> : vector<8xi8>
  %b = arith.constant dense<[1, -1, 1, 1, 2, 2, 2, 2]> : vector<8xi8>
  %y = "quern.dot"(%acc, %a, %b) {a_unsigned = true} : (vector<2xi32>, vector<8xi8>, vector<8xi8>) -> vector<2xi32>
  return %y : vector<2xi32>
}
// => dense<[357, 252]> : vector<2xi32>
// -----
// quern.dot_blocks
func.func @main() -> vector<4xi32> {
  %acc = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %a = arith.constant dense<[1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2]> : vector<16xi8>
  %b = arith.constant dense<[1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, -3]> : vector<16xi8>
  %y = "quern.dot_blocks"(%acc, %a, %b) {a_unsigned = false} : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  return %y : vector<4xi32>
}
// => dense<[9, 20, 19, 40]> : vector<4xi32>
// -----
// quern.dot_joined
func.func @main() -> vector<2xi32> {
  %acc = arith.constant dense<[1, 2]> : vector<2xi32>
  %a = arith.constant dense<[1, 2, 3, 4, 1, 2, 3, 4]> : vector<8xi8>
  %b = arith.constant dense<[5, 1, 6, 0, -1, -1, 8, 0]> : vector<8xi8>
  %y = "quern.dot_joined"(%acc, %a, %b) {a_unsigned = false} : (vector<2xi32>, vector<8xi8>, vector<8xi8>) -> vector<2xi32>
  return %y : vector<2xi32>
}
// => dense<[310, 55]> : vector<2xi32>
// -----
// quern.madd_u8s8
func.func @main() -> vector<2xi16> {
  %a = arith.constant dense<[1, 2, -1, -1]> : vector<4xi8>
  %b = arith.constant dense<[1, -1, 127, 127]> : vector<4xi8>
  %y = "quern.madd_u8s8"(%a, %b) : (vector<4xi8>, vector<4xi8>) -> vector<2xi16>
  return %y : vector<2xi16>
}
// => dense<[-1, 32767]> : vector<2xi16>
// -----
// quern.madd_s16
func.func @main() -> vector<2xi32> {
  %a = arith.constant dense<[1, 2, 300, -300]> : vector<4xi16>
  %b = arith.constant dense<[1, -1, 300, 300]> : vector<4xi16>
  %y = "quern.madd_s16"(%a, %b) : (vector<4xi16>, vector<4xi16>) -> vector<2xi32>
  return %y : vector<2xi32>
}
// => dense<[-1, 0]> : vector<2xi32>
// -----
// quern.pack
func.func @main() -> vector<8xi16> {
  %a = arith.constant dense<[1, 2, 70000, -70000]> : vector<4xi32>
  %b = arith.constant dense<[5, 6, 7, 8]> : vector<4xi32>
  %y = "quern.pack"(%a, %b) {to_unsigned = false} : (vector<4xi32>, vector<4xi32>) -> vector<8xi16>
  return %y : vector<8xi16>
}
// => dense<[1, 2, 32767, -32768, 5, 6, 7, 8]> : vector<8xi16>
// -----
// quern.round_to_int
func.func @main() -> vector<4xi32> {
  %x = arith.constant dense<[0.5, 1.5, -2.5, 1.0e+09]> : vector<4xf32>
  %y = "quern.round_to_int"(%x) : (vector<4xf32>) -> vector<4xi32>
  return %y : vector<4xi32>
}
// => dense<[0, 2, -2, 1000000000]> : vector<4xi32>
// -----
// quern.widen_half
func.func @main() -> vector<4xf32> {
  %x = arith.constant dense<[15360, -16384, 1, 31744]> : vector<4xi16>
  %y = "quern.widen_half"(%x) : (vector<4xi16>) -> vector<4xf32>
  return %y : vector<4xf32>
}
// => dense<[1.000000e+00, -2.000000e+00, 5.96046448E-8, 0x7F800000]> : vector<4xf32>
// -----
// quern.shuffle
func.func @main() -> vector<16xi8> {
  %a = arith.constant dense<[10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]> : vector<16xi8>
  %index = arith.constant dense<[3, 2, 1, 0, 4, 4, 4, 4, 16, -1, 10, 11, 12, 13, 14, 15]> : vector<16xi8>
  %y = "quern.shuffle"(%a, %index) : (vector<16xi8>, vector<16xi8>) -> vector<16xi8>
  return %y : vector<16xi8>
}
// => dense<[13, 12, 11, 10, 14, 14, 14, 14, 10, 0, 20, 21, 22, 23, 24, 25]> : vector<16xi8>
// -----
// quern.rescale
func.func @main() -> vector<4xi32> {
  %x = arith.constant dense<[6, -6, 5, 100]> : vector<4xi32>
  %mantissa = arith.constant dense<1073741824> : vector<4xi32>
  %shift = arith.constant dense<[-1, -1, -1, -2]> : vector<4xi32>
  %y = "quern.rescale"(%x, %mantissa, %shift) : (vector<4xi32>, vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  return %y : vector<4xi32>
}
// => dense<[2, -2, 2, 13]> : vector<4xi32>
// -----
// quern.lookup
memref.global "private" constant @table : memref<256xi8> = dense<"0xFFFEFDFCFBFAF9F8F7F6F5F4F3F2F1F0EFEEEDECEBEAE9E8E7E6E5E4E3E2E1E0DFDEDDDCDBDAD9D8D7D6D5D4D3D2D1D0CFCECDCCCBCAC9C8C7C6C5C4C3C2C1C0BFBEBDBCBBBAB9B8B7B6B5B4B3B2B1B0AFAEADACABAAA9A8A7A6A5A4A3A2A1A09F9E9D9C9B9A999897969594939291908F8E8D8C8B8A898887868584838281807F7E7D7C7B7A797877767574737271706F6E6D6C6B6A696867666564636261605F5E5D5C5B5A595857565554535251504F4E4D4C4B4A494847464544434241403F3E3D3C3B3A393837363534333231302F2E2D2C2B2A292827262524232221201F1E1D1C1B1A191817161514131211100F0E0D0C0B0A09080706050403020100">
func.func @main() -> vector<4xi8> {
  %table = memref.get_global @table : memref<256xi8>
  %x = arith.constant dense<[0, 1, -1, 127]> : vector<4xi8>
  %y = "quern.lookup"(%table, %x) : (memref<256xi8>, vector<4xi8>) -> vector<4xi8>
  return %y : vector<4xi8>
}
// => dense<[-1, -2, 0, -128]> : vector<4xi8>
// -----
// quern.gather
memref.global "private" constant @table : memref<4xi32> = dense<[10, 20, 30, 40]>
func.func @main() -> vector<4xi32> {
  %table = memref.get_global @table : memref<4xi32>
  %x = arith.constant dense<[3, 0, 0, 1]> : vector<4xi32>
  %y = "quern.gather"(%table, %x) : (memref<4xi32>, vector<4xi32>) -> vector<4xi32>
  return %y : vector<4xi32>
}
// => dense<[40, 10, 10, 20]> : vector<4xi32>
// -----
// quern.prefetch
memref.global "private" constant @table : memref<4xi32> = dense<[10, 20, 30, 40]>
func.func @main() -> i32 {
  %table = memref.get_global @table : memref<4xi32>
  %behind = arith.constant 1000 : index
  "quern.prefetch"(%table, %behind) : (memref<4xi32>, index) -> ()
  %i = arith.constant 2 : index
  %y = memref.load %table[%i] : memref<4xi32>
  return %y : i32
}
// => 30 : i32
// -----
// quern.reload
memref.global "private" constant @table : memref<4xi32> = dense<[10, 20, 30, 40]>
func.func @main() -> vector<2xi32> {
  %table = memref.get_global @table : memref<4xi32>
  %i = arith.constant 1 : index
  %y = "quern.reload"(%table, %i) : (memref<4xi32>, index) -> vector<2xi32>
  return %y : vector<2xi32>
}
// => dense<[20, 30]> : vector<2xi32>
// -----
// quern.boundary
memref.global "private" constant @table : memref<4xi32> = dense<[10, 20, 30, 40]>
func.func @main() -> i32 {
  %table = memref.get_global @table : memref<4xi32>
  "quern.boundary"() : () -> ()
  %i = arith.constant 1 : index
  %y = memref.load %table[%i] : memref<4xi32>
  return %y : i32
}
// => 20 : i32
// -----
// quern.scratch
func.func @main() -> i32 {
  %m = "quern.scratch"() : () -> memref<4xi32>
  %i = arith.constant 2 : index
  %x = arith.constant 7 : i32
  memref.store %x, %m[%i] : memref<4xi32>
  %y = memref.load %m[%i] : memref<4xi32>
  return %y : i32
}
// => 7 : i32
// -----
// quern.tile_load
memref.global "private" constant @rows : memref<12xi8> = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]>
func.func @main() -> vector<8xi8> {
  %m = memref.get_global @rows : memref<12xi8>
  %i = arith.constant 1 : index
  %y = "quern.tile_load"(%m, %i) {rows = 2, row_stride = 6} : (memref<12xi8>, index) -> vector<8xi8>
  return %y : vector<8xi8>
}
// => dense<[1, 2, 3, 4, 7, 8, 9, 10]> : vector<8xi8>
// -----
// quern.tile_dot
func.func @main() -> vector<16xi32> {
  %acc = arith.constant dense<1000> : vector<16xi32>
  %a = arith.constant dense<[1, 0, -1, 2]> : vector<4xi8>
  %b = arith.constant dense<[0, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 3, 1, 1, 1, 4, 1, 1, 1, 5, 1, 1, 1, 6, 1, 1, 1, 7, 1, 1, 1, 8, 1, 1, 1, 9, 1, 1, 1, 10, 1, 1, 1, 11, 1, 1, 1, 12, 1, 1, 1, 13, 1, 1, 1, 14, 1, 1, 1, 15, 1, 1, 1]> : vector<64xi8>
  %y = "quern.tile_dot"(%acc, %a, %b) {a_unsigned = true} : (vector<16xi32>, vector<4xi8>, vector<64xi8>) -> vector<16xi32>
  return %y : vector<16xi32>
}
// => dense<[1257, 1258, 1259, 1260, 1261, 1262, 1263, 1264, 1265, 1266, 1267, 1268, 1269, 1270, 1271, 1272]> : vector<16xi32>
// -----
// quern.tile_store
func.func @main() -> vector<4xi32> {
  %m = "quern.scratch"() : () -> memref<40xi32>
  %zero = arith.constant 0 : index
  %at = arith.constant 36 : index
  %x = arith.constant dense<5> : vector<32xi32>
  %y = arith.constant dense<6> : vector<2xi32>
  "quern.tile_store"(%x, %m, %zero) {row_stride = 20} : (vector<32xi32>, memref<40xi32>, index) -> ()
  vector.store %y, %m[%at] : memref<40xi32>, vector<2xi32>
  %from = arith.constant 34 : index
  %z = vector.load %m[%from] : memref<40xi32>, vector<4xi32>
  return %z : vector<4xi32>
}
// => dense<[5, 5, 6, 6]> : vector<4xi32>
