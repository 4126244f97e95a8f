/* Running what was compiled.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_EXECUTABLE_H
#define QUERN_EXECUTABLE_H

#include <quern/compile.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum qn_dtype {
  QN_DTYPE_I8 = 1, QN_DTYPE_U8, QN_DTYPE_I16, QN_DTYPE_I32, QN_DTYPE_I64, QN_DTYPE_F32, QN_DTYPE_BOOL,
} qn_dtype;
QN_API const char *qn_dtype_name(qn_dtype dtype); /* "int8", "uint8", "float32" ... as in numpy */

typedef struct qn_tensor_info {
  const char *name;
  qn_dtype dtype;
  uint32_t rank;
  const int64_t *dims;
  size_t bytes;
  double scale; /* 0: not quantized */
  int64_t zero_point;
  int64_t index; /* tensor number in the model file, -1 unknown */
} qn_tensor_info;

QN_API void qn_executable_destroy(qn_executable *executable);
QN_API uint32_t qn_executable_input_count(const qn_executable *executable);
QN_API uint32_t qn_executable_output_count(const qn_executable *executable);
/* The view lives as long as the executable. index < count. */
QN_API qn_tensor_info qn_executable_input(const qn_executable *executable, uint32_t index);
QN_API qn_tensor_info qn_executable_output(const qn_executable *executable, uint32_t index);

/* Sets the size of the thread pool (1: none). The bits of the results don't depend on it. */
QN_API QN_NODISCARD qn_status qn_executable_set_threads(qn_executable *executable, uint32_t threads);

/* Runs once. Buffers have exactly the tensors' bytes, row-major; outputs must not overlap inputs.
 * Does not allocate with the JIT engine. One call at a time per executable. */
QN_API QN_NODISCARD qn_status qn_executable_invoke(qn_executable *executable, const void *const *inputs,
                                                   void *const *outputs);

/* With keep_tensors: every tensor that an operator wrote in the last invocation, in order of
 * execution. The data lives until the next invocation. */
typedef void qn_tensor_fn(void *user, int64_t index, const void *data, size_t bytes);
QN_API QN_NODISCARD qn_status qn_executable_tensors(const qn_executable *executable, qn_tensor_fn *visit,
                                                    void *user);

/* Seconds per step (operator) of one profiled invocation. */
typedef struct qn_step_time { const char *name; int64_t macs; double seconds; } qn_step_time;
QN_API uint32_t qn_executable_step_count(const qn_executable *executable);
QN_API QN_NODISCARD qn_status qn_executable_profile(qn_executable *executable, const void *const *inputs,
                                                    void *const *outputs, qn_step_time *out_steps);

typedef struct qn_executable_stats {
  size_t arena_bytes, code_bytes;
  double lower_seconds, codegen_seconds; /* time spent compiling */
  const char *level, *cpu;
} qn_executable_stats;
QN_API qn_executable_stats qn_executable_get_stats(const qn_executable *executable);

/* What one core of this machine reaches with nothing but a level's dot-product instructions on
 * registers, measured now, in a few milliseconds. */
QN_API QN_NODISCARD qn_status qn_measure_peak(qn_context *context, const char *level,
                                              double *out_macs_per_second);

#ifdef __cplusplus
}
#endif
#endif
