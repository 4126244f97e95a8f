/* The memory plan: in which storage each tensor of the integer module lives, and for how long.
 *
 * A storage is a range of the arena, an input, output or state of @main, or a constant. Tensors
 * share one where no byte has to move: reshapes, contiguous slices and splits (views of the
 * operand), contiguous concatenation (the parts are written into the result), elementwise ops whose
 * operand dies (in place). A result of @main is written straight to the output, or to its state
 * when nothing reads the old one any more; else it is copied there at the end. With keep_tensors
 * nothing is shared and every tensor of the model lives to the end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_PLAN_H
#define QN_LOWER_LOOPS_PLAN_H

#include "base/array.h"
#include "lower/loops/loops.h"

typedef enum qn_home {
  QN_HOME_ARENA,
  QN_HOME_INPUT,
  QN_HOME_OUTPUT,
  QN_HOME_STATE,
  QN_HOME_CONSTANT
} qn_home;

typedef struct qn_storage {
  qn_home home;
  uint32_t index; /* number of the input, output or state */
  int64_t bytes;
  int64_t first, last; /* steps at which it holds something; of a state: `last` reads the old one */
  uint32_t parent;     /* itself, or the storage that it is part of, at `delta` */
  int64_t delta;
  bool kept; /* to the end: keep_tensors */
} qn_storage;

/* A tensor's place: a storage that is its own parent, and the byte offset in it. */
typedef struct qn_place {
  uint32_t storage;
  int64_t offset;
} qn_place;

/* Made at the end, in order. */
typedef struct qn_result_copy {
  const qn_value *tensor;
  uint32_t from; /* storage that holds it, or UINT32_MAX: its own place */
  uint32_t to;   /* storage */
} qn_result_copy;

typedef struct qn_memory_plan {
  QN_ARRAY(qn_storage) storages;
  const uint32_t *storage_of; /* by value id; UINT32_MAX: no tensor of the module */
  uint32_t value_count;
  int64_t *def_step, *last_step; /* by value id */
  int64_t step_count;
  QN_ARRAY(qn_result_copy) copies; /* outputs and states that are not written by their producer */
} qn_memory_plan;

/* Assigns storages for the body of `func`, the module's @main before the lowering. Steps are the
 * positions of its ops. Tensors are static and of a type that the lowering knows. */
qn_memory_plan *qn_plan_create(qn_loops *lo, const qn_op *func);
void qn_plan_destroy(qn_memory_plan *plan); /* NULL is allowed */

qn_place qn_plan_place(const qn_memory_plan *plan, const qn_value *tensor);
/* Whether both tensors start at the same byte of the same storage. */
bool qn_plan_same_place(const qn_memory_plan *plan, const qn_value *a, const qn_value *b);
/* Whether a slice's result is where its operand has those elements. One storage is not enough: both
 * may be parts of a concatenation. */
bool qn_plan_is_view(const qn_memory_plan *plan, const qn_op *slice);
/* Offsets of all arena storages, by storage number; returns the size of the arena. */
int64_t qn_plan_offsets(const qn_loops *lo, const qn_op *func, int64_t *out_offsets);

/* Memory that lives while the kernels of the op run, as a storage; before the offsets are placed.
 */
uint32_t qn_plan_scratch(qn_memory_plan *plan, const qn_op *op, int64_t bytes);

/* Bytes of a tensor: elements times qn_type_bytes. */
int64_t qn_tensor_bytes(const qn_type *tensor);
/* Product of the dimensions in [from, to). */
int64_t qn_tensor_extent(const qn_type *tensor, uint32_t from, uint32_t to);

#endif
