/* State of one translation, and the steps that make up the translation. Private to codegen/.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_CONTEXT_H
#define QN_CODEGEN_CONTEXT_H

#include "base/map.h"
#include "codegen/abi.h"
#include "codegen/codegen.h"
#include "codegen/interface.h"
#include "codegen/llvm.h"

/* Vectors with more lanes are refused; schedules use at most 64. */
enum { QN_CODEGEN_MAX_LANES = 512 };

typedef struct qn_cg {
  qn_module *source;
  qn_ir_context *cx;
  const qn_codegen_options *options;
  const qn_target *level;
  qn_interface interface;
  qn_arena arena;  /* of the interface and the value map */
  uint32_t errors; /* what LLVM reported through its context */

  /* Owned. The module belongs to `llvm`; all else is independent. */
  LLVMBuilderRef b;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  LLVMTargetMachineRef machine;
  LLVMContextRef llvm;

  LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, ptr, none;
  qn_cg_abi abi;

  LLVMValueRef *values; /* by qn_value id; written once: SSA */
  qn_str_map names;     /* symbol -> op of the source */
  qn_map symbols;       /* func.func and memref.global ops -> LLVM values */

  /* Of the function being filled. */
  LLVMValueRef function;
  /* Of SYMBOL_invoke; NULL in kernels. */
  LLVMValueRef call, launch_args;
  /* The helpers that SYMBOL_invoke calls for every quern.launch and at the end. */
  LLVMValueRef invoke, launch, tell;
  int64_t step; /* quern.launch ops emitted so far */
} qn_cg;

/* Checks `loops`, builds the LLVM module and runs the light passes. Call deinit in any case. */
QN_NODISCARD qn_status qn_cg_init(qn_cg *cg, qn_module *loops, const qn_codegen_options *options);
void qn_cg_deinit(qn_cg *cg);
/* The first half of init: LLVM objects and types, an empty module. */
QN_NODISCARD qn_status qn_cg_open(qn_cg *cg);
/* The second half: runs the emitters over the source and adds SYMBOL_model. */
void qn_cg_build(qn_cg *cg);

/* The LLVM type of a value: index is i64, memrefs are pointers. check.c has refused the others. */
LLVMTypeRef qn_cg_type(const qn_cg *cg, const qn_type *type);
/* As it lies in memory: i1 is a byte; vectors lane by lane. */
LLVMTypeRef qn_cg_memory_type(const qn_cg *cg, const qn_type *type);

/* Reports everything that has no machine code at the level; check.c lists it. Needs the interface and
 * the names only. */
QN_NODISCARD qn_status qn_cg_check(qn_cg *cg);
/* What a symbol attribute of `op` names; NULL when nothing. */
const qn_op *qn_cg_named(const qn_cg *cg, const qn_op *op, const char *attribute);

/* A constant as an LLVM constant of `type`. */
LLVMValueRef qn_cg_constant(const qn_cg *cg, const qn_attr *value, const qn_type *type);

/* The LLVM intrinsic of a vector.reduction kind, or NULL when there is none. */
const char *qn_cg_reduction(const qn_attr *kind);

/* A function with the attributes that all have: the CPU, vector widths, no library calls. */
LLVMValueRef qn_cg_add_function(qn_cg *cg, const char *name, LLVMTypeRef type, LLVMLinkage linkage);
/* Starts filling it: the builder stands in its entry block. */
void qn_cg_enter(qn_cg *cg, LLVMValueRef function);
/* Defines the helpers cg->launch and cg->tell. */
void qn_cg_define_helpers(qn_cg *cg);
/* SYMBOL_model, the constant that describes the module. */
void qn_cg_define_model(qn_cg *cg);

/* Emits the ops of a block in order. */
void qn_cg_emit_block(qn_cg *cg, const qn_block *block);

/* The object or assembly text of the finished module. */
QN_NODISCARD qn_status qn_cg_emit_file(qn_cg *cg, LLVMCodeGenFileType kind, LLVMMemoryBufferRef *out_buffer);
/* Light passes: the emitted IR is already what the back end should see. */
QN_NODISCARD qn_status qn_cg_optimize(qn_cg *cg);
/* NULL with a diagnostic when LLVM refuses. */
LLVMTargetMachineRef qn_cg_target_machine(qn_ir_context *cx, const qn_codegen_target *target);

#endif
