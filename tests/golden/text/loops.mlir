// scf, memref and vector ops.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
memref.global "private" constant @table : memref<4xi32> = dense<[1, 2, 3, 4]> {alignment = 64 : i64}
memref.global @state : memref<16xi8> = uninitialized
memref.global "private" @elsewhere : memref<16xf32>
memref.global constant @zeros : memref<8xf32> = dense<0.0>
func.func @loops(%n: index, %arena: memref<1024xi8>, %flag: i1) -> i32 {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %sum = arith.constant 0 : i32
  %t = memref.get_global @table : memref<4xi32>
  %v = memref.view %arena[%0][] : memref<1024xi8> to memref<16xi32>
  %r:2 = scf.for %i = %0 to %n step %1 iter_args(%a = %sum, %b = %1) -> (i32, index) {
    %x = memref.load %t[%i] : memref<4xi32>
    %y = arith.addi %a, %x : i32
    scf.for %j = %0 to %i step %1 {
      memref.store %y, %v[%j] : memref<16xi32>
      scf.yield
    } {x.note}
    scf.yield %y, %i : i32, index
  }
  scf.for %k = %sum to %r#0 step %r#0 : i32 {
  }
  %s = scf.if %flag -> (i32) {
    scf.yield %r#0 : i32
  } else {
    %c = arith.constant 7 : i32
    scf.yield %c : i32
  }
  scf.if %flag {
    memref.store %s, %v[%0] {nontemporal = false} : memref<16xi32>
  }
  scf.if %flag {
  } else {
    memref.store %s, %v[%1] : memref<16xi32>
  }
  return %s : i32
}
func.func @vectors(%m: memref<64xi8>, %i: index, %x: i8) {
  %0 = vector.load %m[%i] : memref<64xi8>, vector<16xi8>
  %1 = vector.broadcast %x : i8 to vector<16xi8>
  %2 = vector.shuffle %0, %1 [0, 16, 1, 17] : vector<16xi8>, vector<16xi8>
  %3 = vector.bitcast %0 : vector<16xi8> to vector<4xi32>
  %4 = vector.extract %3[2] : i32 from vector<4xi32>
  %5 = vector.reduction <add>, %3 : vector<4xi32> into i32
  %6 = "vector.reduction"(%0) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<maxui>}> : (vector<16xi8>) -> i8
  vector.store %1, %m[%i] : memref<64xi8>, vector<16xi8>
  return
}

// CHECK:module {
// CHECK-NEXT:  memref.global "private" constant @table : memref<4xi32> = dense<[1, 2, 3, 4]> {alignment = 64 : i64}
// CHECK-NEXT:  memref.global @state : memref<16xi8> = uninitialized
// CHECK-NEXT:  memref.global "private" @elsewhere : memref<16xf32>
// CHECK-NEXT:  memref.global constant @zeros : memref<8xf32> = dense<0.000000e+00>
// CHECK-NEXT:  func.func @loops(%arg0: index, %arg1: memref<1024xi8>, %arg2: i1) -> i32 {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:    %0 = memref.get_global @table : memref<4xi32>
// CHECK-NEXT:    %1 = memref.view %arg1[%c0][] : memref<1024xi8> to memref<16xi32>
// CHECK-NEXT:    %2:2 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %c0_i32, %arg5 = %c1) -> (i32, index) {
// CHECK-NEXT:      %4 = memref.load %0[%arg3] : memref<4xi32>
// CHECK-NEXT:      %5 = arith.addi %arg4, %4 : i32
// CHECK-NEXT:      scf.for %arg6 = %c0 to %arg3 step %c1 {
// CHECK-NEXT:        memref.store %5, %1[%arg6] : memref<16xi32>
// CHECK-NEXT:      } {x.note}
// CHECK-NEXT:      scf.yield %5, %arg3 : i32, index
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.for %arg3 = %c0_i32 to %2#0 step %2#0 : i32 {
// CHECK-NEXT:    }
// CHECK-NEXT:    %3 = scf.if %arg2 -> (i32) {
// CHECK-NEXT:      scf.yield %2#0 : i32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:      scf.yield %c7_i32 : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.if %arg2 {
// CHECK-NEXT:      memref.store %3, %1[%c0] : memref<16xi32>
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.if %arg2 {
// CHECK-NEXT:    } else {
// CHECK-NEXT:      memref.store %3, %1[%c1] : memref<16xi32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %3 : i32
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @vectors(%arg0: memref<64xi8>, %arg1: index, %arg2: i8) {
// CHECK-NEXT:    %0 = vector.load %arg0[%arg1] : memref<64xi8>, vector<16xi8>
// CHECK-NEXT:    %1 = vector.broadcast %arg2 : i8 to vector<16xi8>
// CHECK-NEXT:    %2 = vector.shuffle %0, %1 [0, 16, 1, 17] : vector<16xi8>, vector<16xi8>
// CHECK-NEXT:    %3 = vector.bitcast %0 : vector<16xi8> to vector<4xi32>
// CHECK-NEXT:    %4 = vector.extract %3[2] : i32 from vector<4xi32>
// CHECK-NEXT:    %5 = vector.reduction <add>, %3 : vector<4xi32> into i32
// CHECK-NEXT:    %6 = vector.reduction <maxui>, %0 : vector<16xi8> into i8
// CHECK-NEXT:    vector.store %1, %arg0[%arg1] : memref<64xi8>, vector<16xi8>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}
