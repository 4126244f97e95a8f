// Every op of the arith and math dialects, custom and generic form.
// RUN: quern opt --allow-unregistered-dialect %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %opt --allow-unregistered-dialect --round-trip %s >/dev/null
func.func @constants() {
  %0 = arith.constant 4 : index
  %1 = arith.constant 4 : index
  %2 = arith.constant -1 : i32
  %3 = arith.constant 255 : i8
  %4 = arith.constant true
  %5 = arith.constant false
  %6 = arith.constant 1.0e-3 : f32
  %7 = arith.constant dense<[1, 2]> : vector<2xi16>
  %8 = arith.constant {x.tag} dense<0.0> : tensor<3xf32>
  %9 = "arith.constant"() <{value = 2 : i64}> : () -> i64
  return
}
func.func @integers(%a: i32, %b: i32, %v: vector<4xi8>) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.subi %a, %b overflow<nsw> : i32
  %2 = arith.muli %a, %b overflow<nsw, nuw> {x.tag} : i32
  %3 = arith.divsi %a, %b : i32
  %4 = arith.divui %a, %b : i32
  %5 = arith.remsi %a, %b : i32
  %6 = arith.remui %a, %b : i32
  %7 = arith.floordivsi %a, %b : i32
  %8 = arith.ceildivsi %a, %b : i32
  %9 = arith.andi %a, %b : i32
  %10 = arith.ori %a, %b : i32
  %11 = arith.xori %a, %b : i32
  %12 = arith.shli %a, %b : i32
  %13 = arith.shrsi %a, %b : i32
  %14 = arith.shrui %v, %v : vector<4xi8>
  %15 = arith.maxsi %v, %v : vector<4xi8>
  %16 = arith.minsi %v, %v : vector<4xi8>
  %17 = arith.maxui %v, %v : vector<4xi8>
  %18 = arith.minui %v, %v : vector<4xi8>
  %19 = math.absi %v : vector<4xi8>
  %20 = math.ctlz %a : i32
  return
}
func.func @floats(%a: f32, %b: f32, %v: vector<4xf64>) {
  %0 = arith.addf %a, %b : f32
  %1 = arith.subf %a, %b fastmath<nnan,contract> : f32
  %2 = arith.mulf %v, %v : vector<4xf64>
  %3 = arith.divf %a, %b : f32
  %4 = arith.maximumf %a, %b : f32
  %5 = arith.minimumf %a, %b : f32
  %6 = arith.maxnumf %a, %b : f32
  %7 = arith.minnumf %a, %b : f32
  %8 = arith.negf %a : f32
  %9 = math.fma %a, %b, %a : f32
  %10 = math.roundeven %v : vector<4xf64>
  %11 = math.round %a : f32
  %12 = math.floor %a : f32
  %13 = math.ceil %a : f32
  %14 = math.trunc %a : f32
  %15 = math.absf %a : f32
  %16 = "arith.addf"(%a, %b) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  return
}
func.func @choices(%a: i32, %x: f32, %v: vector<4xi32>, %w: vector<4xf32>, %i: index) {
  %0 = arith.cmpi eq, %a, %a : i32
  %1 = arith.cmpi ne, %a, %a : i32
  %2 = arith.cmpi slt, %a, %a : i32
  %3 = arith.cmpi sle, %a, %a : i32
  %4 = arith.cmpi sgt, %i, %i : index
  %5 = arith.cmpi sge, %a, %a : i32
  %6 = arith.cmpi ult, %a, %a : i32
  %7 = arith.cmpi ule, %a, %a : i32
  %8 = arith.cmpi ugt, %v, %v : vector<4xi32>
  %9 = arith.cmpi uge, %a, %a : i32
  %10 = arith.cmpf oeq, %x, %x : f32
  %11 = arith.cmpf une, %w, %w : vector<4xf32>
  %12 = "arith.cmpf"(%x, %x) {predicate = 15 : i64} : (f32, f32) -> i1
  %13 = arith.select %0, %a, %a : i32
  %14 = arith.select %8, %v, %v : vector<4xi1>, vector<4xi32>
  %15 = arith.select %0, %w, %w {x.tag} : vector<4xf32>
  return
}
func.func @casts(%a: i8, %b: i32, %x: f32, %v: vector<4xi8>, %i: index, %h: f16) {
  %0 = arith.extsi %a : i8 to i32
  %1 = arith.extui %v : vector<4xi8> to vector<4xi32>
  %2 = arith.trunci %b : i32 to i8
  %3 = arith.sitofp %b : i32 to f32
  %4 = arith.uitofp %b : i32 to f32
  %5 = arith.fptosi %x : f32 to i32
  %6 = arith.fptoui %x : f32 to i32
  %7 = arith.extf %h : f16 to f32
  %8 = arith.truncf %x : f32 to f16
  %9 = arith.index_cast %i : index to i64
  %10 = arith.index_castui %b : i32 to index
  %11 = arith.bitcast %b {x.tag} : i32 to f32
  return
}

