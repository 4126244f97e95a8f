// Parts of a file are processed separately; an error in one part does not stop the others.
// RUN: code 3 %quern opt -split-input-file %s 2>&1 >%t | FileCheck %s --check-prefix=ERR
// RUN: FileCheck %s < %t
// RUN: printf 'func.func private @a()\n//MARK\nfunc.func private @b()\n' | %quern opt -split-input-file=//MARK | FileCheck %s --check-prefix=MARK

// CHECK: func.func private @a
// CHECK: // -----
// CHECK-EMPTY:
// CHECK-NEXT: // -----
// CHECK-NEXT: module {
// CHECK-NEXT: func.func private @a
// ERR: split.mlir:[[# @LINE + 6]]:19: error:
// MARK: @a
// MARK: //MARK
// MARK: @b
func.func private @a()
// -----
func.func @b() -> !
// -----
func.func private @a()
