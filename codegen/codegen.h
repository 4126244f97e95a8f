/* loops -> machine code through LLVM-C. The only folder that includes llvm-c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_CODEGEN_H
#define QN_CODEGEN_CODEGEN_H

#include "ir/module.h"
#include "lower/target.h"
#include "runtime/abi.h"

/* A resolved target: a schedule level and what LLVM is told. */
typedef struct qn_codegen_target {
  const qn_target *level;
  qn_str triple, cpu, features; /* in the context's arena */
  uint64_t required; /* rows of the features of machine/ that a CPU must have, bit by bit */
} qn_codegen_target;

/* `triple` NULL: the host's. `cpu` NULL or "native": the host's, with its features; "baseline": all
 * of the triple's architecture; a level name of lower/target.h; or an LLVM CPU name from the table
 * in machine/cpus.def. `features` NULL or "+a,-b".
 * QN_NOT_FOUND with a diagnostic that lists what exists. */
QN_NODISCARD qn_status qn_codegen_target_resolve(qn_ir_context *cx, const char *triple,
                                                 const char *cpu, const char *features,
                                                 qn_codegen_target *out_target);
/* The i-th architecture that has code of the level, as a triple begins, and the i-th CPU of
 * machine/cpus.def whose level it is; NULL after the last. */
const char *qn_codegen_architecture_of(const qn_target *level, uint32_t i);
const char *qn_codegen_cpu_of(const qn_target *level, uint32_t i);
/* The usual triple of an architecture; in the arena. */
qn_str qn_codegen_triple_of(qn_arena *arena, const char *architecture);
/* Whether this machine can execute code for the level. */
bool qn_codegen_host_runs(const qn_target *level);
/* The same for a resolved target, with a diagnostic: QN_UNSUPPORTED when it can't. A CPU name other
 * than the host's own is rejected even where its level would run, because LLVM may use any
 * instruction of that CPU. */
QN_NODISCARD qn_status qn_codegen_check_host(qn_ir_context *cx, const qn_codegen_target *target);

/* The objects that code in memory is linked from, for the same build of this library and the same
 * options: those that LLVM makes, and an image of constants after them. */
enum { QN_CODE_TRANSLATED_PARTS = 8, QN_CODE_MAX_PARTS = QN_CODE_TRANSLATED_PARTS + 1 };
typedef struct qn_code {
  uint32_t count;
  qn_bytes parts[QN_CODE_MAX_PARTS];
} qn_code;

/* The version of LLVM that this process has loaded: 220108 is 22.1.8. */
uint32_t qn_codegen_llvm_version(void);

typedef enum qn_emit { QN_EMIT_LLVM, QN_EMIT_ASM, QN_EMIT_OBJECT } qn_emit;

typedef struct qn_codegen_options {
  qn_codegen_target target;
  qn_str symbol; /* a C identifier, NUL-terminated: prefix of the exported names: SYMBOL_model,
                    SYMBOL_invoke */
  const char *section; /* of constant buffers; NULL: where LLVM puts them */
  /* Compile threads of qn_jit_create, which makes the same code with any number; 0: as many as the
   * process has CPUs. */
  uint32_t threads;
  /* NULL, or times. By qn_codegen_emit: LLVM IR and its passes; machine code. By qn_jit_create: all
   * of that; linking. */
  double *out_build_seconds, *out_emit_seconds;
  /* Called by qn_jit_create, or NULL: the module is not read any more and may be destroyed, before
   * its code is linked. */
  void (*translated)(void *user);
  void *translated_user;
  /* Called by qn_jit_create with the code before it is linked, or NULL. */
  void (*keep)(void *user, const qn_code *code);
  void *keep_user;
} qn_codegen_options;

/* Room for a result of so many bytes. Another may be asked for instead. */
typedef uint8_t *qn_emit_room(void *user, size_t size);
/* Text or bytes of the whole module. Byte-reproducible. The module has passed
 * qn_verify and qn_verify_stage(QN_STAGE_LOOPS); what has no machine code at the level all the same
 * is reported, all of it, as QN_UNSUPPORTED (codegen/check.c lists it). The module is not changed.
 */
QN_NODISCARD qn_status qn_codegen_emit(qn_module *loops, const qn_codegen_options *options,
                                       qn_emit what, qn_emit_room *room, void *user);
/* The C header that goes with the object: self-contained, C99 and C++. Fails like qn_codegen_emit
 * on a module without interface attributes (codegen/interface.h). */
QN_NODISCARD qn_status qn_codegen_header(const qn_module *loops, const qn_codegen_options *options,
                                         qn_text *out);

/* Machine code in memory: write xor execute. */
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
