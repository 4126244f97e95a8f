/* Running a compiled model: an entry (from the JIT, or linked, or in a shared object) together with
 * the arena and threads to run it with.
 *
 * An instance belongs to one thread at a time; several instances of one entry may run at once, for
 * the code keeps nothing and each has states of its own. Nothing but create, set_threads and
 * the first run of many entries (runtime/many.h) allocates.
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

/* `entry` (borrowed) must outlive the instance. QN_INVALID when it is of another ABI version,
 * QN_UNSUPPORTED when this CPU can't run it, QN_LIMIT when there is no memory for its arena. The
 * states are as after a reset, the sizes the largest. */
QN_NODISCARD qn_status qn_instance_create(const qn_abi_model *entry, qn_instance **out_instance);
void qn_instance_destroy(qn_instance *instance); /* NULL is allowed */

const qn_abi_model *qn_instance_entry(const qn_instance *instance);

/* Threads for later invocations, the caller included; 1: none (the state after create). More than
 * the CPUs of this process are cut. On failure the old number stays. */
QN_NODISCARD qn_status qn_instance_set_threads(qn_instance *instance, uint32_t threads);
uint32_t qn_instance_threads(const qn_instance *instance);

/* ---- states: what an invocation leaves for the next one ---- */

/* As before the first invocation. */
void qn_instance_reset(qn_instance *instance);
/* The stored values of state k < state_count, to read or write between invocations;
 * entry->states[k] says how many bytes. */
void *qn_instance_state(qn_instance *instance, uint32_t k);

/* ---- sizes: how many entries the outermost dimension of tensors has ---- */

/* For later invocations, of size k < size_count. QN_INVALID outside of 1 .. its bound. */
QN_NODISCARD qn_status qn_instance_set_size(qn_instance *instance, uint32_t k, int64_t size);
int64_t qn_instance_size(const qn_instance *instance, uint32_t k);

/* Runs the model once. One pointer per input and output, to exactly the bytes of the tensor (with
 * the sizes that are set), in any alignment; outputs overlap neither inputs nor each other. 0; or
 * n, when loop n - 1 of the entry would go on beyond its limit: outputs and states are then
 * unspecified. */
int32_t qn_instance_invoke(qn_instance *instance, const void *const *inputs, void *const *outputs);

/* The same, with the seconds that each step took (step_count of them). */
int32_t qn_instance_profile(qn_instance *instance, const void *const *inputs, void *const *outputs,
                            double *out_seconds);

/* For later invocations: is told before each step starts, and with k = -1 now and then in a loop of
 * code just in time. It may end the invocation by jumping out of it: outputs and states are then
 * unspecified. NULL: no watcher. */
typedef void qn_watch_fn(void *user, int64_t k);
void qn_instance_set_watch(qn_instance *instance, qn_watch_fn *watch, void *user);

/* Bytes of what a probe is of, with the sizes that are set (one per size of the entry). */
size_t qn_probe_bytes(const qn_abi_model *entry, const qn_abi_probe *probe,
                      const qn_abi_index *sizes);

/* Visits the tensors that the last invocation wrote, in order of execution (none unless the entry
 * was compiled with keep_tensors). `outputs` are those of that invocation. */
typedef void qn_probe_fn(void *user, int64_t index, const void *data, size_t bytes);
void qn_instance_probes(const qn_instance *instance, void *const *outputs, qn_probe_fn *visit,
                        void *user);

#endif
