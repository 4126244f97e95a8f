/* Storages, and where tensors lie in them.
 *
 * A storage is a range of the arena, an input, output or state of @main, or a constant. It may
 * become a part of another one, as a whole: lifetimes stay plain intervals.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_STORAGES_H
#define QN_LOWER_LOOPS_STORAGES_H

#include "base/array.h"
#include "base/map.h"
#include "lower/loops/loops.h"

#define QN_NO_STORAGE UINT32_MAX

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
  bool kept;   /* to the end: keep_tensors */
  bool shared; /* a slot of a branch or loop, which several ops write: it does not move */
} qn_storage;

/* A tensor's place: a storage that is its own parent, and the byte offset in it. */
typedef struct qn_place {
  uint32_t storage;
  int64_t offset;
} qn_place;

/* Made where `at` stands, the end of a block or the beginning of a loop, in order. */
typedef struct qn_result_copy {
  const qn_op *at;
  const qn_value *tensor;
  uint32_t from; /* storage that holds it, or QN_NO_STORAGE: its own place */
  uint32_t to;   /* storage */
} qn_result_copy;

typedef struct qn_memory_plan {
  QN_ARRAY(qn_storage) storages;
  const uint32_t *storage_of; /* by value id; QN_NO_STORAGE: no tensor of the module */
  uint32_t value_count;
  int64_t *def_step, *last_step; /* by value id */
  int64_t step_count;
  qn_map spans; /* op -> its steps (steps.c) */
  /* Outputs, states and slots that are not written by their producer; those of an op together. */
  QN_ARRAY(qn_result_copy) copies;
  qn_map first_copy; /* op -> number of its first, plus 1 */
} qn_memory_plan;

qn_place qn_plan_place(const qn_memory_plan *plan, const qn_value *tensor);
/* Whether both tensors start at the same byte of the same storage. */
bool qn_plan_same_place(const qn_memory_plan *plan, const qn_value *a, const qn_value *b);

/* Memory that lives while the kernels of the op run, as a storage; before the offsets are placed.
 */
uint32_t qn_plan_scratch(qn_memory_plan *plan, const qn_op *op, int64_t bytes);

/* Bytes of a tensor: elements times qn_type_bytes. */
int64_t qn_tensor_bytes(const qn_type *tensor);
/* Its elements are what a memref.view may look at: integers of 8 bits, not booleans. */
bool qn_tensor_is_bytes(const qn_type *tensor);
/* Product of the dimensions in [from, to). */
int64_t qn_tensor_extent(const qn_type *tensor, uint32_t from, uint32_t to);

/* ---- for those who make the plan ---- */

/* A plan while tensors are placed. */
typedef struct qn_assigner {
  qn_loops *lo;
  const qn_op *func;
  qn_memory_plan *plan;
  uint32_t *storage_of;
  bool *has_parts; /* by storage, of those there are before results are placed */
} qn_assigner;

/* Of a storage that holds the tensor, or of its own place, to a storage. */
void qn_plan_copy(qn_memory_plan *plan, qn_result_copy copy);
/* Its number; it is its own parent. */
uint32_t qn_plan_add(qn_memory_plan *plan, qn_storage storage);
/* Where a storage is now. */
qn_place qn_plan_resolve(const qn_memory_plan *plan, uint32_t storage);
/* Makes the storage `part` a range of `whole`, at `offset`; both are their own parents. */
void qn_plan_merge(qn_memory_plan *plan, uint32_t part, uint32_t whole, int64_t offset);
/* The storage that the tensor lies in. */
qn_storage *qn_plan_top(const qn_memory_plan *plan, const qn_value *tensor);
/* Whether the tensor is all of a range of the arena that nobody pinned, so that it may move. */
bool qn_plan_is_movable(const qn_memory_plan *plan, const qn_value *tensor);

#endif
