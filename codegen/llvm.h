/* The LLVM-C headers, and every difference between the supported LLVM versions (22 is the
 * reference, 19 also works). No other file tests the version.
 *
 * One difference is not visible in the API: the operand types of the vpdpbusd intrinsics (i32 lanes
 * in 19, i8 lanes in 22). emit/quern.c reads them from the intrinsic's declaration.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_LLVM_H
#define QN_CODEGEN_LLVM_H

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>

#if LLVM_VERSION_MAJOR < 19
#error "LLVM 19 or later is needed"
#endif

#endif
