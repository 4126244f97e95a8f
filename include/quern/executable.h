/* Running what was compiled.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_EXECUTABLE_H
#define QUERN_EXECUTABLE_H

#include <quern/compile.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "int8", "uint8", "float32" ... as in numpy; "unknown" for an invalid number. Static. */
QN_API const char *qn_dtype_name(qn_dtype dtype);

/* An input, an output or a state. Quantized: real value = scale * (stored value - zero_point). */
typedef struct qn_tensor_info {
  const char *name; /* in the model; may be empty */
  qn_dtype dtype;   /* of the stored values */
  uint32_t rank;
  const int64_t *dims; /* rank of them, outermost first, with the sizes that are set */
  size_t bytes;        /* of a row-major buffer without gaps */
  double scale;        /* 0: not quantized */
  int64_t zero_point;
  int64_t index; /* tensor number in the model file, -1 unknown */
  int32_t size;  /* number of the size that dims[size_dimension] is, -1: always the same */
  uint32_t size_dimension; /* those before it are 1 */
} qn_tensor_info;

QN_API void qn_executable_destroy(qn_executable *executable);

/* Makes an executable that shares the code and constants of `source` and owns its arena, states and
 * sizes. Clones and their source can be invoked at the same time, one thread each, without a lock.
 * The clone starts with the initial states, the largest sizes and one thread, whatever `source`
 * has. `context` receives the messages of the clone; NULL: the context of `source`. A context
 * belongs to one thread at a time, so a clone for another thread needs a context of its own.
 * Lifetime: the executable that qn_compile made, and its context, must outlive all clones; a clone
 * of a clone depends on the same executable. Threads: `source` is only read. It may be invoked, but
 * not destroyed, at the same time. Errors: QN_UNSUPPORTED with the interpreter, QN_LIMIT without
 * memory for arena and states. */
QN_API QN_NODISCARD qn_status qn_executable_clone(const qn_executable *source,
                                                  qn_context *context_or_null,
                                                  qn_executable **out_executable);

QN_API uint32_t qn_executable_input_count(const qn_executable *executable);
QN_API uint32_t qn_executable_output_count(const qn_executable *executable);
/* What it points to lives as long as the executable. index < count. */
QN_API qn_tensor_info qn_executable_input(const qn_executable *executable, uint32_t index);
QN_API qn_tensor_info qn_executable_output(const qn_executable *executable, uint32_t index);

/* ---- states: what an invocation leaves for the next one ---- */

/* Stored values that the model reads in an invocation and replaces in it. After qn_compile they are
 * as after a reset. Each executable has its own. */
QN_API uint32_t qn_executable_state_count(const qn_executable *executable);
QN_API qn_tensor_info qn_executable_state(const qn_executable *executable, uint32_t index);
/* The initial values of the model, zeros where it has none. */
QN_API void qn_executable_reset(qn_executable *executable);
/* Copies the stored values of one out or in, info.bytes of them. index < count. */
QN_API void qn_executable_read_state(const qn_executable *executable, uint32_t index, void *out);
QN_API void qn_executable_write_state(qn_executable *executable, uint32_t index, const void *from);

/* ---- sizes: dimensions that each invocation may have again ---- */

typedef struct qn_size_info {
  const char *name;
  int64_t bound; /* memory is planned for this one */
  int64_t size;  /* 1 .. bound; at first the bound */
} qn_size_info;
QN_API uint32_t qn_executable_size_count(const qn_executable *executable);
QN_API qn_size_info qn_executable_size(const qn_executable *executable, uint32_t index);
/* For later invocations. It changes dims and bytes of the tensors that have it. QN_INVALID, with a
 * message, outside of 1 .. bound: the old size stays. index < count. */
QN_API QN_NODISCARD qn_status qn_executable_set_size(qn_executable *executable, uint32_t index,
                                                     int64_t size);

/* Sets how many threads work on an invocation, the caller included; 1, as at first: no others. More
 * than the CPUs of this process are cut. The bits of the results don't depend on it. QN_INVALID for
 * 0, QN_LIMIT when threads can't be started: the old number stays. */
QN_API QN_NODISCARD qn_status qn_executable_set_threads(qn_executable *executable,
                                                        uint32_t threads);

/* Runs the model once. `inputs` and `outputs` have one buffer per tensor, of exactly the tensor's
 * bytes, row-major, with any alignment. Outputs must overlap neither inputs nor each other. The
 * floating-point environment must be the default one.
 * Errors: QN_LIMIT with a diagnostic if the loops of the model exceed their iteration limit, or the
 * call the time limit (quern/context.h); outputs and states are unspecified then. The JIT engine
 * has no other error and allocates nothing. Threads: one call at a time per executable. */
QN_API QN_NODISCARD qn_status qn_executable_invoke(qn_executable *executable,
                                                   const void *const *inputs, void *const *outputs);

/* Runs the model on many entries: entry k of a tensor is k * stride bytes after the first (a
 * stride may be negative, and 0 gives all entries one input). The results are those of `count`
 * invocations in order. The threads that are set share the entries out, each with an arena of its
 * own that is kept for the next time; entries of a model with states, of one that keeps tensors,
 * and those under a limit of time follow one another instead.
 * Errors: as of qn_executable_invoke, outputs and states are then unspecified; QN_LIMIT with a
 * diagnostic when there is no memory for the arenas. Outputs must overlap neither inputs nor each
 * other, in no entry. Threads: one call at a time per executable. */
