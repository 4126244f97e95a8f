/* Runs a compiled model. An instance is a model (from the JIT, linked, or in a shared object) with
 * the arena, states and threads to run it.
 *
 * One thread at a time may use an instance. Several instances of one model may run at the same
 * time, because the code keeps nothing and each instance has its own states. Only create,
 * set_threads and the first run of many batch elements (runtime/many.h) allocate.
 *
 * The caller's floating-point environment must be the default one (round to nearest, no flushing of
 * subnormals): generated code neither sets nor checks it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RUNTIME_MODEL_H
#define QN_RUNTIME_MODEL_H

#include <quern/base.h>

#include "runtime/abi.h"

typedef struct qn_instance qn_instance;

/* Creates an instance of `entry`, a borrowed descriptor, which must outlive the instance. Errors:
 * QN_INVALID for another ABI version; QN_UNSUPPORTED if this CPU can't run the code; QN_LIMIT if
 * there is no memory for the arena. States have their initial values, sizes their maximum. Prepares
 * the constants of the model. */
QN_NODISCARD qn_status qn_instance_create(const qn_abi_model *entry, qn_instance **out_instance);
/* Creates an instance of the same model that shares the prepared constants of `source`. The
 * instance that prepared them, which qn_instance_create made, must outlive it. `source` may run
 * meanwhile. Errors as for qn_instance_create. */
QN_NODISCARD qn_status qn_instance_clone(const qn_instance *source, qn_instance **out_instance);
void qn_instance_destroy(qn_instance *instance); /* NULL is allowed */

const qn_abi_model *qn_instance_entry(const qn_instance *instance);

/* Sets the number of threads for later invocations, including the caller's; initially 1. It is
 * limited to the CPUs that the process may use. On failure the old number stays. */
QN_NODISCARD qn_status qn_instance_set_threads(qn_instance *instance, uint32_t threads);
uint32_t qn_instance_threads(const qn_instance *instance);

/* ---- states: values that an invocation leaves for the next one ---- */

/* Sets all states to their initial values. */
void qn_instance_reset(qn_instance *instance);
/* The stored values of state k < state_count, which may be read and written between invocations.
 * entry->states[k] has their size. */
void *qn_instance_state(qn_instance *instance, uint32_t k);

/* ---- sizes: number of batch elements in the outermost dimension of tensors ---- */

/* Sets size k < size_count for later invocations. QN_INVALID outside of 1 .. its bound. */
QN_NODISCARD qn_status qn_instance_set_size(qn_instance *instance, uint32_t k, int64_t size);
int64_t qn_instance_size(const qn_instance *instance, uint32_t k);

/* Runs the model once. There is one pointer per input and output, to exactly the bytes of the
 * tensor (with the sizes that are set), in any alignment. Outputs overlap neither inputs nor each
 * other. Returns 0; or n > 0 if loop n - 1 of the model exceeds its limit, and outputs and states
 * are then unspecified. */
int32_t qn_instance_invoke(qn_instance *instance, const void *const *inputs, void *const *outputs);

/* Like qn_instance_invoke; also stores the seconds of each step in out_seconds[step_count]. */
int32_t qn_instance_profile(qn_instance *instance, const void *const *inputs, void *const *outputs,
                            double *out_seconds);

/* A callback for later invocations. It is called before each step starts, and in JIT code also
 * periodically in loops, with k = -1. It may end the invocation by longjmp; outputs and states are
 * then unspecified. NULL: none. */
typedef void qn_watch_fn(void *user, int64_t k);
void qn_instance_set_watch(qn_instance *instance, qn_watch_fn *watch, void *user);

/* Bytes of the probed tensor with the given sizes (one per size of the model). */
size_t qn_probe_bytes(const qn_abi_model *entry, const qn_abi_probe *probe,
                      const qn_abi_index *sizes);

/* Visits the tensors that the last invocation wrote, in execution order; none unless the model was
 * compiled with keep_tensors. `outputs` are those of that invocation. */
typedef void qn_probe_fn(void *user, int64_t index, const void *data, size_t bytes);
void qn_instance_probes(const qn_instance *instance, void *const *outputs, qn_probe_fn *visit,
                        void *user);

#endif
