/* Internal definition of an executable: its signature, and the engine as a table of functions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_EXECUTABLE_H
#define QN_API_EXECUTABLE_H

#include "api/api.h"
#include "runtime/many.h"
#include "runtime/model.h"

typedef struct qn_engine_ops {
  qn_status (*set_threads)(qn_executable *executable, uint32_t threads);
  qn_status (*invoke)(qn_executable *executable, const void *const *inputs, void *const *outputs);
  /* Runs several batch elements in several threads, for models without states; NULL if
   * unsupported. */
  qn_status (*invoke_many)(qn_executable *executable, const qn_many *many);
  uint32_t (*threads)(const qn_executable *executable); /* number of threads; NULL: one */
  qn_status (*profile)(qn_executable *executable, const void *const *inputs, void *const *outputs,
                       qn_step_time *out_steps);
  void *(*state)(const qn_executable *executable,
                 uint32_t index); /* stored values of state `index` */
  void (*reset)(qn_executable *executable);
  qn_status (*set_size)(qn_executable *executable, uint32_t index, int64_t size);
  void (*tensors)(const qn_executable *executable, qn_tensor_fn *visit, void *user);
  void (*destroy)(qn_executable *executable);
  /* Frees resources outside of base/heap.h, if the call that creates the executable is aborted. */
  void (*release)(qn_executable *executable);
  bool (*can_replace)(const qn_executable *executable); /* NULL: no */
  /* Initializes a zeroed executable like the create function, but shares the code of `source`; NULL
   * if unsupported. */
  qn_status (*clone)(const qn_executable *source, qn_executable *executable);
} qn_engine_ops;

struct qn_executable {
  const qn_engine_ops *engine;
  qn_context *context;
  qn_arena arena; /* owns the signature and what the engine allocates */
  qn_signature signature;
  bool keep_tensors;
  uint32_t step_count;
  const qn_step_info *steps;
  qn_executable_stats stats;
  void *state;         /* data of the engine */
  void **ports;        /* addresses of the buffers of one batch element: inputs, then outputs */
  void **kept_outputs; /* with keep_tensors: buffers that outputs are computed in, because kept
                          tensors may be outputs */
  bool invoked;
  qn_replace_fn *replace; /* callback that replaces tensors; NULL if none */
  void *replace_user;
};

/* Both initialize the engine, state, signature, steps and stats of a zeroed executable. */
QN_NODISCARD qn_status qn_engine_jit_create(qn_executable *executable, const qn_model *model,
                                            const qn_compile_options *options);
QN_NODISCARD qn_status qn_engine_interpreter_create(qn_executable *executable,
                                                    const qn_model *model,
                                                    const qn_compile_options *options);

/* Converts the result of an entry point: QN_OK, or QN_LIMIT, reported at the loop that exceeded its
 * limit of iterations. */
qn_status qn_loops_ended(qn_diag_engine *diag, const qn_abi_model *entry, int32_t loop);
/* Lets the next invocation, which runs within a guard, end if the time limit of the context passes.
 * Without a time limit this has no cost. */
void qn_watch_time(const qn_context *context, qn_instance *instance);
/* The signature that an ABI descriptor describes. */
void qn_signature_of_abi(const qn_abi_model *entry, qn_arena *arena, qn_signature *out_signature);

/* Describes the kernel launches of a loops-stage module, from their attributes. Allocated in
 * `arena`. */
qn_step_info *qn_steps_read(const qn_module *loops, qn_arena *arena);

/* The target that the options specify. The interpreter accepts every level, also levels that this
 * machine can't run. */
QN_NODISCARD qn_status qn_resolve_target(qn_context *context, const qn_compile_options *options,
                                         qn_codegen_target *out_target);

#endif