QN_API QN_NODISCARD qn_status qn_executable_invoke_many(qn_executable *executable, size_t count,
                                                        const void *const *inputs,
                                                        const ptrdiff_t *input_strides,
                                                        void *const *outputs,
                                                        const ptrdiff_t *output_strides);

/* Visits every tensor that an operator wrote in the last invocation, in order of execution. `index`
 * is its number in the model file. The data is the executable's own and lives until its next
 * invocation, whatever became of the caller's inputs and outputs. QN_UNSUPPORTED without
 * keep_tensors or an invocation. */
typedef void qn_tensor_fn(void *user, int64_t index, const void *data, size_t bytes);
QN_API QN_NODISCARD qn_status qn_executable_tensors(const qn_executable *executable,
                                                    qn_tensor_fn *visit, void *user);

/* Called with what an operator wrote, before another one reads it: answers the bytes, as many, that
 * are read instead, or NULL for those that were written. It calls nothing of this API. */
typedef const void *qn_replace_fn(void *user, int64_t index, const void *data, size_t bytes);
/* Has it called in invocations to come, NULL as at first: not at all. What is visited afterwards is
 * what the operators wrote, each on the replaced tensors; so one operator's own error is told from
 * what it inherits. QN_UNSUPPORTED but for the interpreter at the model and integer stages. */
QN_API QN_NODISCARD qn_status qn_executable_replace_tensors(qn_executable *executable,
                                                            qn_replace_fn *replace_or_null,
                                                            void *user);

/* One launch of a kernel. An operator may have several. */
typedef struct qn_step_time {
  const char *name; /* location of the operator; lives as long as the executable */
  int64_t macs;     /* multiply-accumulates */
  int64_t bytes;    /* of the tensors and constants that it reads and writes */
  double seconds;
} qn_step_time;
/* 0 with the interpreter. */
QN_API uint32_t qn_executable_step_count(const qn_executable *executable);

/* What is multiplied: activations of 8 bits (with weights of 4 or 8), of 16 bits, or floats. */
typedef enum qn_factor { QN_FACTOR_I8, QN_FACTOR_I16, QN_FACTOR_F32, QN_FACTOR_COUNT } qn_factor;

/* What a launch is for. It lives as long as the executable. */
typedef struct qn_step_info {
  const char *name;   /* location of the operator, as in qn_step_time */
  const char *kernel; /* the function in the loops stage; launches of one shape share one */
  const char
      *shapes; /* "1x8x8x16, 32x3x3x16 -> 1x8x8x32": what is read, weights, what is written */
  const char *const *followers; /* operators whose work the same kernel does after its own */
  uint32_t follower_count;
  int64_t macs;          /* multiply-accumulates, */
  qn_factor factor;      /* of these */
  size_t value_bytes;    /* of buffers of tensors that it is given */
  size_t constant_bytes; /* of weights and tables */
} qn_step_info;
/* index < step_count. */
QN_API qn_step_info qn_executable_step(const qn_executable *executable, uint32_t index);

/* Runs once and fills step_count rows. QN_UNSUPPORTED with the interpreter. */
QN_API QN_NODISCARD qn_status qn_executable_profile(qn_executable *executable,
                                                    const void *const *inputs, void *const *outputs,
                                                    qn_step_time *out_steps);

typedef struct qn_executable_stats {
  size_t arena_bytes; /* scratch memory of an invocation; 0 at the model and integer stages */
  size_t code_bytes;  /* code and constants; 0 with the interpreter */
  double lower_seconds, codegen_seconds; /* time spent compiling */
  const char *level, *cpu; /* that it was compiled for; they live as long as the context */
  int cached;              /* the code was found in the folder of qn_compile_options.cache */
} qn_executable_stats;
QN_API qn_executable_stats qn_executable_get_stats(const qn_executable *executable);

/* What one core of this machine reaches with nothing but a level's dot-product instructions on
 * registers, measured now, in a few milliseconds: 8-bit multiply-accumulates per second.
 * QN_NOT_FOUND for a name that is no level, QN_UNSUPPORTED for one that this machine lacks. */
QN_API QN_NODISCARD qn_status qn_measure_peak(qn_context *context, const char *level,
                                              double *out_macs_per_second);

typedef struct qn_memory_level {
  const char *name;        /* "L1", "L2", "L3" or "memory"; static */
  size_t bytes;            /* that it holds for one core; SIZE_MAX: of memory */
  double bytes_per_second; /* that one core reads of it */
} qn_memory_level;
typedef struct qn_machine {
  char cpu[64];                            /* as it calls itself; "unknown" */
  double clock_hertz;                      /* of a busy core */
  double macs_per_second[QN_FACTOR_COUNT]; /* as of qn_measure_peak, which is that of bytes */
  uint32_t level_count; /* of memory, the nearest first; what is unknown or huge is left out */
  qn_memory_level levels[4];
} qn_machine;
/* Measures this machine with code for a level, in a fraction of a second. Errors as of
 * qn_measure_peak. */
QN_API QN_NODISCARD qn_status qn_measure_machine(qn_context *context, const char *level,
                                                 qn_machine *out_machine);

#ifdef __cplusplus
}
#endif
#endif
