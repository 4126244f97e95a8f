/* One invocation, plain or with times, and access to the tensors that it wrote.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "runtime/clock.h"
#include "runtime/instance.h"

static int32_t invoke(const qn_instance *instance, const void *const *inputs, void *const *outputs,
                      void (*step)(void *user, qn_abi_index k), void *user) {
  qn_abi_call call = {.inputs = inputs,
                      .outputs = outputs,
                      .arena = instance->arena,
                      .states = instance->states,
                      .sizes = instance->sizes,
                      .parallel_for = instance->pool ? qn_pool_for : NULL,
                      .pool = instance->pool,
                      .step = step,
                      .user = user,
                      .prepared = instance->prepared};
  return instance->entry->invoke(&call);
}

int32_t qn_instance_invoke(qn_instance *instance, const void *const *inputs, void *const *outputs) {
  return invoke(instance, inputs, outputs, instance->watch, instance->watch_user);
}

void qn_instance_set_watch(qn_instance *instance, qn_watch_fn *watch, void *user) {
  instance->watch = watch;
  instance->watch_user = user;
}

typedef struct stopwatch {
  const qn_instance *instance;
  double *seconds;
  int64_t started; /* when the current step began */
  int64_t step;    /* index of the current step; -1: none */
} stopwatch;

static void note_step(void *user, qn_abi_index k) {
  stopwatch *watch = user;
  const qn_instance *instance = watch->instance;
  if (instance->watch) instance->watch(instance->watch_user, k);
  if (k < 0) return;
  const int64_t time = qn_nanoseconds();
  if (watch->step >= 0) watch->seconds[watch->step] += 1e-9 * (double)(time - watch->started);
  watch->started = time;
  watch->step = k;
}

int32_t qn_instance_profile(qn_instance *instance, const void *const *inputs, void *const *outputs,
                            double *out_seconds) {
  stopwatch watch = {.instance = instance, .seconds = out_seconds, .step = -1};
  for (uint32_t i = 0; i < instance->entry->step_count; i++) out_seconds[i] = 0;
  return invoke(instance, inputs, outputs, note_step, &watch);
}

size_t qn_probe_bytes(const qn_abi_model *entry, const qn_abi_probe *probe,
                      const qn_abi_index *sizes) {
  if (probe->size == 0) return (size_t)probe->bytes;
  int64_t k = probe->size - 1;
  return (size_t)(probe->bytes / (uint64_t)entry->sizes[k].bound * (uint64_t)sizes[k]);
}

void qn_instance_probes(const qn_instance *instance, void *const *outputs, qn_probe_fn *visit,
                        void *user) {
  const qn_abi_model *entry = instance->entry;
  for (uint32_t i = 0; i < entry->probe_count; i++) {
    const qn_abi_probe *probe = &entry->probes[i];
    const void *data = probe->offset == UINT64_MAX ? outputs[probe->output]
                                                   : (const char *)instance->arena + probe->offset;
    visit(user, probe->index, data, qn_probe_bytes(entry, probe, instance->sizes));
  }
}
