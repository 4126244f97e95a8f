/* State of one translation, and the steps that make up the translation. Private to codegen/.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_CONTEXT_H
#define QN_CODEGEN_CONTEXT_H

#include "base/array.h"
#include "base/guard.h"
#include "codegen/abi.h"
#include "codegen/llvm.h"
#include "codegen/source.h"

/* Vectors with more lanes are rejected; schedules use at most 64, and 1024 bytes of a tile. */
enum { QN_CODEGEN_MAX_LANES = 1024 };

/* What LLVM says, a line each, as far as it fits. It is told from inside of LLVM, whose frames
 * nothing may jump over: so it is kept without allocating. */
enum { QN_LLVM_NOTES = 2048 };
typedef char qn_llvm_notes[QN_LLVM_NOTES];

typedef struct qn_cg_architecture qn_cg_architecture;

/* The translation of one part. Belongs to one thread. */
typedef struct qn_cg {
  const qn_cg_source *source; /* shared */
  uint32_t part;
  const qn_target *level;                 /* of the source */
  const qn_cg_architecture *architecture; /* of the triple (machine/machine.h) */
  uint64_t level_features;                /* rows of the features of machine/, bit by bit */
  qn_llvm_notes notes;                    /* what LLVM reported (error.h) */
  qn_arena arena;

  /* Owned. The module belongs to `llvm`; all else is independent. */
  LLVMBuilderRef b;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  LLVMTargetMachineRef machine;
  LLVMContextRef llvm;
  LLVMMemoryBufferRef file; /* of qn_cg_emit_file */
  char *ir;
  int memory_file; /* open, or -1 */
  bool late;       /* the time is over, and what LLVM makes is of no use */

  LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, ptr, none;
  qn_cg_abi abi;

  LLVMValueRef *values;            /* by qn_value id; written once: SSA */
  qn_map symbols;                  /* func.func and memref.global ops -> LLVM values */
  QN_ARRAY(qn_bytes) placeholders; /* what they stand for */

  /* The function being filled. */
  LLVMValueRef function;
  const struct qn_cg_tiles *tiles; /* NULL: none in registers (emit/tiles.h) */
  /* Arguments of SYMBOL_invoke; NULL in kernels. */
  LLVMValueRef call, launch_args;
  LLVMValueRef rounds, iterations; /* where they are counted (emit/control.c), or NULL */
  /* The helpers that SYMBOL_invoke calls for every quern.launch and at the end. */
  LLVMValueRef invoke, launch, tell;
  LLVMValueRef reset, supported; /* or NULL: no states, host checked */
  int64_t step, loop;            /* quern.launch and scf.while ops emitted so far */
} qn_cg;

/* Zeroed, and the owner of what LLVM gives when a call is aborted (base/guard.h). */
qn_cg *qn_cg_create(void);
/* Builds the LLVM module of a part and verifies it. Failures are in cg->notes, not yet reported:
 * several threads may be at it. */
QN_NODISCARD qn_status qn_cg_init(qn_cg *cg, const qn_cg_source *source, uint32_t part);
void qn_cg_destroy(qn_cg *cg);
/* Adds LLVM's text or assembly, with comments that say which layers launch a kernel. */
void qn_cg_annotate(const qn_cg_source *source, qn_str text, qn_emit form, qn_text *out);
/* Runs the emitters over the source and, in part 0, adds SYMBOL_model. */
void qn_cg_build(qn_cg *cg);
/* The objects of the parts; an owner (base/heap.h). */
typedef struct qn_cg_objects {
  uint32_t count;
  LLVMMemoryBufferRef parts[QN_CODE_TRANSLATED_PARTS]; /* NULL: none, or given away */
} qn_cg_objects;
qn_cg_objects *qn_cg_objects_create(void);
void qn_cg_objects_destroy(qn_cg_objects *objects);
/* Every part as an object, translated by at most so many threads. Reports what went wrong, in the
 * order of the parts. */
QN_NODISCARD qn_status qn_cg_compile_parts(const qn_cg_source *source, uint32_t threads,
                                           qn_cg_objects *objects);

/* The LLVM type of a value: index is i64, memrefs are pointers. check.c has rejected the others. */
LLVMTypeRef qn_cg_type(const qn_cg *cg, const qn_type *type);
/* As it is in memory: i1 is a byte; vectors lane by lane. */
LLVMTypeRef qn_cg_memory_type(const qn_cg *cg, const qn_type *type);

