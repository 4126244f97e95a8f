/* Executables: compiled models, which run in this process.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_EXECUTABLE_H
#define QUERN_EXECUTABLE_H

#include <quern/compile.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Name of a dtype as in numpy: "int8", "uint8", "float32" ...; "unknown" for an invalid value.
 * Static storage. */
QN_API const char *qn_dtype_name(qn_dtype dtype);

/* An input, an output or a state. If it is quantized, real value = scale * (stored value -
 * zero_point). */
typedef struct qn_tensor_info {
  const char *name; /* name in the model; may be empty */
  qn_dtype dtype;   /* type of the stored values */
  uint32_t rank;
  const int64_t *dims; /* [rank] dimensions, outermost first, with the sizes that are set */
  size_t bytes;        /* bytes of a row-major buffer without gaps */
  double scale;        /* 0: not quantized */
  int64_t zero_point;
  int64_t index; /* tensor index in the model file; -1 if unknown */
  int32_t size;  /* index of the size of dims[size_dimension]; -1 if all dimensions are static */
  uint32_t size_dimension; /* the dynamic dimension; all dimensions before it are 1 */
} qn_tensor_info;

QN_API void qn_executable_destroy(qn_executable *executable);

/* Makes an executable that shares the code and constants of `source`, also those that were prepared
 * when it was made, and has its own arena, states and sizes. Clones and their source can be invoked
 * at the same time, one thread each, without a lock. The clone starts with the initial states, the
 * largest sizes and one thread, whatever `source` has. `context` receives the messages of the
 * clone; NULL: the context of `source`. A context belongs to one thread at a time, so a clone for
 * another thread needs its own context.
 *
 * Lifetime: the executable that qn_compile made, and its context, must outlive all clones. A clone
 * of a clone depends on the same executable. Threads: `source` is only read. It may be invoked, but
 * not destroyed, at the same time. Errors: QN_UNSUPPORTED with the interpreter; QN_LIMIT if there
 * is no memory for arena and states. */
QN_API QN_NODISCARD qn_status qn_executable_clone(const qn_executable *source,
                                                  qn_context *context_or_null,
                                                  qn_executable **out_executable);

QN_API uint32_t qn_executable_input_count(const qn_executable *executable);
QN_API uint32_t qn_executable_output_count(const qn_executable *executable);
/* Description of one input or output; index < count. Its pointers are valid as long as the
 * executable. */
QN_API qn_tensor_info qn_executable_input(const qn_executable *executable, uint32_t index);
QN_API qn_tensor_info qn_executable_output(const qn_executable *executable, uint32_t index);

/* ---- states: values that an invocation leaves for the next one ---- */

/* A state is a tensor of stored values that an invocation reads and replaces. After qn_compile,
 * states have their initial values. Each executable has its own states. */
QN_API uint32_t qn_executable_state_count(const qn_executable *executable);
QN_API qn_tensor_info qn_executable_state(const qn_executable *executable, uint32_t index);
/* Sets all states to their initial values: those of the model, or zeros if it has none. */
QN_API void qn_executable_reset(qn_executable *executable);
/* Copy the stored values of one state to `out` or from `from`: info.bytes bytes. index < count. */
QN_API void qn_executable_read_state(const qn_executable *executable, uint32_t index, void *out);
QN_API void qn_executable_write_state(qn_executable *executable, uint32_t index, const void *from);

/* ---- sizes: dynamic dimensions, which may change from one invocation to the next ---- */

typedef struct qn_size_info {
  const char *name;
  int64_t bound; /* maximum size, for which memory is planned */
  int64_t size;  /* current size, 1 .. bound; initially the bound */
} qn_size_info;
QN_API uint32_t qn_executable_size_count(const qn_executable *executable);
QN_API qn_size_info qn_executable_size(const qn_executable *executable, uint32_t index);
/* Sets a size for later invocations, which changes dims and bytes of the tensors that have it.
 * index < count. QN_INVALID, with a message, if `size` is outside of 1 .. bound; the old size
 * stays. */
QN_API QN_NODISCARD qn_status qn_executable_set_size(qn_executable *executable, uint32_t index,
                                                     int64_t size);

/* Sets the number of threads of an invocation, including the caller's; initially 1. It is limited
 * to the CPUs that the process may use. Results do not depend on it. Errors: QN_INVALID for 0;
 * QN_LIMIT if threads can't be started. The old number stays then. */
QN_API QN_NODISCARD qn_status qn_executable_set_threads(qn_executable *executable,
                                                        uint32_t threads);

/* Runs the model once. `inputs` and `outputs` have one buffer per tensor, of exactly the tensor's
 * bytes, row-major, with any alignment. Outputs must overlap neither inputs nor each other. The
 * floating-point environment must be the default one.
 *
 * Errors: QN_LIMIT with a diagnostic if the loops of the model exceed their iteration limit, or the
 * call exceeds the time limit (quern/context.h); outputs and states are unspecified then. The JIT
 * engine has no other error and allocates nothing. Threads: one call at a time per executable. */
QN_API QN_NODISCARD qn_status qn_executable_invoke(qn_executable *executable,
                                                   const void *const *inputs, void *const *outputs);

/* Runs the model on `count` batch elements. Element k of a tensor is k * stride bytes after the
 * first. A stride may be negative; with stride 0 all elements share one input. The results are
 * those of `count` invocations in order. The threads of the executable share the batch elements,
 * each with its own arena, which is kept for later calls. Batch elements run one after the other if
 * the model has states, if it keeps tensors, or if there is a time limit.
 *
 * Errors: as for qn_executable_invoke; and QN_LIMIT with a diagnostic if there is no memory for the
 * arenas. After an error, outputs and states are unspecified. Outputs must overlap neither inputs
 * nor each other, in any batch element. Threads: one call at a time per executable. */
