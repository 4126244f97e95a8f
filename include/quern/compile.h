/* Compiles a model to an executable in this process, or to text or an object file.
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
  QN_ENGINE_INTERPRETER, /* interprets the module of one stage: slow, checks every memory access */
} qn_engine;

typedef enum qn_form {
  QN_FORM_MODEL, /* MLIR text of a stage */
  QN_FORM_INTEGER,
  QN_FORM_LOOPS,
  QN_FORM_LLVM, /* LLVM IR text */
  QN_FORM_ASM,
  QN_FORM_OBJECT, /* an ELF object that needs no library */
  QN_FORM_C,      /* C99 with the interface of the object, for compilers of any vendor */
} qn_form;

/* What code prefers where fewer instructions need larger constants. Results are the same bits. */
typedef enum qn_optimize {
  QN_OPTIMIZE_BALANCED, /* SIZE on microcontrollers and at the level "generic", else SPEED */
  QN_OPTIMIZE_SIZE,     /* an 8-bit weight takes one byte, and is widened when it is read */
  QN_OPTIMIZE_SPEED,    /* weights are stored as instructions read them */
} qn_optimize;

typedef struct qn_compile_options {
  size_t size;
  qn_engine engine;
  qn_form stage;      /* interpreter only: the stage to execute (MODEL, INTEGER or LOOPS) */
  const char *triple; /* target triple; NULL: the host's */
  const char *cpu; /* NULL or "native": the CPU of the host; "baseline": every CPU of the triple; or
                      the name of a level ("x86-64-v3") or CPU */
  const char *features; /* NULL or "+a,-b" */
  int keep_tensors;     /* keeps every tensor readable after an invocation, for verification */
  const char *symbol;   /* prefix of exported names, a C identifier; NULL: "model" */
  /* Passes of the pipeline `compile` that don't run, separated by commas; "graph-exact" denotes all
   * passes that simplify the graph of the model. NULL: all run. */
  const char *disabled;
  const char *explain; /* remarks about passes, as in qn_run_options.explain; NULL: none */
  /* JIT only: directory of a code cache; created if it does not exist. Code is reused by the same
   * build of the library for the same model, options and CPU. Only this user may have write
   * permission to it. Any number of processes may share it. NULL: no cache. Models that were
   * changed after they were read, and models whose compilation reports a warning, are not cached.
   */
  const char *cache;
  size_t cache_bytes; /* maximum bytes of the cache directory; the least recently used entries are
                         removed */
  const qn_text_options *text; /* options for printing stages; NULL: the defaults */
  const char
      *section; /* objects and C: section of weights and tables; NULL: the default of the target */
  const char *code_section;  /* objects and C: section of functions; NULL: the default */
  const char *arena_section; /* headers: the value of SYMBOL_ARENA_SECTION, for the memory that the
                                caller gives; NULL: no such macro */
  /* Chains of operators run in bands of rows until the arena has at most so many bytes. If it still
   * has more: QN_LIMIT, reported at the operator with the most live bytes, except for printed
   * stages and the interpreter of other stages than loops. Ignored with keep_tensors; 0: no limit.
   */
  size_t arena_limit;
  qn_optimize optimize;
  /* The arena also has a place for each input and output, which other tensors use before the first
   * and after the last access, and the header has its offset. A caller that has the tensors there
   * needs no other memory for them; results do not depend on where they are. */
  int io_in_arena;
} qn_compile_options;
#define QN_COMPILE_OPTIONS_INIT                                                                    \
  {                                                                                                \
    sizeof(qn_compile_options), QN_ENGINE_JIT, QN_FORM_LOOPS, NULL, NULL, NULL, 0, NULL, NULL,     \
        NULL, NULL, (size_t)256 << 20, NULL, NULL, NULL, NULL, 0, QN_OPTIMIZE_BALANCED, 0          \
  }

/* The stage that a loaded model is at: MODEL, INTEGER or LOOPS. */
QN_API qn_form qn_model_stage(const qn_model *model);

typedef struct qn_executable qn_executable;

/* Compiles for this process; options may be NULL. The model is not changed and may be destroyed
 * afterwards; its context must outlive the executable. QN_UNSUPPORTED if this machine can't run
 * code for the CPU, or if the JIT would have to run text of the loops stage, whose memory accesses
 * are not proved safe. QN_INVALID if the model is beyond the requested stage. QN_NOT_FOUND for an
 * unknown CPU or feature. */
QN_API QN_NODISCARD qn_status qn_compile(const qn_model *model, const qn_compile_options *options,
                                         qn_executable **out_executable);

/* Checks that `symbol` is a valid identifier and that triple, CPU and features exist; reports those
 * that don't. For tools that check their command line early; the functions that use the options
 * check again. */
QN_API QN_NODISCARD qn_status qn_compile_options_check(qn_context *context,
                                                       const qn_compile_options *options);

/* Emits the model in a form: text, or the bytes of an object (freed with qn_free). A NUL follows,
 * which *out_size does not count. Options may be NULL; their engine and stage are ignored, and the
 * CPU need not be the host's. The same model and options give the same bytes. Errors are those of
 * qn_compile. */
QN_API QN_NODISCARD qn_status qn_emit_form(const qn_model *model, const qn_compile_options *options,
                                           qn_form form, char **out_bytes, size_t *out_size);
/* Like qn_model_inspect, for the code that these options produce: the memory figures depend on
 * their CPU. */
QN_API QN_NODISCARD qn_status qn_model_inspect_for(const qn_model *model,
                                                   const qn_compile_options *options,
                                                   char **out_json, size_t *out_size);
/* Emits the object, as qn_emit_form with QN_FORM_OBJECT, and the report of qn_model_inspect_for
 * with what this object takes of the target: sections, code per operator, and the stack of calls
 * (key "object"). Both results are freed with qn_free. */
QN_API QN_NODISCARD qn_status qn_emit_reported(const qn_model *model,
                                               const qn_compile_options *options, char **out_bytes,
                                               size_t *out_size, char **out_json,
                                               size_t *out_json_size);
/* The C header of the object that qn_emit_form makes with QN_FORM_OBJECT and the same options
 * (freed with qn_free). It declares SYMBOL_run and SYMBOL_invoke, and the sizes and quantization of
 * inputs and outputs. */
QN_API QN_NODISCARD qn_status qn_emit_header(const qn_model *model,
                                             const qn_compile_options *options, char **out_text,
                                             size_t *out_size);

/* Nonzero if this machine can execute code for a level; 0 for an unknown name. */
QN_API int qn_host_runs(const char *level);
/* Name of the best level that this machine supports (static storage). */
QN_API const char *qn_host_level(void);

#ifdef __cplusplus
}
#endif
#endif
