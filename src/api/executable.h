/* Inside an executable: the signature, and an engine after a small table of functions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_EXECUTABLE_H
#define QN_API_EXECUTABLE_H

#include "api/api.h"
#include "runtime/model.h"

typedef struct qn_engine_ops {
  qn_status (*set_threads)(qn_executable *executable, uint32_t threads);
  qn_status (*invoke)(qn_executable *executable, const void *const *inputs, void *const *outputs);
  qn_status (*profile)(qn_executable *executable, const void *const *inputs, void *const *outputs,
                       qn_step_time *out_steps);
  void *(*state)(const qn_executable *executable, uint32_t index); /* the stored values of one */
  void (*reset)(qn_executable *executable);
  qn_status (*set_size)(qn_executable *executable, uint32_t index, int64_t size);
  void (*tensors)(const qn_executable *executable, qn_tensor_fn *visit, void *user);
  void (*destroy)(qn_executable *executable);
  /* What the engine holds that is not of base/heap.h, when the call that makes it is aborted. */
  void (*release)(qn_executable *executable);
  bool (*can_replace)(const qn_executable *executable); /* NULL: no */
  /* Fills what create fills, of a zeroed executable, on the code of `source`; NULL: unsupported. */
  qn_status (*clone)(const qn_executable *source, qn_executable *executable);
} qn_engine_ops;

struct qn_executable {
  const qn_engine_ops *engine;
  qn_context *context;
  qn_arena arena; /* the signature and what belongs to the engine */
  qn_signature signature;
  bool keep_tensors;
  uint32_t step_count;
  const qn_step_info *steps;
  qn_executable_stats stats;
  void *state; /* of the engine */
  void *
      *kept_outputs; /* with keep_tensors: where outputs are made, as kept tensors may be outputs */
  bool invoked;
  qn_replace_fn *replace; /* or NULL */
  void *replace_user;
};

/* Each fills engine, state, signature, steps and stats of a zeroed executable. */
QN_NODISCARD qn_status qn_engine_jit_create(qn_executable *executable, const qn_model *model,
                                            const qn_compile_options *options);
QN_NODISCARD qn_status qn_engine_interpreter_create(qn_executable *executable,
                                                    const qn_model *model,
                                                    const qn_compile_options *options);

/* What an entry point says: QN_OK, or QN_LIMIT, reported at the loop that would go on for ever. */
qn_status qn_loops_ended(qn_diag_engine *diag, const qn_abi_model *entry, int32_t loop);
/* Has the next invocation, which is within a guard, end when the time of the context is over.
 * Without a limit of time it costs nothing. */
void qn_watch_time(const qn_context *context, qn_instance *instance);
/* A signature out of an ABI descriptor. */
void qn_signature_of_abi(const qn_abi_model *entry, qn_arena *arena, qn_signature *out_signature);

/* What the launches of a loops-stage module say about themselves; in `arena`. */
qn_step_info *qn_steps_read(const qn_module *loops, qn_arena *arena);

/* Target of the options; for the interpreter any level, whatever the machine. */
QN_NODISCARD qn_status qn_resolve_target(qn_context *context, const qn_compile_options *options,
                                         qn_codegen_target *out_target);

#endif
