// Loops for a target with 32-bit pointers state quern.index_bits, and buffers are aligned to its cache line. A tensor
// or an arena that exceeds 32-bit indices is an error at its location. With 64 bits it is lowered, up to 2 GiB.
// RUN: quern opt %s --lower-to-loops --config cpu=cortex-m3 | FileCheck %s
// RUN: quern opt %s --lower-to-loops --config cpu=generic | FileCheck %s --check-prefix=WIDE
// RUN: sed 's/3x5/30000x50000/g; s/5x3/50000x30000/g' %s | quern opt - --lower-to-loops --config cpu=cortex-m3 2>&1 | FileCheck %s --check-prefix=TENSOR
// RUN: sed 's/3x5/30000x20000/g; s/5x3/20000x30000/g' %s | quern opt - --lower-to-loops --config cpu=rv32imc 2>&1 | FileCheck %s --check-prefix=ARENA
// RUN: sed 's/3x5/30000x20000/g; s/5x3/20000x30000/g' %s | quern opt - --lower-to-loops --config cpu=generic | FileCheck %s --check-prefix=LARGE
// RUN: sed 's/3x5/30000x40000/g; s/5x3/40000x30000/g' %s | quern opt - --lower-to-loops --config cpu=generic 2>&1 | FileCheck %s --check-prefix=BUFFER
// CHECK: quern.arena_bytes = 31 : i64, quern.index_bits = 32 : i64, quern.target = "cortex-m3"
// CHECK: memref.view %{{.*}}[%c16][] : memref<31xi8> to memref<15xi8>
// WIDE-NOT: quern.index_bits
// WIDE: quern.arena_bytes = 79 : i64, quern.target = "generic"
// WIDE: memref.view %{{.*}}[%c64][] : memref<79xi8> to memref<15xi8>
// TENSOR: error: this tensor is too large
// ARENA: error: the arena needs 1200000000 bytes: code with an index of 32 bits (rv32imc) takes at most 1073741823
// LARGE: quern.arena_bytes = 1200000000 : i64
// BUFFER: error: the arena needs 2400000000 bytes; at most 2147483647 are supported: a smaller batch or smaller inputs need less
module {
  func.func @main(%x: tensor<3x5xi8>) -> tensor<3x5xi8> {
    %t = "ml.const"() {value = dense<1> : tensor<256xi8>} : () -> tensor<256xi8>
    %y = "ml.lut"(%x, %t) : (tensor<3x5xi8>, tensor<256xi8>) -> tensor<3x5xi8>
    %z = "ml.transpose"(%y) {perm = array<i64: 1, 0>} : (tensor<3x5xi8>) -> tensor<5x3xi8>
    %v = "ml.transpose"(%z) {perm = array<i64: 1, 0>} : (tensor<5x3xi8>) -> tensor<3x5xi8>
    return %v : tensor<3x5xi8>
  }
}
