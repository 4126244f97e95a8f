/* Compiling: to an executable in this process, or to files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_COMPILE_H
#define QUERN_COMPILE_H

#include <quern/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum qn_engine { QN_ENGINE_JIT, QN_ENGINE_INTERPRETER } qn_engine;

typedef enum qn_form {
  QN_FORM_MODEL,   /* MLIR text of a stage */
  QN_FORM_INTEGER,
  QN_FORM_LOOPS,
  QN_FORM_LLVM,    /* LLVM IR text */
  QN_FORM_ASM,
  QN_FORM_OBJECT,
} qn_form;

typedef struct qn_compile_options {
  size_t size;
  qn_engine engine;
  qn_form stage;          /* interpreter: the stage to execute (MODEL, INTEGER or LOOPS) */
  const char *triple;     /* NULL: the host's */
  const char *cpu;        /* NULL or "native": the host; a level ("x86-64-v3") or CPU name */
  const char *features;   /* NULL or "+a,-b" */
  int keep_tensors;       /* every tensor can be read after an invocation (verification) */
  const char *symbol;     /* prefix of exported names; NULL: "model" */
} qn_compile_options;
/* The stage that a loaded model is at. */
QN_API qn_form qn_model_stage(const qn_model *model);
#define QN_COMPILE_OPTIONS_INIT                                                                    \
  {sizeof(qn_compile_options), QN_ENGINE_JIT, QN_FORM_LOOPS, NULL, NULL, NULL, 0, NULL}

typedef struct qn_executable qn_executable;

/* The module is not changed and may be destroyed afterwards. */
QN_API QN_NODISCARD qn_status qn_compile(const qn_model *model, const qn_compile_options *options,
                                         qn_executable **out_executable);

/* Text or object bytes of a form; freed with qn_free. Byte-reproducible. */
QN_API QN_NODISCARD qn_status qn_emit_form(const qn_model *model, const qn_compile_options *options,
                                           qn_form form, char **out_bytes, size_t *out_size);
/* The C header that goes with QN_FORM_OBJECT for the same options. */
QN_API QN_NODISCARD qn_status qn_emit_header(const qn_model *model, const qn_compile_options *options,
                                             char **out_text, size_t *out_size);
/* Whether this machine executes code for the CPU or level. */
QN_API int qn_host_runs(const char *cpu);
/* Name of the best level of this machine. */
QN_API const char *qn_host_level(void);

#ifdef __cplusplus
}
#endif
#endif
