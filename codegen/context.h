/* State of one translation, and its steps. Private to codegen/.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_CONTEXT_H
#define QN_CODEGEN_CONTEXT_H

#include "base/array.h"
#include "base/guard.h"
#include "codegen/abi.h"
#include "codegen/llvm.h"
#include "codegen/source.h"

/* Messages of LLVM, one per line; those that do not fit are dropped. Callbacks inside LLVM store
 * them, and control must not leave LLVM's frames by longjmp, so storing them does not allocate. */
enum { QN_LLVM_NOTES = 2048 };
typedef char qn_llvm_notes[QN_LLVM_NOTES];

typedef struct qn_cg_architecture qn_cg_architecture;

/* The stack frame of a function, which LLVM reports when it emits the function; 0 until then. */
typedef struct qn_cg_frame {
  LLVMValueRef function;
  uint64_t bytes;
} qn_cg_frame;

/* The translation of one part. Belongs to one thread. */
typedef struct qn_cg {
  const qn_cg_source *source; /* shared by all parts */
  uint32_t part;
  const qn_target *level;                 /* level of the target */
  const qn_cg_architecture *architecture; /* architecture of the triple (machine/machine.h) */
  uint64_t level_features;                /* bit set of the level's features (rows of machine/) */
  qn_llvm_notes notes;                    /* what LLVM reported (error.h) */
  qn_arena arena;

  /* Owned by qn_cg. The module belongs to `llvm`; all else is independent. */
  LLVMBuilderRef b;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  LLVMTargetMachineRef machine;
  LLVMContextRef llvm;
  LLVMMemoryBufferRef file; /* result of qn_cg_emit_file */
  char *ir;
  int memory_file;              /* open file descriptor; -1 if none */
  QN_ARRAY(qn_cg_frame) frames; /* of all functions with code, while LLVM emits them */
  bool late;                    /* the time limit has passed: LLVM's output will be discarded */

  LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, ptr, none;
  LLVMTypeRef index; /* an integer as wide as a pointer */
  unsigned index_bytes;
  qn_cg_abi abi;

  LLVMValueRef *values;            /* [qn_value id]; each is set once (SSA) */
  qn_map symbols;                  /* func.func and memref.global ops -> LLVM values */
  QN_ARRAY(qn_bytes) placeholders; /* payloads that the placeholders represent */

  /* The function being filled. */
  LLVMValueRef function;
  const struct qn_cg_tiles
      *tiles; /* AMX tile registers of the function (emit/tiles.h); NULL if none */
  /* Arguments of SYMBOL_invoke; NULL in kernels. */
  LLVMValueRef call, launch_args;
  LLVMValueRef rounds, iterations; /* counters of loop iterations (emit/control.c); NULL if none */
  /* The helpers that SYMBOL_invoke calls for every quern.launch and at the end. */
  LLVMValueRef invoke, launch, tell;
  LLVMValueRef reset, supported; /* NULL if there are no states; NULL if the host is checked */
  LLVMValueRef prepare, mark;    /* NULL if no constants are prepared; `mark` completes them */
  LLVMValueRef bind, units;      /* helpers of tables of launches; NULL until needed */
  int64_t step, loop;            /* quern.launch and scf.while ops emitted so far */
} qn_cg;

/* The back end that translates to LLVM IR (emit/table.c). */
extern const qn_cg_backend qn_cg_llvm;

/* Creates an empty state, which owns LLVM objects if a call is aborted (base/guard.h). */
qn_cg *qn_cg_create(void);
/* Creates an empty LLVM module for the part. Failures are stored in cg->notes, as by qn_cg_init. */
QN_NODISCARD qn_status qn_cg_open(qn_cg *cg, const qn_cg_source *source, uint32_t part);
/* Builds the LLVM module of a part and verifies it. Failures are stored in cg->notes and not
 * reported yet, because several threads may run this at the same time. */
QN_NODISCARD qn_status qn_cg_init(qn_cg *cg, const qn_cg_source *source, uint32_t part);
void qn_cg_destroy(qn_cg *cg);
/* Appends LLVM's text or assembly, with comments that name the layers that launch each kernel. */
void qn_cg_annotate(const qn_cg_source *source, qn_str text, qn_emit form, qn_text *out);
/* The objects of the parts; an owner (base/heap.h). */
typedef struct qn_cg_objects {
  uint32_t count;
  LLVMMemoryBufferRef
      parts[QN_CODE_TRANSLATED_PARTS]; /* NULL if none, or if ownership was transferred */
} qn_cg_objects;
qn_cg_objects *qn_cg_objects_create(void);
void qn_cg_objects_destroy(qn_cg_objects *objects);
/* Compiles every part to an object, with at most `threads` threads. Reports errors in the order of
 * the parts. */
QN_NODISCARD qn_status qn_cg_compile_parts(const qn_cg_source *source, uint32_t threads,
                                           qn_cg_objects *objects);

/* The LLVM type of a value: index is an integer as wide as a pointer, memrefs are pointers. check.c
 * has rejected the others. */
LLVMTypeRef qn_cg_type(const qn_cg *cg, const qn_type *type);
/* The LLVM type in memory: i1 is a byte; vectors are stored lane by lane. */
LLVMTypeRef qn_cg_memory_type(const qn_cg *cg, const qn_type *type);