QN_API QN_NODISCARD qn_status qn_executable_invoke_many(qn_executable *executable, size_t count,
                                                        const void *const *inputs,
                                                        const ptrdiff_t *input_strides,
                                                        void *const *outputs,
                                                        const ptrdiff_t *output_strides);

/* Visits every tensor that an operator wrote in the last invocation, in execution order. `index` is
 * the tensor's index in the model file. The data belongs to the executable and is valid until its
 * next invocation, also after the caller's inputs and outputs are freed. QN_UNSUPPORTED without
 * keep_tensors, or before the first invocation. */
typedef void qn_tensor_fn(void *user, int64_t index, const void *data, size_t bytes);
QN_API QN_NODISCARD qn_status qn_executable_tensors(const qn_executable *executable,
                                                    qn_tensor_fn *visit, void *user);

/* Called after an operator has written a tensor and before another operator reads it. Returns bytes
 * of the same size, which are read instead; NULL: the written bytes are read. Must not call
 * functions of this API. */
typedef const void *qn_replace_fn(void *user, int64_t index, const void *data, size_t bytes);
/* Sets the callback for later invocations; initially NULL, none. qn_executable_tensors then visits
 * what each operator wrote, computed from the replaced tensors. This separates an operator's own
 * error from inherited error. QN_UNSUPPORTED except for the interpreter at the model and integer
 * stages. */
QN_API QN_NODISCARD qn_status qn_executable_replace_tensors(qn_executable *executable,
                                                            qn_replace_fn *replace_or_null,
                                                            void *user);

/* One launch of a kernel. An operator may have several. */
typedef struct qn_step_time {
  const char *name; /* location of the operator; lives as long as the executable */
  int64_t macs;     /* multiply-accumulates */
  int64_t bytes;    /* bytes of the tensors and constants that it reads and writes */
  double seconds;
} qn_step_time;
/* Number of launches of an invocation; 0 with the interpreter. */
QN_API uint32_t qn_executable_step_count(const qn_executable *executable);

/* Types of the factors that are multiplied: 8-bit activations (with 8-bit or 4-bit weights), 16-bit
 * activations, floats. */
typedef enum qn_factor { QN_FACTOR_I8, QN_FACTOR_I16, QN_FACTOR_F32, QN_FACTOR_COUNT } qn_factor;

/* Description of a launch. Its pointers are valid as long as the executable. */
typedef struct qn_step_info {
  const char *name;   /* location of the operator, as in qn_step_time */
  const char *kernel; /* the function in the loops stage; launches of one shape share one */
  const char *shapes; /* "1x8x8x16, 32x3x3x16 -> 1x8x8x32": input, weights, result */
  const char *const *followers; /* fused post-ops: operators that the kernel also computes */
  uint32_t follower_count;
  int64_t macs;          /* multiply-accumulates of a call, */
  qn_factor factor;      /* of these */
  size_t value_bytes;    /* bytes of the kernel's tensor buffers, and */
  size_t constant_bytes; /* bytes of its weights and tables; in a loop over a batch those of all
                            groups */
} qn_step_info;
/* The launch at `index`, which must be less than step_count. */
QN_API qn_step_info qn_executable_step(const qn_executable *executable, uint32_t index);

/* Runs the model once and fills out_steps[step_count]. QN_UNSUPPORTED with the interpreter. */
QN_API QN_NODISCARD qn_status qn_executable_profile(qn_executable *executable,
                                                    const void *const *inputs, void *const *outputs,
                                                    qn_step_time *out_steps);

typedef struct qn_executable_stats {
  size_t arena_bytes; /* scratch memory of an invocation; 0 at the model and integer stages */
  size_t code_bytes;  /* code and constants; 0 with the interpreter */
  double lower_seconds, codegen_seconds; /* time spent compiling */
  const char *level, *cpu; /* for which the code was compiled; valid as long as the context */
  int cached;              /* the code was found in the directory qn_compile_options.cache */
} qn_executable_stats;
QN_API qn_executable_stats qn_executable_get_stats(const qn_executable *executable);

/* Measures the peak of one core of this machine with the dot-product instructions of a level, all
 * operands in registers: 8-bit multiply-accumulates per second. Takes a few milliseconds. Errors:
 * QN_NOT_FOUND if `level` does not exist; QN_UNSUPPORTED if this machine lacks it. */
QN_API QN_NODISCARD qn_status qn_measure_peak(qn_context *context, const char *level,
                                              double *out_macs_per_second);

typedef struct qn_memory_level {
  const char *name;        /* "L1", "L2", "L3" or "memory"; static */
  size_t bytes;            /* capacity available to one core; SIZE_MAX for "memory" */
  double bytes_per_second; /* read bandwidth of one core */
} qn_memory_level;
typedef struct qn_machine {
  char cpu[64];                            /* name that the CPU reports, or "unknown" */
  double clock_hertz;                      /* clock of a busy core */
  double macs_per_second[QN_FACTOR_COUNT]; /* peak by type of factors; for bytes that of
                                              qn_measure_peak */
  uint32_t level_count; /* levels of memory, nearest first; unknown or huge ones are omitted */
  qn_memory_level levels[4];
} qn_machine;
/* Measures this machine with code for a level, in a fraction of a second. Errors as for
 * qn_measure_peak. */
QN_API QN_NODISCARD qn_status qn_measure_machine(qn_context *context, const char *level,
                                                 qn_machine *out_machine);

#ifdef __cplusplus
}
#endif
#endif