// CHECK:module {
// CHECK-NEXT:  func.func @constants() {
// CHECK-NEXT:    %c4 = arith.constant 4 : index
// CHECK-NEXT:    %c4_0 = arith.constant 4 : index
// CHECK-NEXT:    %c-1_i32 = arith.constant -1 : i32
// CHECK-NEXT:    %c-1_i8 = arith.constant -1 : i8
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    %false = arith.constant false
// CHECK-NEXT:    %cst = arith.constant 1.000000e-03 : f32
// CHECK-NEXT:    %cst_1 = arith.constant dense<[1, 2]> : vector<2xi16>
// CHECK-NEXT:    %cst_2 = arith.constant {x.tag} dense<0.000000e+00> : tensor<3xf32>
// CHECK-NEXT:    %c2_i64 = arith.constant 2 : i64
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @integers(%arg0: i32, %arg1: i32, %arg2: vector<4xi8>) {
// CHECK-NEXT:    %0 = arith.addi %arg0, %arg1 : i32
// CHECK-NEXT:    %1 = arith.subi %arg0, %arg1 overflow<nsw> : i32
// CHECK-NEXT:    %2 = arith.muli %arg0, %arg1 overflow<nsw, nuw> {x.tag} : i32
// CHECK-NEXT:    %3 = arith.divsi %arg0, %arg1 : i32
// CHECK-NEXT:    %4 = arith.divui %arg0, %arg1 : i32
// CHECK-NEXT:    %5 = arith.remsi %arg0, %arg1 : i32
// CHECK-NEXT:    %6 = arith.remui %arg0, %arg1 : i32
// CHECK-NEXT:    %7 = arith.floordivsi %arg0, %arg1 : i32
// CHECK-NEXT:    %8 = arith.ceildivsi %arg0, %arg1 : i32
// CHECK-NEXT:    %9 = arith.andi %arg0, %arg1 : i32
// CHECK-NEXT:    %10 = arith.ori %arg0, %arg1 : i32
// CHECK-NEXT:    %11 = arith.xori %arg0, %arg1 : i32
// CHECK-NEXT:    %12 = arith.shli %arg0, %arg1 : i32
// CHECK-NEXT:    %13 = arith.shrsi %arg0, %arg1 : i32
// CHECK-NEXT:    %14 = arith.shrui %arg2, %arg2 : vector<4xi8>
// CHECK-NEXT:    %15 = arith.maxsi %arg2, %arg2 : vector<4xi8>
// CHECK-NEXT:    %16 = arith.minsi %arg2, %arg2 : vector<4xi8>
// CHECK-NEXT:    %17 = arith.maxui %arg2, %arg2 : vector<4xi8>
// CHECK-NEXT:    %18 = arith.minui %arg2, %arg2 : vector<4xi8>
// CHECK-NEXT:    %19 = math.absi %arg2 : vector<4xi8>
// CHECK-NEXT:    %20 = math.ctlz %arg0 : i32
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @floats(%arg0: f32, %arg1: f32, %arg2: vector<4xf64>) {
// CHECK-NEXT:    %0 = arith.addf %arg0, %arg1 : f32
// CHECK-NEXT:    %1 = arith.subf %arg0, %arg1 fastmath<nnan,contract> : f32
// CHECK-NEXT:    %2 = arith.mulf %arg2, %arg2 : vector<4xf64>
// CHECK-NEXT:    %3 = arith.divf %arg0, %arg1 : f32
// CHECK-NEXT:    %4 = arith.maximumf %arg0, %arg1 : f32
// CHECK-NEXT:    %5 = arith.minimumf %arg0, %arg1 : f32
// CHECK-NEXT:    %6 = arith.maxnumf %arg0, %arg1 : f32
// CHECK-NEXT:    %7 = arith.minnumf %arg0, %arg1 : f32
// CHECK-NEXT:    %8 = arith.negf %arg0 : f32
// CHECK-NEXT:    %9 = math.fma %arg0, %arg1, %arg0 : f32
// CHECK-NEXT:    %10 = math.roundeven %arg2 : vector<4xf64>
// CHECK-NEXT:    %11 = math.round %arg0 : f32
// CHECK-NEXT:    %12 = math.floor %arg0 : f32
// CHECK-NEXT:    %13 = math.ceil %arg0 : f32
// CHECK-NEXT:    %14 = math.trunc %arg0 : f32
// CHECK-NEXT:    %15 = math.absf %arg0 : f32
// CHECK-NEXT:    %16 = arith.addf %arg0, %arg1 : f32
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @choices(%arg0: i32, %arg1: f32, %arg2: vector<4xi32>, %arg3: vector<4xf32>, %arg4: index) {
// CHECK-NEXT:    %0 = arith.cmpi eq, %arg0, %arg0 : i32
// CHECK-NEXT:    %1 = arith.cmpi ne, %arg0, %arg0 : i32
// CHECK-NEXT:    %2 = arith.cmpi slt, %arg0, %arg0 : i32
// CHECK-NEXT:    %3 = arith.cmpi sle, %arg0, %arg0 : i32
// CHECK-NEXT:    %4 = arith.cmpi sgt, %arg4, %arg4 : index
// CHECK-NEXT:    %5 = arith.cmpi sge, %arg0, %arg0 : i32
// CHECK-NEXT:    %6 = arith.cmpi ult, %arg0, %arg0 : i32
// CHECK-NEXT:    %7 = arith.cmpi ule, %arg0, %arg0 : i32
// CHECK-NEXT:    %8 = arith.cmpi ugt, %arg2, %arg2 : vector<4xi32>
// CHECK-NEXT:    %9 = arith.cmpi uge, %arg0, %arg0 : i32
// CHECK-NEXT:    %10 = arith.cmpf oeq, %arg1, %arg1 : f32
// CHECK-NEXT:    %11 = arith.cmpf une, %arg3, %arg3 : vector<4xf32>
// CHECK-NEXT:    %12 = arith.cmpf true, %arg1, %arg1 : f32
// CHECK-NEXT:    %13 = arith.select %0, %arg0, %arg0 : i32
// CHECK-NEXT:    %14 = arith.select %8, %arg2, %arg2 : vector<4xi1>, vector<4xi32>
// CHECK-NEXT:    %15 = arith.select %0, %arg3, %arg3 {x.tag} : vector<4xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @casts(%arg0: i8, %arg1: i32, %arg2: f32, %arg3: vector<4xi8>, %arg4: index, %arg5: f16) {
// CHECK-NEXT:    %0 = arith.extsi %arg0 : i8 to i32
// CHECK-NEXT:    %1 = arith.extui %arg3 : vector<4xi8> to vector<4xi32>
// CHECK-NEXT:    %2 = arith.trunci %arg1 : i32 to i8
// CHECK-NEXT:    %3 = arith.sitofp %arg1 : i32 to f32
// CHECK-NEXT:    %4 = arith.uitofp %arg1 : i32 to f32
// CHECK-NEXT:    %5 = arith.fptosi %arg2 : f32 to i32
// CHECK-NEXT:    %6 = arith.fptoui %arg2 : f32 to i32
// CHECK-NEXT:    %7 = arith.extf %arg5 : f16 to f32
// CHECK-NEXT:    %8 = arith.truncf %arg2 : f32 to f16
// CHECK-NEXT:    %9 = arith.index_cast %arg4 : index to i64
// CHECK-NEXT:    %10 = arith.index_castui %arg1 : i32 to index
// CHECK-NEXT:    %11 = arith.bitcast %arg1 {x.tag} : i32 to f32
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}