/* A constant as an LLVM constant of `type`. */
LLVMValueRef qn_cg_constant(const qn_cg *cg, const qn_attr *value, const qn_type *type);

/* A function with the attributes that all have: the CPU, vector widths, no library calls. */
LLVMValueRef qn_cg_add_function(qn_cg *cg, const char *name, LLVMTypeRef type, LLVMLinkage linkage);
/* Starts filling a function: the builder is in its entry block. */
void qn_cg_enter(qn_cg *cg, LLVMValueRef function);
/* Fills SYMBOL_invoke from @main. */
void qn_cg_fill_invoke(qn_cg *cg, const qn_op *main_func);
/* The same from a table of launches (launches.c). false, and nothing is done: @main computes more
 * than a table can say. */
bool qn_cg_fill_from_table(qn_cg *cg, const qn_block *body);
/* The LLVM function of a kernel or global of a constant; declared here when another part has it. */
LLVMValueRef qn_cg_symbol(qn_cg *cg, const qn_op *op);
/* The constants of a source as they are in memory that begins at a page: this, its symbols, their
 * names, each ended by NUL, and contents. */
typedef struct qn_cg_image {
  char magic[8];
  uint64_t count;
} qn_cg_image;
typedef struct qn_cg_image_symbol {
  uint64_t name, content; /* where they begin */
} qn_cg_image_symbol;
#define QN_CG_IMAGE_MAGIC "qn-data"
size_t qn_cg_image_size(const qn_cg_source *source);
/* What outlives the module and has the content of a global, which is not written but to be copied
 * from there; or NULL. */
qn_file *qn_cg_image_file(const qn_cg_source *source, const qn_op *global);
/* Into memory of zeros. */
void qn_cg_image_write(const qn_cg_source *source, uint8_t *image);

/* Whether a placeholder replaces a constant in this object, and what (emit/placeholders.c). */
bool qn_cg_has_placeholder(const qn_cg *cg, const qn_attr *value);
LLVMValueRef qn_cg_placeholder(qn_cg *cg, const qn_attr *value);
/* Puts the constants into their places in the object. False, and nothing is done: something of the
 * model looks like a placeholder. */
bool qn_cg_replace_placeholders(qn_cg *cg, uint8_t *file, size_t size);

/* Between parts the dot, which no C identifier has, keeps names apart from what is exported. */
#define QN_PART_PREFIX "part."
/* The name of a kernel or constant, which other parts can refer to when there are several; never
 * that of an exported symbol. */
const char *qn_cg_symbol_name(qn_cg *cg, const qn_op *op);
/* Local to the object, or visible to the other parts. */
LLVMLinkage qn_cg_symbol_linkage(const qn_cg *cg, LLVMLinkage alone);
/* Defines the helpers cg->launch and cg->tell. */
void qn_cg_define_helpers(qn_cg *cg);
/* Fills SYMBOL_reset (states.c). */
void qn_cg_define_reset(qn_cg *cg);
/* SYMBOL_supported, which any CPU of the architecture can execute (supported.c). */
LLVMValueRef qn_cg_add_supported(qn_cg *cg, const char *name);
void qn_cg_define_supported(qn_cg *cg);
/* A nameless constant of this object. */
LLVMValueRef qn_cg_private_constant(qn_cg *cg, const char *name, LLVMValueRef content);
/* Starts filling a function: the builder is in its entry block. */
void qn_cg_enter(qn_cg *cg, LLVMValueRef function);

/* Emits the ops of a block in order. */
void qn_cg_emit_block(qn_cg *cg, const qn_block *block);

/* Light passes: the emitted IR is already what the back end should see. */
QN_NODISCARD qn_status qn_cg_optimize(qn_cg *cg);
/* From here on LLVM's warnings are occasions to look at the time (late.c). */
void qn_cg_begin_looking(qn_cg *cg);
/* From inside of LLVM: when the time is over, leaves LLVM as little to do as possible. */
void qn_cg_look(qn_cg *cg);
/* The object or assembly text of the optimized module. Gives up when the time is over. */
QN_NODISCARD qn_status qn_cg_emit_file(qn_cg *cg, LLVMCodeGenFileType kind);
/* Once per process. */
void qn_cg_start_llvm(void);
/* NULL, with the reason in `notes`, when LLVM rejects. */
LLVMTargetMachineRef qn_cg_target_machine(const qn_codegen_target *target, qn_llvm_notes notes);

#endif
