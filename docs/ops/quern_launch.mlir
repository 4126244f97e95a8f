// Calls of kernels. Its memory is the caller's, so that it is read, not run. Each chunk is the example of an op in
// docs/dialects.md, which scripts/generated puts there; tests/documents/examples.sh runs it.
// SPDX-License-Identifier: Apache-2.0
// quern.launch
memref.global "private" constant @in : memref<8xi8> = dense<[1, 2, 3, 4, 5, 6, 7, 8]>
func.func private @twice(%in: memref<8xi8>, %out: memref<8xi8>, %from: index, %to: index) {
  %step = arith.constant 1 : index
  scf.for %i = %from to %to step %step {
    %x = memref.load %in[%i] : memref<8xi8>
    %y = arith.addi %x, %x : i8
    memref.store %y, %out[%i] : memref<8xi8>
  }
  return
}
func.func @main(%out: memref<8xi8>) {
  %in = memref.get_global @in : memref<8xi8>
  %units = arith.constant 8 : index
  "quern.launch"(%in, %out, %units) {kernel = @twice} : (memref<8xi8>, memref<8xi8>, index) -> ()
  return
}
