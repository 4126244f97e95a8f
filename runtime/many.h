/* One model on many batch elements: threads share the elements, each with its own instance.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RUNTIME_MANY_H
#define QN_RUNTIME_MANY_H

#include "runtime/model.h"

/* The tensors of many batch elements. Element k of a tensor is k strides after the first. */
typedef struct qn_many {
  size_t count;
  const void *const *inputs;
  const ptrdiff_t *input_strides; /* bytes */
  void *const *outputs;
  const ptrdiff_t *output_strides;
} qn_many;

/* Stores the addresses of the tensors of batch element k. The counts are those of the model. */
void qn_many_entry(const qn_many *many, size_t k, uint32_t input_count, uint32_t output_count,
                   const void **out_inputs, void **out_outputs);

/* Has the results of `count` invocations with the sizes that are set. The threads of the instance
 * share the batch elements; each element runs in one thread. Only for models without states.
 * *out_loop is as the result of qn_instance_invoke, for one of the elements; other elements may
 * then not have been run. Returns QN_LIMIT, and runs nothing, if there is no memory for the
 * instances, which are kept for later calls. */
QN_NODISCARD qn_status qn_instance_invoke_many(qn_instance *instance, const qn_many *many,
                                               int32_t *out_loop);

typedef struct qn_crew qn_crew;
void qn_crew_destroy(qn_crew *crew); /* NULL is allowed */

#endif
