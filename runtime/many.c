/* A set of instances, one per thread. A thread takes an instance for a part of the batch elements,
 * and puts it back afterwards.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "runtime/many.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/instance.h"

typedef struct member {
  qn_instance *instance; /* an instance without a pool */
  void **ports;          /* inputs, then outputs, of the current batch element */
} member;

struct qn_crew {
  pthread_mutex_t mutex; /* protects the following fields */
  uint32_t free_count, count;
  member **free; /* instances that no thread uses */
  member members[];
};

/* ---- life ---- */

void qn_crew_destroy(qn_crew *crew) {
  if (!crew) return;
  for (uint32_t i = 0; i < crew->count; i++) {
    qn_instance_destroy(crew->members[i].instance);
    free(crew->members[i].ports);
  }
  pthread_mutex_destroy(&crew->mutex);
  free(crew->free);
  free(crew);
}

static bool join(qn_crew *crew, const qn_instance *source) {
  const qn_abi_model *entry = source->entry;
  member *m = &crew->members[crew->count++];
  m->ports = calloc((size_t)entry->input_count + entry->output_count + 1, sizeof *m->ports);
  crew->free[crew->free_count++] = m;
  return m->ports && qn_instance_clone(source, &m->instance) == QN_OK;
}

static qn_crew *make_crew(const qn_instance *source, uint32_t count) {
  qn_crew *crew = calloc(1, sizeof *crew + count * sizeof *crew->members);
  member **unused = calloc(count, sizeof *unused);
  if (!crew || !unused) {
    free(crew);
    free(unused);
    return NULL;
  }
  pthread_mutex_init(&crew->mutex, NULL);
  crew->free = unused;
  while (crew->count < count)
    if (!join(crew, source)) {
      qn_crew_destroy(crew);
      return NULL;
    }
  return crew;
}

/* ---- work ---- */

static member *take(qn_crew *crew) {
  pthread_mutex_lock(&crew->mutex);
  member *m = crew->free[--crew->free_count]; /* never empty: there are at most as many parts in
                                                 progress as threads */
  pthread_mutex_unlock(&crew->mutex);
  return m;
}

static void put_back(qn_crew *crew, member *m) {
  pthread_mutex_lock(&crew->mutex);
  crew->free[crew->free_count++] = m;
  pthread_mutex_unlock(&crew->mutex);
}

void qn_many_entry(const qn_many *many, size_t k, uint32_t input_count, uint32_t output_count,
                   const void **out_inputs, void **out_outputs) {
  for (uint32_t i = 0; i < input_count; i++)
    out_inputs[i] = (const char *)many->inputs[i] + (ptrdiff_t)k * many->input_strides[i];
  for (uint32_t i = 0; i < output_count; i++)
    out_outputs[i] = (char *)many->outputs[i] + (ptrdiff_t)k * many->output_strides[i];
}

typedef struct job {
  const qn_many *many;
  qn_crew *crew;
  atomic_int loop; /* number of a loop that exceeded its limit; 0: none so far */
} job;

static void run_part(void *const *args, qn_abi_index lo, qn_abi_index hi) {
  job *j = args[0];
  member *m = take(j->crew);
  const qn_abi_model *entry = m->instance->entry;
  const void **inputs = (const void **)m->ports;
  void **outputs = m->ports + entry->input_count;
  for (int64_t k = lo; k < hi && atomic_load(&j->loop) == 0; k++) {
    qn_many_entry(j->many, (size_t)k, entry->input_count, entry->output_count, inputs, outputs);
    int32_t loop = qn_instance_invoke(m->instance, inputs, outputs);
    if (loop) atomic_store(&j->loop, loop);
  }
  put_back(j->crew, m);
}

qn_status qn_instance_invoke_many(qn_instance *instance, const qn_many *many, int32_t *out_loop) {
  const qn_abi_model *entry = instance->entry;
  if (!instance->crew) instance->crew = make_crew(instance, qn_instance_threads(instance));
  if (!instance->crew) return QN_LIMIT;
  for (uint32_t i = 0; i < instance->crew->count; i++)
    memcpy(instance->crew->members[i].instance->sizes, instance->sizes,
           entry->size_count * sizeof *instance->sizes);
  job j = {many, instance->crew, 0};
  void *args[] = {&j};
  if (instance->pool)
    qn_pool_for(instance->pool, run_part, args, (qn_abi_index)many->count);
  else
    run_part(args, 0, (qn_abi_index)many->count);
  *out_loop = atomic_load(&j.loop);
  return QN_OK;
}
