/* Translates the loops stage to machine code through LLVM-C. No other folder includes llvm-c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_CODEGEN_H
#define QN_CODEGEN_CODEGEN_H

#include "ir/module.h"
#include "lower/target.h"
#include "runtime/abi.h"

/* A resolved target: the CPU level of the schedules, and the target description for LLVM. */
typedef struct qn_codegen_target {
  const qn_target *level;
  qn_str triple, cpu, features; /* strings in the context's arena */
  qn_str tune; /* the CPU for which LLVM schedules the level's code; empty: no particular one */
  uint64_t required; /* bit set of the features (rows of machine/) that a CPU must have */
} qn_codegen_target;

/* Resolves a target. `triple`: NULL means the host's. `cpu`: NULL or "native" means the host's CPU
 * with its features; "baseline" means the minimum of the triple's architecture; else a level name
 * of lower/target.h or an LLVM CPU name from machine/cpus.def. `features`: NULL or "+a,-b". Returns
 * QN_NOT_FOUND with a diagnostic that lists the valid names. */
QN_NODISCARD qn_status qn_codegen_target_resolve(qn_ir_context *cx, const char *triple,
                                                 const char *cpu, const char *features,
                                                 qn_codegen_target *out_target);
/* The CPU that was asked for: that of `tune`, else `cpu`. */
static inline qn_str qn_codegen_cpu(const qn_codegen_target *target) {
  return target->tune.size ? target->tune : target->cpu;
}
/* Whether the target's objects may have sections of any name. */
bool qn_codegen_names_sections(const qn_codegen_target *target);
/* The level with this name, or of the CPU with this name; NULL if unknown. */
const qn_target *qn_codegen_level_of(const char *cpu);
/* The i-th architecture with code for the level, as the first part of a triple; and the i-th CPU of
 * machine/cpus.def with that level. NULL after the last. */
const char *qn_codegen_architecture_of(const qn_target *level, uint32_t i);
const char *qn_codegen_cpu_of(const qn_target *level, uint32_t i);
/* The usual triple of an architecture, allocated in the arena. */
qn_str qn_codegen_triple_of(qn_arena *arena, const char *architecture);
/* Whether this host can execute code for the level. */
bool qn_codegen_host_runs(const qn_target *level);
/* Whether this host can execute code for a resolved target; if not, QN_UNSUPPORTED with a
 * diagnostic. Another CPU name than the host's is rejected even if the host supports its level,
 * because LLVM may use any instruction of that CPU. */
QN_NODISCARD qn_status qn_codegen_check_host(qn_ir_context *cx, const qn_codegen_target *target);

/* Number of objects from which JIT code is linked, for one build of this library and one set of
 * options: objects of LLVM, then an image of constants. */
enum { QN_CODE_TRANSLATED_PARTS = 8, QN_CODE_MAX_PARTS = QN_CODE_TRANSLATED_PARTS + 1 };
typedef struct qn_code {
  uint32_t count;
  qn_bytes parts[QN_CODE_MAX_PARTS];
} qn_code;

/* The version of LLVM that this process has loaded: 220108 is 22.1.8. */
uint32_t qn_codegen_llvm_version(void);

typedef enum qn_emit { QN_EMIT_LLVM, QN_EMIT_ASM, QN_EMIT_OBJECT } qn_emit;

/* A section of an object that takes memory of the target. */
typedef enum qn_section_kind {
  QN_SECTION_CODE,
  QN_SECTION_CONSTANTS,
  QN_SECTION_DATA
} qn_section_kind;
typedef struct qn_codegen_section {
  qn_str name;
  qn_section_kind kind;
  uint64_t bytes;
} qn_codegen_section;

/* A function of an object. A kernel has the name of its function in the module, unless that is the
 * name of an exported function. */
typedef struct qn_codegen_function {
  qn_str name;
  uint64_t code_bytes;
  /* Upper bounds of the stack: its own frame with the return address; and with the functions of the
   * object that it calls. Callbacks of the caller are not counted. */
  uint64_t frame_bytes, stack_bytes;
} qn_codegen_function;