/* Marks a function as one that never unwinds. */
void qn_cg_never_unwinds(const qn_cg *cg, LLVMValueRef function);
/* Adds a function with the attributes that all functions have: the CPU, vector widths, no library
 * calls. */
LLVMValueRef qn_cg_add_function(qn_cg *cg, const char *name, LLVMTypeRef type, LLVMLinkage linkage);
/* Sets the builder to the entry block of a function. */
void qn_cg_enter(qn_cg *cg, LLVMValueRef function);
/* Fills SYMBOL_invoke from @main. */
void qn_cg_fill_invoke(qn_cg *cg, const qn_op *main_func);
/* As qn_cg_fill_invoke, from a table of launches (launches.c). Returns false and emits nothing if
 * @main computes more than a table can express. */
bool qn_cg_fill_from_table(qn_cg *cg, const qn_block *body);
/* The LLVM function of a kernel, or the LLVM global of a constant; a declaration if another part
 * defines it. */
LLVMValueRef qn_cg_symbol(qn_cg *cg, const qn_op *op);
/* Image of the constants of a source, in memory that begins at a page boundary: this header, the
 * symbols, their NUL-terminated names, and the contents. */
typedef struct qn_cg_image {
  char magic[8];
  uint64_t count;
} qn_cg_image;
typedef struct qn_cg_image_symbol {
  uint64_t name, content; /* offsets in the image */
} qn_cg_image_symbol;
#define QN_CG_IMAGE_MAGIC "qn-data"
size_t qn_cg_image_size(const qn_cg_source *source);
/* The file that outlives the module and contains the payload of a global, from which it is copied
 * instead of being written; NULL if none. */
qn_file *qn_cg_image_file(const qn_cg_source *source, const qn_op *global);
/* Writes the image to zeroed memory. */
void qn_cg_image_write(const qn_cg_source *source, uint8_t *image);

/* Whether a placeholder replaces a constant in this object; and the placeholder
 * (emit/placeholders.c). */
bool qn_cg_has_placeholder(const qn_cg *cg, const qn_attr *value);
LLVMValueRef qn_cg_placeholder(qn_cg *cg, const qn_attr *value);
/* Writes the constants to the positions of their placeholders in the object. Returns false and
 * changes nothing if other bytes of the model look like a placeholder. */
bool qn_cg_replace_placeholders(qn_cg *cg, uint8_t *file, size_t size);

/* Symbols between parts contain a dot, which no C identifier has, so they cannot collide with
 * exported names. */
#define QN_PART_PREFIX "part."
/* The symbol of a kernel or constant, which other parts can refer to if there are several; never
 * that of an exported symbol. */
const char *qn_cg_symbol_name(qn_cg *cg, const qn_op *op);
/* `alone` if there is one part; else a linkage that other parts can see. */
LLVMLinkage qn_cg_symbol_linkage(const qn_cg *cg, LLVMLinkage alone);
/* Defines the helpers cg->launch and cg->tell. */
void qn_cg_define_helpers(qn_cg *cg);
/* Fills SYMBOL_prepare (launches.c). */
void qn_cg_define_prepare(qn_cg *cg);
/* Lets SYMBOL_invoke return -1 unless SYMBOL_prepare has filled the call's prepared memory; emits
 * nothing if no constants are prepared. */
void qn_cg_check_prepared(qn_cg *cg);
/* Fills SYMBOL_reset (states.c). */
void qn_cg_define_reset(qn_cg *cg);
/* SYMBOL_supported, which any CPU of the architecture can execute (supported.c). */
LLVMValueRef qn_cg_add_supported(qn_cg *cg, const char *name);
void qn_cg_define_supported(qn_cg *cg);
/* A nameless constant of this object. */
LLVMValueRef qn_cg_private_constant(qn_cg *cg, const char *name, LLVMValueRef content);

/* Emits the ops of a block in order. */
void qn_cg_emit_block(qn_cg *cg, const qn_block *block);

/* Light passes: the emitted IR is already what the back end should see. */
QN_NODISCARD qn_status qn_cg_optimize(qn_cg *cg);
/* Enables the time check in LLVM's warning handler (late.c). */
void qn_cg_begin_looking(qn_cg *cg);
/* Called from inside LLVM: once the time limit has passed, reduces LLVM's remaining work as far as
 * possible. */
void qn_cg_look(qn_cg *cg);
/* report.c: before LLVM emits the module, while it does (a warning of LLVM), and afterwards. */
void qn_cg_begin_report(qn_cg *cg);
void qn_cg_note_frame(qn_cg *cg, LLVMDiagnosticInfoRef warning);
void qn_cg_report(qn_cg *cg, qn_bytes object);
/* The object or assembly text of the optimized module. Fails once the time limit has passed. */
QN_NODISCARD qn_status qn_cg_emit_file(qn_cg *cg, LLVMCodeGenFileType kind);
/* Reports undefined symbols of the object, other than the routines that its architecture lists.
 * QN_UNSUPPORTED if there are any. */
QN_NODISCARD qn_status qn_cg_check_alone(const qn_cg *cg, qn_bytes object);
/* Initializes LLVM, once per process. */
void qn_cg_start_llvm(void);
/* The LLVM target machine; NULL, with the reason in `notes`, if LLVM rejects the target. */
LLVMTargetMachineRef qn_cg_target_machine(const qn_codegen_target *target, qn_llvm_notes notes);

#endif
