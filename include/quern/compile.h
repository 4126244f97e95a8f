/* Compiling: to an executable in this process, or to files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_COMPILE_H
#define QUERN_COMPILE_H

#include <quern/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum qn_engine {
  QN_ENGINE_JIT,         /* machine code for this CPU, in memory */
  QN_ENGINE_INTERPRETER, /* executes the text of a stage: slow, checks every access */
} qn_engine;

typedef enum qn_form {
  QN_FORM_MODEL, /* MLIR text of a stage */
  QN_FORM_INTEGER,
  QN_FORM_LOOPS,
  QN_FORM_LLVM, /* LLVM IR text */
  QN_FORM_ASM,
  QN_FORM_OBJECT, /* an ELF object that needs no library */
} qn_form;

typedef struct qn_compile_options {
  size_t size;
  qn_engine engine;
  qn_form stage;        /* interpreter: the stage to execute (MODEL, INTEGER or LOOPS) */
  const char *triple;   /* NULL: the host's */
  const char *cpu;      /* NULL or "native": the host; "baseline": all CPUs of the triple; a level
                           ("x86-64-v3") or CPU name */
  const char *features; /* NULL or "+a,-b" */
  int keep_tensors;     /* every tensor can be read after an invocation (verification) */
  const char *symbol;   /* prefix of exported names, an identifier of C; NULL: "model" */
  /* Passes of the pipeline `compile` that don't run, by commas; "graph-exact": none of those that
   * tidy the graph of the model. NULL: all run. */
  const char *disabled;
  const char *explain; /* what passes do, as of qn_run_options; NULL: nothing is told */
  /* JIT: a folder in which code is kept and found again, by this build of the library, for the same
   * model, options and CPU; made where there is none. Others than this user must not be able to
   * write in it. It may be used by any number of processes. NULL: none. A model that was changed
   * since it was read, and one whose compilation had a warning, are compiled again each time. */
  const char *cache;
  size_t cache_bytes;          /* that the folder may hold; what was not used for longest goes */
  const qn_text_options *text; /* how stages are printed; NULL: as ever */
  const char *section;         /* objects: of weights and tables; NULL: as the target has it */
} qn_compile_options;
#define QN_COMPILE_OPTIONS_INIT                                                                    \
  {                                                                                                \
    sizeof(qn_compile_options), QN_ENGINE_JIT, QN_FORM_LOOPS, NULL, NULL, NULL, 0, NULL, NULL,     \
        NULL, NULL, (size_t)256 << 20, NULL, NULL                                                  \
  }

/* The stage that a loaded model is at: MODEL, INTEGER or LOOPS. */
QN_API qn_form qn_model_stage(const qn_model *model);

typedef struct qn_executable qn_executable;

/* Compiles for this process; options may be NULL. The model is not changed and may be destroyed
 * afterwards; its context must outlive the executable. QN_UNSUPPORTED when this machine can't run
 * code for the CPU, or the JIT is asked to run text of the loops stage, whose accesses nothing
 * proves; QN_INVALID when the model is beyond the stage; QN_NOT_FOUND for an unknown CPU or
 * feature. */
QN_API QN_NODISCARD qn_status qn_compile(const qn_model *model, const qn_compile_options *options,
                                         qn_executable **out_executable);

/* Whether the symbol is one and target, CPU and features exist, with messages: a tool's own check
 * of its command line, done again by what takes the options. */
QN_API QN_NODISCARD qn_status qn_compile_options_check(qn_context *context,
                                                       const qn_compile_options *options);

/* The model in a form: text, or the bytes of an object, with a NUL after them that does not count;
 * freed with qn_free. Options may be NULL; the engine and stage in them don't matter, and any CPU
 * may be asked for. The same model and options give the same bytes. Errors as of qn_compile. */
QN_API QN_NODISCARD qn_status qn_emit_form(const qn_model *model, const qn_compile_options *options,
                                           qn_form form, char **out_bytes, size_t *out_size);
/* qn_model_inspect of what these options compile: memory is that of their CPU. */
QN_API QN_NODISCARD qn_status qn_model_inspect_for(const qn_model *model,
                                                   const qn_compile_options *options,
                                                   char **out_json, size_t *out_size);
/* The C header that goes with QN_FORM_OBJECT for the same options; freed with qn_free. It declares
 * SYMBOL_run and SYMBOL_invoke, and the sizes and quantization of inputs and outputs. */
QN_API QN_NODISCARD qn_status qn_emit_header(const qn_model *model,
                                             const qn_compile_options *options, char **out_text,
                                             size_t *out_size);

/* Whether this machine executes code for a level; 0 for an unknown name. */
QN_API int qn_host_runs(const char *level);
/* Name of the best level of this machine; static. */
QN_API const char *qn_host_level(void);

#ifdef __cplusplus
}
#endif
#endif
