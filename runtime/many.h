/* One model on many entries: threads share the entries out, each with an instance of its own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RUNTIME_MANY_H
#define QN_RUNTIME_MANY_H

#include "runtime/model.h"

/* Entry k of a tensor is k strides after the first. */
typedef struct qn_many {
  size_t count;
  const void *const *inputs;
  const ptrdiff_t *input_strides; /* bytes */
  void *const *outputs;
  const ptrdiff_t *output_strides;
} qn_many;

/* Where the tensors of entry k lie: of so many inputs and outputs. */
void qn_many_entry(const qn_many *many, size_t k, uint32_t input_count, uint32_t output_count,
                   const void **out_inputs, void **out_outputs);

/* As that many invocations with the sizes that are set, by the threads that are set, of which each
 * does whole entries. For entries without states. *out_loop is as of qn_instance_invoke, for one of
 * the entries; the others may then not have been run. QN_LIMIT, and nothing was run, when there is
 * no memory for the instances, which are kept for the next time. */
QN_NODISCARD qn_status qn_instance_invoke_many(qn_instance *instance, const qn_many *many,
                                               int32_t *out_loop);

typedef struct qn_crew qn_crew;
void qn_crew_destroy(qn_crew *crew); /* NULL is allowed */

#endif