/* What an object consists of. Sections, code sizes and library routines are known of ELF objects
 * only. */
typedef struct qn_codegen_report {
  qn_arena *arena; /* given: memory for all that follows */
  qn_codegen_section *sections;
  qn_codegen_function *functions; /* in the order of the module; exported ones first */
  qn_str *routines; /* of a compiler's library that the object calls; their stack is not counted */
  uint32_t section_count, function_count, routine_count;
} qn_codegen_report;

typedef struct qn_codegen_options {
  qn_codegen_target target;
  qn_str symbol; /* a C identifier, NUL-terminated: prefix of the exported names: SYMBOL_model,
                    SYMBOL_invoke */
  const char *section;       /* section of constant buffers; NULL: LLVM's default */
  const char *code_section;  /* section of functions; NULL: LLVM's default */
  const char *arena_section; /* written to the header; NULL: none */
  /* Compile threads of qn_jit_create, which makes the same code with any number; 0: as many as the
   * process has CPUs. */
  uint32_t threads;
  /* Seconds of the phases; NULL if not needed. qn_codegen_emit: building and optimizing LLVM IR;
   * machine code. qn_jit_create: all of that; linking. */
  double *out_build_seconds, *out_emit_seconds;
  qn_codegen_report *report; /* filled by qn_codegen_emit with QN_EMIT_OBJECT; NULL if not needed */
  /* Called by qn_jit_create before linking, once it no longer reads the module, which may then be
   * destroyed; NULL if not needed. */
  void (*translated)(void *user);
  void *translated_user;
  /* Called by qn_jit_create with the code before linking; NULL if not needed. */
  void (*keep)(void *user, const qn_code *code);
  void *keep_user;
} qn_codegen_options;

/* Returns memory for a result of `size` bytes. It may be called again with another size. */
typedef uint8_t *qn_emit_room(void *user, size_t size);
/* Emits the whole module as text or bytes, reproducibly. Requires a module that has passed
 * qn_verify and qn_verify_stage(QN_STAGE_LOOPS). Everything that has no machine code at the level
 * is reported in one run as QN_UNSUPPORTED (codegen/check.c lists it). The module is not changed.
 */
QN_NODISCARD qn_status qn_codegen_emit(qn_module *loops, const qn_codegen_options *options,
                                       qn_emit what, qn_emit_room *room, void *user);
/* Writes the C header of the object: self-contained, C99 and C++. Fails like qn_codegen_emit for a
 * module without interface attributes (codegen/interface.h). */
QN_NODISCARD qn_status qn_codegen_header(const qn_module *loops, const qn_codegen_options *options,
                                         qn_text *out);

/* The header without SYMBOL_run, which compilers report if a source file does not call it. */
QN_NODISCARD qn_status qn_codegen_declarations(const qn_module *loops,
                                               const qn_codegen_options *options, qn_text *out);
/* Writes C99 with the interface of the object, which it declares itself (codegen/c). Fails like
 * qn_codegen_emit. */
QN_NODISCARD qn_status qn_codegen_c(const qn_module *loops, const qn_codegen_options *options,
                                    qn_text *out);

/* JIT code. No page is writable and executable at the same time. */
typedef struct qn_jit qn_jit;
QN_NODISCARD qn_status qn_jit_create(qn_module *loops, const qn_codegen_options *options,
                                     qn_jit **out_jit);
/* Links code that an earlier qn_jit_create passed to `keep` under the same options. The code is
 * trusted, not verified. */
QN_NODISCARD qn_status qn_jit_link(qn_ir_context *cx, const qn_codegen_options *options,
                                   const qn_code *code, qn_jit **out_jit);
const qn_abi_model *qn_jit_model(const qn_jit *jit); /* lives as long as the JIT */
size_t qn_jit_code_bytes(const qn_jit *jit);         /* size of the object: code and constants */
void qn_jit_destroy(qn_jit *jit);                    /* NULL is allowed */

#endif
